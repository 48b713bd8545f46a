import { decimalsOf } from '../../../base/currency.ts';

/** Digits of other scripts, as phones type them, in Latin ones. */
const latinDigits = (text: string) =>
  text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.codePointAt(0)! & 0xf));

export function quantityFrom(text: string): number | undefined {
  const digits = latinDigits(text);
  return /^\d{1,3}$/.test(digits) ? Number(digits) : undefined;
}

/**
 * An amount as people type it, in the smallest unit of the currency; undefined if it cannot be read in one way alone. A point or a comma
 * stands before the decimals, and nothing stands between thousands: 1.250 would be two different amounts.
 */
export function amountFrom(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:[.,٫](\d{1,4}))?$/.exec(latinDigits(text.trim())) ?? [];
  if (whole === '' || fraction.length > decimals) return undefined;
  const amount = Number(`${whole}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
