import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Connection, connect, openPool, type Pool } from '../../../base/sql.ts';
import { defaultRetention } from '../../../operations/retention.ts';
import { eventually } from '../../../test/eventually.ts';
import { createDatabase, startServer } from '../../../test/harness.ts';
import { keepPartitions } from './partitions.ts';

const dayMs = 86_400_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  pool = openPool(database.address, { use: 'relaxed', connectionsMax: 4, onError: () => {} });
  for (const name of await partitions()) await sql.query(`drop table ${name}`); // those of the template
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await database.drop();
});
afterEach(() => void vi.useRealTimers());

async function today(): Promise<number> {
  const result = await sql.query(
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
  );
  return result.rows[0].ms;
}

const nameOf = (ms: number) => `requests_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;

async function partitions(of = 'requests'): Promise<string[]> {
  const result = await sql.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
    [of],
  );
  return result.rows.map((row) => row.name);
}

async function makePartition(ms: number): Promise<void> {
  const [from, to] = [ms, ms + dayMs].map((at) => new Date(at).toISOString());
  await sql.query(`create table ${nameOf(ms)} partition of requests for values from ('${from}') to ('${to}')`);
}

describe('the partitions of the request log', () => {
  test('reach from yesterday to the day after tomorrow, whatever the time zone of the server', async () => {
    await sql.query(
      `alter database ${(await sql.query('select current_database() as name')).rows[0].name} set timezone = 'Pacific/Kiritimati'`,
    );
    const day = await today();
    await keepPartitions(pool, defaultRetention);
    expect(await partitions()).toEqual([-1, 0, 1, 2].map((days) => nameOf(day + days * dayMs)));
    for (const at of [day - dayMs, day - 1, day, day + 3 * dayMs - 1])
      await sql.query(
        `insert into requests (at, id, method, path, status, duration_us, address) values ($1, 'req_x', 'GET', '/', 200, 1, '::1')`,
        [new Date(at)],
      );
  });

  test('keep their rows when they already exist', async () => {
    const before = await partitions();
    await keepPartitions(pool, defaultRetention);
    expect(await partitions()).toEqual(before);
    expect((await sql.query('select count(*) from requests')).rows[0].count).toBe(4);
  });

  test('are created once when several instances create them at the same time', async () => {
    for (const name of await partitions()) await sql.query(`drop table ${name}`);
    await Promise.all(Array.from({ length: 4 }, () => keepPartitions(pool, defaultRetention)));
    expect(await partitions()).toHaveLength(4);
  });

  test('are dropped after thirty days, not before', async () => {
    const day = await today();
    for (const days of [29, 30, 31, 32, 400]) await makePartition(day - days * dayMs);
    await keepPartitions(pool, defaultRetention);
    const kept = await partitions();
    expect(kept).toHaveLength(6);
    expect(kept.slice(0, 2)).toEqual([nameOf(day - 30 * dayMs), nameOf(day - 29 * dayMs)]);
  });

  test('are dropped after as many days as the operator has set', async () => {
    const day = await today();
    await keepPartitions(pool, { requestLogDays: 29 });
    expect((await partitions())[0]).toBe(nameOf(day - 29 * dayMs));
    await keepPartitions(pool, { requestLogDays: 2 });
    expect((await partitions())[0]).toBe(nameOf(day - dayMs));
  });

  test.each([
    ['of requests without a key', 'anonymous_requests', 3, defaultRetention],
    ['of what test mode keeps', 'request_bodies', 7, defaultRetention],
    ['of what test mode keeps, with the log', 'request_bodies', 4, { requestLogDays: 4 }],
  ])('%s are dropped after some days: %s, %i', async (_, table, kept, retention) => {
    const day = await today();
    const old = (days: number) => nameOf(day - days * dayMs).replace('requests', table);
    for (const name of await partitions(table)) await sql.query(`drop table ${name}`); // the tests before may have run on another day
    for (const days of [kept, kept + 1, kept + 2]) {
      const [from, to] = [day - days * dayMs, day - (days - 1) * dayMs].map((at) => new Date(at).toISOString());
      await sql.query(`create table ${old(days)} partition of ${table} for values from ('${from}') to ('${to}')`);
    }
    await keepPartitions(pool, retention);
    expect(await partitions(table)).toEqual([kept, 1, 0, -1, -2].map(old));
  });

  test('block no request while a backup reads the table and there is nothing to do', async () => {
    await keepPartitions(pool, defaultRetention);
    const backup = await connect(database.address, 'backup');
    onTestFinished(() => backup.end());
    await backup.query('begin; lock table requests in access share mode'); // what pg_dump holds from its start to its end
    let outcome: string | undefined;
    const kept = keepPartitions(pool, defaultRetention).then(() => {
      outcome ??= 'done';
    });
    await eventually(async () => {
      const waiting = await sql.query(
        `select 1 from pg_locks where relation = 'requests'::regclass and mode = 'AccessExclusiveLock' and not granted`,
      );
      if (waiting.rows.length > 0) outcome ??= 'it waits for the backup, and every write to the log waits behind it';
      expect(outcome).toBeDefined();
    });
    await backup.query('rollback');
    await kept;
    expect(outcome).toBe('done');
  });
});

test('a backup that takes longer than a minute does not stop the gateway', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const server = await startServer();
  onTestFinished(() => server.stop());
  const account = await server.account();
  const backup = await connect({ connectionString: server.databaseUrl }, 'backup');
  onTestFinished(() => backup.end());
  await backup.query('begin; lock table requests in access share mode');
  vi.advanceTimersByTime(60_000); // housekeeping is due
  expect((await account.test.get('/v1/customers')).status).toBe(200);
  vi.advanceTimersByTime(1_000); // and so is the request log
  expect((await account.test.get('/v1/customers')).status).toBe(200);
});
