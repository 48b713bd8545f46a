import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../base/id.ts';
import { lineFormat } from '../base/log.ts';
import { type Connection, connect, openPool, type Pool, query } from '../base/sql.ts';
import { catalog } from '../catalog.ts';
import { httpMaintenance } from '../http/maintenance.ts';
import type { Scheduler } from '../worker/scheduler.ts';
import { housekeeping, sweep } from '../worker/sweep.fixture.ts';
import { createDatabase } from './harness.ts';

/** All maintenance tasks of the server together. */

const maintenance = [...httpMaintenance, ...catalog.maintenance];
const dayMs = 86_400_000;
const logged: string[] = [];
const log = pino({ level: 'debug', ...lineFormat }, { write: (line: string) => void logged.push(line) });

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  pool = openPool(database.address, { use: 'relaxed', connectionsMax: 4, onError: () => {} });
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await database.drop();
});
afterEach(() => void vi.useRealTimers());

/** A pool that records the statements that have ended. */
function recording(ended: string[]): Pool {
  const query = async (statement: { text: string }) => {
    const result = await pool.query(statement);
    ended.push(statement.text);
    return result;
  };
  return { query } as unknown as Pool;
}

describe('a sweep', () => {
  test('runs the same number of statements for many tenants, and deletes deliveries together with old events', async () => {
    await sweep(maintenance, pool); // makes the partitions of the request log
    const before: string[] = [];
    await sweep(maintenance, recording(before));
    await sql.query(
      `insert into accounts (id, name, tier) select 'acct_m' || n, 'Many', 'standard' from generate_series(1, 50) n`,
    );
    await sql.query(
      `insert into tenants (account, mode) select 'acct_m' || n, m from generate_series(1, 50) n, unnest('{test,live}'::text[]) m`,
    );
    const after: string[] = [];
    await sweep(maintenance, recording(after));
    expect(after.sort()).toEqual(before.sort()); // the maintenance tasks for codes and for the rest run concurrently

    const { rows: tenants } = await sql.query(`select tenant from tenants where account in ('acct_m7', 'acct_m8')`);
    const ids = [10, 100].map((days) => newId('whd', Date.now() - days * dayMs));
    for (const { tenant } of tenants) {
      await sql.query(
        `insert into deliveries (tenant, id, version, event, endpoint, state, attempts)
         select $1, id, 1, 'evt_one', 'we_one', 'delivered', 1 from unnest($2::text[]) id`,
        [tenant, ids],
      );
      await sql.query(
        `insert into delivery_attempts (tenant, delivery, id, at, duration_ms)
         select $1, id, 'wha_' || n, now(), 1 from unnest($2::text[]) id, generate_series(1, 3) n`,
        [tenant, ids],
      );
    }
    await sweep(maintenance, pool);
    const left = await sql.query(
      `select d.tenant, d.id, count(*)::int as attempts from deliveries d
         join delivery_attempts a on a.tenant = d.tenant and a.delivery = d.id group by 1, 2 order by 1`,
    );
    expect(left.rows).toEqual(tenants.map(({ tenant }) => ({ tenant, id: ids[0], attempts: 3 })));
    expect((await sql.query('select count(*) from delivery_attempts')).rows[0].count).toBe(3 * tenants.length);
  });

  test('continues after a failed maintenance task, which the log names and the next sweep retries', async () => {
    await sql.query(
      `insert into used_signatures (tenant, signature, request_id, expires_at) values (1, '\\x03', 'req', now())`,
    );
    await sql.query('alter table idempotency rename to elsewhere');
    logged.length = 0;
    await sweep(maintenance, pool, { log });
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'warn',
        chore: 'expired idempotency keys',
        error: expect.stringContaining('idempotency'),
        msg: 'maintenance task failed; it is retried in a minute',
      }),
    ]);
    expect((await sql.query(`select 1 from used_signatures where signature = '\\x03'`)).rows).toEqual([]);
    await sql.query('alter table elsewhere rename to idempotency');
    logged.length = 0;
    await sweep(maintenance, pool, { log });
    expect(logged).toEqual([]);
  });

  const failures: [state: string, cause: string, level: string][] = [
    ['53100', 'a full disk', 'error'],
    ['25006', 'a read-only database', 'error'],
    ['42501', 'a missing right', 'error'],
    ['57P01', 'a database that stops, which the watch reports', 'debug'],
  ];
  test.each(failures)('that cannot delete codes because of %s, %s, is logged at level %s', async (...failure) => {
    const [state, cause, level] = failure;
    const { alarm } = maintenance.find(({ name }) => name === 'expired security codes')!;
    const run = () => query(pool, `do $$ begin raise '${cause}' using errcode = '${state}'; end $$`, []);
    logged.length = 0;
    await sweep([{ name: 'codes', home: 'tenant', run, alarm: alarm! }], pool, { log });
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level, error: expect.stringContaining(cause) }]);
    expect(logged[0]!.includes(alarm!)).toBe(level === 'error');
  });
});

test('a sweep that a stopping server has caught is no warning', async () => {
  const closed = openPool(database.address, { use: 'relaxed', connectionsMax: 1, onError: () => {} });
  await closed.end();
  logged.length = 0;
  await sweep([{ name: 'late', home: 'tenant', run: (pool) => query(pool, 'select 1', []) }], closed, { log });
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'debug', chore: 'late' }]);
});

describe('while a sweep is blocked', () => {
  const minute = 60_000;
  const patience = { timeout: 10_000 };

  /** Housekeeping by a virtual clock, with the expired keys locked by another connection. */
  async function heldUp(ended: string[]): Promise<{ scheduler: Scheduler; release: () => Promise<void> }> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const holder = await connect(database.address, 'test');
    await holder.query('begin; lock table idempotency in access exclusive mode');
    const scheduler = housekeeping(maintenance, recording(ended), { log });
    scheduler.start();
    onTestFinished(async () => {
      await holder.end();
      await scheduler.stop();
    });
    await vi.waitFor(async () => {
      const waiting = await sql.query(
        `select 1 from pg_locks where relation = 'idempotency'::regclass and not granted`,
      );
      expect(waiting.rows).toHaveLength(1);
    }, patience);
    return { scheduler, release: async () => void (await holder.query('rollback')) };
  }

  const times = (ended: string[], words: string) => ended.filter((text) => text.includes(words)).length;

  test('security codes are still deleted every minute', async () => {
    const ended: string[] = [];
    await heldUp(ended);
    await sql.query(
      `insert into vault_keys (tenant, version, master, wrapped) values (1, 1, 'x', '') on conflict do nothing`,
    );
    for (const id of ['pm_1', 'pm_2']) {
      await sql.query(
        `insert into vault_cvcs (tenant, id, key_version, sealed, expires_at) values (1, $1, 1, '', now())`,
        [id],
      );
      vi.advanceTimersByTime(minute);
      await vi.waitFor(async () => expect((await sql.query('select id from vault_cvcs')).rows).toEqual([]), patience);
    }
    expect(times(ended, 'delete from idempotency')).toBe(0); // still blocked
  });

  test('later sweeps are skipped, and the next minute after it has one again', async () => {
    const ended: string[] = [];
    const { scheduler, release } = await heldUp(ended);
    vi.advanceTimersByTime(10 * minute);
    await release();
    const swept = () => times(ended, 'delete from idempotency');
    await vi.waitFor(() => {
      const count = swept();
      if (count < 2) vi.advanceTimersByTime(minute); // a minute in which the first sweep still runs has none
      expect(count).toBe(2);
    }, patience);
    await scheduler.stop();
    expect(swept()).toBe(2);
  });
});
