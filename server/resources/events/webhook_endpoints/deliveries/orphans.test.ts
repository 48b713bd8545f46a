import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Connection, connect, type DatabaseAddress, openPool, type Pool } from '../../../../base/sql.ts';
import { createDatabase } from '../../../../test/harness.ts';
import { cancelOrphans } from './orphans.ts';

const rowsPerStep = 5_000;
const tenant = 1;
const other = 2;

let address: DatabaseAddress;
let drop: () => Promise<void>;
let sql: Connection;
let pool: Pool;

beforeAll(async () => {
  const database = await createDatabase();
  ({ address, drop } = database);
  sql = await connect(address, 'test');
  pool = openPool(address, { use: 'relaxed', connectionsMax: 4, onError: () => {} });
  await sql.query(
    `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret)
     values ($1, 'we_there', 1, 'https://example.com', '["*"]', 'disabled', '{}', 1)`,
    [tenant],
  );
});
afterAll(async () => {
  await pool.end();
  await sql.end();
  await drop();
});
beforeEach(async () => void (await sql.query('truncate deliveries')));

/** Deliveries of one endpoint, pending and leased unless they are said to be over. */
async function fill(endpoint: string, count: number, { of = tenant, state = 'pending' } = {}): Promise<void> {
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at, lease_until)
     select $1, 'whd_' || $4 || $2 || n, 1, 'evt_one', $2, $4, 0,
            case when $4 = 'pending' then now() + make_interval(secs => n) end, case when $4 = 'pending' then now() end
       from generate_series(1, $3) n`,
    [of, endpoint, count, state],
  );
}

type Count = { tenant: number; endpoint: string; state: string; version: number; over: boolean; count: number };

async function counts(): Promise<Count[]> {
  const { rows } = await sql.query<Count>(
    `select tenant, endpoint, state, version, due_at is null and lease_until is null as over, count(*)::int as count
       from deliveries group by 1, 2, 3, 4, 5 order by 1, 2, 3`,
  );
  return rows;
}

const canceled = (endpoint: string, count: number, of = tenant): Count => {
  return { tenant: of, endpoint, state: 'canceled', version: 2, over: true, count };
};
const pending = (endpoint: string, count: number, of = tenant): Count => {
  return { tenant: of, endpoint, state: 'pending', version: 1, over: false, count };
};

test('the pending deliveries of a deleted endpoint are canceled, and no others', async () => {
  await fill('we_there', 3);
  await fill('we_there', 3, { of: other }); // of another tenant: the name alone means nothing
  await fill('we_gone', 3);
  await fill('we_gone', 4, { state: 'delivered' });
  await cancelOrphans(pool);
  expect(await counts()).toEqual([
    canceled('we_gone', 3),
    { tenant, endpoint: 'we_gone', state: 'delivered', version: 1, over: true, count: 4 },
    pending('we_there', 3),
    canceled('we_there', 3, other),
  ]);
});

test('any number of deliveries is canceled in small steps', async () => {
  await fill('we_gone', 2 * rowsPerStep + 10);
  await fill('we_gone_too', rowsPerStep);
  await cancelOrphans(pool);
  expect(await counts()).toEqual([canceled('we_gone', 2 * rowsPerStep + 10), canceled('we_gone_too', rowsPerStep)]);
  const { rows } = await sql.query('select count(*)::int as count from deliveries group by xmin::text order by 1');
  expect(rows.map((row) => row.count)).toEqual([10, rowsPerStep, rowsPerStep, rowsPerStep]);
});

test('locked deliveries are skipped, and canceled by the next sweep', async () => {
  await fill('we_a_gone', rowsPerStep + 10);
  await fill('we_b_gone', 3);
  const holder = await connect(address, 'test');
  onTestFinished(() => holder.end());
  await holder.query('begin');
  await holder.query(`select 1 from deliveries where id = 'whd_pendingwe_a_gone1' for update`);
  await cancelOrphans(pool);
  expect(await counts()).toEqual([
    canceled('we_a_gone', rowsPerStep + 9),
    pending('we_a_gone', 1),
    canceled('we_b_gone', 3),
  ]);
  await holder.query('rollback');
  await cancelOrphans(pool);
  expect(await counts()).toEqual([canceled('we_a_gone', rowsPerStep + 10), canceled('we_b_gone', 3)]);
});

test('several concurrent sweeps cancel each delivery once', async () => {
  await fill('we_gone', rowsPerStep + 10);
  await Promise.all(Array.from({ length: 4 }, () => cancelOrphans(pool)));
  expect(await counts()).toEqual([canceled('we_gone', rowsPerStep + 10)]);
});
