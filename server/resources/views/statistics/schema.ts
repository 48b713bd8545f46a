import { Type } from '../../../base/schema.ts';
import {
  Currency,
  CurrencyParameter,
  epochSeconds,
  Moment,
  ObjectKind,
  OneOf,
  Parameters,
  secondsMax,
  Whole,
} from '../../../operations/schemas.ts';

/** How long each kind of bucket is, and how many can be asked for in one request. */
export const bucketSizes = { hour: { seconds: 3_600, max: 31 * 24 }, day: { seconds: 86_400, max: 366 } } as const;
export const bucketNames = ['hour', 'day'] as const;

const moment = (description: string) =>
  Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax, description });

export const StatisticsInput = Parameters({
  from: moment('The first second of the range, in UTC epoch seconds. The first bucket begins with it.'),
  to: moment('The second after the last one of the range, in UTC epoch seconds.'),
  bucket: Type.Unsafe<(typeof bucketNames)[number]>(
    Type.String({
      enum: [...bucketNames],
      description:
        'How long a bucket is: an hour, of which there can be 744, or a day of 24 hours, of which there can be 366.',
    }),
  ),
  currency: Type.Optional(CurrencyParameter),
});

const counts = {
  currency: Currency,
  payments: Whole('How many payments were created.'),
  succeeded: Whole('How many of these payments are `succeeded` now.'),
  failed: Whole('How many of these payments are `failed` now.'),
  success_rate: Type.Optional(
    Type.Number({
      description: 'The part of the succeeded and failed payments that has succeeded, from 0 to 1; absent without any.',
    }),
  ),
  volume: Whole('What these payments have received, in the smallest unit of the currency.'),
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
