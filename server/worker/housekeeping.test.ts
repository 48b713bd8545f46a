import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../base/id.ts';
import { type Connection, connect, openPool, type Pool } from '../base/sql.ts';
import { eventually } from '../test/eventually.ts';
import { createDatabase, startServer } from '../test/harness.ts';
import { Housekeeping, keepPartitions } from './housekeeping.ts';

const dayMs = 86_400_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let pool: Pool;
const logged: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });

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

/** One round of housekeeping, as every start brings it. */
async function sweep(on = pool): Promise<void> {
  const housekeeping = new Housekeeping(on, log);
  housekeeping.start();
  await housekeeping.stop();
}

/** Stands for the pool, and writes down the statements that came to an end. */
function recording(ended: string[]): Pool {
  const query = async (statement: { text: string }) => {
    const result = await pool.query(statement);
    ended.push(statement.text);
    return result;
  };
  return { query } as unknown as Pool;
}

async function today(): Promise<number> {
  const result = await sql.query(
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
  );
  return result.rows[0].ms;
}

const nameOf = (ms: number) => `requests_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;

async function partitions(): Promise<string[]> {
  const result = await sql.query(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'requests'::regclass order by 1`,
  );
  return result.rows.map((row) => row.name);
}

async function makePartition(ms: number): Promise<void> {
  const [from, to] = [ms, ms + dayMs].map((at) => new Date(at).toISOString());
  await sql.query(`create table ${nameOf(ms)} partition of requests for values from ('${from}') to ('${to}')`);
}

describe('the partitions of the request log', () => {
  test('reach from yesterday to the day after tomorrow, whatever zone the server lives in', async () => {
    await sql.query(
      `alter database ${(await sql.query('select current_database() as name')).rows[0].name} set timezone = 'Pacific/Kiritimati'`,
    );
    const day = await today();
    await keepPartitions(pool);
    expect(await partitions()).toEqual([-1, 0, 1, 2].map((days) => nameOf(day + days * dayMs)));
    for (const at of [day - dayMs, day - 1, day, day + 3 * dayMs - 1])
      await sql.query(
        `insert into requests (at, id, method, path, status, duration_us, address) values ($1, 'req_x', 'GET', '/', 200, 1, '::1')`,
        [new Date(at)],
      );
  });

  test('are left alone when they are there, and their rows with them', async () => {
    const before = await partitions();
    await keepPartitions(pool);
    expect(await partitions()).toEqual(before);
    expect((await sql.query('select count(*) from requests')).rows[0].count).toBe(4);
  });

  test('are made once when several instances make them at once', async () => {
    for (const name of await partitions()) await sql.query(`drop table ${name}`);
    await Promise.all(Array.from({ length: 4 }, () => keepPartitions(pool)));
    expect(await partitions()).toHaveLength(4);
  });

  test('are dropped after thirty days, not before', async () => {
    const day = await today();
    for (const days of [29, 30, 31, 32, 400]) await makePartition(day - days * dayMs);
    await keepPartitions(pool);
    const kept = await partitions();
    expect(kept).toHaveLength(6);
    expect(kept.slice(0, 2)).toEqual([nameOf(day - 30 * dayMs), nameOf(day - 29 * dayMs)]);
  });

  test('hold nobody up when there is nothing to do, though a backup is reading the table', async () => {
    await keepPartitions(pool);
    const backup = await connect(database.address, 'backup');
    onTestFinished(() => backup.end());
    await backup.query('begin; lock table requests in access share mode'); // what pg_dump holds from its start to its end
    let outcome: string | undefined;
    const kept = keepPartitions(pool).then(() => {
      outcome ??= 'done';
    });
    await eventually(async () => {
      const waiting = await sql.query(
        `select 1 from pg_locks where relation = 'requests'::regclass and mode = 'AccessExclusiveLock' and not granted`,
      );
      if (waiting.rows.length > 0) outcome ??= 'it waits for the backup, and whoever logs a request waits behind it';
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

describe('a sweep', () => {
  test('deletes idempotency keys and used signatures that have expired by the clock of the database', async () => {
    await sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, expires_at)
       select 1, 'key ' || n, '', 'x', 'req', 200, '', now() + make_interval(secs => case when n <= 6000 then -n else n end)
         from generate_series(1, 6010) n`,
    );
    await sql.query(
      `insert into used_signatures (tenant, signature, request_id, expires_at)
       values (1, '\\x01', 'req', now() - interval '1 second'), (1, '\\x02', 'req', now() + interval '1 hour')`,
    );
    await sweep();
    expect((await sql.query('select count(*) from idempotency')).rows[0].count).toBe(10);
    expect((await sql.query(`select encode(signature, 'hex') as signature from used_signatures`)).rows).toEqual([
      { signature: '02' },
    ]);
  });

  test('steps over what somebody else holds, and takes it the next time', async () => {
    await sql.query(`truncate idempotency`);
    await sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, expires_at)
       select 1, 'key ' || n, '', 'x', 'req', 200, '', now() - interval '1 second' from generate_series(1, 3) n`,
    );
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(`select 1 from idempotency where key = 'key 2' for update`);
    await sweep();
    expect((await sql.query('select key from idempotency')).rows).toEqual([{ key: 'key 2' }]);
    await holder.query('rollback');
    await sweep();
    expect((await sql.query('select key from idempotency')).rows).toEqual([]);
  });

  test('purges events after ninety days, of every tenant, and no others', async () => {
    await sql.query(`insert into accounts (id, name, tier) values ('acct_1', 'One', 'standard')`);
    const tenants = await sql.query(
      `insert into tenants (account, mode) values ('acct_1', 'test'), ('acct_1', 'live') returning tenant`,
    );
    const now = Date.now();
    const minute = 60_000;
    const ages = [0, 30 * dayMs, 90 * dayMs - minute, 90 * dayMs + minute, 400 * dayMs];
    for (const { tenant } of tenants.rows)
      for (const age of ages)
        await sql.query(
          `insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $2, 'x', 'x', 1, '')`,
          [tenant, newId('evt', now - age)],
        );
    const old = Array.from({ length: 5_001 }, () => newId('evt', now - 200 * dayMs));
    await sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select $1, id, 'x', 'x', 1, '' from unnest($2::text[]) id`,
      [tenants.rows[0].tenant, old],
    );
    await sweep();
    const left = await sql.query('select tenant, count(*) from events group by tenant order by tenant');
    expect(left.rows).toEqual(tenants.rows.map(({ tenant }) => ({ tenant, count: 3 })));
  });

  test('asks no more when there are many tenants, and purges what belongs to old events with them', async () => {
    const before: string[] = [];
    await sweep(recording(before));
    await sql.query(
      `insert into accounts (id, name, tier) select 'acct_m' || n, 'Many', 'standard' from generate_series(1, 50) n`,
    );
    await sql.query(
      `insert into tenants (account, mode) select 'acct_m' || n, m from generate_series(1, 50) n, unnest('{test,live}'::text[]) m`,
    );
    const after: string[] = [];
    await sweep(recording(after));
    expect(after.sort()).toEqual(before.sort()); // codes and the rest go side by side

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
    await sweep();
    const left = await sql.query(
      `select d.tenant, d.id, count(*)::int as attempts from deliveries d
         join delivery_attempts a on a.tenant = d.tenant and a.delivery = d.id group by 1, 2 order by 1`,
    );
    expect(left.rows).toEqual(tenants.map(({ tenant }) => ({ tenant, id: ids[0], attempts: 3 })));
    expect((await sql.query('select count(*) from delivery_attempts')).rows[0].count).toBe(3 * tenants.length);
  });

  test('destroys secrets whose overlap is over, and waits for no endpoint that somebody holds', async () => {
    await sql.query(`insert into vault_keys (tenant, version, master, wrapped) values (1, 1, 'x', '')`);
    await sql.query(
      `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret, previous_until)
       select 1, id, 1, 'https://example.com/' || id, '["*"]', 'enabled', '{}', 2, until
         from (values ('we_over', now()), ('we_held', now()), ('we_not_yet', now() + interval '1 hour')) as x (id, until)`,
    );
    await sql.query(
      `insert into vault_secrets (tenant, id, key_version, sealed)
       select 1, id || '/' || n, 1, '' from webhook_endpoints, generate_series(1, 2) n`,
    );
    const secrets = async () => (await sql.query('select id from vault_secrets order by id')).rows.map(({ id }) => id);
    const holder = await connect(database.address, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query(`select 1 from webhook_endpoints where id = 'we_held' for update`);
    await sweep();
    expect(await secrets()).toEqual(['we_held/1', 'we_held/2', 'we_not_yet/1', 'we_not_yet/2', 'we_over/2']);
    await holder.query('rollback');
    await sweep();
    expect(await secrets()).toEqual(['we_held/2', 'we_not_yet/1', 'we_not_yet/2', 'we_over/2']);
    const { rows } = await sql.query(
      'select id, version, previous_until is null as alone from webhook_endpoints order by id',
    );
    expect(rows).toEqual([
      { id: 'we_held', version: 2, alone: true },
      { id: 'we_not_yet', version: 1, alone: false },
      { id: 'we_over', version: 2, alone: true },
    ]);
  });

  test('cancels what waits for an endpoint that was deleted', async () => {
    const id = newId('whd', Date.now());
    await sql.query(
      `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       values (1, $1, 1, 'evt_one', 'we_deleted', 'pending', 1, now() + interval '1 hour')`,
      [id],
    );
    await sweep();
    const { rows } = await sql.query('select state, due_at from deliveries where id = $1', [id]);
    expect(rows).toEqual([{ state: 'canceled', due_at: null }]);
  });

  test('goes on after a chore that failed, which the log names, and the next sweep tries it again', async () => {
    await sql.query(
      `insert into used_signatures (tenant, signature, request_id, expires_at) values (1, '\\x03', 'req', now())`,
    );
    await sql.query('alter table idempotency rename to elsewhere');
    logged.length = 0;
    await sweep();
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 40,
        chore: 'expired idempotency keys',
        error: expect.stringContaining('idempotency'),
        msg: 'housekeeping failed; it will be tried again in a minute',
      }),
    ]);
    expect((await sql.query(`select 1 from used_signatures where signature = '\\x03'`)).rows).toEqual([]);
    await sql.query('alter table elsewhere rename to idempotency');
    logged.length = 0;
    await sweep();
    expect(logged).toEqual([]);
  });
});

describe('while a sweep is held up', () => {
  const minute = 60_000;
  const patience = { timeout: 60_000 };

  /** Housekeeping by a virtual clock, and the expired keys in somebody's hands. */
  async function heldUp(ended: string[]): Promise<{ housekeeping: Housekeeping; release: () => Promise<void> }> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const holder = await connect(database.address, 'test');
    await holder.query('begin; lock table idempotency in access exclusive mode');
    const housekeeping = new Housekeeping(recording(ended), log);
    housekeeping.start();
    onTestFinished(async () => {
      await holder.end();
      await housekeeping.stop();
    });
    await vi.waitFor(async () => {
      const waiting = await sql.query(
        `select 1 from pg_locks where relation = 'idempotency'::regclass and not granted`,
      );
      expect(waiting.rows).toHaveLength(1);
    }, patience);
    return { housekeeping, release: async () => void (await holder.query('rollback')) };
  }

  const times = (ended: string[], words: string) => ended.filter((text) => text.includes(words)).length;

  test('security codes are deleted all the same, every minute', async () => {
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
    expect(times(ended, 'delete from idempotency')).toBe(0); // it is still held up
  });

  test('the next ones fall out, and the first minute after it brings one again', async () => {
    const ended: string[] = [];
    const { housekeeping, release } = await heldUp(ended);
    vi.advanceTimersByTime(10 * minute);
    await release();
    await vi.waitFor(() => expect(times(ended, 'from delivery_attempts')).toBe(1), patience); // the last of a sweep
    vi.advanceTimersByTime(minute);
    await housekeeping.stop();
    expect(times(ended, 'delete from idempotency')).toBe(2);
  });
});
