// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type { Mail, MailsListParameters, MailsResendParameters } from '../types/mails.ts';

/** What your customers were written by mail, and what became of it. */
export class MailsResource extends Resource {
  /**
   * List mails.
   *
   * Returns mails in pages, newest first. Mails are kept for as long as events.
   *
   * `GET /v1/mails` · scope `mails:read`
   */
  list<const Path extends PathsOf<Mail> = never>(
    params?: MailsListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Mail, Path>> {
    return this.transport.list('/v1/mails', params, options);
  }

  /**
   * Retrieve a mail.
   *
   * Returns the mail as it is now.
   *
   * `GET /v1/mails/{id}` · scope `mails:read`
   */
  retrieve<const Path extends PathsOf<Mail> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Mail, Path>> {
    return this.transport.send('GET', path`/v1/mails/${id}`, expandIn(options), options);
  }

  /**
   * Send a mail again.
   *
   * Makes a new mail that says the same, to the address that the customer has now. If that one must not be sent,
   * it is `suppressed`.
   *
   * `POST /v1/mails/{id}/resend` · scope `mails:write`
   */
  resend<const Path extends PathsOf<Mail> = never>(
    id: string,
    params?: MailsResendParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Mail, Path>> {
    return this.transport.send('POST', path`/v1/mails/${id}/resend`, params, options);
  }
}
