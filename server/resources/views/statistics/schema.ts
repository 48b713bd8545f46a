import { Type } from '../../../base/schema.ts';
import { type BreakdownName, breakdowns } from '../../../operations/extension_points/statistics.ts';
import {
  Currency,
  CurrencyParameter,
  epochSeconds,
  Flag,
  MaybeText,
  Moment,
  ObjectKind,
  OneOf,
  OptionalId,
  Parameters,
  secondsMax,
  Whole,
} from '../../../operations/schemas.ts';
import { paymentsMax, valuesMax } from './breakdown.ts';

/** How long each kind of bucket is, and how many can be asked for in one request. */
export const bucketSizes = { hour: { seconds: 3_600, max: 31 * 24 }, day: { seconds: 86_400, max: 366 } } as const;
export const bucketNames = ['hour', 'day'] as const;
export const daysMax = bucketSizes.day.max;

const moment = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax, description });

const to = moment('The second after the last one of the range, in UTC epoch seconds.');

export const StatisticsInput = Parameters({
  from: moment('The first second of the range, in UTC epoch seconds. The first bucket begins with it.'),
  to,
  bucket: Type.Unsafe<(typeof bucketNames)[number]>(
    Type.String({
      enum: [...bucketNames],
      description:
        'How long a bucket is: an hour, of which there can be 744, or a day of 24 hours, of which there can be 366.',
    }),
  ),
  currency: Type.Optional(CurrencyParameter),
});

const ofPayments = {
  payments: Whole('How many payments were created.'),
  succeeded: Whole('How many of these payments are `succeeded` now.'),
  failed: Whole('How many of these payments are `failed` now.'),
  success_rate: Type.Optional(
    Type.Number({
      description: 'The part of the succeeded and failed payments that has succeeded, from 0 to 1; absent without any.',
    }),
  ),
  volume: Whole('What these payments have received, in the smallest unit of the currency.'),
};

const counts = {
  currency: Currency,
  ...ofPayments,
  refunds: Whole('How many refunds were created that are `succeeded` now.'),
  refunded: Whole('The amount of these refunds.'),
  disputes: Whole('How many disputes were created.'),
  disputed: Whole('The amount of these disputes.'),
  withdrawn: Whole('The part of `disputed` that is not won now: open disputes hold it, and lost ones have taken it.'),
  fees: Whole('The fees that the balance was charged, less those that were corrected.'),
  net: Whole('`volume` less `refunded`, `withdrawn` and `fees`. It can be below 0.'),
};

const BucketShape = Type.Object(
  { start: Moment('The first second of the bucket.'), end: Moment('The second after its last one.'), ...counts },
  { title: 'StatisticsBucket', description: 'What was created in a bucket, in one currency.' },
);

const TotalShape = Type.Object(counts, {
  title: 'StatisticsTotal',
  description: 'What was created in the whole range, in one currency.',
});

export const StatisticsOutput = Type.Object(
  {
    object: ObjectKind('statistics'),
    from: Moment('The first second of the range.'),
    to: Moment('The second after its last one.'),
    bucket: OneOf(bucketNames, 'How long a bucket is.'),
    totals: Type.Array(TotalShape, { description: 'The whole range, by currency.' }),
    data: Type.Array(BucketShape, {
      description: 'The buckets, oldest first, without those in which nothing was created.',
    }),
  },
  { title: 'Statistics', description: 'Numbers about what was created in a range of time.' },
);

export const FunnelInput = Parameters({
  from: moment('The first second of the range, in UTC epoch seconds.'),
  to,
  currency: Type.Optional(CurrencyParameter),
  payment_link: OptionalId('Only those that were made by this payment link.'),
});

const FunnelRow = Type.Object(
  {
    currency: MaybeText('A three-letter ISO currency code in lower case; absent for sessions that name none.'),
    created: Whole('How many checkout sessions were created.'),
    under_way: Whole('How many of these sessions are `open` or `processing` now.'),
    completed: Whole('How many of these sessions are `complete` now.'),
    expired: Whole('How many of these sessions are `expired` now.'),
    conversion_rate: Type.Optional(
      Type.Number({
        description:
          'The part of the completed and expired sessions that was completed, from 0 to 1; absent without any.',
      }),
    ),
    amount: Whole('The sum of `amount_total` of the completed sessions, in the smallest unit of the currency.'),
  },
  {
    title: 'StatisticsCheckoutTotal',
    description: 'The checkout sessions that were created in the range, in one currency.',
  },
);

export const FunnelOutput = Type.Object(
  {
    object: ObjectKind('statistics_checkout_sessions'),
    from: Moment('The first second of the range.'),
    to: Moment('The second after its last one.'),
    totals: Type.Array(FunnelRow, { description: 'The whole range, by currency.' }),
  },
  { title: 'StatisticsCheckoutSessions', description: 'How many checkout sessions were created, and how they ended.' },
);

export const BreakdownInput = Parameters({
  from: moment('The first second of the range, in UTC epoch seconds.'),
  to,
  by: Type.Unsafe<BreakdownName>(
    Type.String({
      enum: [...breakdowns],
      description:
        '`decline_code`: failed payments by the reason, the `failure_decline_code` or else the `failure_code`. `processor`: by the id of the processor account. `brand`: by the brand of the card. `country`: by the country of the billing address.',
    }),
  ),
  currency: Type.Optional(CurrencyParameter),
});

const BreakdownRow = Type.Object(
  {
    currency: Currency,
    value: MaybeText('What these payments have in common. Absent: they have none, or it is not known.'),
    ...ofPayments,
  },
  { title: 'StatisticsBreakdownRow', description: 'The payments of one currency that have one value.' },
);

const BreakdownRest = Type.Object(
  { currency: Currency, values: Whole('How many values these payments have.'), ...ofPayments },
  { title: 'StatisticsBreakdownRest', description: 'The payments of one currency that have other values.' },
);

export const BreakdownOutput = Type.Object(
  {
    object: ObjectKind('statistics_breakdown'),
    from: Moment('The first second of the range.'),
    to: Moment('The second after its last one.'),
    by: OneOf(breakdowns, 'What the payments are counted by.'),
    is_complete: Flag(
      `Whether all payments of the range are counted. Otherwise only the newest are: ${paymentsMax.toLocaleString('en')} at most, and fewer on a busy server.`,
    ),
    data: Type.Array(BreakdownRow, {
      description: `The ${valuesMax} values with most payments of each currency, the one with most payments first.`,
    }),
    other: Type.Array(BreakdownRest, {
      description: 'All other values together, by currency; empty where there are no more.',
    }),
  },
  { title: 'StatisticsBreakdown', description: 'The payments that were created in a range of time, by a value.' },
);

export const SubscriptionsInput = Parameters({
  from: moment('The first second of the range, in UTC epoch seconds. The day that it is in counts whole.'),
  to: moment(
    'The second after the last one of the range, in UTC epoch seconds. The day that the range ends in counts whole.',
  ),
  currency: Type.Optional(CurrencyParameter),
});

const ofSubscriptions = {
  currency: Currency,
  mrr: Whole(
    'The monthly recurring revenue of the subscriptions that are `active` or `past_due`, after coupons that go on, in the smallest unit of the currency.',
  ),
  active: Whole('How many subscriptions are `active` or `past_due`.'),
  new: Whole('How many subscriptions have begun. One whose first invoice is not paid has not.'),
  lost: Whole('How many subscriptions that had begun have ended.'),
  recovered: Whole('How many invoices were paid after a charge had failed.'),
  recovered_amount: Whole('What these invoices were paid.'),
  lost_invoices: Whole('How many invoices became `uncollectible`.'),
  lost_amount: Whole('What was due on these invoices.'),
};

const SubscriptionsDay = Type.Object(
  { start: Moment('The first second of the day.'), end: Moment('The second after its last one.'), ...ofSubscriptions },
  {
    title: 'StatisticsSubscriptionsDay',
    description: 'A day in one currency: `mrr` and `active` are those at its end, or now if it has not ended.',
  },
);

const SubscriptionsTotal = Type.Object(ofSubscriptions, {
  title: 'StatisticsSubscriptionsTotal',
  description: 'All days in one currency: `mrr` and `active` are those at the end of the last day, or now.',
});

export const SubscriptionsOutput = Type.Object(
  {
    object: ObjectKind('statistics_subscriptions'),
    from: Moment('Midnight of the first day, in UTC.'),
    to: Moment('Midnight after the last day, in UTC.'),
    since: Type.Optional(
      Moment('The first day that is known. Present if days before it were asked for, and there were subscriptions.'),
    ),
    totals: Type.Array(SubscriptionsTotal, { description: 'All days together, by currency.' }),
    data: Type.Array(SubscriptionsDay, {
      description:
        'The days, oldest first, without those in which there was nothing, and without those before `since`.',
    }),
  },
  { title: 'StatisticsSubscriptions', description: 'Numbers about subscriptions, by days in UTC.' },
);
