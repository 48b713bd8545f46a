import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { operatorPatience } from '../../../base/patient_client.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import type { Tenant } from '../../../base/reads.ts';
import { openPool, type Pool } from '../../../base/sql.ts';
import { type Searchable, searchables } from '../../../operations/extension_points/search.ts';
import { collect } from '../../../operations/resource.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { card } from '../../../test/http/objects.ts';
import { isTorture, shareOf } from '../../../test/torture.ts';
import { resources } from '../../index.ts';
import { search } from './index.ts';
import { factsOf, forgetIndex } from './indexed.fixture.ts';
import { breakingPool, heldBack } from './indexer.fixture.ts';
import { forgetObjects, SearchIndexer } from './indexer.ts';
import { indexLagSeconds, readPosition } from './position.ts';
import { beginWalks, walksLeft } from './walks.ts';

/** A server that fills no index by itself: the tests take its steps. */
let server: TestServer;
let account: TestAccount;
let tenant: Tenant;
let pool: Pool;
const kinds = collect(resources).extensionsOf(searchables);
const clock = { now: Date.now, monotonic: () => performance.now(), ahead: () => 0 };

const indexerWith = (sql: Pool, all: readonly Searchable[] = kinds) =>
  new SearchIndexer({ sql, tenants: () => everyTenant(sql), clock, log: pino({ level: 'silent' }) }, all);
const post = async (path: string, body: object) => {
  const { status, json } = await account.test.post(`/v1/${path}`, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};
const found = async (q: string, kind = 'customer') => {
  const { json } = await account.test.get(`/v1/search?q=${encodeURIComponent(q)}&kind=${kind}`);
  return json.data.map(({ id }: { id: string }) => id);
};

beforeAll(async () => {
  server = await startServer({
    onePostgres: true,
    resources: resources.map((one) => (one === search ? { ...one, loops: () => [] } : one)),
  });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
  pool = openPool(
    { connectionString: server.databaseUrl },
    {
      use: 'relaxed',
      connectionsMax: 4,
      patience: operatorPatience,
      onError: () => {},
    },
  );
});
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Takes steps until there is nothing to do. A change waits for transactions that began before it, of other databases too. */
async function fill(indexer = indexerWith(pool)): Promise<void> {
  do await indexer.followStep();
  while ((await indexLagSeconds(server.sql)) > 0);
  for (let outcome = 'more'; outcome === 'more'; ) outcome = await indexer.walkStep();
}

/** Resolves when no transaction is open any longer that was when it is called. */
async function visible(): Promise<void> {
  const horizons =
    'select pg_snapshot_xmin(s)::text::int8 as horizon, pg_snapshot_xmax(s)::text::int8 as top from pg_current_snapshot() s';
  const { top } = (await server.sql.query(horizons)).rows[0];
  await expect.poll(async () => (await server.sql.query(horizons)).rows[0].horizon >= top).toBe(true);
}

const facts = () => factsOf(server.sql);

/** The same, made anew from what exists. */
async function factsAnew(): Promise<string[]> {
  await forgetIndex(server.sql);
  await indexerWith(pool).followStep();
  await fill();
  return facts();
}

/** After all tests, and under torture after each, the index says what an index says that is made anew. */
const afterTests = isTorture ? afterEach : afterAll;
afterTests(async () => {
  await fill();
  const before = await facts();
  expect(before).toEqual(await factsAnew());
});

describe('the index', () => {
  test('has what was there before it, in slices', async () => {
    await server.sql.query(
      `insert into customers (tenant, id, version, name, metadata)
       select $1, 'cus_' || lpad(n::text, 22, '0'), 1, 'Earlier ' || n, '{}' from generate_series(1, 600) n`,
      [tenant],
    );
    const indexer = indexerWith(pool);
    await indexer.followStep();
    const walks = await walksLeft(server.sql);
    expect(walks).toBeGreaterThan(0);
    let steps = 0;
    while ((await indexer.walkStep()) === 'more') steps++;
    expect(steps).toBe(walks + 1);
    expect(await found('earlier 600')).toEqual(['cus_0000000000000000000600']);
    await server.sql.query(`delete from customers where id < 'cus_1'`);
    await beginWalks(pool, kinds, { tenants: [tenant] });
    await fill();
    expect(await found('earlier 600')).toEqual([]);
  });

  test('follows changes: what is new is found, and what is no longer so is not', async () => {
    const { id } = await post('customers', { name: 'Ada Lovelace', email: 'ada@first.example' });
    await fill();
    expect(await found('lovelace')).toEqual([id]);
    await post(`customers/${id}`, { name: 'Ada King', email: null });
    await fill();
    expect([await found('lovelace'), await found('first.example'), await found('king')]).toEqual([[], [], [id]]);
    const coupon = await post('coupons', { percent_off: 10, duration: 'once', name: 'Welcome' });
    await fill();
    expect(await found('welcome', 'coupon')).toEqual([coupon.id]);
    await account.test.delete(`/v1/coupons/${coupon.id}`);
    await fill();
    expect(await found('welcome', 'coupon')).toEqual([]);
  });

  test('has payment methods while they have a customer', async () => {
    const { id: customer } = await post('customers', { name: 'Cardholder' });
    const [single, kept] = [
      await post('payment_methods', { type: 'card', card }),
      await post('payment_methods', { type: 'card', card, customer }),
    ];
    await fill();
    expect(await found('cardholder 4242', 'payment_method')).toEqual([kept.id]);
    expect(await found('4242', 'payment_method')).not.toContain(single.id);
    await post(`payment_methods/${kept.id}/detach`, {});
    await fill();
    expect(await found('4242', 'payment_method')).not.toContain(kept.id);
  });

  test('lets objects be found by what they belong to, as it is now', async () => {
    const customer = await post('customers', { name: 'Grace Hopper' });
    const method = await post('payment_methods', { type: 'card', card, customer: customer.id });
    const price = await post('prices', {
      currency: 'eur',
      unit_amount: 900,
      recurring: { interval: 'month' },
      product_name: 'Seat',
    });
    const items = [{ price: price.id }];
    const subscription = await post('subscriptions', {
      customer: customer.id,
      items,
      default_payment_method: method.id,
    });
    const payment = await post('payments', {
      amount: 12_900,
      currency: 'eur',
      payment_method: method.id,
      customer: customer.id,
    });
    await fill();
    expect(await found('hopper 129', 'payment')).toEqual([payment.id]);
    expect(await found('hopper seat', 'subscription')).toEqual([subscription.id]);
    await post(`prices/${price.id}`, { product_name: 'Chair' });
    await post(`customers/${customer.id}`, { name: 'Grace Murray' });
    await fill();
    for (const q of ['hopper 129', 'hopper']) expect(await found(q, 'payment'), q).toEqual([]);
    expect(await found('murray chair', 'subscription')).toEqual([subscription.id]);
    expect(await found('murray 129.00', 'payment')).toEqual([payment.id]);
  });

  test('is filled by one of several instances at a time', async () => {
    const indexers = [1, 2, 3].map(() => indexerWith(pool));
    const outcomes = new Set<string>();
    for (let round = 0; round < shareOf(30, 5); round++) {
      const changes = Array.from({ length: 4 }, (_, at) => post('customers', { name: `Round ${round} of ${at}` }));
      const steps = indexers.map(async (indexer) => outcomes.add(await indexer.followStep()));
      await Promise.all([...changes, ...steps]);
    }
    await fill();
    expect(outcomes).toContain('busy');
    expect(await found('round')).toHaveLength(10);
  });

  test('is filled though deletions follow each other without a gap', async () => {
    const { slow, loaded, goOn } = heldBack(kinds);
    await post('customers', { name: 'Held' });
    await visible();
    const held = indexerWith(pool, slow).followStep();
    await loaded;
    const indexer = indexerWith(pool);
    for (let tries = 0; tries < 3; tries++) expect(await indexer.followStep()).toBe('busy');
    const waiting = indexer.followStep();
    await waitingFor('advisory');
    const later = forgetObjects({ leases: onePool(pool) }, tenant, []);
    goOn();
    expect(await Promise.all([held, waiting, later])).toEqual(['idle', 'more', undefined]);
  });

  test.each([1, 10, 59])('has a change that commits %i s after its id was made', async (seconds) => {
    const { id } = await post('customers', { name: `Prompt ${seconds}` });
    await fill();
    const indexer = indexerWith(pool);
    while ((await readPosition(server.sql))!.steps.length > 0) await indexer.followStep();
    const follow = async () => {
      await post('customers', { name: 'Somebody else' });
      await visible();
      expect(await indexer.followStep()).toBe('idle');
    };
    await follow();
    const text = `with renamed as (update customers set name = $3 where tenant = $1 and id = $2)
      insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $4, 'customer.updated', $2, 2, '{}')`;
    const event = newId('evt', Date.now() - seconds * 1_000);
    await server.sql.query(text, [tenant, id, `Tardy ${seconds}`, event]);
    // It takes its time while there is something else to do.
    const isLate = seconds > 2;
    for (let steps = 0; steps < 2; steps++) {
      await follow();
      expect(await found(`tardy ${seconds}`)).toEqual(isLate ? [] : [id]);
    }
    // As if its first step had been taken 20 seconds earlier.
    await server.sql.query('update search_position set step_since[1] = step_since[1] - 20000');
    await post('customers', { name: 'Somebody else' });
    expect(await indexer.followStep()).toBe('more');
    expect([await found(`prompt ${seconds}`), await found(`tardy ${seconds}`)]).toEqual([[], [id]]);
    expect((await readPosition(server.sql))!.steps).toEqual([]);
  });

  test('has late changes as soon as there is nothing else to do', async () => {
    const { id } = await post('customers', { name: 'Prompt' });
    await fill();
    await server.sql.query(`update customers set name = 'Tardy last' where tenant = $1 and id = $2`, [tenant, id]);
    await server.sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $2, 'customer.updated', $3, 2, '{}')`,
      [tenant, newId('evt', Date.now() - 30_000), id],
    );
    await post('customers', { name: 'Somebody else' });
    await fill();
    const indexer = indexerWith(pool);
    while ((await readPosition(server.sql))!.steps.length > 0) await indexer.followStep();
    expect(await found('tardy last')).toEqual([id]);
  });

  test('says how far it is behind, from the oldest change that waits', async () => {
    await fill();
    expect(await indexLagSeconds(server.sql)).toBe(0);
    await server.sql.query('update search_position set since = since - 3600000');
    const began = performance.now();
    await post('customers', { name: 'Late' });
    const lag = await indexLagSeconds(server.sql);
    expect(lag).toBeGreaterThan(0);
    expect(lag).toBeLessThan((performance.now() - began) / 1_000 + 0.01);
    await fill();
    expect(await indexLagSeconds(server.sql)).toBe(0);
  });
});

const waitingFor = (locktype: string) =>
  expect
    .poll(
      async () =>
        (await server.sql.query('select from pg_locks where locktype = $1 and not granted', [locktype])).rowCount,
    )
    .toBeGreaterThan(0);

describe('a server that is killed', () => {
  const everyStatement = shareOf(1, 3);
  test.each([
    ['before a statement', false],
    ['after a statement, whose answer is lost', true],
  ])('%s leaves an index that goes on', async (_, isSent) => {
    await fill();
    const { id } = await post('customers', { name: 'Nobody' });
    for (let at = 1; ; at += everyStatement) {
      const name = `killed${at}x${isSent}`;
      await post(`customers/${id}`, { name });
      const breaking = breakingPool(pool, at, isSent);
      await visible();
      const outcome = await indexerWith(breaking.pool).followStep().catch(String);
      const isKept = outcome === 'idle' || outcome === 'more';
      // The last statement is the commit: it may have arrived.
      if (!isKept) expect(outcome).toContain('the connection was closed');
      await fill();
      expect(await found(name)).toEqual([id]);
      if (isKept) break;
    }
    await beginWalks(pool, kinds, { tenants: [tenant] });
    for (let at = 1, isOver = false; !isOver; at += everyStatement) {
      const outcome = await indexerWith(breakingPool(pool, at, isSent).pool)
        .walkStep()
        .catch(String);
      isOver = outcome === 'more';
    }
  });
});

describe('a customer that is deleted', () => {
  const rowsOf = async (id: string) =>
    (await server.sql.query('select from search_objects where object = $1', [id])).rowCount;
  const isEnded = async (id: string) =>
    (await server.sql.query('select due_at from deleted_customers where id = $1', [id])).rows[0]?.due_at === null;

  test('is forgotten before its deletion ends, though the index is far behind', async () => {
    const { id } = await post('customers', { name: 'Mary Shelley', email: 'mary@example.com', phone: '+44 20 1' });
    await fill();
    expect(await rowsOf(id)).toBe(1);
    await account.test.delete(`/v1/customers/${id}`);
    await server.settled();
    await expect.poll(() => isEnded(id)).toBe(true);
    expect(await rowsOf(id)).toBe(0);
    expect((await facts()).filter((fact) => fact.includes('shelley'))).toEqual([]);
  });

  test('is forgotten, though it is being indexed at that moment', async () => {
    const { id } = await post('customers', { name: 'Emily Noether' });
    const { slow, loaded, goOn } = heldBack(kinds);
    await visible();
    const step = indexerWith(pool, slow).followStep();
    await loaded;
    await account.test.delete(`/v1/customers/${id}`);
    await waitingFor('advisory');
    expect(await isEnded(id)).toBe(false);
    goOn();
    await step;
    await expect.poll(() => isEnded(id)).toBe(true);
    expect(await rowsOf(id)).toBe(0);
  });
});

describe('an index that is wrong', () => {
  test('is right after a rebuild, during which it is used', async () => {
    const { id } = await post('customers', { name: 'Sofia Kovalevskaya' });
    await fill();
    await server.sql.query(`delete from search_terms where term = 'sofia'`);
    await server.sql.query(
      `insert into search_terms (tenant, kind, term, number)
       select tenant, 'cus', 'wrong', number from search_objects where object = $1
       union all values ($2::int4, 'cus', 'nobodys', 999999::int8), ($2, 'py', 'nobodys', 999999)`,
      [id, tenant],
    );
    await server.sql.query(`insert into search_objects (tenant, object, words) values ($1, 'cus_gone', 'gone')`, [
      tenant,
    ]);
    expect(await found('sofia')).toEqual([]);
    await beginWalks(pool, kinds, { tenants: await everyTenant(pool) });
    const indexer = indexerWith(pool);
    while ((await indexer.walkStep()) === 'more') expect(await found('kovalevskaya')).toEqual([id]);
    expect(await found('sofia')).toEqual([id]);
    expect((await facts()).filter((fact) => /wrong|nobodys|gone/.test(fact))).toEqual([]);
  });

  test('is filled, though it has terms of numbers that come later', async () => {
    await fill();
    const { rows } = await server.sql.query('select max(number)::int4 as last from search_objects');
    await server.sql.query(
      `insert into search_terms (tenant, kind, term, number) select $1, 'cus', 'hypatia', $2::int4 + n from generate_series(1, 50) n`,
      [tenant, rows[0].last],
    );
    const { id } = await post('customers', { name: 'Hypatia' });
    const indexer = indexerWith(pool);
    const signal = AbortSignal.timeout(30_000);
    await expect
      .poll(async () => {
        await indexer.run(signal);
        return (await found('hypatia')).includes(id);
      })
      .toBe(true);
    await beginWalks(pool, kinds, { tenants: await everyTenant(pool) });
    await fill();
    expect(await found('hypatia')).toEqual([id]);
  });

  test('is gone through from the start, though a rebuild begins in the middle of a step', async () => {
    const { id } = await post('customers', { name: 'Rosa' });
    await fill();
    await beginWalks(pool, kinds, { tenants: [tenant] });
    await server.sql.query(`delete from search_walks where kind <> 'cus'`);
    const { slow, loaded, goOn } = heldBack(kinds);
    const step = indexerWith(pool, slow).walkStep();
    await loaded;
    // What the step has read of it is no longer so, and no event says it.
    await server.sql.query(`update customers set name = 'Luxemburg' where id = $1`, [id]);
    const rebuild = beginWalks(pool, kinds, { tenants: [tenant] });
    await waitingFor('transactionid');
    goOn();
    await Promise.all([step, rebuild]);
    await fill();
    expect([await found('rosa'), await found('luxemburg')]).toEqual([[], [id]]);
  });

  test('is rebuilt without writing what is right, in slices that are not long', async () => {
    await server.sql.query(
      `insert into search_objects (tenant, object, words)
       select $1, 'cus_' || lpad(n::text, 22, '0'), 'gone' from generate_series(1, 1200) n`,
      [tenant],
    );
    const rows = async () =>
      (await server.sql.query(`select ctid, object from search_objects where words <> 'gone' order by object`)).rows;
    const before = await rows();
    expect(before.length).toBeGreaterThan(3);
    await beginWalks(pool, kinds, { tenants: [tenant] });
    await server.sql.query(`delete from search_walks where kind <> 'cus'`);
    const indexer = indexerWith(pool);
    const left: number[] = [];
    while ((await indexer.walkStep()) === 'more')
      left.push((await server.sql.query(`select from search_objects where words = 'gone'`)).rowCount!);
    expect(left).toEqual([700, 200, 0]);
    expect(await rows()).toEqual(before);
  });

  test('goes on in a database that counts its transactions anew', async () => {
    await fill();
    await server.sql.query('update search_position set xact = 9000000000000000');
    const { id } = await post('customers', { name: 'Restored' });
    await fill();
    expect(await found('restored')).toEqual([id]);
    expect((await readPosition(server.sql))!.next.xact).toBeLessThan(9_000_000_000_000_000);
  });

  test('is filled anew after a pause that events do not outlast', async () => {
    await fill();
    const { id } = await post('customers', { name: 'Paused' });
    await server.sql.query('delete from events where object_id = $1', [id]);
    await server.sql.query('update search_position set since = since - 21 * 86400000::int8');
    await fill();
    expect(await found('paused')).toEqual([id]);
  });

  test('loses what went with a test clock', async () => {
    const { id: test_clock } = await post('test_clocks', { frozen_time: 2_000_000_000 });
    const customer = await post('customers', { name: 'Timeless', test_clock });
    await post('invoice_items', { customer: customer.id, amount: 700, currency: 'eur', description: 'Sundial' });
    const invoice = await post('invoices', { customer: customer.id });
    await fill();
    expect(await found('sundial', 'invoice')).toEqual([invoice.id]);
    await account.test.delete(`/v1/test_clocks/${test_clock}`);
    await server.settled();
    await expect.poll(() => walksLeft(server.sql)).toBeGreaterThan(0);
    await fill();
    expect((await facts()).filter((fact) => fact.includes('sundial'))).toEqual([]);
  });
});
