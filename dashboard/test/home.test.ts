import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../server/base/clock.fixture.ts';
import { firstIdAt, newId } from '../../server/base/id.ts';
import { tenantOf } from '../../server/operations/tenants.ts';
import type { Answer } from '../../server/test/client.ts';
import { becomes, eventually } from '../../server/test/eventually.ts';
import { isTorture } from '../../server/test/torture.ts';
import { formatMoney } from '../src/kit/money.ts';
import { expectSound, expectSoundOnTheWay } from './browser.ts';
import { payOnPage, typeEmail } from './checkout.ts';
import { firstLoadBytesMax } from './first_load.ts';
import { compressedSize, heading, loaded, longWalk, markup, openDashboard } from './fixture.ts';
import { addMonths } from './months.ts';

const dashboard = openDashboard();
let method: string;

beforeAll(async () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  method = (await dashboard.post('/v1/payment_methods', { type: 'card', card })).id;
  await pay(2_000);
  await fill();
});

const pay = (amount: number, more: object = {}) =>
  dashboard.post('/v1/payments', { amount, currency: 'eur', payment_method: method, ...more });

/** Payments of two days ago, as they would have been left. */
async function fill(): Promise<void> {
  const { sql } = dashboard.server;
  const tenant = await tenantOf(sql, dashboard.account.id, 'test');
  const id = (prefix: string, n: number, daysAgo: number) =>
    `${firstIdAt(prefix, Date.now() - daysAgo * 86_400_000).slice(0, -4)}${1_000 + n}`;
  for (const [n, currency] of ['eur', 'eur', 'eur', 'eur', 'usd', 'usd', 'jpy'].entries())
    await sql.query(
      `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, description)
       values ($1, $2, 1, 1000, $3, $4, 'pm_x', $5, 0, $6)`,
      [tenant, id('py', n, 2), n === 0 ? 0 : 1_000, currency, n === 0 ? 'failed' : 'succeeded', markup],
    );
}

const isConnected = (tab: Tab) => tab.locator('[data-live=connected]').waitFor();
const link = (tab: Tab, name: string | RegExp) => tab.getByRole('main').getByRole('link', { name });

/** How far things have moved that nobody touched, since the page was opened. */
const shift = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 200);
})`;

longWalk('a new account shows how to pay; the command works, and the page shows the payment by itself', async () => {
  const account = await dashboard.server.account();
  const tab = await dashboard.openAs(await dashboard.server.person(account.id, 'developer'));
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${dashboard.home}`);
  await heading(tab, 'Home').waitFor();
  await tab.getByText('Make the first test payment').waitFor();
  expect(compressedSize(dashboard.built, asked)).toBeLessThanOrEqual(firstLoadBytesMax);
  await isConnected(tab);
  await expectSoundOnTheWay(tab, 'a new account');
  const command = (await tab.locator('pre', { hasText: 'v1/checkout_sessions' }).textContent())!;
  const mine = command.replace('sk_test_tg_…', account.testKey).replace('curl ', 'curl -sk ');
  const page = await tab.context().newPage();
  await page.goto(JSON.parse((await promisify(execFile)('sh', ['-c', mine])).stdout).url);
  await typeEmail(page);
  await payOnPage(page);
  await page.close();
  await link(tab, '€20.00').first().waitFor();
  await link(tab, '1 succeeded').waitFor();
  await tab.getByText(/^No EUR payments before /).waitFor();
});

longWalk(
  'numbers lead to the lists behind them, by mouse and by keyboard; range and currency stand in the address',
  async () => {
    const tab = await dashboard.open('/');
    await link(tab, /^€50.00$/).waitFor();
    await isConnected(tab);
    await tab.locator('figure svg').waitFor();
    expect(await tab.evaluate(shift)).toBeLessThan(0.1);
    await expectSoundOnTheWay(tab, 'home');
    // 4 payments in EUR have succeeded, 2 in USD and 1 in JPY; a list has those of the number that leads to it.
    await link(tab, '1 failed').click();
    await tab.waitForURL(
      /\/payments\?status=failed&currency=eur&created_from=\d{4}-\d\d-\d\d&created_to=\d{4}-\d\d-\d\d$/,
    );
    await heading(tab, 'Payments').waitFor(); // Home has rows too
    await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(1);
    await tab.goBack();
    await tab.getByRole('navigation', { name: 'Currencies' }).getByText('USD').click();
    await tab.waitForURL(/currency=usd/);
    await link(tab, /^\$20.00$/).waitFor();
    await link(tab, '2 succeeded').click();
    await tab.waitForURL(/\/payments\?status=succeeded&currency=usd&/);
    await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(2);
    await tab.getByRole('button', { name: 'Currency usd' }).waitFor();
    await tab.goBack();
    await tab.getByRole('navigation', { name: 'Currencies' }).getByText('EUR').click();
    const volume = tab.getByRole('slider', { name: 'Volume in EUR' });
    await volume.focus();
    await tab.keyboard.press('ArrowLeft');
    await tab.keyboard.press('ArrowLeft');
    await volume.locator('dd', { hasText: '€30.00' }).first().waitFor();
    expect(await volume.getAttribute('aria-valuetext')).toMatch(
      /^\w+, \w+ \d+, Gross €30.00, Refunds €0.00, Disputes €0.00, Fees €0.00, Net €30.00, Payments 3 succeeded, 1 failed$/,
    );
    // A tap shows what a mouse shows by pointing; it leads nowhere.
    const { x, y, width } = (await volume.boundingBox())!;
    const tap = { pointerType: 'touch', clientX: x + width - 4, clientY: y + 4 };
    for (const type of ['pointerdown', 'pointerup', 'pointerout', 'click']) await volume.dispatchEvent(type, tap);
    await expect.poll(() => volume.getAttribute('aria-valuenow')).toBe('6');
    await volume.locator('dd').first().waitFor();
    await volume.press('ArrowLeft');
    await volume.press('ArrowLeft');
    // A row of titles, and one a day.
    expect(await tab.getByRole('table', { name: 'Volume in EUR' }).getByRole('row').count()).toBe(8);
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\/payments\?status=succeeded&currency=eur&created_from=(\S+)&created_to=\1$/);
    await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(3);
  },
);

longWalk('the last 24 hours and chosen days are counted as the lists count them', async () => {
  const tab = await dashboard.open('/?range=24h&currency=eur');
  await link(tab, '1 succeeded').click();
  await tab.waitForURL(/\/payments\?status=succeeded&currency=eur&created_from=\S+T\S+Z&created_to=\S+T\S+Z$/);
  await heading(tab, 'Payments').waitFor(); // Home has rows too
  await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(1);
  await tab.goBack();
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await tab.getByRole('button', { name: 'Custom range' }).click();
  await tab.getByLabel('From').fill(day);
  await tab.getByLabel('To (inclusive)').fill('2020-01-01');
  await tab.getByText('must not be before').waitFor();
  await tab.getByLabel('To (inclusive)').fill(day);
  await expectSoundOnTheWay(tab, 'other days');
  await tab.getByRole('button', { name: 'Show' }).click();
  await tab.waitForURL(new RegExp(`currency=eur&from=${day}&to=${day}`));
  await link(tab, '3 succeeded').waitFor();
  expect(await tab.getByRole('table', { name: 'Volume in EUR' }).getByRole('row').count()).toBe(25);
  await link(tab, /^4$/).waitFor();
});

longWalk('what needs a person is counted, and has the action that helps; a viewer has nothing to do', async () => {
  const { sql } = dashboard.server;
  const tenant = await tenantOf(sql, dashboard.account.id, 'test');
  const url = 'https://127.0.0.1:9/%3Cb%3Ebold%3C/b%3E';
  const endpoint = await dashboard.post('/v1/webhook_endpoints', { url, enabled_events: ['payment.*'] });
  await sql.query(`update webhook_endpoints set status = 'disabled', disabled_at = now(), disabled_reason = 'gone'`);
  const lost = newId('py', Date.now() - 4 * 86_400_000);
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     values ($1, $2, 1, 700, 0, 'eur', 'pm_x', 'processing', 1, now())`,
    [tenant, lost],
  );
  const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
  const theirs = await dashboard.openAs(viewer, '/needs-attention');
  await theirs.getByText('Nothing needs attention').first().waitFor();
  expect(await theirs.getByText('The endpoint was disabled').count()).toBe(0);
  const tab = await dashboard.open('/');
  const waiting = tab.getByRole('main').locator('section', { hasText: 'Needs attention' });
  await waiting.getByText('The processor has given no final answer.').waitFor();
  await tab.getByRole('link', { name: 'Needs attention 2 waiting' }).click();
  await heading(tab, 'Needs attention').waitFor();
  await tab.getByText(`npx tollgate payments settle ${lost} --as <status>`).waitFor();
  await expectSoundOnTheWay(tab, 'needs a person');
  await tab.getByRole('link', { name: 'Failing endpoints' }).click();
  await tab.waitForURL(/kind=webhook_endpoint/);
  expect(await tab.getByText('The processor has given no final answer.').count()).toBe(0);
  await tab.getByRole('button', { name: 'Enable the endpoint' }).click();
  await tab.getByText(`New events are sent to ${url}.`).waitFor();
  await expectSoundOnTheWay(tab, 'enabling an endpoint');
  await tab.getByRole('dialog').getByRole('button', { name: 'Enable the endpoint' }).click();
  await tab.getByText('Endpoint enabled').waitFor();
  await tab.getByRole('link', { name: 'Needs attention 1 waiting' }).waitFor();
  const { json } = await dashboard.account.test.get(`/v1/webhook_endpoints/${endpoint.id}`);
  expect(json.status).toBe('enabled');
  await link(tab, 'Open the payment').click();
  await tab.waitForURL(`${dashboard.place}/payments/${lost}`);
});

longWalk(
  'changes appear as they happen, in all tabs by one stream; what happens while offline appears after it',
  async () => {
    // In a context of its own: going offline is for all tabs of one.
    const first = await dashboard.openAs(dashboard.owner);
    const streams: { lastEventId: string | undefined }[] = [];
    first.context().on('request', (request) => {
      if (request.url().endsWith('/v1/changes')) streams.push({ lastEventId: request.headers()['last-event-id'] });
    });
    await first.goto(`${dashboard.place}/payments`);
    await isConnected(first);
    const second = await first.context().newPage();
    await second.goto(`${dashboard.place}/payments`);
    await isConnected(second);
    await pay(3_131, { description: 'seen at once' });
    await Promise.all([first, second].map((tab) => link(tab, '€31.31').waitFor()));
    expect(streams).toEqual([{ lastEventId: undefined }]);
    await first.context().setOffline(true);
    await first.locator('[data-live=reconnecting]').waitFor();
    await pay(4_141);
    expect(await link(first, '€41.41').count()).toBe(0);
    await first.context().setOffline(false);
    await Promise.all([first, second].map((tab) => link(tab, '€41.41').waitFor()));
    await isConnected(first);
    expect(streams.at(-1)!.lastEventId).toMatch(/./);
    // When the tab that has the stream closes, the other one takes it over.
    await first.close();
    await eventually(() => expect(streams.at(-1)).toEqual({ lastEventId: undefined }));
    await isConnected(second);
    await pay(5_151);
    await link(second, '€51.51').waitFor();
  },
);

longWalk('where there is no stream, what is shown is read again and again', async () => {
  const tab = await dashboard.openAs(dashboard.owner);
  await tab.clock.install();
  await tab.route('**/v1/changes', (route) => route.abort('connectionreset'));
  await tab.goto(`${dashboard.place}/payments`);
  await heading(tab, 'Payments').waitFor();
  await tab.clock.runFor(11_000);
  await tab.locator('[data-live=polling]').waitFor();
  await pay(6_161);
  await tab.clock.runFor(10_000);
  await link(tab, '€61.61').waitFor();
});

longWalk('the stream ends with the session, and follows to another mode', async () => {
  const { changes } = dashboard.server.gateway.services;
  const person = await dashboard.server.person(dashboard.account.id, 'viewer');
  await becomes(() => changes.size).toBe(0);
  const tab = await dashboard.openAs(person, '/payments');
  const modes: (string | undefined)[] = [];
  tab.on('request', (request) => {
    if (request.url().endsWith('/v1/changes')) modes.push(request.headers()['x-tollgate-mode']);
  });
  await isConnected(tab);
  expect(changes.size).toBe(1);
  await tab.getByText('Live', { exact: true }).click();
  await becomes(() => modes.at(-1)).toBe('live');
  await isConnected(tab);
  await becomes(() => changes.size).toBe(1);
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.getByLabel('Email').waitFor();
  await becomes(() => changes.size).toBe(0);
});

describe.skipIf(!isTorture)('with months of payments in four currencies', () => {
  const days = 75;
  const clock = virtualClock(Date.now() - days * 86_400_000);
  const shop = openDashboard({
    clock,
    fill: (server, account) => addMonths({ server, account, clock, days, perDay: 7 }),
  });
  /** The last 30 days, as the page asks for them: the browser is in UTC. */
  const to = () => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
  const ask = async (path: string, more: object) => {
    const query = { from: String(to() - 30 * 86_400), to: String(to()), ...more };
    return (await shop.owner.client.get(`/v1/${path}?${new URLSearchParams(query)}`)).json;
  };

  test('figures, chart and breakdowns are those of the API, in each currency', async () => {
    const { totals } = await ask('statistics', { bucket: 'day' });
    expect(totals.map(({ currency }: { currency: string }) => currency)).toEqual(['eur', 'jpy', 'kwd', 'usd']);
    const tab = await shop.open('/?range=30d');
    const strip = tab.getByRole('navigation', { name: 'Currencies' });
    for (const { currency, volume, net, fees, refunds, disputes, payments, succeeded, failed } of totals) {
      const money = (amount: number) => formatMoney(amount, currency, 'en-US').replaceAll(/\s/g, ' ');
      await strip.getByText(currency.toUpperCase(), { exact: true }).click();
      const figures = tab.getByRole('region', { name: 'Volume' });
      await figures.getByText(money(net), { exact: true }).first().waitFor();
      const text = (await figures.innerText()).replaceAll(/\s/g, ' ');
      for (const shown of [
        money(volume),
        `after ${money(fees)} in fees`,
        `${succeeded} succeeded`,
        `${failed} failed of ${payments}`,
        `${refunds} refund`,
        `${disputes} dispute`,
      ])
        expect(text, currency).toContain(shown);
      expect(text, currency).toMatch(/(up|down) +[\d.,]+% from/);
      expect((await strip.innerText()).replaceAll(/\s/g, ' ')).toContain(money(volume));
      const rows = tab.getByRole('table', { name: `Volume in ${currency.toUpperCase()}` }).getByRole('row');
      expect(await rows.count()).toBe(31);
      for (const by of ['decline_code', 'processor', 'brand', 'country'])
        await expectBreakdown(tab, by, currency, await ask('statistics/breakdown', { by, currency }));
    }
  });

  const titles: Record<string, string> = {
    decline_code: 'Reasons for declines',
    processor: 'Success by processor',
    brand: 'Success by card brand',
    country: 'Success by country',
  };

  /** Every payment is in a row; the others are in the last one. */
  async function expectBreakdown(tab: Tab, by: string, currency: string, answer: Answer['json']): Promise<void> {
    const section = tab.locator('section', { has: tab.getByRole('heading', { name: titles[by]! }) });
    const sum = (of: string) => answer.data.reduce((total: number, row: Record<string, number>) => total + row[of]!, 0);
    const shown = async () => {
      const texts = await section.getByRole('listitem').allInnerTexts();
      const pattern = by === 'decline_code' ? /([\d,]+)$/ : /of ([\d,]+)\s+payments?$/;
      return texts.reduce((total, text) => total + Number(pattern.exec(text.trim())?.[1]?.replaceAll(',', '')), 0);
    };
    await expect
      .poll(shown, { message: `${by} in ${currency}` })
      .toBe(sum(by === 'decline_code' ? 'failed' : 'payments'));
  }

  test('recurring revenue and dunning are those of the API; a currency without subscriptions leads to one that has some', async () => {
    const { totals } = await ask('statistics/subscriptions', {});
    const eur = totals.find(({ currency }: { currency: string }) => currency === 'eur');
    expect(Math.min(eur.mrr, eur.new, eur.lost, eur.lost_invoices)).toBeGreaterThan(0);
    const money = (amount: number) => formatMoney(amount, 'eur', 'en-US');
    const tab = await shop.open('/?range=30d&currency=kwd');
    const section = tab.locator('section', { has: tab.getByRole('heading', { name: 'Subscriptions' }) });
    await section.getByText('No subscriptions in KWD.').waitFor();
    await section.getByRole('link', { name: 'EUR' }).click();
    await section.getByText(money(eur.mrr), { exact: true }).first().waitFor();
    const text = (await section.innerText()).replaceAll(/\s+/g, ' ');
    for (const shown of [
      `${eur.new} new, ${eur.lost} lost`,
      `Recovered by dunning ${money(eur.recovered_amount)} ${eur.recovered} invoice`,
      `Lost in dunning ${money(eur.lost_amount)} ${eur.lost_invoices} invoice`,
    ])
      expect(text).toContain(shown);
    const rows = section.getByRole('table', { name: 'Monthly recurring revenue in EUR' }).getByRole('row');
    expect(await rows.count()).toBe(31);
  });

  test('nothing is cut or unreadable, at any width and in both themes', async () => {
    const tab = await shop.open('/?range=90d');
    await tab.getByRole('slider').first().waitFor();
    await loaded(tab);
    await expectSound(tab, 'home with months');
    for (const width of [320, 1_024, 2_560]) {
      await tab.setViewportSize({ width, height: 1_000 });
      await expect
        .poll(() => tab.evaluate('document.documentElement.scrollWidth - innerWidth'), { message: `${width} px` })
        .toBeLessThanOrEqual(0);
    }
  });

  test('a reason leads to the payments that failed for it; a part of 12 months is a month', async () => {
    const tab = await shop.open('/?range=12m&currency=eur');
    await expect.poll(() => tab.getByRole('table', { name: 'Volume in EUR' }).getByRole('row').count()).toBe(13);
    await tab.getByText(/^No EUR payments before /).waitFor();
    await link(tab, 'Insufficient funds').click();
    await tab.waitForURL(/\/payments\?currency=eur&created_from=\S+&decline_code=insufficient_funds&status=failed$/);
    await heading(tab, 'Payments').waitFor();
    await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBeGreaterThan(0);
  });

  test('a brand and a country lead to as many payments as their rows have', async () => {
    for (const [by, title] of Object.entries(titles).filter(([name]) => name === 'brand' || name === 'country')) {
      const { data } = await ask('statistics/breakdown', { by, currency: 'kwd' });
      const tab = await shop.open('/?range=30d&currency=kwd');
      const section = tab.locator('section', { has: tab.getByRole('heading', { name: title }) });
      await section.getByRole('link').first().click();
      await tab.waitForURL(new RegExp(`/payments\\?currency=kwd&created_from=\\S+&${by}=\\w+$`));
      const value = new URL(tab.url()).searchParams.get(by);
      const { payments } = data.find((row: { value?: string }) => row.value === value);
      await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(Math.min(payments, 25));
    }
  });
});
