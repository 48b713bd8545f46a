import { counted } from '../../kit/counted.ts';

export const steps = {
  '1 hour': { seconds: 3_600 },
  '1 day': { seconds: 86_400 },
  '1 week': { seconds: 7 * 86_400 },
  '1 month': { months: 1 },
  '1 year': { months: 12 },
} as const;
export type Step = keyof typeof steps;

/** By the calendar in UTC, as subscriptions renew: a month after 31 January is the last day of February. */
export function later(from: number, step: Step): number {
  const wanted: { seconds?: number; months?: number } = steps[step];
  if (wanted.months === undefined) return from + wanted.seconds!;
  const date = new Date(from * 1_000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + wanted.months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return Math.floor(date.getTime() / 1_000);
}

/** `31 days`, `5 hours`. */
export function spanWords(from: number, to: number): string {
  const hours = Math.round((to - from) / 3_600);
  const [count, unit] = hours >= 48 ? [Math.round(hours / 24), 'day'] : [hours, 'hour'];
  return counted(count, unit);
}
