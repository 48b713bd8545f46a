import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { summedMax } from '../../../operations/extension_points/customer_summary.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { card } from '../../../test/http/objects.ts';
import { seed, shareOf } from '../../../test/torture.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const emoji = '🧾'; // one character, two UTF-16 units, four bytes
const ada = { email: 'ada@example.com', name: 'Ada', phone: '+44 20 7946 0000', metadata: { plan: 'gold', seats: 3 } };
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));

/** Sends JSON, or a form when it is text. */
function send(path: string, body: object | string) {
  return typeof body === 'string' ? account.test.form(path, body) : account.test.post(path, body);
}

async function create(body: object | string = {}) {
  const answer = await send('/v1/customers', body);
  expect(answer.status).toBe(200);
  return answer;
}

const missing =
  '{"error":{"code":"resource_missing","message":"No such customer.","param":"id","type":"invalid_request_error"}}';

describe('customers', () => {
  test('a customer with everything supplied has exactly the fields of the interface', async () => {
    const input = { ...ada, metadata: { plan: 'gold', seats: 3, vip: true } };
    const answer = await account.test.post('/v1/customers', input);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/),
      object: 'customer',
      ...input,
      created: expect.any(Number),
    });
    expect(Object.keys(answer.json)).toEqual(['id', 'object', 'email', 'name', 'phone', 'metadata', 'created']);
    expect(Math.abs(answer.json.created - Date.now() / 1_000)).toBeLessThan(5);
    const read = await account.test.get(`/v1/customers/${answer.json.id}`);
    expect(read.text).toBe(answer.text);
  });
});

describe('a new customer shows what was supplied, and always its metadata', () => {
  const cases: [string, object | string, object][] = [
    ['nothing', {}, { metadata: {} }],
    ['no body at all', '', { metadata: {} }],
    ['an email address', { email: 'a@b.co' }, { email: 'a@b.co', metadata: {} }],
    ['a name', { name: 'Ada' }, { name: 'Ada', metadata: {} }],
    ['a phone number', { phone: '112' }, { phone: '112', metadata: {} }],
    ['null, which is nothing on create', { email: null, name: null, phone: null, metadata: null }, { metadata: {} }],
    ['empty strings, which are nothing', { email: '', name: '', phone: '' }, { metadata: {} }],
    ['empty form values, which are nothing', 'email=&name=&phone=&metadata=', { metadata: {} }],
    [
      'metadata to remove, of which there is none',
      { metadata: { a: null, b: '', c: 0, d: false } },
      { metadata: { c: 0, d: false } },
    ],
    ['an empty metadata value in a form', 'metadata[a]=&metadata[b]=1', { metadata: { b: '1' } }],
    ['a form', 'name=Ada+L.&email=ada%40example.com', { email: 'ada@example.com', name: 'Ada L.', metadata: {} }],
    ['numbers in a form, where metadata stays text', 'name=7&metadata[n]=7', { name: '7', metadata: { n: '7' } }],
    ['numbers and booleans in JSON', { metadata: { n: -1.5, b: true } }, { metadata: { n: -1.5, b: true } }],
    ['the order of keys', { metadata: { z: 1, a: 2, m: 3 } }, { metadata: { z: 1, a: 2, m: 3 } }],
    [
      'odd characters',
      { name: '"\\ \n🧾é', metadata: { 'ké"y': '{}' } },
      { name: '"\\ \n🧾é', metadata: { 'ké"y': '{}' } },
    ],
    [
      'names of methods',
      { metadata: { constructor: 'a', toString: 'b' } },
      { metadata: { constructor: 'a', toString: 'b' } },
    ],
  ];
  test.each(cases)('%s', async (_, body, shown) => {
    const answer = await create(body);
    const { id, created } = answer.json;
    expect(answer.text).toBe(JSON.stringify({ id, object: 'customer', ...shown, created }));
    expect((await account.test.get(`/v1/customers/${id}`)).text).toBe(answer.text);
  });
});

describe('an update changes what it names', () => {
  const before = { ...ada, metadata: { plan: 'gold', seats: 3 } };
  const cases: [string, object | string, object][] = [
    ['one field', { name: 'Eve' }, { ...before, name: 'Eve' }],
    ['null clears', { email: null, phone: null }, { name: 'Ada', metadata: before.metadata }],
    ['the empty string clears', { email: '', name: '' }, { phone: before.phone, metadata: before.metadata }],
    ['an empty form value clears', 'name=', { email: before.email, phone: before.phone, metadata: before.metadata }],
    ['nothing leaves everything', {}, before],
    [
      'a new metadata key joins',
      { metadata: { vip: true } },
      { ...before, metadata: { plan: 'gold', seats: 3, vip: true } },
    ],
    [
      'a metadata key is replaced in its place',
      { metadata: { plan: 1 } },
      { ...before, metadata: { plan: 1, seats: 3 } },
    ],
    ['a metadata key is removed by null', { metadata: { plan: null } }, { ...before, metadata: { seats: 3 } }],
    [
      'a metadata key is removed by the empty string',
      { metadata: { plan: '' } },
      { ...before, metadata: { seats: 3 } },
    ],
    ['a metadata key is removed by an empty form value', 'metadata[plan]=', { ...before, metadata: { seats: 3 } }],
    ['a metadata key that is not there is removed', { metadata: { none: null } }, before],
    ['empty metadata leaves it', { metadata: {} }, before],
    ['metadata null empties it', { metadata: null }, { ...before, metadata: {} }],
    ['an empty form value empties metadata', 'metadata=', { ...before, metadata: {} }],
    [
      'all at once',
      { email: 'e@f.gh', name: null, metadata: { plan: null, seats: 4, a: 1 } },
      { email: 'e@f.gh', phone: before.phone, metadata: { seats: 4, a: 1 } },
    ],
  ];
  test.each(cases)('%s', async (_, change, shown) => {
    const { id, created } = (await create(before)).json;
    const updated = await send(`/v1/customers/${id}`, change);
    expect(updated.status).toBe(200);
    expect(updated.text).toBe(JSON.stringify({ id, object: 'customer', ...shown, created }));
    expect((await account.test.get(`/v1/customers/${id}`)).text).toBe(updated.text);
  });

  test('metadata may have 50 keys after the merge, and not one more', async () => {
    const { id } = (await create({ metadata: keys(49) })).json;
    expect((await send(`/v1/customers/${id}`, { metadata: { last: 1 } })).status).toBe(200);
    const refused = await send(`/v1/customers/${id}`, { metadata: { onemore: 1 } });
    expect(refused.status).toBe(400);
    expect(refused.json.error).toEqual({
      code: 'metadata_too_many_keys',
      message: 'metadata would have 51 keys; an object can have up to 50.',
      param: 'metadata',
      type: 'invalid_request_error',
    });
    const swapped = await send(`/v1/customers/${id}`, { metadata: { onemore: 1, last: null, none: '' } });
    expect(Object.keys(swapped.json.metadata)).toHaveLength(50);
  });
});

describe('limits, on create and on update', () => {
  const accepted: [string, object][] = [
    ['an email address of 254 characters', { email: `${'a'.repeat(242)}@example.com` }],
    ['an email address with a plus and dots', { email: 'a.b+c@d.e.fg' }],
    ['an email address beyond ASCII', { email: 'ädä@exämple.com' }],
    ['a name of 256 characters', { name: 'n'.repeat(256) }],
    ['a name of 256 emoji', { name: emoji.repeat(256) }],
    ['a phone number of 40 characters', { phone: '1'.repeat(40) }],
    ['50 metadata keys', { metadata: keys(50) }],
    ['50 metadata keys and some to remove', { metadata: { ...keys(50), gone: '', none: null } }],
    ['a metadata key of 40 emoji', { metadata: { [emoji.repeat(40)]: 1 } }],
    ['a metadata value of 500 emoji', { metadata: { key: emoji.repeat(500) } }],
  ];
  test.each(accepted)('%s: accepted and kept', async (_, body) => {
    const created = await create(body);
    expect(created.json).toMatchObject('metadata' in body && 'gone' in (body.metadata as object) ? {} : body);
    const { id } = (await create()).json;
    expect((await send(`/v1/customers/${id}`, body)).json.metadata).toEqual(created.json.metadata);
  });

  const invalid = (param: string) => ({ code: 'parameter_invalid', param });
  const refused: [string, object | string, object][] = [
    ['an email address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, invalid('email')],
    ['an email address without an @', { email: 'ada' }, invalid('email')],
    ['an email address without a name', { email: '@example.com' }, invalid('email')],
    ['an email address without a domain', { email: 'ada@' }, invalid('email')],
    ['an email address without a dot', { email: 'ada@example' }, invalid('email')],
    ['an email address with two @', { email: 'ada@@example.com' }, invalid('email')],
    ['an email address with a space', { email: 'a da@example.com' }, invalid('email')],
    ['an email address with a line break', { email: 'ada@example.com\n' }, invalid('email')],
    ['an email address with a name before it', { email: 'Ada <ada@example.com>' }, invalid('email')],
    ['an email address that is a number', { email: 5 }, invalid('email')],
    ['a bad email address in a form', 'email=ada', invalid('email')],
    ['a name of 257 characters', { name: 'n'.repeat(257) }, invalid('name')],
    ['a name that is a list', { name: ['Ada'] }, invalid('name')],
    ['a phone number of 41 characters', { phone: '1'.repeat(41) }, invalid('phone')],
    ['a phone number that is a number', { phone: 112 }, invalid('phone')],
    ['metadata that is text', { metadata: 'x' }, invalid('metadata')],
    ['metadata that is a list', { metadata: ['x'] }, invalid('metadata')],
    ['51 metadata keys', { metadata: keys(51) }, { code: 'metadata_too_many_keys', param: 'metadata' }],
    ['an empty metadata key', { metadata: { '': 1 } }, invalid('metadata')],
    [
      'a metadata key of 41 characters',
      { metadata: { ['k'.repeat(41)]: 1 } },
      { code: 'metadata_key_too_long', param: 'metadata' },
    ],
    [
      'a metadata value of 501 characters',
      { metadata: { a: 'v'.repeat(501) } },
      { code: 'metadata_value_too_long', param: 'metadata.a' },
    ],
    [
      'a metadata value of 501 emoji',
      { metadata: { a: emoji.repeat(501) } },
      { code: 'metadata_value_too_long', param: 'metadata.a' },
    ],
    [
      'a metadata value that is an object',
      { metadata: { a: {} } },
      { code: 'metadata_value_invalid', param: 'metadata.a' },
    ],
    [
      'a metadata value that is a list',
      { metadata: { a: [1] } },
      { code: 'metadata_value_invalid', param: 'metadata.a' },
    ],
    ['nested metadata in a form', 'metadata[a][b]=1', { code: 'metadata_value_invalid', param: 'metadata.a' }],
    ['an unknown parameter', { emial: 'a@b.co' }, { code: 'parameter_unknown', param: 'emial' }],
    ['an unknown parameter that is null', { nickname: null }, { code: 'parameter_unknown', param: 'nickname' }],
    ['a field of the object that cannot be set', { created: 1 }, { code: 'parameter_unknown', param: 'created' }],
    ['a column of the table', { version: 9 }, { code: 'parameter_unknown', param: 'version' }],
  ];
  test.each(refused)('%s: refused, and nothing is stored', async (_, body, error) => {
    const { id } = (await create(ada)).json;
    const stored = async () => (await server.sql.query('select * from customers order by id')).rows;
    const before = await stored();
    for (const path of ['/v1/customers', `/v1/customers/${id}`]) {
      const answer = await send(path, body);
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', ...error } });
      expect(Object.keys(answer.json.error)).toEqual(['code', 'message', 'param', 'type']);
    }
    expect(await stored()).toEqual(before);
  });

  test('the refusal of a misspelt parameter suggests the right name', async () => {
    const answer = await send('/v1/customers', { emial: 'a@b.co' });
    expect(answer.json.error.message).toBe('Unknown parameter emial. Did you mean email?');
  });
});

describe('a customer that does not exist for the caller', () => {
  const ids: [string, () => Promise<string> | string][] = [
    ['was never made', () => newId('cus', Date.now())],
    [
      'belongs to another account',
      async () => (await (await server.account()).test.post('/v1/customers', ada)).json.id,
    ],
    ['has an id of another kind', () => newId('evt', Date.now())],
    ['has an id that is none', () => 'x'],
    ['has an id with odd characters', () => encodeURIComponent("cus_'; drop table customers; --\n🧾")],
    ['has an id that is very long', () => `cus_${'0'.repeat(900)}`],
  ];
  test.each(ids)('because it %s: the same 404 for every verb', async (_, make) => {
    const path = `/v1/customers/${await make()}`;
    const answers = [
      await account.test.get(path),
      await account.test.post(path, { name: 'Eve' }),
      await account.test.delete(path),
    ];
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, missing]);
  });

  test('because it belongs to the other mode: the same 404, and the message says so', async () => {
    const { id } = (await account.live.post('/v1/customers', ada)).json;
    const answer = await account.test.get(`/v1/customers/${id}`);
    const named = missing.replace('No such customer.', 'No such customer in test mode; it exists in live mode.');
    expect([answer.status, answer.text]).toEqual([404, named]);
  });
});

describe('the summary of a customer', () => {
  const summaryOf = async (id: string, client = account.test) => (await client.get(`/v1/customers/${id}/summary`)).json;
  const all = async (path: string) => (await account.test.get(`${path}&limit=100`)).json.data;
  // biome-ignore lint/suspicious/noExplicitAny: objects of the API
  type Shown = any;

  const methodOf = async (customer: string, number: string) =>
    (await account.test.post('/v1/payment_methods', { type: 'card', card: { ...card, number }, customer })).json.id;

  /** What the lists say, added up. */
  async function addedUp(customer: string) {
    const payments: Shown[] = await all(`/v1/payments?customer=${customer}`);
    const paid = payments.filter(({ status }) => status === 'succeeded').toReversed();
    const disputes = await Promise.all(payments.map(({ id }) => all(`/v1/disputes?payment=${id}`)));
    const invoices: Shown[] = await all(`/v1/invoices?customer=${customer}&status=open`);
    const byCurrency = (rows: Shown[], sums: (rows: Shown[]) => object) =>
      [...Map.groupBy(rows, ({ currency }) => currency)]
        .map(([currency, ones]) => ({ currency, ...sums(ones) }))
        .sort((one, other) => (one.currency < other.currency ? -1 : 1));
    const sum = (rows: Shown[], member: string) => rows.reduce((total, row) => total + (row[member] ?? 0), 0);
    const one = ({ id, amount_received: amount, currency, created }: Shown) => ({ id, amount, currency, created });
    const inStatus = (...wanted: string[]) => disputes.flat().filter(({ status }) => wanted.includes(status)).length;
    return {
      ...{ object: 'customer_summary', customer, is_complete: true, credit: [] },
      spent: byCurrency(paid, (rows) => ({
        amount: sum(rows, 'amount_received') - sum(rows, 'amount_refunded'),
        received: sum(rows, 'amount_received'),
        refunded: sum(rows, 'amount_refunded'),
      })),
      payments: {
        succeeded: paid.length,
        failed: payments.filter(({ status }) => status === 'failed').length,
        ...(paid.length > 0 && { first: one(paid[0]), last: one(paid.at(-1)) }),
      },
      disputes: { open: inStatus('needs_response', 'under_review'), won: inStatus('won'), lost: inStatus('lost') },
      owed: byCurrency(invoices, (rows) => ({
        amount: sum(rows, 'amount_remaining'),
        invoices: rows.length,
        failed: rows.filter(({ last_failure }) => last_failure !== undefined).length,
      })),
    };
  }

  test('equals the lists, whatever has happened', async () => {
    const life = fc.array(
      fc.record({
        what: fc.constantFrom('pay', 'pay', 'decline', 'refund', 'dispute', 'hold', 'invoice'),
        currency: fc.constantFrom('eur', 'usd', 'jpy'),
        amount: fc.integer({ min: 60, max: 90_000 }),
      }),
      { maxLength: 9 },
    );
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        const customer = (await create()).json.id;
        const [good, bad, disputed] = await Promise.all(
          [card.number, '4000000000000002', '4000000000000259'].map((number) => methodOf(customer, number)),
        );
        for (const { what, currency, amount } of steps) {
          const pay = (payment_method: string, more = {}) =>
            account.test.post('/v1/payments', { amount, currency, payment_method, customer, ...more });
          if (what === 'pay') await pay(good);
          if (what === 'decline') expect((await pay(bad)).status).toBe(402);
          if (what === 'hold') await pay(good, { capture_method: 'manual' });
          if (what === 'dispute') await pay(disputed);
          if (what === 'refund')
            await account.test.post('/v1/refunds', { payment: (await pay(good)).json.id, amount: 50 });
          if (what === 'invoice') {
            await account.test.post('/v1/invoice_items', { customer, amount, currency, description: 'Seat' });
            const draft = (await account.test.post('/v1/invoices', { customer })).json.id;
            await account.test.post(`/v1/invoices/${draft}/finalize`);
          }
        }
        await server.settled();
        const expected = await addedUp(customer);
        expect(await summaryOf(customer)).toEqual(expected);
        const { data } = (await account.test.get(`/v1/customers/${customer}/credit_transactions`)).json;
        expect(data).toEqual([]);
      }),
      { seed, numRuns: shareOf(60, 4) },
    );
  });

  test('has what the caller may read, and nothing of others', async () => {
    const { id } = (await create()).json;
    const payment_method = await methodOf(id, card.number);
    await account.test.post('/v1/payments', { amount: 500, currency: 'eur', payment_method, customer: id });
    const members = async (...scopes: string[]) =>
      Object.keys(await summaryOf(id, (await server.key(account.id, { scopes })).client));
    const always = ['object', 'customer', 'is_complete', 'credit'];
    expect(await members('customers:read')).toEqual(always);
    expect(await members('customers:read', 'payments:read')).toEqual([...always, 'spent', 'payments']);
    expect(await members('payments:read')).toEqual(['error']);
    const support = (await server.person(account.id, 'support')).client;
    expect(await summaryOf(id, support)).toMatchObject({ spent: [{ currency: 'eur', amount: 500 }], owed: [] });
    expect((await summaryOf(id, account.live)).error.code).toBe('resource_missing');
    await server.sql.query(`update customers set credit_balance = '{"eur": 700}' where id = $1`, [id]);
    expect((await summaryOf(id)).credit).toEqual([{ currency: 'eur', amount: 700 }]);
  });

  test('of a customer with more payments than are added up has the newest, and says so', async () => {
    const { id } = (await create()).json;
    await server.sql.query(
      `insert into payments (tenant, id, version, amount, amount_received, currency, customer, payment_method, status, inquiries)
       select $1, 'py_00000000' || lpad(n::text, 14, '0'), 1, n, n, 'eur', $2, 'pm_x', 'succeeded', 0
         from generate_series(1, $3::int) n`,
      [await tenantOf(server.sql, account.id, 'test'), id, summedMax + 5],
    );
    const { is_complete, spent, payments } = await summaryOf(id);
    expect(is_complete).toBe(false);
    expect(payments).toMatchObject({ succeeded: summedMax, first: { amount: 1 }, last: { amount: summedMax + 5 } });
    expect(spent[0].amount).toBe((summedMax * (6 + summedMax + 5)) / 2);
    const { client } = await server.key(account.id, { scopes: ['customers:read', 'disputes:read'] });
    expect(await summaryOf(id, client)).toMatchObject({ is_complete: false, disputes: { open: 0, won: 0, lost: 0 } });
  });
});
