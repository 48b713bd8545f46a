import { Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { usePlace } from '../../session/place.tsx';
import { sessionKey } from '../../session/queries.ts';
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
  polling: `No live connection: read again every ${pollEveryMs / 1_000} seconds`,
};

/** Keeps what is shown up to date, and says quietly whether it can. */
export function Live() {
  const state = useLive();
  return (
    <Tooltip label={words[state]}>
      <span className={style.live} data-live={state} role="status">
        <span className="heard">{words[state]}</span>
      </span>
    </Tooltip>
  );
}

function useLive(): LiveState {
  const { account, mode, session } = usePlace();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [refresher, setRefresher] = useState<Refresher>();
  useEffect(() => {
    const reads = new Refresher(queries, [account.id, mode]);
    setRefresher(reads);
    const leave = share(
      `tollgate.changes ${session.user.id} ${account.id} ${mode}`,
      (tell, signal) =>
        follow({ account: account.id, mode, signal, tell, onSignedOut: () => queries.setQueryData(sessionKey, null) }),
      (told) => {
        if (told.kind === 'change') reads.heard(told.change);
        else if (told.kind === 'gap') void reads.all();
        else {
          setState((before) => (told.isConnected ? 'connected' : before === 'polling' ? before : 'reconnecting'));
          if (told.isConnected) void reads.failed();
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
