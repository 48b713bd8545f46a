// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Account, AccountUpdateParameters } from '../types/account.ts';

/** The settings of the account that a person works in. */
export class AccountResource extends Resource {
  /**
   * Retrieve the account.
   *
   * Returns the account that the request is for, with the terms that the operator has agreed with it.
   *
   * `GET /v1/account` · for people who have signed in
   */
  retrieve(options?: RequestOptions): Promise<Account> {
    return this.transport.send('GET', '/v1/account', undefined, options);
  }

  /**
   * Update the account.
   *
   * Changes only what it names, for both modes; running servers know it within a second. Tier, fees and settlement
   * are terms that the operator sets.
   *
   * `POST /v1/account` · for people who have signed in
   */
  update(params?: AccountUpdateParameters, options?: RequestOptions): Promise<Account> {
    return this.transport.send('POST', '/v1/account', params, options);
  }
}
