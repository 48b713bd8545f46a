import type { Advice } from '../../../connectors/contract.ts';
import type { Dunning } from '../../people/accounts/account.ts';

const daySeconds = 86_400;

/** A decline that may pass by itself. Without advice it is taken to be one. */
function mayPass(advice: Advice | null): boolean {
  return advice === null || advice === 'later' || advice === 'another_processor';
}

/** When the charge is tried again, epoch seconds; null when it is not. */
export function nextAttempt(dunning: Dunning, failedAt: number, at: number, advice: Advice | null): number | null {
  if (!mayPass(advice)) return null;
  const next = dunning.days.map((day) => failedAt + day * daySeconds).find((moment) => moment > at);
  return next ?? null;
}

/** When the days of an invoice are over. */
export function endOfDunning({ days }: Dunning, failedAt: number): number {
  return failedAt + (days.at(-1) ?? 0) * daySeconds;
}
