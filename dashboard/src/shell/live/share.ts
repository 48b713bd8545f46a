import type { LiveMessage } from './follow.ts';

/** A tab that nobody has seen for this long gives the stream up: to a tab that somebody sees, or to nobody. */
const hiddenMaxMs = 60_000;

type Lead = (publish: (message: LiveMessage) => void, signal: AbortSignal) => Promise<void>;

/**
 * Tabs of the same name share one stream, because a browser has few connections for a host. One of them leads: it has the lock, and tells
 * the others. When it closes, the next one gets the lock. Returns how to leave.
 */
export function share(name: string, lead: Lead, receive: (message: LiveMessage) => void): () => void {
  const channel = new BroadcastChannel(name);
  let isConnected: boolean | undefined;
  let hasLeft = false;
  const publish = (message: LiveMessage) => {
    if (hasLeft) return;
    if (message.kind === 'connected') isConnected = message.isConnected;
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data }: MessageEvent<LiveMessage | { kind: 'asked' }>) => {
    if (data.kind !== 'asked') receive(data);
    else if (isConnected !== undefined) channel.postMessage({ kind: 'connected', isConnected });
  };
  channel.postMessage({ kind: 'asked' });
  const stop = whileSeen((signal) => {
    const work = async () => {
      await lead(publish, signal).finally(() => {
        isConnected = undefined;
      });
    };
    // To stop waiting for the lock is no failure.
    navigator.locks.request(name, { signal }, work).catch(() => {});
  });
  return () => {
    hasLeft = true;
    stop();
    channel.close();
  };
}

/** Begins when somebody sees the tab; ends a while after the last look, and when it is stopped. */
function whileSeen(begin: (signal: AbortSignal) => void): () => void {
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    running?.abort();
    running = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(end, hiddenMaxMs);
    } else if (running === undefined) {
      running = new AbortController();
      begin(running.signal);
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    end();
  };
}
