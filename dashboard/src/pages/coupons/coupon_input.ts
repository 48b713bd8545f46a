import type { Coupon, CouponsCreateParameters } from '@tollgate/node';
import { amountOf } from '../../kit/money.ts';

/** A coupon as it stands in a form. */
export type CouponFields = {
  kind: 'percent' | 'amount';
  percent: string;
  amount: { text: string; currency: string };
  duration: Coupon['duration'];
  months: string;
  name: string;
  code: string;
};

/** From 0.01 to 100, with at most two digits after the point. */
export function percentOf(text: string): number | undefined {
  const [, whole, rest = ''] = /^(\d{1,3})(?:[.,](\d{0,2}))?$/.exec(text.trim()) ?? [];
  const percent = Number(`${whole}.${rest}`);
  return percent > 0 && percent <= 100 ? percent : undefined;
}

/** From 1 to 36. */
export function monthsOf(text: string): number | undefined {
  const months = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0;
  return months >= 1 && months <= 36 ? months : undefined;
}

/** A code, or none. */
export function isCode(text: string): boolean {
  return !/\s/.test(text.trim());
}

/** Undefined while it cannot be sent. */
export function couponParams(fields: CouponFields): CouponsCreateParameters | undefined {
  const { kind, percent, amount, duration, months, name, code } = fields;
  const percent_off = percentOf(percent);
  const amount_off = amountOf(amount.text, amount.currency);
  const duration_in_months = monthsOf(months);
  if (kind === 'percent' ? percent_off === undefined : !amount_off) return undefined;
  if (duration === 'repeating' && duration_in_months === undefined) return undefined;
  if (!isCode(code)) return undefined;
  return {
    ...(kind === 'percent' ? { percent_off } : { amount_off, currency: amount.currency }),
    duration,
    ...(duration === 'repeating' && { duration_in_months }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(code.trim() !== '' && { code: code.trim() }),
  };
}
