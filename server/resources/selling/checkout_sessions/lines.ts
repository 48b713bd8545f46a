import { amountMax, checkAmount, checkCurrency } from '../../../operations/money.ts';
import type { Context } from '../../../operations/operation.ts';
import { discountsOf } from '../../billing/arithmetic/discount.ts';
import { type Coupon, discount as discountBy } from '../../billing/coupons/coupon.ts';
import { requirePrice } from '../../billing/prices/operations.ts';
import { isRecurring } from '../../billing/prices/price.ts';
import type { CheckoutLine, CheckoutSession } from './checkout_session.ts';
import { apiError } from './errors.ts';
import type { NewSession } from './schema.ts';
import { checkSubscription, withDue } from './subscription.ts';

type Sold = Pick<NewSession, 'mode' | 'amount' | 'currency' | 'description' | 'line_items'>;
type SoldAmounts = Pick<
  CheckoutSession,
  'amount_total' | 'amount_subtotal' | 'amount_discount' | 'currency' | 'description' | 'line_items'
>;
type NewLine = NonNullable<NewSession['line_items']>[number];

/** Everything about what is sold that needs no database. */
export function checkSold({ mode, amount, currency, description, line_items }: Sold): void {
  if (mode === 'setup') {
    checkNothingSold({ amount, line_items }, currency);
    return;
  }
  if (mode === 'subscription' && line_items === undefined)
    throw apiError('parameter_missing', { param: 'line_items' }).saying(
      'The mode subscription needs line_items with a price that recurs.',
    );
  if (line_items !== undefined) {
    for (const [other, value] of Object.entries({ amount, currency, description }))
      if (value !== undefined) throw apiError('parameters_exclusive', { param: other, other: 'line_items' });
    for (const [at, line] of line_items.entries()) checkLine(line, `line_items.${at}`);
    return;
  }
  if (amount === undefined)
    throw apiError('parameter_missing', { param: 'amount' }).saying('Send amount with currency, or line_items.');
  checkAmount(amount);
  if (currency === undefined)
    throw apiError('parameter_missing', { param: 'currency' }).saying(
      'The parameter currency is required with amount.',
    );
  checkCurrency(currency);
}

/** A currency alone says which one later charges will be in. */
function checkNothingSold(sold: Readonly<Record<string, unknown>>, currency: string | undefined): void {
  for (const [param, value] of Object.entries(sold))
    if (value !== undefined)
      throw apiError('parameter_invalid', { param, reason: 'nothing is charged in the mode setup' });
  if (currency !== undefined) checkCurrency(currency);
}

function checkLine({ price, name, unit_amount, currency }: NewLine, param: string): void {
  const own = { name, unit_amount, currency };
  for (const [member, value] of Object.entries(own)) {
    if (price !== undefined && value !== undefined)
      throw apiError('parameters_exclusive', { param: `${param}.${member}`, other: `${param}.price` });
    if (price === undefined && value === undefined)
      throw apiError('parameter_missing', { param: `${param}.${member}` }).saying(
        `Each line needs a price, or name, unit_amount and currency: ${param}.${member} is missing.`,
      );
  }
  if (name?.trim() === '')
    throw apiError('parameter_invalid', { param: `${param}.name`, reason: 'it must not be blank' });
  if (currency !== undefined) checkCurrencyOf(currency, `${param}.currency`);
  if (unit_amount !== undefined && unit_amount > amountMax)
    throw apiError('amount_too_large', { param: `${param}.unit_amount` });
}

function checkCurrencyOf(currency: string, param: string): void {
  try {
    checkCurrency(currency);
  } catch {
    throw apiError('currency_unknown', { param });
  }
}

/** What is sold, and what it costs. The prices are read; nothing that the customer sends is part of it. */
export async function readSold(context: Context, sold: Sold): Promise<SoldAmounts> {
  const { amount, currency = null, description = null, line_items } = sold;
  if (line_items === undefined) {
    const none = { amount_subtotal: null, amount_discount: null, line_items: null };
    return { amount_total: sold.mode === 'setup' ? 0 : amount!, currency, description, ...none };
  }
  const read = await Promise.all(line_items.map((line, at) => readLine(context, line, `line_items.${at}`, sold.mode)));
  const [first] = read;
  for (const [at, line] of read.entries())
    if (line.currency !== first!.currency)
      throw apiError('parameter_invalid', {
        param: line_items[at]!.price === undefined ? `line_items.${at}.currency` : `line_items.${at}.price`,
        reason: `all lines must be in one currency, and the first is in ${first!.currency}`,
      });
  const lines = read.map(({ line }) => line);
  if (sold.mode === 'subscription') await checkSubscription(context, lines);
  const subtotal = lines.reduce((sum, line) => sum + BigInt(line.unit_amount) * BigInt(line.quantity), 0n);
  if (subtotal > BigInt(amountMax)) throw apiError('amount_too_large', { param: 'line_items' });
  if (subtotal === 0n)
    throw apiError('parameter_invalid', { param: 'line_items', reason: 'there must be something to pay' });
  const total = Number(subtotal);
  return {
    amount_total: total,
    amount_subtotal: total,
    amount_discount: null,
    currency: first!.currency,
    description: null,
    line_items: lines,
  };
}

async function readLine(context: Context, given: NewLine, param: string, mode: Sold['mode']) {
  const { quantity = 1 } = given;
  if (given.price === undefined) {
    const { name = '', unit_amount = 0, currency = '' } = given;
    return { currency, line: lineOf({ name, unit_amount, quantity }) };
  }
  const price = await requirePrice(context, given.price, `${param}.price`);
  const refuse = (reason: string) => apiError('parameter_invalid', { param: `${param}.price`, reason });
  if (!price.active) throw refuse(`the price ${price.id} is not active`);
  if (isRecurring(price) && mode !== 'subscription')
    throw refuse(`the price ${price.id} recurs; it needs the mode subscription`);
  const { id, product_name: name, unit_amount, currency } = price;
  const sold = lineOf({ price: id, name, unit_amount, quantity });
  if (!isRecurring(price)) return { currency, line: sold };
  const { interval, interval_count } = price;
  return { currency, line: { ...sold, recurring: { interval, interval_count } } };
}

function lineOf(line: Pick<CheckoutLine, 'price' | 'name' | 'unit_amount' | 'quantity'>): CheckoutLine {
  return { ...line, amount: Number(BigInt(line.unit_amount) * BigInt(line.quantity)), discount: 0 };
}

/** The session with a coupon, or without one: once over all lines, whatever its duration. Pure. */
export function discounted(session: CheckoutSession, coupon: Coupon | undefined): CheckoutSession {
  const { line_items, amount_subtotal } = session;
  const subtotal = amount_subtotal ?? session.amount_total + (session.amount_discount ?? 0);
  const amounts = line_items?.map(({ amount }) => amount) ?? [subtotal];
  const discounts = coupon === undefined ? amounts.map(() => 0) : discountsOf(amounts, discountBy(coupon));
  const off = discounts.reduce((sum, one) => sum + one, 0);
  return {
    ...session,
    coupon: coupon?.id ?? null,
    amount_total: subtotal - off,
    amount_discount: coupon === undefined ? null : off,
    line_items: line_items?.map((line, at) => ({ ...line, discount: discounts[at]! })) ?? null,
  };
}

/** The session with a coupon, or without one, in its mode. */
export function withCoupon(
  context: Context,
  session: CheckoutSession,
  coupon: Coupon | undefined,
): CheckoutSession | Promise<CheckoutSession> {
  if (session.mode === 'payment') return discounted(session, coupon);
  return withDue(context, { ...session, coupon: coupon?.id ?? null }, context.now);
}
