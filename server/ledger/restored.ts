import { type LockOptions, lockingTransaction, lockWaitsOf } from '../base/lock_wait.ts';
import { type Connection, type Outage, type Sql, Unfit } from '../base/sql.ts';

/**
 * Positions are transaction ids, and every PostgreSQL server counts its own. In a database that was restored from a dump on another
 * server, new postings would be below the sealed ones: never sealed, never counted. A posting committed on this server is always below
 * the snapshot's next transaction id. `offset` is what lifts the oldest running transaction above all postings.
 */
async function placeOf(sql: Sql): Promise<{ ahead: boolean; offset: string }> {
  const { rows } = await sql.query<{ ahead: boolean; offset: string }>(
    `select p.next > p.here as ahead, (p.next - p.oldest_running)::text as offset
       from (select greatest(s.sealed_to, coalesce((select max(position) + 1 from postings), 0)) as next,
                    pg_snapshot_xmin(pg_current_snapshot())::text::int8 as oldest_running,
                    pg_snapshot_xmax(pg_current_snapshot())::text::int8 + s.offset_by as here
               from ledger_sealer s) p`,
  );
  return rows[0]!;
}

/** Whether the ledger's positions are ahead of the server's transaction ids. */
export async function isRestored(sql: Sql): Promise<boolean> {
  return (await placeOf(sql)).ahead;
}

const restored: Outage = {
  reason: 'database was restored',
  message:
    'the database was restored on another server, so nothing can be changed; stop all servers, run tollgate migrate, and start them again',
};

/** For every new connection that makes durable changes: nothing may be posted to a database that was restored under a running server. */
export async function refuseRestored(sql: Sql): Promise<void> {
  if (await isRestored(sql)) throw new Unfit('the positions of the ledger are ahead of the transaction ids', restored);
}

/**
 * Continues positions above all existing postings. The table lock waits for transactions that are posting; later ones have the id of the
 * oldest running transaction or a newer one, so their positions are above. False when there was nothing to do.
 */
export async function adoptRestored(client: Connection, options: LockOptions): Promise<boolean> {
  if (!(await isRestored(client))) return false;
  const waits = await lockWaitsOf(client, options);
  return lockingTransaction(waits, 'the ledger of a restored database', async () => {
    await client.query('set transaction isolation level read committed');
    await client.query('select 1 from ledger_sealer for update'); // the sealer's row first: the sealer locks in this order
    await client.query('lock table postings in access exclusive mode');
    const { ahead, offset } = await placeOf(client); // again: another process may have been first
    if (ahead) await moveOn(client, offset);
    return ahead;
  });
}

async function moveOn(client: Connection, offset: string): Promise<void> {
  await client.query('update ledger_sealer set offset_by = $1', [offset]);
  // A default takes no parameters; the offset is an int8, so it is safe to inline.
  await client.query(
    `alter table postings alter column position set default (pg_current_xact_id()::text::int8 + ${offset})`,
  );
}
