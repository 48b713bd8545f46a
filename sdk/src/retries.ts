import { ConnectionError, ResponseError, TimeoutError, type TollgateError, UnexpectedResponseError } from './errors.ts';

const firstDelayMs = 500;
const delayMaxMs = 8_000;
/** Rate limits are counted by the minute. A server that asks for a longer wait is not waited for. */
const retryAfterMaxSeconds = 60;

/**
 * How long to wait before the next try, in milliseconds; undefined when another try would not help. Every call can be repeated: a GET
 * changes nothing, and a POST or DELETE has an idempotency key.
 */
export function retryDelayMs(error: unknown, retries: number, random = Math.random): number | undefined {
  if (!mayPass(error)) return undefined;
  const backoffMs = Math.min(delayMaxMs, firstDelayMs * 2 ** retries);
  // Between half and all of it, so that clients which failed together do not come back together.
  const delayMs = backoffMs * (0.5 + random() / 2);
  const seconds = error instanceof ConnectionError ? undefined : error.retryAfterSeconds;
  if (seconds === undefined) return delayMs;
  return seconds > retryAfterMaxSeconds ? undefined : seconds * 1_000 + delayMs - backoffMs / 2;
}

function mayPass(error: unknown): error is ConnectionError | ResponseError | UnexpectedResponseError {
  if (error instanceof ConnectionError) return true;
  const isResponse = error instanceof ResponseError || error instanceof UnexpectedResponseError;
  return isResponse && (error.status === 429 || error.status >= 500);
}

/** Why a call is tried again, in a word. */
export function reasonToRetry(error: TollgateError): string {
  if (error instanceof ResponseError) return error.code;
  if (error instanceof ConnectionError) return error instanceof TimeoutError ? 'timeout' : 'connection';
  return 'unexpected_response';
}

/** Ends early, by an error, when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
