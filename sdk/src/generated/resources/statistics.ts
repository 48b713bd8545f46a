// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type {
  Statistics,
  StatisticsBreakdown,
  StatisticsBreakdownParameters,
  StatisticsCheckoutSessions,
  StatisticsCheckoutSessionsParameters,
  StatisticsRetrieveParameters,
  StatisticsSubscriptions,
  StatisticsSubscriptionsParameters,
} from '../types/statistics.ts';

/** How many payments, refunds and disputes there were, and how much they came to. */
export class StatisticsResource extends Resource {
  /**
   * Retrieve statistics.
   *
   * Counts what was created from `from` to before `to`, by currency and bucket, as it is now. Each number is that
   * of the list with the same currency, the same `created` bounds and, where it names one, the status.
   *
   * `GET /v1/statistics` · for people who have signed in
   */
  retrieve(params: StatisticsRetrieveParameters, options?: RequestOptions): Promise<Statistics> {
    return this.transport.send('GET', '/v1/statistics', params, options);
  }

  /**
   * Break payments down by a value.
   *
   * Counts the payments that were created from `from` to before `to` by the reason of their decline, their
   * processor account, or the brand or country of their card, as they are now.
   *
   * `GET /v1/statistics/breakdown` · for people who have signed in
   */
  breakdown(params: StatisticsBreakdownParameters, options?: RequestOptions): Promise<StatisticsBreakdown> {
    return this.transport.send('GET', '/v1/statistics/breakdown', params, options);
  }

  /**
   * Retrieve statistics of subscriptions.
   *
   * Recurring revenue at the end of each day in UTC, and how many subscriptions there are, began and ended; what
   * was paid after a failed charge, and what was given up.
   *
   * `GET /v1/statistics/subscriptions` · for people who have signed in
   */
  subscriptions(params: StatisticsSubscriptionsParameters, options?: RequestOptions): Promise<StatisticsSubscriptions> {
    return this.transport.send('GET', '/v1/statistics/subscriptions', params, options);
  }

  /**
   * Retrieve statistics of checkout sessions.
   *
   * Counts the checkout sessions that were created from `from` to before `to`, by currency, as they are now: all
   * of them, or those of a payment link. Each number is that of the list with the same currency, payment link,
   * `created` bounds and status.
   *
   * `GET /v1/statistics/checkout_sessions` · for people who have signed in
   */
  checkoutSessions(
    params: StatisticsCheckoutSessionsParameters,
    options?: RequestOptions,
  ): Promise<StatisticsCheckoutSessions> {
    return this.transport.send('GET', '/v1/statistics/checkout_sessions', params, options);
  }
}
