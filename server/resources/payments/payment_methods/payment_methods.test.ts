import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { unfilledBlank } from '../../../test/http/support.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

const path = '/v1/payment_methods';
const thisYear = new Date().getUTCFullYear();
const visa = { number: '4242424242424242', exp_month: 12, exp_year: thisYear + 4, cvc: '123' };
const shown = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: thisYear + 4 };
const method = (change: object = {}) => ({ type: 'card', card: { ...visa, ...change } });
const address = { line1: '1 Analytical Way', city: 'London', state: 'LDN', postal_code: 'W1', country: 'GB' };

/** Sends JSON, or a form when it is text. */
function send(to: string, body: object | string) {
  return typeof body === 'string' ? account.test.form(to, body) : account.test.post(to, body);
}

async function create(body: object | string = method()) {
  const answer = await send(path, body);
  expect(answer.json.error).toBeUndefined();
  return answer;
}

async function rows(): Promise<object[]> {
  return (await server.sql.query('select * from payment_methods order by id')).rows;
}

/** The events about an object, oldest first. */
async function eventsOf(id: string): Promise<{ type: string; data: object }[]> {
  const result = await server.sql.query('select payload from events where object_id = $1 order by object_version', [
    id,
  ]);
  return result.rows.map((row) => JSON.parse(row.payload.toString()));
}

describe('the sample of the interface', () => {
  test('a payment method has exactly its six fields, and reads back the same', async () => {
    const billing_details = { name: 'Ada', email: 'ada@example.com', address };
    const answer = await create({ ...method(), billing_details });
    const { id, created } = answer.json;
    expect(id).toMatch(/^pm_[0-9A-Za-z]{22}$/);
    expect(Math.abs(created - Date.now() / 1_000)).toBeLessThan(5);
    const billing = { name: 'Ada', email: 'ada@example.com' };
    expect(answer.text).toBe(
      JSON.stringify({ id, object: 'payment_method', type: 'card', card: shown, billing_details: billing, created }),
    );
    expect((await account.test.get(`${path}/${id}`)).text).toBe(answer.text);
    expect(await eventsOf(id)).toEqual([]); // there is no event for a method that nobody has yet
  });

  test('the address is kept as it was sent, for the processor', async () => {
    const { id } = (await create({ ...method(), billing_details: { address } })).json;
    const { rows: kept } = await server.sql.query('select billing from payment_methods where id = $1', [id]);
    expect(kept).toEqual([{ billing: { address } }]);
  });
});

describe('a new payment method shows what was supplied, and always its billing details', () => {
  const form = `type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=${thisYear + 4}&card[cvc]=123`;
  const cases: [string, object | string, object][] = [
    ['the least', method({ cvc: undefined }), { billing_details: {} }],
    ['a name', { ...method(), billing_details: { name: 'Ada' } }, { billing_details: { name: 'Ada' } }],
    ['an address alone', { ...method(), billing_details: { address } }, { billing_details: {} }],
    [
      'null, which is nothing',
      { ...method({ cvc: null }), billing_details: null, customer: null, metadata: null },
      { billing_details: {} },
    ],
    [
      'null members',
      { ...method(), billing_details: { name: null, email: '', address: { city: null } } },
      { billing_details: {} },
    ],
    ['metadata', { ...method(), metadata: { z: 1, a: true } }, { billing_details: {}, metadata: { z: 1, a: true } }],
    ['a form', form, { billing_details: {} }],
    [
      'a form with all',
      `${form}&billing_details[name]=Ada+L.&billing_details[address][city]=London&metadata[n]=7`,
      { billing_details: { name: 'Ada L.' }, metadata: { n: '7' } },
    ],
    [
      'a form with what is empty',
      `${form.replace('=123', '=')}&billing_details[email]=&customer=`,
      { billing_details: {} },
    ],
    ['spaces in the number', method({ number: '4242 4242 4242 4242' }), { billing_details: {} }],
    ['dashes in the number', method({ number: '4242-4242-4242-4242' }), { billing_details: {} }],
  ];
  test.each(cases)('%s', async (_, body, more) => {
    const answer = await create(body);
    const { billing_details, ...others } = more as { billing_details: object };
    const { id, created } = answer.json;
    const whole = { id, object: 'payment_method', type: 'card', card: shown, billing_details, created, ...others };
    expect(answer.text).toBe(JSON.stringify(whole));
    expect((await account.test.get(`${path}/${id}`)).text).toBe(answer.text);
  });

  test('the customer that it was attached to', async () => {
    const customer = (await account.test.post('/v1/customers')).json.id;
    const answer = await create({ ...method(), customer, metadata: { a: 1 } });
    expect(Object.keys(answer.json)).toEqual(
      ['id', 'object', 'type', 'card', 'billing_details', 'created', 'customer', 'metadata'], // the six of the interface first
    );
    expect(answer.json.customer).toBe(customer);
  });
});

describe('the brand comes from the number', () => {
  const cards: [string, string, string][] = [
    ['visa', '4242424242424242', '123'],
    ['mastercard', '5555555555554444', '123'],
    ['mastercard', '2223003122003222', '123'],
    ['amex', '378282246310005', '1234'],
    ['discover', '6011111111111117', '123'],
    ['diners', '3056930009020004', '123'],
    ['diners', '36227206271667', '123'],
    ['jcb', '3566002020360505', '123'],
    ['unionpay', '6200000000000005', '123'],
    ['unionpay', '6205500000000000004', '123'], // 19 digits
    ['unknown', '500000000009', '123'], // 12 digits
    ['unknown', '500000000009', '1234'],
  ];
  test.each(cards)('%s: %s', async (brand, number, cvc) => {
    const { card } = (await create(method({ number, cvc }))).json;
    expect(card).toEqual({ ...shown, brand, last4: number.slice(-4) });
  });
});

const invalid = (param: string) => ({ code: 'parameter_invalid', param });
const missing = (param: string) => ({ code: 'parameter_missing', param });
const unknown = (param: string) => ({ code: 'parameter_unknown', param });
const number = { code: 'invalid_number', param: 'card.number' };
const month = { code: 'invalid_expiry_month', param: 'card.exp_month' };
const year = { code: 'invalid_expiry_year', param: 'card.exp_year' };
const cvc = { code: 'invalid_cvc', param: 'card.cvc' };

describe('what cannot be a card is refused, and nothing is stored', () => {
  const amex = '378282246310005';
  const refused: [string, object | string, object][] = [
    ['a number of 11 digits', method({ number: '50000000005' }), number],
    ['a number of 20 digits', method({ number: '42424242424242424242' }), number],
    ['a number with a typing error', method({ number: '4242424242424241' }), number],
    ['a number with two digits swapped', method({ number: '4242424242422442' }), number],
    ['a number with a letter', method({ number: '424242424242424O' }), number],
    ['a number with dots', method({ number: '4242.4242.4242.4242' }), number],
    ['a number of other digits than ours', method({ number: '４２４２４２４２４２４２４２４２' }), number],
    ['a number of blanks', method({ number: '    ' }), number],
    ['a number with more blanks than digits', method({ number: `4242424242424242${' '.repeat(100)}` }), number],
    ['an empty number', method({ number: '' }), missing('card.number')],
    ['a number that is a number', method({ number: 4242424242424242 }), invalid('card.number')],
    ['a number that is a list', method({ number: ['4242424242424242'] }), invalid('card.number')],
    ['a number of 201 characters', method({ number: '4'.repeat(201) }), invalid('card.number')],
    ['month 0', method({ exp_month: 0 }), month],
    ['month 13', method({ exp_month: 13 }), month],
    ['month -1', method({ exp_month: -1 }), month],
    ['month 1.5', method({ exp_month: 1.5 }), invalid('card.exp_month')],
    ['a month in words', method({ exp_month: '12' }), invalid('card.exp_month')],
    ['last year', method({ exp_year: thisYear - 1 }), year],
    ['a year of two digits', method({ exp_year: 35 }), year],
    ['the year 0', method({ exp_year: 0 }), year],
    ['a year before our era', method({ exp_year: -2030 }), year],
    ['100 years ahead', method({ exp_year: thisYear + 100 }), year],
    ['51 years ahead', method({ exp_year: thisYear + 51 }), year],
    ['a year of five digits', method({ exp_year: 20_300 }), year],
    ['a year beyond every column', method({ exp_year: Number.MAX_SAFE_INTEGER }), year],
    ['a year in words', method({ exp_year: '2030' }), invalid('card.exp_year')],
    [
      'a form whose month is no number',
      'type=card&card[number]=4242424242424242&card[exp_month]=x&card[exp_year]=2040',
      invalid('card.exp_month'),
    ],
    ['a code of 2 digits', method({ cvc: '12' }), cvc],
    ['a code of 4 digits for visa', method({ cvc: '1234' }), cvc],
    ['a code of 3 digits for amex', method({ number: amex, cvc: '123' }), cvc],
    ['a code of 5 digits', method({ number: '500000000009', cvc: '12345' }), cvc],
    ['a code of letters', method({ cvc: 'abc' }), cvc],
    ['a code with a blank', method({ cvc: '12 ' }), cvc],
    ['a code with a line break', method({ cvc: '123\n' }), cvc],
    ['a code that is a number', method({ cvc: 123 }), invalid('card.cvc')],
    ['nothing at all', {}, missing('type')],
    ['no type', { card: visa }, missing('type')],
    ['no card', { type: 'card' }, missing('card')],
    ['a card that is null', { type: 'card', card: null }, missing('card')],
    ['an empty card', { type: 'card', card: {} }, missing('card.number')],
    ['no number', method({ number: undefined }), missing('card.number')],
    ['a number that is null', method({ number: null }), missing('card.number')],
    ['no month', method({ exp_month: undefined }), missing('card.exp_month')],
    ['no year', method({ exp_year: undefined }), missing('card.exp_year')],
    ['a card that is text', { type: 'card', card: '4242424242424242' }, invalid('card')],
    ['a card that is a list', { type: 'card', card: [visa] }, invalid('card')],
    ['a misspelt member', method({ number: undefined, nubmer: visa.number }), unknown('card.nubmer')],
    ['a member more', method({ brand: 'visa' }), unknown('card.brand')],
    ['the number beside the card', { ...method(), number: visa.number }, unknown('number')],
    [
      'an email address that is none',
      { ...method(), billing_details: { email: 'ada' } },
      invalid('billing_details.email'),
    ],
    [
      'a name of 257 characters',
      { ...method(), billing_details: { name: 'n'.repeat(257) } },
      invalid('billing_details.name'),
    ],
    [
      'a phone, which is not there',
      { ...method(), billing_details: { phone: '112' } },
      unknown('billing_details.phone'),
    ],
    [
      'a country in words',
      { ...method(), billing_details: { address: { country: 'GBR' } } },
      invalid('billing_details.address.country'),
    ],
    [
      'a misspelt line',
      { ...method(), billing_details: { address: { lin1: 'x' } } },
      unknown('billing_details.address.lin1'),
    ],
    ['nested metadata', { ...method(), metadata: { a: {} } }, { code: 'metadata_value_invalid', param: 'metadata.a' }],
  ];
  test.each(refused)('%s', async (_, body, error) => {
    const before = await rows();
    const answer = await send(path, body);
    expect(answer.json).toEqual({ error: { message: expect.any(String), type: 'invalid_request_error', ...error } });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json.error)).toEqual(['code', 'message', 'param', 'type']);
    expect(answer.json.error.message).not.toMatch(unfilledBlank);
    expect(await rows()).toEqual(before);
  });

  test.each([
    { type: 'sepa_debit', card: visa },
    { type: 'sepa_debit', sepa_debit: {} },
    { type: 'sepa_debit' },
    { type: 'sepa_debit', card: { iban: 'x' } },
    { type: 7, sepa_debit: {} },
  ])('of another type than card: the answer names what is supported (%j)', async (body) => {
    const { error } = (await send(path, body)).json;
    expect(error).toMatchObject(invalid('type'));
    expect(error.message).toContain('must be one of card');
  });

  test('of type card, with a member that there is not: the member is named', async () => {
    expect((await send(path, { type: 'card', sepa_debit: {} })).json.error).toMatchObject(unknown('sepa_debit'));
    expect((await send(path, { sepa_debit: {} })).json.error).toMatchObject(unknown('sepa_debit'));
  });

  test('with a misspelt member: the answer asks whether this was meant', async () => {
    const { error } = (await send(path, method({ number: undefined, nubmer: visa.number }))).json;
    expect(error.message).toBe('Unknown parameter card.nubmer. Did you mean card.number?');
  });

  test('with a wrong code: the answer says how many digits this card has', async () => {
    const told = async (change: object) => (await send(path, method({ cvc: '1', ...change }))).json.error.message;
    expect(await told({})).toContain('3 digits');
    expect(await told({ number: amex })).toContain('4 digits');
    expect(await told({ number: '500000000009' })).toContain('3 or 4 digits');
  });

  test('an expiry up to 50 years ahead is accepted', async () => {
    expect((await create(method({ exp_year: thisYear + 50 }))).json.card.exp_year).toBe(thisYear + 50);
  });
});

describe('a card is valid until its month has ended in every time zone', () => {
  const cases: [string, string, number, number, object | undefined][] = [
    ['in the middle of its month', '2031-06-15T00:00:00Z', 6, 2031, undefined],
    ['in the month before', '2031-06-15T00:00:00Z', 7, 2031, undefined],
    ['in a month that has passed this year', '2031-06-15T00:00:00Z', 5, 2031, month],
    ['in January of this year', '2031-06-15T00:00:00Z', 1, 2031, month],
    ['in the same month of last year', '2031-06-15T00:00:00Z', 6, 2030, year],
    ['in a later month of last year', '2031-06-15T00:00:00Z', 12, 2030, year],
    ['on the last day of its month', '2031-06-30T23:59:59Z', 6, 2031, undefined],
    ['when its month ends last', '2031-07-01T11:59:59Z', 6, 2031, undefined],
    ['a second later', '2031-07-01T12:00:00Z', 6, 2031, month],
    ['at the end of February in a leap year', '2032-02-29T23:59:59Z', 2, 2032, undefined],
    ['when its year ends last', '2031-01-01T11:59:59Z', 12, 2030, undefined],
    ['a second after its year', '2031-01-01T12:00:00Z', 12, 2030, year],
  ];
  test.each(cases)('%s: at %s, %i/%i', async (_, at, exp_month, exp_year, error) => {
    const now = virtualClock(Date.parse(at));
    const later = await startServer({ clock: now, databaseUrl: server.databaseUrl });
    try {
      const answer = await later.client(account.testKey).post(path, method({ exp_month, exp_year }));
      expect(answer.json).toMatchObject(error === undefined ? { card: { exp_month, exp_year } } : { error });
    } finally {
      await later.stop();
    }
  });
});

describe('an update changes what it names, and its event has the previous attributes', () => {
  const before = { name: 'Ada', email: 'ada@example.com' };
  const billing = (billing_details: unknown) => ({ billing_details });
  const next = thisYear + 5;
  const cases: [string, object | string, object, object | undefined][] = [
    ['the name', billing({ name: 'Eve' }), billing({ name: 'Eve', email: before.email }), billing({ name: 'Ada' })],
    ['null clears', billing({ name: null }), billing({ email: before.email }), billing({ name: 'Ada' })],
    ['the empty string clears', billing({ email: '' }), billing({ name: 'Ada' }), billing({ email: before.email })],
    [
      'an empty form value clears',
      'billing_details[name]=',
      billing({ email: before.email }),
      billing({ name: 'Ada' }),
    ],
    ['null clears all', billing(null), billing({}), billing(before)],
    ['an empty form value clears all', 'billing_details=', billing({}), billing(before)],
    ['a new address', billing({ address: { line1: '2 New Street' } }), {}, {}],
    ['one line of the address', billing({ address: { city: 'Paris' } }), {}, {}],
    ['no address any more', billing({ address: null }), {}, {}],
    [
      'the expiry',
      { card: { exp_month: 1, exp_year: next } },
      { card: { ...shown, exp_month: 1, exp_year: next } },
      { card: { exp_month: 12, exp_year: thisYear + 4 } },
    ],
    ['the month alone', { card: { exp_month: 3 } }, { card: { ...shown, exp_month: 3 } }, { card: { exp_month: 12 } }],
    [
      'the year alone, in a form',
      `card[exp_year]=${next}`,
      { card: { ...shown, exp_year: next } },
      { card: { exp_year: thisYear + 4 } },
    ],
    [
      'metadata',
      { metadata: { a: 2, b: 1 } },
      { metadata: { a: 2, keep: 'x', b: 1 } },
      { metadata: { a: 1, b: null } },
    ],
    ['metadata to remove', { metadata: { a: '' } }, { metadata: { keep: 'x' } }, { metadata: { a: 1 } }],
    ['metadata null empties it', { metadata: null }, { metadata: {} }, { metadata: { a: 1, keep: 'x' } }],
    ['nothing', {}, {}, undefined],
    [
      'the same again',
      { ...billing({ ...before, address: { city: 'London' } }), card: { exp_month: 12 }, metadata: { a: 1 } },
      {},
      undefined,
    ],
    ['an empty object', { ...billing({}), card: {}, metadata: {} }, {}, undefined],
  ];
  test.each(cases)('%s', async (_, change, after, previous) => {
    const made = (await create({ ...method(), ...billing({ ...before, address }), metadata: { a: 1, keep: 'x' } }))
      .json;
    const answer = await send(`${path}/${made.id}`, change);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...made, ...after });
    expect((await account.test.get(`${path}/${made.id}`)).text).toBe(answer.text);
    const told = { type: 'payment_method.updated', data: { object: answer.json, previous_attributes: previous } };
    expect(await eventsOf(made.id)).toEqual(previous === undefined ? [] : [expect.objectContaining(told)]);
  });

  test('metadata appears once it is used', async () => {
    const { id } = (await create()).json;
    const answer = await send(`${path}/${id}`, { metadata: { a: 1 } });
    expect(answer.json.metadata).toEqual({ a: 1 });
    expect(await eventsOf(id)).toMatchObject([{ data: { previous_attributes: { metadata: null } } }]);
  });

  test('lines of an address that are not named stay', async () => {
    const { id } = (await create({ ...method(), ...billing({ address }) })).json;
    await send(`${path}/${id}`, billing({ address: { city: 'Paris', country: 'FR', state: null } }));
    const { rows: kept } = await server.sql.query('select billing from payment_methods where id = $1', [id]);
    const { state: _, ...others } = address;
    expect(kept).toEqual([{ billing: { address: { ...others, city: 'Paris', country: 'FR' } } }]);
  });

  const refused: [string, object | string, object][] = [
    ['no month any more', { card: { exp_month: null } }, invalid('card.exp_month')],
    ['no year any more', { card: { exp_year: null } }, invalid('card.exp_year')],
    ['no card any more', { card: null }, invalid('card.exp_month')],
    ['month 13', { card: { exp_month: 13 } }, month],
    ['last year', { card: { exp_year: thisYear - 1 } }, year],
    ['100 years ahead', { card: { exp_year: thisYear + 100 } }, year],
    ['another number', { card: { number: '5555555555554444' } }, unknown('card.number')],
    ['another code', { card: { cvc: '321' } }, unknown('card.cvc')],
    ['another brand', { card: { brand: 'amex' } }, unknown('card.brand')],
    ['another type', { type: 'card' }, unknown('type')],
    ['a customer, for which there is attach', { customer: newId('cus', Date.now()) }, unknown('customer')],
    ['a column of the table', { detached: false }, unknown('detached')],
    ['a bad email address', billing({ email: 'ada' }), invalid('billing_details.email')],
  ];
  test.each(refused)('refused is %s', async (_, change, error) => {
    const made = (await create({ ...method(), ...billing(before) })).json;
    const answer = await send(`${path}/${made.id}`, change);
    expect([answer.status, answer.json.error]).toMatchObject([400, error]);
    expect((await account.test.get(`${path}/${made.id}`)).json).toEqual(made);
    expect(await eventsOf(made.id)).toEqual([]);
  });
});

describe('lists', () => {
  test('by customer, newest first, page by page, and under the customer just the same', async () => {
    const mine = (await account.test.post('/v1/customers')).json.id;
    const other = (await account.test.post('/v1/customers')).json.id;
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift((await create({ ...method(), customer: mine })).json.id);
      await create({ ...method(), customer: other });
    }
    const homes = [`${path}?customer=${mine}&`, `/v1/customers/${mine}/payment_methods?`];
    for (const home of homes) {
      const page = async (query: string) => {
        const { json } = await account.test.get(`${home}${query}`);
        expect([json.object, json.url]).toEqual(['list', home.split('?')[0]]);
        return [json.has_more, json.data.map((one: { id: string }) => one.id)];
      };
      expect(await page('')).toEqual([false, made]);
      expect(await page('limit=2')).toEqual([true, made.slice(0, 2)]);
      expect(await page(`limit=2&starting_after=${made[1]}`)).toEqual([true, made.slice(2, 4)]);
      expect(await page(`limit=2&starting_after=${made[3]}`)).toEqual([false, made.slice(4)]);
      expect(await page(`limit=2&ending_before=${made[3]}`)).toEqual([true, made.slice(1, 3)]);
      expect(await page(`created[gt]=${Math.ceil(Date.now() / 1_000)}`)).toEqual([false, []]);
    }
    const [first] = (await account.test.get(`${path}?customer=${mine}`)).json.data;
    expect(first).toEqual((await account.test.get(`${path}/${made[0]}`)).json);
    await send(`${path}/${made[0]}/detach`, {});
    for (const home of homes) expect((await account.test.get(home)).json.data).toHaveLength(4);
  });

  test('without a filter include methods without a customer', async () => {
    const fresh = await server.account();
    const { id } = (await fresh.test.post(path, method())).json;
    expect((await fresh.test.get(path)).json.data).toMatchObject([{ id }]);
    expect((await fresh.live.get(path)).json.data).toEqual([]);
  });

  test('of a customer that does not exist are 404; with the filter they are empty', async () => {
    const nobody = newId('cus', Date.now());
    const under = await account.test.get(`/v1/customers/${nobody}/payment_methods`);
    expect([under.status, under.json.error]).toMatchObject([404, { code: 'resource_missing', param: 'id' }]);
    expect((await account.test.get(`${path}?customer=${nobody}`)).json.data).toEqual([]);
  });
});

describe('under an idempotency key', () => {
  const count = async () => (await server.sql.query('select from payment_methods')).rowCount;

  const same: [string, object | string][] = [
    ['the same card', method()],
    ['another code, which is not compared', method({ cvc: '321' })],
    ['no code', method({ cvc: undefined })],
    ['the same in a form', `type=card&card[exp_year]=${thisYear + 4}&card[exp_month]=12&card[number]=4242424242424242`],
  ];
  test.each(same)('%s gets the first answer again, byte for byte', async (_, again) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await account.test.post(path, method(), headers);
    const before = await count();
    const second =
      typeof again === 'string'
        ? await account.test.form(path, again, headers)
        : await account.test.post(path, again, headers);
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect(await count()).toBe(before);
  });

  const different: [string, object, string][] = [
    ['another number', method({ number: '4000056655665556' }), 'card'],
    ['another expiry', method({ exp_month: 11 }), 'card'],
    ['a name', { ...method(), billing_details: { name: 'Ada' } }, 'billing_details'],
  ];
  test.each(different)('%s is refused, and the parameter named', async (_, other, name) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { first } = account.test; // another server would know the parameters once the first has written its log
    await first.post(path, method(), headers);
    const before = await count();
    const answer = await first.post(path, other, headers);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'idempotency_key_reused', type: 'idempotency_error' });
    expect(answer.json.error.message).toMatch(new RegExp(`\\b${name}\\b`));
    expect(answer.text).not.toMatch(/\d{4}/);
    expect(await count()).toBe(before);
  });
});

describe('scopes', () => {
  const uses = (id: string, customer: string): [string, () => [string, string, object?]][] => [
    ['payment_methods:read', () => ['GET', path]],
    ['payment_methods:read', () => ['GET', `${path}/${id}`]],
    ['payment_methods:read', () => ['GET', `/v1/customers/${customer}/payment_methods`]],
    ['payment_methods:write', () => ['POST', path, method()]],
    ['payment_methods:write', () => ['POST', `${path}/${id}`, { metadata: { a: 1 } }]],
    ['payment_methods:write', () => ['POST', `${path}/${id}/attach`, { customer }]],
    ['payment_methods:write', () => ['POST', `${path}/${id}/detach`, {}]],
  ];
  test.each([['payment_methods:read'], ['payment_methods:write'], ['customers:write']])('%s', async (scope) => {
    const customer = (await account.test.post('/v1/customers')).json.id;
    const { id } = (await create()).json;
    const { client } = await server.key(account.id, { scopes: [scope] } as object);
    for (const [needed, use] of uses(id, customer)) {
      const [verb, target, body] = use();
      const answer = await client.request(verb, target, body === undefined ? {} : { body });
      const isAllowed = scope === needed || (scope === 'payment_methods:write' && needed === 'payment_methods:read');
      expect(answer.status).toBe(isAllowed ? 200 : 403);
      if (!isAllowed) expect(answer.json.error).toMatchObject({ code: 'scope_missing' });
      if (!isAllowed) expect(answer.json.error.message).toContain(needed);
    }
  });
});
