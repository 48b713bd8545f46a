import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { at, Billing, cards, type Shown } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;
/** A customer with a card, and its prices. */
let customer: Shown;
let penniless: Shown;
let price: Shown;

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  customer = await billing.customer(undefined);
  penniless = await billing.customer(undefined, '');
  price = await billing.price(1_000);
});
afterAll(() => server.stop());

const day = 86_400;
const seconds = () => Math.floor(Date.now() / 1_000);
const send = (body: object | string) =>
  typeof body === 'string'
    ? billing.account.test.form('/v1/subscriptions', body)
    : billing.account.test.post('/v1/subscriptions', body);
const count = async () => (await server.sql.query('select count(*) from subscriptions')).rows[0].count;

describe('a new subscription', () => {
  test('has exactly its fields, in their order, and its invoice too', async () => {
    const clock = await billing.clock('2027-01-31T10:00');
    const own = await billing.customer(clock);
    const answer = await send({ customer: own.id, items: [{ price: price.id }] });
    const [start, end] = [at('2027-01-31T10:00'), at('2027-02-28T10:00')];
    const { id, latest_invoice, items } = answer.json;
    expect([id, items[0].id, latest_invoice]).toEqual(
      ['sub', 'si', 'in'].map((prefix) => expect.stringMatching(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`))),
    );
    const shown = {
      ...{ id, object: 'subscription', customer: own.id, status: 'active', currency: 'eur' },
      items: [{ id: items[0].id, price: price.id, quantity: 1 }],
      ...{ current_period_start: start, current_period_end: end, billing_cycle_anchor: start },
      ...{ cancel_at_period_end: false, created: start, latest_invoice, test_clock: clock.id },
    };
    expect(answer.text).toBe(JSON.stringify(shown));
    expect((await billing.account.test.get(`/v1/subscriptions/${id}`)).text).toBe(answer.text);

    const invoice = await billing.account.test.get(`/v1/invoices/${latest_invoice}`);
    const { lines, number, hosted_url, payment } = invoice.json;
    const line = {
      ...{ id: lines[0].id, amount: 1_000, discount: 0, description: '1 × Gold', period: { start, end } },
      ...{ proration: false, price: price.id, quantity: 1 },
    };
    const bill = {
      ...{ id: latest_invoice, object: 'invoice', customer: own.id, status: 'paid' },
      ...{ billing_reason: 'subscription_create', currency: 'eur', lines: [line], subtotal: 1_000, discount: 0 },
      ...{ total: 1_000, credit_applied: 0, amount_due: 1_000, amount_paid: 1_000, amount_remaining: 0 },
      ...{ attempt_count: 1, period_start: start, period_end: end, created: start, number, subscription: id },
      ...{ hosted_url, payment, paid_at: start },
    };
    expect(invoice.text).toBe(JSON.stringify(bill));
    expect([lines[0].id, number]).toEqual([expect.stringMatching(/^il_/), expect.stringMatching(/^INV-\d{6}$/)]);
  });

  test('shows what else there is after that, in the order of the interface', async () => {
    const method = await billing.method(cards.pays, customer.id);
    const coupon = await billing.post('coupons', { percent_off: 10, duration: 'once' });
    const answer = await send({
      ...{ customer: customer.id, items: [{ price: price.id, quantity: 0 }], trial_days: 30, coupon: coupon.id },
      ...{ default_payment_method: method.id, cancel_at_period_end: true, metadata: { seat: 4, gone: null } },
    });
    const { created, trial_end } = answer.json;
    expect(Object.keys(answer.json).slice(11)).toEqual([
      ...['default_payment_method', 'trial_start', 'trial_end', 'coupon', 'canceled_at', 'metadata'],
    ]);
    expect(answer.json).toMatchObject({
      ...{ status: 'trialing', items: [{ quantity: 0 }], cancel_at_period_end: true, canceled_at: created },
      ...{ trial_start: created, trial_end: created + 30 * day, current_period_end: trial_end },
      ...{ billing_cycle_anchor: trial_end, coupon: coupon.id, metadata: { seat: 4 } },
    });
  });

  test('can be sent as a form', async () => {
    const answer = await send(
      `customer=${customer.id}&items[0][price]=${price.id}&items[0][quantity]=3&items[1][price]=${price.id}` +
        '&trial_days=7&cancel_at_period_end=true&metadata[a]=b&coupon=',
    );
    expect(answer.json).toMatchObject({
      ...{ status: 'trialing', items: [{ quantity: 3 }, { quantity: 1 }], cancel_at_period_end: true },
      ...{ metadata: { a: 'b' } },
    });
  });

  const accepted: [what: string, body: () => object, shown: object][] = [
    ['for nothing, without a method', () => ({ customer: penniless.id, free: true }), { status: 'active' }],
    ['in a trial, without a method', () => ({ customer: penniless.id, trial_days: 730 }), { status: 'trialing' }],
    ['with 20 items', () => ({ items: Array(20).fill({ price: price.id }) }), { status: 'active' }],
    ['of a million', () => ({ items: [{ price: price.id, quantity: 1_000_000 }] }), { status: 'active' }],
    ['of none, which costs nothing', () => ({ items: [{ price: price.id, quantity: 0 }] }), { status: 'active' }],
    ['with an anchor tomorrow', () => ({ billing_cycle_anchor: seconds() + day }), { status: 'active' }],
    [
      'with an anchor tomorrow and nothing until then',
      () => ({ customer: penniless.id, billing_cycle_anchor: seconds() + day, proration: 'none' }),
      { status: 'active' },
    ],
    [
      'with a trial, and an anchor after it',
      () => ({ trial_end: seconds() + 100 * day, billing_cycle_anchor: seconds() + 110 * day }),
      { status: 'trialing' },
    ],
    ['with metadata that is empty', () => ({ metadata: {} }), { metadata: {} }],
  ];
  test.each(accepted)('%s', async (_what, body, shown) => {
    const { free, ...more } = body() as { free?: true };
    const items = [{ price: free ? (await billing.price(0)).id : price.id }];
    const answer = await send({ customer: customer.id, items, ...more });
    expect([answer.status, answer.json]).toMatchObject([200, shown]);
  });

  test('that is due later makes no invoice', async () => {
    const made = await billing.subscribe(penniless, price, {
      ...{ billing_cycle_anchor: seconds() + day, proration: 'none' },
    });
    expect(await billing.invoices(made)).toEqual([]);
    expect(made).not.toHaveProperty('latest_invoice');
  });
});

describe('refused, with what to do, and nothing is stored:', () => {
  const invalid = 'parameter_invalid';
  const other = async (more: object) => (await billing.post('prices', { ...gold, ...more })).id;
  const gold = { currency: 'eur', unit_amount: 1_000, recurring: { interval: 'month' }, product_name: 'Gold' };
  const two = async (more: object) => ({ items: [{ price: price.id }, { price: await other(more) }] });
  const one = (more: object) => ({ items: [{ price: price.id, ...more }] });
  const coupon = async (more: object) => (await billing.post('coupons', { duration: 'once', ...more })).id;

  type Refused = [what: string, body: () => object | Promise<object>, code: string, param: string, told?: string];
  const refused: Refused[] = [
    ['no customer', () => ({ customer: null }), 'parameter_missing', 'customer'],
    ['nobody', () => ({ customer: unusedId('cus') }), 'resource_missing', 'customer', 'No such customer.'],
    ['nothing', () => ({ items: null }), 'parameter_missing', 'items'],
    ['no items', () => ({ items: [] }), invalid, 'items', 'at least 1'],
    ['items that are none', () => ({ items: price.id }), invalid, 'items'],
    ['21 items', () => ({ items: Array(21).fill({ price: price.id }) }), invalid, 'items', 'at most 20'],
    ['an item without a price', () => ({ items: [{ quantity: 1 }] }), 'parameter_missing', 'items.0.price'],
    ['an item with an id', () => one({ id: 'si_1' }), 'parameter_unknown', 'items.0.id'],
    ['a price of nobody', () => ({ items: [{ price: unusedId('price') }] }), 'resource_missing', 'items.0.price'],
    [
      'a second price that does not exist',
      () => ({ items: [{ price: price.id }, { price: 'gold' }] }),
      ...(['resource_missing', 'items.1.price', 'No such price.'] as const),
    ],
    [
      'an inactive price',
      async () => {
        const id = await other({});
        await billing.post(`prices/${id}`, { active: false });
        return { items: [{ price: id }] };
      },
      ...([invalid, 'items.0.price', 'is not active'] as const),
    ],
    [
      'a price that is paid once',
      async () => ({ items: [{ price: await other({ recurring: null }) }] }),
      ...([invalid, 'items.0.price', 'is paid once'] as const),
    ],
    ['fewer than none', () => one({ quantity: -1 }), invalid, 'items.0.quantity', 'at least 0'],
    ['a million and one', () => one({ quantity: 1_000_001 }), invalid, 'items.0.quantity', 'at most 1000000'],
    ['one and a half', () => one({ quantity: 1.5 }), invalid, 'items.0.quantity', 'an integer'],
    ['two currencies', () => two({ currency: 'usd' }), invalid, 'items', 'the same currency'],
    ['two intervals', () => two({ recurring: { interval: 'year' } }), invalid, 'items', 'the same interval'],
    [
      'two lengths of one interval',
      () => two({ recurring: { interval: 'month', interval_count: 2 } }),
      ...([invalid, 'items', 'the same interval'] as const),
    ],
    [
      'a total that is too large',
      () => two({ unit_amount: 999_999_999_999 }),
      ...(['amount_too_large', 'items', 'at most 999999999999'] as const),
    ],
    [
      'days and an end of a trial',
      () => ({ trial_days: 1, trial_end: seconds() + day }),
      ...(['parameters_exclusive', 'trial_days', 'trial_end'] as const),
    ],
    ['a trial of no days', () => ({ trial_days: 0 }), invalid, 'trial_days', 'at least 1'],
    ['a trial of 731 days', () => ({ trial_days: 731 }), invalid, 'trial_days', 'at most 730'],
    ['a trial that has ended', () => ({ trial_end: seconds() - 5 }), invalid, 'trial_end', 'in the future'],
    ['a trial without end', () => ({ trial_end: seconds() + 731 * day }), invalid, 'trial_end', 'at most 730 days'],
    ['a trial until a date', () => ({ trial_end: '2030-01-01' }), invalid, 'trial_end', 'seconds since 1970'],
    ['a trial until now', () => ({ trial_end: 'now' }), invalid, 'trial_end'],
    ['an anchor in the past', () => ({ billing_cycle_anchor: seconds() - 5 }), invalid, 'billing_cycle_anchor'],
    [
      'an anchor after two intervals',
      () => ({ billing_cycle_anchor: seconds() + 62 * day }),
      ...([invalid, 'billing_cycle_anchor', 'one interval at most'] as const),
    ],
    [
      'an anchor before the end of the trial',
      () => ({ trial_days: 10, billing_cycle_anchor: seconds() + day }),
      ...([invalid, 'billing_cycle_anchor', 'the end of the trial'] as const),
    ],
    ['another proration', () => ({ proration: 'always' }), invalid, 'proration', 'create, invoice_now, none'],
    ['no such coupon', () => ({ coupon: unusedId('coupon') }), 'resource_missing', 'coupon', 'No such coupon.'],
    [
      'a deleted coupon',
      async () => {
        const id = await coupon({ percent_off: 10 });
        await billing.account.test.delete(`/v1/coupons/${id}`);
        return { coupon: id };
      },
      ...(['resource_missing', 'coupon', 'No such coupon.'] as const),
    ],
    [
      'a coupon of another currency',
      async () => ({ coupon: await coupon({ amount_off: 5, currency: 'usd' }) }),
      ...(['coupon_not_usable', 'coupon', 'an amount in usd, and the subscription is in eur'] as const),
    ],
    [
      'a method that does not exist',
      () => ({ default_payment_method: unusedId('pm') }),
      ...(['resource_missing', 'default_payment_method'] as const),
    ],
    [
      'a method of another customer',
      async () => ({ default_payment_method: (await billing.method(cards.pays, penniless.id)).id }),
      ...(['payment_method_not_usable', 'default_payment_method', 'not attached to this customer'] as const),
    ],
    [
      'a detached method',
      async () => {
        const { id } = await billing.method(cards.pays, customer.id);
        await billing.post(`payment_methods/${id}/detach`);
        return { default_payment_method: id };
      },
      ...(['payment_method_not_usable', 'default_payment_method', 'it was detached'] as const),
    ],
    [
      'something due, and nothing to charge',
      () => ({ customer: penniless.id }),
      ...(['parameter_missing', 'default_payment_method'] as const),
    ],
    ['a return address that is none', () => ({ return_url: 'shop' }), 'return_url_invalid', 'return_url'],
    ['a status', () => ({ status: 'active' }), 'parameter_unknown', 'status'],
    ['whether it is canceled, as text', () => ({ cancel_at_period_end: 'no' }), invalid, 'cancel_at_period_end'],
    [
      'metadata that is too long',
      () => ({ metadata: { a: 'x'.repeat(501) } }),
      'metadata_value_too_long',
      'metadata.a',
    ],
  ];
  test.each(refused)('%s', async (_what, body, code, param, told = '') => {
    const wanted = { customer: customer.id, items: [{ price: price.id }], ...(await body()) };
    const before = await count();
    const answer = await send(wanted);
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(told);
    expect(await count()).toBe(before);
  });

  test('a form without the index of an item', async () => {
    expectRefusal(await send(`customer=${customer.id}&items[price]=${price.id}`), invalid, 'items.price');
  });
});

describe('a first payment that does not succeed immediately', () => {
  const unpaid: [what: string, card: string, more: object, invoice: object][] = [
    [
      'is declined',
      cards.declines,
      {},
      { last_failure: { code: 'card_declined', decline_code: 'insufficient_funds', message: expect.any(String) } },
    ],
    ['wants the cardholder', cards.challenges, { return_url: 'https://shop.example/back' }, {}],
    ['has no outcome yet', '4000000000000408', {}, {}],
  ];
  test.each(unpaid)('because it %s leaves it incomplete, and its invoice open', async (_what, card, more, shown) => {
    const own = await billing.customer(undefined, card);
    const made = await billing.subscribe(own, price, more);
    expect(made.status).toBe('incomplete');
    const [invoice, ...others] = await billing.invoices(made);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ status: 'open', amount_remaining: 1_000, attempt_count: 1, ...shown });
    expect(invoice).not.toHaveProperty('next_payment_attempt');
    const payment = await billing.get(`payments/${invoice.payment}`);
    expect(payment).toMatchObject({ invoice: invoice.id, amount: 1_000 });
    expect(payment.next_action !== undefined).toBe(card === cards.challenges);
  });

  test('can be paid with another method, and then it is active', async () => {
    const own = await billing.customer(undefined, cards.declines);
    const made = await billing.subscribe(own, price);
    const { id } = await billing.method(cards.pays, own.id);
    const paid = await billing.post(`invoices/${made.latest_invoice}/pay`, { payment_method: id });
    expect(paid).toMatchObject({ status: 'paid', attempt_count: 2, amount_remaining: 0 });
    expect((await billing.subscription(made)).status).toBe('active');
  });
});

test('with an idempotency key it is made once, and the key is for these parameters only', async () => {
  const body = { customer: customer.id, items: [{ price: price.id, quantity: 5 }] };
  const key = { 'Idempotency-Key': 'subscribe-once' };
  const first = await billing.account.test.post('/v1/subscriptions', body, key);
  const [before, invoices] = [await count(), await billing.invoices(first.json)];
  const again = await billing.account.test.form(
    '/v1/subscriptions',
    `customer=${customer.id}&items[0][quantity]=5&items[0][price]=${price.id}`,
    key,
  );
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
  const other = await billing.account.test.post('/v1/subscriptions', { ...body, trial_days: 1 }, key);
  expect(other.json.error).toMatchObject({ code: 'idempotency_key_reused' });
  expect(await count()).toBe(before);
  expect(await billing.invoices(first.json)).toEqual(invoices);
});
