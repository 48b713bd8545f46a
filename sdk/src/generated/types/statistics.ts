// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

/** Numbers about what was created in a range of time. */
export type Statistics = {
  /** The kind of object. */
  object: 'statistics';
  /** The first second of the range. In UTC epoch seconds. */
  from: number;
  /** The second after its last one. In UTC epoch seconds. */
  to: number;
  /** How long a bucket is. */
  bucket: 'hour' | 'day';
  /** The whole range, by currency. */
  totals: Array<StatisticsTotal>;
  /** The buckets, oldest first, without those in which nothing was created. */
  data: Array<StatisticsBucket>;
};

/** What was created in a bucket, in one currency. */
export type StatisticsBucket = {
  /** The first second of the bucket. In UTC epoch seconds. */
  start: number;
  /** The second after its last one. In UTC epoch seconds. */
  end: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** How many payments were created. */
  payments: number;
  /** How many of these payments are `succeeded` now. */
  succeeded: number;
  /** How many of these payments are `failed` now. */
  failed: number;
  /** The part of the succeeded and failed payments that has succeeded, from 0 to 1; absent without any. */
  success_rate?: number;
  /** What these payments have received, in the smallest unit of the currency. */
  volume: number;
  /** How many refunds were created that are `succeeded` now. */
  refunds: number;
  /** The amount of these refunds. */
  refunded: number;
  /** How many disputes were created. */
  disputes: number;
  /** The amount of these disputes. */
  disputed: number;
  /** The part of `disputed` that is not won now: open disputes hold it, and lost ones have taken it. */
  withdrawn: number;
  /** The fees that the balance was charged, less those that were corrected. */
  fees: number;
  /** `volume` less `refunded`, `withdrawn` and `fees`. It can be below 0. */
  net: number;
};

/** What was created in the whole range, in one currency. */
export type StatisticsTotal = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** How many payments were created. */
  payments: number;
  /** How many of these payments are `succeeded` now. */
  succeeded: number;
  /** How many of these payments are `failed` now. */
  failed: number;
  /** The part of the succeeded and failed payments that has succeeded, from 0 to 1; absent without any. */
  success_rate?: number;
  /** What these payments have received, in the smallest unit of the currency. */
  volume: number;
  /** How many refunds were created that are `succeeded` now. */
  refunds: number;
  /** The amount of these refunds. */
  refunded: number;
  /** How many disputes were created. */
  disputes: number;
  /** The amount of these disputes. */
  disputed: number;
  /** The part of `disputed` that is not won now: open disputes hold it, and lost ones have taken it. */
  withdrawn: number;
  /** The fees that the balance was charged, less those that were corrected. */
  fees: number;
  /** `volume` less `refunded`, `withdrawn` and `fees`. It can be below 0. */
  net: number;
};

export type StatisticsRetrieveParameters = {
  /** The first second of the range, in UTC epoch seconds. The first bucket begins with it. */
  from: number;
  /** The second after the last one of the range, in UTC epoch seconds. */
  to: number;
  /** How long a bucket is: an hour, of which there can be 744, or a day of 24 hours, of which there can be 366. */
  bucket: 'hour' | 'day';
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | undefined;
};
