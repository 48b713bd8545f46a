import type { Log } from './base/log.ts';

/** A part of the running gateway. It starts after the parts before it, and stops before them. */
export type GatewayPart = {
  name: string;
  start?(): Promise<unknown> | unknown;
  stop?(): Promise<unknown> | unknown;
};

/** Starts the parts in order. When one fails, the started ones are stopped and the error is thrown. */
export async function startParts(parts: readonly GatewayPart[], log: Log): Promise<{ stop(): Promise<void> }> {
  const started: GatewayPart[] = [];
  const stop = async () => {
    for (const part of started.splice(0).reverse())
      try {
        await part.stop?.();
      } catch (error) {
        log.warn({ part: part.name, error: String(error) }, 'a part of the server did not stop cleanly');
      }
  };
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
