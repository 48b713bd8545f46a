import type { Sent } from './send.ts';

export type Next = { state: 'delivered' | 'exhausted' } | { state: 'pending'; inMs: number };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pause after each failed attempt: ten attempts in three days, then the delivery is exhausted. */
const gapsMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;
const jitter = 0.1; // deliveries that failed together are not retried together
const retryAfterMaxMs = 24 * hour;

export function isDelivered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The step after attempt number `made`. `random` is from 0 to 1. `Retry-After` can lengthen the pause, up to a day. */
export function nextAttempt(made: number, tried: Pick<Sent, 'status' | 'retryAfterSeconds'>, random: number): Next {
  if (isDelivered(tried.status)) return { state: 'delivered' };
  const gap = gapsMs[made - 1];
  if (gap === undefined) return { state: 'exhausted' };
  const spread = gap * (1 - jitter + 2 * jitter * random);
  const asked = Math.min((tried.retryAfterSeconds ?? 0) * second, retryAfterMaxMs);
  return { state: 'pending', inMs: Math.max(spread, asked) };
}
