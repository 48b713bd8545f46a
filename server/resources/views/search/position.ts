import { firstIdAt, idTime } from '../../../base/id.ts';
import { boundOf, positionAt, positionOf, type TailPosition } from '../../../base/position.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Row, type Sql } from '../../../base/sql.ts';
import { changedObjects, tenantsWithEvents } from '../../../outbox/event.ts';

/** Nearly all rows commit this soon after their ids were made: so far back each step looks again. */
const usualOverlapMs = 2_000;
/** A row may commit this long after its id was made. On a busy gateway a minute has many ids, so they are looked at again now and then. */
const overlapMs = 60_000;
const lateEveryMs = 20_000;
/** So many steps are remembered before late rows are looked for. */
const stepsMax = 64;
/** In one step, which is one transaction. */
const changesPerStep = 2_500;

/** An object that something has happened to. */
export type Changed = { tenant: Tenant; object: string };

/**
 * How far the events have been followed. Up to `late` all are indexed. From there to `next`, those whose ids were not older than `since` when
 * a step took place: each step names its last transaction.
 */
export type IndexPosition = { next: TailPosition; late: TailPosition; steps: readonly FollowedStep[] };
type FollowedStep = { xact: number; since: number };

type StoredPosition = {
  xact: number;
  id: string;
  since: number;
  seen_top: number | null;
  seen_at: number | null;
  late_xact: number | null;
  late_id: string | null;
  late_since: number | null;
  step_xacts: string[];
  step_since: string[];
};

/** Undefined before the first time. */
export async function readPosition(sql: Sql | Pool): Promise<IndexPosition | undefined> {
  const [row] = await query<StoredPosition>(
    sql,
    `select xact, id, since, seen_top, seen_at, late_xact, late_id, late_since, step_xacts, step_since from search_position`,
    [],
    'search_position',
  );
  if (row === undefined) return undefined;
  const { xact, id, since, seen_top, seen_at, late_xact, late_id, late_since, step_xacts, step_since } = row;
  const next = { xact, id, since, seen: seen_top === null ? undefined : { top: seen_top, at: seen_at! } };
  // The version before this one looked back far enough in every step.
  const late = late_xact === null ? next : { xact: late_xact, id: late_id!, since: late_since! };
  return { next, late, steps: step_xacts.map((last, at) => ({ xact: Number(last), since: Number(step_since[at]) })) };
}

export async function writePosition(sql: Sql, { next, late, steps }: IndexPosition): Promise<void> {
  const { xact, id, since, seen } = next;
  await query(
    sql,
    `insert into search_position as p (xact, id, since, seen_top, seen_at, late_xact, late_id, late_since, step_xacts, step_since)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (one) do update set (xact, id, since, seen_top, seen_at, late_xact, late_id, late_since, step_xacts, step_since) =
       row (excluded.xact, excluded.id, excluded.since, excluded.seen_top, excluded.seen_at, excluded.late_xact, excluded.late_id,
            excluded.late_since, excluded.step_xacts, excluded.step_since)`,
    [
      xact,
      id,
      since,
      seen?.top ?? null,
      seen?.at ?? null,
      late.xact,
      late.id,
      late.since,
      steps.map((step) => step.xact),
      steps.map((step) => step.since),
    ],
    'search_set_position',
  );
}

type FoundObject = { horizon: number; top: number; xact: number | null; id: string; tenant: Tenant; object: string };

const snapshot = `select pg_snapshot_xmin(s)::text::int8 as horizon, pg_snapshot_xmax(s)::text::int8 as top
                    from (select pg_current_snapshot() as s) as taken`;

/**
 * The changes of all tenants after a place, by a snapshot that is called `n`. Tenants are found among the events, by the same snapshot: with
 * a list from before it, the first events of a new tenant would be passed over.
 */
function changesAfter(xact: string, id: string, since: string): string {
  // `offset 0` keeps the number of a transaction from being made again for each comparison.
  return `
    select happened.* from owner
     cross join lateral (${changedObjects('owner.tenant', 'n.top', since)} offset 0) as happened
     where (happened.xact, happened.id) > (${xact}::int8, ${id}::text collate "C")`;
}

const statement = `with recursive ${tenantsWithEvents}
  select n.horizon, n.top, c.xact, c.id, c.tenant, c.object from (${snapshot}) as n
    left join lateral (
      ${changesAfter('$1', '$2', '$3')} and happened.xact < n.horizon order by happened.xact, happened.id limit ${changesPerStep}) as c on true`;

const idSince = ({ since }: { since: number }, overlap: number) => firstIdAt('evt', Math.max(0, since - overlap));

/** What was read, and the position after it. */
export type Followed = { changed: Changed[]; position: IndexPosition; isFull: boolean };

/**
 * What has become visible after a position, of all tenants, in the order of commits, but for rows that have committed late. It stops below
 * the oldest transaction that is still open, so that nothing is passed over. `now` is taken before the read.
 */
export async function readChanged(sql: Sql, { next, late, steps }: IndexPosition, now: number): Promise<Followed> {
  const { found, horizon, top } = await readAfter(sql, next, usualOverlapMs);
  if (next.xact >= top) return readRestored(sql, next, now);
  const isFull = found.length === changesPerStep;
  const position = isFull ? positionOf(found.at(-1)!) : positionAt({ horizon, top, at: now }, next);
  const since = Math.max(steps.at(-1)?.since ?? 0, next.since - usualOverlapMs);
  const step = { xact: position.xact, since };
  return { changed: found, position: { next: position, late, steps: [...steps, step] }, isFull };
}

/** A database that was restored elsewhere counts its transactions anew: what happened lately is read again. */
async function readRestored(sql: Sql, { since }: TailPosition, now: number): Promise<Followed> {
  const { found, horizon, top } = await readAfter(sql, { xact: 0, id: '', since }, overlapMs);
  const isFull = found.length === changesPerStep;
  const position = isFull ? positionOf(found.at(-1)!) : positionAt({ horizon, top, at: now }, { since });
  return { changed: found, position: { next: position, late: position, steps: [] }, isFull };
}

type ChangedInOrder = Changed & { xact: number; id: string };

async function readAfter(
  sql: Sql,
  after: TailPosition,
  overlap: number,
): Promise<{ found: ChangedInOrder[]; horizon: number; top: number }> {
  const values = [after.xact, boundOf(after), idSince(after, overlap)];
  const rows = await query<FoundObject & Row>(sql, statement, values, 'search_changes');
  const { horizon, top } = rows[0]!;
  return { found: rows.filter((row) => row.xact !== null) as ChangedInOrder[], horizon, top };
}

/** Whether it is time to look for rows that were too old for the steps which came past their transactions. */
export function isLateDue({ steps }: IndexPosition, now: number): boolean {
  const [first] = steps;
  return first !== undefined && (steps.length >= stepsMax || now - first.since >= lateEveryMs);
}

const lateStatement = `with recursive ${tenantsWithEvents}
  select c.xact, c.id, c.tenant, c.object from (${snapshot}) as n
   cross join lateral (
      ${changesAfter('$1', '$2', '$3')} and happened.xact <= $4
        and happened.id < ($6::text[])[least(width_bucket(happened.xact, $5::int8[]) + 1, cardinality($5::int8[]))]
      order by happened.xact, happened.id limit ${changesPerStep}) as c`;

/** The rows that have committed late, in transactions that were followed already. */
export async function readLate(sql: Sql, { next, late, steps }: IndexPosition): Promise<Followed> {
  const values = [
    late.xact,
    boundOf(late),
    idSince(late, overlapMs),
    next.xact,
    steps.map(({ xact }) => xact),
    steps.map((step) => idSince(step, 0)),
  ];
  const found = await query<ChangedInOrder>(sql, lateStatement, values, 'search_late_changes');
  const isFull = found.length === changesPerStep;
  const position = isFull ? { next, late: positionOf(found.at(-1)!), steps } : { next, late: next, steps: [] };
  return { changed: found, position, isFull };
}

/**
 * The position of an index that is filled from what exists. It follows what has happened in the last minute too: where tenants have arrived
 * from another server, an index that they had there may not have come so far, and what is new must be found before all that is old was gone
 * through.
 */
export function presentPosition(now: number): IndexPosition {
  const position = { xact: 0, id: '', since: now - overlapMs };
  return { next: position, late: position, steps: [] };
}

/** How long the oldest change has waited; 0 if none waits. A transaction that stays open holds changes back, and they count. */
export async function indexLagSeconds(pool: Pool | Sql): Promise<number> {
  const position = await readPosition(pool);
  if (position === undefined) return 0;
  const { next } = position;
  const [row] = await query<{ now: number; oldest: string | null }>(
    pool,
    `with recursive ${tenantsWithEvents}
     select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, (
              select min(waiting.id) from (${changesAfter('$1', '$2', '$3')}) as waiting) as oldest
       from (${snapshot}) as n`,
    [next.xact, boundOf(next), idSince(next, overlapMs)],
  );
  const { now, oldest } = row!;
  // More than nothing, though the clock of a server be ahead of that of the database.
  return oldest === null ? 0 : Math.max(1, now - idTime(oldest)) / 1_000;
}
