import type { Money } from '../base/money.ts';
import type { Capabilities, Instrument } from './contract.ts';

export type Inability = { param: 'amount' | 'currency' | 'payment_method'; reason: string };

/** Why a processor cannot take a payment; undefined when it can. No processor is asked. */
export function inabilityFor(
  { currencies, amounts = {}, tokens, rawCards }: Capabilities,
  { amount, currency }: Money,
  instrument: Instrument['kind'],
): Inability | undefined {
  if (instrument === 'card' && !rawCards)
    return { param: 'payment_method', reason: 'it takes no card numbers, only tokens that it keeps itself' };
  if (instrument === 'token' && !tokens) return { param: 'payment_method', reason: 'it keeps no cards' };
  if (currencies !== undefined && !currencies.includes(currency))
    return { param: 'currency', reason: `it does not take ${currency}` };
  const { smallest = 1, multipleOf = 1 } = amounts[currency] ?? {};
  if (amount < smallest) return { param: 'amount', reason: `it takes ${smallest} ${currency} or more` };
  if (amount % multipleOf !== 0)
    return { param: 'amount', reason: `it takes amounts in ${currency} that are multiples of ${multipleOf}` };
  return undefined;
}
