import type { Pool } from '../../../base/sql.ts';
import type { Searchable } from '../../../operations/extension_points/search.ts';

/** The kinds, of which customers are loaded and then held back until `goOn`. */
export function heldBack(kinds: readonly Searchable[]): {
  slow: Searchable[];
  loaded: Promise<void>;
  goOn: () => void;
} {
  const [loaded, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = kinds.map((kind): Searchable => {
    if (kind.prefix !== 'cus') return kind;
    const load: Searchable['load'] = async (context, ids) => {
      const documents = await kind.load(context, ids);
      loaded.resolve();
      await released.promise;
      return documents;
    };
    return { ...kind, load };
  });
  return { slow, loaded: loaded.promise, goOn: released.resolve };
}

/** A pool whose connection breaks at a statement: before it is sent, or when its answer would come. */
export function breakingPool(pool: Pool, at: number, isSent: boolean): { pool: Pool; statements: () => number } {
  let statements = 0;
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    const broken = async (...given: unknown[]) => {
      statements++;
      if (statements !== at) return query(...given);
      if (isSent) await query(...given);
      throw new Error('the connection was closed');
    };
    return new Proxy(client, {
      get: (target, name) =>
        name === 'query'
          ? broken
          : typeof target[name as 'end'] === 'function'
            ? (target[name as 'end'] as () => void).bind(target)
            : target[name as 'end'],
    });
  };
  return { pool: { connect } as unknown as Pool, statements: () => statements };
}
