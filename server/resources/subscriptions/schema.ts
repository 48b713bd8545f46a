import type { Static } from 'typebox';
import { Type } from '../../base/schema.ts';
import {
  epochSeconds,
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OptionalChoice,
  OptionalId,
  Parameters,
  Shown,
  Timestamp,
} from '../shapes.ts';
import { prorations } from './plan.ts';
import { subscriptionStatuses } from './subscription.ts';

const itemsMax = 20;
const quantityMax = 1_000_000;
const trialDaysMax = 730;
const secondsMax = 99_999_999_999;

const moment = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax, description });

const quantity = Type.Optional(
  Type.Integer({ minimum: 0, maximum: quantityMax, description: 'How many of the price; 1 when not given' }),
);

const NewItem = Parameters({ price: IdParameter('A price that is active'), quantity });

const ChangedItem = Parameters({
  id: OptionalId('An item that the subscription has; a new item has none'),
  price: OptionalId('The price of a new item, or another price for an item'),
  quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: quantityMax, description: 'How many of the price' })),
  deleted: Type.Optional(Type.Boolean({ description: 'Removes the item' })),
});

const changedItems = Type.Array(ChangedItem, {
  minItems: 1,
  maxItems: itemsMax * 2,
  description: 'The items to change, to add and to remove; others stay as they are',
});

const proration = (description: string) => OptionalChoice(prorations, description);
const prorationDate = Type.Optional(
  moment('The moment of the change, for proration: within the current period; now when not given'),
);
const paymentMethod = OptionalId("Which of the customer's methods is charged; the customer's default when not given");
const coupon = OptionalId('A coupon that lessens its invoices');
const atPeriodEnd = Type.Optional(Type.Boolean({ description: 'Whether it ends with the current period' }));

export const NewSubscriptionInput = Parameters({
  customer: IdParameter('Who is billed'),
  items: Type.Array(NewItem, {
    minItems: 1,
    maxItems: itemsMax,
    description: 'What is billed, all of one currency and one interval',
  }),
  default_payment_method: paymentMethod,
  trial_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: trialDaysMax, description: 'How many days are not billed' }),
  ),
  trial_end: Type.Optional(moment('Until when nothing is billed; at most 730 days from now')),
  billing_cycle_anchor: Type.Optional(
    moment(
      'The first boundary of the periods: in the future, at most one interval after the start or the end of the trial',
    ),
  ),
  proration: proration('none: a first, short period is not billed'),
  coupon,
  cancel_at_period_end: atPeriodEnd,
  return_url: Type.Optional(
    Type.String({ maxLength: 2_048, description: 'Where the cardholder comes back to after an authentication' }),
  ),
  metadata: Type.Optional(MetadataParameter),
});
export type NewSubscription = Static<typeof NewSubscriptionInput>;

export const SubscriptionInput = Parameters({
  items: Type.Optional(changedItems),
  proration: proration(
    'Whether the rest of the period is prorated on the next invoice (create), on one now, or not at all',
  ),
  proration_date: prorationDate,
  default_payment_method: paymentMethod,
  coupon: OptionalId('Another coupon; empty removes it'),
  trial_end: Type.Optional(
    Type.Unsafe<number | 'now'>({
      anyOf: [moment('Another end of the trial'), { type: 'string', const: 'now' }],
      description: 'While trialing: another end of the trial, or `now`',
    }),
  ),
  cancel_at_period_end: atPeriodEnd,
  metadata: Type.Optional(MetadataParameter),
});

export const CancelInput = Parameters({
  at_period_end: atPeriodEnd,
  proration: OptionalChoice(
    ['create', 'none'] as const,
    'create: the rest of the period is credited; none when not given',
  ),
});

export const PreviewInput = Parameters({
  customer: OptionalId('Who would be billed; that of the subscription when not given'),
  subscription: OptionalId('Whose next invoice is shown'),
  items: Type.Optional(changedItems),
  proration: proration('As in an update; invoice_now shows the invoice that would be made now'),
  proration_date: prorationDate,
  coupon,
});

const Item = Type.Object({ id: Type.String(), price: Type.String(), quantity: Type.Integer() });

export const SubscriptionOutput = Shown('Subscription', 'subscription', {
  customer: Type.String(),
  status: Type.String({ enum: [...subscriptionStatuses] }),
  currency: Type.String(),
  items: Type.Array(Item),
  current_period_start: Timestamp,
  current_period_end: Timestamp,
  billing_cycle_anchor: Timestamp,
  cancel_at_period_end: Type.Boolean(),
  created: Timestamp,
  latest_invoice: Type.Optional(Type.String()),
  default_payment_method: Type.Optional(Type.String()),
  trial_start: Type.Optional(Timestamp),
  trial_end: Type.Optional(Timestamp),
  coupon: Type.Optional(Type.String()),
  canceled_at: Type.Optional(Timestamp),
  ended_at: Type.Optional(Timestamp),
  paused_at: Type.Optional(Timestamp),
  metadata: Type.Optional(MetadataShape),
  test_clock: Type.Optional(Type.String()),
});
