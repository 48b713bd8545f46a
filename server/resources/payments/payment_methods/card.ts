import type { Secret } from '../../../base/secret.ts';
import { type CardNumber, isCvcOf, readCardNumber } from '../../../vault/index.ts';
import { apiError } from './errors.ts';
import { hasExpired } from './payment_method.ts';

const yearsAheadMax = 50;

/** The number as digits, with its brand. A number that cannot be a card's is refused. */
export function requireCardNumber(text: Secret): CardNumber {
  const number = readCardNumber(text);
  if (!number.ok) throw apiError('invalid_number', { param: 'card.number' });
  return number;
}

export function checkCvc(number: CardNumber, cvc: Secret): void {
  const digits = number.brand === 'amex' ? '4' : number.brand === 'unknown' ? '3 or 4' : '3';
  if (!isCvcOf(number.brand, cvc)) throw apiError('invalid_cvc', { param: 'card.cvc', digits });
}

/** Refuses an expiry that no valid card can have. */
export function checkExpiry(month: number, year: number, now: number): void {
  const today = new Date(now);
  const thisYear = today.getUTCFullYear();
  const monthName = `${String(today.getUTCMonth() + 1).padStart(2, '0')}/${thisYear}`;
  if (month < 1 || month > 12) throw apiError('invalid_expiry_month', { param: 'card.exp_month', now: monthName });
  const yearParam = { param: 'card.exp_year', now: thisYear, max: thisYear + yearsAheadMax };
  if (year > thisYear + yearsAheadMax || year < 1_000) throw apiError('invalid_expiry_year', yearParam);
  if (!hasExpired({ exp_month: month, exp_year: year }, now)) return;
  if (year < thisYear) throw apiError('invalid_expiry_year', yearParam);
  throw apiError('invalid_expiry_month', { param: 'card.exp_month', now: monthName });
}
