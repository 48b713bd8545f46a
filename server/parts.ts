import type { Log } from './base/log.ts';
import { within } from './base/timers.ts';

/** A part of the running gateway. It starts after the parts before it, and stops before them. */
export type GatewayPart = {
  name: string;
  start?(): Promise<unknown> | unknown;
  stop?(): Promise<unknown> | unknown;
};

export type GatewayParts = {
  /** Starts the part. It is stopped even if its start fails: it may have started halfway. */
  add(part: GatewayPart): Promise<void>;
};

const failedStopMs = 5_000;

/** Opens a gateway part by part. When a step fails, the parts that were added are stopped, and the error is thrown in bounded time. */
export async function openParts<T>(
  log: Log,
  open: (parts: GatewayParts) => Promise<T>,
): Promise<{ opened: T; stop(): Promise<void> }> {
  const added: GatewayPart[] = [];
  const stop = async (patienceMs = Number.POSITIVE_INFINITY) => {
    for (const part of added.splice(0).reverse())
      try {
        await within(patienceMs, Promise.resolve(part.stop?.()));
      } catch (error) {
        log.warn({ part: part.name, error: String(error) }, 'a part of the server did not stop cleanly');
      }
  };
  try {
    const opened = await open({
      async add(part) {
        added.push(part);
        await part.start?.();
      },
    });
    return { opened, stop: () => stop() };
  } catch (error) {
    await stop(failedStopMs);
    throw error;
  }
}
