import type { Mode } from '../../../base/reads.ts';
import { checkAmount, checkCurrency } from '../../../operations/money.ts';
import type { Context, Input } from '../../../operations/operation.ts';
import { apiError } from '../checkout_sessions/errors.ts';
import { readSold } from '../checkout_sessions/lines.ts';
import { checkSession } from '../checkout_sessions/operations.ts';
import {
  type AmountChoice,
  type LinkTerms,
  type QuantityBounds,
  soldWith,
} from '../payment_link_state/payment_link.ts';
import type { NewPaymentLink, NewPaymentLinkInput } from './schema.ts';

/** As they are sent: null clears, and undefined keeps what was there. */
type GivenTerms = Input<typeof NewPaymentLinkInput, 'clear'>;

const nothing: LinkTerms = {
  mode: 'payment',
  amount: null,
  currency: null,
  description: null,
  line_items: null,
  adjustable_quantity: null,
  amount_choice: null,
  capture_method: null,
  allow_coupons: null,
  collect: null,
  success_url: null,
  cancel_url: null,
  locale: null,
};

/** Who changes what is sold says all of it. */
const ways = ['amount', 'line_items', 'amount_choice'] as const;
const sold = [...ways, 'currency', 'description', 'adjustable_quantity'] as const;

/** The terms after a change. Another way to say what is sold replaces everything that the one before said about it. */
export function termsOf(given: GivenTerms, before: LinkTerms = nothing): LinkTerms {
  const isReplaced = ways.some((way) => given[way] != null && before[way] === null);
  const cleared = isReplaced ? Object.fromEntries(sold.map((name) => [name, null])) : {};
  const names = Object.keys(nothing) as (keyof LinkTerms)[];
  const kept = Object.fromEntries(names.map((name) => [name, before[name]]));
  const sent = Object.fromEntries(
    names.filter((name) => given[name] !== undefined).map((name) => [name, withoutNulls(given[name])]),
  );
  return { ...kept, ...cleared, ...sent } as unknown as LinkTerms;
}

/** A member of an object that is null was not supplied: what an object says is replaced as a whole. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Checks what a link sells, and how, as far as that needs no database. */
export function checkTerms(terms: LinkTerms, mode: Mode): void {
  const { amount_choice, adjustable_quantity, line_items } = terms;
  if (amount_choice !== null) checkChoice(terms, amount_choice);
  checkSession(present(amount_choice === null ? terms : { ...terms, amount: amount_choice.max }), mode);
  if (adjustable_quantity !== null) checkBounds(adjustable_quantity, line_items);
}

/** Null as it is sent: not at all. */
function present({ amount, currency, description, line_items, success_url, cancel_url }: LinkTerms) {
  const members = { amount, currency, description, line_items, success_url, cancel_url };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as Pick<
    NewPaymentLink,
    keyof typeof members
  >;
}

function checkChoice({ amount, line_items, currency }: LinkTerms, { min, max, suggested = [] }: AmountChoice): void {
  for (const [other, value] of Object.entries({ amount, line_items }))
    if (value !== null) throw apiError('parameters_exclusive', { param: 'amount_choice', other });
  if (currency === null)
    throw apiError('parameter_missing', { param: 'currency' }).saying(
      'The parameter currency is required with amount_choice.',
    );
  checkCurrency(currency);
  checkAmount(min, 'amount_choice.min');
  checkAmount(max, 'amount_choice.max');
  if (min > max) throw invalidParameter('amount_choice.min', 'it must not be more than amount_choice.max');
  const outside = suggested.findIndex((amount) => amount < min || amount > max);
  if (outside >= 0)
    throw invalidParameter(
      `amount_choice.suggested.${outside}`,
      'it must be from amount_choice.min to amount_choice.max',
    );
}

function checkBounds({ min, max }: QuantityBounds, lines: LinkTerms['line_items']): void {
  if (lines?.length !== 1) throw invalidParameter('adjustable_quantity', 'it needs line_items with exactly one line');
  if (min > max) throw invalidParameter('adjustable_quantity.min', 'it must not be more than adjustable_quantity.max');
  const { quantity = 1 } = lines[0]!;
  if (quantity < min || quantity > max)
    throw invalidParameter('line_items.0.quantity', 'it must be within adjustable_quantity');
}

function invalidParameter(param: string, reason: string) {
  return apiError('parameter_invalid', { param, reason });
}

/** Reads the prices, for the most that a customer can choose. */
export async function checkWhatIsSold(context: Context, terms: LinkTerms): Promise<void> {
  const { adjustable_quantity, amount_choice } = terms;
  const most = soldWith(terms, { quantity: adjustable_quantity?.max, amount: amount_choice?.max });
  if (typeof most === 'object') await readSold(context, most);
}
