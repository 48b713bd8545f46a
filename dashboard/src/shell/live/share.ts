import type { Told } from './follow.ts';

/** A tab that nobody has seen for this long gives the stream up: to a tab that somebody sees, or to nobody. */
const hiddenMaxMs = 60_000;

type Lead = (tell: (told: Told) => void, signal: AbortSignal) => Promise<void>;

/**
 * Tabs of the same name share one stream, because a browser has few connections for a host. One of them leads: it has the lock, and tells
 * the others. When it closes, the next one gets the lock. Returns how to leave.
 */
export function share(name: string, lead: Lead, hear: (told: Told) => void): () => void {
  const channel = new BroadcastChannel(name);
  let isConnected: boolean | undefined;
  let hasLeft = false;
  const tell = (told: Told) => {
    if (hasLeft) return;
    if (told.kind === 'connected') isConnected = told.isConnected;
    channel.postMessage(told);
    hear(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told | { kind: 'asked' }>) => {
    if (data.kind !== 'asked') hear(data);
    else if (isConnected !== undefined) channel.postMessage({ kind: 'connected', isConnected });
  };
  channel.postMessage({ kind: 'asked' });
  const stop = whileSeen((signal) => {
    const work = async () => {
      await lead(tell, signal).finally(() => {
        isConnected = undefined;
      });
    };
    // Whoever stops waiting for the lock has not failed.
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
