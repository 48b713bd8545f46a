import { insert, type Table, table, type Write } from '../../base/commit/index.ts';
import type { Sql } from '../../base/sql.ts';
import { type Caller, callerAccount, callerName } from '../caller.ts';

/** What an operation adds to the audit log. */
export type AuditEntry = {
  /** `<noun>.<what happened>`, such as key.revoked. */
  action: string;
  /** The account that it concerns: the caller's when not given. */
  account?: string;
  /** The id of the object that was changed. */
  subject: string;
  details: object;
};

type AuditRow = {
  actor: string;
  action: string;
  account: string | null;
  subject: string | null;
  details: object;
};

/** Rows get their id and their time from the database. Nothing refers to them, and they are only ever added. */
const auditTable: Table<AuditRow> = table('audit', { text: 'actor action account subject', json: 'details', key: [] });

/** Committed with the change that it records. */
export function auditWrite(caller: Caller, entry: AuditEntry): Write {
  return insert(auditTable, { account: callerAccount(caller), ...entry, actor: callerName(caller) });
}

/** For commands with a transaction of their own. */
export async function recordAudit(sql: Sql, entry: AuditRow): Promise<void> {
  await sql.query('insert into audit (actor, action, account, subject, details) values ($1, $2, $3, $4, $5)', [
    entry.actor,
    entry.action,
    entry.account,
    entry.subject,
    JSON.stringify(entry.details),
  ]);
}
