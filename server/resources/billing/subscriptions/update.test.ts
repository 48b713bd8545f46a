import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { at, Billing, cards, type Shown } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;
let clock: Shown;
let customer: Shown;
let monthly: Shown;
let larger: Shown;

const begin = '2027-01-01';
/** Fifteen days of the thirty-one are left. */
const middle = '2027-01-17';

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  monthly = await billing.price(3_100);
  larger = await billing.price(6_200);
  clock = await billing.clock(begin);
  customer = await billing.customer(clock);
  for (let number = 0; number < 14; number++) stock.push(await billing.subscribe(customer, monthly));
  await billing.advance(clock, middle);
});
afterAll(() => server.stop());

/** Subscriptions of one item, in the middle of their first month. */
const stock: Shown[] = [];
const take = (): Shown => stock.pop()!;
const update = (one: Shown, body: object | string) =>
  typeof body === 'string'
    ? billing.account.test.form(`/v1/subscriptions/${one.id}`, body)
    : billing.account.test.post(`/v1/subscriptions/${one.id}`, body);
const item = (one: Shown) => one.items[0].id;

describe('an update', () => {
  test('changes what it names, is reported once, and clears what is empty', async () => {
    const one = take();
    const method = await billing.method(cards.pays, customer.id);
    const coupon = await billing.post('coupons', { percent_off: 50, duration: 'forever' });
    const body = { default_payment_method: method.id, coupon: coupon.id, metadata: { a: 1, b: 2 } };
    const changed = await update(one, body);
    expect(changed.json).toEqual({ ...one, ...body });
    expect((await update(one, body)).text).toBe(changed.text); // nothing has changed
    const cleared = await update(one, 'default_payment_method=&coupon=&metadata[a]=');
    expect(cleared.json).toEqual({ ...one, metadata: { b: 2 } });
    expect((await update(one, { metadata: null })).json).toEqual({ ...one, metadata: {} });
    const { data } = await billing.get('events?type=subscription.updated&limit=3');
    const before = data.map((event: Shown) => event.data.previous_attributes);
    expect(before).toEqual([
      { metadata: { b: 2 } },
      { default_payment_method: method.id, coupon: coupon.id, metadata: { a: 1 } },
      { default_payment_method: null, coupon: null, metadata: null },
    ]);
  });

  test('whose lines would be too many to wait is refused, and bills them all with invoice_now', async () => {
    const one = take();
    await update(one, { items: [{ id: item(one), quantity: 2 }] });
    await server.sql.query(
      `insert into waiting_lines (tenant, id, version, subscription, line)
       select tenant, id || '_' || n, 1, subscription, line from waiting_lines, generate_series(1, 249) n where subscription = $1`,
      [one.id],
    );
    await server.sql.query('update subscriptions set waiting_lines = 500 where id = $1', [one.id]);
    const items = [{ id: item(one), quantity: 3 }];
    const refused = await update(one, { items });
    expectRefusal(refused, 'subscription_not_updatable', 'proration');
    expect(refused.json.error.message).toMatch(/500 lines wait .* invoice_now/);
    const preview = await billing.account.test.post('/v1/invoices/preview', { subscription: one.id, items });
    expectRefusal(preview, 'subscription_not_updatable', 'proration');
    expect((await update(one, { items, proration: 'invoice_now' })).status).toBe(200);
    const [, bill] = await billing.invoices(one);
    expect([bill.lines.length, bill.status]).toEqual([502, 'paid']);
    expect((await update(one, { items: [{ id: item(one), quantity: 4 }] })).status).toBe(200);
  });

  test('that makes no lines is not invoiced now: what waits goes on waiting', async () => {
    const one = await billing.subscribe(customer, monthly, { items: [{ price: monthly.id }, { price: larger.id }] });
    // Nothing is credited for what was not paid.
    const voided = `update invoices set status = 'void', paid_at = null, amount_paid = 0 where subscription = $1`;
    await server.sql.query(voided, [one.id]);
    await server.sql.query('update payments set invoice = null where invoice = $1', [one.latest_invoice]);
    const other = await billing.price(1_000);
    expect((await update(one, { items: [{ price: other.id }] })).status).toBe(200);
    const removal = { items: [{ id: one.items[1].id, deleted: true }], proration: 'invoice_now' };
    expect((await update(one, removal)).json.items).toHaveLength(2);
    expect(await billing.invoices(one)).toHaveLength(1);
    const { lines } = await billing.post('invoices/preview', { subscription: one.id });
    expect(lines.filter(({ proration }: Shown) => proration)).toHaveLength(1);
  });

  test('of items shows them all before and after, and makes lines that wait', async () => {
    const one = take();
    const items = [{ id: item(one), quantity: 2 }, { price: larger.id }];
    const { json } = await update(one, { items });
    const [first, second] = json.items;
    expect(json).toEqual({
      ...one,
      items: [
        { id: item(one), price: monthly.id, quantity: 2 },
        { id: second.id, price: larger.id, quantity: 1 },
      ],
    });
    expect(await billing.invoices(one)).toHaveLength(1);
    const { data } = await billing.get('events?type=subscription.updated&limit=1');
    expect(data[0].data).toEqual({ object: json, previous_attributes: { items: one.items } });
    const preview = await billing.post('invoices/preview', { subscription: one.id });
    expect(preview.lines.map(({ amount, description }: Shown) => [amount, description])).toEqual([
      [6_200, '2 × Gold'],
      [6_200, '1 × Gold'],
      [-1_500, 'Unused time of 1 × Gold'],
      [3_000, 'Remaining time of 2 × Gold'],
      [3_000, 'Remaining time of 1 × Gold'],
    ]);
    const removed = await update(one, `items[0][id]=${first.id}&items[0][deleted]=true&proration=none`);
    expect(removed.json.items).toEqual([second]);
  });

  test('of items with an invoice now bills the difference immediately', async () => {
    const one = take();
    const { json } = await update(one, `items[0][id]=${item(one)}&items[0][price]=${larger.id}&proration=invoice_now`);
    const [, invoice] = await billing.invoices(one);
    expect(json).toMatchObject({ latest_invoice: invoice.id, items: [{ id: item(one), price: larger.id }] });
    expect(invoice).toMatchObject({
      ...{ status: 'paid', billing_reason: 'subscription_update', total: 1_500 },
      ...{ period_start: at(begin), period_end: at('2027-02-01') },
    });
  });

  test('of the date of a change counts from that date', async () => {
    const one = take();
    const items = [{ id: item(one), quantity: 2 }];
    await update(one, { items, proration: 'invoice_now', proration_date: at('2027-01-31') });
    const [, invoice] = await billing.invoices(one);
    expect(invoice.lines.map(({ amount }: Shown) => amount)).toEqual([-100, 200]);
  });

  test('cannot count from before an earlier change, which would charge days twice', async () => {
    const one = take();
    const change = { items: [{ id: item(one), quantity: 2 }], proration: 'invoice_now' };
    await update(one, { ...change, proration_date: at('2027-01-27') });
    const back = { items: [{ id: item(one), quantity: 1 }], proration: 'invoice_now' };
    const dates = [at('2027-01-27') - 1, undefined]; // the default is now, which is earlier too
    for (const proration_date of dates) {
      expectRefusal(await update(one, { ...back, proration_date }), 'parameter_invalid', 'proration_date');
      const preview = { subscription: one.id, ...back, proration_date };
      const shown = await billing.account.test.post('/v1/invoices/preview', preview);
      expectRefusal(shown, 'parameter_invalid', 'proration_date');
    }
    expect((await update(one, { ...back, proration_date: at('2027-01-27') })).status).toBe(200);
    const totals = (await billing.invoices(one)).map(({ total }) => total);
    expect(totals).toEqual([3_100, 500, -500]);
  });

  test('to another interval ends the period, and begins one', async () => {
    const one = take();
    const yearly = await billing.price(10_000, { interval: 'year' });
    const { json } = await update(one, { items: [{ id: item(one), price: yearly.id }] });
    const now = at(middle);
    expect(json).toMatchObject({
      ...{ current_period_start: now, current_period_end: at('2028-01-17'), billing_cycle_anchor: now },
    });
    const [, invoice] = await billing.invoices(one);
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', period_start: now, total: 8_500 });
  });

  test('that only repeats what is there does nothing', async () => {
    const one = take();
    const body = { items: [{ id: item(one), quantity: 1, price: monthly.id }], cancel_at_period_end: false };
    const answer = await update(one, body);
    expect(answer.json).toEqual(one);
    const events = 'select count(*)::int from events where object_id = $1';
    expect((await server.sql.query(events, [one.id])).rows).toEqual([{ count: 1 }]);
    const waiting = 'select count(*)::int from waiting_lines where subscription = $1';
    expect((await server.sql.query(waiting, [one.id])).rows).toEqual([{ count: 0 }]);
  });
});

describe('a trial', () => {
  const trial = (more: object = {}) => billing.subscribe(customer, monthly, { trial_days: 10, ...more });

  test('gets another end, with the anchor', async () => {
    const one = await trial();
    const end = at('2027-02-20');
    const { json } = await update(one, `trial_end=${end}`);
    expect(json).toEqual({ ...one, trial_end: end, current_period_end: end, billing_cycle_anchor: end });
  });

  test.each([{ trial_end: 'now' }, 'trial_end=now'])('is ended by %j, and the first period is paid', async (body) => {
    const one = await trial();
    const { json } = await update(one, body);
    const times = { trial_end: at(middle), billing_cycle_anchor: at(middle), current_period_start: at(middle) };
    expect(json).toMatchObject({ status: 'active', ...times, current_period_end: at('2027-02-17') });
    const [invoice, ...others] = await billing.invoices(one);
    expect([others, invoice.status, invoice.total]).toEqual([[], 'paid', 3_100]);
  });

  test('with a change of items makes no lines', async () => {
    const one = await trial();
    await update(one, { items: [{ id: item(one), quantity: 7 }], proration: 'invoice_now' });
    expect(await billing.invoices(one)).toEqual([]);
    const preview = await billing.post('invoices/preview', { subscription: one.id });
    expect(preview.lines).toMatchObject([{ amount: 21_700, quantity: 7 }]);
  });
});

describe('refused, and nothing changes:', () => {
  let one: Shown;
  let before: string;
  beforeAll(async () => {
    one = take();
    before = (await update(one, {})).text;
  });

  const invalid = 'parameter_invalid';
  const change = (more: object) => ({ items: [{ id: item(one), ...more }] });
  type Refused = [
    what: string,
    body: () => object | string | Promise<object>,
    code: string,
    param: string,
    told?: string,
  ];
  const refused: Refused[] = [
    ['no items', () => ({ items: [] }), invalid, 'items', 'at least 1'],
    ['items cleared', () => ({ items: null }), invalid, 'items', 'cannot be cleared'],
    ['items cleared in a form', () => 'items=', invalid, 'items'],
    ['an unknown item', () => ({ items: [{ id: unusedId('si'), quantity: 2 }] }), 'resource_missing', 'items.0.id'],
    ['the last item deleted', () => change({ deleted: true }), invalid, 'items', 'at least one item'],
    [
      'an item deleted twice',
      () => ({
        items: [{ price: monthly.id }, ...change({ deleted: true }).items, ...change({ deleted: true }).items],
      }),
      ...(['resource_missing', 'items.2.id', 'No such item.'] as const),
    ],
    ['an item of nothing', () => ({ items: [{ quantity: 3 }] }), 'parameter_missing', 'items.0.price'],
    [
      'an item deleted that has no id',
      () => ({ items: [{ price: monthly.id, deleted: true }] }),
      ...(['parameter_missing', 'items.0.id'] as const),
    ],
    ['20 more items', () => ({ items: Array(20).fill({ price: monthly.id }) }), invalid, 'items', 'at most 20 items'],
    ['41 changes', () => ({ items: Array(41).fill({ price: monthly.id }) }), invalid, 'items', 'at most 40'],
    ['fewer than none', () => change({ quantity: -1 }), invalid, 'items.0.quantity', 'at least 0'],
    ['too many', () => change({ quantity: 1_000_001 }), invalid, 'items.0.quantity', 'at most 1000000'],
    ['a price of nobody', () => change({ price: unusedId('price') }), 'resource_missing', 'items.0.price'],
    [
      'an inactive price',
      async () => {
        const { id } = await billing.price(1);
        await billing.post(`prices/${id}`, { active: false });
        return change({ price: id });
      },
      ...([invalid, 'items.0.price', 'is not active'] as const),
    ],
    [
      'a price that is paid once',
      async () => {
        const once = { currency: 'eur', unit_amount: 1, product_name: 'A mug' };
        return change({ price: (await billing.post('prices', once)).id });
      },
      ...([invalid, 'items.0.price', 'is paid once'] as const),
    ],
    [
      'another currency',
      async () => change({ price: (await billing.price(1, { interval: 'month' }, 'usd')).id }),
      ...([invalid, 'items', 'must be in eur'] as const),
    ],
    [
      'a second interval',
      async () => ({ items: [{ price: (await billing.price(1, { interval: 'day' })).id }] }),
      ...([invalid, 'items', 'the same interval'] as const),
    ],
    [
      'a total that is too large',
      async () => change({ price: (await billing.price(999_999_999_999)).id, quantity: 2 }),
      ...(['amount_too_large', 'items'] as const),
    ],
    [
      'a date before the period',
      () => ({ ...change({ quantity: 2 }), proration_date: at(begin) - 1 }),
      ...([invalid, 'proration_date', 'within the current period'] as const),
    ],
    [
      'a date at the end of the period',
      () => ({ ...change({ quantity: 2 }), proration_date: at('2027-02-01') }),
      ...([invalid, 'proration_date', 'within the current period'] as const),
    ],
    ['a date of no change', () => ({ proration_date: at(middle) }), invalid, 'proration_date', 'change of items'],
    ['another proration', () => ({ ...change({ quantity: 2 }), proration: 'always' }), invalid, 'proration'],
    ['proration cleared', () => ({ proration: null }), invalid, 'proration', 'cannot be cleared'],
    ['an end that is no boolean', () => ({ cancel_at_period_end: 'yes' }), invalid, 'cancel_at_period_end'],
    ['an end cleared', () => 'cancel_at_period_end=', invalid, 'cancel_at_period_end', 'cannot be cleared'],
    ['a trial cleared', () => 'trial_end=', invalid, 'trial_end', 'cannot be cleared'],
    [
      'a trial where there is none',
      () => ({ trial_end: at('2027-02-01') }),
      ...(['subscription_not_updatable', 'trial_end', 'it is active, not trialing'] as const),
    ],
    ['a trial until soon', () => ({ trial_end: 'soon' }), invalid, 'trial_end'],
    ['a trial of days', () => ({ trial_days: 5 }), 'parameter_unknown', 'trial_days'],
    ['another customer', () => ({ customer: customer.id }), 'parameter_unknown', 'customer'],
    ['no such coupon', () => ({ coupon: 'none' }), 'resource_missing', 'coupon'],
    [
      'a coupon of another currency',
      async () => ({
        coupon: (await billing.post('coupons', { amount_off: 5, currency: 'usd', duration: 'once' })).id,
      }),
      ...(['coupon_not_usable', 'coupon', 'the subscription is in eur'] as const),
    ],
    ['no such method', () => ({ default_payment_method: 'x' }), 'resource_missing', 'default_payment_method'],
    [
      'a method of another customer',
      async () => {
        const other = await billing.customer(undefined, '');
        return { default_payment_method: (await billing.method(cards.pays, other.id)).id };
      },
      ...(['payment_method_not_usable', 'default_payment_method', 'not attached to this customer'] as const),
    ],
  ];
  test.each(refused)('%s', async (_what, body, code, param, told = '') => {
    const answer = await update(one, await body());
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(told);
    expect((await billing.account.test.get(`/v1/subscriptions/${one.id}`)).text).toBe(before);
  });

  test.each([
    [at(middle), 'in the future'],
    [at(middle) + 731 * 86_400, 'at most 730 days'],
  ])('a trial that would end at %i', async (trial_end, told) => {
    const trialing = await billing.subscribe(customer, monthly, { trial_days: 1 });
    const answer = await update(trialing, { trial_end });
    expectRefusal(answer, 'parameter_invalid', 'trial_end');
    expect(answer.json.error.message).toContain(told);
  });

  test('items while the invoice of the period is open, unless nothing is prorated', async () => {
    const own = await billing.clock(begin);
    const payer = await billing.customer(own);
    const late = await billing.subscribe(payer, monthly);
    await billing.pays(payer, cards.lost);
    await billing.advance(own, '2027-02-02');
    const [, open] = await billing.invoices(late);
    const items = [{ id: item(late), quantity: 2 }];
    for (const proration of ['create', 'invoice_now']) {
      const answer = await update(late, { items, proration });
      expectRefusal(answer, 'subscription_not_updatable', 'proration');
      expect(answer.json.error.message).toContain(open.id);
    }
    expect((await update(late, { items, proration: 'none' })).json).toMatchObject({
      ...{ status: 'past_due', items: [{ quantity: 2 }] },
    });
  });
});
