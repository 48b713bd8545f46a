import type { Log } from './base/log.ts';
import { after, deadline } from './base/timers.ts';

/** A part of the running gateway. It starts after the parts before it, and stops before them. */
export type GatewayPart = {
  name: string;
  start?(): Promise<unknown> | unknown;
  stop?(): Promise<unknown> | unknown;
  /** Ends immediately whatever this part, or a part that uses it, waits for. */
  abandon?(): void;
};

export type GatewayParts = {
  /** Starts the part. It is stopped even if its start fails: it may have started halfway. */
  add(part: GatewayPart): Promise<void>;
};

/** How long stopping takes at most, in milliseconds. */
export type StopLimits = {
  /** After this, what is still in flight is abandoned. */
  abandonAfterMs: number;
  /** After this, the parts that are left are not waited for. */
  endAfterMs: number;
};

/** Nobody was served yet, so nothing is worth waiting for. */
const failedStartLimits: StopLimits = { abandonAfterMs: 2_000, endAfterMs: 5_000 };

/** Opens a gateway part by part. When a step fails, the parts that were added are stopped, and the error is thrown in bounded time. */
export async function openParts<T>(
  log: Log,
  limits: StopLimits,
  open: (parts: GatewayParts) => Promise<T>,
): Promise<{ opened: T; stop(): Promise<void> }> {
  const added: GatewayPart[] = [];
  try {
    const opened = await open({
      async add(part) {
        added.push(part);
        await part.start?.();
      },
    });
    return { opened, stop: () => stopParts(added.splice(0), log, limits) };
  } catch (error) {
    await stopParts(added, log, failedStartLimits);
    throw error;
  }
}

/** The limits count from the first stop. Unlike other timers, the last one keeps the process alive until everything has stopped. */
async function stopParts(started: GatewayPart[], log: Log, { abandonAfterMs, endAfterMs }: StopLimits): Promise<void> {
  const abandoning = after(abandonAfterMs, () => {
    log.warn({}, 'shutdown takes too long; work in flight is abandoned, and its outcome is unknown');
    for (const part of started) part.abandon?.();
  });
  const ending = deadline(endAfterMs);
  for (const part of started.toReversed())
    try {
      await Promise.race([part.stop?.(), ending.passed]);
    } catch (error) {
      log.warn({ part: part.name, error: String(error) }, 'part of the server did not stop cleanly');
    }
  abandoning.cancel();
  ending.cancel();
}
