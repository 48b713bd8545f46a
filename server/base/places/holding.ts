import type pg from 'pg';

type QueryArguments = [query: string | { text: string }, ...rest: unknown[]];
type RunQuery = (...given: QueryArguments) => Promise<pg.QueryResult>;

const holds = new WeakMap<pg.Pool, string>();

/** `for update` alone changes no row. */
export const writes = /\b(?:insert\s+into|delete\s+from|update\s+(?!skip\b|of\b|nowait\b))/i;

/**
 * Lets each transaction of a pool end by a call of this function, and each statement that writes be in one. It keeps the rows on their server
 * until they are committed, and fails where they have left it, so that nothing is written. A write without it, after Citus has copied a
 * shard, would be lost without an error; at the end of a split it would end the whole server, whose decoder looks for the tables of the split
 * and has dropped them already (Citus 13.2).
 */
export function holdWrites(pool: pg.Pool, hold: string): void {
  holds.set(pool, `select ${hold}('{}'::int4[])`);
  const query = pool.query.bind(pool) as RunQuery;
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
  const textOf = ([given]: QueryArguments) => (typeof given === 'string' ? given : given.text);
  pool.query = ((...given: QueryArguments) =>
    writes.test(textOf(given)) ? queryHolding(...given) : query(...given)) as typeof pool.query;
}

/** How a transaction of a pool is committed. The hold comes last: Citus waits for it at the end of a move, and everybody else then for Citus. */
export function commitOn(pool: pg.Pool): string {
  const hold = holds.get(pool);
  return hold === undefined ? 'commit' : `${hold}; commit`;
}
