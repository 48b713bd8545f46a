import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import { unusedPort } from '../unused_port.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

/** Everybody who has an account at Stripe hears of everything that happens there. */

let shop: StripeShop;
let fake: FakeStripe;
let port: number;

beforeAll(async () => {
  port = await unusedPort();
  shop = await openStripeShop({ isAlone: true, environment: { METRICS_PORT: String(port) } });
  fake = await shop.stripe();
  await shop.processor(fake);
  await shop.server.settled(); // Stripe is asked whose account it is
});
afterAll(() => shop.stop());

const unmatched = async () => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = text.matchAll(/^tollgate_notices_unmatched_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};
const strange = () => shop.logged('warn', 'error').filter(({ msg }) => /not known here|cannot be recorded/.test(msg));

/** A payment that is disputed immediately, and the dispute is lost. */
async function disputed(): Promise<void> {
  const { json } = await shop.pay('4000000000000259');
  expect(json.status).toBe('succeeded');
  await shop.later(300);
  const [{ id }] = (await shop.account.test.get(`/v1/disputes?payment=${json.id}`)).json.data;
  await shop.account.test.post(`/v1/disputes/${id}/close`);
  await shop.later(600);
  expect((await shop.account.test.get(`/v1/disputes/${id}`)).json.status).toBe('lost');
}

describe('two processor accounts of one account at Stripe', () => {
  test('ignore what the other has made, without a word', async () => {
    await shop.processor(fake);
    await shop.server.settled();
    for (let payments = 0; payments < 3; payments++) expect((await shop.pay()).json.status).toBe('succeeded');
    await disputed();
    for (let polls = 0; polls < 8; polls++) await shop.later(300); // six failures would be an incident
    expect([strange(), await unmatched()]).toEqual([[], 0]);
  });
});

describe('another gateway at the same account at Stripe', () => {
  test('causes one warning an hour, and a counter counts', async () => {
    const other = await openStripeShop();
    try {
      const processor = await other.processor(fake);
      for (let payments = 0; payments < 3; payments++) expect((await other.pay()).json.status).toBe('succeeded');
      await shop.later(300);
      const lines = strange();
      expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn']); // one for each processor account
      expect(lines[0]).toMatchObject({ connector: 'stripe', processor_account: expect.stringMatching(/^pa_/) });
      expect(lines.map(({ processor_account }) => processor_account)).not.toContain(processor);
      expect(await unmatched()).toBe(6);
      expect((await other.pay()).json.status).toBe('succeeded');
      await shop.later(300);
      expect([strange(), await unmatched()]).toEqual([lines, 8]);
      expect((await other.pay()).json.status).toBe('succeeded');
      await shop.later(3_600);
      expect(strange()).toHaveLength(4);
      expect(await shop.rows('select 1 from notices where failures > 0')).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
