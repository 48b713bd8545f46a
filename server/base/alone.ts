import type { Connection } from './sql.ts';
import { pause } from './timers.ts';

const queueEveryMs = 200;

/**
 * Runs work that only one process may do at a time, over several transactions. A second process calls `queued` and waits. A process that
 * dies releases the lock with its connection. The second process asks again and again instead of waiting in one statement: the first
 * may build an index concurrently, which waits for every open statement, and would wait for that one.
 */
export async function alone<T>(
  client: Connection,
  { lock, queued = () => {} }: { lock: number; queued?: () => void },
  work: () => Promise<T>,
): Promise<T> {
  if (!(await tryLock(client, lock))) {
    queued();
    do await pause(queueEveryMs);
    while (!(await tryLock(client, lock)));
  }
  try {
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => {}); // a broken connection has released it already
  }
}

async function tryLock(client: Connection, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
  return rows[0]!.taken;
}
