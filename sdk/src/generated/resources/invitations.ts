// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Invitation,
  InvitationPreview,
  InvitationsAcceptParameters,
  InvitationsCreateParameters,
  InvitationsListParameters,
  InvitationsPreviewParameters,
  InvitationsRevokeParameters,
  NewInvitation,
} from '../types/invitations.ts';
import type { Session } from '../types/sessions.ts';

/** How somebody gets a role in an account: a link that works once, for 7 days. */
export class InvitationsResource extends Resource {
  /**
   * Invite somebody.
   *
   * Where mail is set up, a link is mailed to the email. Elsewhere, and with `link`, the answer has the link to
   * send, which is shown this once. Earlier invitations of the same email stop working.
   *
   * `POST /v1/invitations` · for people who have signed in
   */
  create(params: InvitationsCreateParameters, options?: RequestOptions): Promise<NewInvitation> {
    return this.transport.send('POST', '/v1/invitations', params, options);
  }

  /**
   * List invitations.
   *
   * Returns the invitations of this account in pages, newest first.
   *
   * `GET /v1/invitations` · for people who have signed in
   */
  list(params?: InvitationsListParameters, options?: RequestOptions): Listing<Invitation> {
    return this.transport.list('/v1/invitations', params, options);
  }

  /**
   * Revoke an invitation.
   *
   * Its link stops working immediately. One that was accepted stays: remove the user instead.
   *
   * `POST /v1/invitations/{id}/revoke` · for people who have signed in
   */
  revoke(id: string, params?: InvitationsRevokeParameters, options?: RequestOptions): Promise<Invitation> {
    return this.transport.send('POST', path`/v1/invitations/${id}/revoke`, params, options);
  }

  /**
   * Look at an invitation.
   *
   * Returns who is invited to which account. It does not say whether the email has a user already, because the
   * sender of the invitation may have the link too.
   *
   * `POST /v1/invitations/preview` · for people who have signed in
   */
  preview(params: InvitationsPreviewParameters, options?: RequestOptions): Promise<InvitationPreview> {
    return this.transport.send('POST', '/v1/invitations/preview', params, options);
  }

  /**
   * Accept an invitation.
   *
   * With a password it makes a user and signs in. Somebody who has a user with this email can sign in and accept
   * as it, if the email is verified or the user belongs to the account. A link that was mailed verifies the email,
   * unless it is verified for another user.
   *
   * `POST /v1/invitations/accept` · for people who have signed in
   */
  accept(params: InvitationsAcceptParameters, options?: RequestOptions): Promise<Session> {
    return this.transport.send('POST', '/v1/invitations/accept', params, options);
  }
}
