import { assert } from '../../../base/errors.ts';
import { numberedId } from '../../../base/id.ts';
import { callerAccount } from '../../../operations/caller.ts';
import { pageOf } from '../../../operations/list.ts';
import { operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf } from '../../../operations/schemas.ts';
import { from, serializer } from '../../../operations/serializer.ts';
import { AuditEntryOutput, AuditInput } from './schema.ts';
import { type AuditRecord, auditPrefix, findEntries } from './store.ts';

/** Entries name people, and where they work from: that is for those who decide who works here. */
const list = operation({
  callers: ['person', 'operator'],
  name: 'audit_log.list',
  summary: 'List the audit log',
  description:
    'Returns what people changed in this account, and what they were refused, newest first. What API keys do is in the request log.',
  route: 'GET /audit_log',
  input: AuditInput,
  output: ListOf(AuditEntryOutput),
  async run({ reads, isLate, caller }, { user, action, subject, refused, ...input }) {
    const account = callerAccount(caller);
    assert(account !== null, 'an audit log is that of an account');
    const range = rangeOf(input, auditPrefix);
    const filters = {
      ...(user !== undefined && { user_id: user }),
      ...(action !== undefined && { action }),
      ...(subject !== undefined && { subject }),
      ...(refused !== undefined && { refused }),
    };
    const rows = await findEntries({ reads, isLate }, account, range, filters);
    return { result: pageOf(range, rows, { url: '/v1/audit_log', serialize }) };
  },
});

const serialize = serializer<AuditRecord, typeof AuditEntryOutput>(AuditEntryOutput, {
  id: from(['at', 'id'], ({ at, id }) => numberedId(auditPrefix, at.getTime(), id)),
  user: 'user_id',
  subject: from(['subject'], ({ subject }) => subject || null), // a change without an object has the empty text
  request: 'request_id',
  created: 'at',
});

export const auditOperations = [list];
