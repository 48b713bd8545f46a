import { type Connection, connect, isUnavailable, query, transaction } from '../base/sql.ts';
import { lockArrival } from './arrive.ts';
import { nodeSchema, nodeTables } from './homes.ts';
import { quoted } from './names.ts';
import { nodeAddress, type UrlAddress } from './nodes.ts';
import { anchorTable, placeSchema, readNodes } from './shards.ts';
import { hasTable } from './tables.ts';

/**
 * Removes from a node what places have left behind that are elsewhere by now: their schemas, and the rows of their tenants in the tables of
 * the node, which no place sees until its tenants come back. Their roles stay, because connections of the place may still have them. Every
 * node needs it now and then, those without places too. Returns the shards of the places that were removed. The connection is the owner's.
 */
export async function tidyNode(sql: Connection): Promise<number[]> {
  for (const { name, expiry } of nodeTables)
    await sql.query(
      `delete from ${nodeSchema}.${quoted(name)} n where ${quoted(expiry)} <= now() or not exists (
         select from pg_catalog.pg_dist_shard s
           join pg_catalog.pg_dist_placement p using (shardid) join pg_catalog.pg_dist_local_group using (groupid)
          where s.logicalrelid = $1::text::regclass
            and pg_catalog.hashint4(n.tenant) between s.shardminvalue::int4 and s.shardmaxvalue::int4)`,
      [anchorTable],
    );
  const removed: number[] = [];
  for (const shard of await goneShards(sql)) if (await remove(sql, shard)) removed.push(shard);
  return removed;
}

/** All servers of a cluster. One that is down is tidied when it is back. */
export async function tidyNodes(address: UrlAddress): Promise<number[]> {
  const nodes = await at(address, (sql) => readNodes(sql));
  const removed: number[] = [];
  for (const node of nodes ?? [])
    removed.push(
      ...((await at(nodeAddress(address, node), async (sql) =>
        (await hasTable(sql, `${nodeSchema}.places`)) ? tidyNode(sql) : [],
      )) ?? []),
    );
  return removed;
}

async function at<T>(address: UrlAddress, work: (sql: Connection) => Promise<T>): Promise<T | undefined> {
  let sql: Connection | undefined;
  try {
    sql = await connect(address, 'tidy');
    return await work(sql);
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  } finally {
    await sql?.end().catch(() => {});
  }
}

const isElsewhere = `not exists (
  select from pg_catalog.pg_dist_placement p join pg_catalog.pg_dist_local_group using (groupid) where p.shardid = m.shard)`;

async function goneShards(sql: Connection): Promise<number[]> {
  const rows = await query<{ shard: number }>(sql, `select shard from ${nodeSchema}.places m where ${isElsewhere}`, []);
  return rows.map(({ shard }) => shard);
}

/** Under the lock of arrivals, since the shard may be coming back. */
function remove(sql: Connection, shard: number): Promise<boolean> {
  return transaction(sql, async () => {
    await lockArrival(sql, shard);
    const text = `delete from ${nodeSchema}.places m where shard = $1 and ${isElsewhere} returning 1`;
    if ((await query(sql, text, [shard])).length === 0) return false;
    await sql.query(`drop schema if exists ${placeSchema(shard)} cascade`);
    return true;
  });
}
