import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Reads } from '../../../base/reads.ts';
import type { Pool } from '../../../base/sql.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { findPrices } from './operations.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const gold = { currency: 'eur', unit_amount: 1_500, recurring: { interval: 'month' }, product_name: 'Gold' };

/** Sends JSON, or a form when it is text. */
function send(path: string, body: object | string) {
  return typeof body === 'string' ? account.test.form(path, body) : account.test.post(path, body);
}

async function create(change: object = {}) {
  const answer = await send('/v1/prices', { ...gold, ...change });
  expect(answer.text).not.toContain('"error"');
  return answer;
}

async function eventsOf(id: string) {
  const { rows } = await server.sql.query<{ payload: Buffer }>(
    'select payload from events where object_id = $1 order by object_version',
    [id],
  );
  return rows.map(({ payload }) => JSON.parse(payload.toString()));
}

describe('a new price', () => {
  test('has exactly its fields, is active, and is reported', async () => {
    const answer = await create();
    const { id, created } = answer.json;
    expect(id).toMatch(/^price_[0-9A-Za-z]{22}$/);
    const { currency, unit_amount, product_name } = gold;
    const recurring = { interval: 'month', interval_count: 1 };
    const shown = { id, object: 'price', active: true, currency, unit_amount, recurring, product_name, created };
    expect(answer.text).toBe(JSON.stringify(shown));
    expect((await account.test.get(`/v1/prices/${id}`)).text).toBe(answer.text);
    expect(await eventsOf(id)).toMatchObject([{ type: 'price.created', data: { object: shown } }]);
  });

  const accepted: [string, object | string, object][] = [
    ['paid once', { currency: 'eur', unit_amount: 900, product_name: 'A mug' }, { unit_amount: 900 }],
    ['for nothing', { ...gold, unit_amount: 0 }, { unit_amount: 0 }],
    ['for the largest amount', { ...gold, unit_amount: 999_999_999_999 }, { unit_amount: 999_999_999_999 }],
    ['in upper case', { ...gold, currency: 'JPY' }, { currency: 'jpy' }],
    ...Object.entries({ day: 1_095, week: 156, month: 36, year: 3 }).map(
      ([interval, interval_count]): [string, object, object] => [
        `every ${interval_count} ${interval}s`,
        { ...gold, recurring: { interval, interval_count } },
        { recurring: { interval, interval_count } },
      ],
    ),
    [
      'with null for the number of intervals, which is one',
      { ...gold, recurring: { interval: 'year', interval_count: null } },
      { recurring: { interval: 'year', interval_count: 1 } },
    ],
    [
      'as a form',
      'currency=usd&unit_amount=990&recurring[interval]=week&recurring[interval_count]=2&product_name=7&metadata[a]=1',
      {
        currency: 'usd',
        unit_amount: 990,
        recurring: { interval: 'week', interval_count: 2 },
        product_name: '7',
        metadata: { a: '1' },
      },
    ],
    ['with metadata', { ...gold, metadata: { plan: 'a', gone: '' } }, { metadata: { plan: 'a' } }],
    ['with a name of 256 characters', { ...gold, product_name: '🧾'.repeat(256) }, { product_name: '🧾'.repeat(256) }],
  ];
  test.each(accepted)('%s', async (_, body, shown) => {
    const answer = await send('/v1/prices', body);
    expect([answer.status, answer.json]).toMatchObject([200, shown]);
    expect((await account.test.get(`/v1/prices/${answer.json.id}`)).text).toBe(answer.text);
  });
});

describe('refused, with what to do, and nothing is stored:', () => {
  const { currency: _c, ...withoutCurrency } = gold;
  const every = (interval: string, interval_count: unknown) => ({ ...gold, recurring: { interval, interval_count } });
  const invalid = 'parameter_invalid';
  const refused: [string, object | string, code: string, param: string, told?: string][] = [
    ['no currency', withoutCurrency, 'parameter_missing', 'currency'],
    ['a currency that is none', { ...gold, currency: 'xxx' }, 'currency_unknown', 'currency'],
    ['no amount', { ...gold, unit_amount: null }, 'parameter_missing', 'unit_amount'],
    ['an amount below 0', { ...gold, unit_amount: -1 }, invalid, 'unit_amount', 'at least 0'],
    ['an amount too large', { ...gold, unit_amount: 1e12 }, 'amount_too_large', 'unit_amount', '999999999999'],
    ['half a cent', { ...gold, unit_amount: 0.5 }, invalid, 'unit_amount', 'an integer'],
    ['an amount as text', { ...gold, unit_amount: '5' }, invalid, 'unit_amount', 'an integer'],
    ['no interval', { ...gold, recurring: {} }, 'parameter_missing', 'recurring.interval'],
    ['an unknown interval', every('hour', 1), invalid, 'recurring.interval', 'day, week, month, year'],
    ['no intervals', every('day', 0), invalid, 'recurring.interval_count', 'at least 1'],
    ['four years', every('year', 4), invalid, 'recurring.interval_count', 'at most 3 years'],
    ['37 months', every('month', 37), invalid, 'recurring.interval_count', 'at most 36 months'],
    ['157 weeks', every('week', 157), invalid, 'recurring.interval_count', 'at most 156 weeks'],
    ['1,096 days', every('day', 1_096), invalid, 'recurring.interval_count', 'at most 1095 days'],
    ['2^53 - 1 years', every('year', Number.MAX_SAFE_INTEGER), invalid, 'recurring.interval_count', 'at most 3 years'],
    [
      'a misspelt member',
      { ...gold, recurring: { interval: 'day', count: 1 } },
      'parameter_unknown',
      'recurring.count',
    ],
    ['no name', { ...gold, product_name: '' }, 'parameter_missing', 'product_name'],
    ['a blank name', { ...gold, product_name: ' \t' }, invalid, 'product_name', 'blank'],
    ['a name of 257 characters', { ...gold, product_name: 'x'.repeat(257) }, invalid, 'product_name', '256'],
    ['whether it is active', { ...gold, active: false }, 'parameter_unknown', 'active'],
    [
      'an empty number in a form',
      'currency=eur&unit_amount=&product_name=a&recurring[interval]=day',
      'parameter_missing',
      'unit_amount',
    ],
  ];
  test.each(refused)('%s', async (_, body, code, param, told = '') => {
    const count = async () => (await server.sql.query('select count(*) from prices')).rows[0].count;
    const before = await count();
    const answer = await send('/v1/prices', body);
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(told);
    expect(await count()).toBe(before);
  });
});

describe('an update', () => {
  test('changes what it names, and is reported with the previous attributes', async () => {
    const before = (await create({ metadata: { a: 1 } })).json;
    const path = `/v1/prices/${before.id}`;
    const change = { active: false, product_name: 'Silver', metadata: { a: null, b: 2 } };
    const answer = await send(path, change);
    expect(answer.json).toEqual({ ...before, active: false, product_name: 'Silver', metadata: { b: 2 } });
    expect((await send(path, 'active=false')).text).toBe(answer.text); // nothing has changed: no event
    const [, event, ...others] = await eventsOf(before.id);
    expect(others).toEqual([]);
    expect([event.type, event.data]).toEqual([
      'price.updated',
      { object: answer.json, previous_attributes: { active: true, product_name: 'Gold', metadata: { a: 1, b: null } } },
    ]);
    expect((await send(path, 'active=true&product_name=Gold&metadata=')).json).toEqual({ ...before, metadata: {} });
  });

  const refused: [string, object | string, code: string, param: string][] = [
    ['an amount', { unit_amount: 5 }, 'parameter_unknown', 'unit_amount'],
    ['an interval', { recurring: { interval: 'day' } }, 'parameter_unknown', 'recurring'],
    ['null for active', { active: null }, 'parameter_invalid', 'active'],
    ['an empty active in a form', 'active=', 'parameter_invalid', 'active'],
    ['active that is neither', { active: 'yes' }, 'parameter_invalid', 'active'],
    ['an empty name', { product_name: '' }, 'parameter_invalid', 'product_name'],
    ['a blank name', { product_name: '  ' }, 'parameter_invalid', 'product_name'],
  ];
  test('is refused where it names what cannot be changed or cleared', async () => {
    const before = await create();
    const path = `/v1/prices/${before.json.id}`;
    for (const [, body, code, param] of refused) expectRefusal(await send(path, body), code, param);
    expect((await account.test.get(path)).text).toBe(before.text);
  });
});

test('a list can be of the active ones, or of the others', async () => {
  const own = await server.account();
  const ids: string[] = [];
  for (let at = 0; at < 4; at++) ids.unshift((await own.test.post('/v1/prices', gold)).json.id);
  const [d, c, b, a] = ids;
  for (const id of [a, c]) await own.test.post(`/v1/prices/${id}`, { active: false });
  const list = async (query: string) => {
    const { json } = await own.test.get(`/v1/prices?${query}`);
    return [json.data.map((price: { id: string }) => price.id), json.has_more];
  };
  expect(await list('')).toEqual([[d, c, b, a], false]);
  expect(await list('active=true')).toEqual([[d, b], false]);
  expect(await list('active=false&limit=1')).toEqual([[c], true]);
  expect(await list(`active=false&starting_after=${c}`)).toEqual([[a], false]);
  expectRefusal(await own.test.get('/v1/prices?active=1'), 'parameter_invalid', 'active');
  expectRefusal(await own.test.get('/v1/prices?active='), 'parameter_invalid', 'active');
});

test('prices are found by their ids in one statement, those of the tenant alone', async () => {
  const [first, second] = [(await create()).json.id, (await create({ unit_amount: 7 })).json.id];
  const foreign = (await account.live.post('/v1/prices', gold)).json.id;
  const { rows } = await server.sql.query('select tenant from prices where id = $1', [first]);
  let statements = 0;
  const counting = {
    query(statement: string) {
      statements++;
      return server.sql.query(statement);
    },
  } as unknown as Pool;
  const reader = { reads: new Reads(counting), tenant: rows[0].tenant };
  const found = await Promise.all([
    findPrices(reader, [second, first, second, foreign, unusedId('price')]),
    findPrices(reader, [first]),
  ]);
  expect(statements).toBe(1);
  expect(found.map((prices) => [...prices.keys()])).toEqual([[second, first], [first]]);
  expect(found[0].get(second)).toMatchObject({ unit_amount: 7, interval: 'month', interval_count: 1, active: true });
});

test('a retry with the same key makes one price', async () => {
  const headers = { 'Idempotency-Key': 'gold, once' };
  const [first, second] = [
    await account.test.post('/v1/prices', { ...gold, currency: 'EUR' }, headers),
    await account.test.post('/v1/prices', gold, headers),
  ];
  expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  expect(await eventsOf(first.json.id)).toHaveLength(1);
});

test.each([
  ['unit_amount = -1', 'prices_unit_amount_check'],
  ['unit_amount = 1000000000000', 'prices_unit_amount_check'],
  ['interval_count = 37', 'prices_period'],
  ['interval_count = 0', 'prices_period'],
  ['interval_count = null', 'prices_whole_period'],
  ['interval = null', 'prices_period'],
  [`interval = 'hour'`, 'prices_period'],
  [`product_name = ''`, 'prices_product_name_check'],
])('the database refuses a price with %s', async (change, constraint) => {
  const { id } = (await create()).json;
  const broken = server.sql.query(`update prices set ${change} where id = $1`, [id]);
  await expect(broken).rejects.toThrow(new RegExp(`"${constraint}(_\\d+)?"`)); // a shard adds its number
});
