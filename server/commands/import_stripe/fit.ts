import { ApiError, assert } from '../../base/errors.ts';
import type { Mode } from '../../base/reads.ts';
import { operations } from '../../catalog.ts';
import { fromStripe } from '../../connectors/stripe/units.ts';
import { checkParameters } from '../../http/reading/parameters.ts';
import type { Values } from '../../http/reading/schema.ts';
import type { Obstacle } from './reasons.ts';
import type { StripeCoupon, StripeCustomer, StripeMethod, StripePrice } from './stripe_objects.ts';

/** The metadata here that name the object at Stripe, where there is no `external_id`. */
export const methodMark = 'stripe_payment_method';
export const couponMark = 'stripe_coupon';

/** What is created here for an object of Stripe's, without what does not fit; or why nothing is. */
export type Fit = { parameters: Values; notes: string[] } | Obstacle;

export function fitCustomer({ id, email, name, phone, metadata }: StripeCustomer, mode: Mode): Fit {
  const parameters = { ...present({ email, name, phone }), metadata, external_id: id };
  return fitting('customers.create', parameters, mode, ['email', 'name', 'phone', 'metadata']);
}

/** `customer` is the id here, where there is one already. */
export function fitCard(
  { id, type, billing }: StripeMethod,
  { processorAccount, mode, customer }: { processorAccount: string; mode: Mode; customer: string | undefined },
): Fit {
  if (type !== 'card') return { reason: 'other_method', detail: type };
  const { name, email, address } = billing;
  const details = present({ name, email, address: Object.keys(address).length === 0 ? undefined : address });
  const parameters = {
    type: 'card',
    processor_token: { processor_account: processorAccount, token: id },
    ...(Object.keys(details).length === 0 ? {} : { billing_details: details }),
    ...present({ customer }),
    metadata: { [methodMark]: id },
  };
  return fitting('payment_methods.create', parameters, mode, ['billing_details']);
}

export function fitPrice(price: StripePrice, mode: Mode): Fit {
  const obstacle = obstacleOfPrice(price);
  if (obstacle !== undefined) return obstacle;
  const { id, currency, unitAmount, recurring, productName, metadata } = price;
  const { amount } = fromStripe(unitAmount!, currency);
  const product_name = productName?.slice(0, 256) || id;
  const parameters = {
    currency,
    unit_amount: amount,
    ...present({ recurring }),
    product_name,
    metadata,
    external_id: id,
  };
  return fitting('prices.create', parameters, mode, ['metadata']);
}

export function obstacleOfPrice(price: StripePrice): Obstacle | undefined {
  if (price.isMetered) return { reason: 'metered' };
  if (price.isTiered) return { reason: 'tiered' };
  if (price.isComputed) return { reason: 'computed' };
  return price.unitAmount === undefined ? { reason: 'fraction' } : undefined;
}

export function fitCoupon(coupon: StripeCoupon, mode: Mode): Fit {
  const { id, percentOff, amountOff, currency = '', duration, months, name, metadata } = coupon;
  if (coupon.isPartial) return { reason: 'partial' };
  if (percentOff !== undefined && !hasTwoDecimals(percentOff)) return { reason: 'percentage' };
  const off =
    amountOff === undefined
      ? { percent_off: percentOff }
      : { amount_off: fromStripe(amountOff, currency).amount, currency };
  const parameters = {
    ...off,
    duration,
    ...present({ duration_in_months: months, name: name?.slice(0, 256) }),
    metadata: { ...metadata, [couponMark]: id },
  };
  const fit = fitting('coupons.create', parameters, mode, ['metadata'], { metadata: { [couponMark]: id } });
  if ('parameters' in fit && coupon.isLimited)
    fit.notes.push('how often, or until when, it can be redeemed is not limited here');
  return fit;
}

function hasTwoDecimals(percent: number): boolean {
  return Number(percent.toFixed(2)) === percent;
}

/** Leaves out what the operation refuses and can do without, as far as it is `optional`. */
export function fitting(
  name: string,
  parameters: Values,
  mode: Mode,
  optional: readonly string[],
  instead: Values = {},
): Fit {
  const operation = operations.find((one) => one.name === name);
  assert(operation, `${name} is an operation of the API`);
  let left = parameters;
  const notes: string[] = [];
  for (;;)
    try {
      checkParameters(operation, left, { now: 0, mode });
      return { parameters: left, notes };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const wrong = optional.find((one) => error.param?.split('.')[0] === one && left[one] !== instead[one]);
      if (wrong === undefined) return { reason: 'refused', detail: error.message };
      notes.push(`without ${wrong}: ${error.message}`);
      const { [wrong]: _, ...others } = left;
      left = { ...others, ...present({ [wrong]: instead[wrong] }) };
    }
}

/** Without the members that are missing or empty. */
export function present(members: Values): Values {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));
}
