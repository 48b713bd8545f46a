// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  ApiKey,
  ApiKeysCreateParameters,
  ApiKeysListParameters,
  ApiKeysRevokeParameters,
  ApiKeysRollParameters,
  ApiKeysUpdateParameters,
  IssuedApiKey,
} from '../types/api_keys.ts';

/** Keys by which programs call the API, and what each of them may do. */
export class ApiKeysResource extends Resource {
  /**
   * Create an API key.
   *
   * The answer shows the key, once. Nobody can create a key that permits more than their role: the refusal,
   * `role_missing`, names a scope that does.
   *
   * `POST /v1/api_keys` · for people who have signed in
   */
  create(params: ApiKeysCreateParameters, options?: RequestOptions): Promise<IssuedApiKey> {
    return this.transport.send('POST', '/v1/api_keys', params, options);
  }

  /**
   * List API keys.
   *
   * Returns API keys in pages, newest first, without the keys themselves.
   *
   * `GET /v1/api_keys` · for people who have signed in
   */
  list(params?: ApiKeysListParameters, options?: RequestOptions): Listing<ApiKey> {
    return this.transport.list('/v1/api_keys', params, options);
  }

  /**
   * Retrieve an API key.
   *
   * Returns what is known about the key: the key itself is kept nowhere.
   *
   * `GET /v1/api_keys/{id}` · for people who have signed in
   */
  retrieve(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.send('GET', path`/v1/api_keys/${id}`, undefined, options);
  }

  /**
   * Rename an API key, or take scopes away from it.
   *
   * Changes only what it names. Every instance knows the scopes within a second. A secret key has no scopes that
   * could be taken away: roll it with `scopes`.
   *
   * `POST /v1/api_keys/{id}` · for people who have signed in
   */
  update(id: string, params?: ApiKeysUpdateParameters, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.send('POST', path`/v1/api_keys/${id}`, params, options);
  }

  /**
   * Replace an API key.
   *
   * The new key has the name, the addresses, the signature rule, the expiry and, unless `scopes` names fewer, the
   * scopes of the old one, which goes on working for the overlap. Nobody can roll a key that permits more than
   * their role.
   *
   * `POST /v1/api_keys/{id}/roll` · for people who have signed in
   */
  roll(id: string, params?: ApiKeysRollParameters, options?: RequestOptions): Promise<IssuedApiKey> {
    return this.transport.send('POST', path`/v1/api_keys/${id}/roll`, params, options);
  }

  /**
   * Revoke an API key.
   *
   * Every instance refuses the key within a second. Revoking it again changes nothing.
   *
   * `POST /v1/api_keys/{id}/revoke` · for people who have signed in
   */
  revoke(id: string, params?: ApiKeysRevokeParameters, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.send('POST', path`/v1/api_keys/${id}/revoke`, params, options);
  }
}
