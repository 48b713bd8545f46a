import { Type } from '../../../base/schema.ts';
import {
  Created,
  CurrencyParameter,
  MaybeText,
  MaybeWhole,
  MetadataParameter,
  MetadataShape,
  OneOf,
  Parameters,
  Shown,
  ShownDeleted,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { type Coupon, type CouponDuration, couponDurations, type couponEvents } from './coupon.ts';

const monthsMax = 36;
const codeMax = 40;
const durations =
  'How long a subscription has the discount. `once`: until the first invoice with a discount. `repeating`: for some months. `forever`: as long as it has the coupon.';

export const NewCouponInput = Parameters({
  percent_off: Type.Optional(
    Type.Number({
      minimum: 0.01,
      maximum: 100,
      description: 'A percentage from 0.01 to 100, with at most two decimals. Send it, or `amount_off`.',
    }),
  ),
  amount_off: Type.Optional(
    Type.Integer({
      description:
        'An amount from 1 to 999,999,999,999, in the smallest unit of `currency`. Send it, or `percent_off`.',
    }),
  ),
  currency: Type.Optional({
    ...CurrencyParameter,
    description:
      'The currency of `amount_off`, and required with it: a three-letter ISO currency code, in either case.',
  }),
  duration: Type.Unsafe<CouponDuration>(Type.String({ enum: [...couponDurations], description: durations })),
  duration_in_months: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: monthsMax,
      description:
        'How many months a `repeating` discount lasts, from 1 to 36. Required there, and refused with other durations.',
    }),
  ),
  name: Type.Optional(Type.String({ maxLength: 256, description: 'What it is called, up to 256 characters.' })),
  code: Type.Optional(
    Type.String({
      maxLength: codeMax,
      description:
        'What a customer types at a checkout, in either case: up to 40 characters, without spaces. No other coupon may have it; a deleted one gives it up. Without a code, a coupon cannot be typed.',
    }),
  ),
  metadata: Type.Optional(MetadataParameter),
});

export const CodeFilter = Type.Optional(
  Type.String({ maxLength: codeMax, description: 'Only the one with this code, in either case.' }),
);

export const CouponOutput = Shown('Coupon', 'coupon', 'A discount for subscriptions and checkouts.', {
  percent_off: Type.Optional(
    Type.Number({ description: 'The percentage that it takes off each charge of the subscription.' }),
  ),
  amount_off: MaybeWhole('The amount that it takes off an invoice, in the smallest unit of the currency.'),
  currency: MaybeText('The currency of `amount_off`, in lower case.'),
  duration: OneOf(couponDurations, durations),
  duration_in_months: MaybeWhole('How many months a `repeating` discount lasts.'),
  name: MaybeText('What it is called; present when supplied.'),
  code: MaybeText('What a customer types; present when supplied.'),
  created: Created,
  metadata: Type.Optional(MetadataShape),
});

export const DeletedCouponOutput = ShownDeleted('DeletedCoupon', 'coupon');

export const serializeCoupon = serializer<Coupon, typeof CouponOutput>(CouponOutput, {
  percent_off: from(['percent_hundredths'], ({ percent_hundredths: hundredths }) =>
    hundredths === null ? null : hundredths / 100,
  ),
  created: timeInId,
});

export const couponEvent = eventsAbout<keyof typeof couponEvents, Coupon>(serializeCoupon);
