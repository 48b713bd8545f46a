// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { Session, SessionsCreateParameters } from '../types/sessions.ts';
import type { SessionsEnded } from '../types/shared.ts';

/**
 * Somebody who has signed in to the dashboard. The browser holds the session in a cookie that scripts cannot
 * read.
 */
export class SessionsResource extends Resource {
  /**
   * Sign in.
   *
   * Sets the cookie of the session. With an authenticator set up, a right password without a code is answered with
   * `code_required`.
   *
   * `POST /v1/sessions` · for people who have signed in
   */
  create(params?: SessionsCreateParameters, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', '/v1/sessions', params, options);
  }

  /**
   * Sign out everywhere.
   *
   * Every session of the user ends, this one included.
   *
   * `DELETE /v1/sessions` · for people who have signed in
   */
  endAll(options?: RequestOptions): Promise<SessionsEnded> {
    return this.transport.send('DELETE', '/v1/sessions', undefined, options);
  }

  /**
   * Retrieve the current session.
   *
   * The answer is that of the sign-in. The dashboard asks for it when its page is loaded anew.
   *
   * `GET /v1/sessions/current` · for people who have signed in
   */
  current(options?: RequestOptions): Promise<Session> {
    return this.transport.send('GET', '/v1/sessions/current', undefined, options);
  }

  /**
   * Sign out.
   *
   * The session of the cookie ends immediately, and the cookie is removed.
   *
   * `DELETE /v1/sessions/current` · for people who have signed in
   */
  end(options?: RequestOptions): Promise<SessionsEnded> {
    return this.transport.send('DELETE', '/v1/sessions/current', undefined, options);
  }
}
