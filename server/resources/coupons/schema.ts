import { Type } from '../../base/schema.ts';
import { CurrencyParameter, MetadataParameter, MetadataShape, Parameters, Shown, Timestamp } from '../shapes.ts';
import { type CouponDuration, couponDurations } from './coupon.ts';

const monthsMax = 36;

export const NewCouponInput = Parameters({
  percent_off: Type.Optional(
    Type.Number({
      minimum: 0.01,
      maximum: 100,
      description: 'From 0.01 to 100, with at most two decimals. Send it, or amount_off',
    }),
  ),
  amount_off: Type.Optional(
    Type.Integer({ description: 'In the smallest unit of the currency. Send it, or percent_off' }),
  ),
  currency: Type.Optional({ ...CurrencyParameter, description: 'Of amount_off, and required with it' }),
  duration: Type.Unsafe<CouponDuration>(
    Type.String({ enum: [...couponDurations], description: 'How long a subscription has the discount' }),
  ),
  duration_in_months: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: monthsMax,
      description: 'With the duration repeating only, and required there',
    }),
  ),
  name: Type.Optional(Type.String({ maxLength: 256, description: 'What it is called, up to 256 characters' })),
  metadata: Type.Optional(MetadataParameter),
});

export const CouponOutput = Shown('Coupon', 'coupon', {
  percent_off: Type.Optional(Type.Number()),
  amount_off: Type.Optional(Type.Integer()),
  currency: Type.Optional(Type.String()),
  duration: Type.String({ enum: [...couponDurations] }),
  duration_in_months: Type.Optional(Type.Integer()),
  name: Type.Optional(Type.String()),
  created: Timestamp,
  metadata: Type.Optional(MetadataShape),
});

export const DeletedCouponOutput = Shown('DeletedCoupon', 'coupon', { deleted: Type.Literal(true) });
