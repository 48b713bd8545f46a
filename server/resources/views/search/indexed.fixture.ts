import { vi } from 'vitest';
import type { Sql } from '../../../base/sql.ts';
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
