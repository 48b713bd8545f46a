// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Member, RemovedUser, UsersListParameters, UsersUpdateParameters } from '../types/users.ts';

/** Somebody who signs in to the dashboard, with a role in each account. */
export class UsersResource extends Resource {
  /**
   * List users.
   *
   * Returns the users who have a role in this account, in pages, those who signed up last first.
   *
   * `GET /v1/users` · for people who have signed in
   */
  list(params?: UsersListParameters, options?: RequestOptions): Listing<Member> {
    return this.transport.list('/v1/users', params, options);
  }

  /**
   * Retrieve a user.
   *
   * Returns a user who has a role in this account.
   *
   * `GET /v1/users/{id}` · for people who have signed in
   */
  retrieve(id: string, options?: RequestOptions): Promise<Member> {
    return this.transport.send('GET', path`/v1/users/${id}`, undefined, options);
  }

  /**
   * Change a user's role.
   *
   * The role takes effect within a second. The email, the password and the authenticator belong to the user, and
   * nobody else can change them.
   *
   * `POST /v1/users/{id}` · for people who have signed in
   */
  update(id: string, params: UsersUpdateParameters, options?: RequestOptions): Promise<Member> {
    return this.transport.send('POST', path`/v1/users/${id}`, params, options);
  }

  /**
   * Remove a user from the account.
   *
   * The user loses the role in this account within a second, and stays in other accounts.
   *
   * `DELETE /v1/users/{id}` · for people who have signed in
   */
  remove(id: string, options?: RequestOptions): Promise<RemovedUser> {
    return this.transport.send('DELETE', path`/v1/users/${id}`, undefined, options);
  }
}
