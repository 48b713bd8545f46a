import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Connection, connect, openPool } from '../../base/sql.ts';
import { everyTenant } from '../../operations/tenants.ts';
import { keepRevenueDays } from '../../resources/billing/subscription_state/revenue.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const tenants = 12;
const daysAgo = 3;
const [before, after] = [1_000, 2_000];
const children = new Children();
afterAll(() => children.cleanUp());

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let lock: Connection;

/** Each tenant has a subscription, and a day that has ended and is not closed. */
beforeEach(async () => {
  database = await createDatabase();
  const [one, other] = [await connect(database.address, 'test'), await connect(database.address, 'test')];
  [sql, lock] = [one, other];
  onTestFinished(async () => {
    await Promise.all([one.end(), other.end()]);
    await database.drop();
  });
  await sql.query(
    `insert into accounts (id, name, tier) select 'acct_' || n, 'Shop', 'standard' from generate_series(1, $1::int) n`,
    [tenants],
  );
  await sql.query(
    `insert into tenants (tenant, account, mode) overriding system value select n, 'acct_' || n, 'test' from generate_series(1, $1::int) n`,
    [tenants],
  );
  await sql.query(
    `insert into subscriptions (tenant, id, version, customer, status, currency, items, billing_interval, interval_count,
            billing_cycle_anchor, current_period_start, current_period_end, open_invoices, waiting_lines, cancel_at_period_end,
            trial_announced, coupon_used, gives_up, created, mrr)
     select tenant, 'sub_1', 1, 'cus_1', 'active', 'eur', '[]', 'month', 1, 0, 0, 1, 0, 0, false, false, false, false, 0, $1 from tenants`,
    [before],
  );
  await sql.query(
    `insert into revenue_days (tenant, day) select tenant, (now() at time zone 'utc')::date - $1::int from tenants`,
    [daysAgo],
  );
});

/** Nobody can close the day of the tenant in the middle. */
async function holdOne(): Promise<void> {
  await lock.query('begin');
  await lock.query('select from revenue_days where tenant = $1 for update', [tenants / 2]);
}

/** How many servers wait to close it. */
async function waiting(): Promise<number> {
  const { rows } = await sql.query(
    `select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%update revenue_days%'`,
  );
  return Number(rows[0].count);
}
const untilWaiting = (count: number) =>
  until(`${count} wait to close the day`, patienceMs, async () => (await waiting()) === count);

const changeRevenue = () => sql.query('update subscriptions set mrr = $1', [after]);

type KeptDay = { tenant: number; day: string; mrr: number | null };
async function keptDays(): Promise<KeptDay[]> {
  const { rows } = await sql.query(
    `select tenant, day::text as day, (figures->'eur'->>'mrr')::int8 as mrr from revenue_days order by tenant, day`,
  );
  return rows as KeptDay[];
}
const closedOf = (days: readonly KeptDay[]) => new Set(days.filter(({ mrr }) => mrr !== null).map((one) => one.tenant));

/** Every day is there once, and closed but for the last. `revenueOf`: what all days of a tenant must have. */
function expectClosed(days: readonly KeptDay[], revenueOf: (tenant: number) => unknown): void {
  for (const [tenant, own] of Map.groupBy(days, (one) => one.tenant)) {
    const first = Date.parse(own[0]!.day);
    expect(own.map(({ day }) => (Date.parse(day) - first) / 86_400_000)).toEqual(own.map((_, at) => at));
    expect(own.length).toBeGreaterThan(daysAgo);
    expect([tenant, ...own.map(({ mrr }) => mrr)]).toEqual([
      tenant,
      ...own.slice(1).map(() => revenueOf(tenant)),
      null,
    ]);
  }
  expect(closedOf(days).size).toBe(tenants);
}

test('two that close a day at the same moment close it once', async () => {
  const pools = [1, 2].map(() => openPool(database.address, { use: 'relaxed', connectionsMax: 1, onError: () => {} }));
  onTestFinished(async () => void (await Promise.all(pools.map((pool) => pool.end()))));
  await holdOne();
  const first = keepRevenueDays(pools[0]!, await everyTenant(pools[0]!));
  await untilWaiting(1);
  const closed = closedOf(await keptDays());
  await changeRevenue();
  const second = keepRevenueDays(pools[1]!, await everyTenant(pools[1]!)); // it finds the later revenue, and must not keep it
  await untilWaiting(2);
  await lock.query('commit');
  await Promise.all([first, second]);
  const isEarlier = (tenant: number) => closed.has(tenant) || tenant === tenants / 2;
  expectClosed(await keptDays(), (tenant) => (isEarlier(tenant) ? before : after));
});

describe.runIf(isTorture)('kill -9 of a server that closes days', () => {
  test('leaves each day closed or open, and two others close what is open once', async () => {
    const environment = children.serveEnvironment({ DATABASE_URL: database.url });
    await holdOne();
    const killed = await children.serve(environment);
    await untilWaiting(1);
    const closed = closedOf(await keptDays());
    expect(closed.size).toBeGreaterThan(0);
    expect(closed.size).toBeLessThan(tenants);
    await killed.child.stop('SIGKILL');
    await changeRevenue();
    const servers = await Promise.all([children.serve(environment), children.serve(environment)]);
    await until('the others wait too', patienceMs, async () => (await waiting()) >= 2);
    await lock.query('commit');
    await until('all days are closed', patienceMs, async () => closedOf(await keptDays()).size === tenants);
    const days = await keptDays();
    // What the killed server has sent may still take effect, as may what the others have.
    const held = days.find(({ tenant, mrr }) => tenant === tenants / 2 && mrr !== null)!.mrr;
    expect([before, after]).toContain(held);
    expectClosed(days, (tenant) => (tenant === tenants / 2 ? held : closed.has(tenant) ? before : after));
    for (const { child } of servers) await child.stop('SIGTERM');
    expect(await keptDays()).toEqual(days);
  });
});
