import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../test/browser.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { isTorture } from '../../../test/torture.ts';

/** A customer pays, in a browser, on a whole gateway. */

let server: TestServer;
let account: TestAccount;
let browser: Browser;
/** The hosts that the browser has asked, and what it has complained about. */
let hosts: Set<string>;
let complaints: string[];

beforeAll(async () => {
  server = await startServer();
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

  test('have the headers of the page, uncompressed, whatever they are about', async () => {
    const made = await session();
    const expired = await session();
    await account.test.post(`/v1/checkout_sessions/${expired.id}/expire`, {});
    const form = { headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Encoding': 'gzip' } };
    const answers = [
      await server.anonymous.get(made.path, { headers: { 'Accept-Encoding': 'gzip, br' } }),
      await server.anonymous.get(expired.path),
      await server.anonymous.get('/pay/1-cs_0-x'),
      await server.anonymous.request('POST', made.path, { ...form, body: 'act=pay' }),
      await server.anonymous.request('POST', made.path, { ...form, body: 'x'.repeat(20_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403, 400]);
    for (const { headers, text } of answers) {
      expect(headers).toMatchObject(guards);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*form-action 'self'.*base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(text).toContain('<!doctype html>');
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

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.runIf(isTorture)('axe finds nothing', () => {
  const widths = [320, 1440] as const;

  test.each(['en', 'ar'])('in any state, at any width, in either scheme: %s', async (locale) => {
    const all = { name: true, phone: true, billing_address: 'full', terms: true } as const;
    const many = Array.from({ length: 100 }, (_, at) => ({ name: `Item ${at}`, unit_amount: 100, currency: 'kwd' }));
    const sessions = {
      open: await session({ locale }),
      everything: await session({ locale, collect: all, allow_coupons: true, cancel_url: 'https://shop.test/' }),
      'many lines': await session({ locale, line_items: many }),
      expired: await session({ locale }),
      declined: await session({ locale }),
      paid: await session({ locale }),
    };
    await account.test.post(`/v1/checkout_sessions/${sessions.expired.id}/expire`, {});
    const tab = await openTab();
    for (const [name, number] of [
      ['declined', '4000000000000002'],
      ['paid', '4242424242424242'],
    ] as const) {
      await tab.goto(sessions[name].url);
      for (const [field, value] of Object.entries({ email: 'a@b.test', number, expiry: '12/40', cvc: '123' }))
        await tab.locator(`#${field}`).fill(value);
      await Promise.all([tab.waitForEvent('load'), tab.locator('#pay-button').click()]);
    }
    for (const [name, { url }] of Object.entries({ ...sessions, missing: { url: `${server.baseUrl}/pay/none` } }))
      for (const width of widths)
        for (const colorScheme of ['light', 'dark'] as const) {
          const where = `${name}, ${width} px, ${colorScheme}`;
          await tab.setViewportSize({ width, height: 900 });
          await tab.emulateMedia({ colorScheme });
          await tab.goto(url);
          if (name === 'everything') await tab.locator('#pay-button').click(); // what is missing is said
          expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBeLessThanOrEqual(0);
          await tab.evaluate(axe());
          const found =
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))';
          expect(await tab.evaluate(found), where).toEqual([]);
        }
    await tab.context().close();
  });
});
