// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Connectors,
  DeletedProcessorAccount,
  ProcessorAccount,
  ProcessorAccountsCreateParameters,
  ProcessorAccountsListParameters,
  ProcessorAccountsUpdateParameters,
  ProcessorAccountsVerifyParameters,
  ProcessorHealthReport,
  ProcessorVerification,
} from '../types/processor_accounts.ts';

/** Your accounts at processors, with the credentials that the gateway uses there. */
export class ProcessorAccountsResource extends Resource {
  /**
   * Create a processor account.
   *
   * Stores the credentials sealed, and never shows them again. The processor is not asked: verify the account
   * afterwards. There can be 50 in each mode. In live mode only the operator can do this, on the command line.
   *
   * `POST /v1/processor_accounts` · scope `processor_accounts:write`
   */
  create(params: ProcessorAccountsCreateParameters, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('POST', '/v1/processor_accounts', params, options);
  }

  /**
   * List processor accounts.
   *
   * Returns processor accounts in pages, newest first, without their credentials.
   *
   * `GET /v1/processor_accounts` · scope `processor_accounts:read`
   */
  list(params?: ProcessorAccountsListParameters, options?: RequestOptions): Listing<ProcessorAccount> {
    return this.transport.list('/v1/processor_accounts', params, options);
  }

  /**
   * Retrieve a processor account.
   *
   * Returns the account as it is now, without its credentials.
   *
   * `GET /v1/processor_accounts/{id}` · scope `processor_accounts:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('GET', path`/v1/processor_accounts/${id}`, undefined, options);
  }

  /**
   * Update a processor account.
   *
   * Changes only what it names; credentials and settings are merged member by member. New credentials apply on
   * every instance within a second, and requests in flight finish with the old ones. Once the processor has said
   * whose account it is, new credentials are checked there first: those of another account are refused. In live
   * mode only the operator can do this, on the command line.
   *
   * `POST /v1/processor_accounts/{id}` · scope `processor_accounts:write`
   */
  update(id: string, params?: ProcessorAccountsUpdateParameters, options?: RequestOptions): Promise<ProcessorAccount> {
    return this.transport.send('POST', path`/v1/processor_accounts/${id}`, params, options);
  }

  /**
   * Delete a processor account that was never used.
   *
   * Deletes the account together with its credentials, and the webhook endpoint that verifying it has registered
   * at the processor, if the processor answers. An account with a payment, a payment method or a routing rule
   * cannot be deleted: disable it. In live mode only the operator can do this, on the command line.
   *
   * `DELETE /v1/processor_accounts/{id}` · scope `processor_accounts:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedProcessorAccount> {
    return this.transport.send('DELETE', path`/v1/processor_accounts/${id}`, undefined, options);
  }

  /**
   * Ask the processor whether the credentials work.
   *
   * Asks the processor, and waits for 15 seconds at most. The answer is 200 in any case: `ok` says whether the
   * credentials work. Where this gateway has a public address and no webhook secret was entered, the processor is
   * told where to send its notices; otherwise `message` says what to enter where. In live mode only the operator
   * can do this, on the command line.
   *
   * `POST /v1/processor_accounts/{id}/verify` · scope `processor_accounts:write`
   */
  verify(
    id: string,
    params?: ProcessorAccountsVerifyParameters,
    options?: RequestOptions,
  ): Promise<ProcessorVerification> {
    return this.transport.send('POST', path`/v1/processor_accounts/${id}/verify`, params, options);
  }

  /**
   * List connectors.
   *
   * Returns the connectors that processor accounts can have in this mode, with their credentials and settings.
   *
   * `GET /v1/connectors` · for people who have signed in
   */
  connectors(options?: RequestOptions): Promise<Connectors> {
    return this.transport.send('GET', '/v1/connectors', undefined, options);
  }

  /**
   * Retrieve the health of the processor accounts.
   *
   * Counts the requests of the last 24 hours, by processor account: at most the newest 10,000 of the account and
   * mode. `since` says from when on.
   *
   * `GET /v1/processor_health` · for people who have signed in
   */
  health(options?: RequestOptions): Promise<ProcessorHealthReport> {
    return this.transport.send('GET', '/v1/processor_health', undefined, options);
  }
}
