import { Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { endSession } from '../../session/queries.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { follow } from './follow.ts';
import style from './live.module.css';
import { Refresher } from './refresher.ts';
import { share } from './share.ts';

type LiveState = 'connecting' | 'connected' | 'reconnecting' | 'polling';

/** Without a stream for so long, everything that is shown is read again and again. */
const patienceMs = 10_000;
const pollEveryMs = 10_000;

const words: Record<LiveState, string> = {
  connecting: 'Connecting',
  connected: 'Changes appear as they happen',
  reconnecting: 'Reconnecting',
  polling: `No live connection: refreshing every ${pollEveryMs / 1_000} seconds`,
};

/** Keeps what is shown up to date, and says quietly whether it can. */
export function Live() {
  const state = useLive();
  return (
    <Tooltip label={words[state]}>
      <span className={style.live} data-live={state} role="status">
        <span className="visually-hidden">{words[state]}</span>
      </span>
    </Tooltip>
  );
}

function useLive(): LiveState {
  const { account, mode, session } = useWorkspace();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [refresher, setRefresher] = useState<Refresher>();
  useEffect(() => {
    const reads = new Refresher(queries, [account.id, mode]);
    setRefresher(reads);
    const leave = share(
      `tollgate.changes ${session.user.id} ${account.id} ${mode}`,
      (publish, signal) =>
        follow({
          account: account.id,
          mode,
          signal,
          publish,
          onSignedOut: endSession,
        }),
      (message) => {
        if (message.kind === 'change') reads.add(message.change);
        else if (message.kind === 'gap') void reads.all();
        else {
          setState((before) => (message.isConnected ? 'connected' : before === 'polling' ? before : 'reconnecting'));
          if (message.isConnected) void reads.failed();
        }
      },
    );
    return () => {
      leave();
      reads.close();
      setState('connecting');
    };
  }, [queries, account.id, mode, session.user.id]);
  usePolling(state, setState, refresher);
  return state;
}

/** Where the stream cannot be had. Once it is there again it tells what happened meanwhile, or that it cannot. */
function usePolling(state: LiveState, setState: (state: LiveState) => void, refresher: Refresher | undefined): void {
  useEffect(() => {
    if (state === 'connected' || refresher === undefined) return;
    const read = () => void refresher.all();
    const poll = () => {
      setState('polling');
      if (!document.hidden) read();
    };
    const timer = state === 'polling' ? setInterval(poll, pollEveryMs) : setTimeout(poll, patienceMs);
    addEventListener('online', read);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', read);
    };
  }, [state, setState, refresher]);
}
