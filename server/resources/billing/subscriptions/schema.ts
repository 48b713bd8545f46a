import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { ExternalIdParameter } from '../../../operations/external_id.ts';
import {
  epochSeconds,
  IdParameter,
  MetadataParameter,
  OptionalChoice,
  OptionalId,
  Parameters,
} from '../../../operations/schemas.ts';
import { cancellationReasons } from '../subscription_state/subscription.ts';
import { paymentBehaviors, prorations } from './plan.ts';

const itemsMax = 20;
const quantityMax = 1_000_000;
const trialDaysMax = 730;
const secondsMax = 99_999_999_999;

const moment = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax, description });

const quantity = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: quantityMax,
    description: 'How many of the price, from 0 to 1,000,000; 1 when not given.',
  }),
);

const NewItem = Type.Object(
  { price: IdParameter('The id of a price that is active.'), quantity },
  { additionalProperties: false, title: 'SubscriptionItemParameters' },
);

const ChangedItem = Type.Object(
  {
    id: OptionalId('The id of an item that the subscription has; a new item has none.'),
    price: OptionalId('The id of the price of a new item, or of another price for an item.'),
    quantity: Type.Optional(
      Type.Integer({ minimum: 0, maximum: quantityMax, description: 'How many of the price, from 0 to 1,000,000.' }),
    ),
    deleted: Type.Optional(Type.Boolean({ description: '`true` removes the item.' })),
  },
  { additionalProperties: false, title: 'SubscriptionItemChange' },
);

const changedItems = Type.Array(ChangedItem, {
  minItems: 1,
  maxItems: itemsMax * 2,
  description:
    'The items to change, to add and to remove: 1 to 40. Others stay as they are. At least one must be left, and 20 at most.',
});

const proration = (description: string) => OptionalChoice(prorations, description);
const prorationDate = Type.Optional(
  moment(
    'The time of the change, for proration, in UTC epoch seconds: within the current period, and not before the latest change of an item that was prorated; now when not given.',
  ),
);
const paymentMethod = OptionalId(
  "The id of a payment method that is attached to the customer. Without one, the customer's default is charged.",
);
const paymentBehavior = (allowed: string, otherwise: string, uncharged: string) =>
  OptionalChoice(
    paymentBehaviors,
    `When a payment of this request is declined. \`allow_incomplete\`, the default: ${allowed}. \`error_if_incomplete\`: the answer is 402, ${otherwise}; a cardholder who would have to authenticate counts as a decline. Where nothing is charged, ${uncharged}.`,
  );
const coupon = OptionalId(
  'The id of a coupon that discounts its invoices. One with `amount_off` must be in the currency of the prices.',
);
const atPeriodEnd = Type.Optional(
  Type.Boolean({ description: 'Whether it ends with the current period, or with its trial.' }),
);

export const NewSubscriptionInput = Parameters({
  customer: IdParameter('The id of the customer who is billed.'),
  items: Type.Array(NewItem, {
    minItems: 1,
    maxItems: itemsMax,
    description:
      'What is billed: 1 to 20 items, whose prices have one currency and one period. Together they cost at most 999,999,999,999 for a period.',
  }),
  default_payment_method: paymentMethod,
  trial_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: trialDaysMax,
      description: 'How many days are not billed, from 1 to 730. Excludes `trial_end`.',
    }),
  ),
  trial_end: Type.Optional(
    moment('Until when nothing is billed, in UTC epoch seconds: at most 730 days from now. Excludes `trial_days`.'),
  ),
  billing_cycle_anchor: Type.Optional(
    moment(
      'The first boundary of periods, in UTC epoch seconds: after the start or the end of the trial, by one period at most. By default the start, or the end of the trial.',
    ),
  ),
  proration: proration(
    '`none`: a first period that `billing_cycle_anchor` shortens is not billed. By default its share is.',
  ),
  coupon,
  cancel_at_period_end: atPeriodEnd,
  return_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'Where the cardholder returns to after an authentication of the first payment, or of the setup of the payment method: an https address of up to 2,048 characters.',
    }),
  ),
  off_session: Type.Optional(
    Type.Boolean({
      description:
        '`true`: the cardholder is not there. The payment method is not set up, and a bank that requires authentication declines the first payment. Not together with `return_url`.',
    }),
  ),
  payment_behavior: paymentBehavior(
    'the subscription is `incomplete`, and its first invoice stays open',
    'and there is no subscription and no invoice',
    'it applies to the setup of the payment method; by default, the subscription starts although that is declined',
  ),
  external_id: ExternalIdParameter,
  metadata: Type.Optional(MetadataParameter),
});
export type NewSubscription = Static<typeof NewSubscriptionInput>;

export const SubscriptionInput = Parameters({
  items: Type.Optional(changedItems),
  proration: proration(
    'For a change of items. `create`, the default, prorates the rest of the period on the next invoice, `invoice_now` on an invoice now, `none` not at all.',
  ),
  proration_date: prorationDate,
  default_payment_method: paymentMethod,
  coupon: OptionalId(
    'The id of another coupon, whose duration begins now. Null or an empty string removes the coupon.',
  ),
  trial_end: Type.Optional(
    Type.Unsafe<number | 'now'>({
      anyOf: [
        moment('Another end of the trial, in UTC epoch seconds: at most 730 days from now.'),
        { type: 'string', const: 'now', description: 'Ends the trial, and begins the first period.' },
      ],
      description: 'While trialing: another end of the trial, or `now`.',
    }),
  ),
  cancel_at_period_end: atPeriodEnd,
  payment_behavior: paymentBehavior(
    'the change is made, and the subscription is `past_due`',
    'and nothing of the request has changed the subscription',
    'it has no effect',
  ),
  external_id: ExternalIdParameter,
  metadata: Type.Optional(MetadataParameter),
});

export const CancelInput = Parameters({
  at_period_end: atPeriodEnd,
  reason: OptionalChoice(cancellationReasons, 'Why the customer cancels.'),
  proration: OptionalChoice(
    ['create', 'none'] as const,
    '`create` credits the rest of the period; `none`, the default, credits nothing.',
  ),
});

export const PreviewInput = Parameters({
  customer: OptionalId('The id of the customer who would be billed. Required without `subscription`.'),
  subscription: OptionalId('The id of the subscription whose next invoice is shown.'),
  items: Type.Optional(changedItems),
  proration: proration('As in an update of the subscription. `invoice_now` shows the invoice that would be made now.'),
  proration_date: prorationDate,
  coupon,
});
