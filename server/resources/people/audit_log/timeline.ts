import { idNumber, idTime, numberedId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { callerAccount, hasRight } from '../../../operations/caller.ts';
import type { TimelineSource } from '../../../operations/extension_points/timeline.ts';
import { rightToRead } from '../../../operations/role.ts';
import { MaybeText, Text } from '../../../operations/schemas.ts';
import { serializer } from '../../../operations/serializer.ts';
import { type AuditedChange, auditPrefix, findAuditedOf } from './store.ts';

const schema = Type.Object(
  {
    action: Text('What was done.'),
    actor: Text('Who did it: the email of a person, the name of an operator, or `the customer` in the portal.'),
    subject: Text('The id of the object that was changed.'),
    user: MaybeText('The id of the user; absent for an operator.'),
    address: MaybeText(
      'The IP address that it came from; absent for an operator, and for those who may not read the audit log.',
    ),
    request: MaybeText(
      'The id of the request; that of an act (`act_`), which the request log does not have, for a customer. Absent for a command of an operator.',
    ),
  },
  {
    title: 'TimelineAudit',
    description: 'A change by a person, an operator or a customer in the portal, as the audit log has it.',
  },
);

/**
 * Who changed an object. The audit log is for people: a key sees the id of the user at the request. From where is for those who may read
 * the log itself.
 */
export const auditInTimelines: TimelineSource = {
  type: 'audit',
  prefix: 'aud',
  rank: 5,
  schema,
  async find({ reads, caller }, { ids, before, limit }) {
    const account = callerAccount(caller);
    if (account === null || caller.kind === 'key') return [];
    const end = { at: new Date(idTime(before)), id: idNumber(before) };
    const found = await findAuditedOf(reads, account, { subjects: ids, before: end, limit });
    const isReader = hasRight(caller, rightToRead('audit_log:read'));
    const shown = (change: AuditedChange) => (isReader ? change : { ...change, address: null });
    return found.map((change) => ({
      id: numberedId(auditPrefix, change.at.getTime(), change.id),
      summary: `${change.actor}: ${change.action}`,
      details: detailsOf(shown(change)),
      group: change.request_id ?? undefined,
      by: { ...(change.user_id !== null && { user: change.user_id }), name: change.actor },
    }));
  },
};

const detailsOf = serializer<AuditedChange, typeof schema>(schema, { user: 'user_id', request: 'request_id' });
