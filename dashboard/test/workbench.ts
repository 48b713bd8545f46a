import type { Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, go, heading, longWalk } from './fixture.ts';

/** The request log as a tool: what was sent and answered, again and as code; and the panel at the bottom of every page. */

const shortcut = 'Control+`';
const tabOf = (tab: Tab, name: string) => tab.getByRole('tab', { name, exact: true });
const rowsOf = (tab: Tab, list: string) => tab.getByRole('list', { name: list }).getByRole('button');
const opener = (tab: Tab) => tab.getByRole('button', { name: 'Workbench', exact: true, expanded: false });

/** Declares the tests. */
export function workbench(dashboard: Fixture): void {
  /** Makes a customer with the key; returns it with the id of the request, once that is in the log. */
  async function customer(name: string) {
    const { test: client } = dashboard.account;
    const { json, headers } = await client.post('/v1/customers', { name, metadata: { plan: 'gold' } });
    const request = headers['request-id'] as string;
    await eventually(async () => expect((await client.get(`/v1/request_logs/${request}`)).status).toBe(200));
    return { id: json.id as string, request };
  }

  test('a request shows what was sent and answered, and is sent again', async () => {
    const { request } = await customer('Ada of the log');
    const tab = await dashboard.open('/request-log');
    await tab.locator(`a[href$="${request}"]`).first().click();
    await tab.getByRole('heading', { name: 'Response' }).waitFor();
    expect(await tab.locator('pre', { hasText: 'Ada of the log' }).count()).toBe(3); // sent, answered, and as code
    await tab.getByRole('button', { name: 'Send again' }).click();
    await tab.getByText('It has a new idempotency key').waitFor();
    await expectSoundOnTheWay(tab, 'the dialog that sends a request again');
    await tab.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    const answered = tab.getByRole('status').filter({ hasText: '200' });
    await answered.waitFor();
    await expectSoundOnTheWay(tab, 'a request that was sent again');
    await answered.getByRole('link').click();
    await tab.waitForURL((url) => url.pathname.includes('/request-log/') && !url.pathname.endsWith(request));
    await tab.getByText(dashboard.owner.email).first().waitFor();
    const { json } = await dashboard.account.test.get('/v1/customers?limit=2');
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Ada of the log', 'Ada of the log']);
  });

  test('the workbench opens by the keyboard, shows what concerns an object, and sends requests', async () => {
    const { id } = await customer('Grace');
    const tab = await dashboard.open(`/customers/${id}`);
    await heading(tab, 'Grace').waitFor();
    await tab.getByRole('button', { name: 'Search' }).focus();
    await tab.keyboard.press(shortcut);
    await expect.poll(() => tab.evaluate('document.activeElement.textContent')).toBe('Log');
    await rowsOf(tab, 'Requests').filter({ hasText: 'POST /v1/customers' }).click();
    await tab.getByRole('region', { name: 'Details' }).getByText('"gold"').first().waitFor();
    await expectSoundOnTheWay(tab, 'the log in the workbench');
    await tabOf(tab, 'Log').press('ArrowRight');
    await rowsOf(tab, 'Events').filter({ hasText: 'customer.created' }).click();
    await tab.getByRole('region', { name: 'Details' }).getByText('"customer.created"').waitFor();
    await expectSoundOnTheWay(tab, 'events in the workbench');
    await tabOf(tab, 'Shell').click();
    const line = tab.getByRole('combobox', { name: 'Request' });
    await line.fill('POST /v1/customers');
    await tab.getByRole('option', { name: `POST /v1/customers/${id}`, exact: true }).click();
    await tab.getByText('Form', { exact: true }).click();
    await tab.getByRole('textbox', { name: 'name', exact: true }).fill('Grace Hopper');
    await expectSoundOnTheWay(tab, 'the shell in the workbench');
    await tab.getByRole('button', { name: 'Send', exact: true }).click();
    await tab.getByRole('status').filter({ hasText: '200' }).waitFor();
    await heading(tab, 'Grace Hopper').waitFor();
    await tab.keyboard.press(shortcut);
    await opener(tab).waitFor();
    expect(await tab.evaluate('document.activeElement.ariaLabel')).toBe('Search');
  });

  longWalk('the workbench remembers its tab and height, and shows deliveries', async () => {
    await dashboard.owner.client.post('/v1/inbox', {});
    const { id } = await customer('Joan');
    await dashboard.server.settled();
    const tab = await dashboard.open('/customers');
    await opener(tab).click();
    await tabOf(tab, 'Deliveries').click();
    await rowsOf(tab, 'Deliveries').filter({ hasText: 'customer.created' }).first().waitFor();
    await go(tab, `/customers/${id}`);
    await expect.poll(() => rowsOf(tab, 'Deliveries').count()).toBeLessThan(3);
    await rowsOf(tab, 'Deliveries').first().click();
    await tab.getByRole('heading', { name: 'Attempts' }).waitFor();
    await expectSoundOnTheWay(tab, 'deliveries in the workbench');
    const edge = tab.getByRole('separator', { name: 'Height of the workbench' });
    await edge.press('ArrowUp');
    expect(await edge.getAttribute('aria-valuenow')).toBe('352');
    await tab.reload();
    await heading(tab, 'Joan').waitFor();
    await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('352');
    expect(await tabOf(tab, 'Deliveries').getAttribute('aria-selected')).toBe('true');
    await tab.getByRole('button', { name: 'Close the workbench' }).click();
    await opener(tab).waitFor();
  });

  longWalk('the shell sends once for a double click; another mode begins with an empty shell', async () => {
    const tab = await dashboard.open('/customers');
    const posted: string[] = [];
    tab.on('request', (request) => request.method() === 'POST' && posted.push(request.url()));
    await opener(tab).click();
    await tabOf(tab, 'Shell').click();
    const line = tab.getByRole('combobox', { name: 'Request' });
    await line.fill('POST /v1/customers');
    await tab.getByRole('textbox', { name: 'Parameters as JSON' }).fill('{"name": "Mary of the test mode"}');
    await tab.getByRole('button', { name: 'Send', exact: true }).dblclick();
    await tab.getByRole('status').filter({ hasText: '200' }).waitFor();
    await tab.getByRole('link', { name: 'Mary of the test mode' }).waitFor();
    expect(posted).toEqual([expect.stringContaining('/v1/customers')]);
    await tab.getByRole('banner').getByText('Live', { exact: true }).click();
    await tab.getByText('Type a method and a path').waitFor();
    await expect.poll(() => line.inputValue()).toBe('');
    expect(await tab.getByText('Mary of the test mode').count()).toBe(0);
    await tab.getByRole('button', { name: 'Close the workbench' }).click();
    await opener(tab).waitFor();
  });

  longWalk('what is redacted is not sent again; live mode only reads; support has no workbench', async () => {
    const { test: client } = dashboard.account;
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
    const { headers } = await client.post('/v1/payment_methods', { type: 'card', card });
    const path = `/request-log/${headers['request-id']}`;
    await eventually(async () => expect((await client.get(`/v1${path.replace('-log', '_logs')}`)).status).toBe(200));
    const tab = await dashboard.open(path);
    await tab.getByText('Not possible. The log does not store some of its values').waitFor();
    expect(await tab.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    await expectSoundOnTheWay(tab, 'a request with a card');
    await tab.goto(`${dashboard.place.replace(/test$/, 'live')}/customers`);
    await opener(tab).waitFor();
    await tab.keyboard.press(shortcut);
    await tabOf(tab, 'Shell').click();
    await tab.getByRole('combobox', { name: 'Request' }).fill('POST /v1/customers');
    await tab.getByText('In live mode the shell only reads: use GET.').waitFor();
    await expectSoundOnTheWay(tab, 'the shell in live mode');
    await tab.keyboard.press(shortcut);
    const support = await dashboard.openAs(await dashboard.server.person(dashboard.account.id, 'support'), '/');
    await heading(support, 'Home').waitFor();
    await support.keyboard.press(shortcut);
    expect(await opener(support).or(tabOf(support, 'Log')).count()).toBe(0);
  });
}
