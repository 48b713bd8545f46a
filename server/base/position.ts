import { idTime } from './id.ts';

/**
 * A place in the order in which rows became visible: after the row with this id, of this transaction. Ids alone will not do, because rows
 * commit out of the order of their ids.
 */
export type TailPosition = {
  /** The number of the transaction, with its epoch. */
  xact: number;
  /** The id of the row; empty: after everything of this transaction, and of all before it. */
  id: string;
  /** Every row after this place had no transaction before this time, in epoch milliseconds: its id is hardly older. */
  since: number;
  /** A later time, from which on transactions had this number or a higher one. Not part of the text form. */
  seen?: { top: number; at: number } | undefined;
};

/** Behind every id. */
const last = '~';

const syntax = /^([1-9]\d{0,15})-(?:(\d{1,15})|([a-z]+_[0-9A-Za-z]{22}))$/;

export function positionOf(row: { xact: number; id: string }): TailPosition {
  return { xact: row.xact, id: row.id, since: idTime(row.id) };
}

/** The state of the database at a moment: all transactions before `horizon` have ended, and none has the number `top` yet. */
export type Horizon = { horizon: number; top: number; at: number };

/**
 * After all transactions below a horizon, for a reader of everything from `before` up to it. A transaction that stays open holds the
 * horizon back, and what others have committed meanwhile must still be found: then `since` stays back too.
 */
export function positionAt(
  { horizon, top, at }: Horizon,
  { since, seen }: Pick<TailPosition, 'since' | 'seen'>,
): TailPosition {
  const place = { xact: horizon - 1, id: '' };
  if (horizon === top) return { ...place, since: at };
  if (seen !== undefined && seen.top <= horizon) return { ...place, since: seen.at, seen: { top, at } };
  return { ...place, since, seen: seen ?? { top, at } };
}

export function writePosition({ xact, id, since }: TailPosition): string {
  return `${xact}-${id === '' ? since : id}`;
}

/** Undefined for a text that is no position. */
export function readPosition(text: string): TailPosition | undefined {
  const [, xact, since, id] = syntax.exec(text) ?? [];
  if (xact === undefined) return undefined;
  return id === undefined
    ? { xact: Number(xact), id: '', since: Number(since) }
    : positionOf({ xact: Number(xact), id });
}

export function isAfter(one: TailPosition, other: TailPosition): boolean {
  if (one.xact !== other.xact) return one.xact > other.xact;
  return (one.id || last) > (other.id || last);
}

/** The id that rows after a position are compared with, among those of its transaction. */
export const boundOf = ({ id }: TailPosition): string => id || last;

/**
 * own: rows have the numbers of the transactions that have inserted them. arrived: the rows of a place of a cluster, which have come from
 * another server now and then. Where they are, transactions are numbered from another number on.
 */
export type Numbering = 'own' | 'arrived';

/**
 * The number of the transaction that has inserted a row, with its epoch. PostgreSQL keeps it with every row, without the epoch: the
 * latest number that is not above `top` and ends in these bits is meant.
 */
export function xactOf(row: string, top: string): string {
  return `${top} - ((${top} - ${row}.xmin::text::int8) & 4294967295)`;
}

const ownSnapshot = `select pg_snapshot_xmin(s)::text::int8 as horizon, pg_snapshot_xmax(s)::text::int8 as top
                       from (select pg_current_snapshot() as s) as taken`;

/**
 * A statement on a snapshot that it calls `n`, with its `horizon` and its `top`; `numberOf` is SQL for the number of a row of a table.
 *
 * At a place of a cluster, `arrivals` has the offset that is added to the transaction ids of its server, so that positions continue above
 * those of the servers on which the tenants were before. Rows that were copied from there have the transaction id of the copy, which does not
 * tell their order: all of them get the number below the first one that this server gives, and are ordered by their ids. A client whose
 * position is from an earlier server reads on by ids, from as long before its position as rows may commit late: some rows are read twice,
 * none is missed.
 */
export function numbered(
  statement: (snapshot: string, numberOf: (row: string) => string) => string,
): Readonly<Record<Numbering, string>> {
  const arrivedSnapshot = `select o.horizon + a.offset_by as horizon, o.top + a.offset_by as top, o.top as own_top, a.offset_by,
                                  a.first_position - 1 as along
                             from (${ownSnapshot}) as o cross join arrivals as a`;
  const own = (row: string) => xactOf(row, 'n.top');
  const arrived = (row: string) => `greatest(${xactOf(row, 'n.own_top')} + n.offset_by, n.along)`;
  return { own: statement(ownSnapshot, own), arrived: statement(arrivedSnapshot, arrived) };
}
