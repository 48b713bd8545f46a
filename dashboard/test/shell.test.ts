import type { Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { expectSound } from './browser.ts';
import { heading, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

longWalk('live mode looks different from test mode, and says how to get a processor', async () => {
  // In a context of its own: a new tab begins in the mode of the last one.
  const tab = await dashboard.openAs(dashboard.owner, '/payments');
  await tab.getByRole('status').getByText('Test mode').waitFor();
  const colour = () => tab.evaluate("getComputedStyle(document.querySelector('header > [data-mode]')).backgroundColor");
  const test = await colour();
  await tab.getByText('Live', { exact: true }).click();
  await tab.getByText('No processor takes live payments yet').waitFor();
  await tab.getByText('No live payments yet').waitFor();
  await tab.getByRole('status').getByText('Live mode: real money').waitFor();
  expect(await colour()).not.toBe(test);
  await tab.setViewportSize({ width: 375, height: 900 });
  const copy = await tab.getByRole('button', { name: 'Copy the command' }).first().boundingBox();
  expect(copy!.x + copy!.width).toBeLessThan(375);
});

longWalk('the palette opens by the keyboard, and leads to a page and to an object', async () => {
  const { id: customer } = await dashboard.post('/v1/customers', { name: 'Ada' });
  const tab = await dashboard.open('/payments');
  await heading(tab, 'Payments').waitFor();
  await tab.keyboard.press('Control+k');
  await tab.getByPlaceholder('Search payments').fill('custom');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.place}/customers`);
  await heading(tab, 'Customers').waitFor();
  await tab.keyboard.press('/');
  await tab.getByPlaceholder('Search payments').fill(customer);
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.place}/customers/${customer}`);
});

/** Whether the navigation shows the link of a page, which may be far down. */
async function isInSight(tab: Tab, name: string): Promise<boolean> {
  const box = await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).boundingBox();
  return box !== null && box.y > 0 && box.y + box.height <= 900;
}

longWalk(
  'the frame is sound: the menu of the account, a page that does not exist, the navigation of a narrow screen',
  async () => {
    const tab = await dashboard.open('/nowhere');
    await tab.getByText('Page not found').waitFor();
    await expectSound(tab, 'nowhere');
    await tab.getByRole('button', { name: /^Account/ }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectSound(tab, 'the menu of the account');
    await tab.getByRole('menuitem', { name: 'My profile' }).click();
    await heading(tab, 'My profile').waitFor();
    await expect.poll(() => isInSight(tab, 'Settings')).toBe(true);
    const settings = tab.getByRole('navigation', { name: 'Settings' });
    expect(await settings.getByRole('link', { name: 'My profile' }).getAttribute('aria-current')).toBe('page');
    await tab.setViewportSize({ width: 375, height: 900 });
    await tab.getByRole('button', { name: 'Navigation' }).click();
    await expectSound(tab, 'the navigation of a narrow screen');
    await tab.setViewportSize({ width: 375, height: 900 });
    await tab.getByRole('link', { name: 'Customers' }).click();
    await heading(tab, 'Customers').waitFor();
  },
);

longWalk(
  'a group of the navigation folds by the keyboard, stays folded, and keeps the page that is shown',
  async () => {
    const tab = await dashboard.openAs(dashboard.owner, '/refunds');
    const links = tab.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const group = tab.getByRole('button', { name: 'Payments', exact: true });
    await group.focus();
    await tab.keyboard.press('Enter');
    await links.getByText('Disputes').waitFor({ state: 'hidden' });
    await tab.reload();
    await heading(tab, 'Refunds').waitFor();
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    expect(await links.getByText('Disputes').isVisible()).toBe(false);
    expect(await links.getByText('Refunds').isVisible()).toBe(true);
    await expectSound(tab, 'a folded group');
    await group.click();
    await links.getByText('Disputes').waitFor();
  },
);
