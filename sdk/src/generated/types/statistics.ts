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

/** The payments that were created in a range of time, by a value. */
export type StatisticsBreakdown = {
  /** The kind of object. */
  object: 'statistics_breakdown';
  /** The first second of the range. In UTC epoch seconds. */
  from: number;
  /** The second after its last one. In UTC epoch seconds. */
  to: number;
  /** What the payments are counted by. */
  by: 'decline_code' | 'processor' | 'brand' | 'country';
  /**
   * Whether all payments of the range are counted. Otherwise only the newest are: 1,000,000 at most, and fewer on
   * a busy server.
   */
  is_complete: boolean;
  /** The 20 values with most payments of each currency, the one with most payments first. */
  data: Array<StatisticsBreakdownRow>;
  /** All other values together, by currency; empty where there are no more. */
  other: Array<StatisticsBreakdownRest>;
};

/** The payments of one currency that have other values. */
export type StatisticsBreakdownRest = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** How many values these payments have. */
  values: number;
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
};

/** The payments of one currency that have one value. */
export type StatisticsBreakdownRow = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What these payments have in common. Absent: they have none, or it is not known. */
  value?: string;
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

/** How many checkout sessions were created, and how they ended. */
export type StatisticsCheckoutSessions = {
  /** The kind of object. */
  object: 'statistics_checkout_sessions';
  /** The first second of the range. In UTC epoch seconds. */
  from: number;
  /** The second after its last one. In UTC epoch seconds. */
  to: number;
  /** The whole range, by currency. */
  totals: Array<StatisticsCheckoutTotal>;
};

/** The checkout sessions that were created in the range, in one currency. */
export type StatisticsCheckoutTotal = {
  /** A three-letter ISO currency code in lower case; absent for sessions that name none. */
  currency?: string;
  /** How many checkout sessions were created. */
  created: number;
  /** How many of these sessions are `open` or `processing` now. */
  under_way: number;
  /** How many of these sessions are `complete` now. */
  completed: number;
  /** How many of these sessions are `expired` now. */
  expired: number;
  /** The part of the completed and expired sessions that was completed, from 0 to 1; absent without any. */
  conversion_rate?: number;
  /** The sum of `amount_total` of the completed sessions, in the smallest unit of the currency. */
  amount: number;
};

/** Numbers about subscriptions, by days in UTC. */
export type StatisticsSubscriptions = {
  /** The kind of object. */
  object: 'statistics_subscriptions';
  /** Midnight of the first day, in UTC. In UTC epoch seconds. */
  from: number;
  /** Midnight after the last day, in UTC. In UTC epoch seconds. */
  to: number;
  /**
   * The first day that is known. Present if days before it were asked for, and there were subscriptions. In UTC
   * epoch seconds.
   */
  since?: number;
  /** All days together, by currency. */
  totals: Array<StatisticsSubscriptionsTotal>;
  /** The days, oldest first, without those in which there was nothing, and without those before `since`. */
  data: Array<StatisticsSubscriptionsDay>;
};

/** A day in one currency: `mrr` and `active` are those at its end, or now if it has not ended. */
export type StatisticsSubscriptionsDay = {
  /** The first second of the day. In UTC epoch seconds. */
  start: number;
  /** The second after its last one. In UTC epoch seconds. */
  end: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /**
   * The monthly recurring revenue of the subscriptions that are `active` or `past_due`, after coupons that go on,
   * in the smallest unit of the currency.
   */
  mrr: number;
  /** How many subscriptions are `active` or `past_due`. */
  active: number;
  /** How many subscriptions have begun. One whose first invoice is not paid has not. */
  new: number;
  /** How many subscriptions that had begun have ended. */
  lost: number;
  /** How many invoices were paid after a charge had failed. */
  recovered: number;
  /** What these invoices were paid. */
  recovered_amount: number;
  /** How many invoices became `uncollectible`. */
  lost_invoices: number;
  /** What was due on these invoices. */
  lost_amount: number;
};

/** All days in one currency: `mrr` and `active` are those at the end of the last day, or now. */
export type StatisticsSubscriptionsTotal = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /**
   * The monthly recurring revenue of the subscriptions that are `active` or `past_due`, after coupons that go on,
   * in the smallest unit of the currency.
   */
  mrr: number;
  /** How many subscriptions are `active` or `past_due`. */
  active: number;
  /** How many subscriptions have begun. One whose first invoice is not paid has not. */
  new: number;
  /** How many subscriptions that had begun have ended. */
  lost: number;
  /** How many invoices were paid after a charge had failed. */
  recovered: number;
  /** What these invoices were paid. */
  recovered_amount: number;
  /** How many invoices became `uncollectible`. */
  lost_invoices: number;
  /** What was due on these invoices. */
  lost_amount: number;
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

export type StatisticsBreakdownParameters = {
  /** The first second of the range, in UTC epoch seconds. */
  from: number;
  /** The second after the last one of the range, in UTC epoch seconds. */
  to: number;
  /**
   * `decline_code`: failed payments by the reason, the `failure_decline_code` or else the `failure_code`.
   * `processor`: by the id of the processor account. `brand`: by the brand of the card. `country`: by the country
   * of the billing address.
   */
  by: 'decline_code' | 'processor' | 'brand' | 'country';
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | undefined;
};

export type StatisticsSubscriptionsParameters = {
  /** The first second of the range, in UTC epoch seconds. The day that it is in counts whole. */
  from: number;
  /** The second after the last one of the range, in UTC epoch seconds. The day that the range ends in counts whole. */
  to: number;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | undefined;
};

export type StatisticsCheckoutSessionsParameters = {
  /** The first second of the range, in UTC epoch seconds. */
  from: number;
  /** The second after the last one of the range, in UTC epoch seconds. */
  to: number;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | undefined;
  /** Only those that were made by this payment link. */
  payment_link?: string | undefined;
};
