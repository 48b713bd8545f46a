import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { collect } from '../../../operations/resource.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { card, connectorsWithAccounts } from '../../../test/http/objects.ts';
import { resources } from '../../index.ts';
import { indexed } from './indexed.fixture.ts';
import { termsOf } from './terms.ts';
import { beginWalks } from './walks.ts';

let server: TestServer;
let account: TestAccount;
const made: Record<string, string> = {};
let reference: string;

type Hit = { id: string; object: string; title: string; subtitle?: string; matched: string[] };
const search = async (q: string, client: Client = account.test, more = ''): Promise<Hit[]> => {
  const { status, json } = await client.get(`/v1/search?q=${encodeURIComponent(q)}${more}`);
  expect([status, json.is_complete], q).toEqual([200, true]);
  return json.data;
};
const ids = async (q: string, client?: Client) => (await search(q, client)).map(({ id }) => id);

beforeAll(async () => {
  server = await startServer({ connectors: connectorsWithAccounts });
  account = await server.account();
  const post = async (path: string, body: object) => (await account.test.post(`/v1/${path}`, body)).json;
  made.customer = (await post('customers', { name: 'Ada', email: 'Ada@Example.com' })).id;
  made.payment_method = (await post('payment_methods', { type: 'card', card, customer: made.customer })).id;
  const payment = await post('payments', { amount: 2_000, currency: 'eur', payment_method: made.payment_method });
  made.payment = payment.id;
  made.refund = (await post('refunds', { payment: payment.id, amount: 300 })).id;
  const recurring = { interval: 'month' };
  made.price = (await post('prices', { currency: 'jpy', unit_amount: 900, recurring, product_name: 'Seat' })).id;
  made.coupon = (await post('coupons', { percent_off: 10, duration: 'once' })).id;
  made.invoice_item = (
    await post('invoice_items', { customer: made.customer, amount: 700, currency: 'eur', description: 'Setup' })
  ).id;
  made.invoice = (await post('invoices', { customer: made.customer })).id;
  await post(`invoices/${made.invoice}/finalize`, {});
  made.test_clock = (await post('test_clocks', { frozen_time: 2_000_000_000 })).id;
  made.event = (await account.test.get('/v1/events?limit=1')).json.data[0].id;
  made.balance_transaction = (await account.test.get(`/v1/balance/transactions?payment=${payment.id}`)).json.data[0].id;
  await indexed(server.sql);
  reference = (await account.test.get(`/v1/payments/${payment.id}/attempts`)).json.data[0].reference;
});
afterAll(() => server.stop());

describe('a search', () => {
  test('finds an object of every kind by its id', async () => {
    for (const [object, id] of Object.entries(made)) {
      const found = await search(` ${id} `);
      expect(found, object).toEqual([
        {
          object,
          id,
          title: expect.any(String),
          subtitle: expect.any(String),
          created: expect.any(Number),
          matched: ['id'],
        },
      ]);
    }
  });

  test('finds a customer by email, whatever its case', async () => {
    expect(await search('ada@EXAMPLE.com', account.test, '&kind=customer')).toEqual([
      {
        object: 'customer',
        id: made.customer,
        title: 'Ada',
        subtitle: 'Ada@Example.com',
        created: expect.any(Number),
        matched: ['email'],
      },
    ]);
    for (const near of ['ada@example.de', '%@xample.com', 'da@example.com']) expect(await ids(near)).toEqual([]);
  });

  test('finds a payment by the last digits of its card and its amount', async () => {
    expect(await search('4242 2000')).toMatchObject([
      { id: made.payment, title: 'EUR 20.00', subtitle: 'succeeded, card 4242' },
    ]);
    expect(await ids('4242  20.00')).toEqual([made.payment]);
    for (const other of ['4242 2001', '4241 2000', '4242 20.000', '2000 4242']) expect(await ids(other)).toEqual([]);
  });

  test('reads and writes amounts with the decimals of ISO 4217', async () => {
    const post = async (money: object) =>
      (await account.test.post('/v1/payments', { ...money, payment_method: made.payment_method })).json.id;
    const [huf, iqd] = [
      await post({ amount: 17_545, currency: 'huf' }),
      await post({ amount: 18_545, currency: 'iqd' }),
    ];
    expect(await search('4242 175.45')).toMatchObject([{ id: huf, title: 'HUF 175.45' }]);
    expect(await search('4242 18.545')).toMatchObject([{ id: iqd, title: 'IQD 18.545' }]);
    expect(await ids('4242 185.45')).toEqual([]);
  });

  test('finds an invoice by its number', async () => {
    const { number } = (await account.test.get(`/v1/invoices/${made.invoice}`)).json;
    for (const q of [number, number.toLowerCase(), '1']) expect(await ids(q), q).toEqual([made.invoice]);
    expect(await ids('INV-000002')).toEqual([]);
  });

  test('finds a payment and a refund by the reference of their processor', async () => {
    expect(await ids(reference)).toEqual([made.payment]);
    const attempt = `att_${reference.slice(4)}`;
    expect(await ids(attempt)).toEqual([made.payment]);
    const account_id = newId('pa', Date.now());
    await server.sql.query(
      `insert into processor_accounts (tenant, id, version, connector, name, enabled, settings, secret)
       select tenant, $2, 1, 'dock', 'Main', false, '{}', 'x' from payments where id = $1`,
      [made.payment, account_id],
    );
    await server.sql.query(
      `update attempts set processor_account = $2, reference = 'pi_of:' || verb where payment = $1`,
      [made.payment, account_id],
    );
    expect(await ids('pi_of:authorize')).toEqual([made.payment]);
    expect(await ids('pi_of:refund')).toEqual(expect.arrayContaining([made.refund]));
    expect(await ids(account_id)).toEqual([account_id]);
    expect(await ids('pi_of:%')).toEqual([]);
  });

  test('finds a dispute by the reference of the processor', async () => {
    const id = newId('dp', Date.now());
    await server.sql.query(
      `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
              connector, reference, inquiries)
       select tenant, $2, 1, id, amount, currency, 'general', 'needs_response', '{}', now(), 0, 'dock', 'du_77', 0
         from payments where id = $1`,
      [made.payment, id],
    );
    expect(await search('du_77')).toMatchObject([
      { id, object: 'dispute', subtitle: 'dispute, general, needs response' },
    ]);
  });

  test('reads 5,000 rows of a frequent word, shows the newest, and says that there are more', async () => {
    const { rows } = await server.sql.query('select tenant from payments where id = $1', [made.payment]);
    await server.sql.query(
      `insert into customers (tenant, id, version, email, metadata)
       select $1, 'cus_' || $2 || lpad(n::text, 14, '0'), 1, 'many@example.com', '{}' from generate_series(1, 5100) n`,
      [rows[0].tenant, newId('cus', Date.now()).slice(4, 12)],
    );
    await beginWalks(server.sql, collect(resources).extensionsOf(searchables), { tenant: rows[0].tenant });
    await indexed(server.sql);
    const { json } = await account.test.get('/v1/search?q=many@example.com&kind=customer');
    expect([json.is_complete, json.counts]).toEqual([false, { customer: 5_000 }]);
    expect(json.data).toHaveLength(10);
    expect(json.data[0].id).toMatch(/5100$/);
    const both = await account.test.get('/v1/search?q=many%20ada&kind=customer');
    expect(both.json).toMatchObject({ is_complete: false, counts: { customer: 0 } });
  });

  test('does not find what was deleted', async () => {
    await account.test.delete(`/v1/coupons/${made.coupon}`);
    expect(await ids(made.coupon!)).toEqual([]);
  });

  test('takes any text', async () => {
    for (const q of ["' or 1=1 --", '"', '\\', '🧾', 'x'.repeat(255), '4242 999999999999999', '9'.repeat(30)])
      expect(await ids(q)).toEqual([]);
    for (const q of ['', '%20%20']) {
      const { json } = await account.test.get(`/v1/search?q=${q}`);
      expect(json.error).toMatchObject({ code: 'parameter_invalid', param: 'q' });
    }
    expect((await account.test.get(`/v1/search?q=${'x'.repeat(256)}`)).json.error.param).toBe('q');
  });
});

describe('a caller', () => {
  const queries = () => [made.payment!, '4242 2000', 'ada@example.com', made.balance_transaction!, 'INV-000001'];

  test('finds only kinds that it may read', async () => {
    const seen = async (...scopes: string[]) => {
      const { client } = await server.key(account.id, { scopes });
      return Promise.all(queries().map(async (q) => (await ids(q, client)).length));
    };
    expect(await seen('payments:read')).toEqual([1, 1, 0, 0, 0]);
    expect(await seen('customers:write', 'invoices:read')).toEqual([0, 0, 3, 0, 1]);
    expect(await seen('balance:read')).toEqual([0, 0, 0, 1, 0]);
    expect(await seen()).toEqual([0, 0, 0, 0, 0]);
  });

  test('of an owner finds everything of its account and mode', async () => {
    const { client } = await server.person(account.id, 'owner');
    for (const q of queries()) expect(await ids(q, client), q).not.toEqual([]);
  });

  test('of another account or mode finds nothing', async () => {
    const other = await server.account();
    const live = await server.person(account.id, 'owner', { mode: 'live' });
    for (const client of [account.live, other.test, live.client])
      for (const q of [...queries(), reference, 'du_77', made.event!]) expect(await ids(q, client), q).toEqual([]);
  });
});

test('a text is read as all that it can be', () => {
  expect(termsOf('4242 0020.00').charge).toMatchObject({ last4: '4242', amount: 2_000 });
  expect(termsOf('4242 20.00').charge!.currencies).toContain('eur');
  expect(termsOf('4242 20.00').charge!.currencies).not.toContain('jpy');
  expect(termsOf('4242').charge).toBeUndefined();
  expect(termsOf('inv-000042')).toMatchObject({ number: 42, reference: 'inv-000042' });
});
