import { Type } from '../../../base/schema.ts';
import {
  Created,
  Flag,
  IdParameter,
  listParameters,
  MaybeText,
  Parameters,
  Shown,
  Text,
} from '../../../operations/schemas.ts';

const nameCharsMax = 100;

export const AuditInput = Parameters({
  ...listParameters,
  user: Type.Optional(IdParameter('Only what this user did.')),
  action: Type.Optional(Type.String({ maxLength: nameCharsMax, description: 'Only this action.' })),
  subject: Type.Optional(IdParameter('Only what was done to this object.')),
  refused: Type.Optional(Type.Boolean({ description: 'Only what was refused, or only what was done.' })),
});

export const AuditEntryOutput = Shown('AuditEntry', 'audit_entry', 'Something that a person did, or tried to do.', {
  action: Text('What was done, such as `user.role_changed`; of what was refused, the code of the error.'),
  actor: Text(
    'The email of the user. `visitor` for somebody who had not signed in; `the customer` for a customer in the portal, whose id is in the details; the name of the operator for a command.',
  ),
  user: MaybeText('The id of the user.'),
  subject: MaybeText('The id of the object that was changed.'),
  address: MaybeText('Where the request came from. Commands have none.'),
  request: MaybeText(
    'The Request-Id; of a customer in the portal the id of an act (`act_`), which the request log does not have.',
  ),
  refused: Flag(
    'Whether it was refused. Such entries are kept for 90 days, at most ten a minute for a person and a code.',
  ),
  details: Type.Object({}, { additionalProperties: true, description: 'What else there is to know.' }),
  created: Created,
});
