import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ChunkError } from '../kit/chunk.ts';
import { Empty } from '../kit/empty.tsx';
import { Failure } from '../kit/failure.tsx';
import { PageSkeleton } from '../kit/skeletons.tsx';
import { useTitle } from '../kit/title.ts';
import { isReached, untilReached } from '../session/reach.ts';
import { mayReload } from './reloads.ts';

/** In place of a page that has failed. */
export function Broken({ error, reset }: ErrorComponentProps) {
  if (error instanceof ChunkError) return <NotLoaded />;
  return <Failure title="This page failed to load" error={error} onRetry={reset} />;
}

type State = 'looking' | 'unreachable' | 'missing';

/**
 * A part of the page could not be loaded. A reload gets the files of today's version, but without a gateway it would leave an empty
 * window: so it waits until the gateway is there, then reloads by itself, once. What was typed is kept in drafts.
 */
function NotLoaded() {
  useTitle('Not loaded');
  const [state, setState] = useState<State>('looking');
  useEffect(() => {
    let isGone = false;
    const recover = async () => {
      if (!(await isReached())) {
        if (!isGone) setState('unreachable');
        await untilReached();
      }
      if (isGone) return;
      if (mayReload(sessionStorage, Date.now())) location.reload();
      else setState('missing');
    };
    void recover();
    return () => {
      isGone = true;
    };
  }, []);
  const tryAgain = async () => {
    if (await isReached()) location.reload();
    else setState('unreachable');
  };
  if (state === 'looking') return <PageSkeleton />;
  return (
    <Empty isPage icon="attention" title="This page could not be loaded" text={words[state]}>
      <Button variant="default" onClick={() => void tryAgain()}>
        Try again
      </Button>
    </Empty>
  );
}

const words: Record<Exclude<State, 'looking'>, string> = {
  unreachable: 'The gateway cannot be reached. The page opens by itself when it is back. What you typed is kept.',
  missing:
    'The gateway does not have a part of it. It may be being updated: try again in a moment. What you typed is kept.',
};
