import { firstIdAt, idTime } from '../../../base/id.ts';
import { boundOf, positionAt, positionOf, type TailPosition } from '../../../base/position.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Row, type Sql } from '../../../base/sql.ts';
import { tenantsTable } from '../../../operations/tenants.ts';
import { changedObjects } from '../../../outbox/event.ts';

/** A row may commit this long after its id was made: so far back ids are looked at again. */
const overlapMs = 60_000;
/** In one step, which is one transaction. Many, because each step looks at all ids of the overlap; most are about the same objects. */
const changesPerStep = 2_500;

/** An object that something has happened to. */
export type Changed = { tenant: Tenant; object: string };

type StoredPosition = { xact: number; id: string; since: number; seen_top: number | null; seen_at: number | null };

/** How far the events have been followed; undefined before the first time. */
export async function readPosition(sql: Sql | Pool): Promise<TailPosition | undefined> {
  const [row] = await query<StoredPosition>(
    sql,
    'select xact, id, since, seen_top, seen_at from search_position',
    [],
    'search_position',
  );
  if (row === undefined) return undefined;
  const { xact, id, since, seen_top, seen_at } = row;
  return { xact, id, since, seen: seen_top === null ? undefined : { top: seen_top, at: seen_at! } };
}

export async function writePosition(sql: Sql, { xact, id, since, seen }: TailPosition): Promise<void> {
  await query(
    sql,
    `insert into search_position (xact, id, since, seen_top, seen_at) values ($1, $2, $3, $4, $5)
     on conflict (one) do update set xact = $1, id = $2, since = $3, seen_top = $4, seen_at = $5`,
    [xact, id, since, seen?.top ?? null, seen?.at ?? null],
    'search_set_position',
  );
}

type FoundObject = { horizon: number; top: number; xact: number | null; id: string; tenant: Tenant; object: string };

const snapshot = `select pg_snapshot_xmin(s)::text::int8 as horizon, pg_snapshot_xmax(s)::text::int8 as top
                    from (select pg_current_snapshot() as s) as taken`;

/** The changes of all tenants after a place, by a snapshot that is called `n`. */
function changesAfter(xact: string, id: string, since: string): string {
  return `
    select happened.* from ${tenantsTable} owner
     cross join lateral (${changedObjects('owner.tenant', 'n.top', since)}) as happened
     where (happened.xact, happened.id) > (${xact}::int8, ${id}::text collate "C")`;
}

const statement = `
  select n.horizon, n.top, c.xact, c.id, c.tenant, c.object from (${snapshot}) as n
    left join lateral (
      ${changesAfter('$1', '$2', '$3')} and happened.xact < n.horizon order by happened.xact, happened.id limit ${changesPerStep}) as c on true`;

const sinceOf = ({ since }: TailPosition) => firstIdAt('evt', Math.max(0, since - overlapMs));

/**
 * What has become visible after a position, of all tenants, in the order of commits. It stops below the oldest transaction that is still
 * open, so that nothing is passed over. A database that was restored elsewhere counts its transactions anew: then what happened lately is
 * read again. `now` is taken before the read.
 */
export async function readChanged(
  sql: Sql,
  after: TailPosition,
  now: number,
): Promise<{ changed: Changed[]; position: TailPosition; isFull: boolean }> {
  const values = [after.xact, boundOf(after), sinceOf(after)];
  const rows = await query<FoundObject & Row>(sql, statement, values, 'search_changes');
  const { horizon, top } = rows[0]!;
  if (after.xact >= top) return readChanged(sql, { ...after, xact: 0, id: '' }, now);
  const found = rows.filter((row) => row.xact !== null);
  const isFull = found.length === changesPerStep;
  const last = found.at(-1);
  const position = isFull
    ? positionOf({ xact: last!.xact!, id: last!.id })
    : positionAt({ horizon, top, at: now }, after);
  return { changed: found.map(({ tenant, object }) => ({ tenant, object })), position, isFull };
}

/** The position of an index that is filled from what exists: everything that is not visible yet comes after it. */
export async function presentPosition(sql: Sql, now: number): Promise<TailPosition> {
  const text = 'select pg_snapshot_xmin(pg_current_snapshot())::text::int8 as horizon';
  const [row] = await query<{ horizon: number }>(sql, text, []);
  return { xact: row!.horizon - 1, id: '', since: now };
}

/** How long the oldest change has waited; 0 if none waits. A transaction that stays open holds changes back, and they count. */
export async function indexLagSeconds(pool: Pool | Sql): Promise<number> {
  const position = await readPosition(pool);
  if (position === undefined) return 0;
  const [row] = await query<{ now: number; oldest: string | null }>(
    pool,
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, (
              select min(waiting.id) from (${changesAfter('$1', '$2', '$3')}) as waiting) as oldest
       from (${snapshot}) as n`,
    [position.xact, boundOf(position), sinceOf(position)],
  );
  const { now, oldest } = row!;
  // More than nothing, though the clock of a server be ahead of that of the database.
  return oldest === null ? 0 : Math.max(1, now - idTime(oldest)) / 1_000;
}
