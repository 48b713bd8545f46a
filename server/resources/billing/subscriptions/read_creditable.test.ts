import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { Billing, cards, type Shown } from './billing.fixture.ts';

/** Credit for time that was paid for, and whose payment was refunded or lost. The clock stands at the begin of a period. */
let server: TestServer;
let billing: Billing;
let clock: Shown;
let small: Shown;
let large: Shown;
let yearly: Shown;

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  clock = await billing.clock('2027-04-01');
  small = await billing.price(1_000);
  large = await billing.price(3_000);
  yearly = await billing.price(30_000, { interval: 'year' });
});
afterAll(() => server.stop());

/** A new customer's subscription with these prices. */
async function subscribed(prices: Shown[], { card = cards.pays, more = {}, at = clock } = {}) {
  const customer = await billing.customer(at, card);
  const items = prices.map(({ id }) => ({ price: id }));
  return billing.post('subscriptions', { customer: customer.id, items, ...more });
}

async function refund(one: Shown, amount?: number, number = 0): Promise<void> {
  const { payment } = (await billing.invoices(one))[number]!;
  await billing.post('refunds', { payment, ...(amount === undefined ? {} : { amount }) });
}

async function lose(one: Shown): Promise<void> {
  const [{ payment }] = (await billing.invoices(one)) as [Shown];
  const dispute = await eventually(async () => {
    const { data } = await billing.get('disputes?limit=100');
    const found = data.find((each: Shown) => each.payment === payment);
    expect(found).toBeDefined();
    return found;
  });
  expect(await billing.post(`disputes/${dispute.id}/close`)).toMatchObject({ status: 'lost' });
}

const update = (one: Shown, body: object) => billing.post(`subscriptions/${one.id}`, body);
const change = (one: Shown, quantity: number, more: object = {}) =>
  update(one, { items: [{ id: one.items[0].id, quantity }], ...more });
const remove = (one: Shown, at: number, more: object = {}) =>
  update(one, { items: [{ id: one.items[at].id, deleted: true }], ...more });
const cancel = (one: Shown) => billing.post(`subscriptions/${one.id}/cancel`, { proration: 'create' });

async function creditOf({ customer }: Shown): Promise<number> {
  return (await billing.get(`customers/${customer}`)).credit_balance?.eur ?? 0;
}

async function grant(customer: string, amount: number): Promise<void> {
  await billing.post('invoice_items', { customer, amount: -amount, currency: 'eur', description: 'Sorry' });
  const { id } = await billing.post('invoices', { customer });
  await billing.post(`invoices/${id}/finalize`);
}

describe('the credit of a cancellation is at most what is left of the payment', () => {
  const now = { proration: 'invoice_now' };
  const strict = { ...now, payment_behavior: 'error_if_incomplete' };
  type Case = [what: string, credit: number, make: () => Promise<Shown>];
  const cases: Case[] = [
    ['refunded in full', 0, async () => {
      const one = await subscribed([large]);
      await refund(one);
      return one;
    }],
    ['refunded in part', 1_800, async () => {
      const one = await subscribed([large]);
      await refund(one, 700);
      await refund(one, 500);
      return one;
    }],
    ['lost in a dispute', 0, async () => {
      const one = await subscribed([large], { card: '4000000000000259' });
      await lose(one);
      return one;
    }],
    ['an item is removed, and the rest is credited: each has its share', 2_000, async () => {
      const one = await subscribed([large, small]);
      await refund(one, 2_000);
      const { lines } = await billing.post('invoices/preview', {
        ...{ subscription: one.id, items: [{ id: one.items[0].id, deleted: true }], ...now },
      });
      expect(lines.map(({ amount }: Shown) => amount)).toEqual([-1_500]);
      await remove(one, 0, now);
      expect(await creditOf(one)).toBe(1_500);
      return one;
    }],
    ['an item was credited before the refund', 3_000, async () => {
      const one = await subscribed([large, small]);
      await remove(one, 0, now);
      await refund(one, 1_000);
      return one;
    }],
    ['a line was credited while it waited', 0, async () => {
      const one = await subscribed([large]);
      await change(one, 2); // -3000 +6000
      await change(one, 1); // -6000 +3000
      await change(one, 3, now); // -3000 +9000
      await refund(one, undefined, 1);
      await refund(one);
      return one;
    }],
    ['a change waits that has credited what is then refunded', 0, async () => {
      const one = await subscribed([large]);
      await change(one, 2);
      await refund(one);
      return one;
    }],
    ['a change was paid that has credited what is then refunded', 3_000, async () => {
      const one = await subscribed([large]);
      await change(one, 2, strict);
      await refund(one);
      return one;
    }],
    ['another interval has credited what is then refunded', 27_000, async () => {
      const one = await subscribed([large]);
      await update(one, { items: [{ id: one.items[0].id, price: yearly.id }], payment_behavior: 'error_if_incomplete' });
      await refund(one);
      return one;
    }],
    ['a change that was undone', 1_000, async () => {
      const one = await subscribed([large]);
      await refund(one, 2_000);
      await change(one, 2);
      await change(one, 1);
      return one;
    }],
    ['paid by credit in part', 1_000, async () => {
      const customer = await billing.customer(clock);
      await grant(customer.id, 1_000);
      const one = await billing.subscribe(customer, large);
      await refund(one);
      return one;
    }],
    ['paid by credit alone', 3_000, async () => {
      const customer = await billing.customer(clock);
      await grant(customer.id, 3_000);
      return billing.subscribe(customer, large);
    }],
    ['with something else on the invoice', 1_500, async () => {
      const customer = await billing.customer(clock);
      await billing.post('invoice_items', { customer: customer.id, amount: 3_000, currency: 'eur', description: 'A cup' });
      const one = await billing.subscribe(customer, large);
      await refund(one, 3_000);
      return one;
    }],
  ]; // biome-ignore format: a case is a line

  test.each(cases)('%s', async (_what, credit, make) => {
    const one = await make();
    await cancel(one);
    expect(await creditOf(one)).toBe(credit);
  });
});

test('time that was used is not credited, and of the rest no more than is left', async () => {
  const own = await billing.clock('2027-04-01');
  const amounts = [0, 500, 2_500, 3_000];
  const all: Shown[] = [];
  for (const amount of amounts) {
    const one = await subscribed([large], { at: own });
    if (amount > 0) await refund(one, amount);
    all.push(one);
  }
  await billing.advance(own, '2027-04-11');
  for (const one of all) await cancel(one);
  expect(await Promise.all(all.map(creditOf))).toEqual([2_000, 2_000, 500, 0]);
});

test('a change back at the same moment nets to 0, also after a refund in full', async () => {
  const one = await subscribed([large]);
  await refund(one);
  await change(one, 2);
  await change(one, 1);
  const { lines } = await billing.post('invoices/preview', { subscription: one.id });
  const waiting = lines.filter(({ proration }: Shown) => proration).map(({ amount }: Shown) => amount);
  expect(waiting).toEqual([6_000, -6_000, 0]);
});

test.each([
  ['a pause', (one: Shown) => billing.post(`subscriptions/${one.id}/pause`)],
  ['another interval', (one: Shown) => update(one, { items: [{ id: one.items[0].id, price: yearly.id }] })],
  ['a change', (one: Shown) => change(one, 2, { proration: 'invoice_now' })],
])('%s credits nothing of a period that was refunded', async (_what, act) => {
  const one = await subscribed([large]);
  await refund(one);
  await act(one);
  const lines = (await billing.invoices(one)).flatMap((invoice) => invoice.lines);
  expect(lines.filter(({ amount }) => amount < 0)).toEqual([]);
  expect(await creditOf(one)).toBe(0);
});

test('the next period owes nothing to the one before', async () => {
  const own = await billing.clock('2027-04-01');
  const one = await subscribed([large], { at: own });
  await change(one, 2);
  await refund(one);
  await billing.advance(own, '2027-05-01');
  await cancel(one);
  expect(await creditOf(one)).toBe(6_000);
});
