// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Subscription,
  SubscriptionsCancelParameters,
  SubscriptionsCreateParameters,
  SubscriptionsListParameters,
  SubscriptionsPauseParameters,
  SubscriptionsResumeParameters,
  SubscriptionsUpdateParameters,
} from '../types/subscriptions.ts';

/** What customers pay for at regular intervals, period by period. */
export class SubscriptionsResource extends Resource {
  /**
   * Create a subscription.
   *
   * The first period is invoiced and charged immediately, unless there is a trial. Unless `payment_behavior` says
   * otherwise, the answer is 200 whatever the outcome of the first payment is: until it has succeeded, the status
   * is `incomplete`, and after 23 hours the subscription is canceled. With a trial, or with nothing to pay, the
   * payment method is set up without a charge, unless its cardholder has agreed to later charges before. Each
   * further period is invoiced when it begins.
   *
   * `POST /v1/subscriptions` · scope `subscriptions:write`
   */
  create<const Path extends PathsOf<Subscription> = never>(
    params: SubscriptionsCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('POST', '/v1/subscriptions', params, options);
  }

  /**
   * List subscriptions, canceled ones too.
   *
   * Returns subscriptions in pages, newest first. With `Accept: text/csv` the answer is one file with all
   * subscriptions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/subscriptions` · scope `subscriptions:read`
   */
  list<const Path extends PathsOf<Subscription> = never>(
    params?: SubscriptionsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Subscription, Path>> {
    return this.transport.list('/v1/subscriptions', params, options);
  }

  /**
   * List subscriptions, canceled ones too.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns subscriptions in pages, newest first. With `Accept: text/csv` the answer is one file with all
   * subscriptions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/subscriptions` · scope `subscriptions:read`
   */
  listCsv(params?: SubscriptionsListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/subscriptions', params, options, 'text/csv');
  }

  /**
   * Retrieve a subscription.
   *
   * Returns the subscription as it is now.
   *
   * `GET /v1/subscriptions/{id}` · scope `subscriptions:read`
   */
  retrieve<const Path extends PathsOf<Subscription> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('GET', path`/v1/subscriptions/${id}`, expandIn(options), options);
  }

  /**
   * Update a subscription.
   *
   * Changes only what it names. A change of items is prorated on the next invoice, unless `proration` says
   * otherwise. Another payment method is tried immediately for open invoices that have failed, and a change to
   * prices of another period begins a new period now. If the charge for an invoice that is made now fails, the
   * change stays, and the subscription is `past_due`; with `payment_behavior` `error_if_incomplete` the answer is
   * 402, and nothing has changed.
   *
   * `POST /v1/subscriptions/{id}` · scope `subscriptions:write`
   */
  update<const Path extends PathsOf<Subscription> = never>(
    id: string,
    params?: SubscriptionsUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}`, params, options);
  }

  /**
   * Cancel a subscription, now or at the end of its period.
   *
   * Ends it now, and credits nothing unless `proration` is `create`. With `at_period_end` it ends with its period;
   * until then an update can undo that. If it is `incomplete`, its first invoice becomes void, and a payment of it
   * that still succeeds is refunded. A canceled subscription cannot be resumed.
   *
   * `POST /v1/subscriptions/{id}/cancel` · scope `subscriptions:write`
   */
  cancel<const Path extends PathsOf<Subscription> = never>(
    id: string,
    params?: SubscriptionsCancelParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/cancel`, params, options);
  }

  /**
   * Pause a subscription.
   *
   * Only while it is `active`. The rest of the period becomes credit of the customer, and there are no invoices
   * until it is resumed.
   *
   * `POST /v1/subscriptions/{id}/pause` · scope `subscriptions:write`
   */
  pause<const Path extends PathsOf<Subscription> = never>(
    id: string,
    params?: SubscriptionsPauseParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/pause`, params, options);
  }

  /**
   * Resume a paused subscription.
   *
   * Begins a period now that ends at the next boundary, and bills its share immediately.
   *
   * `POST /v1/subscriptions/{id}/resume` · scope `subscriptions:write`
   */
  resume<const Path extends PathsOf<Subscription> = never>(
    id: string,
    params?: SubscriptionsResumeParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Subscription, Path>> {
    return this.transport.send('POST', path`/v1/subscriptions/${id}/resume`, params, options);
  }
}
