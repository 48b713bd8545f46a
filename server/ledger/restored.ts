import { Unavailable } from '../base/errors.ts';
import { type Connection, query, type Sql } from '../base/sql.ts';

/**
 * Positions are ids of transactions, and another PostgreSQL counts those from its own beginning. In a database that was restored there
 * from a dump, new postings would lie below what is sealed: never sealed, never counted. What was committed here is always below the
 * next id that this snapshot knows of. `offset` is what would bring the oldest running transaction above everything.
 */
async function placeOf(sql: Sql): Promise<{ ahead: boolean; offset: string }> {
  const [row] = await query<{ ahead: boolean; offset: string }>(
    sql,
    `select p.next > p.here as ahead, (p.next - p.oldest_running)::text as offset
       from (select greatest(s.sealed_to, coalesce((select max(position) + 1 from postings), 0)) as next,
                    pg_snapshot_xmin(pg_current_snapshot())::text::int8 as oldest_running,
                    pg_snapshot_xmax(pg_current_snapshot())::text::int8 + s.offset_by as here
               from ledger_sealer s) p`,
    [],
  );
  return row!;
}

/** Whether the ledger is ahead of the server that it lies on. */
export async function isRestored(sql: Sql): Promise<boolean> {
  return (await placeOf(sql)).ahead;
}

/** For every connection that is about to post: a database that was restored under a running server must not be posted to. */
export async function refuseRestored(sql: Sql): Promise<void> {
  if (await isRestored(sql))
    throw new Unavailable('the database was restored on another server: stop all servers and run tollgate migrate');
}

/**
 * Lets positions go on above everything that is there. The lock on the table waits for whoever is posting; all that posts later has
 * the id of the oldest running transaction or a younger one, so it comes to lie above. False when there was nothing to do.
 */
export async function adoptRestored(client: Connection): Promise<boolean> {
  if (!(await isRestored(client))) return false;
  await client.query('begin isolation level read committed');
  try {
    await client.query('select 1 from ledger_sealer for update'); // first the sealer's row, as a sealer takes them
    await client.query('lock table postings in access exclusive mode');
    const { ahead, offset } = await placeOf(client); // again: another one may have been first
    if (ahead) await moveOn(client, offset);
    await client.query('commit');
    return ahead;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function moveOn(client: Connection, offset: string): Promise<void> {
  await client.query('update ledger_sealer set offset_by = $1', [offset]);
  // A default takes no parameters; the offset was an int8.
  await client.query(
    `alter table postings alter column position set default (pg_current_xact_id()::text::int8 + ${offset})`,
  );
}
