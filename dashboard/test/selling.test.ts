import { expectSoundOnTheWay } from './browser.ts';
import { heading, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

longWalk('a session is created, and expired', async () => {
  const tab = await dashboard.open('/checkout-sessions');
  await tab.getByRole('button', { name: 'Create session' }).click();
  await tab.getByLabel('What is sold').fill(markup);
  await tab.getByLabel('Amount', { exact: true }).fill('30');
  await tab.getByLabel('Order number').fill('order-7');
  await expectSoundOnTheWay(tab, 'a new checkout session');
  await tab.getByRole('button', { name: 'Create a session for €30.00' }).click();
  await heading(tab, '€30.00').waitFor();
  await tab.getByText('The customer can pay it').waitFor();
  await expectSoundOnTheWay(tab, 'an open checkout session');
  await tab.getByRole('button', { name: 'Expire' }).click();
  await tab.getByRole('button', { name: 'Expire it' }).click();
  await tab.getByText('It was ended before it was paid').waitFor();
  await tab.getByRole('link', { name: 'Checkout sessions' }).first().click();
  await tab.getByRole('row').filter({ hasText: 'order-7' }).waitFor();
  await expectSoundOnTheWay(tab, 'checkout sessions');
});
