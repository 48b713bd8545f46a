import { type Outage, type Sql, Unfit } from './sql.ts';

const unconfirmed: Outage = {
  reason: 'standby does not confirm',
  message:
    'the synchronous standby of the database confirms no commit, so nothing can be changed; start it, or remove it from synchronous_standby_names. Tollgate continues by itself',
};

/**
 * For every new connection that changes something. While its synchronous standby is absent, PostgreSQL keeps each commit waiting, and its
 * process and its locks with it, even if the client is gone. Each connection that is given up leaves such a process behind, so no new
 * one is used while an earlier commit has waited for longer than `limitMs`.
 */
export async function requireStandby(sql: Sql, limitMs: number): Promise<void> {
  const { rows } = await sql.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity
      where datname = current_database() and application_name like 'tollgate %' and wait_event = 'SyncRep'
        and query_start < clock_timestamp() - $1 * interval '1 ms'`,
    [limitMs],
  );
  const { waiting } = rows[0]!;
  if (waiting > 0)
    throw new Unfit(`the synchronous standby has not confirmed ${waiting} earlier change(s)`, unconfirmed);
}
