import { AuthenticationError, type Change, Tollgate } from '@tollgate/node';

/** What a tab hears about its account and mode. `gap`: something may have happened that nobody has told. */
export type Told = { kind: 'change'; change: Change } | { kind: 'gap' } | { kind: 'connected'; isConnected: boolean };

type FollowOptions = {
  account: string;
  mode: 'test' | 'live';
  signal: AbortSignal;
  tell(told: Told): void;
  /** The session has ended. */
  onSignedOut(): void;
};

/** After an error that another try at once would not mend. */
const againMs = 30_000;

/**
 * Tells what happens, until the signal. The SDK opens a connection that breaks again, after the last message (`Last-Event-ID`), and gives
 * up only on errors that last.
 */
export async function follow({ account, mode, signal, tell, onSignedOut }: FollowOptions): Promise<void> {
  while (!signal.aborted) {
    let isFresh = true;
    const watch = (isConnected: boolean) => {
      tell({ kind: 'connected', isConnected });
      // It begins with this moment: what was read before may be old already.
      if (isConnected && isFresh) tell({ kind: 'gap' });
      if (isConnected) isFresh = false;
    };
    const fetch = (url: string, init: RequestInit) => watchedFetch(url, init, watch);
    const api = new Tollgate({ baseUrl: location.origin, session: { account, mode }, fetch, maxRetries: 0 });
    try {
      for await (const change of api.changes.follow({ signal })) tell({ kind: 'change', change });
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
    if (!init.signal?.aborted) watch(false);
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
          return controller.close();
        }
        if (!isConnected) watch(true);
        isConnected = true;
        controller.enqueue(value);
      } catch (error) {
        end();
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
