import { query, type Sql } from '../base/sql.ts';

/** Positions of a place: `offsetBy` is added to the ids of its transactions, from `first` on. */
export type LiftedPositions = { offsetBy: number; first: number };

/**
 * Begins the books of a group of tenants that has just arrived on this server, in the transaction that makes their tables visible, before
 * anybody can post. All rows that came along are final. They are sealed as far as their last blocks say; new positions are above theirs,
 * and not below `atLeast`. A connection finds the tables of the place by their plain names.
 */
export async function openArrivedLedger(sql: Sql, atLeast: number): Promise<LiftedPositions> {
  const [row] = await query<{ sealed_to: number; offset_by: number; first: number }>(
    sql,
    `with recursive owners as (
       (select tenant from ledger_blocks order by tenant limit 1)
       union all
       select (select b.tenant from ledger_blocks b where b.tenant > o.tenant order by b.tenant limit 1)
         from owners o where o.tenant is not null),
     sealed as (
       select coalesce(max(last.to_position), 0) as sealed_to from owners o
         cross join lateral (select b.to_position from ledger_blocks b where b.tenant = o.tenant order by b.number desc limit 1) last),
     here as (
       select s.sealed_to, pg_current_xact_id()::text::int8 as own, pg_snapshot_xmin(pg_current_snapshot())::text::int8 as oldest_running,
              greatest(s.sealed_to, $1, coalesce((select max(position) + 1 from postings), 0)) as next
         from sealed s)
     insert into ledger_sealer (sealed_to, offset_by)
     select sealed_to, greatest(next - oldest_running, 0) from here
     returning sealed_to, offset_by, offset_by + pg_current_xact_id()::text::int8 as first`,
    [atLeast],
  );
  const { offset_by, first } = row!;
  await liftPositions(sql);
  return { offsetBy: offset_by, first };
}

/** Gives the view of postings of a place the default that its sealer counts by. */
export async function liftPositions(sql: Sql): Promise<void> {
  const [sealer] = await query<{ offset_by: string }>(sql, 'select offset_by::text from ledger_sealer', []);
  // A default takes no parameters; the offset is an int8, so it is safe to inline.
  await sql.query(
    `alter view postings alter column position set default (pg_current_xact_id()::text::int8 + ${sealer!.offset_by})`,
  );
}
