// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Mail,
  MailContent,
  MailSetup,
  MailsListParameters,
  MailsResendParameters,
  MailsSampleParameters,
} from '../types/mails.ts';

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

  /**
   * Retrieve what a mail says.
   *
   * Returns both parts of a mail, in the language of the customer, as the account shows itself now; also of one
   * that was not sent.
   *
   * `GET /v1/mails/{id}/content` · scope `mails:read`
   */
  content(id: string, options?: RequestOptions): Promise<MailContent> {
    return this.transport.send('GET', path`/v1/mails/${id}/content`, undefined, options);
  }

  /**
   * Retrieve a sample of a mail.
   *
   * Returns a mail of a kind with sample data, as the account shows itself now: to customers by the name of its
   * switch, and to those who work with the gateway. Nothing is sent.
   *
   * `GET /v1/mails/sample` · scope `mails:read`
   */
  sample(params: MailsSampleParameters, options?: RequestOptions): Promise<MailContent> {
    return this.transport.send('GET', '/v1/mails/sample', params, options);
  }

  /**
   * Retrieve how mails are sent.
   *
   * Says whether the operator has set up a mail server, and the address that mails come from.
   *
   * `GET /v1/mails/setup` · scope `mails:read`
   */
  setup(options?: RequestOptions): Promise<MailSetup> {
    return this.transport.send('GET', '/v1/mails/setup', undefined, options);
  }
}
