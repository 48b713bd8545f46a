import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Reads } from '../base/reads.ts';
import { catalog } from '../catalog.ts';
import { Billing, cards, type Shown } from '../resources/billing/subscriptions/billing.fixture.ts';
import { indexed } from '../resources/views/search/indexed.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';
import { Expansions } from './expand.ts';
import { expandables } from './extension_points/expand.ts';
import { referencesIn } from './references.ts';

let server: TestServer;
let account: TestAccount;
let billing: Billing;

beforeAll(async () => {
  server = await startServer({ isAlone: true }); // its statements are counted
  account = await server.account();
  billing = new Billing(account);
});
afterAll(() => server.stop());

const card = { number: cards.pays, exp_month: 12, exp_year: 2060 };
const pay = async (more: object = {}): Promise<Shown> => {
  const { id: payment_method } = await billing.post('payment_methods', { type: 'card', card });
  return billing.post('payments', { amount: 2_000, currency: 'eur', payment_method, ...more });
};
const expanding = (...paths: string[]) => paths.map((path) => `expand[]=${path}`).join('&');

describe('an object', () => {
  test('has what the request asks for beside its ids, as a request for it would answer', async () => {
    const customer = await billing.post('customers', { name: 'Ada' });
    const payment = await pay({ customer: customer.id });
    const { expanded, ...plain } = await billing.get(
      `payments/${payment.id}?${expanding('customer', 'payment_method')}`,
    );
    expect(plain).toEqual(payment);
    const method = await billing.get(`payment_methods/${payment.payment_method}`);
    expect(expanded).toEqual({ customer, payment_method: method });
    expect(payment).not.toHaveProperty('expanded');
  });

  test('has an empty `expanded` where it refers to nothing', async () => {
    const payment = await pay();
    expect((await billing.get(`payments/${payment.id}?${expanding('customer', 'dispute')}`)).expanded).toEqual({});
  });

  test('is without what is gone', async () => {
    const customer = await billing.customer(undefined);
    const coupon = await billing.post('coupons', { percent_off: 10, duration: 'once' });
    const { id } = await billing.subscribe(customer, await billing.price(500), { coupon: coupon.id });
    const path = `subscriptions/${id}?${expanding('customer', 'coupon', 'latest_invoice')}`;
    expect((await billing.get(path)).expanded).toMatchObject({ customer, coupon });
    await account.test.delete(`/v1/coupons/${coupon.id}`);
    await account.test.delete(`/v1/customers/${customer.id}`);
    const after = await billing.get(path);
    expect([after.customer, after.coupon]).toEqual([customer.id, coupon.id]);
    expect(Object.keys(after.expanded)).toEqual(['latest_invoice']);
  });

  test('of one of several kinds is found by its id', async () => {
    const payment = await pay();
    const refund = await billing.post('refunds', { payment: payment.id, amount: 100 });
    const path = `balance/transactions?payment=${payment.id}&${expanding('source', 'payment')}`;
    const { data } = await billing.get(path);
    const sources = data.map(({ expanded }: Shown) => `${expanded.source.object} ${expanded.source.id}`);
    expect(new Set(sources)).toEqual(new Set([`payment ${payment.id}`, `refund ${refund.id}`]));
    expect(data.map(({ expanded }: Shown) => expanded.payment.amount_refunded)).toEqual(data.map(() => 100));
  });
});

describe('a list', () => {
  test('costs one more statement for each path, however long the page is', async () => {
    const own = await server.account();
    const client = new Billing(own);
    const { id: method } = await client.post('payment_methods', { type: 'card', card });
    for (const name of ['Ada', 'Grace', 'Mary']) {
      const { id: customer } = await client.post('customers', { name });
      await client.post('payments', { amount: 1, currency: 'eur', payment_method: method, customer });
    }
    await indexed(server.sql); // the index of the search reads what was made
    const statements = async (query: string) => {
      const texts: string[] = [];
      const run = vi.spyOn(
        Reads.prototype as unknown as { run: (sql: unknown, text: string) => Promise<unknown> },
        'run',
      );
      const page = await client.get(`payments?${query}`);
      texts.push(...run.mock.calls.map(([, text]) => text));
      run.mockRestore();
      const names = texts.filter((text) => /payments|customers|payment_methods/.test(text));
      return { count: names.length, page };
    };
    expect((await statements('limit=3')).count).toBe(1);
    const one = await statements(`limit=3&${expanding('customer')}`);
    expect(one.count).toBe(2);
    expect(one.page.data.map(({ expanded }: Shown) => expanded.customer.name)).toEqual(['Mary', 'Grace', 'Ada']);
    expect((await statements(`limit=3&${expanding('customer', 'payment_method')}`)).count).toBe(3);
  });
});

describe('a change', () => {
  const subscribe = async (number: string, more: object = {}, headers = {}, shop = billing) => {
    const customer = await shop.customer(undefined, number);
    const items = [{ price: (await shop.price(1_000)).id }];
    const body = { customer: customer.id, items, expand: ['latest_invoice.payment', 'latest_invoice'], ...more };
    return shop.account.test.post('/v1/subscriptions', body, headers);
  };

  test('shows what it has made: the payment of a new subscription, in one request', async () => {
    const headers = { 'Idempotency-Key': 'a new subscription, expanded' };
    const customer = await billing.customer(undefined, cards.challenges);
    const items = [{ price: (await billing.price(1_000)).id }];
    const body = { customer: customer.id, items, expand: ['latest_invoice.payment', 'latest_invoice'] };
    const first = await account.test.post('/v1/subscriptions', body, headers);
    const { expanded, ...plain } = first.json;
    expect(expanded['latest_invoice.payment'].next_action.redirect_to_url.url).toMatch(/^https:/);
    expect(plain).toEqual(await billing.get(`subscriptions/${plain.id}`));
    const invoice = await billing.get(`invoices/${plain.latest_invoice}`);
    expect(expanded.latest_invoice).toEqual(invoice);
    expect(expanded['latest_invoice.payment']).toEqual(await billing.get(`payments/${invoice.payment}`));
    const again = await account.test.post('/v1/subscriptions', { ...body, expand: body.expand.toReversed() }, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const other = await account.test.post('/v1/subscriptions', { ...body, expand: ['latest_invoice'] }, headers);
    expectRefusal(other, 'idempotency_key_reused', 'Idempotency-Key');
    const [event] = (await billing.get(`events?object_id=${plain.id}`)).data;
    expect(event.data.object).not.toHaveProperty('expanded');
  });

  test('shows it with the number that the invoice got, and a path of two alone', async () => {
    const made = (await subscribe(cards.pays, { expand: ['latest_invoice.payment'] })).json;
    expect(Object.keys(made.expanded)).toEqual(['latest_invoice.payment']);
    expect(made.expanded['latest_invoice.payment']).toMatchObject({
      status: 'succeeded',
      invoice: made.latest_invoice,
    });
    const { expanded } = (await subscribe(cards.pays)).json;
    expect(expanded.latest_invoice.number).toMatch(/^INV-\d{6}$/);
  });

  test('by a remote processor shows what its answer has made', async () => {
    const remote = await startServer({ environment: { SIMULATOR: 'remote' } });
    onTestFinished(() => remote.stop());
    const shop = new Billing(await remote.account());
    for (const payment_behavior of ['allow_incomplete', 'error_if_incomplete']) {
      const headers = { 'Idempotency-Key': payment_behavior };
      const { json, text } = await subscribe(cards.pays, { payment_behavior }, headers, shop);
      expect(json.status, text).toBe('active');
      const invoice = await shop.get(`invoices/${json.latest_invoice}`);
      expect(json.expanded.latest_invoice).toEqual(invoice);
      expect(json.expanded['latest_invoice.payment']).toEqual(await shop.get(`payments/${invoice.payment}`));
    }
    const challenged = (await subscribe(cards.challenges, {}, {}, shop)).json;
    expect(challenged.expanded['latest_invoice.payment'].next_action).toBeDefined();
  });

  test('that is declined shows nothing', async () => {
    const { id: payment_method } = await billing.post('payment_methods', {
      ...{ type: 'card', card: { ...card, number: cards.declines } },
    });
    const body = { amount: 1, currency: 'eur', payment_method, expand: ['payment_method'] };
    const answer = await account.test.post('/v1/payments', body);
    expect([answer.status, Object.keys(answer.json)]).toEqual([402, ['error']]);
  });

  test('by a form takes paths too, and an update that changes nothing shows them', async () => {
    const customer = await billing.customer(undefined);
    const answer = await account.test.form(`/v1/customers/${customer.id}`, expanding('default_payment_method'));
    expect(answer.json.expanded.default_payment_method.id).toBe(customer.default_payment_method);
    const { expanded, ...plain } = answer.json;
    expect(plain).toEqual(customer);
  });

  test('of a canceled subscription is not refused because of the paths', async () => {
    const customer = await billing.customer(undefined);
    const { id } = await billing.subscribe(customer, await billing.price(500));
    await billing.post(`subscriptions/${id}/cancel`);
    const shown = await billing.post(`subscriptions/${id}`, { metadata: { a: '1' }, expand: ['customer'] });
    expect(shown.expanded.customer.id).toBe(customer.id);
  });
});

describe('refused:', () => {
  test('a path that there is not, with the list of those that there are', async () => {
    const answer = await account.test.get(`/v1/payments?${expanding('custumer')}`);
    expectRefusal(answer, 'parameter_invalid', 'expand.0');
    expect(answer.json.error.message).toContain('one of customer, payment_method, invoice');
    const body = { amount: 1, currency: 'eur', payment_method: 'pm_x', expand: ['payment_method.customer'] };
    expectRefusal(await account.test.post('/v1/payments', body), 'parameter_invalid', 'expand.0');
  });

  test('more than five, what is no list, and another form than JSON', async () => {
    const six = expanding(...Array(6).fill('customer'));
    expectRefusal(await account.test.get(`/v1/payments?${six}`), 'parameter_invalid', 'expand');
    expectRefusal(await account.test.get('/v1/payments?expand=customer'), 'parameter_invalid', 'expand');
    expect((await account.test.post('/v1/customers', { expand: null })).json).not.toHaveProperty('expanded');
    const csv = { headers: { Accept: 'text/csv' } };
    const answer = await account.test.get(`/v1/payments?${expanding('customer')}`, csv);
    expectRefusal(answer, 'parameter_invalid', 'expand');
  });

  test('where there is nothing to expand', async () => {
    expectRefusal(await account.test.get(`/v1/prices?${expanding('customer')}`), 'parameter_unknown', 'expand');
    const { id } = await billing.post('customers');
    const deletion = await account.test.request('DELETE', `/v1/customers/${id}`, {
      body: { expand: ['default_payment_method'] },
    });
    expectRefusal(deletion, 'parameter_unknown', 'expand');
  });

  test('what the key may not read, by the name of the scope, and nothing is done', async () => {
    const { client } = await server.key(account.id, { scopes: ['payments:write', 'customers:read'] });
    const payment = await pay();
    expect((await client.get(`/v1/payments/${payment.id}?${expanding('customer')}`)).status).toBe(200);
    const refused = await client.get(`/v1/payments/${payment.id}?${expanding('payment_method')}`);
    expectRefusal(refused, 'scope_missing');
    expect(refused.json.error.message).toContain('payment_methods:read');
    const canceled = await pay({ capture_method: 'manual' });
    expectRefusal(
      await client.post(`/v1/payments/${canceled.id}/cancel`, { expand: ['payment_method'] }),
      'scope_missing',
    );
    expect((await billing.get(`payments/${canceled.id}`)).status).toBe('requires_capture');
  });

  test('a path of two without the scope of the object between', async () => {
    const { client } = await server.key(account.id, { scopes: ['subscriptions:read', 'payments:read'] });
    const refused = await client.get(`/v1/subscriptions?${expanding('latest_invoice.payment')}`);
    expectRefusal(refused, 'scope_missing');
    expect(refused.json.error.message).toContain('invoices:read');
  });
});

test('a person of every role can expand', async () => {
  const customer = await billing.post('customers', { name: 'Ada' });
  const payment = await pay({ customer: customer.id });
  const { client } = await server.person(account.id, 'viewer');
  const { json } = await client.get(`/v1/payments/${payment.id}?${expanding('customer')}`);
  expect(json.expanded.customer).toEqual(customer);
});

test('every reference leads to a kind of object, and paths of two are the ones that are meant', () => {
  const expansions = new Expansions(catalog.extensionsOf(expandables));
  const paths = new Map(
    catalog.operations.flatMap(({ output }) => referencesIn(output)).map((path) => [path.path, path]),
  );
  for (const path of paths.values()) expect(expansions.targetsOf(path).length, path.path).toBeGreaterThan(0);
  expect([...paths.keys()].filter((path) => path.includes('.'))).toEqual(['latest_invoice.payment']);
});
