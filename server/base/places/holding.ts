import type pg from 'pg';
import { getOrMake } from '../get_or_make.ts';

type GivenStatement = { text: string; name?: string };
type QueryArguments = [query: string | GivenStatement, ...rest: unknown[]];
type RunQuery = (...given: QueryArguments) => Promise<pg.QueryResult>;

const holds = new WeakMap<pg.Pool, string>();

/** `for update` alone changes no row. */
export const writes = /\b(?:insert\s+into|delete\s+from|update\s+(?!skip\b|of\b|nowait\b))/i;

const isWriteAlone = /^\s*(?:insert|update|delete)\b/i;

/**
 * A statement that holds its rows and writes, in one round trip. The hold comes first, as the condition on which anything is answered; what is
 * named is short, and runs often.
 */
export function heldText(text: string, hold: string): string {
  const held = `(select ${hold}('{}'::int4[]))`;
  return /\breturning\b/i.test(text)
    ? `with written as (${text}) select written.* from written where ${held} = 1`
    : `with written as (${text}) select where ${held} <> 1`;
}

/**
 * Lets each transaction of a pool end by a call of this function, and each statement that writes be in one. It keeps the rows on their server
 * until they are committed, and fails where they have left it, so that nothing is written. A write without it, after Citus has copied a
 * shard, would be lost without an error; at the end of a split it would end the whole server, whose decoder looks for the tables of the split
 * and has dropped them already (Citus 13.2).
 */
export function holdWrites(pool: pg.Pool, hold: string): void {
  holds.set(pool, `select ${hold}('{}'::int4[])`);
  const query = pool.query.bind(pool) as RunQuery;
  const heldTexts = new Map<string, string>();
  const queryHolding: RunQuery = async (...given) => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const result = await (client.query as RunQuery).apply(client, given);
      await client.query(commitOn(pool));
      broken = false;
      return result;
    } finally {
      client.release(broken); // closing the connection ends a transaction that is still open
    }
  };
  const queryByItself: RunQuery = (given, ...rest) => {
    if (typeof given === 'string') return query(given, ...rest);
    return query({ ...given, text: getOrMake(heldTexts, given.text, () => heldText(given.text, hold)) }, ...rest);
  };
  const queryAny: RunQuery = (...given) => {
    const { text, name }: GivenStatement = typeof given[0] === 'string' ? { text: given[0] } : given[0];
    if (!writes.test(text)) return query(...given);
    return name !== undefined && isWriteAlone.test(text) ? queryByItself(...given) : queryHolding(...given);
  };
  pool.query = queryAny as typeof pool.query;
}

/** How a transaction of a pool is committed. The hold comes last: Citus waits for it at the end of a move, and everybody else then for Citus. */
export function commitOn(pool: pg.Pool): string {
  const hold = holds.get(pool);
  return hold === undefined ? 'commit' : `${hold}; commit`;
}
