import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../catalog.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectErrorShape, expectRefusal, unusedId } from './support.ts';

const path = '/v1/customers';

let server: TestServer;
let account: TestAccount;
/** An account whose requests are all refused. */
let refused: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  refused = await server.account();
});
afterAll(() => server.stop());

describe('exact shapes', () => {
  test('a customer has exactly the fields of the interface, those that were not supplied left out', async () => {
    const table: [input: object, fields: string[]][] = [
      [{}, ['id', 'object', 'metadata', 'created']],
      [{ email: 'ada@example.com' }, ['id', 'object', 'email', 'metadata', 'created']],
      [{ name: 'Ada', phone: '1' }, ['id', 'object', 'name', 'phone', 'metadata', 'created']],
    ];
    for (const [input, fields] of table) {
      const made = await account.test.post(path, input);
      expect(Object.keys(made.json)).toEqual(fields);
      expect((await account.test.get(`${path}/${made.json.id}`)).text).toBe(made.text);
    }
  });

  test('creation answers 200', async () => {
    expect((await account.test.post(path, {})).status).toBe(200);
  });

  test('an event has exactly the fields of the interface, and the date of v1', async () => {
    const made = await account.test.post(path, { name: 'Ada' });
    const { data } = (await account.test.get('/v1/events?limit=1')).json;
    expect(Object.keys(data[0])).toEqual(['id', 'object', 'api_version', 'created', 'data', 'type']);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
      object: 'event',
      api_version: '2023-01-01',
      created: expect.any(Number),
      data: { object: made.json },
      type: 'customer.created',
    });
  });
});

describe('a parameter that an operation does not have', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))(
    'is refused by %s',
    async (_name, { method, route }) => {
      const target = `/v1${route.replace(':id', unusedId('cus'))}`;
      const answer =
        method === 'GET'
          ? await refused.test.get(`${target}?colour=red`)
          : await refused.test.request(method, target, { body: { colour: 'red' } });
      expectRefusal(answer, 'parameter_unknown', 'colour');
    },
  );

  test.each(
    operations.filter(({ method }) => method !== 'GET').map((operation) => [operation.name, operation] as const),
  )('is refused by %s in its query too, even one that its body has', async (_name, { method, route }) => {
    const target = `/v1${route.replace(':id', unusedId('cus'))}`;
    for (const query of ['name=Ada', 'expand[]=x', 'expand[a]=x']) {
      const answer = await refused.test.request(method, `${target}?${query}`, { body: {} });
      expectRefusal(answer, 'parameter_unknown', query.slice(0, query.search(/[[=]/)));
    }
  });

  test.each([
    ['emial', 'email'],
    ['Email', 'email'],
    ['e-mail', 'email'],
    ['nam', 'name'],
    ['names', 'name'],
    ['meta_data', 'metadata'],
    ['metdata', 'metadata'],
  ])('%s: did you mean %s?', async (typed, meant) => {
    const answer = await refused.test.post(path, { [typed]: 'x' });
    expectRefusal(answer, 'parameter_unknown', typed);
    expect(answer.json.error.message).toContain(`Did you mean ${meant}?`);
    const form = await refused.test.form(path, `${typed}=x`);
    expect(form.text).toBe(answer.text);
  });

  test('inside an object is named with its path, and so is the suggestion', async () => {
    const answer = await refused.test.get(`${path}?created[ltee]=1`);
    expectRefusal(answer, 'parameter_unknown', 'created.ltee');
    expect(answer.json.error.message).toContain('Did you mean created.lte?');
  });

  test('that resembles no known one is refused without a suggestion', async () => {
    const answer = await refused.test.post(path, { shipping_address: 'x' });
    expectRefusal(answer, 'parameter_unknown', 'shipping_address');
    expect(answer.json.error.message).not.toContain('Did you mean');
  });

  test('is refused even when it is null or empty', async () => {
    expectRefusal(await refused.test.post(path, { colour: null }), 'parameter_unknown', 'colour');
    expectRefusal(await refused.test.form(path, 'colour='), 'parameter_unknown', 'colour');
    expectRefusal(await refused.test.form(path, 'colour'), 'parameter_unknown', 'colour');
  });

  test.each(['id', 'object', 'created', 'deleted', 'tenant', 'account', 'version', 'clock', 'livemode', 'mode'])(
    'cannot set what is not the caller’s to set: %s',
    async (name) => {
      expectRefusal(await refused.test.post(path, { [name]: 'x' }), 'parameter_unknown', name);
      const { id } = (await account.test.post(path, { name: 'Ada' })).json;
      const before = (await account.test.get(`${path}/${id}`)).text;
      expectRefusal(await account.test.post(`${path}/${id}`, { [name]: 'x' }), 'parameter_unknown', name);
      expect((await account.test.get(`${path}/${id}`)).text).toBe(before);
    },
  );

  test.each(['constructor', 'toString', 'hasOwnProperty', 'prototype', 'length'])(
    'is refused when JavaScript has the name: %s',
    async (name) => {
      expectRefusal(await refused.test.post(path, { [name]: {} }), 'parameter_unknown', name);
      expectRefusal(await refused.test.get(`${path}?${name}=1`), 'parameter_unknown', name);
      expectRefusal(await refused.test.get(`${path}?created[${name}]=1`), 'parameter_unknown', `created.${name}`);
    },
  );

  test('metadata is never a filter', async () => {
    expectRefusal(await refused.test.get(`${path}?metadata[a]=1`), 'parameter_unknown', 'metadata');
  });
});

describe('a name that may be a card number is not repeated', () => {
  const card = '4242424242424242';
  const grouped = '4242 4242 4242 4242';
  const sent: [where: string, ask: () => ReturnType<TestAccount['test']['get']>][] = [
    ['as a parameter', () => refused.test.post(path, { [card]: 'x' })],
    ['as a parameter in groups', () => refused.test.post(path, { [grouped]: 'x' })],
    ['as a parameter with dashes', () => refused.test.post(path, { [grouped.replaceAll(' ', '-')]: 'x' })],
    ['as a parameter of a form', () => refused.test.form(path, `${card}=x`)],
    ['as a value without a name in a form', () => refused.test.form(path, card)],
    ['in a query', () => refused.test.get(`${path}?${card}=x`)],
    ['inside a query parameter', () => refused.test.get(`${path}?created[${card}]=x`)],
    ['in the query of a POST', () => refused.test.post(`${path}?${card}=x`, {})],
    ['in the query of a POST, nested', () => refused.test.post(`${path}?${card}[a]=x`, {})],
    ['in the query of a DELETE', () => refused.test.delete(`${path}/${unusedId('cus')}?${card}`)],
    ['as a metadata key with a bad value', () => refused.test.post(path, { metadata: { [card]: {} } })],
    ['as a metadata key with a long value', () => refused.test.post(path, { metadata: { [card]: 'x'.repeat(501) } })],
    [
      'as a metadata key that comes twice',
      () => refused.test.post(path, `{"metadata":{"${card}":1,"${card}":2}}`, json),
    ],
    ['as a path', () => refused.test.get(`/v1/${card}`)],
    ['as a path in groups', () => refused.test.get(`/v1/${grouped.replaceAll(' ', '%20')}`)],
    ['as a path with dashes', () => refused.test.get(`/v1/${grouped.replaceAll(' ', '-')}`)],
    ['as a path with encoded dashes', () => refused.test.get(`/v1/${grouped.replaceAll(' ', '%2D')}`)],
    ['as a path with dots', () => refused.test.get(`/v1/${grouped.replaceAll(' ', '.')}`)],
    ['as an id', () => refused.test.get(`${path}/${card}`)],
    ['as a cursor', () => refused.test.get(`${path}?starting_after=${card}`)],
    ['as a limit', () => refused.test.get(`${path}?limit=${card}`)],
    ['as an email address', () => refused.test.post(path, { email: card })],
    ['as a version in the path', () => refused.test.get(`/v${card}/customers`)],
    [
      'as an idempotency key that is too long',
      () => refused.test.post(path, {}, { 'Idempotency-Key': `${card}`.repeat(17) }),
    ],
  ];
  const json = { 'Content-Type': 'application/json' };

  test.each(sent)('%s', async (_where, ask) => {
    const answer = await ask();
    expectErrorShape(answer);
    expect(answer.text).not.toMatch(/4242.{0,3}4242.{0,3}4242.{0,3}4242/);
    const line = server.logged.findLast((one) => one.includes(String(answer.headers['request-id'])));
    expect(line).toBeDefined();
    expect(line).not.toMatch(/4242.{0,3}4242.{0,3}4242.{0,3}4242/);
  });

  test('a long name is not repeated either', async () => {
    const name = 'n'.repeat(10_000);
    const answer = await refused.test.post(path, { [name]: 1 });
    expectErrorShape(answer);
    expect(answer.text.length).toBeLessThan(1_000);
    const inQuery = await refused.test.post(`${path}?${name}=1`, {});
    expectErrorShape(inQuery);
    expect(inQuery.text.length).toBeLessThan(1_000);
  });
});

describe('a value that a parameter cannot have', () => {
  test.each([
    ['email', 'nobody', 'email'],
    ['email', 'a@b', 'email'],
    ['email', 'a b@example.com', 'email'],
    ['email', `${'a'.repeat(250)}@example.com`, '254'],
    ['name', 'x'.repeat(257), '256'],
    ['phone', '1'.repeat(41), '40'],
  ])('in a body: %s = %s', async (param, value, hint) => {
    for (const answer of [
      await refused.test.post(path, { [param]: value }),
      await refused.test.form(path, `${param}=${encodeURIComponent(value)}`),
    ]) {
      expectRefusal(answer, 'parameter_invalid', param);
      expect(answer.json.error.message).toContain(hint);
    }
  });

  test.each([
    ['limit=0', 'limit', 'at least 1'],
    ['limit=101', 'limit', 'at most 100'],
    ['limit=-1', 'limit', 'at least 1'],
    ['limit[a]=1', 'limit', 'integer'],
    ['created=5', 'created', 'object'],
    ['created[gt]=x', 'created.gt', 'integer: the seconds since 1970'],
    ['created[gt]=2026-11-14', 'created.gt', 'integer: the seconds since 1970'],
    ['created[gt]=', 'created.gt', 'must not be empty'],
    ['created=', 'created', 'must not be empty'],
    ['limit=', 'limit', 'must not be empty'],
    ['starting_after=', 'starting_after', 'must not be empty'],
    ['created[gt]=-1', 'created.gt', 'at least 0'],
    ['starting_after=cus_1', 'starting_after', 'cus_'],
    [`ending_before=${unusedId('evt')}`, 'ending_before', 'cus_'],
  ])('in a query: %s', async (query, param, hint) => {
    const answer = await refused.test.get(`${path}?${query}`);
    expectRefusal(answer, 'parameter_invalid', param);
    expect(answer.json.error.message).toContain(hint);
  });

  const misread: [path: string, form: string, param: string, told: string][] = [
    ['/v1/payments', 'amount=9007199254740993&currency=eur&payment_method=pm_x', 'amount', 'at most 9007199254740991'],
    [
      '/v1/payments',
      'amount=-9007199254740993&currency=eur&payment_method=pm_x',
      'amount',
      'at least -9007199254740991',
    ],
    ['/v1/payments', 'amount=20.00&currency=eur&payment_method=pm_x', 'amount', 'must be an integer'],
    [
      '/v1/webhook_endpoints',
      'url=https://shop.test&enabled_events=*',
      'enabled_events',
      'write enabled_events[]=… for',
    ],
    ['/v1/payment_methods', 'type=card&card=4', 'card', 'write card[…]=… for'],
    [
      '/v1/payment_methods',
      'type=card&card[number]=4&card[exp_year]=2035&card[exp_month]=99999999999999999999',
      'card.exp_month',
      'at most',
    ],
  ];
  test.each(misread)('in a form to %s is refused with how to write it: %s', async (target, form, param, told) => {
    const answer = await refused.test.form(target, form);
    expectRefusal(answer, 'parameter_invalid', param);
    expect(answer.json.error.message).toContain(told);
  });

  test('too large to be exact is refused with the largest that can be, in a query too', async () => {
    const answer = await refused.test.get('/v1/customers?created[gt]=9007199254740993');
    expectRefusal(answer, 'parameter_invalid', 'created.gt');
    expect(answer.json.error.message).toContain('at most 99999999999');
  });

  test('is refused with the values that are allowed', async () => {
    const answer = await refused.test.get('/v1/events?type=customer.made');
    expectRefusal(answer, 'parameter_invalid', 'type');
    expect(answer.json.error.message).toContain('customer.created, customer.updated, customer.deleted');
  });

  test('that excludes another is refused with both names', async () => {
    const [a, b] = [unusedId('cus'), unusedId('cus')];
    const answer = await refused.test.get(`${path}?starting_after=${a}&ending_before=${b}`);
    expectRefusal(answer, 'parameters_exclusive', 'starting_after');
    expect(answer.json.error.message).toContain('ending_before');
  });

  test('none of these requests stored anything', async () => {
    expect((await refused.test.get(path)).json.data).toEqual([]);
    expect((await refused.test.get('/v1/events')).json.data).toEqual([]);
  });
});

describe('an object that does not exist', () => {
  test.each([
    ['a well-formed id', unusedId('cus')],
    ['another kind of id', unusedId('evt')],
    ['a short id', 'cus_1'],
    ['no id at all', 'nobody'],
    ['a very long id', `cus_${'x'.repeat(900)}`],
    ['an id with a NUL', 'cus_%00'],
    ['an id in another encoding', '%E2%82%AC'],
    ['a path', '..%2F..%2Fetc%2Fpasswd'],
    ['a quote', "cus_'%20or%20'1'='1"],
  ])('is 404 with param id: %s', async (_what, id) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await refused.test.request(method, `${path}/${id}`, method === 'POST' ? { body: {} } : {});
      expectRefusal(answer, 'resource_missing', 'id');
    }
  });
});
