// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { TimelineEntry, TimelineListParameters } from '../types/timeline.ts';

/** What happened to an object, in one order: requests, attempts, postings, events, deliveries and who did it. */
export class TimelineResource extends Resource {
  /**
   * List what happened to an object.
   *
   * Returns requests, attempts, postings, events with their deliveries and, for people, audit entries in one
   * order, newest first. The id is that of a payment, refund, dispute, customer, payment method, subscription,
   * invoice or checkout session, and the key needs its read scope. The timeline of a payment includes its refunds
   * and disputes, that of a checkout session its tries, with their refunds and disputes, and that of a customer
   * everything that it has paid or owes, as far as the key may read them; entries with the same `group` have one
   * cause. People see requests, deliveries and postings if their role may read those elsewhere.
   *
   * `GET /v1/timeline/{id}` · scope `any:read`
   */
  list(id: string, params?: TimelineListParameters, options?: RequestOptions): Listing<TimelineEntry> {
    return this.transport.list(path`/v1/timeline/${id}`, params, options);
  }
}
