import { Type } from '../../../base/schema.ts';
import { MaybeExternalId } from '../../../operations/external_id.ts';
import { MaybeReference, Reference } from '../../../operations/references.ts';
import {
  Currency,
  Flag,
  MaybeMoment,
  MetadataShape,
  Moment,
  OneOf,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import {
  cancellationReasons,
  type Item,
  type Subscription,
  type subscriptionEvents,
  subscriptionStatuses,
} from './subscription.ts';

const ItemOutput = Type.Object(
  {
    id: Text('An opaque text that begins with `si_`.'),
    price: Text('The id of the price.'),
    quantity: Whole('How many of the price.'),
  },
  { title: 'SubscriptionItem' },
);

export const SubscriptionOutput = Shown(
  'Subscription',
  'subscription',
  'What a customer pays for at regular intervals.',
  {
    customer: Reference('customers', 'The id of the customer who is billed.'),
    status: OneOf(
      subscriptionStatuses,
      [
        '`incomplete`: the first invoice is not paid; 23 hours after the start it is canceled.',
        '`trialing`: it is in its trial.',
        '`active`: it is billed, and all is well.',
        '`past_due`: a charge has failed.',
        '`unpaid`: all attempts have failed, and it is no longer billed.',
        '`paused`: it is not billed, by request.',
        '`canceled`: it has ended, for good.',
      ].join(' '),
    ),
    currency: Currency,
    items: Type.Array(ItemOutput, { description: 'What is billed.' }),
    current_period_start: Moment('When the current period began; while trialing, the trial.'),
    current_period_end: Moment('When the current period ends; while trialing, the trial.'),
    billing_cycle_anchor: Moment('The time from which all boundaries of periods are counted.'),
    cancel_at_period_end: Flag('Whether it ends with the current period.'),
    created: Moment('When it was created, by the test clock of the customer if it has one.'),
    latest_invoice: MaybeReference('invoices', 'The id of its latest invoice; present once there is one.', ['payment']),
    default_payment_method: MaybeReference(
      'payment_methods',
      'The id of the payment method that is charged; present when supplied.',
    ),
    trial_start: MaybeMoment('When the trial began; present when there is or was one.'),
    trial_end: MaybeMoment('When the trial ends or has ended; present when there is or was one.'),
    pending_setup: MaybeReference(
      'setups',
      'The id of the setup of its payment method, while that has not ended: the cardholder is wanted, or the outcome is unknown.',
    ),
    coupon: MaybeReference('coupons', 'The id of its coupon; present when there is one, also after its duration.'),
    canceled_at: MaybeMoment('When it was canceled, or when the request was made that ends it with its period.'),
    cancellation_reason: Type.Optional(OneOf(cancellationReasons, 'Why it was canceled; present when that was said.')),
    ended_at: MaybeMoment('When it has ended; present once it is canceled.'),
    paused_at: MaybeMoment('When it was paused; present while it is.'),
    metadata: Type.Optional(MetadataShape),
    test_clock: MaybeReference('test_clocks', 'The id of the test clock of the customer; present when there is one.'),
    external_id: MaybeExternalId,
  },
);

const serializeItem = serializer<Item, typeof ItemOutput>(ItemOutput, {});

export const serializeSubscription = serializer<Subscription, typeof SubscriptionOutput>(SubscriptionOutput, {
  items: from(['items'], ({ items }) => items.map(serializeItem)),
});

export const subscriptionEvent = eventsAbout<keyof typeof subscriptionEvents, Subscription>(serializeSubscription);
