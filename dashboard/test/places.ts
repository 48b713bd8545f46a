import type { Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, heading, loaded, longWalk } from './fixture.ts';

const link = (tab: Tab, name: string) => tab.getByRole('link', { name, exact: true });

/** Account and mode in the address. Declares the tests. */
export function places(dashboard: Fixture): void {
  const inLive = () => dashboard.place.replace(/test$/, 'live');

  longWalk(
    'an address without account and mode leads to those used last; switching keeps the page, and back returns',
    async () => {
      const tab = await dashboard.openAs(dashboard.owner, '/customers?created_from=2020-01-01');
      await tab.waitForURL(`${dashboard.place}/customers?created_from=2020-01-01`);
      await heading(tab, 'Customers').waitFor();
      await tab.getByText('Live', { exact: true }).click();
      await tab.waitForURL(`${inLive()}/customers`);
      await tab.getByText('Live mode: real money').waitFor();
      // Links lead to the same mode, also those that were there before.
      expect(await link(tab, 'Refunds').getAttribute('href')).toBe(`${new URL(inLive()).pathname}/refunds`);
      await tab.goto(`${dashboard.home}/prices`);
      await tab.waitForURL(`${inLive()}/prices`);
      await tab.goBack();
      await tab.goBack();
      await tab.getByRole('status').getByText('Test mode').waitFor();
      expect(tab.url()).toBe(`${dashboard.place}/customers?created_from=2020-01-01`);
      expect(await link(tab, 'Refunds').getAttribute('href')).toBe(`${new URL(dashboard.place).pathname}/refunds`);
    },
  );

  test('the page of an object of the other mode says so, and leads there', async () => {
    const { json: customer } = await dashboard.account.live.post('/v1/customers', { name: 'Ada Lovelace' });
    const tab = await dashboard.open(`/customers/${customer.id}`);
    await heading(tab, 'No such customer').waitFor();
    await tab.getByText('It belongs to live mode. You are in test mode.').waitFor();
    await expectSoundOnTheWay(tab, 'an object of the other mode');
    await link(tab, 'Open it in live mode').click();
    await heading(tab, 'Ada Lovelace').waitFor();
    expect(tab.url()).toBe(`${inLive()}/customers/${customer.id}`);
  });

  longWalk('from one object, another mode leads to its list; nobody gets into an account of others', async () => {
    const { json: customer } = await dashboard.account.live.post('/v1/customers', { name: 'Ada Lovelace' });
    const tab = await dashboard.open();
    await tab.goto(`${inLive()}/customers/${customer.id}`);
    await heading(tab, 'Ada Lovelace').waitFor();
    // One object is not there in the other mode: its list is.
    await tab.getByRole('radiogroup', { name: 'Mode' }).getByText('Test').click();
    await tab.waitForURL(`${dashboard.place}/customers`);
    await heading(tab, 'Customers').waitFor();
    await loaded(tab);

    await tab.goto(`${dashboard.place}/customers/cus_nothing`);
    await heading(tab, 'No such customer').waitFor();
    expect(await link(tab, 'Open it in live mode').count()).toBe(0);
    await link(tab, 'Go to Customers').click();
    await tab.waitForURL(`${dashboard.place}/customers`);

    const other = await dashboard.server.account();
    await tab.goto(`${dashboard.home}/${other.id}/test/customers`);
    await heading(tab, 'You are not a member of this account').waitFor();
    await expectSoundOnTheWay(tab, 'an account of others');
    await tab.getByRole('link', { name: /^Go to / }).click();
    await heading(tab, 'Home').waitFor();
    expect(tab.url()).toBe(`${dashboard.place}/`);
  });
}
