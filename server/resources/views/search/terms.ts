import { currenciesWith } from '../../../base/currency.ts';
import type { SearchTerms } from '../../../operations/extension_points/search.ts';

const amountMax = 999_999_999_999;

/** What a text can mean. */
export function termsOf(q: string): SearchTerms {
  const text = q.trim();
  const isWord = /^[\x21-\x7e]{3,255}$/.test(text);
  return {
    text,
    charge: chargeOf(text),
    reference: isWord ? text : undefined,
    number: numberOf(text),
  };
}

/** `4242 2000`: the last four digits, and an amount in the smallest unit, or with a point: `4242 20.00`. */
function chargeOf(text: string): SearchTerms['charge'] {
  const [, last4, whole, fraction] = /^(\d{4})\s+(\d{1,12})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (last4 === undefined) return undefined;
  const amount = Number(`${whole}${fraction ?? ''}`);
  if (amount > amountMax) return undefined;
  return fraction === undefined ? { last4, amount } : { last4, amount, currencies: currenciesWith(fraction.length) };
}

/** Of an invoice, with or without the letters and zeros in front: `INV-000042`, `42`. */
function numberOf(text: string): number | undefined {
  const [, digits] = /^(?:inv-)?(\d{1,15})$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
