import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { openPool } from '../../../base/sql.ts';
import { createChallenges } from '../../../connectors/simulator/challenges.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { places, shareOf } from '../../../test/torture.ts';
import { brokenInvariants, openShop, type Shop } from './payments.fixture.ts';

describe.each(places)('two instances, and a simulator that is %s', (place) => {
  const clock = virtualClock(Date.now());
  let shop: Shop;
  let other: TestServer;
  let clients: [Client, Client];

  beforeAll(async () => {
    const options = { clock, environment: { SIMULATOR: place } };
    shop = await openShop(options);
    other = await startServer({ ...options, databaseUrl: shop.server.databaseUrl });
    clients = [shop.account.test, other.client(shop.account.testKey)];
  });
  afterAll(async () => {
    await other.stop();
    await shop.stop();
  });

  async function pathOf(payment: { next_action: { redirect_to_url: { url: string } } }) {
    return new URL(payment.next_action.redirect_to_url.url).pathname;
  }

  test('capture, capture, cancel and update of one payment: one of the three verbs wins, the update always takes effect', async () => {
    const ids: string[] = [];
    for (let at = 0; at < shareOf(20, 8); at++) ids.push((await shop.paid(undefined, { capture_method: 'manual' })).id);
    const race = async (id: string, at: number) => {
      const [here, there] = at % 2 === 0 ? clients : clients.toReversed();
      return Promise.all([
        there!.post(`/v1/payments/${id}`, { description: 'x' }),
        here!.post(`/v1/payments/${id}/capture`, { amount: 300 }),
        there!.post(`/v1/payments/${id}/cancel`, {}),
        there!.post(`/v1/payments/${id}/capture`, { amount: 500 }),
      ]);
    };
    for (const [at, [updated, ...verbs]] of (await Promise.all(ids.map(race))).entries()) {
      const id = ids[at]!;
      expect(updated.status, updated.text).toBe(200);
      expect(verbs.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
      const winner = verbs.find(({ status }) => status === 200)!.json;
      const { status, amount_received, description } = (await shop.read(id)).json;
      expect([status, amount_received, description]).toEqual([winner.status, winner.amount_received, 'x']);
      expect((await shop.charges(id)).map(({ net }) => net)).toEqual([amount_received]);
      const types = (await shop.eventTypes(id)).filter((type) => type !== 'payment.updated');
      expect(types).toEqual(['payment.requires_capture', `payment.${status}`]);
    }
  });

  test('payments with one card at the same moment: its security code is for one of them', async () => {
    for (let round = 0; round < shareOf(5, 2); round++) {
      const body = { amount: 100, currency: 'usd', payment_method: await shop.method() };
      const paid = await Promise.all(Array.from({ length: 6 }, (_, at) => clients[at % 2]!.post('/v1/payments', body)));
      expect(paid.map(({ json }) => json.status)).toEqual(Array(6).fill('succeeded'));
      const ids = paid.map(({ json }) => json.id);
      const checked = await shop.sql('select from attempts where payment = any($1) and cvc_result = $2', [ids, 'M']);
      expect(checked).toHaveLength(1);
    }
  });

  test('approve here, refuse there, and a cancel: one wins, and the ledger agrees', async () => {
    for (let round = 0; round < shareOf(10, 4); round++) {
      const payment = await shop.paid('4000000000003220');
      const path = await pathOf(payment);
      const [approved, refused, canceled] = await Promise.all([
        shop.server.anonymous.form(path, 'decision=approve'),
        other.anonymous.form(path, 'decision=refuse'),
        clients[round % 2]!.post(`/v1/payments/${payment.id}/cancel`, {}),
      ]);
      expect([approved.status, refused.status]).toEqual([303, 303]);
      const { status, amount_received } = (await shop.read(payment.id)).json;
      expect(['succeeded', 'failed', 'canceled']).toContain(status);
      expect(canceled.status).toBe(status === 'canceled' ? 200 : 400);
      expect((await shop.charges(payment.id)).map(({ net }) => net)).toEqual([amount_received]);
      expect(await shop.eventTypes(payment.id)).toEqual(['payment.requires_action', `payment.${status}`]);
    }
  });

  test('a cancel after an approval that only the simulator knows gives the money back', async () => {
    const payment = await shop.paid('4000000000003220');
    const token = (await pathOf(payment)).split('/').at(-1)!;
    const address = { connectionString: shop.server.databaseUrl };
    const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} });
    await createChallenges({ durable: onePool(pool), clock }).decide(token, 'approve');
    await pool.end();
    expect(await shop.charges(payment.id)).toMatchObject([{ net: 2000 }]);
    const { status, json } = await clients[1].post(`/v1/payments/${payment.id}/cancel`, {});
    expect([status, json.status]).toEqual([200, 'canceled']);
    expect(await shop.charges(payment.id)).toMatchObject([{ canceled: true, net: 0 }]);
  });

  test('everything unknown and everything due at the same time, with both workers: each payment ends once', async () => {
    const ids: string[] = [];
    const ofEach = shareOf(8, 3);
    for (const number of ['4000000000000408', '4000000000000416', '4000000000003220'])
      for (let at = 0; at < ofEach; at++) ids.push((await shop.paid(number)).id);
    clock.advance(3_600_000);
    await shop.server.settled();
    for (const [at, id] of ids.entries()) {
      const status = (['succeeded', 'failed', 'canceled'] as const)[Math.floor(at / ofEach)];
      expect((await shop.read(id)).json.status).toBe(status);
      const first = status === 'canceled' ? 'payment.requires_action' : 'payment.processing';
      expect(await shop.eventTypes(id)).toEqual([first, `payment.${status}`]);
    }
  });

  test('the books agree', async () => {
    expect(await brokenInvariants(shop)).toEqual([]);
    const [...loud] = [...shop.server.logged, ...other.logged].filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(loud).toEqual([]);
  });
});
