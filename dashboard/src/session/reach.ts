import { queries } from './queries.ts';
import { Signal, useSignal } from './signal.ts';

/** Whether the gateway cannot be reached: a request has failed on the way, and so has a question after it. */
const isLost = new Signal(false);

const askEveryMs = 2_000;
/** What a proxy answers in place of a gateway that is not there. The gateway itself has none of them. */
const ofProxies: readonly number[] = [502, 503, 504];

let asking: Promise<boolean> | undefined;

export function useIsLost(): boolean {
  return useSignal(isLost);
}

/** Asks the gateway whether it is there. Many who ask at the same time ask once. */
export function isReached(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** Resolves when the gateway can be reached. */
export async function untilReached(): Promise<void> {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, askEveryMs));
}

async function ask(): Promise<boolean> {
  try {
    return !ofProxies.includes((await fetch('/healthz', { cache: 'no-store' })).status);
  } catch {
    return false;
  }
}

/** For every client of the API: notices that the gateway cannot be reached, and that it is back. */
export async function watchedFetch(url: string, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    if (ofProxies.includes(response.status)) void suspect();
    else if (isLost.get()) returned();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) void suspect();
    throw error;
  }
}

/** One request can fail for reasons of its own: only another failure says that nothing gets through. */
export async function suspect(): Promise<void> {
  if (isLost.get() || (await isReached()) || isLost.get()) return;
  isLost.set(true);
  await untilReached();
  returned();
}

/** What could not be read meanwhile is read now. */
function returned(): void {
  if (!isLost.get()) return;
  isLost.set(false);
  void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
}

// A browser that is online again need not wait for the next question.
addEventListener('online', async () => {
  if (isLost.get() && (await isReached())) returned();
});
addEventListener('offline', () => void suspect());
