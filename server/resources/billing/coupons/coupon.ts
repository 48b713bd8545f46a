import { assert } from '../../../base/errors.ts';
import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Metadata } from '../../../operations/metadata.ts';

export type CouponId = Id<'coupon'>;

export const couponEvents = {
  'coupon.created': 'A coupon was created.',
  'coupon.deleted': 'A coupon was deleted.',
} as const;

export const couponDurations = ['once', 'repeating', 'forever'] as const;
export type CouponDuration = (typeof couponDurations)[number];

/** A discount, by percentage or by amount. It never changes. */
export type Coupon = {
  tenant: Tenant;
  id: CouponId;
  version: number;
  /** In hundredths of a percent, so that all arithmetic is exact: 3333 is 33.33 percent. Null: an amount. */
  percent_hundredths: number | null;
  /** In the smallest unit of `currency`. Null: a percentage, which is of any currency. */
  amount_off: number | null;
  currency: string | null;
  duration: CouponDuration;
  /** With `repeating` only, and always. */
  duration_in_months: number | null;
  name: string | null;
  /** What customers type, as it was supplied. Null: none can be typed. */
  code: string | null;
  /** The code as it is compared: unique among the coupons of a tenant. A deleted coupon has given it up. */
  code_key: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  /** It can no longer be given to anybody. Subscriptions that have it keep it, so the row stays. */
  deleted: boolean;
};

/** Letters, digits, punctuation and symbols of any script; no spaces, and nothing that cannot be seen. */
const codeForm = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,40}$/u;

/** A code as it is compared: in any case, and however a keyboard writes its characters. Undefined: no coupon can have it. */
export function codeKeyOf(code: string): string | undefined {
  return codeForm.test(code) ? code.normalize('NFKC').toUpperCase().toLowerCase() : undefined;
}

/** A percentage in hundredths of a percent; undefined when it has more than two decimals. */
export function hundredthsOf(percent: number): number | undefined {
  const hundredths = Math.round(percent * 100);
  // A division is rounded to the nearest double, and that is also how the number was read.
  return hundredths / 100 === percent ? hundredths : undefined;
}

/** The discount: hundredths of a percent, or an amount in the smallest unit of its currency. */
export function discount({
  percent_hundredths,
  amount_off,
}: Pick<Coupon, 'percent_hundredths' | 'amount_off'>): { percentOff: number } | { amountOff: number } {
  if (percent_hundredths !== null) return { percentOff: percent_hundredths };
  assert(amount_off !== null, 'a coupon is a percentage or an amount');
  return { amountOff: amount_off };
}
