// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  DeletedProcessorAccount,
  ProcessorAccount,
  ProcessorAccountsCreateParameters,
  ProcessorAccountsListParameters,
  ProcessorAccountsUpdateParameters,
  ProcessorAccountsVerifyParameters,
} from '../types/processor_accounts.ts';

export class ProcessorAccountsResource extends Resource {
  /**
   * Create a processor account.
   *
   * `POST /v1/processor_accounts` · scope `processor_accounts:write`
   */
  create(params: ProcessorAccountsCreateParameters, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('POST', '/v1/processor_accounts', params, options);
  }

  /**
   * List processor accounts.
   *
   * `GET /v1/processor_accounts` · scope `processor_accounts:read`
   */
  list(params?: ProcessorAccountsListParameters, options?: RequestOptions): Listing<ProcessorAccount> {
    return this.transport.list('/v1/processor_accounts', params, options);
  }

  /**
   * Retrieve a processor account.
   *
   * `GET /v1/processor_accounts/{id}` · scope `processor_accounts:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('GET', path`/v1/processor_accounts/${id}`, undefined, options);
  }

  /**
   * Update a processor account.
   *
   * `POST /v1/processor_accounts/{id}` · scope `processor_accounts:write`
   */
  update(id: string, params?: ProcessorAccountsUpdateParameters, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('POST', path`/v1/processor_accounts/${id}`, params, options);
  }

  /**
   * Delete a processor account that was never used.
   *
   * `DELETE /v1/processor_accounts/{id}` · scope `processor_accounts:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedProcessorAccount> {
    return this.transport.send('DELETE', path`/v1/processor_accounts/${id}`, undefined, options);
  }

  /**
   * Ask the processor whether the credentials work.
   *
   * `POST /v1/processor_accounts/{id}/verify` · scope `processor_accounts:write`
   */
  verify(
    id: string,
    params?: ProcessorAccountsVerifyParameters,
    options?: RequestOptions,
  ): Promise<{
    ok: boolean;
    message: string;
  }> {
    return this.transport.send('POST', path`/v1/processor_accounts/${id}/verify`, params, options);
  }
}
