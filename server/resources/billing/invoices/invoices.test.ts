import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer as answering, startReceiver } from '../../../outbox/receiver.fixture.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { at, Billing, cards, type Shown } from '../subscriptions/billing.fixture.ts';
import { type InvoiceStatus, invoiceStatuses } from './invoice.ts';

let server: TestServer;
let billing: Billing;
/** In real time, with a card. */
let customer: Shown;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  billing = new Billing(await server.account());
  customer = await billing.customer(undefined);
});
afterAll(() => server.stop());

const fee = { amount: 700, currency: 'eur', description: 'Setup' };
const addItem = (payer: Shown, more: object = {}) =>
  billing.post('invoice_items', { customer: payer.id, ...fee, ...more });

/** A draft of one item. */
async function draft(payer = customer): Promise<Shown> {
  await addItem(payer);
  return billing.post('invoices', { customer: payer.id });
}
async function opened(payer = customer): Promise<Shown> {
  return billing.post(`invoices/${(await draft(payer)).id}/finalize`);
}
const after = async (verb: string): Promise<Shown> => billing.post(`invoices/${(await opened()).id}/${verb}`);
const makers: Record<InvoiceStatus, () => Promise<Shown>> = {
  draft: () => draft(),
  open: () => opened(),
  paid: () => after('pay'),
  void: () => after('void'),
  uncollectible: () => after('mark_uncollectible'),
};

async function eventsOf(id: string): Promise<Shown[]> {
  const text = 'select payload from events where object_id = $1 order by id';
  const { rows } = await server.sql.query<{ payload: Buffer }>(text, [id]);
  return rows.map(({ payload }) => JSON.parse(payload.toString()));
}

describe('a draft', () => {
  test('has exactly its fields, in their order, and becomes open without being charged', async () => {
    const clock = await billing.clock('2027-03-04');
    const payer = await billing.customer(clock);
    const items = [await addItem(payer), await addItem(payer, { amount: -200, description: 'Sorry' })];
    const made = await billing.account.test.post('/v1/invoices', { customer: payer.id });
    const now = at('2027-03-04');
    const lines = made.json.lines.map(({ id }: Shown, index: number) => ({
      ...{ id, amount: items[index].amount, discount: 0, description: items[index].description },
      ...{ period: { start: now, end: now }, proration: false, invoice_item: items[index].id },
    }));
    const shown = {
      ...{ id: made.json.id, object: 'invoice', customer: payer.id, status: 'draft', billing_reason: 'manual' },
      ...{ currency: 'eur', lines, subtotal: 500, discount: 0, total: 500, credit_applied: 0, amount_due: 500 },
      ...{ amount_paid: 0, amount_remaining: 500, attempt_count: 0, period_start: now, period_end: now, created: now },
    };
    expect(made.text).toBe(JSON.stringify(shown));
    const open = await billing.account.test.post(`/v1/invoices/${made.json.id}/finalize`);
    expect(open.text).toBe(
      JSON.stringify({ ...shown, status: 'open', number: open.json.number, hosted_url: open.json.hosted_url }),
    );
    const paid = await billing.account.test.post(`/v1/invoices/${made.json.id}/pay`, {});
    const { number, hosted_url, payment } = paid.json;
    expect(paid.text).toBe(
      JSON.stringify({
        ...{ ...shown, status: 'paid', amount_paid: 500, amount_remaining: 0, attempt_count: 1 },
        ...{ number, hosted_url, payment, paid_at: now },
      }),
    );
    expect((await billing.account.test.get(`/v1/invoices/${made.json.id}`)).text).toBe(paid.text);
  });

  test('takes the waiting items of one currency, which is named if there are two', async () => {
    const payer = await billing.customer(undefined);
    const [euros, dollars] = [await addItem(payer), await addItem(payer, { currency: 'usd' })];
    expect(await billing.refused('invoices', { customer: payer.id })).toMatchObject({
      ...{ status: 400, code: 'parameter_invalid', param: 'currency' },
      message: expect.stringContaining('items wait in eur and in usd; name one'),
    });
    const made = await billing.post('invoices', { customer: payer.id, currency: 'USD' });
    expect(made).toMatchObject({ currency: 'usd', lines: [{ invoice_item: dollars.id }] });
    expect(await billing.post('invoices', { customer: payer.id })).toMatchObject({
      ...{ currency: 'eur', lines: [{ invoice_item: euros.id }] },
    });
    expect(await billing.refused('invoices', { customer: payer.id })).toMatchObject({
      ...{ status: 400, code: 'parameter_invalid', param: 'customer' },
      message: expect.stringContaining('no invoice item of this customer waits'),
    });
    expect(await billing.refused('invoices', { customer: payer.id, currency: 'eur' })).toMatchObject({
      ...{ param: 'currency', message: expect.stringContaining('no invoice item of this customer in eur waits') },
    });
  });

  test('has the items that are sent with it, after those that wait, with an event for each', async () => {
    const payer = await billing.customer(undefined);
    const price = await billing.price(1_000);
    const waiting = await addItem(payer);
    const items = [
      { amount: -200, description: 'Discount' },
      { price: price.id, quantity: 3 },
      { price: price.id, description: 'x' },
    ];
    const body = { customer: payer.id, items };
    const headers = { 'Idempotency-Key': 'invoice with items' };
    const made = await billing.account.test.post('/v1/invoices', body, headers);
    const { lines, ...invoice } = made.json;
    expect(invoice).toMatchObject({ status: 'draft', currency: 'eur', total: waiting.amount - 200 + 3_000 + 1_000 });
    expect(
      lines.map(({ amount, description }: { amount: number; description: string }) => [amount, description]),
    ).toEqual([
      [waiting.amount, waiting.description],
      [-200, 'Discount'],
      [3_000, expect.stringMatching(/^3 × /)],
      [1_000, 'x'],
    ]);
    expect((await billing.account.test.post('/v1/invoices', body, headers)).text).toBe(made.text);
    const { data } = await billing.get(`invoice_items?customer=${payer.id}`);
    expect(data).toHaveLength(4);
    for (const item of data) expect(item.invoice).toBe(invoice.id);
    for (const { invoice_item } of lines.slice(1)) {
      const events = await billing.get(`events?object_id=${invoice_item}`);
      expect(events.data).toMatchObject([{ type: 'invoice_item.created', data: { object: { invoice: invoice.id } } }]);
    }
  });

  test('with items and nothing else needs a currency, unless a price has one', async () => {
    const payer = await billing.customer(undefined);
    const price = await billing.price(1_000);
    const items = [{ amount: 500, description: 'Setup' }];
    const answer = await billing.account.test.post('/v1/invoices', { customer: payer.id, items });
    expectRefusal(answer, 'parameter_missing', 'currency');
    expect(await billing.post('invoices', { customer: payer.id, items, currency: 'JPY' })).toMatchObject({
      ...{ currency: 'jpy', total: 500 },
    });
    expect(
      await billing.post('invoices', { customer: payer.id, items: [...items, { price: price.id }] }),
    ).toMatchObject({
      ...{ currency: 'eur', total: 1_500 },
    });
    const wrong = await billing.account.test.post('/v1/invoices', {
      customer: payer.id,
      items: [{ price: price.id }],
      currency: 'usd',
    });
    expectRefusal(wrong, 'parameter_invalid', 'items.0.price');
    await billing.post(`prices/${price.id}`, { active: false });
    const inactive = await billing.account.test.post('/v1/invoices', {
      customer: payer.id,
      items: [{ price: price.id }],
    });
    expectRefusal(inactive, 'parameter_invalid', 'items.0.price');
    expect((await billing.get(`invoice_items?customer=${payer.id}`)).data).toHaveLength(3);
  });

  const item = { amount: 500, description: 'x' };
  const withItems = (...items: object[]) => ({ customer: 'cus_1', currency: 'eur', items });
  const refused: [what: string, body: object, code: string, param: string][] = [
    ['no items in a list of them', withItems(), 'parameter_invalid', 'items'],
    ['an item without an amount', withItems(item, { description: 'x' }), 'parameter_missing', 'items.1.amount'],
    ['an item without a description', withItems({ amount: 1 }), 'parameter_missing', 'items.0.description'],
    ['an item of 0', withItems({ ...item, amount: 0 }), 'parameter_invalid', 'items.0.amount'],
    ['an item that is too large', withItems({ ...item, amount: 1e12 }), 'amount_too_large', 'items.0.amount'],
    ['an item with both', withItems({ ...item, price: 'price_1' }), 'parameters_exclusive', 'items.0.price'],
    ['a quantity of an amount', withItems({ ...item, quantity: 2 }), 'parameter_invalid', 'items.0.quantity'],
    ['no customer', {}, 'parameter_missing', 'customer'],
    ['nobody', { customer: unusedId('cus') }, 'resource_missing', 'customer'],
    ['a currency that is none', { customer: 'cus_1', currency: 'xxx' }, 'currency_unknown', 'currency'],
    ['lines', { customer: 'cus_1', lines: [] }, 'parameter_unknown', 'lines'],
  ];
  test.each(refused)('is refused for %s', async (_what, body, code, param) => {
    expectRefusal(await billing.account.test.post('/v1/invoices', body), code, param);
  });

  test('of a customer that is deleted becomes void, without a number', async () => {
    const payer = await billing.customer(undefined);
    const made = await draft(payer);
    expect((await billing.account.test.delete(`/v1/customers/${payer.id}`)).status).toBe(200);
    await server.settled();
    const gone = await billing.get(`invoices/${made.id}`);
    expect(gone).toEqual({ ...made, status: 'void', voided_at: gone.voided_at });
  });
});

describe('an invoice that is', () => {
  const allowed: Record<string, readonly InvoiceStatus[]> = {
    finalize: ['draft'],
    pay: ['open', 'uncollectible'],
    void: ['open', 'uncollectible'],
    mark_uncollectible: ['open'],
  };
  const becomes: Record<string, InvoiceStatus> = {
    ...{ finalize: 'open', pay: 'paid', void: 'void', mark_uncollectible: 'uncollectible' },
  };
  const cases = invoiceStatuses.flatMap((status) => Object.keys(allowed).map((verb) => [status, verb] as const));
  test.each(cases)('%s, and the verb %s', async (status, verb) => {
    const before = await makers[status]();
    expect(before.status).toBe(status);
    const answer = await billing.account.test.post(`/v1/invoices/${before.id}/${verb}`);
    if (allowed[verb]!.includes(status)) {
      expect(answer.json).toMatchObject({ id: before.id, status: becomes[verb] });
      return;
    }
    expectRefusal(answer, verb === 'pay' ? 'invoice_not_payable' : 'invoice_not_updatable', 'id');
    expect(answer.json.error.message).toContain(`it is ${status}, and only ${allowed[verb]!.join(' or ')} can be`);
    expect(await billing.get(`invoices/${before.id}`)).toEqual(before);
  });

  test.each(invoiceStatuses)('%s can have metadata, which is all that can be changed', async (status) => {
    const before = await makers[status]();
    const path = `invoices/${before.id}`;
    expect(await billing.post(path, { metadata: { a: 1, b: 2 } })).toEqual({ ...before, metadata: { a: 1, b: 2 } });
    const form = await billing.account.test.form(`/v1/${path}`, 'metadata[a]=');
    expect(form.json).toEqual({ ...before, metadata: { b: 2 } });
    expect(await billing.refused(path, { status: 'paid' })).toMatchObject({
      ...{ code: 'parameter_unknown', param: 'status' },
    });
    const [event] = (await eventsOf(before.id)).slice(-1);
    expect([event.type, event.data.previous_attributes]).toEqual(['invoice.updated', { metadata: { a: 1 } }]);
  });
});

describe('paying', () => {
  test('declined is 402 like a payment, and the invoice stays open', async () => {
    const payer = await billing.customer(undefined, cards.declines);
    const open = await opened(payer);
    const answer = await billing.account.test.post(`/v1/invoices/${open.id}/pay`, {});
    expect(answer.status).toBe(402);
    const { code, decline_code, payment } = answer.json.error;
    expect([code, decline_code]).toEqual(['card_declined', 'insufficient_funds']);
    const still = await billing.get(`invoices/${open.id}`);
    const last_failure = { code, decline_code, message: answer.json.error.message };
    expect(still).toEqual({ ...open, attempt_count: 1, payment, last_failure });
    expect(Object.keys(still).slice(-4)).toEqual(['number', 'hosted_url', 'payment', 'last_failure']);
    expect(await billing.get(`payments/${payment}`)).toMatchObject({ invoice: open.id, status: 'failed' });
    expect((await eventsOf(open.id)).map(({ type }) => type)).toEqual([
      ...['invoice.created', 'invoice.finalized', 'invoice.payment_failed'],
    ]);
    const other = await billing.method(cards.pays, payer.id);
    expect(await billing.post(`invoices/${open.id}/pay`, { payment_method: other.id })).toMatchObject({
      ...{ status: 'paid', attempt_count: 2 },
    });
  });

  test('with the cardholder starts a payment that has a next action, and nothing else is possible meanwhile', async () => {
    const open = await opened(await billing.customer(undefined, cards.challenges));
    const path = `invoices/${open.id}`;
    const waiting = await billing.post(`${path}/pay`, { return_url: 'https://shop.example/back' });
    expect(waiting).toMatchObject({ status: 'open', amount_remaining: 700, attempt_count: 1 });
    const payment = await billing.get(`payments/${waiting.payment}`);
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    for (const verb of ['pay', 'void', 'mark_uncollectible'])
      expect(await billing.refused(`${path}/${verb}`)).toMatchObject({
        ...{ status: 400, code: verb === 'pay' ? 'invoice_not_payable' : 'invoice_not_updatable', param: 'id' },
        message: expect.stringContaining(`the payment ${payment.id} has no outcome yet`),
      });
    expect((await eventsOf(open.id)).map(({ type }) => type)).toEqual([
      ...['invoice.created', 'invoice.finalized', 'invoice.payment_action_required'],
    ]);
  });

  test('what was given up, declined, changes nothing for its subscription', async () => {
    const clock = await billing.clock('2027-01-01');
    const payer = await billing.customer(clock);
    const made = await billing.subscribe(payer, await billing.price(900));
    await billing.pays(payer, cards.declines);
    await billing.advance(clock, '2027-02-01');
    const { id } = (await billing.invoices(made)).at(-1);
    await billing.post(`invoices/${id}/mark_uncollectible`);
    const before = await billing.subscription(made);
    expect(before.status).toBe('active');
    expect(await billing.refused(`invoices/${id}/pay`)).toMatchObject({ status: 402, code: 'card_declined' });
    const after = await billing.get(`invoices/${id}`);
    expect(after).toMatchObject({ status: 'uncollectible', attempt_count: 2 });
    expect(after).not.toHaveProperty('next_payment_attempt');
    expect(await billing.subscription(made)).toEqual(before);
    await billing.pays(payer, cards.pays);
    expect(await billing.post(`invoices/${id}/pay`)).toMatchObject({ status: 'paid', amount_paid: 900 });
    expect(await billing.subscription(made)).toEqual(before);
  });

  test('without the cardholder is declined where a processor wants one', async () => {
    const open = await opened(await billing.customer(undefined, cards.challenges));
    expect(await billing.refused(`invoices/${open.id}/pay`)).toMatchObject({
      ...{ status: 402, decline_code: 'authentication_required' },
    });
  });

  test('names the method that is missing, unknown or of somebody else', async () => {
    const payer = await billing.customer(undefined, '');
    const path = `invoices/${(await opened(payer)).id}/pay`;
    const theirs = (await billing.method(cards.pays, customer.id)).id;
    const table: [body: object, code: string, param: string][] = [
      [{}, 'parameter_missing', 'payment_method'],
      [{ payment_method: unusedId('pm') }, 'resource_missing', 'payment_method'],
      [{ payment_method: theirs }, 'parameter_invalid', 'payment_method'],
      [{ payment_method: theirs, return_url: 'shop' }, 'return_url_invalid', 'return_url'],
      [{ amount: 1 }, 'parameter_unknown', 'amount'],
    ];
    for (const [body, code, param] of table)
      expect([body, await billing.refused(path, body)]).toMatchObject([body, { code, param }]);
  });

  test('with an idempotency key happens once, and the key is for these parameters only', async () => {
    const open = await opened();
    const path = `/v1/invoices/${open.id}/pay`;
    const key = { 'Idempotency-Key': 'pay-once' };
    const first = await billing.account.test.post(path, {}, key);
    const again = await billing.account.test.post(path, {}, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    const other = await billing.account.test.post(path, { return_url: 'https://shop.example/' }, key);
    expect(other.json.error.code).toBe('idempotency_key_reused');
    const payments = await server.sql.query('select id from payments where invoice = $1', [open.id]);
    expect(payments.rows).toEqual([{ id: first.json.payment }]);
  });

  test('declined under an idempotency key is declined again without another charge', async () => {
    const open = await opened(await billing.customer(undefined, cards.declines));
    const key = { 'Idempotency-Key': 'decline-once' };
    const [first, again] = [
      await billing.account.test.post(`/v1/invoices/${open.id}/pay`, {}, key),
      await billing.account.test.post(`/v1/invoices/${open.id}/pay`, {}, key),
    ];
    expect([again.status, again.text]).toEqual([402, first.text]);
    expect(await billing.get(`invoices/${open.id}`)).toMatchObject({ attempt_count: 1 });
  });
});

describe('a list', () => {
  test('can be of a customer, a subscription and a status, in any combination, page by page', async () => {
    const own = new Billing(await server.account());
    const price = await own.price(100, { interval: 'day' });
    const clock = await own.clock('2027-01-01');
    const [one, other] = [await own.customer(clock), await own.customer(clock)];
    const [first, second] = [await own.subscribe(one, price), await own.subscribe(one, price)];
    await own.subscribe(other, price);
    await own.advance(clock, '2027-01-04');
    await own.post('invoice_items', { customer: one.id, ...fee });
    await own.post('invoices', { customer: one.id });
    const { data: all } = await own.get('invoices?limit=100');
    expect(all).toHaveLength(13);
    const filters = {
      customer: [undefined, one.id, other.id, unusedId('cus')],
      subscription: [undefined, first.id, second.id, 'none'],
      status: [undefined, 'draft', 'paid', 'void'],
    };
    for (const customer of filters.customer)
      for (const subscription of filters.subscription)
        for (const status of filters.status) {
          const wanted = Object.entries({ customer, subscription, status }).filter(([, value]) => value !== undefined);
          const expected = all.filter((invoice: Shown) => wanted.every(([name, value]) => invoice[name] === value));
          expect([wanted, await pages(own.account.test, new URLSearchParams(wanted as [string, string][]))]).toEqual([
            wanted,
            expected,
          ]);
        }
  });

  /** All pages of three, put together. */
  async function pages(client: Client, query: URLSearchParams): Promise<Shown[]> {
    const found: Shown[] = [];
    for (;;) {
      const cursor = found.length === 0 ? '' : `&starting_after=${found.at(-1).id}`;
      const { json } = await client.get(`/v1/invoices?${query}&limit=3${cursor}`);
      expect(json).toMatchObject({ object: 'list', url: '/v1/invoices' });
      found.push(...json.data);
      if (!json.has_more) return found;
    }
  }

  test.each([
    ['status=overdue', 'parameter_invalid', 'status'],
    ['status=', 'parameter_invalid', 'status'],
    ['number=INV-000001', 'parameter_unknown', 'number'],
    ['starting_after=sub_1', 'parameter_invalid', 'starting_after'],
  ])('refuses %s', async (query, code, param) => {
    expectRefusal(await billing.account.test.get(`/v1/invoices?${query}`), code, param);
  });
});

test('webhooks deliver what happens to invoices and subscriptions', async () => {
  const own = new Billing(await server.account());
  const receiver = await startReceiver(answering('200 OK'));
  const url = `http://127.0.0.1:${receiver.port}/`;
  await own.post('webhook_endpoints', { url, enabled_events: ['invoice.*', 'subscription.*', 'price.created'] });
  const price = await own.price(1_000);
  const made = await own.subscribe(await own.customer(undefined), price);
  await own.post(`subscriptions/${made.id}/cancel`);
  await server.settled();
  const sent = [...receiver.received().matchAll(/"type":"((?:invoice|subscription|price)\.\w+)"/g)].map(
    ([, type]) => type,
  );
  expect(sent.sort()).toEqual([
    ...['invoice.created', 'invoice.finalized', 'invoice.paid', 'price.created'],
    ...['subscription.canceled', 'subscription.created'],
  ]);
});

test('scopes: who may write subscriptions may not write invoices, and a preview needs only to read them', async () => {
  const { client: seller } = await server.key(billing.account.id, { scopes: ['subscriptions:write'] });
  const { client: clerk } = await server.key(billing.account.id, { scopes: ['invoices:read'] });
  const price = await billing.price(1_000);
  const made = await seller.post('/v1/subscriptions', { customer: customer.id, items: [{ price: price.id }] });
  expect(made.json.status).toBe('active');
  const { latest_invoice: invoice } = made.json;
  expectRefusal(await seller.get(`/v1/invoices/${invoice}`), 'scope_missing');
  expectRefusal(await seller.post('/v1/invoices/preview', { subscription: made.json.id }), 'scope_missing');
  expect((await clerk.get(`/v1/invoices/${invoice}`)).status).toBe(200);
  expect((await clerk.post('/v1/invoices/preview', { subscription: made.json.id })).status).toBe(200);
  expectRefusal(await clerk.post(`/v1/invoices/${invoice}/void`), 'scope_missing');
  expectRefusal(await clerk.get(`/v1/subscriptions/${made.json.id}`), 'scope_missing');
});
