import type { Log } from './base/log.ts';
import { after } from './base/timers.ts';

/** A part of the running gateway. It starts after the parts before it, and stops before them. */
export type GatewayPart = {
  name: string;
  start?(): Promise<unknown> | unknown;
  stop?(): Promise<unknown> | unknown;
  /** Ends at once whatever this part, or a part that uses it, waits for. */
  abandon?(): void;
};

/** How long stopping takes at most, in milliseconds. */
export type StopLimits = {
  /** After this, what is still in flight is abandoned. */
  abandonAfterMs: number;
  /** After this, the parts that are left are not waited for. */
  endAfterMs: number;
};

/** Starts the parts in order. When one fails, the started ones are stopped and the error is thrown. */
export async function startParts(
  parts: readonly GatewayPart[],
  log: Log,
  limits: StopLimits,
): Promise<{ stop(): Promise<void> }> {
  const started: GatewayPart[] = [];
  const stop = () => stopParts(started.splice(0), log, limits);
  try {
    for (const part of parts) {
      started.push(part);
      await part.start?.();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function stopParts(started: GatewayPart[], log: Log, { abandonAfterMs, endAfterMs }: StopLimits): Promise<void> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<'late'>();
  const ending = after(endAfterMs, () => giveUp('late'));
  const abandoning = after(abandonAfterMs, () => {
    log.warn({}, 'stopping takes too long; work in flight is abandoned, and its outcome is unknown');
    for (const part of started) part.abandon?.();
  });
  for (const part of started.toReversed())
    try {
      const ended = await Promise.race([part.stop?.(), late]);
      if (ended === 'late') log.warn({ part: part.name }, 'a part of the server did not stop in time');
    } catch (error) {
      log.warn({ part: part.name, error: String(error) }, 'a part of the server did not stop cleanly');
    }
  abandoning.cancel();
  ending.cancel();
}
