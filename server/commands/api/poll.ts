import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../usage.ts';
import { type ApiAnswer, type ApiClient, ApiFailure } from './client.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;
const limitedPauseMs = 5_000;

type PollFor<T> = {
  path: string;
  query?: Record<string, string>;
  look(answer: ApiAnswer): T | undefined;
  /** Without it, for as long as it takes. */
  limitMs?: number;
};

/** Asks again and again, less often each time, until `look` finds something. A rate limit only makes it slower. */
export async function poll<T>(client: ApiClient, { path, query = {}, look, limitMs }: PollFor<T>): Promise<T> {
  const began = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.5)) {
    const answer = await client.get(path, query).catch((error) => {
      if (error instanceof ApiFailure && error.error?.type === 'rate_limit_error') return undefined;
      throw error;
    });
    const found = answer === undefined ? undefined : look(answer);
    if (found !== undefined) return found;
    if (limitMs !== undefined && performance.now() - began > limitMs)
      throw new ApiFailure(`It did not happen within ${limitMs / 1_000} s: GET /v1${path}`, exitCodes.failed);
    await sleep(answer === undefined ? limitedPauseMs : pauseMs);
  }
}
