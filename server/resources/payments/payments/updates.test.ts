import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { openShop, type Shop } from './payments.fixture.ts';

const clock = virtualClock(Date.now());
let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ clock });
});
afterAll(() => shop.stop());

function send(path: string, body: object | string) {
  const { test } = shop.account;
  return typeof body === 'string' ? test.form(path, body) : test.post(path, body);
}

describe('an update changes description and metadata', () => {
  const before = { description: 'Order 7', metadata: { a: 1, b: 'x' } };
  const cases: [string, object | string, object, object | undefined][] = [
    ['a description', { description: 'New' }, { ...before, description: 'New' }, { description: 'Order 7' }],
    ['null clears it', { description: null }, { metadata: before.metadata }, { description: 'Order 7' }],
    ['empty text clears it', { description: '' }, { metadata: before.metadata }, { description: 'Order 7' }],
    ['so does an empty form value', 'description=', { metadata: before.metadata }, { description: 'Order 7' }],
    [
      'a new key',
      { metadata: { c: true } },
      { ...before, metadata: { a: 1, b: 'x', c: true } },
      { metadata: { c: null } },
    ],
    ['a changed key', { metadata: { a: 2 } }, { ...before, metadata: { a: 2, b: 'x' } }, { metadata: { a: 1 } }],
    ['a removed key', { metadata: { b: '' } }, { ...before, metadata: { a: 1 } }, { metadata: { b: 'x' } }],
    ['null empties it', { metadata: null }, { ...before, metadata: {} }, { metadata: { a: 1, b: 'x' } }],
    [
      'both',
      'description=N&metadata[a]=',
      { description: 'N', metadata: { b: 'x' } },
      { ...before, metadata: { a: 1 } },
    ],
    ['nothing', {}, before, undefined],
    ['the same', { description: 'Order 7', metadata: { a: 1, none: null } }, before, undefined],
  ];
  test.each(cases)('%s', async (_, change, after, previous) => {
    const payment = await shop.paid(undefined, before);
    const answer = await send(`/v1/payments/${payment.id}`, change);
    const { description: _d, metadata: _m, ...rest } = payment;
    expect([answer.status, answer.json]).toEqual([200, { ...rest, ...after }]);
    expect((await shop.read(payment.id)).text).toBe(answer.text);
    const [, event, ...more] = await shop.events(payment.id);
    expect(more).toEqual([]);
    if (previous === undefined) return void expect(event).toBeUndefined();
    const { created: _c, ...object } = answer.json;
    expect(event).toMatchObject({ type: 'payment.updated', data: { object, previous_attributes: previous } });
    expect(event.data.previous_attributes).toEqual(previous);
    expect(event.data.object).not.toHaveProperty('created');
  });

  test('metadata is shown once an update supplies it, and a payment in any status can be updated', async () => {
    const ids = [
      (await shop.paid('4000000000003220')).id,
      (await shop.paid(undefined, { capture_method: 'manual' })).id,
      (await shop.paid('4000000000000408')).id,
      (await shop.pay('4000000000000002')).json.error.payment,
    ];
    for (const id of ids) {
      const { status, json } = await send(`/v1/payments/${id}`, { metadata: { k: 'v' } });
      expect([status, json.metadata]).toEqual([200, { k: 'v' }]);
      expect(json).toEqual((await shop.read(id)).json);
    }
    clock.advance(5_000);
    await shop.server.settled();
    expect((await shop.read(ids[2])).json).toMatchObject({ status: 'succeeded', metadata: { k: 'v' } });
  });

  const others = ['amount', 'currency', 'customer', 'payment_method', 'status', 'capture_method', 'return_url'];
  test.each(others)('%s cannot be changed', async (param) => {
    const { id } = await shop.paid();
    const answer = await send(`/v1/payments/${id}`, { [param]: 'x' });
    expect([answer.status, answer.json.error]).toMatchObject([400, { code: 'parameter_unknown', param }]);
    expect(await shop.eventTypes(id)).toEqual(['payment.succeeded']);
  });

  test.each([
    [{ description: 'd'.repeat(1_001) }, 'parameter_invalid', 'description'],
    [{ metadata: { a: { b: 1 } } }, 'metadata_value_invalid', 'metadata.a'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'metadata_value_too_long', 'metadata.a'],
  ])('limits hold, %#', async (body, code, param) => {
    const { id } = await shop.paid();
    expect((await send(`/v1/payments/${id}`, body)).json.error).toMatchObject({ code, param });
  });

  test('a payment that does not exist, or belongs to another account, is not found', async () => {
    const { id } = await shop.paid();
    const other = await shop.server.account();
    for (const answer of [
      await send(`/v1/payments/${newId('py', Date.now())}`, { description: 'x' }),
      await shop.account.test.get('/v1/payments/py_x'),
      await other.test.get(`/v1/payments/${id}`),
      await other.test.post(`/v1/payments/${id}`, { description: 'x' }),
      await shop.account.live.get(`/v1/payments/${id}`),
    ])
      expect([answer.status, answer.json.error]).toMatchObject([404, { code: 'resource_missing', param: 'id' }]);
  });

  test('twenty concurrent ones all take effect, each with its event', async () => {
    const { id } = await shop.paid();
    const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
    const { first } = shop.account.test;
    const answers = await Promise.all(keys.map((key) => first.post(`/v1/payments/${id}`, { metadata: { [key]: 1 } })));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(Object.keys((await shop.read(id)).json.metadata).sort()).toEqual([...keys].sort());
    expect(await shop.events(id)).toHaveLength(21);
  });
});

describe('lists', () => {
  test('are newest first, by page, and filtered by customer, status and time', async () => {
    const own = await shop.server.account();
    const post = async (path: string, body: object) => (await own.test.post(path, body)).json;
    const customer = (await post('/v1/customers', {})).id;
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035 };
    const payment_method = (await post('/v1/payment_methods', { type: 'card', card })).id;
    const payments: { id: string; created: number }[] = [];
    for (const more of [{}, { customer }, { capture_method: 'manual' }, { customer, capture_method: 'manual' }]) {
      clock.advance(2_000);
      payments.unshift(await post('/v1/payments', { amount: 5, currency: 'usd', payment_method, ...more }));
    }
    const [d, c, b, a] = payments.map(({ id }) => id);
    const get = async (query: string) => (await own.test.get(`/v1/payments?${query}`)).json;
    const ids = async (query: string) => (await get(query)).data.map((payment: { id: string }) => payment.id);
    expect(await get('')).toEqual({ object: 'list', url: '/v1/payments', has_more: false, data: payments });
    const cases: [string, (string | undefined)[]][] = [
      [`customer=${customer}`, [d, b]],
      ['status=succeeded', [b, a]],
      ['status=requires_capture', [d, c]],
      ['status=failed', []],
      [`customer=${customer}&status=succeeded`, [b]],
      [`customer=${newId('cus', Date.now())}`, []],
      [`created[gt]=${payments[1]!.created}`, [d]],
      [`created[gte]=${payments[1]!.created}`, [d, c]],
      [`created[lt]=${payments[2]!.created}`, [a]],
      [`created[lte]=${payments[2]!.created}&status=succeeded`, [b, a]],
      ['limit=2', [d, c]],
      [`limit=2&starting_after=${c}`, [b, a]],
      [`limit=2&ending_before=${b}`, [d, c]],
      [`limit=1&starting_after=${d}&customer=${customer}`, [b]],
      [`limit=1&ending_before=${a}&status=succeeded`, [b]],
      [`starting_after=${newId('py', Date.now() - 86_400_000)}`, []],
    ];
    for (const [query, expected] of cases) expect([query, await ids(query)]).toEqual([query, expected]);
    expect((await get('limit=3')).has_more).toBe(true);
    expect((await get(`limit=1&starting_after=${d}&customer=${customer}`)).has_more).toBe(false);
    expect((await own.live.get('/v1/payments')).json.data).toEqual([]);
  });

  test.each([
    ['status=paid', 'parameter_invalid', 'status'],
    ['limit=0', 'parameter_invalid', 'limit'],
    ['limit=101', 'parameter_invalid', 'limit'],
    ['starting_after=x', 'parameter_invalid', 'starting_after'],
    [`starting_after=${newId('cus', 1)}`, 'parameter_invalid', 'starting_after'],
    [`starting_after=${newId('py', 1)}&ending_before=${newId('py', 1)}`, 'parameters_exclusive', undefined],
    ['metadata[a]=1', 'parameter_unknown', 'metadata'],
    ['payment_method=x', 'parameter_unknown', 'payment_method'],
  ])('%s is refused', async (query, code, param) => {
    const answer = await shop.account.test.get(`/v1/payments?${query}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, code]);
    if (param !== undefined) expect(answer.json.error.param).toBe(param);
  });
});

describe('scopes', () => {
  const id = newId('py', Date.now());
  const reads: [string, string][] = [
    ['GET', '/v1/payments'],
    ['GET', `/v1/payments/${id}`],
  ];
  const writes: [string, string][] = [
    ['POST', '/v1/payments'],
    ['POST', `/v1/payments/${id}`],
    ['POST', `/v1/payments/${id}/capture`],
    ['POST', `/v1/payments/${id}/cancel`],
  ];
  const cases = [
    ...reads.map((operation) => [...operation, 'payments:read', ['payments:read', 'payments:write']] as const),
    ...writes.map((operation) => [...operation, 'payments:write', ['payments:write']] as const),
  ];
  test.each(cases)('%s %s needs %s', async (method, path, needed, enough) => {
    for (const scope of [
      'payments:read',
      'payments:write',
      'customers:write',
      'payment_methods:write',
      'events:read',
    ]) {
      const { client } = await shop.server.key(shop.account.id, { scopes: [scope as never] });
      const { status, json } = await client.request(method, path);
      if ((enough as readonly string[]).includes(scope)) expect(status).not.toBe(403);
      else {
        expect([status, json.error.code]).toEqual([403, 'scope_missing']);
        expect(json.error.message).toContain(needed);
      }
    }
  });
});
