import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { shareOf } from '../../../test/torture.ts';
import { Billing, type Shown } from '../../billing/subscriptions/billing.fixture.ts';
import { PortalBrowser } from '../portal/portal.fixture.ts';

const minute = 60_000;

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;
let billing: Billing;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  account = await server.account();
  billing = new Billing(account);
});
afterAll(() => server.stop());

const newBrowser = () => new PortalBrowser(server.anonymous);
const linkFor = (customer: Shown, more: object = {}) =>
  billing.post('portal_sessions', { customer: customer.id, ...more });
const newCustomer = () => billing.post('customers', { name: 'Ada <b>', email: 'ada@example.com' });
const home = () => `/portal/test/${account.id}`;

describe('a link', () => {
  test('has an address, which the request log does not keep', async () => {
    const customer = await newCustomer();
    const answer = await account.test.post('/v1/portal_sessions', { customer: customer.id });
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^ps_/),
      object: 'portal_session',
      customer: customer.id,
      url: expect.stringMatching(new RegExp(`^${server.baseUrl}/portal/link/\\d+-ps_\\w+-[\\w-]{22}$`)),
      expires_at: Math.floor((clock.now() + 5 * minute) / 1_000),
    });
    const token = answer.json.url.split('/').at(-1);
    const log = `/v1/request_logs/${answer.headers['request-id']}`;
    await expect.poll(async () => (await account.test.get(log)).status).toBe(200);
    expect((await account.test.get(log)).text).not.toContain(token);
    const { rows } = await server.sql.query('select row_to_json(p)::text as row from portal_sessions p');
    for (const { row } of rows) expect(row).not.toContain(token.slice(-22));
  });

  test.each([
    ['of another shop', { customer: 'cus_00000000000000000000000000' }, 'resource_missing', 'customer'],
    ['without a customer', { customer: undefined }, 'parameter_missing', 'customer'],
    ['back to what is no address', { return_url: 'javascript:alert(1)' }, 'parameter_invalid', 'return_url'],
    ['with an unknown flow', { flow: 'refund' }, 'parameter_invalid', 'flow'],
    ['to cancel nothing', { flow: 'subscription_cancel' }, 'parameter_missing', 'subscription'],
    ['to change nothing', { flow: 'subscription_update' }, 'parameter_missing', 'subscription'],
    ['to pay nothing', { flow: 'invoice_pay' }, 'parameter_missing', 'invoice'],
    ['about a subscription without a flow', { subscription: 'sub_1' }, 'parameter_invalid', 'subscription'],
    ['to an unknown invoice', { flow: 'invoice_pay', invoice: 'in_1' }, 'resource_missing', 'invoice'],
  ])('%s is refused', async (_what, body, code, param) => {
    const customer = await newCustomer();
    expect(await billing.refused('portal_sessions', { customer: customer.id, ...body })).toMatchObject({ code, param });
  });

  test('leads to the subscription or the invoice of a flow, of the same customer alone', async () => {
    const customer = await billing.customer(undefined);
    const subscription = await billing.subscribe(customer, await billing.price(1_500));
    const other = await newCustomer();
    const flow = { flow: 'subscription_cancel', subscription: subscription.id };
    expect(await billing.refused('portal_sessions', { customer: other.id, ...flow })).toMatchObject({
      code: 'parameter_invalid',
      param: 'subscription',
    });
    const items = [{ amount: 700, description: 'Setup' }];
    const draft = await billing.post('invoices', { customer: customer.id, items, currency: 'eur' });
    const toPay = { customer: customer.id, flow: 'invoice_pay', invoice: draft.id };
    expect(await billing.refused('portal_sessions', toPay)).toMatchObject({ param: 'invoice' });
    const { hosted_url } = await billing.post(`invoices/${draft.id}/finalize`);
    const payer = newBrowser();
    await payer.open((await billing.post('portal_sessions', toPay)).url);
    expect((await payer.send()).headers.location).toBe(new URL(hosted_url).pathname);
    const browser = newBrowser();
    await browser.open((await linkFor(customer, flow)).url);
    const { headers } = await browser.send();
    expect(headers.location).toBe(`${home()}/subscriptions/${subscription.id}/cancel`);
    const methods = newBrowser();
    await methods.open((await linkFor(customer, { flow: 'payment_method_update' })).url);
    expect((await methods.send()).headers.location).toBe(`${home()}#payment_methods`);
  });

  test('shows a button, whose press uses it up and signs in', async () => {
    const customer = await newCustomer();
    const { url } = await linkFor(customer);
    const browser = newBrowser();
    for (let visit = 0; visit < 3; visit++) expect((await browser.open(url)).status).toBe(200);
    expect(browser.text).toContain('Continue');
    expect(browser.text).not.toContain('Ada');
    expect(browser.cookies.size).toBe(1);
    const { status, headers } = await browser.send();
    expect([status, headers.location]).toEqual([303, home()]);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^__Host-tollgate-portal-\d+=\w{46}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const token = /=(\w{46});/.exec(cookie)![1]!;
    const { rows } = await server.sql.query('select row_to_json(p)::text as row from portal_sessions p');
    for (const { row } of rows) expect(row).not.toContain(token);
    expect((await browser.open(home())).text).toContain('Ada &lt;b&gt;');
    for (const again of [await newBrowser().open(url), await browser.open(url)]) expect(again.status).toBe(404);
    const entries = `audit where subject = $1 and action = 'portal_session.begun'`;
    const { rows: audited } = await server.sql.query(`select actor, account from ${entries}`, [customer.id]);
    expect(audited).toEqual([{ actor: 'the customer', account: account.id }]);
  });

  test('pressed several times at the same moment signs one browser in', async () => {
    const { url } = await linkFor(await newCustomer());
    const browsers = Array.from({ length: 6 }, newBrowser);
    await Promise.all(browsers.map((browser) => browser.open(url)));
    const answers = await Promise.all(browsers.map((browser) => browser.send()));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404, 404]);
  });

  test('pressed on two instances at the same moment signs one browser in', async () => {
    const second = await startServer({ clock, databaseUrl: server.databaseUrl });
    try {
      for (let round = 0; round < shareOf(30, 3); round++) {
        const { url } = await linkFor(await newCustomer());
        const browsers = [server, second, server, second].map(({ anonymous }) => new PortalBrowser(anonymous));
        await Promise.all(browsers.map((browser) => browser.open(url)));
        const answers = await Promise.all(browsers.map((browser) => browser.send()));
        expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
        const { path } = browsers[0]!;
        expect((await new PortalBrowser(second.anonymous).open(path)).status).toBe(404);
      }
    } finally {
      await second.stop();
    }
  });

  test('that is cut, swapped, used or over is refused as one that never was', async () => {
    const visible = ({ text }: Answer) => text.replace(/name="form_token" value="[^"]*"/g, '');
    const never = await newBrowser().open(`/portal/link/1-ps_0000000000000000000000-${'A'.repeat(22)}`);
    expect(never.status).toBe(404);
    const [mine, used, old] = [
      await linkFor(await newCustomer()),
      await linkFor(await newCustomer()),
      await linkFor(await newCustomer()),
    ];
    await newBrowser().signIn(used);
    const other = await server.account();
    const live = (await account.live.post('/v1/customers', {})).json;
    const links = [
      (await other.test.post('/v1/portal_sessions', { customer: (await other.test.post('/v1/customers', {})).json.id }))
        .json,
      (await account.live.post('/v1/portal_sessions', { customer: live.id })).json,
      await linkFor(await newCustomer()),
    ];
    const tokenOf = ({ url }: Shown) => url.split('/').at(-1)!.split('-') as [string, string, string];
    const [tenant, id, ...hash] = tokenOf(mine);
    const mac = hash.join('-');
    const swapped = links.flatMap((link: Shown) => {
      const [otherTenant, otherId, ...rest] = tokenOf(link);
      const otherMac = rest.join('-');
      return [
        [otherTenant, id, mac],
        [tenant, otherId, mac],
        [tenant, id, otherMac],
        [otherTenant, otherId, mac],
        [otherTenant, id, otherMac],
      ].filter((parts) => ![mine.url, link.url].some((url) => url.endsWith(parts.join('-'))));
    });
    const tokens = [
      [tenant, id, mac.slice(0, -1)],
      [tenant, id, `${mac}A`],
      [tenant, id, ''],
      [tenant, `${id}0`, mac],
      ['', id, mac],
      ...swapped,
    ].map((parts) => parts.join('-'));
    clock.advance(4 * minute);
    expect((await newBrowser().open(mine.url)).status).toBe(200);
    for (const token of [...tokens, used.url.split('/').at(-1)!]) {
      const answer = await newBrowser().open(`/portal/link/${token}`);
      expect([token, answer.status, visible(answer)]).toEqual([token, 404, visible(never)]);
    }
    clock.advance(minute);
    const late = await newBrowser().open(old.url);
    expect([late.status, visible(late)]).toEqual([404, visible(never)]);
  });

  test('is over after five minutes', async () => {
    const { url } = await linkFor(await newCustomer());
    const browser = newBrowser();
    await browser.open(url);
    clock.advance(5 * minute);
    expect((await browser.send()).status).toBe(404);
    expect((await browser.open(url)).status).toBe(404);
  });

  test('is not used up by a form of another site', async () => {
    const { url } = await linkFor(await newCustomer());
    const browser = newBrowser();
    await browser.open(url);
    expect((await browser.send({}, undefined, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await newBrowser().send({ form_token: 'x' }, new URL(url).pathname)).status).toBe(403);
    expect((await browser.send()).status).toBe(303);
  });

  test('made by a person is in the audit log, and takes the right to handle', async () => {
    const customer = await newCustomer();
    const support = await server.person(account.id, 'support');
    const { status } = await support.client.post('/v1/portal_sessions', { customer: customer.id });
    expect(status).toBe(200);
    const viewer = await server.person(account.id, 'viewer');
    expect((await viewer.client.post('/v1/portal_sessions', { customer: customer.id })).json.error.code).toBe(
      'role_missing',
    );
    const entries = `audit where subject = $1 and action = 'portal_sessions.create'`;
    expect((await server.sql.query(`select actor from ${entries}`, [customer.id])).rows).toEqual([
      { actor: support.email },
    ]);
  });
});

describe('a session', () => {
  const isSignedIn = async (browser: PortalBrowser) => (await browser.open(home())).text.includes('Sign out');
  const signedIn = async (customer: Shown) => newBrowser().signIn(await linkFor(customer));

  test('ends an hour after the last click', async () => {
    const browser = await signedIn(await newCustomer());
    for (let click = 0; click < 3; click++) {
      clock.advance(55 * minute);
      expect(await isSignedIn(browser)).toBe(true);
    }
    clock.advance(60 * minute);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends after eight hours, however often it is used', async () => {
    const browser = await signedIn(await newCustomer());
    for (let click = 0; click < 9; click++) {
      clock.advance(50 * minute);
      expect(await isSignedIn(browser)).toBe(true);
    }
    clock.advance(30 * minute);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends when the customer signs out, and the cookie is of no use to anybody', async () => {
    const browser = await signedIn(await newCustomer());
    await browser.open(home());
    const thief = newBrowser().takeCookies(browser);
    await browser.press({ act: 'sign_out' });
    expect(browser.text).toContain('You are signed out.');
    expect(await isSignedIn(thief)).toBe(false);
  });

  test('ends everywhere when the customer says so, and nobody else is signed out', async () => {
    const customer = await newCustomer();
    const [here, there] = [await signedIn(customer), await signedIn(customer)];
    const other = await signedIn(await newCustomer());
    await here.open(home());
    await here.press({ act: 'sign_out_everywhere' });
    expect(await Promise.all([here, there, other].map(isSignedIn))).toEqual([false, false, true]);
  });

  test('ends with its customer', async () => {
    const customer = await newCustomer();
    const browser = await signedIn(customer);
    expect(await isSignedIn(browser)).toBe(true);
    await account.test.delete(`/v1/customers/${customer.id}`);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('holds on every instance, and after a restart', async () => {
    const browser = await signedIn(await newCustomer());
    const second = await startServer({ clock, databaseUrl: server.databaseUrl });
    try {
      const there = new PortalBrowser(second.anonymous).takeCookies(browser);
      expect(await isSignedIn(there)).toBe(true);
    } finally {
      await second.stop();
    }
  });

  test('is of one mode and account', async () => {
    const browser = await signedIn(await newCustomer());
    const other = await server.account();
    for (const path of [`/portal/${account.id}`, `/portal/test/${other.id}`])
      expect((await browser.open(path)).text).not.toContain('Sign out');
    const { path } = { path: `/portal/test/${other.id}` };
    const [[name = '', value = ''] = []] = [...browser.cookies].filter(([one]) => one.includes('portal'));
    const { rows } = await server.sql.query("select tenant from tenants where account = $1 and mode = 'test'", [
      other.id,
    ]);
    browser.setCookie(name.replace(/\d+$/, String(rows[0].tenant)), value);
    expect((await browser.open(path)).text).not.toContain('Sign out');
  });

  test('is that of its cookie alone: one that is cut, or of another customer with another tenant, signs nobody in', async () => {
    const browser = await signedIn(await newCustomer());
    const [name, value] = [...browser.cookies].find(([one]) => one.includes('portal'))!;
    for (const wrong of [value.slice(0, -1), `${value}A`, '', 'A'.repeat(value.length), value.toLowerCase()]) {
      const thief = newBrowser();
      thief.setCookie(name, wrong);
      expect(await isSignedIn(thief), wrong).toBe(false);
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('that is over is swept', async () => {
    await server.sql.query(
      "update portal_sessions set begun_at = now() - interval '2 days', link_ends = now() - interval '2 days'",
    );
    await server.settled();
    const { sweepPortalSessions } = await import('./store.ts');
    await sweepPortalSessions(server.gateway.services.durable.directory);
    expect((await server.sql.query('select from portal_sessions')).rowCount).toBe(0);
  });
});
