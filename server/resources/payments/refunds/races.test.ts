import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { places, shareOf } from '../../../test/torture.ts';
import { openShop, type Shop } from '../payments/payments.fixture.ts';
import { booksOf } from './refunds.fixture.ts';

describe.each(places)('two instances, and a simulator that is %s', (place) => {
  let shop: Shop;
  let other: TestServer;
  let clients: [Client, Client];

  beforeAll(async () => {
    const environment = { SIMULATOR: place };
    shop = await openShop({ environment });
    other = await startServer({ environment, databaseUrl: shop.server.databaseUrl });
    clients = [shop.account.test, other.client(shop.account.testKey)];
  });
  afterAll(async () => {
    await other.stop();
    await shop.stop();
  });

  /** As a careful merchant would: with its own key, and again after a 429. */
  async function refund(at: number, body: object) {
    const headers = { 'Idempotency-Key': randomUUID() };
    for (;;) {
      const answer = await clients[at % 2]!.post('/v1/refunds', body, headers);
      if (answer.status !== 429) return answer;
    }
  }

  test('more refunds of a part each than there are parts: as many are made as parts, and the processor has refunded as much', async () => {
    const [tries, parts] = [shareOf(100, 30), shareOf(30, 10)];
    const amount = parts * 100;
    const { id } = await shop.paid(undefined, { amount });
    const answers = await Promise.all(
      Array.from({ length: tries }, (_, at) => refund(at, { payment: id, amount: 100, metadata: { at } })),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made.map(({ json }) => json.status)).toEqual(Array(parts).fill('succeeded'));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ json }) => json.error.code))).toEqual(new Set(['refund_exceeds_payment']));
    expect((await shop.read(id)).json.amount_refunded).toBe(amount);
    expect(await booksOf(shop, id)).toEqual({ processor: 0, balance: 0 });
    expect(await shop.charges(id)).toMatchObject([{ captured: amount, net: 0 }]);
    const [counts] = await shop.sql(
      `select count(*) filter (where type = 'payment.refunded')::int as told, count(distinct object_version)::int as versions
         from events where object_id = $1`,
      [id],
    );
    expect(counts).toEqual({ told: parts, versions: parts + 1 }); // and the payment itself
  });

  test('many concurrent full refunds: one is made', async () => {
    for (let round = 0; round < shareOf(5, 2); round++) {
      const { id } = await shop.paid();
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => refund(at, { payment: id })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
      expect(await booksOf(shop, id)).toEqual({ processor: 0, balance: 0 });
    }
  });

  test('concurrent refunds and updates of one payment: none is lost', async () => {
    const { id } = await shop.paid();
    const updates = Array.from({ length: 10 }, async (_, at) => {
      for (;;) {
        const { status } = await clients[at % 2]!.post(`/v1/payments/${id}`, { metadata: { [`k${at}`]: at } });
        if (status === 200) return;
        expect(status).toBe(429);
      }
    });
    const refunds = Array.from({ length: 10 }, (_, at) => refund(at, { payment: id, amount: 10 }));
    await Promise.all([...updates, ...refunds]);
    const { amount_refunded, metadata } = (await shop.read(id)).json;
    expect([amount_refunded, Object.keys(metadata).length]).toEqual([100, 10]);
  });

  if (place === 'local') return; // nothing is under way within one transaction

  test('a retry during a call in flight waits for its answer', async () => {
    const { id } = await shop.paid();
    await shop.sql(
      `insert into simulator_faults (verb, kind, remaining, milliseconds) values ('refund', 'delay', 1, 500)`,
    );
    const headers = { 'Idempotency-Key': randomUUID() };
    const post = (client: Client) => client.post('/v1/refunds', { payment: id, amount: 300 }, headers);
    const slow = post(clients[0]);
    const asked = () => shop.sql(`select state from attempts where payment = $1 and verb = 'refund'`, [id]);
    await expect.poll(asked).toHaveLength(1);
    const twin = await post(clients[1]);
    expect([twin.status, twin.json.status]).toEqual([200, 'succeeded']);
    expect((await slow).text).toBe(twin.text);
    expect(await asked()).toEqual([{ state: 'approved' }]);
    expect((await shop.read(id)).json.amount_refunded).toBe(300);
  });
});
