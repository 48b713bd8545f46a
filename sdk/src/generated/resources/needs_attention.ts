// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type {
  AttentionMail,
  NeedsAttention,
  NeedsAttentionListParameters,
  NeedsAttentionUpdateMailParameters,
} from '../types/needs_attention.ts';

/** What waits for a person, with the one thing that helps. */
export class NeedsAttentionResource extends Resource {
  /**
   * List what needs attention.
   *
   * Returns up to 100 of each kind, the most urgent first, each with the one thing that helps. `counts` says how
   * many there are; of a kind with more, the others appear once these are resolved. People get what their role can
   * resolve.
   *
   * `GET /v1/needs_attention` · for people who have signed in
   */
  list(params?: NeedsAttentionListParameters, options?: RequestOptions): Promise<NeedsAttention> {
    return this.transport.send('GET', '/v1/needs_attention', params, options);
  }

  /**
   * Retrieve your choice of mails.
   *
   * How often you get mails about what needs attention in this account and mode.
   *
   * `GET /v1/needs_attention/mail` · for people who have signed in
   */
  retrieveMail(options?: RequestOptions): Promise<AttentionMail> {
    return this.transport.send('GET', '/v1/needs_attention/mail', undefined, options);
  }

  /**
   * Choose how often you get mails.
   *
   * About what needs attention in this account and mode, and what your role can resolve. Nobody else can choose it
   * for you. Each item is mailed to you once; one that comes back after a day is mailed again. The first mail has
   * what waits already.
   *
   * `POST /v1/needs_attention/mail` · for people who have signed in
   */
  updateMail(params: NeedsAttentionUpdateMailParameters, options?: RequestOptions): Promise<AttentionMail> {
    return this.transport.send('POST', '/v1/needs_attention/mail', params, options);
  }
}
