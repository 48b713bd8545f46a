import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalog } from '../../../catalog.ts';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

/** Who has no right to a page, or to what is on it, learns nothing and changes nothing. */
let server: TestServer;
let shop: TestAccount;
let rival: TestAccount;

beforeAll(async () => {
  server = await startServer();
  [shop, rival] = await Promise.all([server.account(), server.account()]);
});
afterAll(() => server.stop());

type Client = TestAccount['test'];
// biome-ignore lint/suspicious/noExplicitAny: answers of the API
const made = async (client: Client, path: string, body: object): Promise<any> => {
  const { status, json, text } = await client.post(`/v1/${path}`, body);
  expect(status, text).toBe(200);
  return json;
};
const session = (client = shop.test, more: object = {}) =>
  made(client, 'checkout_sessions', { amount: 2_000, currency: 'eur', ...more });
const link = (client = shop.test) => made(client, 'payment_links', { amount: 500, currency: 'eur' });
const tokenIn = ({ url }: { url: string }) => url.split('/').at(-1)!;

/** Everything that a press could write. */
async function written(): Promise<object[]> {
  const tables = [
    'checkout_sessions',
    'payments',
    'attempts',
    'payment_methods',
    'events',
    'card_testing_tries',
    'payment_link_places',
  ];
  const counts = tables.map((name) => `(select count(*) from ${name}) as ${name}`);
  const versions = '(select sum(version) from checkout_sessions) as versions';
  return (await server.sql.query(`select ${[...counts, versions].join(', ')}`)).rows;
}

describe('what the page alone may do', () => {
  const own = catalog.operations.filter(({ callers }) => callers.includes('shopper') && !callers.includes('key'));

  test('is something', () => {
    const names = own.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['checkout_sessions.pay', 'payment_links.begin_session']));
  });

  test.each(own.map(({ name, method, route }) => [name, method, route]))(
    '%s has no address in the API',
    async (_, method, path) => {
      const { id } = path.includes('payment_links') ? await link() : await session();
      const before = await written();
      const at = (last: string) => `/v1${path.replace(':id', id).replace(/\w+$/, last)}`;
      const own = path.split('/').at(-1)!;
      for (const client of [shop.test, rival.test, server.anonymous]) {
        const [asked, nonsense] = [
          await client.request(method, at(own), { body: {} }),
          await client.request(method, at('nonsense'), { body: {} }),
        ];
        expect([asked.status, asked.json.error.code]).toEqual([nonsense.status, nonsense.json.error.code]);
        expect([401, 404]).toContain(asked.status);
      }
      expect(await written()).toEqual(before);
    },
  );
});

describe('a token', () => {
  type Wrong = [what: string, token: () => string | Promise<string>];
  const parts = (token: string) => /^(\d+)-(\w+)-(.+)$/.exec(token)!.slice(1) as [string, string, string];
  const with_ = async (change: (tenant: string, id: string, mac: string) => string) =>
    change(...parts(tokenIn(await session())));
  const wrong: Wrong[] = [
    ['that is empty', () => '%20'],
    ['without its end', () => with_((...all) => all.join('-').slice(0, -1))],
    ['with more at its end', () => with_((...all) => `${all.join('-')}A`)],
    [
      'with another end',
      () => with_((tenant, id, mac) => `${tenant}-${id}-${mac.slice(0, -1)}${mac.endsWith('A') ? 'Q' : 'A'}`),
    ],
    ['without its beginning', () => with_((_, id, mac) => `${id}-${mac}`)],
    ['with a zero before it', () => with_((...all) => `0${all.join('-')}`)],
    ['in other letters', () => with_((...all) => all.join('-').toUpperCase())],
    [
      'with the end of another session',
      async () => {
        const [tenant, id] = parts(tokenIn(await session()));
        return `${tenant}-${id}-${parts(tokenIn(await session()))[2]}`;
      },
    ],
    [
      'with the session of another account',
      async () => {
        const [tenant, , mac] = parts(tokenIn(await session()));
        return `${tenant}-${parts(tokenIn(await session(rival.test)))[1]}-${mac}`;
      },
    ],
    [
      'with another account',
      async () => {
        const [, id, mac] = parts(tokenIn(await session()));
        return `${parts(tokenIn(await session(rival.test)))[0]}-${id}-${mac}`;
      },
    ],
    [
      'with the other mode of the account',
      async () => {
        const [, id, mac] = parts(tokenIn(await session()));
        return `${parts(tokenIn(await session(shop.live)))[0]}-${id}-${mac}`;
      },
    ],
    ['of a payment link', async () => tokenIn(await link())],
  ];

  test.each(wrong)('%s names nothing', async (_, token) => {
    const path = `/pay/${await token()}`;
    const tab = new CheckoutTab(server.anonymous, `https://localhost${path}`, await opened());
    const before = await written();
    const nothing = await server.anonymous.get('/pay/none');
    for (const answer of [await tab.open(), await tab.pay()]) {
      expect([answer.status, answer.text]).toEqual([404, nothing.text]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await written()).toEqual(before);
  });

  test('of a payment link opens no other link, and no session is one', async () => {
    const [one, other, foreign] = [tokenIn(await link()), tokenIn(await link()), tokenIn(await link(rival.test))].map(
      parts,
    ) as [string, string, string][];
    const paid = tokenIn(await session());
    const before = await written();
    const nothing = await server.anonymous.get('/l/none');
    for (const token of [
      `${one![0]}-${one![1]}-${other![2]}`,
      `${foreign![0]}-${one![1]}-${one![2]}`,
      `${one![0]}-${foreign![1]}-${foreign![2]}`,
      paid,
    ]) {
      const tab = new CheckoutTab(server.anonymous, `https://localhost/l/${token}`, await opened());
      for (const answer of [await tab.open(), await tab.send({})])
        expect([answer.status, answer.text]).toEqual([404, nothing.text]);
    }
    expect(await written()).toEqual(before);
  });
});

/** A tab that has seen a page, and has a cookie. */
async function opened(url?: string): Promise<CheckoutTab> {
  const tab = new CheckoutTab(server.anonymous, url ?? (await sample()));
  await tab.open();
  return tab;
}
let seen: Promise<{ url: string }> | undefined;
async function sample(): Promise<string> {
  seen ??= session();
  return (await seen).url;
}

describe('a form', () => {
  type Sent = { headers?: Record<string, string | undefined>; fields?: Record<string, string> };
  type Foreign = [what: string, sent: (mine: CheckoutTab, theirs: CheckoutTab) => Sent];
  const foreign: Foreign[] = [
    ['of another site', () => ({ headers: { 'Sec-Fetch-Site': 'cross-site' } })],
    ['of a subdomain', () => ({ headers: { 'Sec-Fetch-Site': 'same-site' } })],
    [
      'of another origin, by an old browser',
      () => ({ headers: { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.test' } }),
    ],
    [
      'of plain http',
      (_, { path }) => ({ headers: { 'Sec-Fetch-Site': undefined, Origin: 'http://localhost', Referer: path } }),
    ],
    ['without a cookie', () => ({ headers: { Cookie: undefined } })],
    ['with the cookie of another browser', (_, { cookie }) => ({ headers: { Cookie: cookie } })],
    ['with a cookie that is none', () => ({ headers: { Cookie: '__Host-tollgate-pay=' } })],
    ['with the form of another session', (_, { hidden }) => ({ fields: { form_token: hidden.form_token! } })],
    ['with an empty form token', () => ({ fields: { form_token: '' } })],
  ];

  test.each(foreign)('%s pays nothing, and writes nothing', async (_, sent) => {
    const [mine, theirs] = await Promise.all([opened((await session()).url), opened((await session()).url)]);
    const before = await written();
    const { headers = {}, fields = {} } = sent(mine, theirs);
    const { form_token = '' } = mine.hidden;
    for (const act of ['pay', 'coupon', 'another_way']) {
      const answer = await mine.pay({ act, form_token, ...fields }, headers);
      expect([answer.status, answer.text.includes('<form')]).toEqual([403, true]);
    }
    expect(await written()).toEqual(before);
    // What the refusal shows is a form of this browser: the customer can press again.
    await mine.open();
    expect((await mine.pay()).status).toBe(303);
  });

  test.each(foreign)('%s begins no session of a payment link', async (_, sent) => {
    const [mine, theirs] = await Promise.all([opened((await link()).url), opened((await link()).url)]);
    const before = await written();
    const { headers = {}, fields = {} } = sent(mine, theirs);
    expect((await mine.send(fields, headers)).status).toBe(403);
    expect(await written()).toEqual(before);
    await mine.open();
    expect((await mine.send({})).status).toBe(303);
  });

  test('of a browser that says less is taken: token and cookie decide', async () => {
    for (const headers of [{ 'Sec-Fetch-Site': undefined }, { 'Sec-Fetch-Site': undefined, Origin: undefined }]) {
      const tab = await opened((await session()).url);
      expect((await tab.pay({}, headers)).status).toBe(303);
      expect((await tab.open()).text).toContain('Payment confirmed');
    }
  });
});

test('a session that is over is shown to who has its address, and a form of it writes nothing', async () => {
  const [paid, over] = await Promise.all([session(), session()]);
  const tabs = await Promise.all([opened(paid.url), opened(over.url)]);
  expect((await tabs[0]!.pay()).status).toBe(303);
  await made(shop.test, `checkout_sessions/${over.id}/expire`, {});
  const before = await written();
  for (const tab of tabs)
    for (const act of ['pay', 'coupon', 'another_way', 'quantity', ''])
      expect((await tab.pay({ act })).status).toBe(303);
  expect(await written()).toEqual(before);
  expect((await tabs[1]!.open()).text).toContain('This page has expired.');
});

test('a saved card of somebody else, of another account, or one that is detached pays nothing', async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2_040 };
  const saved = async (client: Client) => {
    const customer = (await made(client, 'customers', {})).id;
    return { customer, method: (await made(client, 'payment_methods', { type: 'card', card, customer })).id };
  };
  const [ada, eve, foreign, gone] = await Promise.all([
    saved(shop.test),
    saved(shop.test),
    saved(rival.test),
    saved(shop.test),
  ]);
  await made(shop.test, `payment_methods/${gone.method}/detach`, {});
  const own = await session(shop.test, { customer: ada.customer });
  const tab = await opened(own.url);
  const before = await written();
  for (const method of [eve.method, foreign.method, gone.method, 'pm_none', '']) {
    const answer = await tab.send({ act: 'pay', email: 'ada@example.com', method });
    expect(answer.status, method).toBe(400);
  }
  expect(await written()).toEqual(before);
  expect((await tab.send({ act: 'pay', method: ada.method })).status).toBe(303);
  expect((await shop.test.get(`/v1/checkout_sessions/${own.id}`)).json).toMatchObject({
    status: 'complete',
    payment_method: ada.method,
  });
});
