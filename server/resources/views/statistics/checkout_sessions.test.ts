import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import { funnelSources } from '../../../operations/extension_points/statistics.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { limitMs, seed, shareOf } from '../../../test/torture.ts';
import { Checkout, cards } from '../../selling/checkout_sessions/checkout.fixture.ts';
import { readFigures } from './figures.ts';
import { listed, rateIn } from './lists.fixture.ts';

let server: TestServer;
let shop: TestAccount;
const viewers: Client[] = [];
let checkout: Checkout;
let links: string[];

const hour = 3_600;
const from = Date.UTC(2027, 0, 31, 23) / 1_000;
const statuses = ['open', 'complete', 'expired', 'complete', 'processing'];
const currencies = ['eur', 'usd', null, 'jpy', 'eur', 'eur', 'usd'];

/** Sessions at the edges of hours and between them, of every status, currency and link. */
async function fill(): Promise<void> {
  const made = await checkout.create();
  const rows = Array.from({ length: 80 }, (_, n) => ({
    id: `${firstIdAt('cs', (from - hour + (n >> 1) * 1_200 - (n % 2)) * 1_000).slice(0, -4)}${n + 1_000}`,
    status: statuses[n % statuses.length],
    currency: currencies[n % currencies.length],
    payment_link: n % 3 === 0 ? null : links[n % links.length],
    amount_total: currencies[n % currencies.length] === null ? 0 : 100 + n,
    due_at: null,
    completed_at: statuses[n % statuses.length] === 'complete' ? new Date() : null,
    expired_reason: statuses[n % statuses.length] === 'expired' ? 'time' : null,
  }));
  await server.sql.query(
    `insert into checkout_sessions select (json_populate_record(s, r)).* from checkout_sessions s, json_array_elements($2::json) r
      where s.id = $1`,
    [made.id, JSON.stringify(rows)],
  );
  await server.sql.query('delete from checkout_sessions where id = $1', [made.id]);
}

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  checkout = new Checkout(server, shop);
  // A person has 600 requests a minute.
  for (let n = 0; n < shareOf(4, 1); n++) viewers.push((await server.person(shop.id, 'viewer')).client);
  const make = async () => (await shop.test.post('/v1/payment_links', { amount: 500, currency: 'eur' })).json.id;
  links = [await make(), await make()];
  await fill();
});
afterAll(() => server.stop());

type Wish = { from: number; to: number; currency?: string | undefined; payment_link?: string | undefined };
const queryOf = (wish: object) =>
  new URLSearchParams(Object.entries(wish).filter(([, value]) => value !== undefined) as [string, string][]);
let asked = 0;
const ask = (wish: Wish) => viewers[asked++ % viewers.length]!.get(`/v1/statistics/checkout_sessions?${queryOf(wish)}`);

/** The numbers as the list with the same filters has them. */
async function counted({ from: start, to, ...filters }: Wish) {
  const query = queryOf(filters).toString();
  const all = await listed(shop.test, `checkout_sessions?${query}&`, start, to);
  const rows = [...Map.groupBy(all, ({ currency }) => currency as string | undefined)].map(([currency, ones]) => {
    const of = (...wanted: string[]) => ones.filter(({ status }) => wanted.includes(status));
    const [completed, expired] = [of('complete'), of('expired').length];
    const { success_rate: conversion_rate } = rateIn(completed.length, expired);
    return {
      ...(currency === undefined ? {} : { currency }),
      ...{ created: ones.length, under_way: of('open', 'processing').length, completed: completed.length, expired },
      ...(conversion_rate === undefined ? {} : { conversion_rate }),
      amount: completed.reduce((sum, { amount_total }) => sum + amount_total, 0),
    };
  });
  return rows.sort((one, other) => ((one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1));
}

describe('statistics of checkout sessions', () => {
  test('are the numbers of the list with the same filters', { timeout: limitMs }, async () => {
    const second = fc.integer({ min: from - 2 * hour, max: from + 15 * hour });
    const wish = fc.record({
      range: fc.tuple(second, second).filter(([one, other]) => one !== other),
      currency: fc.constantFrom(undefined, 'eur', 'usd', 'jpy', 'chf'),
      link: fc.constantFrom(undefined, 0, 1),
    });
    const property = fc.asyncProperty(wish, async ({ range, currency, link }) => {
      const [start, to] = range.toSorted((one, other) => one - other) as [number, number];
      const wanted = { from: start, to, currency, payment_link: link === undefined ? undefined : links[link] };
      expect((await ask(wanted)).json.totals).toEqual(await counted(wanted));
    });
    await fc.assert(property, { numRuns: shareOf(1_000, 40), seed: seed | 0, endOnFailure: true });
  });

  test('of sessions that were made, paid, declined and expired', async () => {
    const start = Math.floor(Date.now() / 1_000) - 5;
    const paid = [
      await checkout.create(),
      await checkout.create({ amount: 700 }),
      await checkout.create({ currency: 'usd' }),
    ];
    for (const one of paid) await checkout.pay(one);
    const declined = await checkout.create();
    await checkout.pay(declined, cards.declined);
    const expired = await checkout.create();
    await shop.test.post(`/v1/checkout_sessions/${expired.id}/expire`, {});
    const wish = { from: start, to: start + hour };
    const { json } = await ask(wish);
    const eur = { created: 4, under_way: 1, completed: 2, expired: 1, conversion_rate: 0.6667, amount: 2_700 };
    const usd = { created: 1, under_way: 0, completed: 1, expired: 0, conversion_rate: 1, amount: 2_000 };
    const totals = [
      { currency: 'eur', ...eur },
      { currency: 'usd', ...usd },
    ];
    expect(json).toEqual({ object: 'statistics_checkout_sessions', ...wish, totals });
    expect(json.totals).toEqual(await counted(wish));
  });

  test('are of one account and mode, and need the right to read statistics', async () => {
    const wish = { from, to: from + hour };
    const live = viewers[0]!.with({ 'X-Tollgate-Mode': 'live' });
    expect((await live.get(`/v1/statistics/checkout_sessions?${queryOf(wish)}`)).json.totals).toEqual([]);
    const support = (await server.person(shop.id, 'support')).client;
    const refused = await support.get(`/v1/statistics/checkout_sessions?${queryOf(wish)}`);
    expect(refused.json.error.code).toBe('role_missing');
    expect((await ask({ ...wish, payment_link: 'plink_none' })).json.totals).toEqual([]);
  });

  test.each([
    [{ from, to: from }, 'parameter_invalid', 'to'],
    [{ from, to: from + 367 * 86_400 }, 'parameter_invalid', 'to'],
    [{ from, to: from + hour, currency: 'xau' }, 'currency_unknown', 'currency'],
  ])('for %j are refused', async (wish, code, param) => {
    const { status, json } = await ask(wish);
    expect([status, json.error?.code, json.error?.param]).toEqual([400, code, param]);
  });

  test.skipIf(isDistributedRun).each([
    ['all', undefined, 'checkout_sessions_by_status_with_amount'],
    ['those of a link', 0, 'checkout_sessions_by_link_with_amount'],
  ])('are read from an index that holds them: %s', async (_, link, index) => {
    const plans: string[] = [];
    const explaining = {
      async rows(text: string, values: unknown[]) {
        const { rows } = await server.sql.query(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [];
      },
    } as unknown as Reads;
    await server.sql.query('vacuum analyze checkout_sessions');
    await server.sql.query('set enable_seqscan = off'); // of eighty rows everything is quick
    const [source] = catalog.extensionsOf(funnelSources);
    const only = link === undefined ? undefined : { column: 'payment_link', value: links[link]! };
    const tenant = await tenantOf(server.sql, shop.id, 'test');
    await readFigures(explaining, tenant, source!, [{ start: from, end: from + hour }], null, only);
    expect(plans[0]).toContain(`Index Only Scan using ${index}`);
  });
});
