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

  test('calls a payment method by its brand, as its owner writes it, and its last digits', async () => {
    const [method] = await search(made.payment_method!);
    expect(method).toMatchObject({
      title: 'Visa •••• 4242',
      subtitle: expect.stringMatching(/^Ada, until \d+\/\d{4}$/),
    });
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
      `insert into customers (tenant, id, version, name, email, metadata)
       select $1, 'cus_' || $2 || lpad(n::text, 14, '0'), 1, case n % 2 when 0 then 'Even' else 'Odd' end, 'many@example.com', '{}'
         from generate_series(1, 5100) n`,
      [rows[0].tenant, newId('cus', Date.now()).slice(4, 12)],
    );
    await beginWalks(server.sql, collect(resources).extensionsOf(searchables), { tenants: [rows[0].tenant] });
    await indexed(server.sql);
    const { json } = await account.test.get('/v1/search?q=many@example.com&kind=customer');
    expect([json.is_complete, json.counts]).toEqual([false, { customer: 5_000 }]);
    expect(json.data).toHaveLength(10);
    expect(json.data[0].id).toMatch(/5100$/);
    const both = await account.test.get('/v1/search?q=many%20ada&kind=customer');
    expect(both.json).toMatchObject({ is_complete: false, counts: { customer: 0 } });
  });

  test('finds what a rare word has among frequent ones, also by the customer', async () => {
    const { rows } = await server.sql.query(
      `select id from customers where email = 'many@example.com' order by id limit 1`,
    );
    const payment = await account.test.post('/v1/payments', {
      amount: 1_000,
      currency: 'eur',
      payment_method: (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id,
      description: 'Rarely seen',
    });
    // The oldest of them: those who look at the newest do not see it.
    await server.sql.query('update payments set customer = $2 where id = $1', [payment.json.id, rows[0].id]);
    const { json: newest } = await account.test.post('/v1/customers', { name: 'Many' });
    await indexed(server.sql);
    const found = async (q: string, kind: string) => {
      const { json } = await account.test.get(`/v1/search?q=${encodeURIComponent(q)}&kind=${kind}`);
      return [json.is_complete, ...json.data.map(({ id }: Hit) => id).slice(0, 1)];
    };
    expect(await found('many rarely', 'payment')).toEqual([false, payment.json.id]);
    expect(await found('rarely many@example.com', 'payment')).toEqual([false, payment.json.id]);
    expect(await found('rarely manx', 'payment')).toEqual([true]);
    // Both are frequent: the newest that have both are found, and what belongs to them.
    expect(await found('many even', 'customer')).toEqual([false, expect.stringMatching(/5100$/)]);
    expect(await found('odd many', 'customer')).toEqual([false, expect.stringMatching(/5099$/)]);
    expect(await found('even odd', 'customer')).toEqual([true]);
    expect(await found('many odd', 'payment')).toEqual([false]);
    const latest = (await account.test.get('/v1/search?q=many%20odd&kind=customer&limit=1')).json.data[0].id;
    await server.sql.query('update payments set customer = $2 where id = $1', [payment.json.id, latest]);
    expect(await found('many odd', 'payment')).toEqual([false, payment.json.id]);
    expect(await found('many even', 'payment')).toEqual([false]);
    await server.sql.query('update payments set customer = $2 where id = $1', [payment.json.id, rows[0].id]);
    // Five thousand have a longer word, which must not hide the one that has this one.
    expect(await found('many', 'customer')).toEqual([false, newest.id]);
    expect(await found('customer:many amount:>5', 'payment')).toEqual([false]);
    expect(await found('customer:ada', 'customer')).toEqual([true, made.customer]);
    expect(await found('customer:many amount:>5 customer:cus_x', 'payment')).toEqual([false]);
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

describe('words', () => {
  const people = {
    marks: { name: 'Édith Müller-Østby', email: 'edith.muller@firm.example', phone: '+49 (30) 901820' },
    cyrillic: { name: 'Мария Йорданова' },
    arabic: { name: 'فاطمة الزُّهراء' },
    han: { name: '山田太郎', email: 'taro@ヤマダ.example' },
    hangul: { name: '김지훈' },
  };
  const person: Record<string, string> = {};
  beforeAll(async () => {
    for (const [name, body] of Object.entries(people))
      person[name] = (await account.test.post('/v1/customers', { ...body, external_id: `ERP-7/${name}` })).json.id;
    await indexed(server.sql);
  });

  const cases: [who: keyof typeof people, q: string, matched: string[]][] = [
    ['marks', 'EDITH', ['name', 'email']],
    ['marks', 'østby edith', ['name', 'email']],
    ['marks', 'muller@firm', ['email']],
    ['marks', '30901820', ['phone']],
    ['marks', '+49 (30)', ['phone']],
    ['marks', 'erp7marks', ['external_id']],
    ['marks', 'edith erp-7', ['name', 'email', 'external_id']],
    ['cyrillic', 'МАРИЯ иорд', ['name']],
    ['cyrillic', 'йорданова', ['name']],
    ['arabic', 'الزهراء', ['name']],
    ['arabic', 'فاط', ['name']],
    ['han', '山田', ['name']],
    ['han', '太郎', ['name']],
    ['han', '田太郎', ['name']],
    ['han', '郎', ['name']],
    ['han', 'ﾔﾏﾀﾞ', ['email']],
    ['hangul', '지훈', ['name']],
    ['hangul', '김', ['name']],
    ['hangul', '\u1100\u1175\u11b7', ['name']],
  ];
  test.each(cases)('of %s are found by %s', async (who, q, matched) => {
    expect(await search(q, account.test, '&kind=customer')).toMatchObject([{ id: person[who], matched }]);
  });

  test('are not found in the middle of words, nor in metadata', async () => {
    await account.test.post(`/v1/customers/${person.marks}`, { metadata: { plan: 'platinum' } });
    await indexed(server.sql);
    for (const q of ['dith', 'platinum', 'plan:platinum', '山郎', '훈지', 'رمة', 'edith маrия'])
      expect(await ids(q), q).toEqual([]);
  });

  test('are counted in every kind that was searched, and shown up to a limit of each', async () => {
    const { json } = await account.test.get('/v1/search?q=erp-7&limit=2');
    expect(Object.keys(json)).toEqual(['object', 'data', 'counts', 'is_complete']);
    expect(json.counts).toMatchObject({ customer: 5, payment: 0, refund: 0, event: 0 });
    expect(json.data.map(({ id }: Hit) => id)).toEqual([person.hangul, person.han]);
    expect(Object.keys(json.data[0])).toEqual(
      ['object', 'id', 'title', 'subtitle', 'created', 'matched'].filter((name) => name !== 'subtitle'),
    );
  });
});

describe('operators', () => {
  const shop: Record<string, string> = {};
  beforeAll(async () => {
    const post = async (path: string, body: object) => (await account.test.post(`/v1/${path}`, body)).json;
    const { id: customer } = await post('customers', { name: 'Operator Shop' });
    const { id: method } = await post('payment_methods', {
      type: 'card',
      card: { ...card, number: '5555555555554444' },
      customer,
    });
    const pay = async (amount: number, currency: string, description: string) =>
      (await post('payments', { amount, currency, payment_method: method, customer, description })).id;
    shop.small = await pay(1_000, 'eur', 'Operated small');
    shop.large = await pay(50_000, 'eur', 'Operated large');
    shop.yen = await pay(300, 'jpy', 'Operated yen');
    await post('refunds', { payment: shop.small });
    await post('refunds', { payment: shop.large, amount: 1 });
    shop.customer = customer;
    await indexed(server.sql);
  });

  const cases: [q: string, ...payments: string[]][] = [
    ['operated', 'yen', 'large', 'small'],
    ['operated status:succeeded', 'yen', 'large', 'small'],
    ['operated status:failed'],
    ['operated status:failed,succeeded amount:>100', 'yen', 'large'],
    ['operated status:refunded', 'small'],
    ['operated status:partly_refunded', 'large'],
    ['operated status:nonsense'],
    ['operated amount:10', 'small'],
    ['operated amount:10.00', 'small'],
    ['operated amount:€10', 'small'],
    ['operated amount:$10'],
    ['operated amount:>10', 'yen', 'large'],
    ['operated amount:>=10', 'yen', 'large', 'small'],
    ['operated amount:<500', 'yen', 'small'],
    ['operated amount:10..300', 'yen', 'small'],
    ['operated amount:¥300', 'yen'],
    ['operated card:4444', 'yen', 'large', 'small'],
    ['operated card:4242'],
    ['customer:"operator shop" card:4444', 'yen', 'large', 'small'],
    ['customer:nobody'],
    [`operated created:>2020 created:<2100`, 'yen', 'large', 'small'],
    ['operated created:2020'],
    ['customer:operator created:2020..2100 amount:500', 'large'],
    ['"operated large"', 'large'],
    ['"large operated"'],
    ['operator yen', 'yen'],
    ['operator ¥300', 'yen'],
    ['operated unknown:thing'],
  ];
  test.each(cases)('%s', async (q, ...payments) => {
    const found = await search(q, account.test, '&kind=payment');
    expect(found.map(({ id }) => id)).toEqual(payments.map((name) => shop[name]));
  });

  test('of a customer by its id, and no other', async () => {
    expect(await search(`customer:${shop.customer}`, account.test, '&kind=payment')).toHaveLength(3);
    expect(await search(`customer:${made.customer} operated`, account.test, '&kind=payment')).toEqual([]);
  });
});

describe('a request', () => {
  const refused: [query: string, param: string, reason: RegExp][] = [
    ['', 'q', /q/],
    ['q=', 'q', /q/],
    ['q=%20', 'q', /empty/],
    [`q=${'x'.repeat(256)}`, 'q', /255/],
    ['q=a&kind=paymnt', 'kind', /payment/],
    ['q=a&limit=0', 'limit', /1/],
    ['q=a&limit=101', 'limit', /100/],
    ['q=a&limit=x', 'limit', /limit/],
    ['q=a&limt=1', 'limt', /limt/],
  ];
  test.each(refused)('with %s is refused', async (query, param, reason) => {
    const { status, json } = await account.test.get(`/v1/search?${query}`);
    expect([status, json.error.param]).toEqual([400, param]);
    expect(json.error.message).toMatch(reason);
  });
});

describe('a caller', () => {
  const queries = () => [made.payment!, '4242 2000', 'ada@example.com', made.balance_transaction!, 'INV-000001'];

  test('finds payments by their customer only if it may read customers', async () => {
    const found = async (...scopes: string[]) => {
      const { client } = await server.key(account.id, { scopes });
      const { json } = await client.get('/v1/search?q=operator&kind=payment');
      const about = (await client.get('/v1/search?q=operated')).json;
      return [json.counts.payment, about.data[0].subtitle.includes('Operator Shop'), Object.keys(about.counts).sort()];
    };
    expect(await found('payments:read')).toEqual([0, false, ['payment']]);
    expect(await found('payments:read', 'customers:read')).toEqual([3, true, ['customer', 'payment']]);
  });

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
