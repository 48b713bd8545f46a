import type { Money } from '../base/money.ts';
import type { Capabilities, InstrumentKind } from './contract.ts';

export type Inability = { param: 'amount' | 'currency' | 'payment_method'; reason: string };

/** Why a processor cannot take a payment; undefined when it can. No processor is asked. */
export function inabilityFor(
  capabilities: Capabilities,
  { amount, currency }: Money,
  instrument: InstrumentKind,
): Inability | undefined {
  const { currencies, amounts = {} } = capabilities;
  if (!takes(capabilities, instrument)) return { param: 'payment_method', reason: whyNotTaken(instrument) };
  if (currencies !== undefined && !currencies.includes(currency))
    return { param: 'currency', reason: `it does not take ${currency}` };
  const { smallest = 1, multipleOf = 1 } = amounts[currency] ?? {};
  if (amount < smallest) return { param: 'amount', reason: `it takes ${smallest} ${currency} or more` };
  if (amount % multipleOf !== 0)
    return { param: 'amount', reason: `it takes amounts in ${currency} that are multiples of ${multipleOf}` };
  return undefined;
}

/** Why a processor cannot set a payment method up; undefined when it can. */
export function inabilityToSetUp(capabilities: Capabilities, instrument: InstrumentKind): Inability | undefined {
  if (!takes(capabilities, instrument)) return { param: 'payment_method', reason: whyNotTaken(instrument) };
  if (capabilities.setup) return undefined;
  return { param: 'payment_method', reason: 'it cannot set up a payment method without a charge' };
}

function takes({ instruments = [], ...capabilities }: Capabilities, instrument: InstrumentKind): boolean {
  const { tokens, rawCards, page, fields } = capabilities;
  const common = { card: rawCards, token: tokens, page: page !== undefined, confirmation: fields !== undefined };
  return common[instrument as keyof typeof common] === true || instruments.includes(instrument);
}

function whyNotTaken(instrument: InstrumentKind): string {
  if (instrument === 'card') return 'it takes no card numbers, only tokens that it keeps itself';
  if (instrument === 'token') return 'it keeps no payment methods';
  if (instrument === 'page') return 'it has no page for payments';
  if (instrument === 'confirmation') return 'it has no fields for a page';
  return `it takes no payments by ${instrument}`;
}
