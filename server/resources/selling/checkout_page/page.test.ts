import { beforeEach, describe, expect, test } from 'vitest';
import { Keyring, newRootKey } from '../../../base/keyring.ts';
import type { PageRequest, Rendered } from '../../../base/page.ts';
import { Secret } from '../../../base/secret.ts';
import { english } from '../../../locales/texts.ts';
import type { CheckoutPageCalls, PressedInput, TryResult } from './calls.ts';
import { checkoutPage } from './page.ts';
import { readExpiry } from './read_form.ts';
import { fieldNames, type PageView } from './view.ts';
import { openView, views } from './views.fixture.ts';

const publicUrl = 'https://pay.test';
const now = Date.UTC(2026, 10, 18, 12);
const keyring = new Keyring(new Secret(newRootKey()));
const token = '1-cs_one-mac';

let view: PageView | undefined;
let outcome: Partial<TryResult>;
let asked: [string, unknown?][];

const answered = async (name: string, input?: unknown): Promise<TryResult> => {
  asked.push([name, input]);
  return { view: view!, ...outcome };
};
const calls: CheckoutPageCalls = {
  async open(sought) {
    if (sought !== token || view === undefined) return undefined;
    return {
      view,
      pay: (input) => answered('pay', input),
      closeTry: () => answered('close'),
      applyCoupon: (code) => answered('coupon', code),
    };
  },
};
const page = checkoutPage({ keyring, publicUrl: () => publicUrl, clock: { now: () => now }, calls });

beforeEach(() => {
  [view, outcome, asked] = [openView, {}, []];
});

async function open(query = '', headers: object = {}, sought = token): Promise<Rendered> {
  const request = {
    method: 'GET',
    params: { token: sought },
    query,
    headers,
    body: Buffer.alloc(0),
    address: '192.0.2.1',
  };
  return page.render(request as PageRequest);
}

/** What a browser sends back: the cookie, and the token of the form. */
async function shown(): Promise<{ cookie: string; form_token: string }> {
  const now = view;
  view = openView; // whatever has become of the session since
  const { body, headers } = await open();
  view = now;
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(body) ?? [];
  return { cookie: headers!['Set-Cookie']!.split(';')[0]!, form_token };
}

async function press(fields: object, headers: object = {}): Promise<Rendered> {
  const { cookie, form_token } = await shown();
  const body = Buffer.from(new URLSearchParams({ form_token, ...fields } as Record<string, string>).toString());
  const sent = { cookie, 'sec-fetch-site': 'same-origin', ...headers };
  const request = { method: 'POST', params: { token }, query: '', headers: sent, body, address: '192.0.2.1' };
  return page.render(request as PageRequest);
}

const card = { act: 'pay', email: 'ada@nordlicht.test', number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' };

describe('a press of the button', () => {
  test('is one try with what was typed', async () => {
    const { status, headers } = await press(card);
    expect([status, headers!.Location]).toEqual([303, `/pay/${token}`]);
    const [[name, input]] = asked as [[string, PressedInput]];
    expect([name, asked.length]).toEqual(['pay', 1]);
    const { instrument, ...rest } = input;
    expect(rest).toEqual({
      details: { email: 'ada@nordlicht.test' },
      save: false,
    });
    expect(instrument).toMatchObject({ kind: 'card', expMonth: 12, expYear: 2030 });
    expect(instrument.kind === 'card' && [instrument.number.open(), instrument.cvc.open()]).toEqual([
      '4242424242424242',
      '123',
    ]);
    expect(JSON.stringify(input)).not.toContain('4242');
  });

  test.each<[string, object, string]>([
    ['no number', { number: '' }, 'number required'],
    ['a wrong number', { number: '4242 4242 4242 4241' }, 'number invalid'],
    ['letters', { number: '4242x4242' }, 'number invalid'],
    ['a number that is too long', { number: '4'.repeat(50) }, 'number invalid'],
    ['a month that is none', { expiry: '13/30' }, 'expiry invalid'],
    ['a month that has passed', { expiry: '10/26' }, 'expiry card_expired'],
    ['a code that is none', { cvc: '12' }, 'cvc invalid'],
    ['a code of another brand', { cvc: '1234' }, 'cvc invalid'],
    ['an American Express with a code of another brand', { number: '378282246310005', cvc: '123' }, 'cvc invalid'],
    ['no email', { email: '' }, 'email required'],
    ['an email that is none', { email: 'ada' }, 'email invalid'],
    ['an email that is too long', { email: `${'a'.repeat(250)}@b.test` }, 'email invalid'],
    ['a control character', { email: 'a\u0000@b.test' }, 'email invalid'],
    ['a method of somebody else', { method: 'pm_other' }, 'number invalid'],
  ])('with %s asks nobody, and says so beside the field', async (_, wrong, expected) => {
    const { status, body } = await press({ ...card, ...wrong });
    expect([status, asked]).toEqual([400, []]);
    const [field, key] = expected.split(' ') as [string, 'required' | 'invalid' | 'card_expired'];
    const text = english[key];
    expect(body).toContain(`<p class="problem" id="${field}-problem">${text}</p>`);
  });

  const whole = { name: 'Ada', phone: '+49 30 1', line1: 'Hof 1', city: 'Ulm', country: 'DE', postal_code: '89073' };
  const x = (count: number) => 'x'.repeat(count);
  /** Of each field, what is too long, and what is not of its form. */
  const bad: Readonly<Record<Exclude<(typeof fieldNames)[number], 'coupon'>, readonly string[]>> = {
    email: ['ada', 'ada@', '@b.test', 'a b@c.test', `${x(250)}@b.test`],
    name: [x(257), 'Ada\u0000', 'Ada\nEve', 'Ada\u2028Eve'],
    phone: ['call me', '+49', '1'.repeat(33), '+49 30 1\u0007'],
    country: ['XX', 'de', 'DEU', 'Germany'],
    line1: [x(257), 'Hof\u0000 1'],
    postal_code: [x(17), '89\u0000'],
    city: [x(129), 'Ulm\u0000'],
    number: ['4242', '4242 4242 4242 4241', '4242x4242', '4'.repeat(41), '4242 4242 4242 4242\u0000'],
    expiry: ['13/30', '1', '00/30', '12/3', 'next year', '12/30'.padEnd(17, '0'), '12/30\u0000'],
    cvc: ['12', '1234', 'abc', '1 2 3', '١٢', '1'.repeat(9), '123\u0000'],
    terms: ['no', 'true', 'YES'],
  };
  const cases = Object.entries(bad).flatMap(([field, values]) => values.map((value) => [field, value] as const));

  test('every field has wrong entries in this list, but for the code of a coupon, which is looked up', () => {
    expect([...Object.keys(bad), 'coupon'].toSorted()).toEqual([...fieldNames].toSorted());
  });

  test.each(cases)('with the %s %j asks nobody, says so beside the field, and leads there', async (field, value) => {
    view = { ...openView, collects: { email: true, name: true, phone: true, billingAddress: 'full', terms: true } };
    const { status, body } = await press({ ...card, ...whole, terms: 'yes', [field]: value });
    expect([status, asked]).toEqual([400, []]);
    expect(body).toContain(`<p class="problem" id="${field}-problem">Please check this entry.</p>`);
    expect(body).toMatch(new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-problem"`));
    expect([...body.matchAll(/<li><a href="#(\w+)">/g)].map(([, name]) => name)).toEqual([field]);
  });

  test.each(['', 'x', '-1', '1e3', '4890.0', '9'.repeat(16)])(
    'a sum that was not shown by us is none: %j',
    async (total) => {
      await press({ ...card, total });
      expect((asked[0]![1] as PressedInput).total).toBeUndefined();
      await press({ ...card, total: '4890' });
      expect((asked[1]![1] as PressedInput).total).toBe(4890);
    },
  );

  test('takes the digits of other keyboards', async () => {
    await press({ ...card, number: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', expiry: '۱۲/۳۰', cvc: '１２３' });
    expect((asked[0]![1] as PressedInput).instrument).toMatchObject({ kind: 'card', expMonth: 12, expYear: 2030 });
  });

  test('needs what the session collects', async () => {
    view = { ...openView, collects: { name: true, phone: true, billingAddress: 'full', terms: true } };
    const { body } = await press({ ...card, country: 'XX', phone: 'abc' });
    for (const field of ['name', 'line1', 'city', 'terms']) expect(body).toContain(`${field}-problem">Please fill in`);
    for (const field of ['country', 'phone']) expect(body).toContain(`${field}-problem">Please check`);
    await press({ ...card, ...whole, terms: 'yes' });
    expect((asked[0]![1] as PressedInput).details).toEqual({
      name: 'Ada',
      phone: '+49 30 1',
      address: { country: 'DE', line1: 'Hof 1', postal_code: '89073', city: 'Ulm' },
      terms: true,
    });
  });

  test('takes a saved card, the page of a processor, or a confirmation token', async () => {
    view = views.everything;
    await press({ ...whole, terms: 'yes', act: 'pay', email: 'a@b.test', method: 'pm_1', save: 'yes' });
    view = views['a page of the processor'];
    await press({ act: 'pay', email: 'a@b.test', way: 'page' });
    const hosts = [{ origin: 'https://js.test', use: 'script', reason: '' }] as const;
    view = { ...openView, ways: [{ kind: 'fields', script: 'https://js.test/1', hosts, publicConfig: {} }] };
    await press({ act: 'pay', email: 'a@b.test', way: 'page' });
    await press({ act: 'pay', email: 'a@b.test', way: 'confirmation', confirmation: 'ctoken_1' });
    const inputs = asked.map(([, input]) => input as PressedInput);
    expect(inputs.map(({ instrument }) => instrument.kind)).toEqual(['saved', 'page', 'page', 'confirmation']);
    expect(inputs.map(({ save }) => save)).toEqual([true, false, false, false]);
    expect((await press({ act: 'pay', email: 'a@b.test', way: 'confirmation', confirmation: '<' })).status).toBe(400);
  });

  test.each(['confirming', 'unfinished', 'paid', 'expired'] as const)('tries nothing while it is %s', async (name) => {
    view = views[name];
    const { status, headers } = await press(card);
    expect([status, headers!.Location, asked]).toEqual([303, `/pay/${token}`, []]);
  });

  test('goes on to where the customer must go, as far as form-action names it', async () => {
    view = views['a page of the processor'];
    outcome = { goTo: 'https://pay.processor.test/1' };
    const where = async () => (await press({ act: 'pay', email: 'a@b.test' })).headers!.Location;
    expect(await where()).toBe('https://pay.processor.test/1');
    outcome = { goTo: 'https://bank.test/3ds' };
    expect(await where()).toBe(`/pay/${token}?go`);
    outcome = { view: { ...views.paid, successUrl: 'https://shop.test/done' } };
    expect(await where()).toBe('https://shop.test/done');
  });

  test('that is refused for a while says until when', async () => {
    outcome = { retryAfter: 90 };
    const { status, headers, body } = await press(card);
    expect([status, headers!['Retry-After']]).toEqual([429, '90']);
    expect(body).toContain('in 2 minutes');
  });
});

describe('a form of another site', () => {
  test.each<[string, object]>([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['of another origin', { 'sec-fetch-site': undefined, origin: 'https://evil.test' }],
    ['without the cookie', { cookie: undefined }],
    ['with the cookie of another browser', { cookie: `__Host-tollgate-pay=${'A'.repeat(22)}` }],
  ])('%s is refused', async (_, headers) => {
    const { status } = await press(card, headers);
    expect([status, asked]).toEqual([403, []]);
  });

  test('about a coupon is refused beside the field: the script takes only that from the answer', async () => {
    view = views['many lines'];
    const { status, body } = await press({ act: 'coupon', coupon: 'TEN' }, { cookie: undefined });
    expect(status).toBe(403);
    expect(body).toContain('<p class="problem" id="coupon-problem">Something went wrong. Please try again.</p>');
    view = views.everything;
    const again = await press({ act: 'coupon', coupon: '' }, { cookie: undefined });
    expect(again.body).toContain('<p class="problem" id="coupon-problem">Something went wrong. Please try again.</p>');
    expect(asked).toEqual([]);
  });

  test('without the token, or with that of another session, is refused', async () => {
    expect((await press({ ...card, form_token: '' })).status).toBe(403);
    expect((await press({ ...card, form_token: 'A'.repeat(22) })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  test.each<[string, object]>([
    ['an origin of null', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['our origin', { 'sec-fetch-site': undefined, origin: publicUrl }],
    ['no header at all', { 'sec-fetch-site': undefined }],
  ])('is not one with %s: token and cookie decide', async (_, headers) => {
    expect((await press(card, headers)).status).toBe(303);
  });
});

describe('the page', () => {
  test('gives each browser one cookie', async () => {
    const { headers } = await open();
    expect(headers!['Set-Cookie']).toMatch(/^__Host-tollgate-pay=[\w-]{22}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const again = await open('', { cookie: `a=b; ${headers!['Set-Cookie']!.split(';')[0]}` });
    expect(again.headers!['Set-Cookie']).toBeUndefined();
  });

  test('sends a customer on to an address in any script', async () => {
    view = { ...views.paid, successUrl: 'https://shop.test/ありがとう?s=cs_1' };
    expect((await open('payment=py_1')).headers!.Location).toBe(
      'https://shop.test/%E3%81%82%E3%82%8A%E3%81%8C%E3%81%A8%E3%81%86?s=cs_1',
    );
  });

  test('sends a customer who comes back on to the shop, once it is paid', async () => {
    view = views.paid;
    expect((await open('payment=py_1')).headers!.Location).toBe('https://nordlicht.test/done');
    expect((await open()).status).toBe(200);
    view = openView;
    expect((await open('payment=py_1')).headers!.Location).toBe(`/pay/${token}`);
  });

  test('leads on by itself, without a script, to where a form may not lead', async () => {
    view = views.unfinished;
    const { body, headers, status } = await open('go');
    expect([status, headers!.Refresh, body.includes('<script')]).toEqual([200, '0; url=https://bank.test/3ds', false]);
    expect(body).toContain('<a href="https://bank.test/3ds"');
    view = views.paid;
    expect((await open('go')).headers!.Refresh).toBe('0; url=https://nordlicht.test/done');
    for (view of [openView, views.confirming, views.expired, { ...views.paid, successUrl: undefined }])
      expect((await open('go')).headers!.Refresh).toBeUndefined();
    view = views.unfinished;
    expect((await open()).headers!.Refresh).toBeUndefined();
  });

  test('of a token that we have not made is not there', async () => {
    const { status, body } = await open('', {}, '1-cs_other-mac');
    expect([status, body.includes('cs_other')]).toEqual([404, false]);
  });

  test('changes a coupon where the session allows it', async () => {
    view = views['many lines'];
    await press({ act: 'coupon', coupon: ' TEN ' });
    await press({ act: 'coupon', coupon: '' });
    expect(asked).toEqual([
      ['coupon', 'TEN'],
      ['coupon', undefined],
    ]);
    view = openView;
    expect((await press({ act: 'coupon', coupon: 'TEN' })).status).toBe(400);
    for (const act of ['quantity', 'nonsense', '']) expect((await press({ act })).status).toBe(400);
    expect(asked.length).toBe(2);
  });

  test('closes what is open at the processor before another way', async () => {
    view = views.unfinished;
    expect((await press({ act: 'another_way' })).headers!.Location).toBe(`/pay/${token}`);
    expect(asked).toEqual([['close', undefined]]);
  });

  test('says of a wrong code so beside the field', async () => {
    view = views['many lines'];
    outcome = { problems: [{ field: 'coupon', text: 'code_invalid' }] };
    expect((await press({ act: 'coupon', coupon: 'NO' })).body).toContain('coupon-problem">This code is not valid.');
  });
});

test.each([
  ['12 / 30', 12, 2030],
  ['1/30', 1, 2030],
  ['0130', 1, 2030],
  ['12-2031', 12, 2031],
  ['122031', 12, 2031],
])('an expiry date can be written as %s', (typed, expMonth, expYear) => {
  expect(readExpiry(typed)).toEqual({ expMonth, expYear });
});
test.each(['', '1', '00/30', '13/30', '12/3', '12/300', 'ab/cd'])('an expiry date is not %s', (typed) => {
  expect(readExpiry(typed)).toBeUndefined();
});
