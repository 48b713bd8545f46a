import { readdirSync } from 'node:fs';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { roles } from '../../server/operations/role.ts';
import { tenantOf } from '../../server/resources/payments/balance/postings.fixture.ts';
import { addComparison } from '../../server/resources/payments/reconciliations/reconciliations.fixture.ts';
import { eventually } from '../../server/test/eventually.ts';
import { isTorture } from '../../server/test/torture.ts';
import { objectPaths } from '../src/kit/paths.ts';
import { expectSound } from './browser.ts';
import { type Fixture, go, heading, loaded, longWalk, markup } from './fixture.ts';
import { receiptsAreSent } from './read_mails.ts';

/** Every page, with markup in every text that somebody can set; in both colours and both widths. */

type Entry = { path: string; title: string; page(): unknown; detail?(): unknown };

// By its address: the program that checks these types knows no JSX.
const { groups, pages, redirects } = (await import(new URL('../src/pages/index.ts', import.meta.url).href)) as {
  groups: readonly { pages: readonly Entry[] }[];
  pages: readonly Entry[];
  redirects: readonly Required<Pick<Entry, 'path' | 'detail'>>[];
};
/** The pages of an object that have the most on them, and all under torture: a browser needs half a second for each. */
const isLookedAt = (prefix: string) => isTorture || ['py', 'cus', 'sub'].includes(prefix);
const prefixOf = (path: string) => Object.entries(objectPaths).find(([, one]) => one === path)?.[0] ?? '';
/** One page of each group, and those of these objects; all under torture. */
const visited = groups.flatMap((group) => group.pages.filter(({ path }, at) => at === 0 || isLookedAt(prefixOf(path))));

/** One page with axe in every run, and all of them under torture: a look takes a second. */
const everyTime = new Set(['one of Payments']);
const lookAt = async (tab: Tab, what: string) => {
  if (isTorture || everyTime.has(what)) await expectSound(tab, what);
};
type LookAt = typeof lookAt;

/** Declares the tests. The account of the dashboard gets objects of every kind. */
export function everyPage(dashboard: Fixture): void {
  /** An object of each kind that has a page, by what its id begins with. */
  const ids = new Map<string, string>();
  /** A payment method with a setup that was refused, and one that a trial waits for. */
  let setups: { method: string; refused: string; subscription: string; pending: string };

  const person = async (path: string, body?: object) => {
    const { client } = dashboard.owner;
    const { status, json, text } = await (body === undefined ? client.get(path) : client.post(path, body));
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return json;
  };

  beforeAll(async () => {
    const note = { name: markup, metadata: { note: markup } };
    const { id: inbox } = await person('/v1/inbox', {});
    await person('/v1/account', { mail: { receipt: true } });
    await receiptsAreSent(dashboard);
    const { id: customer } = await dashboard.post('/v1/customers', {
      ...note,
      email: `${'ada.'.repeat(12)}lovelace@example.com`,
    });
    const card = (number: string) =>
      dashboard.post('/v1/payment_methods', {
        type: 'card',
        card: { number, exp_month: 12, exp_year: 2040 },
        customer,
        billing_details: { name: markup },
      });
    const [visa, disputed] = [await card('4242424242424242'), await card('4000000000000259')];
    await dashboard.post(`/v1/customers/${customer}`, { default_payment_method: visa.id });
    const charge = { amount: 2000, currency: 'eur', customer, description: markup, metadata: { note: markup } };
    const { id: contested } = await dashboard.post('/v1/payments', { ...charge, payment_method: disputed.id });
    const payment = await dashboard.post('/v1/payments', { ...charge, payment_method: visa.id });
    await dashboard.post('/v1/refunds', { payment: payment.id, amount: 500, metadata: { note: markup } });
    const recurring = { interval: 'month', interval_count: 1 };
    const price = await dashboard.post('/v1/prices', {
      unit_amount: 900,
      currency: 'eur',
      recurring,
      product_name: markup,
    });
    const sold = { amount: 1_200, currency: 'eur', description: markup, metadata: { note: markup } };
    const link = await dashboard.post('/v1/payment_links', sold);
    const session = await dashboard.post('/v1/checkout_sessions', { ...sold, reference: markup });
    const coupon = await dashboard.post('/v1/coupons', { percent_off: 10, duration: 'once', name: markup });
    await dashboard.post('/v1/subscriptions', { customer, items: [{ price: price.id }], coupon: coupon.id });
    const { id: method } = await card('4000000000003220');
    const refused = await dashboard.post('/v1/setups', { payment_method: method });
    const bank = new URL(refused.next_action.redirect_to_url.url);
    expect((await dashboard.server.anonymous.form(bank.pathname, 'decision=refuse')).status).toBe(303);
    const trial = { customer, items: [{ price: price.id }], trial_days: 14, default_payment_method: method };
    const { id: subscription, pending_setup: pending } = await dashboard.post('/v1/subscriptions', trial);
    setups = { method, refused: refused.id, subscription, pending };
    await dashboard.post('/v1/test_clocks', { frozen_time: Math.floor(Date.now() / 1_000), name: markup });
    await person('/v1/api_keys', { name: markup, kind: 'secret' });
    await eventually(async () => expect((await person(`/v1/disputes?payment=${contested}`)).data).toHaveLength(1));
    await dashboard.server.settled();
    const credentials = { secret_key: 'sk_test_1234567890abcdef' };
    const settings = { api_base: 'https://localhost:9' };
    const processor = await person('/v1/processor_accounts', {
      connector: 'stripe',
      name: markup,
      credentials,
      settings,
    });

    const { sql } = dashboard.server;
    await addComparison(sql, await tenantOf(sql, dashboard.account), { missing: [{ reference: markup }] });
    for (const list of ['payments', 'customers', 'payment_methods', 'refunds', 'disputes', 'balance/transactions'])
      await know(`/v1/${list}`);
    for (const list of ['subscriptions', 'invoices', 'prices', 'coupons', 'events', 'webhook_endpoints', 'test_clocks'])
      await know(`/v1/${list}`);
    for (const list of ['api_keys', 'request_logs', 'users', 'reconciliations', 'mails']) await know(`/v1/${list}`);
    for (const id of [inbox, payment.id, processor.id, link.id, session.id]) ids.set(id.split('_')[0], id);
  });

  async function know(list: string): Promise<void> {
    const [{ id }] = (await person(`${list}?limit=1`)).data;
    ids.set(id.split('_')[0], id);
  }

  test('a setup is shown with its payment method and its subscription, and followed live', async () => {
    const { method, refused, subscription, pending } = setups;
    const tab = await dashboard.open(`/subscriptions/${subscription}`);
    await tab.getByText('The customer must authenticate within an hour').waitFor();
    await loaded(tab);
    await lookAt(tab, 'a subscription with a pending setup');

    await tab.getByRole('link', { name: pending }).first().click();
    await tab.waitForURL(`${dashboard.place}/payment-methods/${method}`);
    const setup = (id: string) => tab.getByRole('row').filter({ hasText: id });
    await setup(refused).getByText('Authentication failed').waitFor();
    await setup(pending).getByText('Requires action').waitFor();
    await tab.getByText('The customer must authenticate within an hour').waitFor();
    await loaded(tab);
    await lookAt(tab, 'a payment method with setups');
    await dashboard.post(`/v1/setups/${pending}/cancel`, {});
    await setup(pending).getByText('Canceled').waitFor();
    expect(await tab.getByText('The customer must authenticate within an hour').count()).toBe(0);

    await go(tab, '/setups/set_0000000000000000000000');
    await heading(tab, 'No such setup').waitFor();
    await lookAt(tab, 'a setup that is not there');
  });

  test('every folder of pages has an entry, and every object with a page is made here', () => {
    const named = [...pages, ...redirects].flatMap((entry) => Object.values(entry).map(String)).join();
    const folders = readdirSync(new URL('../src/pages', import.meta.url), { withFileTypes: true });
    expect(folders.filter((one) => one.isDirectory() && !named.includes(`./${one.name}/`))).toEqual([]);
    const details = pages.filter(({ detail }) => detail !== undefined);
    expect(details.map(({ path }) => prefixOf(path)).sort()).toEqual([...ids.keys()].sort());
  });

  async function visitList(tab: Tab, { path, title }: Entry, look: LookAt, where = ''): Promise<void> {
    await go(tab, `/${path}`);
    await heading(tab, title).or(tab.getByText('available in test mode only')).waitFor();
    await loaded(tab);
    await look(tab, `${title}${where}`);
    expect(await tab.locator('#root img[src=x], #root b').count(), title).toBe(0);
  }

  async function visitObject(tab: Tab, { path, title }: Entry, look: LookAt, where = ''): Promise<void> {
    const id = ids.get(prefixOf(path))!;
    await go(tab, `/${path}/${id}`);
    await tab.getByText(id).first().waitFor();
    await loaded(tab);
    await look(tab, `one of ${title}${where}`);
    expect(await tab.locator('#root img[src=x], #root b').count(), title).toBe(0);
  }

  // With axe on every page it takes minutes.
  test(isTorture ? 'every page is sound, and markup is text' : 'pages are sound, and markup is text', async () => {
    const tab = await dashboard.open('/nowhere');
    await tab.getByText('Page not found').waitFor();
    await lookAt(tab, 'a page that is not there');
    for (const entry of visited) {
      await visitList(tab, entry, lookAt);
      if (entry.detail !== undefined && isLookedAt(prefixOf(entry.path))) await visitObject(tab, entry, lookAt);
    }
    expect(await tab.title()).not.toBe('1');
  });

  const titles = (tab: Tab) => tab.locator('thead th').allInnerTexts();
  const rowHeight = async (tab: Tab) => (await tab.locator('tbody tr').first().boundingBox())?.height;
  const isBeyond =
    'document.querySelector("table").offsetWidth > document.querySelector("table").parentElement.clientWidth';

  test('a list has the columns that there is room for, rows of the chosen height, and titles that stay in sight', async () => {
    const tab = await dashboard.open('/payments');
    await loaded(tab);
    const widths: [width: number, titles: string[]][] = [
      [1440, ['Amount', 'Status', 'Payment method', 'Customer', 'Description', 'Created']],
      [1024, ['Amount', 'Status', 'Payment method', 'Customer', 'Created']],
      [800, ['Amount', 'Status', 'Customer', 'Created']],
      [375, ['Amount', 'Status', 'Created']],
    ];
    for (const [width, expected] of widths) {
      await tab.setViewportSize({ width, height: 300 });
      await expect.poll(() => titles(tab), { message: `${width} px` }).toEqual(expected);
      expect(await tab.evaluate(isBeyond), `${width} px: scrolls sideways`).toBe(false);
      await expect.poll(() => tab.locator('tbody').innerText(), { message: `${width} px` }).toContain('bold</b>');
    }
    await tab.setViewportSize({ width: 1440, height: 160 });
    await expect.poll(() => rowHeight(tab)).toBe(34);
    // Not to the end: the titles leave with the last row, and how much stands below it depends on the number of payments.
    await tab.evaluate('document.querySelector("tbody tr:nth-child(3)").scrollIntoView()');
    const header = await tab.getByRole('banner').boundingBox();
    const top = async () => (await tab.getByRole('columnheader', { name: 'Amount' }).boundingBox())!.y;
    await expect.poll(top).toBe(header!.y + header!.height);
    await tab.getByRole('button', { name: 'Columns and density' }).click();
    await lookAt(tab, 'columns and density');
    await tab.getByText('Comfortable').click();
    await expect.poll(() => rowHeight(tab)).toBe(42);
    await tab.reload();
    await expect.poll(() => rowHeight(tab)).toBe(42);
    await tab.getByRole('button', { name: 'Columns and density' }).click();
    await tab.getByText('Compact').click();
  });

  test('the page of an object tells its story, with facts at the right of it where there is room; its JSON is folded', async () => {
    const tab = await dashboard.open(`/payments/${ids.get('py')}`);
    await tab.getByText(/^Paid with Visa •••• 4242 by .+, captured immediately\. €5\.00 was refunded\.$/).waitFor();
    const left = async (name: string) => (await tab.getByRole('heading', { name }).boundingBox())!.x;
    for (const [width, isBeside] of [
      [1024, true],
      [1000, false],
      [375, false],
    ] as const) {
      await tab.setViewportSize({ width, height: 900 });
      await expect
        .poll(async () => (await left('Details')) > (await left('Timeline')), { message: `${width}` })
        .toBe(isBeside);
    }
    expect(await tab.getByText('"object": "payment"').count()).toBe(0);
    await tab.getByRole('heading', { name: 'JSON' }).click();
    await tab.getByText('"object": "payment"').waitFor();
  });

  /** Both colours and both widths. */
  const inShort: LookAt = (tab, what) => expectSound(tab, what, 2);

  longWalk.each(roles.filter((role) => role !== 'owner'))(
    'every page in the navigation of the role %s is sound',
    async (role) => {
      const tab = await dashboard.openAs(await dashboard.server.person(dashboard.account.id, role), '/');
      await heading(tab, 'Home').waitFor();
      await tab.getByRole('link', { name: 'Settings' }).click();
      await tab.getByRole('navigation', { name: 'Settings' }).waitFor();
      const links = await tab.getByRole('navigation').getByRole('link').all();
      const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
      const offered = hrefs.map((href) => href!.split('?')[0]!.replace(new URL(dashboard.place).pathname, ''));
      const entries = pages.filter(({ path }) => offered.includes(`/${path}`));
      expect(entries.length).toBeGreaterThan(10);
      for (const entry of entries) {
        await visitList(tab, entry, inShort, `, as ${role}`);
        if (entry.detail !== undefined) await visitObject(tab, entry, inShort, `, as ${role}`);
      }
    },
  );

  longWalk('every page is sound where there is nothing yet, in live mode', async () => {
    const empty = await dashboard.server.account();
    const tab = await dashboard.openAs(await dashboard.server.person(empty.id, 'owner'));
    await tab.goto(`${dashboard.home}/${empty.id}/live`);
    for (const entry of pages) await visitList(tab, entry, inShort, ', with nothing yet');
  });

  longWalk('a dialog is sound', async () => {
    const tab = await dashboard.open(`/payments/${ids.get('py')}`);
    await tab.getByRole('button', { name: 'Refund', exact: true }).click();
    await tab.getByText('What will happen').waitFor();
    await expectSound(tab, 'a dialog');
  });
}
