// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  EmailCode,
  Me,
  MeChangePasswordParameters,
  MeConfirmTotpParameters,
  MeDisableTotpParameters,
  MeEnrolTotpParameters,
  MeListSessionsParameters,
  MeRenewRecoveryCodesParameters,
  MeRequestResetParameters,
  MeResetPasswordParameters,
  MeSendEmailCodeParameters,
  MeVerifyEmailParameters,
  OwnSession,
  RecoveryCodes,
  ResetRequest,
  TotpEnrolment,
} from '../types/me.ts';
import type { Session } from '../types/sessions.ts';
import type { SessionsEnded } from '../types/shared.ts';

/** The person who has signed in: the password, the authenticator and the sessions. Nobody else can change them. */
export class MeResource extends Resource {
  /**
   * Retrieve yourself.
   *
   * Returns the person who has signed in.
   *
   * `GET /v1/me` · for people who have signed in
   */
  retrieve(options?: RequestOptions): Promise<Me> {
    return this.transport.send('GET', '/v1/me', undefined, options);
  }

  /**
   * Change your password.
   *
   * All your other sessions end. With an authenticator set up, it takes a code as well.
   *
   * `POST /v1/me/password` · for people who have signed in
   */
  changePassword(params: MeChangePasswordParameters, options?: RequestOptions): Promise<Me> {
    return this.transport.send('POST', '/v1/me/password', params, options);
  }

  /**
   * Begin to set up an authenticator.
   *
   * Nothing is stored until the authenticator is confirmed.
   *
   * `POST /v1/me/totp` · for people who have signed in
   */
  enrolTotp(params?: MeEnrolTotpParameters, options?: RequestOptions): Promise<TotpEnrolment> {
    return this.transport.send('POST', '/v1/me/totp', params, options);
  }

  /**
   * Set up an authenticator.
   *
   * From now on, signing in takes a code. The answer has ten recovery codes, for when the authenticator is lost.
   *
   * `POST /v1/me/totp/confirm` · for people who have signed in
   */
  confirmTotp(params: MeConfirmTotpParameters, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.transport.send('POST', '/v1/me/totp/confirm', params, options);
  }

  /**
   * Switch off your authenticator.
   *
   * The recovery codes stop working too.
   *
   * `POST /v1/me/totp/disable` · for people who have signed in
   */
  disableTotp(params: MeDisableTotpParameters, options?: RequestOptions): Promise<Me> {
    return this.transport.send('POST', '/v1/me/totp/disable', params, options);
  }

  /**
   * Make new recovery codes.
   *
   * The codes that you have stop working.
   *
   * `POST /v1/me/recovery_codes` · for people who have signed in
   */
  renewRecoveryCodes(params: MeRenewRecoveryCodesParameters, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.transport.send('POST', '/v1/me/recovery_codes', params, options);
  }

  /**
   * List your sessions.
   *
   * Returns the sessions that have not ended, in pages, newest first.
   *
   * `GET /v1/me/sessions` · for people who have signed in
   */
  listSessions(params?: MeListSessionsParameters, options?: RequestOptions): Listing<OwnSession> {
    return this.transport.list('/v1/me/sessions', params, options);
  }

  /**
   * End one of your sessions.
   *
   * Its browser has to sign in again.
   *
   * `DELETE /v1/me/sessions/{id}` · for people who have signed in
   */
  endSession(id: string, options?: RequestOptions): Promise<SessionsEnded> {
    return this.transport.send('DELETE', path`/v1/me/sessions/${id}`, undefined, options);
  }

  /**
   * Mail a code that verifies your email.
   *
   * The code works for 15 minutes, for you alone. A code from an earlier mail stops working.
   *
   * `POST /v1/me/email_code` · for people who have signed in
   */
  sendEmailCode(params?: MeSendEmailCodeParameters, options?: RequestOptions): Promise<EmailCode> {
    return this.transport.send('POST', '/v1/me/email_code', params, options);
  }

  /**
   * Verify your email with a mailed code.
   *
   * From then on you can accept invitations of other accounts as this user. After 5 wrong ones a code stops
   * working.
   *
   * `POST /v1/me/verify_email` · for people who have signed in
   */
  verifyEmail(params: MeVerifyEmailParameters, options?: RequestOptions): Promise<Me> {
    return this.transport.send('POST', '/v1/me/verify_email', params, options);
  }

  /**
   * Choose a new password with a link.
   *
   * For somebody who has a link to choose a new password. All sessions and other such links of the user end, and a
   * new session begins. A link that was mailed verifies the email, unless it is verified for another user.
   *
   * `POST /v1/me/reset` · for people who have signed in
   */
  resetPassword(params: MeResetPasswordParameters, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', '/v1/me/reset', params, options);
  }

  /**
   * Ask for a link to choose a new password.
   *
   * If the email has a user, a link is mailed to it, which works once, within an hour. The answer does not say
   * whether it has. An email that several users have gets a mail for each.
   *
   * `POST /v1/me/forgotten_password` · for people who have signed in
   */
  requestReset(params: MeRequestResetParameters, options?: RequestOptions): Promise<ResetRequest> {
    return this.transport.send('POST', '/v1/me/forgotten_password', params, options);
  }
}
