// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedTestClock,
  TestClock,
  TestClocksAdvanceParameters,
  TestClocksCreateParameters,
  TestClocksListParameters,
} from '../types/test_clocks.ts';

/** Clocks of test mode that let years pass in a moment for the customers that live by them. */
export class TestClocksResource extends Resource {
  /**
   * Create a test clock.
   *
   * The clock stands still until it is advanced. Customers that are created with it live in its time. Test clocks
   * exist in test mode only.
   *
   * `POST /v1/test_clocks` · scope `test_clocks:write`
   */
  create(params: TestClocksCreateParameters, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('POST', '/v1/test_clocks', params, options);
  }

  /**
   * List test clocks.
   *
   * Returns test clocks in pages, newest first.
   *
   * `GET /v1/test_clocks` · scope `test_clocks:read`
   */
  list(params?: TestClocksListParameters, options?: RequestOptions): Listing<TestClock> {
    return this.transport.list('/v1/test_clocks', params, options);
  }

  /**
   * Retrieve a test clock.
   *
   * Returns the test clock as it is now.
   *
   * `GET /v1/test_clocks/{id}` · scope `test_clocks:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('GET', path`/v1/test_clocks/${id}`, undefined, options);
  }

  /**
   * Delete a test clock with its customers.
   *
   * Deletes its customers too, with their subscriptions, invoices and invoice items. Payments stay. The clock is
   * deleted immediately, and its customers a moment later.
   *
   * `DELETE /v1/test_clocks/{id}` · scope `test_clocks:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedTestClock> {
    return this.transport.send('DELETE', path`/v1/test_clocks/${id}`, undefined, options);
  }

  /**
   * Advance a test clock.
   *
   * Answers immediately, with the status `advancing`. Everything that is due up to then happens, in the order of
   * its time. At the end the clock is `ready`, and the event `test_clock.ready` is created. Until then its
   * customers, and what is theirs, cannot be changed.
   *
   * `POST /v1/test_clocks/{id}/advance` · scope `test_clocks:write`
   */
  advance(id: string, params: TestClocksAdvanceParameters, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('POST', path`/v1/test_clocks/${id}/advance`, params, options);
  }
}
