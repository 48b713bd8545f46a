import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { type Coupon, codeKeyOf, discount, hundredthsOf } from './coupon.ts';
import { findCoupons } from './operations.ts';
import { serializeCoupon } from './schema.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const third = { percent_off: 33.33, duration: 'forever' };
const five = { amount_off: 500, currency: 'eur', duration: 'once' };

/** Sends JSON, or a form when it is text. */
function send(body: object | string) {
  return typeof body === 'string' ? account.test.form('/v1/coupons', body) : account.test.post('/v1/coupons', body);
}

async function eventsOf(id: string) {
  const { rows } = await server.sql.query<{ payload: Buffer }>(
    'select payload from events where object_id = $1 order by object_version',
    [id],
  );
  return rows.map(({ payload }) => JSON.parse(payload.toString()));
}

describe('a new coupon', () => {
  const accepted: [string, object | string, object][] = [
    ['a percentage', third, third],
    ['an amount', five, five],
    ['the smallest percentage', { ...third, percent_off: 0.01 }, { ...third, percent_off: 0.01 }],
    ['everything', { ...third, percent_off: 100 }, { ...third, percent_off: 100 }],
    ['a percentage with trailing zeros', 'percent_off=12.50&duration=once', { percent_off: 12.5, duration: 'once' }],
    ['a percentage in a form', 'percent_off=33.33&duration=forever', third],
    ['the smallest amount', { ...five, amount_off: 1, currency: 'JPY' }, { ...five, amount_off: 1, currency: 'jpy' }],
    ['the largest amount', { ...five, amount_off: 999_999_999_999 }, { ...five, amount_off: 999_999_999_999 }],
    ['an amount in a form', 'amount_off=500&currency=EUR&duration=once', five],
    ['null for the other', { ...third, amount_off: null, currency: null, duration_in_months: null, name: null }, third],
    ...[1, 36].map((duration_in_months): [string, object, object] => [
      `${duration_in_months} months, a name and metadata`,
      { ...third, duration: 'repeating', duration_in_months, name: 'Launch', metadata: { a: 1 } },
      { percent_off: 33.33, duration: 'repeating', duration_in_months, name: 'Launch', metadata: { a: 1 } },
    ]),
  ];
  test.each(accepted)('has exactly its fields, and is reported: %s', async (_, body, shown) => {
    const answer = await send(body);
    const { id, created } = answer.json;
    expect(id).toMatch(/^coupon_[0-9A-Za-z]{22}$/);
    const { metadata, ...others } = shown as { metadata?: object };
    const object = { id, object: 'coupon', ...others, created, ...(metadata && { metadata }) };
    expect(answer.text).toBe(JSON.stringify(object));
    expect((await account.test.get(`/v1/coupons/${id}`)).text).toBe(answer.text);
    expect(await eventsOf(id)).toMatchObject([{ type: 'coupon.created', data: { object } }]);
  });

  test('keeps every percentage of two decimals exactly', () => {
    const all = Array.from({ length: 10_000 }, (_, at) => at + 1);
    const changed = all.filter((hundredths) => {
      const percent = Number(`${hundredths}e-2`);
      const shown = serializeCoupon({ id: 'coupon_0', percent_hundredths: hundredths } as unknown as Coupon) as {
        percent_off: number;
      };
      return hundredthsOf(percent) !== hundredths || shown.percent_off !== percent;
    });
    expect(changed).toEqual([]);
    expect([33.333, 0.015, 99.999, 1 / 3].map(hundredthsOf)).toEqual(Array(4).fill(undefined));
  });
});

describe('refused, with what to do, and nothing is stored:', () => {
  const invalid = 'parameter_invalid';
  const missing = 'parameter_missing';
  const repeating = { ...third, duration: 'repeating' };
  const refused: [string, object | string, code: string, param: string, told?: string][] = [
    ['neither', { duration: 'once' }, missing, 'percent_off', 'Send percent_off, or amount_off with currency.'],
    ['a currency alone', { duration: 'once', currency: 'eur' }, missing, 'percent_off', 'amount_off with currency'],
    ['both', { ...third, ...five }, 'parameters_exclusive', 'percent_off', 'amount_off'],
    ['nothing off', { ...third, percent_off: 0 }, invalid, 'percent_off', 'at least 0.01'],
    ['less than nothing off', { ...third, percent_off: -5 }, invalid, 'percent_off', 'at least 0.01'],
    ['too little off', { ...third, percent_off: 0.009 }, invalid, 'percent_off', 'at least 0.01'],
    ['more than everything off', { ...third, percent_off: 100.01 }, invalid, 'percent_off', 'at most 100'],
    ['three decimals', { ...third, percent_off: 33.333 }, invalid, 'percent_off', 'two decimals'],
    ['three decimals in a form', 'percent_off=99.999&duration=once', invalid, 'percent_off', 'two decimals'],
    ['a percentage as text', { ...third, percent_off: '5' }, invalid, 'percent_off', 'a number'],
    ['a percent sign', 'percent_off=5%25&duration=once', invalid, 'percent_off', 'a number'],
    ['an empty percentage', 'percent_off=&duration=once', invalid, 'percent_off', 'empty'],
    ['a percentage with a currency', { ...third, currency: 'eur' }, invalid, 'currency', 'amount_off'],
    ['an amount without a currency', { ...five, currency: null }, missing, 'currency', 'amount_off'],
    ['an unknown currency', { ...five, currency: 'xxx' }, 'currency_unknown', 'currency'],
    ['no amount off', { ...five, amount_off: 0 }, 'amount_too_small', 'amount_off'],
    ['too large an amount', { ...five, amount_off: 1e12 }, 'amount_too_large', 'amount_off'],
    ['half a cent off', { ...five, amount_off: 0.5 }, invalid, 'amount_off', 'an integer'],
    ['no duration', { percent_off: 5 }, missing, 'duration'],
    ['an unknown duration', { percent_off: 5, duration: 'ever' }, invalid, 'duration', 'once, repeating, forever'],
    ['repeating without months', repeating, missing, 'duration_in_months', 'repeating'],
    ['no months', { ...repeating, duration_in_months: 0 }, invalid, 'duration_in_months', 'at least 1'],
    ['37 months', { ...repeating, duration_in_months: 37 }, invalid, 'duration_in_months', 'at most 36'],
    ['months once', { ...five, duration_in_months: 3 }, invalid, 'duration_in_months', 'repeating'],
    ['a name of 257 characters', { ...third, name: 'x'.repeat(257) }, invalid, 'name', '256'],
    ['an id of your own', { ...third, id: 'SUMMER' }, 'parameter_unknown', 'id'],
  ];
  test.each(refused)('%s', async (_, body, code, param, told = '') => {
    const count = async () => (await server.sql.query('select count(*) from coupons')).rows[0].count;
    const before = await count();
    const answer = await send(body);
    expectRefusal(answer, code, param);
    expect(answer.json.error.message).toContain(told);
    expect(await count()).toBe(before);
  });
});

describe('the code of a coupon', () => {
  let codes = 0;
  const unused = () => `Code-${++codes}`;
  const found = async (code: string) =>
    (await account.test.get(`/v1/coupons?code=${encodeURIComponent(code)}`)).json.data.map(({ id }: Coupon) => id);
  const inUse = (answer: Answer, id: string) => {
    expectRefusal(answer, 'parameter_invalid', 'code');
    expect(answer.json.error.message).toContain(`the coupon ${id} has this code already`);
  };

  test('is shown as it was supplied, and found in any case, by a list and a search', async () => {
    const code = unused();
    const made = await send({ ...third, code });
    expect(made.json).toMatchObject({ code });
    const { id } = made.json;
    for (const typed of [code, code.toUpperCase(), code.toLowerCase(), ` ${code} `])
      expect(await found(typed)).toEqual([id]);
    expect(await found('no such code')).toEqual([]);
    expect(await found('no-such-code')).toEqual([]);
    expectRefusal(await account.test.get('/v1/coupons?code='), 'parameter_invalid', 'code');
    const searched = async () =>
      (await account.test.get(`/v1/search?q=${code}`)).json.data.map(({ id: one }: { id: string }) => one);
    await expect.poll(searched, { timeout: 10_000 }).toEqual([id]);
    const [event] = await eventsOf(id);
    expect(event.data.object).toEqual(made.json);
    for (const none of [{}, { code: '' }, { code: null }])
      expect((await send({ ...third, ...none })).json).not.toHaveProperty('code');
  });

  test('belongs to one coupon of an account and mode', async () => {
    const code = unused();
    const { id } = (await send({ ...third, code })).json;
    inUse(await send({ ...five, code: code.toUpperCase() }), id);
    expect((await account.live.post('/v1/coupons', { ...third, code })).json).toMatchObject({ code });
    const other = await server.account();
    expect((await other.test.post('/v1/coupons', { ...third, code })).json).toMatchObject({ code });
  });

  test('goes to one of many that race, and the others are refused', async () => {
    const code = unused();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send({ ...third, code })));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners, answers.map(({ text }) => text).join('\n')).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) inUse(answer, winners[0]!.json.id);
  });

  test('is given up by a deleted coupon', async () => {
    const code = unused();
    const { id } = (await send({ ...third, code })).json;
    await account.test.delete(`/v1/coupons/${id}`);
    expect(await found(code)).toEqual([]);
    const { id: next } = (await send({ ...third, code })).json;
    expect(await found(code)).toEqual([next]);
  });

  test.each([
    ['10% OFF', 'spaces'],
    [' A', 'spaces'],
    ['a\u200bb', 'a character that cannot be seen'],
    ['a\tb', 'a tab'],
    ['x'.repeat(41), '41 characters'],
    [7, 'a number'],
  ])('is refused as %j: %s', async (code, _) => {
    expectRefusal(await send({ ...third, code }), 'parameter_invalid', 'code');
  });

  test.each([
    ['WELCOME10', 'welcome10'],
    ['ＷＥＬＣＯＭＥ１０', 'welcome10'],
    ['STRASSE', 'straße'],
    ['ΣΟΦΌΣ', 'σοφός'],
    ['10%-off!', '10%-OFF!'],
  ])('%s is the same as %s', (one, other) => {
    expect(codeKeyOf(one)).toBe(codeKeyOf(other));
    expect(codeKeyOf(one)).toBeDefined();
  });
});

describe('a deleted coupon', () => {
  test('is missing from then on, and is reported once', async () => {
    const { id } = (await send(third)).json;
    const path = `/v1/coupons/${id}`;
    const answer = await account.test.delete(path);
    expect([answer.status, answer.text]).toEqual([200, `{"id":"${id}","object":"coupon","deleted":true}`]);
    for (const later of [await account.test.get(path), await account.test.delete(path)])
      expectRefusal(later, 'resource_missing', 'id');
    const [, event, ...others] = await eventsOf(id);
    expect([event.type, event.data, others]).toEqual(['coupon.deleted', { object: answer.json }, []]);
  });

  test('is not listed, whatever the page', async () => {
    const own = await server.account();
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.unshift((await own.test.post('/v1/coupons', third)).json.id);
    const [e, d, c, b, a] = ids;
    for (const id of [b, d]) await own.test.delete(`/v1/coupons/${id}`);
    const list = async (query: string) => {
      const { json } = await own.test.get(`/v1/coupons?${query}`);
      return [json.data.map((coupon: { id: string }) => coupon.id), json.has_more];
    };
    expect(await list('')).toEqual([[e, c, a], false]);
    expect(await list('limit=2')).toEqual([[e, c], true]);
    expect(await list(`starting_after=${d}`)).toEqual([[c, a], false]);
    expect(await list(`ending_before=${b}&limit=1`)).toEqual([[c], true]);
    expectRefusal(await own.test.get('/v1/coupons?deleted=true'), 'parameter_unknown', 'deleted');
  });

  test('is kept as it was, for those who have it', async () => {
    const { id } = (await send({ ...five, metadata: { a: 1 } })).json;
    const { rows } = await server.sql.query('select tenant from coupons where id = $1', [id]);
    const { reads } = server.gateway.services;
    const find = async () => (await findCoupons({ reads, tenant: rows[0].tenant }, [id])).get(id);
    const before = (await find())!;
    await account.test.delete(`/v1/coupons/${id}`);
    expect(await find()).toEqual({ ...before, version: 2, deleted: true });
    expect(discount(before)).toEqual({ amountOff: 500 });
  });

  test('can be deleted by a retry, which gets the first answer', async () => {
    const { id } = (await send(third)).json;
    const headers = { 'Idempotency-Key': `delete ${id}` };
    const answers = [
      await account.test.delete(`/v1/coupons/${id}`, headers),
      await account.test.delete(`/v1/coupons/${id}`, headers),
    ];
    expect(answers[1]!.text).toBe(answers[0]!.text);
    expect(answers[1]!.headers['idempotent-replayed']).toBe('true');
  });
});

test.each([
  ['percent_hundredths = 0', 'coupons_percent_hundredths_check'],
  ['percent_hundredths = 10001', 'coupons_percent_hundredths_check'],
  ['percent_hundredths = null', 'coupons_discount'],
  [`amount_off = 1, currency = 'eur'`, 'coupons_discount'],
  ['percent_hundredths = null, amount_off = 1', 'coupons_currency'],
  [`currency = 'eur'`, 'coupons_currency'],
  [`percent_hundredths = null, amount_off = 0, currency = 'eur'`, 'coupons_amount_off_check'],
  [`duration = 'ever'`, 'coupons_duration_check'],
  [`duration = 'repeating'`, 'coupons_months'],
  ['duration_in_months = 1', 'coupons_months'],
  [`duration = 'repeating', duration_in_months = 37`, 'coupons_duration_in_months_check'],
])('the database refuses a coupon with %s', async (change, constraint) => {
  const { id } = (await send(third)).json;
  const broken = server.sql.query(`update coupons set ${change} where id = $1`, [id]);
  await expect(broken).rejects.toThrow(new RegExp(`"${constraint}(_\\d+)?"`)); // a shard adds its number
});
