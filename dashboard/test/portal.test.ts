import type { Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { PortalBrowser } from '../../server/resources/selling/portal/portal.fixture.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, openDashboard } from './fixture.ts';

/** What members see and set of the customer portal. What customers do there, `portal_walk.ts` walks in every run. */

const dashboard = openDashboard();

const preview = (tab: Tab) => tab.getByRole('img', { name: 'How the portal will look' });
const priced = (product_name: string, unit_amount: number) =>
  dashboard.post('/v1/prices', { product_name, unit_amount, currency: 'eur', recurring: { interval: 'month' } });

longWalk(
  'an owner switches what customers may do beside a preview of it, for each mode; a viewer only sees it',
  async () => {
    const [silver, gold] = [await priced('Silver', 900), await priced('Gold', 1_900)];
    const tab = await dashboard.open('/settings/portal');
    await heading(tab, 'Customer portal').waitFor();
    await tab.getByText(`/portal/test/${dashboard.account.id}`).first().waitFor();
    const save = tab.getByRole('button', { name: 'Save' });
    await preview(tab).getByText('Cancel at the end of the period').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await expectSoundOnTheWay(tab, 'the settings of the portal');
    await tab.getByRole('radio', { name: /^Immediately/ }).check();
    await preview(tab).getByText('Cancel immediately').waitFor();
    for (const name of [/^Pause/, /^Resume/, /^Change the quantity/])
      await tab.getByRole('switch', { name }).press('Space');
    await preview(tab).getByText('Pause', { exact: true }).waitFor();
    await tab.getByRole('switch', { name: /^Add/ }).press('Space');
    await preview(tab).getByText('Add payment method').waitFor({ state: 'detached' });
    for (const [id, words] of [
      [silver.id, 'Silver, €9.00 per month'],
      [gold.id, 'Gold, €19.00 per month'],
    ] as const) {
      await tab.getByRole('combobox', { name: 'Add a price' }).fill(id);
      await tab.getByRole('option', { name: words }).click();
      await tab.getByRole('button', { name: `Remove ${words}` }).waitFor();
      if (id === silver.id) await tab.getByText('One price is no choice').waitFor();
    }
    await preview(tab).getByText('Change', { exact: true }).waitFor();
    await expectSoundOnTheWay(tab, 'settings of the portal that are chosen');
    await save.click();
    await tab.getByText('Customer portal saved').waitFor();
    const { client } = dashboard.owner;
    const changed = {
      ...{ cancel: 'now', pause: true, resume: true, change_quantity: true, add_method: false },
      change_price: [silver.id, gold.id],
    };
    expect((await client.get('/v1/portal_settings')).json).toMatchObject(changed);
    const live = (await client.with({ 'X-Tollgate-Mode': 'live' }).get('/v1/portal_settings')).json;
    expect(live).toMatchObject({ cancel: 'period_end', add_method: true, change_price: [] });

    // A price that can no longer be sold is refused where it stands.
    await dashboard.post(`/v1/prices/${gold.id}`, { active: false });
    await tab.getByRole('button', { name: /^Remove Silver/ }).click();
    await save.click();
    await tab.getByText(/not active/).waitFor();
    await tab.getByRole('button', { name: 'Discard changes' }).click();
    await tab.getByRole('button', { name: /^Remove Silver/ }).waitFor();
    await tab.getByRole('button', { name: /^Remove Gold/ }).click();
    await save.click();
    await expect.poll(async () => (await client.get('/v1/portal_settings')).json.change_price).toEqual([silver.id]);

    const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
    const other = await dashboard.openAs(viewer, '/settings/portal');
    await other.getByText('Owners and developers can change it').waitFor();
    expect(await other.getByRole('switch', { name: /^Pause/ }).isDisabled()).toBe(true);
    expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
  },
);

longWalk('support copies a link to the portal, which signs in once; it is in the audit log', async () => {
  const { account, server } = dashboard;
  const customer = await dashboard.post('/v1/customers', { name: 'Ada', email: 'ada@example.com' });
  const support = await server.person(account.id, 'support');
  const tab = await dashboard.openAs(support, `/customers/${customer.id}`);
  await tab.getByRole('button', { name: 'More' }).click();
  await tab.getByRole('menuitem', { name: 'Copy portal link' }).click();
  await tab.getByText('It works once, within 5 minutes.').waitFor();
  await expectSoundOnTheWay(tab, 'a portal link that is to be made');
  await tab.getByRole('button', { name: 'Make the link' }).click();
  const url = await tab.getByTestId('secret').innerText();
  expect(url).toMatch(new RegExp(`^${server.baseUrl}/portal/link/`));
  await expectSoundOnTheWay(tab, 'a portal link');
  await tab.keyboard.press('Escape');
  await tab.getByText('You have not copied the link').waitFor();
  await tab.getByRole('button', { name: 'Close without the link' }).click();
  const browser = await new PortalBrowser(server.anonymous).signIn({ url });
  expect(browser.text).toContain('Ada');
  expect((await new PortalBrowser(server.anonymous).open(url)).status).toBe(404);

  const log = await dashboard.open(`/settings/audit-log?subject=${customer.id}`);
  await log.getByRole('button', { name: 'Portal sessions: create' }).waitFor();
  await log.getByText(support.email).first().waitFor();
  await log.getByRole('button', { name: 'Portal session: begun' }).click();
  await log.getByRole('dialog').getByText('the customer').waitFor();
  expect(await log.getByText('Operator command').count()).toBe(0);
  await expectSoundOnTheWay(log, 'what a customer did');
  await log.keyboard.press('Escape');
  await log.getByRole('link', { name: 'the customer', exact: true }).click();
  await log.waitForURL(`${dashboard.place}/customers/${customer.id}`);
  await loaded(log);

  const viewer = await dashboard.openAs(await server.person(account.id, 'viewer'), `/customers/${customer.id}`);
  await heading(viewer, 'Ada').waitFor();
  expect(await viewer.getByRole('button', { name: 'More' }).count()).toBe(0);
  await go(viewer, '/settings/mail-preview');
  await heading(viewer, 'Mail preview').waitFor();
  expect(await viewer.getByText('Codes for the portal').count()).toBe(0);
});
