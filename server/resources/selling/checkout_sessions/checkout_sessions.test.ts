import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { Checkout, cards, tokenOf } from './checkout.fixture.ts';

let server: TestServer;
let account: TestAccount;
let checkout: Checkout;
let mug: string;
let monthly: string;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  checkout = new Checkout(server, account);
  const price = async (more: object) =>
    (await account.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, product_name: 'A mug', ...more })).json
      .id;
  mug = await price({});
  monthly = await price({ recurring: { interval: 'month' } });
});
afterAll(() => server.stop());

const own = (unit_amount: number, more: object = {}) => ({ name: 'Poster', unit_amount, currency: 'eur', ...more });

describe('a new session', () => {
  test('shows what it is, with the address of its page; its event does not', async () => {
    const made = await checkout.create({ description: 'Two tickets', reference: 'A-17', metadata: { order: 17 } });
    const { id, url, created } = made;
    expect(made).toEqual({
      ...{ id, object: 'checkout_session', mode: 'payment', status: 'open', payment_status: 'unpaid' },
      ...{ amount_total: 2_000, currency: 'eur', url, expires_at: expect.any(Number), created },
      ...{ description: 'Two tickets', reference: 'A-17', metadata: { order: 17 } },
      customer_details: { email: 'ada@example.com' },
    });
    expect(made.expires_at - created).toBeGreaterThanOrEqual(86_399);
    expect(url).toMatch(/^https:\/\/.+\/pay\/\d+-cs_\w{22}-[\w-]{22}$/);
    const event = (await account.test.get('/v1/events?type=checkout_session.created')).json.data[0];
    const { url: _, ...shown } = made;
    expect(event.data.object).toEqual(shown);
  });

  test('of lines adds them up', async () => {
    const made = await checkout.create({ ...none, line_items: [{ price: mug, quantity: 3 }, own(150)] });
    expect(made).toMatchObject({ amount_total: 2_850, amount_subtotal: 2_850, currency: 'eur' });
    expect(made.line_items).toEqual([
      { name: 'A mug', quantity: 3, unit_amount: 900, amount: 2_700, price: mug },
      { name: 'Poster', quantity: 1, unit_amount: 150, amount: 150 },
    ]);
  });

  const none = { amount: null, currency: null };
  const lines = (...line_items: object[]) => ({ ...none, line_items });
  const invalid = 'parameter_invalid';
  type Refused = [what: string, body: () => object | Promise<object>, code: string, param: string, said?: string];
  const refused: Refused[] = [
    ['nothing', () => none, 'parameter_missing', 'amount', 'line_items'],
    ['no currency', () => ({ currency: null }), 'parameter_missing', 'currency'],
    ['no money', () => ({ amount: 0 }), 'amount_too_small', 'amount'],
    ['too much money', () => ({ amount: 1e12 }), 'amount_too_large', 'amount'],
    ['an amount as text', () => ({ amount: '5' }), invalid, 'amount'],
    ['a currency that is none', () => ({ currency: 'xxx' }), 'currency_unknown', 'currency'],
    ['an amount and lines', () => ({ line_items: [own(1)] }), 'parameters_exclusive', 'amount'],
    ['no lines', () => lines(), invalid, 'line_items'],
    ['101 lines', () => lines(...Array(101).fill(own(1))), invalid, 'line_items', '100'],
    [
      'two currencies',
      () => lines(own(1), own(1, { currency: 'usd' })),
      invalid,
      'line_items.1.currency',
      'one currency',
    ],
    ['two kinds of a line', () => lines({ ...own(1), price: mug }), 'parameters_exclusive', 'line_items.0.name'],
    [
      'a line without a name',
      () => lines({ unit_amount: 1, currency: 'eur' }),
      'parameter_missing',
      'line_items.0.name',
    ],
    ['a blank name', () => lines(own(1, { name: ' ' })), invalid, 'line_items.0.name', 'blank'],
    [
      'an unknown currency of a line',
      () => lines(own(1, { currency: 'xxx' })),
      'currency_unknown',
      'line_items.0.currency',
    ],
    ['nothing to pay', () => lines(own(0)), invalid, 'line_items', 'something to pay'],
    ['a total that is too large', () => lines(own(999_999_999_999), own(1)), 'amount_too_large', 'line_items'],
    ['0 of a price', () => lines({ price: mug, quantity: 0 }), invalid, 'line_items.0.quantity', 'at least 1'],
    ['1,000 of a price', () => lines({ price: mug, quantity: 1_000 }), invalid, 'line_items.0.quantity', 'at most 999'],
    ['a price of nobody', () => lines({ price: unusedId('price') }), 'resource_missing', 'line_items.0.price'],
    ['a price that recurs', () => lines({ price: monthly }), invalid, 'line_items.0.price', 'recurs'],
    [
      'a price of another account',
      async () => {
        const other = await server.account();
        const body = { currency: 'eur', unit_amount: 1, product_name: 'Theirs' };
        return lines({ price: (await other.test.post('/v1/prices', body)).json.id });
      },
      ...(['resource_missing', 'line_items.0.price'] as const),
    ],
    [
      'an inactive price',
      async () => {
        const { id } = (await account.test.post('/v1/prices', { currency: 'eur', unit_amount: 1, product_name: 'Old' }))
          .json;
        await account.test.post(`/v1/prices/${id}`, { active: false });
        return lines({ price: id });
      },
      ...([invalid, 'line_items.0.price', 'not active'] as const),
    ],
    ['nobody', () => ({ customer_email: null, customer: unusedId('cus') }), 'resource_missing', 'customer'],
    [
      'a customer of another mode',
      async () => ({ customer_email: null, customer: (await account.live.post('/v1/customers', {})).json.id }),
      ...(['resource_missing', 'customer'] as const),
    ],
    ['a customer and an email', () => ({ customer: unusedId('cus') }), 'parameters_exclusive', 'customer_email'],
    ['an email that is none', () => ({ customer_email: 'ada' }), invalid, 'customer_email'],
    ['an unknown mode', () => ({ mode: 'gift' }), invalid, 'mode'],
    ['an unknown locale', () => ({ locale: 'tlh' }), invalid, 'locale'],
    ['half an hour less a second', () => ({ expires_in: 1_799 }), invalid, 'expires_in', '1800'],
    ['a day and a second', () => ({ expires_in: 86_401 }), invalid, 'expires_in', '86400'],
    ['a past expiry', () => ({ expires_in: -5 }), invalid, 'expires_in'],
    ['a long reference', () => ({ reference: 'x'.repeat(201) }), invalid, 'reference', '200'],
    ['a long description', () => ({ description: 'x'.repeat(1_001) }), invalid, 'description'],
    ['http', () => ({ success_url: 'http://shop.example/' }), invalid, 'success_url', 'https'],
    ['a script', () => ({ cancel_url: 'javascript:alert(1)' }), invalid, 'cancel_url', 'https'],
    ['an unknown member to collect', () => ({ collect: { age: true } }), 'parameter_unknown', 'collect.age'],
    ['half an address', () => ({ collect: { billing_address: 'half' } }), invalid, 'collect.billing_address'],
    ['another way to capture', () => ({ capture_method: 'later' }), invalid, 'capture_method'],
    ['metadata that is none', () => ({ metadata: 'a' }), invalid, 'metadata'],
  ];
  test.each(refused)('is refused with %s', async (_, body, code, param, said = '') => {
    const whole = { amount: 2_000, currency: 'eur', customer_email: 'ada@example.com', ...(await body()) };
    const answer = await account.test.post('/v1/checkout_sessions', whole);
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(said);
  });
});

describe('the press of the button', () => {
  test('pays, once, and says so by one event', async () => {
    const made = await checkout.create({ success_url: 'https://shop.example/?s={CHECKOUT_SESSION}' });
    const paid = await checkout.pay(made);
    expect(paid?.view).toMatchObject({ status: 'complete', payment_status: 'paid', try: { state: 'none' } });
    expect(paid?.view.success_url).toBe(`https://shop.example/?s=${made.id}`);
    const shown = await checkout.get(made.id);
    expect(shown).toMatchObject({ status: 'complete', payment_status: 'paid', completed_at: expect.any(Number) });
    expect(shown).not.toHaveProperty('url');
    const payment = (await account.test.get(`/v1/payments/${shown.payment}`)).json;
    expect(payment).not.toHaveProperty('description');
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount: 2_000,
      checkout_session: made.id,
      payment_method: shown.payment_method,
    });
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
    expect((await checkout.pay(made))?.view.status).toBe('complete'); // another press pays nothing
    expect(await checkout.payments(made.id)).toEqual(['succeeded']);
  });

  test('by ten tabs at the same moment pays once', async () => {
    const made = await checkout.create();
    await Promise.all(Array.from({ length: 10 }, () => checkout.pay(made)));
    expect(await checkout.payments(made.id)).toEqual(['succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
  });

  test('that is declined can be followed by another; the browser learns little', async () => {
    const made = await checkout.create();
    const declined = await checkout.pay(made, cards.declined);
    expect(declined?.view).toMatchObject({ status: 'open', try: { state: 'declined', reason: 'declined' } });
    expect((await checkout.pay(made))?.view.status).toBe('complete');
    expect(await checkout.payments(made.id)).toEqual(['failed', 'succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'payment_failed', 'completed']);
  });

  test('that is declined five times ends the session', async () => {
    const made = await checkout.create();
    for (let tries = 0; tries < 5; tries++) await checkout.pay(made, cards.declined);
    expect(await checkout.get(made.id)).toMatchObject({ status: 'expired', expired_reason: 'too_many_attempts' });
    expect((await checkout.pay(made))?.view.status).toBe('expired');
    expect(await checkout.payments(made.id)).toHaveLength(5);
    expect((await checkout.events(made.id)).slice(-2)).toEqual(['payment_failed', 'expired']);
  });

  test('with a number that is none says so beside the field, and tries nothing', async () => {
    const made = await checkout.create();
    expect((await checkout.pay(made, '4242424242424241'))?.problems).toEqual([{ field: 'number', key: 'invalid' }]);
    expect(await checkout.payments(made.id)).toEqual([]);
  });

  test('only authorizes where that was asked for; the capture makes it paid, and a cancel unpaid', async () => {
    const [captured, canceled] = await Promise.all([1, 2].map(() => checkout.create({ capture_method: 'manual' })));
    for (const [made, verb, payment_status] of [
      [captured, 'capture', 'paid'],
      [canceled, 'cancel', 'unpaid'],
    ] as const) {
      expect((await checkout.pay(made))?.view).toMatchObject({ status: 'complete', payment_status: 'authorized' });
      await account.test.post(`/v1/payments/${(await checkout.get(made.id)).payment}/${verb}`, {});
      expect(await checkout.get(made.id)).toMatchObject({ status: 'complete', payment_status });
    }
  });

  test('asks for what is to be collected', async () => {
    const branding = { terms_url: 'https://shop.example/terms' };
    await server.operator.run('branding.update', { account: account.id, parameters: branding });
    const made = await checkout.create({
      customer_email: null,
      collect: { name: true, billing_address: 'country', terms: true },
    });
    await vi.waitFor(async () => expect((await checkout.view(made))?.collect.terms).toBe(true));
    const fields = async (details: object) =>
      (await checkout.pay(made, cards.good, { details }))?.problems?.map(({ field }) => field);
    expect(await fields({})).toEqual(['email', 'name', 'country', 'terms']);
    expect(await fields({ email: 'ada', name: 'x'.repeat(257), address: { country: 'XXX' }, terms: true })).toEqual([
      'email',
      'name',
      'country',
    ]);
    expect(
      await fields({ email: 'ada@example.com', name: 'Ada', address: { country: 'DE' }, terms: true }),
    ).toBeUndefined();
    const { customer_details } = await checkout.get(made.id);
    expect(customer_details).toEqual({ email: 'ada@example.com', name: 'Ada', address: { country: 'DE' } });
  });

  test('takes a saved method of the customer, and of nobody else', async () => {
    const save = async () => {
      const customer = (await account.test.post('/v1/customers', {})).json.id;
      const card = { number: cards.good, exp_month: 12, exp_year: 2_040 };
      return {
        customer,
        method: (await account.test.post('/v1/payment_methods', { type: 'card', card, customer })).json.id,
      };
    };
    const [ada, eve] = [await save(), await save()];
    const made = await checkout.create({ customer_email: null, customer: ada.customer });
    expect((await checkout.view(made))?.saved.map(({ id }) => id)).toEqual([ada.method]);
    const by = (payment_method: string) => checkout.pay(made, '', { instrument: { kind: 'saved', payment_method } });
    expect((await by(eve.method))?.problems).toHaveLength(1);
    expect((await by(ada.method))?.view.status).toBe('complete');
    expect(await checkout.get(made.id)).toMatchObject({ customer: ada.customer, payment_method: ada.method });
  });
});

describe('a coupon', () => {
  const coupon = async (more: object) =>
    (await account.test.post('/v1/coupons', { duration: 'forever', ...more })).json;
  const apply = (made: { url: string }, code?: string) =>
    checkout.calls.applyCoupon(tokenOf(made.url), code, '203.0.113.7');

  test('takes a percentage off each line, or spreads an amount, and can be taken back', async () => {
    await coupon({ percent_off: 10, code: 'Spring' });
    await coupon({ amount_off: 100, currency: 'eur', code: 'off-1' });
    const made = await checkout.create({
      amount: null,
      currency: null,
      allow_coupons: true,
      line_items: [own(333), own(333), own(334)],
    });
    expect((await apply(made, ' spring '))?.view).toMatchObject({
      coupons: { allowed: true, applied: { code: 'Spring' } },
      amount_total: 901,
      amount_discount: 99,
      amount_subtotal: 1_000,
    });
    expect((await apply(made, 'OFF-1'))?.view).toMatchObject({ amount_total: 900, amount_discount: 100 });
    expect((await checkout.get(made.id)).line_items.map((line: { discount: number }) => line.discount)).toEqual([
      33, 33, 34,
    ]);
    expect((await apply(made))?.view).toMatchObject({ amount_total: 1_000, coupons: { allowed: true } });
    await apply(made, 'off-1');
    await checkout.pay(made);
    const session = await checkout.get(made.id);
    const paid = (await account.test.get(`/v1/payments/${session.payment}`)).json;
    expect(paid).toMatchObject({ amount: 900, description: 'Poster and 2 more' });
    expect(session).not.toHaveProperty('description');
  });

  test('that takes everything off leaves nothing to pay', async () => {
    await coupon({ percent_off: 100, code: 'free' });
    const made = await checkout.create({ allow_coupons: true });
    await apply(made, 'free');
    expect((await checkout.pay(made))?.view).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
    });
    expect(await checkout.payments(made.id)).toEqual([]);
  });

  test('that takes everything off after a decline has no card on its receipt', async () => {
    await coupon({ percent_off: 100, code: 'gratis' });
    const made = await checkout.create({ allow_coupons: true });
    await checkout.pay(made, cards.declined);
    await apply(made, 'gratis');
    const pressed = await checkout.pay(made);
    expect(pressed?.view).toMatchObject({ status: 'complete', payment_status: 'no_payment_required' });
    expect(pressed?.view).not.toHaveProperty('paid');
    expect(await checkout.payments(made.id)).toEqual(['failed']);
  });

  test('can be guessed ten times', async () => {
    await coupon({ percent_off: 50, code: 'half' });
    const made = await checkout.create({ allow_coupons: true });
    for (let tries = 0; tries < 10; tries++) expect((await apply(made, 'no such'))?.problems).toHaveLength(1);
    expect((await apply(made, 'half'))?.view.amount_total).toBe(2_000);
    expect((await apply(await checkout.create(), 'half'))?.problems).toHaveLength(1); // not allowed
  });

  test('is named by its code alone, and only while it is there', async () => {
    const named = await coupon({ percent_off: 50, name: 'Summer' });
    const coded = await coupon({ percent_off: 50, code: 'autumn' });
    const dollars = await coupon({ amount_off: 5, currency: 'usd', code: 'dollars' });
    const made = await checkout.create({ allow_coupons: true });
    const tried = [named.id, 'Summer', coded.id, dollars.code, 'a\0b', `${'x'.repeat(300)}`.slice(0, 256)];
    for (const code of tried) expect((await apply(made, code))?.problems, code).toHaveLength(1);
    expect((await apply(made, 'autumn'))?.view.amount_total).toBe(1_000);
    await apply(made);
    await account.test.delete(`/v1/coupons/${coded.id}`);
    expect((await apply(made, 'autumn'))?.problems).toHaveLength(1);
  });
});

describe('an expiry', () => {
  test('by request ends it; what the status does not allow is refused', async () => {
    const made = await checkout.create();
    const path = `/v1/checkout_sessions/${made.id}/expire`;
    expect((await account.test.post(path, {})).json).toMatchObject({ status: 'expired', expired_reason: 'requested' });
    expectRefusal(await account.test.post(path, {}), 'checkout_session_not_open', 'id');
    expect((await checkout.pay(made))?.view.status).toBe('expired');
    expect(await checkout.events(made.id)).toEqual(['created', 'expired']);
  });

  test('while the customer is being authenticated cancels that first', async () => {
    const made = await checkout.create();
    expect((await checkout.pay(made, cards.challenged))?.goTo).toMatch(/^https:/);
    expect((await checkout.view(made))?.try.state).toBe('action');
    const answer = await account.test.post(`/v1/checkout_sessions/${made.id}/expire`, {});
    expect(answer.json).toMatchObject({ status: 'expired', expired_reason: 'requested' });
    expect(await checkout.payments(made.id)).toEqual(['canceled']);
  });

  test('is not needed to pay another way', async () => {
    const made = await checkout.create();
    await checkout.pay(made, cards.challenged);
    expect((await checkout.pay(made))?.view.try.state).toBe('action'); // no second try meanwhile
    expect((await checkout.calls.closeTry(tokenOf(made.url), '203.0.113.7'))?.try.state).toBe('none');
    expect((await checkout.pay(made))?.view.status).toBe('complete');
    expect(await checkout.payments(made.id)).toEqual(['canceled', 'succeeded']);
  });
});

test('details are erased by a redaction, once it is over', async () => {
  const made = await checkout.create();
  const path = `/v1/checkout_sessions/${made.id}/redact`;
  expectRefusal(await account.test.post(path, {}), 'parameter_invalid', 'id');
  await checkout.pay(made);
  expect((await account.test.post(path, {})).json).not.toHaveProperty('customer_details');
});

test('a list has those of a status, a customer or a reference', async () => {
  const other = new Checkout(server, await server.account());
  const [a, b] = [await other.create({ reference: 'R1' }), await other.create({ reference: 'R2' })];
  await other.pay(b);
  const list = async (query: string) =>
    (await other.account.test.get(`/v1/checkout_sessions?${query}`)).json.data.map(({ id }: { id: string }) => id);
  expect(await list('')).toEqual([b.id, a.id]);
  expect(await list('status=complete')).toEqual([b.id]);
  expect(await list('reference=R1')).toEqual([a.id]);
});

test('a token that we have not made names nothing', async () => {
  const [one, other] = [await checkout.create(), await checkout.create()];
  const [tenant, id] = tokenOf(one.url).split('-');
  const mac = tokenOf(other.url).split('-').slice(2).join('-');
  expect(await checkout.calls.find(`${tenant}-${id}-${mac}`, '203.0.113.7')).toBeUndefined();
  expect(await checkout.calls.find('', '203.0.113.7')).toBeUndefined();
  expect(String(new Secret('x'))).toBe('[secret]');
});
