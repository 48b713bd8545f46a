import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { TestPerson } from '../../server/test/person.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { everyPage } from './every_page.ts';
import { failures } from './failures.ts';
import { firstLoad } from './first_load.ts';
import { go, heading, openDashboard } from './fixture.ts';
import { openDialogs } from './open_dialogs.ts';
import { places } from './places.ts';
import { helpThemselves } from './portal_walk.ts';
import { readMails } from './read_mails.ts';
import { workbench } from './workbench.ts';

/**
 * What every run walks in a browser, with one gateway, because the start of both takes longer than a walk: how much is loaded, signing in, a
 * key that pays, a refund, other sites, dialogs whose data changes, and pages of every group.
 */

const dashboard = openDashboard();

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };

describe('the first page', () => firstLoad(dashboard));

describe('before any script runs', () => {
  /** A browser that runs no script, with these cookies. */
  async function still(
    path: string,
    options: { colorScheme?: 'dark'; cookies?: Record<string, string> } = {},
  ): Promise<Tab> {
    const { colorScheme = 'light', cookies = {} } = options;
    const context = await dashboard.browser.newContext({
      javaScriptEnabled: false,
      ignoreHTTPSErrors: true,
      colorScheme,
    });
    onTestFinished(() => context.close());
    const { baseUrl } = dashboard.server;
    const [name = '', value = ''] = dashboard.owner.cookie.split('=');
    const all = Object.entries({ [name]: value, ...cookies });
    await context.addCookies(
      all.map(([one, text]) => ({ name: one, value: text, url: `${baseUrl}/dashboard`, secure: true })),
    );
    const tab = await context.newPage();
    await tab.setViewportSize({ width: 1440, height: 900 });
    await tab.goto(dashboard.home + path);
    return tab;
  }
  const box = (tab: Tab, selector: string) => tab.locator(selector).first().boundingBox();
  const ground = (tab: Tab) => tab.evaluate("getComputedStyle(document.getElementById('shell')).backgroundColor");
  const [light, dark] = ['rgb(246, 247, 249)', 'rgb(15, 17, 21)'];

  test('the frame of the page is there, and stays where it is when the page follows', async () => {
    const account = new URL(dashboard.place).pathname.replace('/dashboard', '');
    const [frame, page] = [await still(`${account}/payments`), await dashboard.open('/payments')];
    await heading(page, 'Payments').waitFor();
    expect(await box(frame, '#shell .side')).toMatchObject({ x: 0, width: 216 });
    for (const [before, after] of [
      ['#shell .side', 'nav[aria-label=Pages]'],
      ['#shell .top img', 'header img'],
    ] as const)
      expect(await box(frame, before), before).toEqual(await box(page, after));
    expect(await frame.locator('#shell .page').isVisible()).toBe(true);
    expect(await frame.locator('noscript').isVisible()).toBe(true);
    const live = await still(`${account.replace(/test$/, 'live')}/payments`);
    expect((await box(live, '#shell .side'))!.y - (await box(frame, '#shell .side'))!.y).toBe(22);
  });

  test('it has the colours of the system, or those that were chosen; who must sign in sees a card', async () => {
    expect(await ground(await still('/payments'))).toBe(light);
    expect(await ground(await still('/payments', { colorScheme: 'dark' }))).toBe(dark);
    expect(await ground(await still('/payments', { cookies: { 'tollgate-colors': 'dark' } }))).toBe(dark);
    expect(
      await ground(await still('/payments', { colorScheme: 'dark', cookies: { 'tollgate-colors': 'light' } })),
    ).toBe(light);
    const visitor = await still('/sign-in', { cookies: { 'tollgate-colors': '<b>' } });
    expect(await visitor.locator('#shell .card').isVisible()).toBe(true);
    expect(await visitor.locator('#shell .side').isVisible()).toBe(false);
    // What somebody chooses in the menu is what the next page begins with.
    const tab = await dashboard.openAs(dashboard.owner, '/payments');
    await tab.getByRole('button', { name: /^Account/ }).click();
    await tab.getByRole('menuitem', { name: 'Dark' }).click();
    const cookies = await tab.context().cookies(dashboard.home);
    expect(cookies.find(({ name }) => name === 'tollgate-colors')).toMatchObject({ value: 'dark', path: '/dashboard' });
  });
});

async function signIn(tab: Tab, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await tab.getByLabel('Email').fill(email);
  await tab.getByLabel('Password', { exact: true }).fill(password);
  await tab.getByRole('button', { name: 'Sign in' }).click();
}

test('a password leads to the page that was asked for; a wrong one is refused in the words of the API', async () => {
  const tab = await dashboard.openAs(undefined, '/customers?created_from=2020-01-01');
  await tab.getByLabel('Email').waitFor();
  await expectSoundOnTheWay(tab, 'signing in');
  await signIn(tab, { ...dashboard.owner, password: 'wrong horse battery staple' });
  await tab.getByText('The email, the password or the code is wrong.').waitFor();
  await tab.getByLabel('Password', { exact: true }).fill(dashboard.owner.password);
  await tab.keyboard.press('Enter');
  await heading(tab, 'Customers').waitFor();
  expect(tab.url()).toBe(`${dashboard.place}/customers?created_from=2020-01-01`);
});

test('a key is created, shown once, and pays; a double click on a refund is one refund, which the page shows at once', async () => {
  const tab = await dashboard.open('/api-keys');
  await tab.context().grantPermissions(['clipboard-write']); // not every browser grants it by itself
  await tab.getByRole('button', { name: 'Create key' }).click();
  await tab.getByLabel('Name').fill('Shop');
  await tab.getByRole('button', { name: 'Create the key Shop' }).dblclick();
  const key = (await tab.getByTestId('secret').textContent())!;
  await tab.getByText('It is not shown again.').waitFor();
  await tab.getByRole('button', { name: 'Copy the key' }).click();
  await tab.getByRole('button', { name: 'Done' }).click();
  await tab.getByRole('dialog').waitFor({ state: 'detached' }); // it closes with a transition
  await tab.getByRole('link', { name: 'Shop' }).waitFor();
  expect(await tab.getByRole('link', { name: 'Shop' }).count()).toBe(1);
  expect(await tab.content()).not.toContain(key);
  const shop = dashboard.server.client(key);
  const method = await shop.post('/v1/payment_methods', { type: 'card', card });
  const paid = await shop.post('/v1/payments', { amount: 2000, currency: 'eur', payment_method: method.json.id });
  expect(paid.json.status).toBe('succeeded');

  const { id } = paid.json;
  const sent: string[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
  await go(tab, `/payments/${id}`);
  await tab.getByRole('button', { name: 'Refund' }).click();
  await tab.getByLabel('Amount').fill('50');
  await tab.getByText('At most €20.00').first().waitFor();
  await tab.getByText('Enter an amount up to €20.00.').waitFor();
  expect(await tab.getByRole('dialog').getByRole('button', { name: 'Refund', exact: true }).isDisabled()).toBe(true);
  await tab.getByLabel('Amount').fill('5.00');
  await tab.getByText('€5.00 is returned to Visa •••• 4242').waitFor();
  await tab.getByRole('button', { name: 'Refund €5.00' }).dblclick();
  await tab.getByText('Refund of €5.00: succeeded').waitFor();
  await tab.getByText('Partly refunded').waitFor();
  const told = tab.getByRole('listitem').filter({ hasText: /^Refunded €5\.00 by owner-.+@example\.com/ });
  await told.waitFor();
  expect(sent).toHaveLength(1);
  const { json } = await dashboard.account.test.get(`/v1/refunds?payment=${id}`);
  expect(json.data).toHaveLength(1);
  expect(json.data[0]).toMatchObject({ amount: 500, status: 'succeeded' });
});

/** Somebody else's pages: `localhost` with another port is the same site as the gateway, whose cookies are sent; 127.0.0.1 is not. */
let elsewhere: { port: number; close(): void };

beforeAll(async () => {
  const file = (name: string) => readFileSync(join(inject('certificateDir'), name));
  const server = createServer({ cert: file('server.pem'), key: file('server-key.pem') }, (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Prizes</title>'),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  elsewhere = {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
});
afterAll(() => elsewhere.close());

/** A tab on somebody else's page, beside a session of the owner. Not watched: the browser complains about what is tried here. */
async function lured(host: string): Promise<Tab> {
  const tab = await dashboard.context.newPage();
  onTestFinished(() => tab.close());
  await tab.goto(`https://${host}:${elsewhere.port}/`);
  return tab;
}

type Entry = { action: string; actor: string; details: { operation?: string } };

/** What the owner sees of it in the audit log. */
const refused = async (query: string): Promise<Entry[]> =>
  (await dashboard.owner.client.get(`/v1/audit_log?refused=true&limit=100&${query}`)).json.data;

describe('another site', () => {
  /** Each try to make a customer, and what became of it as far as the page can tell. */
  const attempts = (target: string, account: string) => `(async () => {
    const target = ${JSON.stringify(target)};
    const wish = { method: 'POST', credentials: 'include', body: '{"name":"Eve"}' };
    const own = { 'X-Tollgate-Account': ${JSON.stringify(account)}, 'X-Tollgate-Mode': 'test' };
    const json = { 'Content-Type': 'application/json', ...own };
    const became = (tried) => tried.then(({ type }) => type, ({ name }) => name);
    return {
      simple: await became(fetch(target, { ...wish, mode: 'no-cors' })),
      asJson: await became(fetch(target, { ...wish, headers: json })),
      token: await became(fetch(target.replace('customers', 'sessions/current'), { credentials: 'include' })),
    };
  })()`;

  /** A form whose body looks like JSON. Its answer is shown in the tab. */
  const form = (target: string) => `{
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', enctype: 'text/plain', action: ${JSON.stringify(target)} });
    const input = document.createElement('input');
    Object.assign(input, { name: '{"name":"Eve","description":"', value: '"}' });
    form.append(input);
    document.body.append(form);
    form.submit();
  }`;

  test.each([
    ['of the same site', 'localhost', 403, 'csrf_invalid'],
    ['of another one', '127.0.0.1', 401, 'api_key_missing'],
  ])('%s changes nothing, with a form or a fetch, and reads no token', async (_, host, status, code) => {
    const tab = await lured(host);
    const target = `${dashboard.server.baseUrl}/v1/customers`;
    const before = (await refused('action=csrf_invalid')).length;
    // The browser sends the simple one and hides the answer; it asks before the others, and gets no permission.
    expect(await tab.evaluate(attempts(target, dashboard.account.id))).toEqual({
      simple: 'opaque',
      asJson: 'TypeError',
      token: 'TypeError',
    });
    const answered = tab.waitForResponse((answer) => answer.url() === target);
    await tab.evaluate(form(target));
    const answer = await answered;
    expect([answer.status(), (await answer.json()).error.code]).toEqual([status, code]);
    expect((await dashboard.account.test.get('/v1/customers')).json.data).toEqual([]);
    const seen = async () => (await refused('action=csrf_invalid')).length - before;
    await expect.poll(seen).toBe(code === 'csrf_invalid' ? 2 : 0);
    if (code !== 'csrf_invalid') return;
    const entry = { actor: dashboard.owner.email, details: { operation: 'customers.create' } };
    expect((await refused('action=csrf_invalid')).slice(0, 2)).toMatchObject([entry, entry]);
    // The session was there all the time.
    await tab.goto(`${dashboard.place}/customers`);
    await heading(tab, 'Customers').waitFor();
  });

  test('shows nothing of the dashboard in a frame', async () => {
    const tab = await lured('localhost');
    const said: string[] = [];
    tab.on('console', (message) => said.push(message.text()));
    const framed = (address: string) =>
      tab.evaluate(`new Promise((resolve) => {
        const frame = document.createElement('iframe');
        Object.assign(frame, { src: ${JSON.stringify(address)}, onload: resolve, onerror: resolve });
        document.body.append(frame);
      })`);
    await framed(`https://localhost:${elsewhere.port}/own`);
    await framed(`${dashboard.home}/payments`);
    const [, own, foreign] = tab.frames();
    expect(await own!.title()).toBe('Prizes'); // frames work here
    expect(foreign!.url()).toMatch(/^chrome-error:/);
    expect(await foreign!.locator('body').innerText()).not.toContain('Payments');
    expect(said.join()).toContain('frame-ancestors');
  });
});

test('no page can be framed, and the policy allows nothing inline', async () => {
  const { headers } = await dashboard.server.anonymous.get('/dashboard/payments');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
  );
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['content-security-policy']).not.toContain('unsafe');
  const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)![1]!;
  expect((headers['content-security-policy'] as string).replace(nonce, '…')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-…'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'self'",
  );
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

test('every component has its styles', () => {
  const read = (pattern: RegExp) =>
    readdirSync(join(dashboard.built, 'assets'))
      .filter((name) => pattern.test(name))
      .map((name) => readFileSync(join(dashboard.built, 'assets', name), 'utf8'))
      .join('\n');
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  const styles = createRequire(import.meta.url).resolve('@mantine/core/styles.css');
  const [inScripts, inStyles] = [classesIn(read(/\.js$/)), classesIn(read(/\.css$/))];
  const exist = [...classesIn(readFileSync(styles, 'utf8'))];
  expect(exist.filter((name) => inScripts.has(name) && !inStyles.has(name))).toEqual([]);
  expect(exist.filter((name) => inStyles.has(name)).length).toBeGreaterThan(50);
});

test('assets are compressed, kept for ever, and never another file', async () => {
  const name = /assets\/(index-[\w-]+\.js)/.exec(readFileSync(join(dashboard.built, 'index.html'), 'utf8'))![1]!;
  const answer = await dashboard.server.anonymous.get(`/dashboard/assets/${name}`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(statSync(join(dashboard.built, 'assets', `${name}.gz`)).size),
  });
  const font = readdirSync(join(dashboard.built, 'assets')).find((one) => one.endsWith('.woff2'))!;
  const { headers } = await dashboard.server.anonymous.get(`/dashboard/assets/${font}`, {
    headers: { 'Accept-Encoding': 'gzip, br' },
  });
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'font/woff2',
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(Number(headers['content-length'])).toBeLessThan(60 * 1_024);
  for (const path of ['nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])
    expect((await dashboard.server.anonymous.get(`/dashboard/assets/${path}`)).status, path).toBe(404);
});

describe('a dialog that is open', () => openDialogs(dashboard));

describe('account and mode', () => places(dashboard));

describe('the request log and the workbench', () => workbench(dashboard));

describe('a mail to a customer', () => readMails(dashboard));

describe('a customer', () => helpThemselves(dashboard));

describe('a failure', () => failures(dashboard));

// The last of all: it makes objects of every kind.
describe('every group of pages', () => everyPage(dashboard));
