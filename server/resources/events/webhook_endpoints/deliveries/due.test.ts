import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Tenant } from '../../../../base/reads.ts';
import { type Connection, connect, type DatabaseAddress, openPool, type Pool } from '../../../../base/sql.ts';
import { onFreeMachine } from '../../../../test/fastest.ts';
import { createDatabase } from '../../../../test/harness.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import {
  cancelDelivery,
  dueEndpoints,
  leaseDeliveries,
  releaseDeliveries,
  renewDeliveries,
  type Wanted,
} from './due.ts';
import { resendEvent } from './resend.fixture.ts';

const manyRows = 100_000;
const buffersMax = 250; // the rows are on 2,000 pages, and the entries of an index on 600
const dead = 'we_dead';
const payload = '{"id":"evt_one","object":"event"}';

let address: DatabaseAddress;
let drop: () => Promise<void>;
let sql: Connection;
let pool: Pool;
let tenant: number;
let other: number;

beforeAll(async () => {
  const database = await createDatabase();
  ({ address, drop } = database);
  sql = await connect(address, 'test');
  pool = openPool(address, { use: 'durable', connectionsMax: 4, onError: () => {} });
  await sql.query(`insert into accounts (id, name, tier) values ('acct_due', 'Due', 'standard')`);
  const made = await sql.query(
    `insert into tenants (account, mode) values ('acct_due', 'test'), ('acct_due', 'live') returning tenant`,
  );
  [tenant, other] = made.rows.map((row) => row.tenant) as [number, number];
  await sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select t, 'evt_one', 'customer.created', 'cus_one', 1, convert_to($2, 'UTF8') from unnest($1::int4[]) t`,
    [[tenant, other], payload],
  );
});

afterAll(async () => {
  await pool.end();
  await sql.end();
  await drop();
});

/** Deliveries of one endpoint; `due` is the first one's moment in seconds from now, the others follow a millisecond apart. */
async function fill(endpoint: string, count: number, due: number, of = tenant): Promise<void> {
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select $1, 'whd_' || $2 || lpad(n::text, 8, '0'), 1, 'evt_one', $2, 'pending', 0,
            now() + make_interval(secs => $4 + n / 1000.0)
       from generate_series(1, $3) n`,
    [of, endpoint, count, due],
  );
}

async function fillDelivered(endpoint: string, count: number): Promise<void> {
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select $1, 'whd_d' || $2 || n, 2, 'evt_one', $2, 'delivered', 1, null from generate_series(1, $3) n`,
    [tenant, endpoint, count],
  );
}

/** The only endpoint there is. */
async function addEndpoint(id: string, status: 'enabled' | 'disabled', of = tenant): Promise<void> {
  await sql.query('truncate webhook_endpoints');
  await sql.query(
    `insert into webhook_endpoints (tenant, id, version, url, enabled_events, status, metadata, secret)
     values ($1, $2, 1, 'https://example.com', '["*"]', $3, '{}', 1)`,
    [of, id, status],
  );
}

const want = (endpoint: string, room: number, of = tenant): Wanted => ({ tenant: of, endpoint, room }) as Wanted;
const lease = (wanted: Wanted[], on = pool) => leaseDeliveries(on, wanted, 0);
const namesOf = (taken: Delivery[]) => taken.map((one) => one.id).sort();
const endpointsDue = async (aheadMs = 0) => (await dueEndpoints(pool, aheadMs)).map((one) => one.endpoint);

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number; 'Node Type': string; Plans?: Plan[] };

/** Stands for a pool, and asks how the statement was carried out, with a plan for these values or for any. */
function explaining(how: 'force_custom_plan' | 'force_generic_plan', plans: Plan[]): Pool {
  const explain = async ({ text, values }: { text: string; values: unknown[] }) => {
    await sql.query(`set plan_cache_mode = ${how}`);
    await sql.query(`prepare asked as ${text}`);
    try {
      const literals = values.map((value) => (Array.isArray(value) ? `'{${value.join(',')}}'` : `'${value}'`));
      const { rows } = await sql.query(
        `explain (analyze, buffers, format json) execute asked (${literals.join(', ')})`,
      );
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    } finally {
      await sql.query('deallocate asked');
      await sql.query('reset plan_cache_mode');
    }
  };
  return { query: explain } as unknown as Pool;
}

const buffersOf = (plan: Plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];

describe('beside 100,000 deliveries that wait for one dead endpoint', () => {
  const wanted = () => [want(dead, 8), want('we_early', 8), want('we_late', 64)];

  beforeAll(async () => {
    await sql.query('truncate deliveries');
    await sql.query('alter table deliveries set (autovacuum_enabled = off)');
    await fill(dead, manyRows, -600);
    await fill('we_early', 5, -1);
    await fill('we_late', 5, -1);
    await fill('we_waiting', manyRows / 4, 3_600);
    await fillDelivered('we_done', 1_000);
  }, 60_000);

  const cases = ['force_custom_plan', 'force_generic_plan'] as const;
  for (const statistics of ['as they are after the insert', 'fresh']) {
    describe(`with statistics ${statistics}`, () => {
      beforeAll(async () => {
        if (statistics === 'fresh') await sql.query('vacuum analyze deliveries');
      });

      test.each(cases)('the endpoints are found by a few pages (%s)', async (how) => {
        const plans: Plan[] = [];
        await dueEndpoints(explaining(how, plans), 0);
        expect(buffersOf(plans[0]!)).toBeLessThan(buffersMax);
      });

      test.each(cases)('the deliveries to lease are found by a few pages (%s)', async (how) => {
        const plans: Plan[] = [];
        await sql.query('begin');
        await leaseDeliveries(explaining(how, plans), wanted(), 0);
        await sql.query('rollback');
        expect(buffersOf(plans[0]!)).toBeLessThan(buffersMax);
      });
    });
  }

  test('all of their endpoints are named, once each', async () => {
    expect(await endpointsDue()).toEqual([dead, 'we_early', 'we_late']);
    expect(await endpointsDue(7_200_000)).toEqual([dead, 'we_early', 'we_late', 'we_waiting']);
  });

  test('the others get as much as they have capacity for', async () => {
    const taken = await lease(wanted());
    const count = (endpoint: string) => taken.filter((one) => one.endpoint === endpoint).length;
    expect([count(dead), count('we_early'), count('we_late')]).toEqual([8, 5, 5]);
  });
});

describe('on a connection that has run the statements while there were no deliveries', () => {
  const held = () =>
    [`whd_${dead}00000001`, 'whd_we_early00000001'].map((id) => ({ tenant, id, version: 1 }) as Delivery);
  const statements: Record<string, (on: Pool) => Promise<unknown>> = {
    'endpoints are found': (on) => dueEndpoints(on, 0),
    'deliveries are leased': (on) => leaseDeliveries(on, [want(dead, 8), want('we_early', 8)], 0),
    'leases are renewed': (on) => renewDeliveries(on, held()),
    'leases are ended': (on) => releaseDeliveries(on, held()),
  };
  let used: Connection;

  /** How many rows of the table the statement reads by sequential scans. In a transaction: PostgreSQL forgets these numbers after it. */
  async function rowsScanned(run: (on: Pool) => Promise<unknown>): Promise<number> {
    const text = `select seq_tup_read::int4 as rows from pg_stat_xact_user_tables where relid = 'deliveries'::regclass`;
    await used.query('begin');
    const before = (await used.query(text)).rows[0].rows;
    await run(used as unknown as Pool);
    const after = (await used.query(text)).rows[0].rows;
    await used.query('rollback');
    return after - before;
  }

  beforeAll(async () => {
    await sql.query('truncate deliveries');
    await sql.query('alter table deliveries set (autovacuum_enabled = off)');
    used = await connect(address, 'test');
    await used.query('set plan_cache_mode = force_generic_plan'); // as PostgreSQL does by itself after five runs
    for (const run of Object.values(statements)) await run(used as unknown as Pool);
    await fill(dead, manyRows, -600);
    await fill('we_early', 5, -1);
  }, 60_000);
  afterAll(() => used.end());

  test.each(Object.keys(statements))('%s without a scan of 100,000', async (name) => {
    expect(await rowsScanned(statements[name]!)).toBe(0);
  });
});

describe('the cost of a look for due deliveries', () => {
  const busy = 3;
  const cases = ['force_custom_plan', 'force_generic_plan'] as const;

  /** Endpoints with one delivery each that is not due for an hour, beside a few with a due one. */
  async function look(waiting: number, how: (typeof cases)[number]): Promise<number> {
    await sql.query('truncate deliveries');
    await sql.query(
      `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       select $1, 'whd_' || n, 1, 'evt_one', 'we_' || n, 'pending', 0,
              now() + case when n <= $3 then interval '-1 minute' else interval '1 hour' end
         from generate_series(1, $2::int) n`,
      [tenant, waiting + busy, busy],
    );
    await sql.query('vacuum analyze deliveries');
    const plans: Plan[] = [];
    await dueEndpoints(explaining(how, plans), 0);
    expect(await endpointsDue()).toEqual(['we_1', 'we_2', 'we_3']);
    return buffersOf(plans[0]!);
  }

  test.each(cases)('follows what is due, not how many endpoints wait for a later attempt (%s)', async (how) => {
    const [few, many] = [await look(10, how), await look(10_000, how)];
    console.log(`measured: ${few} buffers beside 10 endpoints that wait, ${many} beside 10,000 (${how})`);
    expect(many).toBeLessThan(few + 50);
  });

  test('is that of one endpoint for a backlog of three days', async () => {
    await sql.query('truncate deliveries');
    await sql.query(
      `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       select $1, 'whd_' || n, 1, 'evt_one', 'we_dead', 'pending', 0, now() - n * interval '26 seconds'
         from generate_series(1, 10000) n`,
      [tenant],
    );
    const plans: Plan[] = [];
    await dueEndpoints(explaining('force_generic_plan', plans), 0);
    expect(await endpointsDue()).toEqual(['we_dead']);
    expect(buffersOf(plans[0]!)).toBeLessThan(3_000); // a step for each ten minutes; a scan of the rows would take 10,000
  });
});

describe('endpoints with due deliveries', () => {
  beforeEach(async () => void (await sql.query('truncate deliveries')));

  test('there are none when nothing is due', async () => {
    expect(await endpointsDue()).toEqual([]);
    await fill('we_later', 3, 60);
    await fillDelivered('we_done', 3);
    expect(await endpointsDue()).toEqual([]);
  });

  test('are found across tenants, the same name in two of them as two', async () => {
    await fill('we_a', 2, -1);
    await fill('we_a', 2, -1, other);
    await fill('we_b', 2, -1, other);
    expect(await dueEndpoints(pool, 0)).toEqual([
      { tenant, endpoint: 'we_a' },
      { tenant: other, endpoint: 'we_a' },
      { tenant: other, endpoint: 'we_b' },
    ]);
  });

  test('a clock that is ahead sees what is due then', async () => {
    await fill('we_a', 1, 60);
    expect(await endpointsDue(59_000)).toEqual([]);
    expect(await endpointsDue(61_000)).toEqual(['we_a']);
  });
});

describe('a lease', () => {
  beforeEach(async () => void (await sql.query('truncate deliveries')));

  test('is taken on the oldest deliveries for 12 s, and increments their version', async () => {
    await fill('we_a', 10, -60);
    const taken = await lease([want('we_a', 3)]);
    expect(namesOf(taken)).toEqual(['whd_we_a00000001', 'whd_we_a00000002', 'whd_we_a00000003']);
    for (const one of taken)
      expect(one).toMatchObject({ tenant, version: 2, event: 'evt_one', state: 'pending', attempts: 0 });
    const { rows } = await sql.query(
      `select version, extract(epoch from lease_until - now())::float8 as ahead from deliveries order by id`,
    );
    expect(rows.map((row) => row.version)).toEqual([2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
    for (const { ahead } of rows.slice(0, 3)) {
      expect(ahead).toBeGreaterThan(10);
      expect(ahead).toBeLessThanOrEqual(12);
    }
    for (const { ahead } of rows.slice(3)) expect(ahead).toBeNull();
  });

  test('comes with the payload to send, and without one for an event that is no longer stored', async () => {
    await fill('we_a', 1, -1);
    expect((await lease([want('we_a', 1)]))[0]!.payload!.toString()).toBe('{"id":"evt_one","object":"event"}');
    await sql.query(`update deliveries set lease_until = null, event = 'evt_old'`);
    expect((await lease([want('we_a', 1)]))[0]).toMatchObject({ bytes: null, payload: null });
  });

  test('comes with the size alone of a payload that is large', async () => {
    await sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select $1, 'evt_' || bytes, 'customer.created', 'cus_one', 1, convert_to(repeat('x', bytes), 'UTF8')
         from unnest(array[4096, 4097]) bytes`,
      [tenant],
    );
    for (const [bytes, comes] of [
      [4_096, true],
      [4_097, false],
    ] as const) {
      await fill('we_a', 1, -1);
      await sql.query(`update deliveries set event = $1`, [`evt_${bytes}`]);
      const [leased] = await lease([want('we_a', 1)]);
      expect([leased!.bytes, leased!.payload?.length]).toEqual([bytes, comes ? bytes : undefined]);
      await sql.query('truncate deliveries');
    }
  });

  test('ends in time: then another instance leases the delivery', async () => {
    await fill('we_a', 1, -1);
    const [first] = await lease([want('we_a', 8)]);
    expect(await lease([want('we_a', 8)])).toEqual([]);
    await sql.query(`update deliveries set lease_until = lease_until - interval '11 s'`);
    expect(await lease([want('we_a', 8)])).toEqual([]);
    await sql.query(`update deliveries set lease_until = lease_until - interval '1 s'`);
    const [second] = await lease([want('we_a', 8)]);
    expect(second).toMatchObject({ id: first!.id, version: first!.version + 1 });
  });

  test('is taken for each endpoint on as many deliveries as there is capacity for, and for no other endpoint', async () => {
    for (const name of ['we_a', 'we_b', 'we_c']) await fill(name, 20, -1);
    await fill('we_a', 20, -1, other);
    const taken = await lease([want('we_a', 2), want('we_b', 8), want('we_a', 5, other)]);
    const count = (of: number, name: string) =>
      taken.filter((one) => one.tenant === of && one.endpoint === name).length;
    expect([count(tenant, 'we_a'), count(tenant, 'we_b'), count(other, 'we_a'), taken.length]).toEqual([2, 8, 5, 15]);
    expect(await lease([])).toEqual([]);
  });

  test('is not taken on deliveries that are not due or were delivered', async () => {
    await fill('we_later', 3, 60);
    await fillDelivered('we_done', 3);
    expect(await lease([want('we_later', 8), want('we_done', 8), want('we_none', 8)])).toEqual([]);
  });

  test('of two concurrent connections: neither waits, and nothing is leased twice', async () => {
    await fill('we_a', 20, -1);
    const one = await connect(address, 'test');
    await one.query('begin');
    const first = await lease([want('we_a', 8)], one as unknown as Pool);
    const began = performance.now();
    const second = await lease([want('we_a', 8)]);
    expect(onFreeMachine(1_000, performance.now() - began)).toBeLessThan(1_000);
    await one.query('rollback'); // it dies: what it held is due for the next one
    await one.end();
    expect([first.length, second.length]).toEqual([8, 8]);
    expect(namesOf(second).filter((id) => namesOf(first).includes(id))).toEqual([]);
    expect(namesOf(await lease([want('we_a', 20)]))).toHaveLength(12);
  });

  test('by many concurrent instances gives each delivery to one of them', async () => {
    await fill('we_a', 300, -1);
    await fill('we_b', 300, -1);
    const rounds = Array.from({ length: 40 }, () => lease([want('we_a', 16), want('we_b', 16)]));
    const taken = (await Promise.all(rounds)).flat();
    while (taken.length < 600) {
      const more = await lease([want('we_a', 64), want('we_b', 64)]);
      if (more.length === 0) break;
      taken.push(...more);
    }
    expect(taken).toHaveLength(600);
    expect(new Set(namesOf(taken)).size).toBe(600);
    expect(new Set(taken.map((one) => one.version))).toEqual(new Set([2]));
  });

  test('is renewed while it is held, and not once another instance has it', async () => {
    await fill('we_a', 2, -1);
    const held = await lease([want('we_a', 8)]);
    const lost = held.find((one) => one.id.endsWith('1'))!;
    await sql.query(`update deliveries set version = version + 1, lease_until = now() + interval '1 s' where id = $1`, [
      lost.id,
    ]);
    await sql.query(`update deliveries set lease_until = now() + interval '1 s' where id <> $1`, [lost.id]);
    await renewDeliveries(pool, held);
    await renewDeliveries(pool, []);
    const { rows } = await sql.query(
      `select id, version, lease_until > now() + interval '10 s' as renewed from deliveries order by id`,
    );
    expect(rows.map(({ version, renewed }) => ({ version, renewed }))).toEqual([
      { version: 3, renewed: false },
      { version: 2, renewed: true },
    ]);
  });

  test('of a settled delivery is not restored by a renewal', async () => {
    await fill('we_a', 1, -1);
    const held = await lease([want('we_a', 8)]);
    await sql.query(`update deliveries set state = 'delivered', due_at = null, version = version + 1`);
    await renewDeliveries(pool, held);
    const { rows } = await sql.query('select state, due_at from deliveries');
    expect(rows).toEqual([{ state: 'delivered', due_at: null }]);
  });

  test('that was released is free immediately, and a later renewal renews nothing', async () => {
    await fill('we_a', 2, -1);
    const held = await lease([want('we_a', 8)]);
    const [kept, released] = [held[0]!, held[1]!];
    await releaseDeliveries(pool, [released]);
    await releaseDeliveries(pool, []);
    expect(await renewDeliveries(pool, held)).toEqual(new Set([kept]));
    const [again] = await lease([want('we_a', 8)]);
    expect(again).toMatchObject({ id: released.id, version: released.version + 2 });
  });

  test('that another instance has by now is not released', async () => {
    await fill('we_a', 1, -1);
    const held = await lease([want('we_a', 8)]);
    await sql.query('update deliveries set version = version + 1');
    await releaseDeliveries(pool, held);
    expect(await lease([want('we_a', 8)])).toEqual([]);
  });

  test('ends when its event is resent from the command line', async () => {
    await addEndpoint('we_a', 'enabled');
    await fill('we_a', 1, -1);
    await sql.query('update deliveries set id = $1', [deliveryId('evt_one', 'we_a')]);
    const held = await lease([want('we_a', 8)]);
    expect(await resendEvent(sql, tenant as Tenant, 'evt_one', 'we_a')).toEqual(['we_a']);
    expect(await renewDeliveries(pool, held)).toEqual(new Set());
    const [again] = await lease([want('we_a', 8)]);
    expect(again).toMatchObject({ id: held[0]!.id, version: held[0]!.version + 2, attempts: 0 });
  });
});

describe('a delivery that cannot be sent', () => {
  beforeEach(async () => void (await sql.query('truncate deliveries')));

  /** A delivery that was taken. */
  async function taken(): Promise<Delivery> {
    await fill('we_a', 1, -1);
    return (await lease([want('we_a', 1)]))[0]!;
  }
  const stored = async () =>
    (await sql.query('select state, due_at is null and lease_until is null as over from deliveries')).rows[0];
  const canceled = { state: 'canceled', over: true };
  const pending = { state: 'pending', over: false };

  test.each([
    { what: 'its endpoint is disabled', make: () => addEndpoint('we_a', 'disabled') },
    { what: 'its endpoint is gone', make: () => sql.query('truncate webhook_endpoints') },
    { what: 'the endpoint with its name is of another tenant', make: () => addEndpoint('we_a', 'enabled', other) },
  ])('is canceled when $what', async ({ make }) => {
    await make();
    const delivery = await taken();
    expect(await cancelDelivery(pool, delivery)).toBe(true);
    expect(await stored()).toEqual(canceled);
  });

  test('is canceled when its event is no longer stored, even if its endpoint is enabled', async () => {
    await addEndpoint('we_a', 'enabled');
    const delivery = await taken();
    expect(await cancelDelivery(pool, { ...delivery, event: 'evt_old' })).toBe(true);
    expect(await stored()).toEqual(canceled);
  });

  test('is not canceled while its endpoint is enabled and its event is stored', async () => {
    await addEndpoint('we_a', 'enabled');
    expect(await cancelDelivery(pool, await taken())).toBe(false);
    expect(await stored()).toEqual(pending);
  });

  test('is not canceled by an instance that has lost the lease', async () => {
    await addEndpoint('we_a', 'disabled');
    const delivery = await taken();
    await sql.query('update deliveries set version = version + 1');
    expect(await cancelDelivery(pool, delivery)).toBe(false);
    expect(await stored()).toEqual(pending);
  });

  test('waits for the commit that enables its endpoint, and can be sent after all', async () => {
    await addEndpoint('we_a', 'disabled');
    const delivery = await taken();
    const owner = await connect(address, 'test');
    onTestFinished(() => owner.end());
    await owner.query('begin');
    await owner.query(`update webhook_endpoints set status = 'enabled', version = version + 1`);
    const canceling = cancelDelivery(pool, delivery);
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await sql.query(waiting)).rows).toHaveLength(1);
    await owner.query('commit');
    expect(await canceling).toBe(false);
    expect(await stored()).toEqual(pending);
  });
});
