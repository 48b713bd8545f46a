import type pg from 'pg';

type QueryArguments = [query: string | { text: string }, ...rest: unknown[]];
type RunQuery = (...given: QueryArguments) => Promise<pg.QueryResult>;

const holds = new WeakMap<pg.Pool, string>();

/** `for update` alone changes no row. */
export const writes = /\b(?:insert\s+into|delete\s+from|update\s+(?!skip\b|of\b|nowait\b))/i;

/**
 * Lets each transaction of a pool begin by a call of this function, and each statement that writes be in one. Until the transaction ends, the rows
 * stay on their server; where they have left it, nothing is written. A write that went past it, after Citus has copied a shard, would be
 * lost without an error; during a split it would end the whole server, whose decoder looks for the tables of the split then and has dropped
 * them already (Citus 13.2).
 */
export function holdWrites(pool: pg.Pool, hold: string): void {
  holds.set(pool, `select ${hold}('{}'::int4[])`);
  const query = pool.query.bind(pool) as RunQuery;
  const queryHolding: RunQuery = async (...given) => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query(beginOn(pool));
      const result = await (client.query as RunQuery).apply(client, given);
      await client.query('commit');
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

/** How a transaction of a pool begins. */
export function beginOn(pool: pg.Pool, begin = 'begin'): string {
  const hold = holds.get(pool);
  return hold === undefined ? begin : `${begin}; ${hold}`;
}
