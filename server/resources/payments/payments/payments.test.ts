import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { brokenInvariants, openShop, type Shop } from './payments.fixture.ts';

const clock = virtualClock(Date.now());
let shop: Shop;
let payment_method: string;

beforeAll(async () => {
  shop = await openShop({ clock });
  payment_method = await shop.method();
});
afterAll(() => shop.stop());

/** JSON, or a form when it is text. */
function send(path: string, body: object | string) {
  const { test } = shop.account;
  return typeof body === 'string' ? test.form(path, body) : test.post(path, body);
}

const create = (body: object) => send('/v1/payments', { amount: 2000, currency: 'usd', payment_method, ...body });
const newCustomer = async () => (await send('/v1/customers', {})).json.id as string;
const countPayments = async () => (await shop.sql('select count(*) from payments'))[0].count as number;
const countEvents = async () => (await shop.sql('select count(*) from events'))[0].count as number;

/** Refused with these members, and nothing is stored. */
async function expectRefused(body: object | string, error: object, status = 400) {
  const before = await countPayments();
  const answer = await send('/v1/payments', body);
  expect(answer.status).toBe(status);
  expect(answer.json.error).toEqual({ message: expect.any(String), type: 'invalid_request_error', ...error });
  expect(await countPayments()).toBe(before);
  return answer.json.error.message as string;
}

describe('the sample of the interface', () => {
  test('a payment has exactly its ten fields, and in its event nine, in its order', async () => {
    const customer = await newCustomer();
    const answer = await create({ currency: 'USD', customer, description: 'Order 7' });
    expect(answer.status).toBe(200);
    const { id, created } = answer.json;
    const nine = {
      ...{ id, object: 'payment', amount: 2000, amount_received: 2000, currency: 'usd', customer },
      ...{ description: 'Order 7', payment_method, status: 'succeeded' },
    };
    expect(id).toMatch(/^py_[0-9A-Za-z]{22}$/);
    expect(answer.text).toBe(JSON.stringify({ ...nine, created }));
    expect(created).toBe(Math.floor(clock.now() / 1_000));
    expect((await shop.read(id)).text).toBe(answer.text);
    const [event] = (await shop.account.test.get('/v1/events?type=payment.succeeded')).json.data;
    expect(Object.keys(event)).toEqual(['id', 'object', 'api_version', 'created', 'data', 'type']);
    expect(JSON.stringify(event.data)).toBe(JSON.stringify({ object: nine }));
  });

  test('the same request as a form gives the same payment', async () => {
    const answer = await send('/v1/payments', `amount=2000&currency=usd&payment_method=${payment_method}&description=`);
    const { id, created } = answer.json;
    const plain = { id, object: 'payment', amount: 2000, amount_received: 2000, currency: 'usd', payment_method };
    expect(answer.text).toBe(JSON.stringify({ ...plain, status: 'succeeded', created }));
  });

  const manual = { capture_method: 'manual', amount_capturable: 2000 };
  const used: [string, object, object][] = [
    ['metadata', { metadata: { order: 7, gift: true } }, { metadata: { order: 7, gift: true } }],
    ['empty metadata', { metadata: {} }, { metadata: {} }],
    ['automatic capture', { capture_method: 'automatic' }, { capture_method: 'automatic' }],
    ['manual capture', { capture_method: 'manual' }, manual],
    ['null, which is nothing', { metadata: null, capture_method: null, return_url: null, customer: null }, {}],
    ['empty text, which is nothing', { description: '', return_url: '', customer: '' }, {}],
    ['an address to return to, which nobody needs to be shown', { return_url: 'https://shop.test/' }, {}],
  ];
  test.each(used)('%s shows once it is used, and only then', async (_, body, shown) => {
    const answer = await create(body);
    const { id, created } = answer.json;
    const held = 'amount_capturable' in shown;
    const object = {
      ...{ id, object: 'payment', amount: 2000, amount_received: held ? 0 : 2000, currency: 'usd', payment_method },
      status: held ? 'requires_capture' : 'succeeded',
    };
    expect(answer.text).toBe(JSON.stringify({ ...object, created, ...shown }));
    const [event] = await shop.events(id);
    expect(JSON.stringify(event.data)).toBe(JSON.stringify({ object: { ...object, ...shown } }));
  });
});

describe('amounts', () => {
  test.each([1, 50, 999_999_999_999])('%i is charged as it is', async (amount) => {
    const { json } = await create({ amount });
    expect(json).toMatchObject({ amount, amount_received: amount });
    expect(await shop.charges(json.id)).toMatchObject([{ captured: amount }]);
  });
  const invalid = { code: 'parameter_invalid', param: 'amount' };
  const refused: [string, unknown, object][] = [
    ['0', 0, { code: 'amount_too_small', param: 'amount' }],
    ['-1', -1, { code: 'amount_too_small', param: 'amount' }],
    ['1000000000000', 1_000_000_000_000, { code: 'amount_too_large', param: 'amount' }],
    ['1.5', 1.5, invalid],
    ['text', '2000', invalid],
    ['true', true, invalid],
    ['a list', [2000], invalid],
    ['null', null, { code: 'parameter_missing', param: 'amount' }],
  ];
  test.each(refused)('%s is refused in JSON', async (_, amount, error) => {
    await expectRefused({ amount, currency: 'usd', payment_method }, error);
  });
  test.each(['1.5', '2e3', ' 2000', '0x10', 'abc', '2,000'])('"%s" is refused in a form', async (amount) => {
    await expectRefused(`amount=${encodeURIComponent(amount)}&currency=usd&payment_method=${payment_method}`, invalid);
  });
});

describe('currencies', () => {
  test.each([
    ...[['usd'], ['USD', 'usd'], ['uSd', 'usd'], ['eur'], ['chf'], ['CHF', 'chf'], ['jpy'], ['kwd'], ['xof'], ['xcg']],
  ])('%s is accepted, and the amount never rescaled', async (currency, shown = currency) => {
    const { json } = await create({ amount: 500, currency });
    expect(json).toMatchObject({ amount: 500, amount_received: 500, currency: shown });
  });
  const codes = [
    'xxx',
    'xts',
    'xau',
    'xag',
    'xdr',
    'clf',
    'uyi',
    'uyw',
    'cou',
    'chw',
    'che',
    'bov',
    'mxv',
    'usn',
    'xsu',
  ];
  const gone = ['dem', 'hrk', 'bgn', 'ang', 'cuc', 'zwl', 'sll', 'veb'];
  const odd = ['us', 'usdd', '$', 'euro', ' usd', 'usd ', 'ＵＳＤ', 'constructor', 'İdr'];
  test.each([...codes, ...gone, ...odd])('"%s" is refused', async (currency) => {
    await expectRefused(
      { amount: 500, currency, payment_method },
      {
        code: 'currency_unknown',
        param: 'currency',
      },
    );
  });
  test.each([
    ['empty', ''],
    ['null', null],
  ])('%s is missing', async (_, currency) => {
    await expectRefused({ amount: 5, currency, payment_method }, { code: 'parameter_missing', param: 'currency' });
  });
});

describe('descriptions count characters', () => {
  test.each(['d', '🧾'])('1000 of %s are kept, 1001 refused', async (character) => {
    const description = character.repeat(1_000);
    expect((await create({ description })).json.description).toBe(description);
    const body = { amount: 5, currency: 'usd', payment_method, description: `${description}${character}` };
    await expectRefused(body, { code: 'parameter_invalid', param: 'description' });
  });
});

describe('parameters', () => {
  const whole = { amount: 2000, currency: 'usd' };
  test.each(['amount', 'currency', 'payment_method'])('%s is required', async (param) => {
    const { [param]: _, ...body } = { ...whole, payment_method } as Record<string, unknown>;
    await expectRefused(body, { code: 'parameter_missing', param });
  });
  test.each([
    ['amout', ' Did you mean amount?'],
    ['paymentMethod', ' Did you mean payment_method?'],
    ['returnurl', ' Did you mean return_url?'],
    ['status', ''],
    ['card', ''],
    ['confirm', ''],
  ])('%s is unknown', async (param, hint) => {
    const message = await expectRefused(
      { ...whole, payment_method, [param]: 'x' },
      { code: 'parameter_unknown', param },
    );
    if (hint !== '') expect(message).toBe(`Unknown parameter ${param}.${hint}`);
  });
  test.each([
    ['capture_method', 'later'],
    ['capture_method', ''],
    ['capture_method', true],
    ['customer', 7],
    ['payment_method', {}],
    ['metadata', 'x'],
    ['metadata', []],
  ])('%s: %s is invalid', async (param, value) => {
    await expectRefused({ ...whole, payment_method, [param]: value }, { code: 'parameter_invalid', param });
  });
  const long = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
  test.each([
    [{ a: { b: 1 } }, 'metadata_value_invalid', 'metadata.a'],
    [long(51), 'metadata_too_many_keys', 'metadata'],
    [{ a: 'x'.repeat(501) }, 'metadata_value_too_long', 'metadata.a'],
  ])('bad metadata, %#', async (metadata, code, param) => {
    await expectRefused({ ...whole, payment_method, metadata }, { code, param });
  });
});

describe('payment methods and customers', () => {
  const whole = { amount: 2000, currency: 'usd' };
  const missing = { code: 'resource_missing', param: 'payment_method' };

  test.each([
    ['one that does not exist', newId('pm', Date.now())],
    ['text that is no id', 'x'],
    ['the id of something else', newId('py', Date.now())],
  ])('%s is not found', async (_, id) => {
    expect(await expectRefused({ ...whole, payment_method: id }, missing, 404)).toBe('No such payment method.');
  });

  test('that of another account, or of the other mode, is not found', async () => {
    const other = await shop.server.account();
    const refused = [
      await other.test.post('/v1/payments', { ...whole, payment_method }),
      await shop.account.live.post('/v1/payments', { ...whole, payment_method }),
    ];
    for (const { status, json } of refused) expect([status, json.error.param]).toEqual([404, 'payment_method']);
  });

  test('a detached one cannot be charged', async () => {
    const detached = await shop.method();
    expect((await send(`/v1/payment_methods/${detached}/detach`, {})).status).toBe(200);
    const error = { code: 'payment_method_not_usable', param: 'payment_method' };
    await expectRefused({ ...whole, payment_method: detached }, error);
  });

  test('a customer that does not exist, or was deleted, is not found', async () => {
    const gone = await newCustomer();
    await shop.account.test.delete(`/v1/customers/${gone}`);
    for (const customer of [newId('cus', Date.now()), gone, 'x'])
      await expectRefused({ ...whole, payment_method, customer }, { code: 'resource_missing', param: 'customer' }, 404);
  });

  test('an unattached method can be charged for anybody or nobody, again and again, and stays unattached', async () => {
    const method = await shop.method();
    for (const customer of [await newCustomer(), undefined, await newCustomer()]) {
      const { json } = await create({ payment_method: method, customer });
      expect([json.status, json.customer]).toEqual(['succeeded', customer]);
    }
    expect((await shop.account.test.get(`/v1/payment_methods/${method}`)).json).not.toHaveProperty('customer');
  });

  test('an attached method can be charged for its own customer or nobody, and not for another', async () => {
    const [own, other] = [await newCustomer(), await newCustomer()];
    const method = await shop.method(undefined, { customer: own });
    for (const customer of [own, undefined]) {
      const { json } = await create({ payment_method: method, customer });
      expect([json.status, json.customer]).toEqual(['succeeded', customer]);
    }
    const body = { ...whole, payment_method: method, customer: other };
    await expectRefused(body, { code: 'customer_mismatch', param: 'customer' });
  });

  test('a card that has expired since is refused, stored as failed, and no processor is asked', async () => {
    const [later] = [virtualClock(clock.now())];
    const here = await openShop({ clock: later });
    const method = await here.method(undefined, {
      card: {
        number: '4242424242424242',
        exp_month: new Date().getUTCMonth() + 1,
        exp_year: new Date().getUTCFullYear(),
      },
    });
    const body = { ...whole, payment_method: method };
    expect((await here.account.test.post('/v1/payments', body)).status).toBe(200);
    later.advance(45 * 86_400_000);
    const headers = { 'Idempotency-Key': 'expired' };
    const answer = await here.account.test.post('/v1/payments', body, headers);
    const { payment } = answer.json.error;
    const error = { code: 'expired_card', message: 'The card has expired.', type: 'card_error', payment };
    expect([answer.status, answer.text]).toEqual([402, JSON.stringify({ error })]);
    expect((await here.account.test.post('/v1/payments', body, headers)).text).toBe(answer.text);
    const failure = { failure_code: 'expired_card', failure_message: 'The card has expired.' };
    expect((await here.read(payment)).json).toMatchObject({ status: 'failed', amount_received: 0, ...failure });
    expect(await here.eventTypes(payment)).toEqual(['payment.failed']);
    expect([await here.attempts(payment), await here.charges(payment)]).toEqual([[], []]);
    expect(await brokenInvariants(here)).toEqual([]);
    await here.stop();
  });
});

describe('where the cardholder comes back to', () => {
  const local = ['http://localhost', 'http://localhost:3000/a?b#c', 'http://127.0.0.1:8080/', 'http://[::1]/x'];
  const good = ['https://shop.test', 'https://shop.test:8443/a?b=c#d', 'HTTPS://SHOP.test/', 'https://127.0.0.1/'];
  const bad = [
    ...['shop.test', '/return', 'x', 'ftp://shop.test', 'javascript:alert(1)', 'data:text/html,x', 'myapp://back'],
    ...['http://shop.test', 'http://localhost.shop.test', 'http://10.0.0.1', 'https://user@shop.test'],
    ...['https://user:password@shop.test', 'https://:password@shop.test', 'http://user:pw@localhost', 'https://'],
    ...['https:shop.test', 'https:/shop.test', 'https:\\\\shop.test'], // a browser reads the first two as paths of our page
  ];
  const error = { code: 'return_url_invalid', param: 'return_url' };
  test.each([...good, ...local])('%s is accepted in test mode', async (return_url) => {
    expect((await create({ return_url })).status).toBe(200);
  });
  test.each(bad)('%s is refused', async (return_url) => {
    await expectRefused({ amount: 5, currency: 'usd', payment_method, return_url }, error);
  });
  const faults: [url: string, told: string, untold: string][] = [
    ['https://shop.test\\back', 'without backslashes', 'user name'],
    ['https:\\\\shop.test', 'without backslashes', 'user name'],
    ['https://shop.test/a b', 'without spaces', 'user name'],
    ['https://shop.test/\r\nSet-Cookie: a=b', 'without spaces', 'backslash'],
    ['https://ada@shop.test', 'without user name or password', 'backslash'],
    ['shop.test', 'such as https://', 'user name'],
    ['http://shop.test', 'must be an https address', 'user name'],
  ];
  test.each(faults)('%j is refused with what is wrong with it', async (return_url, told, untold) => {
    const { json } = await shop.account.test.post('/v1/payments', {
      amount: 5,
      currency: 'usd',
      payment_method,
      return_url,
    });
    expect(json.error).toMatchObject(error);
    expect(json.error.message).toContain(told);
    expect(json.error.message).not.toContain(untold);
  });
  test.each(local)('%s is refused in live mode', async (return_url) => {
    const body = { amount: 5, currency: 'usd', payment_method, return_url };
    const answer = await shop.account.live.post('/v1/payments', body);
    expect([answer.status, answer.json.error]).toMatchObject([400, error]);
  });
  test('no more than 2048 characters, and no line break that would end a header', async () => {
    const body = { amount: 5, currency: 'usd', payment_method };
    const invalid = { code: 'parameter_invalid', param: 'return_url' };
    await expectRefused({ ...body, return_url: `https://shop.test/${'a'.repeat(2_031)}` }, invalid);
    for (const odd of ['https://shop.test/\r\nSet-Cookie: a=b', 'https://shop.test/a\tb', ' https://shop.test/'])
      await expectRefused({ ...body, return_url: odd }, error);
  });
});

test('the books agree', async () => {
  expect(await countEvents()).toBeGreaterThan(0);
  expect(await brokenInvariants(shop)).toEqual([]);
});
