import { vi } from 'vitest';
import { query, type Sql } from '../../../base/sql.ts';
import { patienceMs } from '../../../test/processes/child.ts';
import { indexLagSeconds, readPosition } from './position.ts';
import { walksLeft } from './walks.ts';

/** Resolves when a running server has indexed everything that was committed before. */
export async function indexed(sql: Sql): Promise<void> {
  const wait = { timeout: patienceMs, interval: 50 };
  await vi.waitFor(async () => {
    const left = [await readPosition(sql), await indexLagSeconds(sql), await walksLeft(sql)];
    if (left[0] === undefined || left[1] !== 0 || left[2] !== 0) throw new Error('the index is behind');
  }, wait);
}

/** What the index says, without the numbers. Rows that have no object, and objects that lack a row, are among them. */
export async function factsOf(sql: Sql): Promise<string[]> {
  const rows = await query<{ fact: string }>(
    sql,
    `select concat_ws(' ', coalesce(o.tenant, t.tenant), o.object, t.kind, t.term, o.number is null) as fact
       from search_objects o full join search_terms t on t.tenant = o.tenant and t.number = o.number order by 1`,
    [],
  );
  return rows.map(({ fact }) => fact);
}

/** As if it had never been filled. */
export async function forgetIndex(sql: Sql): Promise<void> {
  await query(sql, 'truncate search_objects, search_terms, search_position, search_walks', []);
}
