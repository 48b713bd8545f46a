import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Reads } from '../base/reads.ts';
import { addPostings } from '../resources/payments/balance/postings.fixture.ts';
import { indexed } from '../resources/views/search/indexed.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { expectRefusal } from '../test/http/support.ts';

let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const csv = { headers: { Accept: 'text/csv' } };

test('an export has every object that the filters select, newest first, and texts as texts', async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
  const pay = async (description: string, more = {}) =>
    (
      await account.test.post('/v1/payments', {
        ...{ amount: 2_000, currency: 'eur', payment_method: method, description, ...more },
      })
    ).json;
  const first = await pay('=HYPERLINK("https://x.example")');
  await pay('a, "b"\nc', { capture_method: 'manual' });
  const { headers, text } = await account.test.get('/v1/payments?status=succeeded', csv);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const moment = new Date(first.created * 1_000).toISOString().replace('.000', '');
  expect(text).toBe(
    [
      'id,created,amount,amount_received,amount_refunded,currency,status,description,customer,payment_method,invoice,dispute,failure_code,failure_message,processor.account,processor.connector,processor.reference,failure_decline_code,advice,off_session,amount_decimal,amount_received_decimal,amount_refunded_decimal',
      `${first.id},${moment},2000,2000,,eur,succeeded,"'=HYPERLINK(""https://x.example"")",,${method},,,,,,,,,,,20.00,20.00,`,
      '',
    ].join('\r\n'),
  );
  const all = (await account.test.get('/v1/payments', csv)).text;
  expect(all).toContain('requires_capture,"a, ""b""\nc",');
  for (const position of ['limit=1', `starting_after=${first.id}`])
    expectRefusal(await account.test.get(`/v1/payments?${position}`, csv), 'parameter_invalid', position.split('=')[0]);
});

test('an amount also stands in the main unit of its currency', async () => {
  const shop = await server.account();
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const payment_method = (await shop.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
  for (const [amount, currency] of [
    [500, 'jpy'],
    [1_234, 'kwd'],
    [5, 'usd'],
  ])
    await shop.test.post('/v1/payments', { amount, currency, payment_method });
  const lines: string[] = (await shop.test.get('/v1/payments', csv)).text.trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',').slice(-3))).toEqual([
    ['0.05', '0.05', ''],
    ['1.234', '1.234', ''],
    ['500', '500', ''],
  ]);
});

describe('with columns', () => {
  let shop: TestAccount;
  const names: string[] = [];
  const query = (columns: readonly string[]) =>
    columns.map((name) => `columns[]=${encodeURIComponent(name)}`).join('&');
  const exported = async (path: string, columns: readonly string[], client = shop.test) => {
    const { status, text } = await client.get(`${path}?${query(columns)}`, csv);
    expect(status, text).toBe(200);
    return text.trimEnd().split('\r\n');
  };

  beforeAll(async () => {
    shop = await server.account();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
    const { id: payment_method } = (await shop.test.post('/v1/payment_methods', { type: 'card', card })).json;
    for (const name of ['Ada Lovelace', '=Grace', 'Mary']) {
      const { id: customer } = (await shop.test.post('/v1/customers', { name, email: 'x@example.com' })).json;
      const metadata = { 'order.id': names.length + 7, '=key': 'x' };
      const body = { amount: 1_500, currency: 'eur', payment_method, customer, metadata };
      expect((await shop.test.post('/v1/payments', body)).status).toBe(200);
      names.push(name);
    }
  });

  test('an export has these in this order, of what an object refers to as well, and metadata', async () => {
    const columns = [
      'amount_decimal',
      'customer.name',
      'customer.email',
      'payment_method.card.last4',
      'metadata.order.id',
    ];
    expect(await exported('/v1/payments', columns)).toEqual([
      'amount_decimal,customer.name,customer.email,payment_method.card.last4,metadata.order.id',
      '15.00,Mary,x@example.com,4242,9',
      `15.00,"'=Grace",x@example.com,4242,8`,
      '15.00,Ada Lovelace,x@example.com,4242,7',
    ]);
    expect(await exported('/v1/payments', ['currency'])).toEqual(['currency', 'eur', 'eur', 'eur']);
    const [head, first] = await exported('/v1/payments', [
      'metadata.=key',
      'metadata',
      'metadata.none',
      'invoice.number',
    ]);
    expect(head).toBe('"metadata.=key",metadata,metadata.none,invoice.number');
    expect(first).toBe(`x,"{""order.id"":9,""'=key"":""x""}",,`);
    const { data } = (await shop.test.get('/v1/payments?limit=1')).json;
    const refund = (await shop.test.post('/v1/refunds', { payment: data[0].id, amount: 500 })).json;
    expect(
      await exported('/v1/refunds', ['id', 'amount_decimal', 'payment.amount_decimal', 'payment.created']),
    ).toEqual([
      'id,amount_decimal,payment.amount_decimal,payment.created',
      `${refund.id},5.00,15.00,${new Date(data[0].created * 1_000).toISOString().replace('.000', '')}`,
    ]);
    const payer = ['payment.customer.name', 'payment.customer.email', 'payment.payment_method.card.last4'];
    const transactions = await exported('/v1/balance/transactions', ['type', 'amount_decimal', ...payer]);
    expect(transactions.slice(0, 3)).toEqual([
      `type,amount_decimal,${payer.join()}`,
      'refund,-5.00,Mary,x@example.com,4242',
      'payment,15.00,Mary,x@example.com,4242',
    ]);
    expect(await exported('/v1/refunds', payer)).toEqual([payer.join(), 'Mary,x@example.com,4242']);
  });

  test('a page costs one more statement for each kind of object, however long it is', async () => {
    await indexed(server.sql); // the index of the search reads what was made
    const run = vi.spyOn(
      Reads.prototype as unknown as { run: (sql: unknown, text: string) => Promise<unknown> },
      'run',
    );
    const lines = await exported('/v1/payments', ['customer.name', 'customer.email', 'payment_method.card.brand']);
    const texts = run.mock.calls
      .map(([, text]) => text)
      .filter((text) => /payments|customers|payment_methods/.test(text));
    run.mockRestore();
    expect(lines).toHaveLength(4);
    expect(texts).toHaveLength(3);
  });

  test('what is read through two references, and of the ledger, costs a statement for each as well', async () => {
    await indexed(server.sql);
    const run = vi.spyOn(
      Reads.prototype as unknown as { run: (sql: unknown, text: string) => Promise<unknown> },
      'run',
    );
    await exported('/v1/balance/transactions', ['id', 'payment.status', 'payment.customer.name']);
    const through = run.mock.calls.filter(([, text]) => /postings|payments|customers/.test(text)).length;
    run.mockClear();
    await exported('/v1/payments', ['id', 'fee', 'net_decimal']);
    const ofLedger = run.mock.calls.filter(([, text]) => /postings|payments/.test(text)).length;
    run.mockRestore();
    expect([through, ofLedger]).toEqual([3, 2]);
  });

  const refused: [what: string, path: string, param: string, message: string | RegExp][] = [
    [
      'a name that is no member',
      '/v1/payments?columns[]=amuont',
      'columns',
      /amuont is not a column; the closest one is amount\./,
    ],
    [
      'a member of something else',
      '/v1/payments?columns[]=customer.nmae',
      'columns',
      /customer.nmae is not a column; columns are/,
    ],
    [
      'a decimal of what is no amount',
      '/v1/payments?columns[]=status_decimal',
      'columns',
      /status_decimal is not a column/,
    ],
    [
      'a member through three references',
      '/v1/balance/transactions?columns[]=payment.dispute.payment.id',
      'columns',
      /payment.dispute.payment.id is not a column/,
    ],
    ['an added column of another list', '/v1/refunds?columns[]=fee', 'columns', /fee is not a column/],
    [
      'a mistyped added column',
      '/v1/payments?columns[]=fees',
      'columns',
      /fees is not a column; the closest one is fee\./,
    ],
    ['an inherited name', '/v1/payments?columns[]=constructor', 'columns', /constructor is not a column/],
    ['a card number', '/v1/payments?columns[]=4242424242424242', 'columns', /\(name withheld\) is not a column/],
    ['an empty name', '/v1/payments?columns[]=id&columns[]=', 'columns', /./],
  ];
  test.each(refused)('%s is refused', async (_, path, param, message) => {
    const answer = await shop.test.get(path, csv);
    expectRefusal(answer, 'parameter_invalid', param);
    expect(answer.json.error.message).toMatch(message);
  });

  test('they are refused without Accept, and where the key may not read the objects', async () => {
    expectRefusal(await shop.test.get('/v1/payments?columns=id'), 'parameter_invalid', 'columns');
    const { client } = await server.person(shop.id, 'developer');
    const made = await client.post('/v1/api_keys', { name: 'x', kind: 'restricted', scopes: ['payments:read'] });
    const restricted = server.client(made.json.key);
    expect(await exported('/v1/payments', ['customer'], restricted)).toHaveLength(4);
    const answer = await restricted.get('/v1/payments?columns=customer.name', csv);
    expect(answer.json.error).toMatchObject({
      code: 'scope_missing',
      message: expect.stringContaining('customers:read'),
    });
    const fees = await restricted.get('/v1/payments?columns=fee', csv);
    expect(fees.json.error).toMatchObject({ code: 'scope_missing', message: expect.stringContaining('balance:read') });
  });
});

describe('fees', () => {
  let shop: TestAccount;
  const transactionsOf = async (payment: string): Promise<{ type: string; amount: number }[]> =>
    (await shop.test.get(`/v1/balance/transactions?payment=${payment}&limit=100`)).json.data;
  const paid = async (body: object, number = '4242424242424242') => {
    const card = { number, exp_month: 12, exp_year: 2040 };
    const payment_method = (await shop.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
    await shop.test.post('/v1/payments', { ...body, payment_method });
    return (await shop.test.get('/v1/payments?limit=1')).json.data[0].id as string;
  };
  const refund = async (payment: string, amount?: number) =>
    expect((await shop.test.post('/v1/refunds', { payment, ...(amount && { amount }) })).status).toBe(200);

  test('and nets are what the ledger has posted, in the units of each currency', async () => {
    shop = await server.account();
    const parameters = { fee_ppm: 29_000, fee_fixed: { jpy: 30, kwd: 100, eur: 25 } };
    await server.operator.run('accounts.update', { id: shop.id, parameters });
    const yen = await paid({ amount: 5_000, currency: 'jpy' });
    const dinars = await paid({ amount: 12_345, currency: 'kwd' });
    await refund(dinars, 1_000);
    const refunded = await paid({ amount: 2_000, currency: 'jpy' });
    await refund(refunded);
    const disputed = await paid({ amount: 3_000, currency: 'kwd' }, '4000000000000259');
    const held = await paid({ amount: 700, currency: 'eur', capture_method: 'manual' });
    const declined = await paid({ amount: 800, currency: 'eur' }, '4000000000000002');
    const corrected = await paid({ amount: 4_000, currency: 'eur' });
    const [{ tenant }] = (await server.sql.query('select tenant from payments where id = $1', [corrected])).rows;
    const posted = { source: corrected, currency: 'eur', at: Date.now() };
    await addPostings(server.sql, tenant, [
      { ...posted, kind: 'payment_correction', amount: 4_000 },
      { ...posted, kind: 'fee_correction', amount: 141 },
    ]);
    await server.settled();
    await expect.poll(async () => (await transactionsOf(disputed)).map(({ type }) => type)).toContain('dispute');

    const columns = 'columns[]=id&columns[]=fee&columns[]=fee_decimal&columns[]=net&columns[]=net_decimal';
    const { text } = await shop.test.get(`/v1/payments?${columns}`, csv);
    expect(text.trimEnd().split('\r\n').slice(1).toReversed()).toEqual([
      `${yen},175,175,4825,4825`,
      `${dinars},458,0.458,10887,10.887`,
      `${refunded},88,88,-88,-88`, // fees are not given back
      `${disputed},187,0.187,-187,-0.187`,
      `${held},,,,`,
      `${declined},,,,`,
      `${corrected},0,0.00,0,0.00`, // the operator has taken the payment back, and its fee
    ]);
    for (const line of text.trimEnd().split('\r\n').slice(1)) {
      const [id, fee, , net] = line.split(',') as [string, string, string, string];
      const all = await transactionsOf(id);
      const sum = (some: typeof all) => some.reduce((total, { amount }) => total + amount, 0);
      const ofFees = all.filter(({ type }) => type.startsWith('fee'));
      const expected = all.length === 0 ? ['', ''] : [`${0 - sum(ofFees)}`, `${sum(all)}`];
      expect([fee, net], id).toEqual(expected);
    }
  });
});

// Also in a spreadsheet that separates cells by semicolons, as those of most of Europe do, or that knows full-width signs.
const cells: [text: string, cell: string][] = [
  ['=1', `"'=1"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['order 7;=cmd', `"order 7;'=cmd"`],
  ['order 7;;+cmd;-cmd;@cmd', `"order 7;;'+cmd;'-cmd;'@cmd"`],
  ['a,=cmd', `"a,'=cmd"`],
  ['a\t=cmd', `"a\t'=cmd"`],
  ['a\n=cmd', `"a\n'=cmd"`],
  ['a\r=cmd', `"a\r'=cmd"`],
  ['\t\r\n=cmd', `"\t\r\n'=cmd"`],
  ['a;"=cmd"', `"a;""'=cmd"""`], // a quoted cell after the semicolon
  ['"=cmd"', `"""'=cmd"""`],
  ['＝cmd', `"'＝cmd"`],
  ['a;＋1;－1;＠x;﹦1', `"a;'＋1;'－1;'＠x;'﹦1"`],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
  ['Ærø; a=b, x+y', '"Ærø; a=b, x+y"'],
  // Unambiguous for every reader, and therefore unchanged.
  ['Müller-Lüdenscheidt 東京 (No. 2)', 'Müller-Lüdenscheidt 東京 (No. 2)'],
  ['ada+shop@example.com', 'ada+shop@example.com'],
  ['+49 (30) 1234', '+49 (30) 1234'],
];
test('no text becomes a formula, whatever character separates cells in the spreadsheet', async () => {
  const own = await server.account();
  for (const [name] of cells) {
    const { status, text } = await own.test.post('/v1/customers', { name });
    expect(status, text).toBe(200);
  }
  const { text } = await own.test.get('/v1/customers', csv);
  const rows = text.split(/\r\n(?=cus_|$)/).slice(1, -1);
  const names = rows.map((row) => row.match(/^[^,]*,[^,]*,("(?:[^"]|"")*"|[^,]*),,,,$/)?.[1]);
  expect(names.toReversed()).toEqual(cells.map(([, cell]) => cell));
});

test('it is as long as the list, page after page', async () => {
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada', email: 'ada@example.com' })).json;
  await server.sql.query(
    `insert into customers (tenant, id, version, email, metadata)
     select tenant, 'cus_' || lpad(n::text, 22, '0'), 1, n || '@example.com', '{}' from customers, generate_series(1, 2500) n where id = $1`,
    [id],
  );
  const lines = (await account.test.get('/v1/customers', csv)).text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2_502);
  expect(lines[1]).toMatch(new RegExp(`^${id},.*,Ada,ada@example.com,,,$`));
  expect(new Set(lines).size).toBe(2_502);
});

test('subscriptions, prices, coupons and payment methods are exported with the filters of their lists', async () => {
  const own = await server.account();
  const post = async (path: string, body: object) => {
    const { status, json, text } = await own.test.post(path, body);
    expect(status, text).toBe(200);
    return json;
  };
  const exported = async (path: string) =>
    (await own.test.get(path, csv)).text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
  const moment = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000', '');
  const customer = await post('/v1/customers', { name: 'Ada', phone: '+49 30 1234' });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const details = { billing_details: { name: '+1+cmd' }, customer: customer.id };
  const method = await post('/v1/payment_methods', { type: 'card', card, ...details });
  const priced = { unit_amount: 900, currency: 'eur', recurring: { interval: 'month', interval_count: 3 } };
  const price = await post('/v1/prices', { ...priced, product_name: 'Gold' });
  const other = await post('/v1/prices', { ...priced, product_name: 'Silver' });
  const coupon = await post('/v1/coupons', { percent_off: 12.5, duration: 'repeating', duration_in_months: 3 });
  const items = [{ price: price.id }];
  const charged = { customer: customer.id, default_payment_method: method.id };
  const plain = await post('/v1/subscriptions', { ...charged, items });
  const reduced = await post('/v1/subscriptions', { ...charged, items, coupon: coupon.id });
  await post('/v1/subscriptions', { ...charged, items: [{ price: other.id }] });

  const period = [moment(reduced.current_period_start), moment(reduced.current_period_end)];
  const paid = [coupon.id, method.id, reduced.latest_invoice, '', ''];
  const line = [reduced.id, moment(reduced.created), customer.id, 'active', 'eur', ...period, 'false', '', ...paid];
  expect(await exported(`/v1/subscriptions?price=${price.id}&coupon=${coupon.id}`)).toEqual([line]);
  expect(await exported(`/v1/subscriptions?coupon=${coupon.id}`)).toEqual([line]);
  const idsOf = async (path: string) => (await exported(path)).map(([id]) => id);
  expect(await idsOf(`/v1/subscriptions?price=${price.id}`)).toEqual([reduced.id, plain.id]);
  expect(await exported('/v1/coupons')).toEqual([
    [coupon.id, moment(coupon.created), '', '12.5', '', '', 'repeating', '3', '', ''],
  ]);
  await post(`/v1/prices/${other.id}`, { active: false });
  expect(await exported('/v1/prices?active=true')).toEqual([
    [price.id, moment(price.created), 'Gold', '900', 'eur', 'month', '3', 'true', '', '9.00'],
  ]);
  expect(await exported(`/v1/payment_methods?customer=${customer.id}`)).toEqual([
    [method.id, moment(method.created), 'visa', '4242', '12', '2040', "'+1+cmd", '', customer.id],
  ]);
  expect((await exported('/v1/customers'))[0]).toContain('+49 30 1234');
});

test.each(['refunds', 'disputes', 'invoices'])('%s can be exported', async (resource) => {
  const { text } = await account.test.get(`/v1/${resource}`, csv);
  expect(text).toMatch(/^id,created,[\w.,]+\r\n$/);
});
