import { insert, type Table, table, type Write } from '../../../base/commit/index.ts';
import { newNumber } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Sql } from '../../../base/sql.ts';
import { type Caller, callerAccount, callerName } from '../../../operations/caller.ts';
import type { AuditEntry, OperationHome } from '../../../operations/operation.ts';

type AuditRow = {
  id: number;
  /** Whose place has the row; null: the directory. */
  tenant: Tenant | null;
  actor: string;
  action: string;
  account: string | null;
  subject: string | null;
  details: object;
  user_id: string | null;
  address: string | null;
  request_id: string | null;
};

/**
 * Rows get their time from the database, and their number here: no database counts those of all places. Nothing refers to them, and they are only
 * ever added.
 */
const auditTable: Table<AuditRow, 'both'> = table('audit', {
  home: 'both',
  text: 'actor action account subject user_id address request_id',
  int4: 'tenant',
  int8: 'id',
  json: 'details',
  key: [],
});

/** A call as the audit log sees it. */
type AuditedCall = {
  operation: { name: string; home: OperationHome };
  caller: Caller;
  requestId: string | null;
  isAudited?: boolean | undefined;
};

/** What a call decided: an outcome, or that a processor is asked. */
type Decided = {
  writes?: readonly Write[];
  tenant?: Tenant | undefined;
  objectId?: string | undefined;
  audit?: readonly AuditEntry[];
};

/**
 * Committed with the change that it records. Every change by a person, a customer in the portal or an operator has an
 * entry: one that its operation words, or one with the name of the operation. What keys do is in the request log; of what a customer does
 * on a page there is an entry only if the operation words one.
 */
export function auditWrites(call: AuditedCall, decided: Decided, now: number): Write<'both'>[] {
  const { caller } = call;
  if (caller.kind === 'key' || caller.kind === 'job') return [];
  const { writes = [], objectId, audit = [] } = decided;
  const tenant = call.operation.home === 'directory' ? null : (decided.tenant ?? caller.tenant);
  const place = { tenant, now };
  if (audit.length > 0) return audit.flatMap((entry) => entryWrites(call, place, entry));
  if (writes.length === 0 || call.isAudited || caller.kind === 'shopper') return [];
  const of = caller.kind === 'customer' ? { customer: caller.customer } : {};
  return entryWrites(call, place, {
    action: call.operation.name,
    subject: objectId ?? '',
    details: { mode: caller.mode, ...of },
  });
}

/** A row for each account, so that the owners of each can read it. */
function entryWrites(
  { caller, requestId }: AuditedCall,
  { tenant, now }: { tenant: Tenant | null; now: number },
  entry: AuditEntry,
): Write<'both'>[] {
  const { actor = callerName(caller), user, accounts = accountsOf(caller), ...rest } = entry;
  const isRequest = caller.kind === 'person' || caller.kind === 'visitor';
  const facts = {
    ...rest,
    tenant,
    actor,
    user_id: user ?? (caller.kind === 'person' ? caller.person.user : null),
    address: isRequest ? caller.address : null,
    request_id: requestId,
  };
  const concerned = accounts.length === 0 ? [null] : accounts;
  return concerned.map((account) => insert(auditTable, { ...facts, id: newNumber(now), account }));
}

function accountsOf(caller: Caller): readonly string[] {
  const account = callerAccount(caller);
  if (account !== null) return [account];
  return caller.kind === 'person' ? caller.person.accounts.map(({ id }) => id) : [];
}

type CommandEntry = Pick<AuditRow, 'actor' | 'action' | 'account' | 'subject' | 'details'> &
  Partial<Pick<AuditRow, 'tenant'>>;

/** For commands with their own transaction. */
export async function recordAudit(sql: Sql, now: number, entry: CommandEntry): Promise<void> {
  const { tenant = null, actor, action, account, subject, details } = entry;
  await sql.query(
    'insert into audit (id, tenant, actor, action, account, subject, details) values ($1, $2, $3, $4, $5, $6, $7)',
    [newNumber(now), tenant, actor, action, account, subject, JSON.stringify(details)],
  );
}
