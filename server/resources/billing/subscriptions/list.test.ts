import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { Billing, type Shown } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;
let all: Shown[];
let customers: Shown[];
let prices: Shown[];

/** Three customers, three prices, three statuses: each pair is there, and each subscription has one price or two. */
beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  prices = [await billing.price(100), await billing.price(200), await billing.price(300)];
  customers = [await billing.customer(undefined), await billing.customer(undefined), await billing.customer(undefined)];
  for (const customer of customers)
    for (const [index, price] of prices.entries()) {
      const second = { items: [{ price: price.id }, { price: prices[(index + 1) % 3].id, quantity: 0 }] };
      await billing.subscribe(customer, price);
      await billing.subscribe(customer, price, second);
      const ended = await billing.subscribe(customer, price, { trial_days: 5 });
      if (customer === customers[0]) await billing.post(`subscriptions/${ended.id}/cancel`);
    }
  all = (await billing.get('subscriptions?limit=100')).data;
});
afterAll(() => server.stop());

/** All pages of two, put together: forwards, and the first of them again backwards. */
async function pages(wanted: [string, string][]): Promise<Shown[]> {
  const query = new URLSearchParams(wanted);
  const found: Shown[] = [];
  for (;;) {
    const cursor = found.length === 0 ? '' : `&starting_after=${found.at(-1).id}`;
    const page = await billing.get(`subscriptions?${query}&limit=2${cursor}`);
    expect(Object.keys(page)).toEqual(['object', 'url', 'has_more', 'data']);
    expect(page.url).toBe('/v1/subscriptions');
    found.push(...page.data);
    if (!page.has_more) break;
  }
  if (found.length > 2) {
    const back = await billing.get(`subscriptions?${query}&limit=2&ending_before=${found[2].id}`);
    expect(back.data).toEqual(found.slice(0, 2));
  }
  return found;
}

test('a list has the newest first, canceled ones too', () => {
  expect(all).toHaveLength(27);
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  );
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['active', 'trialing', 'canceled']));
});

describe('a list can be of a customer, a status and a price, in any combination, page by page:', () => {
  const statuses = [undefined, 'active', 'trialing', 'canceled', 'paused'];
  test.each(statuses)('of the status %s', async (status) => {
    for (const customer of [undefined, ...customers.map(({ id }) => id), unusedId('cus'), 'nobody'])
      for (const price of [undefined, ...prices.map(({ id }) => id), unusedId('price')]) {
        const wanted = Object.entries({ customer, status, price }).filter(([, value]) => value !== undefined);
        const has = (one: Shown) => price === undefined || one.items.some((item: Shown) => item.price === price);
        const expected = all.filter(
          (one) => has(one) && (customer ?? one.customer) === one.customer && (status ?? one.status) === one.status,
        );
        const found = await pages(wanted as [string, string][]);
        expect([wanted, found.map(({ id }) => id)]).toEqual([wanted, expected.map(({ id }) => id)]);
      }
  });
});

test('a list by price follows the items and the status as they change', async () => {
  const [price, other] = [await billing.price(10), await billing.price(20)];
  const made = await billing.subscribe(customers[0], price);
  const found = async (query: string) => (await billing.get(`subscriptions?${query}`)).data.map(({ id }: Shown) => id);
  expect(await found(`price=${price.id}`)).toEqual([made.id]);
  const items = [{ id: made.items[0].id, price: other.id }];
  await billing.post(`subscriptions/${made.id}`, { items, proration: 'none' });
  expect([await found(`price=${price.id}`), await found(`price=${other.id}&status=active`)]).toEqual([[], [made.id]]);
  await billing.post(`subscriptions/${made.id}/cancel`);
  expect(await found(`price=${other.id}&status=active`)).toEqual([]);
  expect(await found(`price=${other.id}&status=canceled&customer=${customers[0].id}`)).toEqual([made.id]);
});

test.each([
  ['status=ended', 'parameter_invalid', 'status', 'incomplete, trialing, active, past_due, unpaid, paused, canceled'],
  ['status=', 'parameter_invalid', 'status', 'must not be empty'],
  ['price=', 'parameter_invalid', 'price', 'must not be empty'],
  ['customer=', 'parameter_invalid', 'customer', 'must not be empty'],
  ['coupon=', 'parameter_invalid', 'coupon', 'must not be empty'],
  ['currency=eur', 'parameter_unknown', 'currency', ''],
  ['limit=0', 'parameter_invalid', 'limit', 'at least 1'],
  ['starting_after=in_1', 'parameter_invalid', 'starting_after', 'sub_'],
  ['price=x&starting_after=in_1', 'parameter_invalid', 'starting_after', 'sub_'],
])('a list refuses %s', async (query, code, param, told) => {
  const answer = await billing.account.test.get(`/v1/subscriptions?${query}`);
  expectRefusal(answer, code, param);
  expect(answer.json.error.message).toContain(told);
});
