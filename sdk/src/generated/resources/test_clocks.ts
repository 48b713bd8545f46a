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

export class TestClocksResource extends Resource {
  /**
   * Create a test clock.
   *
   * `POST /v1/test_clocks` · scope `test_clocks:write`
   */
  create(params: TestClocksCreateParameters, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('POST', '/v1/test_clocks', params, options);
  }

  /**
   * List test clocks.
   *
   * `GET /v1/test_clocks` · scope `test_clocks:read`
   */
  list(params?: TestClocksListParameters, options?: RequestOptions): Listing<TestClock> {
    return this.transport.list('/v1/test_clocks', params, options);
  }

  /**
   * Retrieve a test clock.
   *
   * `GET /v1/test_clocks/{id}` · scope `test_clocks:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('GET', path`/v1/test_clocks/${id}`, undefined, options);
  }

  /**
   * Delete a test clock with its customers.
   *
   * `DELETE /v1/test_clocks/{id}` · scope `test_clocks:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedTestClock> {
    return this.transport.send('DELETE', path`/v1/test_clocks/${id}`, undefined, options);
  }

  /**
   * Advance a test clock.
   *
   * `POST /v1/test_clocks/{id}/advance` · scope `test_clocks:write`
   */
  advance(id: string, params: TestClocksAdvanceParameters, options?: RequestOptions): Promise<TestClock> {
    return this.transport.send('POST', path`/v1/test_clocks/${id}/advance`, params, options);
  }
}
