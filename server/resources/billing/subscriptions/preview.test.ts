import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { at, Billing, cards, type Shown } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;
let clock: Shown;
let customer: Shown;
let price: Shown;
let made: Shown;

const begin = '2027-01-01';
const middle = '2027-01-17';
const next = { start: at('2027-02-01'), end: at('2027-03-01') };

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  price = await billing.price(3_100);
  clock = await billing.clock(begin);
  customer = await billing.customer(clock);
  made = await billing.subscribe(customer, price);
  await billing.advance(clock, middle);
});
afterAll(() => server.stop());

const preview = (body: object): Promise<Shown> => billing.post('invoices/preview', body);
const send = (body: object | string) =>
  typeof body === 'string'
    ? billing.account.test.form('/v1/invoices/preview', body)
    : billing.account.test.post('/v1/invoices/preview', body);

/** Everything that a preview might write, by the numbers of rows. */
async function rows(): Promise<object[]> {
  const tables = [
    'invoices',
    'subscriptions',
    'waiting_lines',
    'events',
    'payments',
    'sequences',
    'credit_transactions',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  return (await server.sql.query(`select ${counts.join(', ')}`)).rows;
}

describe('a preview', () => {
  test('has exactly the fields of an invoice without what is given later, and writes nothing', async () => {
    const before = await rows();
    const answer = await send({ subscription: made.id });
    const line = {
      ...{ amount: 3_100, discount: 0, description: '1 × Gold', period: next, proration: false },
      ...{ price: price.id, quantity: 1 },
    };
    const shown = {
      ...{ object: 'invoice', customer: customer.id, status: 'draft', billing_reason: 'subscription_cycle' },
      ...{ currency: 'eur', lines: [line], subtotal: 3_100, discount: 0, total: 3_100, credit_applied: 0 },
      ...{ amount_due: 3_100, amount_paid: 0, amount_remaining: 3_100, attempt_count: 0 },
      ...{ period_start: next.start, period_end: next.end, created: at(middle), subscription: made.id },
    };
    expect(answer.text).toBe(JSON.stringify(shown));
    expect(await preview({ subscription: made.id, customer: customer.id })).toEqual(shown);
    expect(await rows()).toEqual(before);
  });

  test('of a change is the invoice of that change, now or with the next period', async () => {
    const change = `subscription=${made.id}&items[0][id]=${made.items[0].id}&items[0][quantity]=3`;
    const amounts = async (more: string) => {
      const { json } = await send(`${change}${more}`);
      return [json.billing_reason, json.lines.map(({ amount }: Shown) => amount), json.total];
    };
    expect(await amounts('')).toEqual(['subscription_cycle', [9_300, -1_500, 4_500], 12_300]);
    expect(await amounts('&proration=none')).toEqual(['subscription_cycle', [9_300], 9_300]);
    expect(await amounts('&proration=invoice_now')).toEqual(['subscription_update', [-1_500, 4_500], 3_000]);
    expect(await amounts(`&proration=invoice_now&proration_date=${at('2027-01-31')}`)).toEqual([
      ...['subscription_update', [-100, 300], 200],
    ]);
    expect(await billing.subscription(made)).toEqual(made);
  });

  test('can have a coupon, and shows the credit that is used', async () => {
    const own = await billing.customer(clock);
    const other = await billing.subscribe(own, price);
    await billing.post(`subscriptions/${other.id}/cancel`, { proration: 'create' });
    const coupon = await billing.post('coupons', { percent_off: 10, duration: 'once' });
    const shown = await preview({ customer: own.id, items: [{ price: price.id }], coupon: coupon.id });
    expect(shown).toMatchObject({
      ...{ billing_reason: 'subscription_create', subtotal: 3_100, discount: 310, total: 2_790 },
      ...{ credit_applied: 2_790, amount_due: 0, lines: [{ discount: 310 }] },
    });
    expect(shown).not.toHaveProperty('subscription');
    expect(await preview({ subscription: made.id, coupon: coupon.id })).toMatchObject({ discount: 310 });
  });

  test('of what does not exist yet is its first invoice', async () => {
    const shown = await preview({ customer: customer.id, items: [{ price: price.id, quantity: 2 }] });
    expect(shown).toMatchObject({
      ...{ status: 'draft', billing_reason: 'subscription_create', total: 6_200 },
      ...{ period_start: at(middle), period_end: at('2027-02-17') },
    });
  });

  test('has the items that wait', async () => {
    const own = await billing.customer(clock);
    const other = await billing.subscribe(own, price);
    const fee = { customer: own.id, currency: 'eur' };
    const mine = await billing.post('invoice_items', { ...fee, amount: 5, description: 'Setup' });
    const its = await billing.post('invoice_items', {
      ...fee,
      amount: -7,
      description: 'Sorry',
      subscription: other.id,
    });
    const shown = await preview({ subscription: other.id });
    expect(shown.lines.slice(1)).toMatchObject([{ invoice_item: mine.id }, { invoice_item: its.id }]);
    expect(shown.total).toBe(3_098);
  });

  test('is what then happens', async () => {
    const own = await billing.clock(middle);
    const payer = await billing.customer(own);
    const coupon = await billing.post('coupons', {
      amount_off: 250,
      currency: 'eur',
      duration: 'repeating',
      duration_in_months: 3,
    });
    const other = await billing.subscribe(payer, price, { coupon: coupon.id });
    await billing.advance(own, '2027-02-01');
    const change = { items: [{ id: other.items[0].id, quantity: 2 }, { price: price.id }] };
    const expected = await preview({ subscription: other.id, ...change });
    await billing.post(`subscriptions/${other.id}`, change);
    expect(await preview({ subscription: other.id })).toEqual(expected);
    await billing.advance(own, '2027-02-17');
    const [, invoice] = await billing.invoices(other);
    const bare = ({ id: _, ...line }: Shown) => line;
    expect(invoice.lines.map(bare)).toEqual(expected.lines);
    const { subtotal, discount, total, amount_due, period_start } = expected;
    expect(invoice).toMatchObject({ subtotal, discount, total, amount_due, period_start });
  });

  test('of one that ends has only what waits', async () => {
    const own = await billing.customer(clock);
    const other = await billing.subscribe(own, price, { cancel_at_period_end: true });
    expectRefusal(await send({ subscription: other.id }), 'subscription_not_updatable', 'subscription');
    await billing.post(`subscriptions/${other.id}`, { items: [{ id: other.items[0].id, quantity: 2 }] });
    expect(await preview({ subscription: other.id })).toMatchObject({
      ...{ billing_reason: 'subscription_update', total: 3_100 },
    });
  });
});

describe('refused:', () => {
  const invalid = 'parameter_invalid';
  const inStatus = async (status: string) => {
    const own = await billing.customer(clock);
    const other = await billing.subscribe(own, price);
    await billing.post(`subscriptions/${other.id}/${status}`);
    return { subscription: other.id };
  };
  type Refused = [what: string, body: () => object | Promise<object>, code: string, param: string, told?: string];
  const refused: Refused[] = [
    ['nothing', () => ({}), 'parameter_missing', 'subscription'],
    ['a customer alone', () => ({ customer: customer.id }), 'parameter_missing', 'items'],
    ['items alone', () => ({ items: [{ price: price.id }] }), 'parameter_missing', 'subscription'],
    ['no such subscription', () => ({ subscription: unusedId('sub') }), 'resource_missing', 'subscription'],
    ['nobody', () => ({ customer: unusedId('cus'), items: [{ price: price.id }] }), 'resource_missing', 'customer'],
    [
      'another customer',
      async () => ({ subscription: made.id, customer: (await billing.customer(undefined, '')).id }),
      ...([invalid, 'customer', 'of another customer'] as const),
    ],
    ['a paused one', () => inStatus('pause'), 'subscription_not_updatable', 'subscription', 'it is paused'],
    ['a canceled one', () => inStatus('cancel'), 'subscription_not_updatable', 'subscription', 'it is canceled'],
    [
      'an item without a price',
      () => ({ customer: customer.id, items: [{ quantity: 1 }] }),
      ...(['parameter_missing', 'items.0.price'] as const),
    ],
    [
      'the id of an item where there is none',
      () => ({ customer: customer.id, items: [{ id: made.items[0].id, price: price.id }] }),
      ...([invalid, 'items.0.id', 'a new subscription has no items'] as const),
    ],
    [
      'a deleted item where there is none',
      () => ({ customer: customer.id, items: [{ price: price.id, deleted: true }] }),
      ...([invalid, 'items.0.deleted', 'a new subscription has no items'] as const),
    ],
    [
      'the last item',
      () => ({ subscription: made.id, items: [{ id: made.items[0].id, deleted: true }] }),
      invalid,
      'items',
    ],
    [
      'a date of no change',
      () => ({ subscription: made.id, proration_date: at(middle) }),
      ...([invalid, 'proration_date', 'change of items'] as const),
    ],
    [
      'a date before there is a subscription',
      () => ({ customer: customer.id, items: [{ price: price.id }], proration_date: at(middle) }),
      ...([invalid, 'proration_date'] as const),
    ],
    [
      'a date outside of the period',
      () => ({
        ...{ subscription: made.id, items: [{ id: made.items[0].id, quantity: 2 }] },
        proration_date: at('2027-02-01'),
      }),
      ...([invalid, 'proration_date', 'within the current period'] as const),
    ],
    ['no such coupon', () => ({ subscription: made.id, coupon: 'none' }), 'resource_missing', 'coupon'],
    ['21 items', () => ({ customer: customer.id, items: Array(21).fill({ price: price.id }) }), invalid, 'items'],
    ['metadata', () => ({ subscription: made.id, metadata: {} }), 'parameter_unknown', 'metadata'],
  ];
  test.each(refused)('%s', async (_what, body, code, param, told = '') => {
    const answer = await send(await body());
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(told);
  });

  test('a change while the invoice of the period is open', async () => {
    const own = await billing.clock(begin);
    const payer = await billing.customer(own);
    const late = await billing.subscribe(payer, price);
    await billing.pays(payer, cards.lost);
    await billing.advance(own, '2027-02-02');
    const items = [{ id: late.items[0].id, quantity: 2 }];
    expectRefusal(await send({ subscription: late.id, items }), 'subscription_not_updatable', 'proration');
    expect(await preview({ subscription: late.id, items, proration: 'none' })).toMatchObject({ total: 6_200 });
  });
});
