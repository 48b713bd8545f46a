import { shareSchema } from '../base/schema_lock.ts';
import { type Connection, query, type Sql, sqlState, transaction } from '../base/sql.ts';
import { pause } from '../base/timers.ts';
import { liftPositions, openArrivedLedger } from '../ledger/arrived.ts';
import { nodeSchema, nodeTables } from './homes.ts';
import type { LayoutPart } from './layout.ts';
import { quoted } from './names.ts';
import { grantPlace, makePlace, type PlaceFacts, partText, placedTables, renumber, tableText } from './place.ts';
import { columnsOf, fitColumns, isPrepared, lockNode } from './prepare.ts';
import { placeSchema } from './shards.ts';

/** Of the advisory locks with which one process at a time makes a place, beside the lower bits of the shard's number. */
const arrivalLock = 0x70_11_a2_21;

/** A statement that waits for the lock on a view holds up all later ones on it: it gives up, lets them pass, and tries again. */
const lockTimeout = '300ms';
const pauseMs = 200;
const triesMax = 50;

/** there: nothing was to do. made: the place is new here. renewed: a migration has changed what it has. */
export type Arrival = 'there' | 'made' | 'renewed';

/** What is made may not be open yet: its rows were still being copied. */
type PlaceLook = PlaceFacts & { is_here: boolean; is_made: boolean; is_open: boolean; is_current: boolean };

/**
 * Makes the place of a shard on this node, so that connections of the place can be opened; and again after it was away. Any number of
 * processes can call it at any time, and when nothing is to be done it is one statement. Fails with TG001 if the shard is elsewhere by
 * now. The connection is the owner's, without a place.
 */
export async function arrive(sql: Connection, shard: number): Promise<Arrival> {
  const seen = await look(sql, shard);
  if (seen.is_here && seen.is_current) return 'there';
  if (!seen.is_open) return open(sql, shard);
  await renew(sql, shard);
  return 'renewed';
}

/** Whether a place is as it is to be; false also where a node was never prepared. */
export async function isArrived(sql: Sql, shard: number): Promise<boolean> {
  return (await isPrepared(sql)) && (await look(sql, shard)).is_current;
}

async function look(sql: Sql, shard: number): Promise<PlaceLook> {
  const [row] = await query<PlaceLook>(
    sql,
    `select s.shardid as shard, g.groupid as "group", s.shardminvalue::int4 as min, s.shardmaxvalue::int4 as max, a.oid as anchor, l.version,
            p.shardid is not null and a.oid is not null as is_here,
            coalesce(m.anchor = a.oid and (m.layout = l.version or m.arrived_at is not null), false) as is_made,
            coalesce(m.anchor = a.oid and m.arrived_at is not null, false) as is_open,
            coalesce(m.anchor = a.oid and m.arrived_at is not null and m.layout = l.version, false) as is_current
       from pg_catalog.pg_dist_local_group g
       left join pg_catalog.pg_dist_shard s on s.shardid = $1
       left join pg_catalog.pg_dist_placement p on p.shardid = s.shardid and p.groupid = g.groupid
       left join lateral (select to_regclass('public.payments_' || s.shardid)::oid as oid) a on true
       left join ${nodeSchema}.places m on m.shard = $1
       left join lateral (select version from ${nodeSchema}.layout limit 1) l on true`,
    [shard],
  );
  if (row!.version === null) throw new Error('this node is not prepared for places');
  return row!;
}

/**
 * Makes what a place needs while Citus still copies its rows here, so that its tenants do not wait for it afterwards. Nothing can be done
 * there until it has arrived. Does nothing where there are no tables yet.
 */
export async function prepareArrival(sql: Sql, shard: number): Promise<void> {
  await transaction(sql, async () => {
    await shareSchema(sql);
    await lockArrival(sql, shard);
    const facts = await look(sql, shard);
    if (facts.is_here || facts.is_made || !(await areTablesHere(sql, shard))) return;
    await sql.query(`set local lock_timeout = '${lockTimeout}'`); // it must not be in the way of Citus
    await make(sql, facts);
  });
}

/** Citus makes them one after the other. */
async function areTablesHere(sql: Sql, shard: number): Promise<boolean> {
  const names = (await placedTables(sql, shard)).map((table) => `public.${quoted(`${table.name}_${table.shard}`)}`);
  return (await query(sql, 'select from unnest($1::text[]) t where to_regclass(t) is null', [names])).length === 0;
}

async function open(sql: Sql, shard: number): Promise<Arrival> {
  return transaction(sql, async () => {
    const facts = await hold(sql, shard);
    if (facts.is_open) return 'there'; // another process was faster
    if (facts.is_made) await renumber(sql, facts);
    else await make(sql, facts);
    await openPositions(sql);
    await sql.query(`update ${nodeSchema}.places set arrived_at = clock_timestamp() where shard = $1`, [shard]);
    return 'made';
  });
}

/**
 * What a former stay has left is dropped: its ledger has ended at another position, its views read what Citus has dropped, and a security
 * code may have been used since.
 */
async function make(sql: Sql, facts: PlaceLook): Promise<void> {
  await sql.query(`drop schema if exists ${placeSchema(facts.shard)} cascade`);
  for (const { name } of nodeTables)
    await sql.query(`delete from ${nodeSchema}.${quoted(name)} where pg_catalog.hashint4(tenant) between $1 and $2`, [
      facts.min,
      facts.max,
    ]);
  await makePlace(sql, facts, await layoutOf(sql));
  await lockNode(sql); // not before: the parts of a split are made at the same time
  await grantPlace(sql, facts.shard);
  await sql.query(
    `insert into ${nodeSchema}.places (shard, anchor, layout) values ($1, $2, $3)
     on conflict (shard) do update set anchor = excluded.anchor, layout = excluded.layout, arrived_at = null`,
    [facts.shard, facts.anchor, facts.version],
  );
}

/**
 * Locks, then looks again: a process with an old answer must not make a place over a shard that is left behind. Until the transaction ends,
 * the shard stays.
 */
async function hold(sql: Sql, shard: number): Promise<PlaceLook> {
  await shareSchema(sql); // views would be in the way of a migration that has dropped them
  await lockArrival(sql, shard);
  await sql.query('select pg_catalog.lock_shard_metadata(5, array[$1::int8])', [shard]);
  const facts = await look(sql, shard);
  if (!facts.is_here) await sql.query(`select ${nodeSchema}.moved()`);
  return facts;
}

/** For a transaction that changes the schema of a place on this node alone. */
export async function lockArrival(sql: Sql, shard: number): Promise<void> {
  await sql.query(
    `select set_config('citus.enable_ddl_propagation', 'off', true), set_config('client_min_messages', 'error', true),
            pg_advisory_xact_lock($1, ($2::int8 & 2147483647)::int4)`,
    [arrivalLock, shard],
  );
}

async function layoutOf(sql: Sql): Promise<LayoutPart[]> {
  return query<LayoutPart>(sql, `select kind, name, text, columns from ${nodeSchema}.layout order by position`, []);
}

/**
 * Positions go on above all that an earlier node has given. What it gave last is not known here for events, which have no position of their
 * own; but no server has a million transactions in every second, so that a position which began as the time in microseconds stays below it.
 */
async function openPositions(sql: Sql): Promise<void> {
  const [row] = await query<{ micros: number }>(
    sql,
    'select (extract(epoch from clock_timestamp()) * 1000000)::int8 as micros',
    [],
  );
  const { offsetBy, first } = await openArrivedLedger(sql, row!.micros);
  await sql.query('insert into arrivals (first_position, offset_by, arrived_at) values ($1, $2, clock_timestamp())', [
    first,
    offsetBy,
  ]);
}

/**
 * After a migration: makes what is missing, and adds columns. Each view in a transaction of its own, which takes one lock: servers go on
 * meanwhile.
 */
async function renew(sql: Connection, shard: number): Promise<void> {
  const layout = await layoutOf(sql);
  for (const table of await placedTables(sql, shard))
    await renewOne(sql, shard, async (place) => {
      const own = await columnsOf(sql, quoted(table.name));
      if (own.filter((name) => name !== 'ctid' && name !== 'xmin').join() === table.columns.join()) return;
      await sql.query(tableText(place, table));
      if (table.name === 'postings') await liftPositions(sql);
    });
  for (const part of layout)
    await renewOne(sql, shard, async (place) => {
      const isFitted = part.kind === 'place table' && (await fitColumns(sql, quoted(part.name), part.columns));
      if (!isFitted) await sql.query(partText(place, part));
    });
  await renewOne(sql, shard, async ({ version }) => {
    await lockNode(sql);
    await grantPlace(sql, shard);
    await sql.query(`update ${nodeSchema}.places set layout = $2 where shard = $1`, [shard, version]);
  });
}

async function renewOne(sql: Connection, shard: number, work: (place: PlaceLook) => Promise<void>): Promise<void> {
  await tryLocked(() =>
    transaction(sql, async () => {
      const place = await hold(sql, shard);
      await sql.query(
        `set local lock_timeout = '${lockTimeout}'; set local search_path = ${placeSchema(shard)}, ${nodeSchema}`,
      );
      await work(place);
    }),
  );
}

async function tryLocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== '55P03' || tries >= triesMax) throw error;
      await pause(pauseMs);
    }
  }
}
