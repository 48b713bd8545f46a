import { AuthenticationError, type Change, Tollgate } from '@tollgate/node';
import { suspect } from '../../session/reach.ts';

/** News of an account and mode, for every tab that shows it. `gap`: changes may have been missed. */
export type LiveMessage =
  | { kind: 'change'; change: Change }
  | { kind: 'gap' }
  | { kind: 'connected'; isConnected: boolean };

type FollowOptions = {
  account: string;
  mode: 'test' | 'live';
  signal: AbortSignal;
  publish(message: LiveMessage): void;
  /** The session has ended. */
  onSignedOut(): void;
};

/** After an error that an immediate retry would not solve. */
const againMs = 30_000;

/**
 * Publishes changes until the signal aborts. The SDK opens a connection that breaks again, after the last message (`Last-Event-ID`), and gives
 * up only on errors that last.
 */
export async function follow({ account, mode, signal, publish, onSignedOut }: FollowOptions): Promise<void> {
  while (!signal.aborted) {
    let isFresh = true;
    const watch = (isConnected: boolean) => {
      publish({ kind: 'connected', isConnected });
      // It begins with this moment: what was read before may be old already.
      if (isConnected && isFresh) publish({ kind: 'gap' });
      if (isConnected) isFresh = false;
    };
    const fetch = (url: string, init: RequestInit) => watchedFetch(url, init, watch);
    const api = new Tollgate({ baseUrl: location.origin, session: { account, mode }, fetch, maxRetries: 0 });
    try {
      for await (const change of api.changes.follow({}, { signal })) publish({ kind: 'change', change });
    } catch (error) {
      if (signal.aborted) return;
      watch(false);
      if (error instanceof AuthenticationError) return onSignedOut();
      await pause(againMs, signal);
    }
  }
}

/** Says when the first bytes have come, because something between may hold them back, and when no more will. */
async function watchedFetch(url: string, init: RequestInit, watch: (isConnected: boolean) => void): Promise<Response> {
  try {
    const response = await fetch(url, init);
    return response.status === 200 ? new Response(watched(response.body!, watch), response) : response;
  } catch (error) {
    if (!init.signal?.aborted) {
      watch(false);
      void suspect();
    }
    throw error;
  }
}

function watched(body: ReadableStream<Uint8Array>, watch: (isConnected: boolean) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  // The browser knows before the connection does.
  const cut = () => void reader.cancel();
  const end = () => {
    removeEventListener('offline', cut);
    watch(false);
  };
  let isConnected = false;
  addEventListener('offline', cut);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          void suspect();
          return controller.close();
        }
        if (!isConnected) watch(true);
        isConnected = true;
        controller.enqueue(value);
      } catch (error) {
        end();
        void suspect();
        throw error;
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}
