// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { Resource } from '../../resource.ts';
import type { AuditEntry, AuditLogListParameters } from '../types/audit_log.ts';

/** Who changed what, and who was refused: written together with each change that a person makes. */
export class AuditLogResource extends Resource {
  /**
   * List the audit log.
   *
   * Returns what people changed in this account, and what they were refused, newest first. What API keys do is in
   * the request log.
   *
   * `GET /v1/audit_log` · for people who have signed in
   */
  list(params?: AuditLogListParameters, options?: RequestOptions): Listing<AuditEntry> {
    return this.transport.list('/v1/audit_log', params, options);
  }
}
