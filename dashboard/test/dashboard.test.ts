import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../../server/http/pages/dashboard/built.ts';
import type { SignInLinkShown } from '../../server/resources/sessions/schema.ts';
import { startServer, type TestAccount, type TestServer } from '../../server/test/harness.ts';
import type { TestPerson } from '../../server/test/person.ts';
import { shareOf } from '../../server/test/torture.ts';
import { expectSound, openBrowser, openTab, type Stored } from './browser.ts';

/** The dashboard in a browser, served by a whole gateway. */

const markup = '<img src=x onerror="document.title=1"><b>bold</b>';

let server: TestServer;
let browser: Browser;
let account: TestAccount;
let owner: TestPerson;
let home: string;
let built: string;
/** The cookie of the owner. */
let signedIn: Stored;
let made: { customer: string; method: string };

beforeAll(async () => {
  [built, server, browser] = await Promise.all([buildDashboard(), startServer({ purpose: 'dev' }), openBrowser()]);
  account = await server.account();
  owner = await server.person(account.id, 'owner');
  home = `${server.baseUrl}/dashboard`;
  const customer = await post('/v1/customers', { name: markup, email: 'ada@example.com', metadata: { note: markup } });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const billing_details = { name: markup };
  const method = await post('/v1/payment_methods', { type: 'card', card, customer: customer.id, billing_details });
  made = { customer: customer.id, method: method.id };
  const { tab } = await openTab(browser);
  await signIn(tab, owner);
  await heading(tab, 'Payments').waitFor();
  signedIn = await tab.context().storageState();
  await tab.context().close();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function post(path: string, body: object) {
  const { status, json, text } = await account.test.post(path, body);
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  return json;
}

const pay = (more: object = {}) =>
  post('/v1/payments', {
    ...{ amount: 2000, currency: 'eur', payment_method: made.method, customer: made.customer, description: markup },
    ...more,
  });

async function signIn(tab: Tab, { email, password }: TestPerson, to = ''): Promise<void> {
  await tab.goto(home + to);
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (tab: Tab, name: string) => tab.getByRole('heading', { level: 1, name, exact: true });

describe('signing in', () => {
  test('with a password leads to the page that was asked for; a wrong one is refused in the words of the API', async () => {
    const { tab, complaints } = await openTab(browser);
    await signIn(tab, { ...owner, password: 'wrong horse battery staple' }, '/customers?created_from=2020-01-01');
    await tab.getByText('The email, the password or the code is wrong.').waitFor();
    await tab.getByLabel('Password', { exact: true }).fill(owner.password);
    await tab.keyboard.press('Enter');
    await heading(tab, 'Customers').waitFor();
    expect(tab.url()).toBe(`${home}/customers?created_from=2020-01-01`);
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('with a link works once, and the address does not keep the token', async () => {
    const { token } = await server.operator.run<SignInLinkShown>('sessions.create_link', { id: owner.id });
    const first = await openTab(browser);
    await first.tab.goto(`${home}#link=${token}`);
    await heading(first.tab, 'Payments').waitFor();
    expect(first.tab.url()).toBe(`${home}/payments`);
    await first.tab.goBack();
    expect(first.tab.url()).not.toContain(token);
    const second = await openTab(browser);
    await second.tab.goto(`${home}#link=${token}`);
    await second.tab.getByText('The link does not work').waitFor();
    await Promise.all([first, second].map(({ tab }) => tab.context().close()));
    expect([...first.complaints, ...second.complaints]).toEqual([]);
  });

  test('a session that has ended leads to the sign-in page, and back', async () => {
    const person = await server.person(account.id, 'viewer');
    const { tab } = await openTab(browser);
    await signIn(tab, person, '/payments');
    await heading(tab, 'Payments').waitFor();
    await person.alone.delete('/v1/sessions');
    await tab.getByRole('link', { name: 'Customers' }).click();
    await tab.getByLabel('Email').waitFor();
    await tab.getByLabel('Email').fill(person.email);
    await tab.getByLabel('Password', { exact: true }).fill(person.password);
    await tab.keyboard.press('Enter');
    await heading(tab, 'Customers').waitFor();
    await tab.getByRole('button', { name: /^Account/ }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByLabel('Email').waitFor();
    await tab.reload();
    await tab.getByLabel('Email').waitFor();
    await tab.context().close();
  });
});

test('a refund shows what it will do; a double click is one refund, and the page shows it at once', async () => {
  const { id } = await pay();
  const { tab, complaints } = await openTab(browser, { storageState: signedIn });
  const sent: string[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
  await tab.goto(`${home}/payments/${id}`);
  await tab.getByRole('button', { name: 'Refund' }).click();
  await tab.getByLabel('Amount').fill('50');
  await tab.getByText('At most €20.00').first().waitFor();
  expect(await tab.getByRole('button', { name: /^Refund / }).isDisabled()).toBe(true);
  await tab.getByLabel('Amount').fill('5.00');
  await tab.getByText('€5.00 goes back to Visa •••• 4242').waitFor();
  await tab.getByRole('button', { name: 'Refund €5.00' }).dblclick();
  await tab.getByText('Refund of €5.00: succeeded').waitFor();
  await tab.getByText('Partly refunded').waitFor();
  await tab.context().close();
  expect(sent).toHaveLength(1);
  const { json } = await account.test.get(`/v1/refunds?payment=${id}`);
  expect(json.data).toHaveLength(1);
  expect(json.data[0]).toMatchObject({ amount: 500, status: 'succeeded' });
  expect(complaints).toEqual([]);
});

test('another try after a broken connection has the same idempotency key, and takes effect once', async () => {
  const { id } = await pay({ capture_method: 'manual' });
  const { tab } = await openTab(browser, { storageState: signedIn });
  const keys: string[] = [];
  // The gateway captures, and its answer is lost, with those to the tries of the SDK.
  await tab.route('**/capture', async (route) => {
    keys.push(route.request().headers()['idempotency-key']!);
    if (keys.length > 3) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  await tab.goto(`${home}/payments/${id}`);
  await tab.getByRole('button', { name: 'Capture' }).click();
  await tab.getByRole('button', { name: 'Capture €20.00' }).click();
  await tab.getByRole('alert').waitFor();
  await tab.getByRole('button', { name: 'Capture €20.00' }).click();
  await tab.getByText('Captured €20.00').waitFor();
  await tab.context().close();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('a refusal is shown in the words of the API', async () => {
  const { id } = await pay({ capture_method: 'manual' });
  const { tab } = await openTab(browser, { storageState: signedIn });
  await tab.goto(`${home}/payments/${id}`);
  await tab.getByRole('button', { name: 'Cancel' }).click();
  await post(`/v1/payments/${id}/capture`, {});
  await tab.getByRole('button', { name: 'Cancel the payment of €20.00' }).click();
  const { json } = await account.test.post(`/v1/payments/${id}/cancel`, {});
  await tab.getByRole('alert').getByText(json.error.message).waitFor();
  await tab.context().close();
});

test('a viewer sees no buttons that the API would refuse', async () => {
  const [{ id }, viewer] = [await pay(), await server.person(account.id, 'viewer')];
  const { tab } = await openTab(browser);
  await signIn(tab, viewer, `/payments/${id}`);
  await heading(tab, '€20.00').waitFor();
  expect(await tab.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect((await viewer.client.post('/v1/refunds', { payment: id })).json.error.code).toBe('role_missing');
  await tab.context().close();
});

test('filters stand in the address, and pages go to older and back to newer', async () => {
  await Promise.all(Array.from({ length: 27 }, (_, index) => pay({ amount: 100 + index, currency: 'gbp' })));
  const { tab } = await openTab(browser, { storageState: signedIn });
  await tab.goto(`${home}/payments`);
  await tab.getByRole('button', { name: 'Status' }).click();
  await tab.getByRole('radio', { name: 'Succeeded' }).click();
  await tab.waitForURL(`${home}/payments?status=succeeded`);
  const first = await tab.locator('tbody a').first().textContent();
  await tab.getByRole('button', { name: 'Older' }).click();
  await tab.waitForURL(/status=succeeded&after=py_/);
  await tab.getByRole('button', { name: 'Newer' }).click();
  await tab.waitForURL(/status=succeeded&before=py_/);
  await tab.locator('tbody a', { hasText: first! }).first().waitFor();
  await tab.goto(`${home}/payments?status=nonsense`);
  await tab.getByRole('alert').waitFor();
  await tab.context().close();
});

test('live mode is told from test mode, and says how to get a processor', async () => {
  const { tab } = await openTab(browser, { storageState: signedIn });
  await tab.goto(`${home}/payments`);
  await tab.getByText('Test mode: no real money moves').waitFor();
  const colour = () =>
    tab.evaluate("getComputedStyle(document.querySelector('[role=status][data-mode]')).backgroundColor");
  const test = await colour();
  await tab.getByText('Live', { exact: true }).click();
  await tab.getByText('No processor takes live payments yet').waitFor();
  await tab.getByText('No live payments yet').waitFor();
  expect(await colour()).not.toBe(test);
  await tab.context().close();
});

test('the palette opens by the keyboard, and leads to a page and to an object', async () => {
  const { tab } = await openTab(browser, { storageState: signedIn });
  await tab.goto(`${home}/payments`);
  await heading(tab, 'Payments').waitFor();
  await tab.keyboard.press('Control+k');
  await tab.getByPlaceholder('Paste an id').fill('custom');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${home}/customers`);
  await heading(tab, 'Customers').waitFor();
  await tab.keyboard.press('/');
  await tab.getByPlaceholder('Paste an id').fill(made.customer);
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${home}/customers/${made.customer}`);
  await tab.context().close();
});

/** What a page shows once it is complete. */
const everyPage: [path: () => string, shows: string][] = [
  [() => '/payments', 'Created'],
  [() => '/payments?status=canceled&created_to=2020-01-01', 'Nothing fits these filters'],
  [() => `/customers/${made.customer}`, 'Visa •••• 4242'],
  [() => '/customers', 'ada@example.com'],
  [() => '/subscriptions', 'This version of the dashboard does not have this page.'],
  [() => '/nowhere', 'There is no such page'],
];
/** Everything is looked at once; then only what colours or the width can change. */
const only = (...rules: string[]) => JSON.stringify({ runOnly: rules });

/** Both colours and both widths in every run; each with each under torture. */
const looks = [
  [1440, 'light', '{}'],
  [375, 'dark', only('color-contrast', 'scrollable-region-focusable', 'target-size')],
  [1440, 'dark', only('color-contrast')],
  [375, 'light', only('color-contrast')],
] as const;

test.each(looks.slice(0, shareOf(looks.length, 2)))(
  '%i px, %s: every page is sound, and markup is text',
  async (width, scheme, rules) => {
    const { id } = await pay();
    const { tab, complaints } = await openTab(browser, { width, scheme, storageState: signedIn });
    for (const [path, shows] of everyPage) {
      await tab.goto(home + path());
      await tab
        .getByText(shows, { exact: true })
        .first()
        .waitFor(path() === '/customers' && width === 375 ? { state: 'attached' } : {});
      await expectSound(tab, path(), rules);
    }
    await tab.goto(`${home}/payments/${id}`);
    await tab.getByText('Authorize: approved').waitFor();
    expect(await tab.locator('dd', { hasText: '<img' }).first().textContent()).toBe(markup);
    await expectSound(tab, 'a payment', rules);
    await tab.getByRole('button', { name: 'Refund' }).click();
    await tab.getByText('What will happen').waitFor();
    await expectSound(tab, 'a dialog', rules);
    await tab.keyboard.press('Escape');
    if (width === 375) await tab.getByRole('button', { name: 'Navigation' }).click();
    await tab.getByRole('button', { name: /^Account/ }).click();
    await expectSound(tab, 'the menu of the account', rules);
    expect(await tab.locator('#root img[src=x], #root b').count()).toBe(0);
    expect(await tab.title()).not.toBe('1');
    await tab.context().close();
    expect(complaints).toEqual([]);
  },
);

test('the sign-in page is sound, and cannot be framed', async () => {
  const { tab, complaints } = await openTab(browser, { width: 375, scheme: 'dark' });
  await tab.goto(home);
  await tab.getByLabel('Email').waitFor();
  await expectSound(tab, 'signing in');
  const { headers } = await server.anonymous.get('/dashboard/payments');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  );
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  await tab.context().close();
  expect(complaints).toEqual([]);
});

test('the first page loads less than 300 KB, all of it from the gateway', async () => {
  const { tab } = await openTab(browser, { storageState: signedIn });
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${home}/payments`);
  await tab.locator('tbody a').first().waitFor();
  await tab.context().close();
  expect(asked.filter((url) => !url.startsWith(server.baseUrl))).toEqual([]);
  const assets = asked.filter((url) => url.includes('/dashboard/assets/')).map((url) => url.split('/').at(-1)!);
  expect(assets.length).toBeGreaterThan(1);
  const bytes = assets.map((name) => statSync(join(built, 'assets', `${name}.gz`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300 * 1_024);
});

test('assets are compressed, kept for ever, and never another file', async () => {
  const name = /assets\/(index-[\w-]+\.js)/.exec(readFileSync(join(built, 'index.html'), 'utf8'))![1]!;
  const answer = await server.anonymous.get(`/dashboard/assets/${name}`, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(statSync(join(built, 'assets', `${name}.gz`)).size),
  });
  for (const path of ['nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])
    expect((await server.anonymous.get(`/dashboard/assets/${path}`)).status, path).toBe(404);
});
