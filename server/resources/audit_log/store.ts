import { idNumber, idTime } from '../../base/id.ts';
import type { Reads } from '../../base/reads.ts';
import { orderOf, type Range } from '../range.ts';

export type AuditRecord = {
  id: number;
  at: Date;
  actor: string;
  action: string;
  subject: string | null;
  details: object;
  user_id: string | null;
  address: string | null;
  request_id: string | null;
  refused: boolean;
};

export type AuditFilters = { user_id?: string; action?: string; subject?: string; refused?: boolean };

const columns = 'id, at, actor, action, subject, details, user_id, address, request_id, refused';

/** Entries sort by their time, then by their number. Each column that they are filtered by has an index with both. */
export function findEntries(
  reads: Reads,
  account: string,
  range: Range,
  filters: AuditFilters,
): Promise<AuditRecord[]> {
  const values: unknown[] = [account];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const conditions = [
    ...given.map(([column, value]) => `${column} = ${bind(value)}`),
    ...range.bounds.map(
      ([comparison, id]) =>
        `(at, id) ${comparison} (${bind(new Date(idTime(id)))}::timestamptz, ${bind(idNumber(id))}::int8)`,
    ),
  ];
  const where = conditions.map((condition) => `and ${condition}`).join(' ');
  return reads.rows<AuditRecord>(
    `select ${columns} from audit where account = $1 ${where} ${orderOf(range, ['at', 'id'])}`,
    values,
  );
}

/** A change that the audit log has, with its number in it. */
export type AuditedChange = {
  id: number;
  /** To the millisecond. */
  at: Date;
  actor: string;
  action: string;
  subject: string;
  user_id: string | null;
  address: string | null;
  request_id: string | null;
};

/** What people and operators of an account did to any of these objects, newest first. */
export function findAuditedOf(
  reads: Reads,
  account: string,
  { subjects, before, limit }: { subjects: readonly string[]; before: { at: Date; id: number }; limit: number },
): Promise<AuditedChange[]> {
  return reads.rows<AuditedChange>(
    `select id, date_trunc('milliseconds', at) as at, actor, action, subject, user_id, address, request_id
       from audit where account = $1 and subject = any($2::text[]) and (date_trunc('milliseconds', at), id) < ($3, $4)
      order by date_trunc('milliseconds', at) desc, id desc limit $5`,
    [account, subjects, before.at, before.id, limit],
  );
}
