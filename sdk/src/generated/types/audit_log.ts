// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** Something that a person did, or tried to do. */
export type AuditEntry = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'audit_entry';
  /** What was done, such as `user.role_changed`; of what was refused, the code of the error. */
  action: string;
  /**
   * The email of the user. `visitor` for somebody who had not signed in; `the customer` for a customer in the
   * portal, whose id is in the details; the name of the operator for a command.
   */
  actor: string;
  /** The id of the user. */
  user?: string;
  /** The id of the object that was changed. */
  subject?: string;
  /** Where the request came from. Commands have none. */
  address?: string;
  /** The Request-Id; of a customer in the portal the id of an act (`act_`), which the request log does not have. */
  request?: string;
  /** Whether it was refused. Such entries are kept for 90 days, at most ten a minute for a person and a code. */
  refused: boolean;
  /** What else there is to know. */
  details: Record<string, unknown>;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type AuditLogListParameters = ListParameters & {
  /** Only what this user did. */
  user?: string | undefined;
  /** Only this action. */
  action?: string | undefined;
  /** Only what was done to this object. */
  subject?: string | undefined;
  /** Only what was refused, or only what was done. */
  refused?: boolean | undefined;
};
