import type { Sql } from '../../base/sql.ts';

export type AuditEntry = {
  actor: string;
  action: string;
  account: string | null;
  subject: string | null;
  details: object;
};

/** Written in the transaction of what it records. */
export async function recordAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql.query('insert into audit (actor, action, account, subject, details) values ($1, $2, $3, $4, $5)', [
    entry.actor,
    entry.action,
    entry.account,
    entry.subject,
    JSON.stringify(entry.details),
  ]);
}
