import { settlesWithin } from './keyed_queue.ts';
import { MigrationError } from './migration.ts';
import { type Connection, query, type Sql, sqlState, transaction } from './sql.ts';
import { pause } from './timers.ts';

/** How long a statement may wait for a lock, and how often it is tried. */
export type LockPatience = { timeoutMs: number; pauseMs: number; triesMax: number };

/**
 * A statement that waits for a table lock blocks all later statements on the table. So it gives up soon, and lets the others pass before it
 * tries again. PostgreSQL cancels an autovacuum that is in the way after a second, so the time-out is longer than that.
 */
export const lockPatience: LockPatience = { timeoutMs: 2_000, pauseMs: 3_000, triesMax: 20 };

const lookEveryMs = 200;
const giveUpStates = new Set(['55P03', '40P01']); // lock_not_available, deadlock_detected

export class LockWaitError extends MigrationError {}

export type LockOptions = {
  /** Opens a second connection, which finds out who holds a lock. */
  watch: () => Promise<Connection>;
  /** Called with a sentence for the operator when the work has to wait. */
  report: (line: string) => void;
  patience?: LockPatience;
};

export type LockWaits = Required<LockOptions> & {
  client: Connection;
  /** The process of the connection, in PostgreSQL. */
  pid: number;
};

export async function lockWaitsOf(client: Connection, options: LockOptions): Promise<LockWaits> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { patience: lockPatience, ...options, client, pid: rows[0]!.pid };
}

/** Runs a transaction that takes locks, again and again until it gets them. */
export function lockingTransaction<T>(waits: LockWaits, what: string, work: () => Promise<T>): Promise<T> {
  const { client, patience } = waits;
  return retryLocks(waits, what, () =>
    transaction(client, async () => {
      await client.query(`set local lock_timeout = ${patience.timeoutMs}`);
      return work();
    }),
  );
}

/** Runs work that takes locks, again and again until it gets them. `work` can be repeated after it has failed. */
export async function retryLocks<T>(waits: LockWaits, what: string, work: () => Promise<T>): Promise<T> {
  const { report, patience } = waits;
  let holders: string | undefined;
  for (let tries = 1; ; tries++) {
    const { outcome, ...found } = await watched(waits, what, work);
    holders = found.holders ?? holders;
    if (outcome.status === 'fulfilled') return outcome.value;
    if (!giveUpStates.has(sqlState(outcome.reason) ?? '')) throw outcome.reason;
    const held = `${what} needs a lock that ${holders ?? 'another process'} holds`;
    if (tries >= patience.triesMax)
      throw new LockWaitError(
        `${held}. Nothing was changed. Wait for that process, or end it with pg_terminate_backend, then run tollgate migrate again`,
        { cause: outcome.reason },
      );
    report(`${held}. Trying again in ${patience.pauseMs / 1_000} s (${tries} of ${patience.triesMax}).`);
    await pause(patience.pauseMs);
  }
}

type Watched<T> = { outcome: PromiseSettledResult<T>; holders: string | undefined };

/** While the work is waiting for a lock, asks who holds it. */
async function watched<T>(waits: LockWaits, what: string, work: () => Promise<T>): Promise<Watched<T>> {
  const running = Promise.allSettled([work()]);
  if (await settlesWithin(running, lookEveryMs)) return { outcome: (await running)[0], holders: undefined };
  const watcher = await waits.watch().catch(() => undefined); // without it the message names no process
  let holders: string | undefined;
  do {
    const found = watcher && (await holdersOf(watcher, waits.pid).catch(() => undefined));
    if (found !== undefined && found !== holders) waits.report(`${what} waits for a lock that ${found} holds.`);
    holders = found ?? holders;
  } while (!(await settlesWithin(running, lookEveryMs)));
  await watcher?.end();
  return { outcome: (await running)[0], holders };
}

async function holdersOf(watcher: Sql, pid: number): Promise<string | undefined> {
  const rows = await query<{ pid: number; name: string; address: string | null; since: string | null }>(
    watcher,
    `select b.pid, coalesce(nullif(a.application_name, ''), a.backend_type, 'a prepared transaction') as name,
            host(a.client_addr) as address, to_char(a.xact_start at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS "UTC"') as since
       from (select distinct unnest(pg_blocking_pids($1)) as pid) b left join pg_stat_activity a using (pid) order by 1`,
    [pid],
  );
  if (rows.length === 0) return undefined;
  const named = rows.map(({ pid, name, address, since }) => {
    const facts = [name, address, since && `in a transaction since ${since}`].filter(Boolean).join(', ');
    return `process ${pid} (${facts})`;
  });
  return named.join(' and ');
}
