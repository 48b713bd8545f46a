import type { Mode } from '../../../base/reads.ts';
import { mergeMetadata } from '../../../operations/metadata.ts';
import { checkAmount, checkCurrency } from '../../../operations/money.ts';
import type { Context, Input } from '../../../operations/operation.ts';
import type { CheckoutSession } from '../checkout_sessions/checkout_session.ts';
import { apiError } from '../checkout_sessions/errors.ts';
import { checkSession, newSession } from '../checkout_sessions/operations.ts';
import {
  type AmountChoice,
  type LinkChoice,
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
  save_payment_method: null,
  capture_method: null,
  allow_coupons: null,
  subscription_data: null,
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
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const said = members.map(([name, member]) => [name, name === 'metadata' ? mergeMetadata({}, member) : member]);
  return Object.fromEntries(said);
}

/** Checks what a link sells, and how, as far as that needs no database. */
export function checkTerms(terms: LinkTerms, mode: Mode): void {
  const { amount_choice, adjustable_quantity, line_items } = terms;
  if (amount_choice !== null) checkChoice(terms, amount_choice);
  checkSession(present(amount_choice === null ? terms : { ...terms, amount: amount_choice.max }), mode);
  if (adjustable_quantity !== null) checkBounds(adjustable_quantity, line_items);
}

/** Null as it is sent: not at all. */
function present({ adjustable_quantity: _, amount_choice: __, ...terms }: LinkTerms): NewPaymentLink {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null));
}

function checkChoice(
  { mode, amount, line_items, currency }: LinkTerms,
  { min, max, suggested = [] }: AmountChoice,
): void {
  if (mode === 'setup') throw invalidParameter('amount_choice', 'nothing is charged in the mode setup');
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

/** Reads the prices and the coupon, for the least and the most that a customer can choose. */
export async function checkWhatIsSold(context: Context, terms: LinkTerms): Promise<void> {
  const { adjustable_quantity: quantity, amount_choice: amount } = terms;
  await sessionWith(context, terms, { quantity: quantity?.max, amount: amount?.max });
  if (quantity !== null) await sessionWith(context, terms, { quantity: quantity.min });
}

/** What a session of the link would be, which is not stored. Undefined: the link does not allow the choice. */
export async function sessionWith(
  context: Context,
  terms: LinkTerms,
  choice: LinkChoice,
): Promise<CheckoutSession | undefined> {
  const sold = soldWith(terms, choice);
  return typeof sold === 'string'
    ? undefined
    : (await newSession(context, { ...termsOfSession(terms), ...sold })).session;
}

/** What a session takes over from its link. */
export function termsOfSession(link: LinkTerms) {
  const {
    subscription_data,
    save_payment_method,
    capture_method,
    allow_coupons,
    collect,
    success_url,
    cancel_url,
    locale,
  } = link;
  const terms = {
    subscription_data,
    save_payment_method,
    capture_method,
    allow_coupons,
    collect,
    success_url,
    cancel_url,
    locale,
  };
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null));
}
