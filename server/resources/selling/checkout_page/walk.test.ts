import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

/** A customer pays, in a browser, on a whole gateway. */

let server: TestServer;
let account: TestAccount;
let browser: Browser;
/** The hosts that the browser has asked, and what it has complained about. */
let hosts: Set<string>;
let complaints: string[];

beforeAll(async () => {
  server = await startServer({ isAlone: true });
  account = await server.account();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

type Session = { id: string; url: string; path: string };

async function session(parameters: object = {}): Promise<Session> {
  const sold = { line_items: [{ name: 'Espresso roast, 1 kg', unit_amount: 4890, currency: 'eur' }] };
  const { json } = await account.test.post('/v1/checkout_sessions', { ...sold, ...parameters });
  expect(json.error).toBeUndefined();
  const { pathname } = new URL(json.url);
  return { id: json.id, path: pathname, url: `${server.baseUrl}${pathname}` };
}

const read = async ({ id }: Session) => (await account.test.get(`/v1/checkout_sessions/${id}`)).json;

async function openTab(options: BrowserContextOptions = {}): Promise<Tab> {
  [hosts, complaints] = [new Set(), []];
  const context = await browser.newContext({ viewport: { width: 375, height: 800 }, locale: 'en-US', ...options });
  const tab = await context.newPage();
  tab.on('request', (request) => request.url().startsWith('data:') || hosts.add(new URL(request.url()).host));
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(String(error)));
  return tab;
}

/** Nothing was asked of another host, and the browser had nothing to complain about but statuses that are meant. */
async function closeTab(tab: Tab): Promise<void> {
  await tab.context().close();
  expect([...hosts]).toEqual([new URL(server.baseUrl).host]);
  expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
}

async function fill(tab: Tab, number: string): Promise<void> {
  await tab.getByLabel('Email').fill('ada@example.com');
  await tab.getByLabel('Card number').fill(number);
  await tab.getByLabel('Expiry date').fill('12/40');
  await tab.getByLabel('Security code').fill('123');
}

const heading = (tab: Tab, name: string) => tab.getByRole('heading', { level: 1, name }).waitFor();

describe('a customer pays', () => {
  test.each([true, false])('with our own fields; JavaScript: %s', async (javaScriptEnabled) => {
    const made = await session({ reference: 'ORDER-7' });
    const tab = await openTab({ javaScriptEnabled });
    await tab.goto(made.url);
    await fill(tab, '4242 4242 4242 4242');
    await tab.getByRole('button', { name: 'Pay €48.90' }).click();
    await heading(tab, 'Payment confirmed');
    expect(await tab.locator('main').innerText()).toMatch(/€48\.90[\s\S]*Visa •••• 4242[\s\S]*ORDER-7/);
    expect(tab.url()).toBe(made.url);
    expect(await read(made)).toMatchObject({ status: 'complete', payment_status: 'paid' });
    await closeTab(tab);
  });

  test('by keyboard alone: a wrong number is said at its field, a decline is said, another card pays', async () => {
    const made = await session();
    const tab = await openTab();
    await tab.goto(made.url);
    const type = async (...texts: string[]) => {
      for (const text of texts) {
        await tab.keyboard.type(text);
        await tab.keyboard.press('Tab');
      }
    };
    await tab.locator('#email').focus();
    await type('ada@example.com', '4242424242424241', '1240', '123');
    expect(await tab.inputValue('#number')).toBe('4242 4242 4242 4241');
    expect(await tab.inputValue('#expiry')).toBe('12 / 40');
    await tab.keyboard.press('Enter');
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('trouble');
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('number');
    await tab.keyboard.press('ControlOrMeta+a');
    await tab.keyboard.type('4000000000000002');
    await tab.keyboard.press('Enter');
    await tab.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor();
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('trouble');
    await tab.locator('#number').focus();
    await type('4242424242424242', '1240', '123');
    await tab.keyboard.press('Enter');
    await heading(tab, 'Payment confirmed');
    await closeTab(tab);
    const { rows } = await server.sql.query('select status from payments where checkout_session = $1 order by id', [
      made.id,
    ]);
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('in Arabic, from right to left', async () => {
    const made = await session({ locale: 'ar' });
    const tab = await openTab();
    await tab.goto(made.url);
    expect(await tab.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
    await tab.locator('#email').fill('ada@example.com');
    await tab.locator('#number').fill('4242424242424242');
    await tab.locator('#expiry').fill('12/40');
    await tab.locator('#cvc').fill('123');
    await tab.getByRole('button', { name: /ادفع/ }).click();
    await heading(tab, 'تم تأكيد الدفع');
    await closeTab(tab);
  });

  test('from a link: three of them, by the steps beside the field, with the sum in view', async () => {
    const line_items = [{ name: 'Mug', unit_amount: 1_200, currency: 'eur' }];
    const made = await account.test.post('/v1/payment_links', { line_items, adjustable_quantity: { min: 1, max: 3 } });
    const tab = await openTab();
    await tab.goto(`${server.baseUrl}${new URL(made.json.url).pathname}`);
    await tab.getByLabel('Email').fill('ada@example.com');
    for (let step = 0; step < 5; step++) await tab.getByText('+', { exact: true }).click();
    await tab.locator('#summary').getByText('€36.00').waitFor();
    expect(await tab.getByRole('spinbutton', { name: 'Quantity' }).inputValue()).toBe('3');
    expect(await tab.getByLabel('Email').inputValue()).toBe('ada@example.com');
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Pay €36.00' }).waitFor();
    await closeTab(tab);
  });

  test('as much as somebody wants to give, by the amounts that the link suggests', async () => {
    const amount_choice = { min: 100, max: 100_000, suggested: [500, 2_000] };
    const made = await account.test.post('/v1/payment_links', { currency: 'eur', description: 'Bees', amount_choice });
    const tab = await openTab();
    await tab.goto(`${server.baseUrl}${new URL(made.json.url).pathname}`);
    expect(await tab.getByRole('button', { name: '€5.00' }).getAttribute('aria-pressed')).toBe('true');
    await tab.getByRole('button', { name: '€20.00' }).click();
    expect(await tab.getByRole('button', { name: '€5.00' }).getAttribute('aria-pressed')).toBe('false');
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Pay €20.00' }).waitFor();
    await closeTab(tab);
  });

  test('after a challenge, and goes on to the shop by GET', async () => {
    const made = await session({ success_url: 'https://shop.test/done?s={CHECKOUT_SESSION}' });
    const tab = await openTab();
    await tab.goto(made.url);
    await fill(tab, '4000002500003155');
    await tab.getByRole('button', { name: 'Pay €48.90' }).click();
    const visit = tab.waitForRequest('https://shop.test/**'); // there is no such host: the request is enough
    await tab.getByRole('button', { name: 'Approve' }).click();
    const request = await visit;
    expect([request.method(), request.url()]).toEqual(['GET', `https://shop.test/done?s=${made.id}`]);
    expect((await request.allHeaders()).referer).toBeUndefined();
    expect(await read(made)).toMatchObject({ status: 'complete', payment_status: 'paid' });
    await tab.context().close();
  });
});

describe('answers', () => {
  const guards = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-ratelimit-limit': '300',
  };

  /** Begins with what no page may be without, and allows what this page has. */
  const policy =
    /^default-src 'none'; (?:.*; )?form-action (?:'self'|'none')(?: https?:[^;]*)?; base-uri 'none'; frame-ancestors 'none'$/;

  /** A browser that has opened a page presses its button. */
  async function pressed(of: TestServer, path: string, fields: Record<string, string>): Promise<Answer> {
    const page = await of.anonymous.get(path);
    const [Cookie = ''] = String(page.headers['set-cookie'] ?? '').split(';');
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const headers = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Encoding': 'gzip, br' };
    return of.anonymous.with(headers).post(path, new URLSearchParams({ form_token, ...fields }).toString());
  }

  test('have the headers of the page, uncompressed, whatever they are about', async () => {
    const other = await startServer({ onePostgres: true }); // its window of requests is used up
    const { test: client } = await other.account();
    const made = async (path: string, body: object): Promise<string> =>
      new URL((await client.post(path, body)).json.url).pathname;
    const sold = { amount: 4_890, currency: 'eur' };
    const page = await made('/v1/checkout_sessions', sold);
    const broken = await made('/v1/checkout_sessions', sold);
    const link = await made('/v1/payment_links', sold);
    const coupons = await made('/v1/checkout_sessions', { ...sold, allow_coupons: true });
    const over = (await client.post('/v1/checkout_sessions', sold)).json;
    await client.post(`/v1/checkout_sessions/${over.id}/expire`);
    const challenged = await made('/v1/checkout_sessions', sold);
    const { id, url } = (await client.post('/v1/payment_links', sold)).json;
    await client.post(`/v1/payment_links/${id}`, { active: false });
    const card = { act: 'pay', email: 'a@b.test', number: '4242424242424242', expiry: '12/40', cvc: '123' };
    const get = (path: string) => other.anonymous.get(path, { headers: { 'Accept-Encoding': 'gzip, br' } });
    const all: [string, number, Answer][] = [
      ['a page', 200, await get(page)],
      ['HEAD', 200, await other.anonymous.request('HEAD', page)],
      ['a page that has expired', 200, await get(new URL(over.url).pathname)],
      ['a code from another site', 403, await pressed(other, coupons, { act: 'coupon', coupon: 'A', form_token: 'x' })],
      ['a wrong code', 400, await pressed(other, coupons, { act: 'coupon', coupon: 'A' })],
      ['a challenge', 303, await pressed(other, challenged, { ...card, number: '4000002500003155' })],
      ['a payment that is not finished', 200, await get(challenged)],
      ['the way on', 200, await get(`${challenged}?go`)],
      ['another way', 303, await pressed(other, challenged, { act: 'another_way' })],
      ['a link', 200, await get(link)],
      ['a link that sells nothing', 200, await get(new URL(url).pathname)],
      ['no page', 404, await get('/pay/1-cs_0-x')],
      ['no link', 404, await get('/l/1-plink_0-x')],
      ['another site', 403, await pressed(other, page, { ...card, form_token: 'x' })],
      ['another site, link', 403, await pressed(other, link, { form_token: 'x' })],
      ['missing fields', 400, await pressed(other, page, { act: 'pay' })],
      ['a long body', 400, await pressed(other, page, { act: 'x'.repeat(20_000) })],
      ['a wrong entry, link', 400, await pressed(other, link, { email: 'nobody' })],
      ['the press of a link', 303, await pressed(other, link, {})],
      ['a payment', 303, await pressed(other, page, card)],
      ['a receipt', 200, await get(page)],
      ['coming back', 303, await get(`${page}?payment=py_1`)],
    ];
    await other.sql.query('alter table checkout_sessions rename to hidden');
    all.push(['a failure', 500, await get(broken)]);
    await other.sql.query('alter table hidden rename to checkout_sessions');
    let many = await get(broken);
    while (many.status === 200) many = await get(broken);
    all.push(['too many', 429, many], ['too many, link', 429, await get(link)]);
    await other.stop();
    for (const [name, status, { status: got, headers, text }] of all) {
      expect(got, name).toBe(status);
      expect(headers, name).toMatchObject(guards);
      expect(headers['content-security-policy'], name).toMatch(policy);
      expect(headers['content-encoding'], name).toBeUndefined();
      expect(headers['strict-transport-security'], name).toMatch(/^max-age=\d{8}/);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      if (status === 303 || name === 'HEAD') expect(text, name).toBe('');
      else expect(text, name).toMatch(/^<!doctype html>/);
    }
  });

  test('leave the token out of the logs', async () => {
    const made = await session();
    await server.anonymous.get(`${made.path}?canary-query`);
    const token = made.path.split('/').at(-1)!;
    expect(server.logged.some((line) => line.includes('/pay/:token'))).toBe(true);
    expect(server.logged.filter((line) => line.includes(token) || line.includes('canary-query'))).toEqual([]);
  });
});
