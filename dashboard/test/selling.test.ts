import { readFileSync } from 'node:fs';
import type { Download, Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { goOnAndPay } from './checkout.ts';
import { heading, loaded, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

const opened = async (tab: Tab, button: string): Promise<Tab> => {
  const [page] = await Promise.all([
    tab.context().waitForEvent('page'),
    tab.getByRole('link', { name: button }).click(),
  ]);
  return page;
};

longWalk('somebody without code gets a first test payment from Home within a minute', async () => {
  const account = await dashboard.server.account();
  const owner = await dashboard.server.person(account.id, 'owner');
  const tab = await dashboard.openAs(owner, '');
  const started = Date.now();
  await tab.getByRole('button', { name: 'Get a payment link' }).click();
  await tab.getByText('Your link for €20.00, “Coffee beans” is ready').waitFor();
  await expectSoundOnTheWay(tab, 'a first link');
  const page = await opened(tab, 'Open the page and pay');
  await goOnAndPay(page);
  await tab.getByRole('link', { name: '€20.00' }).first().waitFor();
  expect(Date.now() - started).toBeLessThan(60_000);
  const { json } = await account.test.get('/v1/checkout_sessions');
  expect(json.data).toMatchObject([{ status: 'complete', payment_status: 'paid', amount_total: 2_000 }]);
});

longWalk('a link is created, shared as a code, sold, and switched off; a viewer only sees it', async () => {
  const tab = await dashboard.open('/payment-links');
  await tab.getByText('No test payment links yet').waitFor();
  await expectSoundOnTheWay(tab, 'no payment links');
  await tab.getByRole('button', { name: 'Create link' }).click();
  await tab.getByLabel('What is sold').fill(markup);
  await tab.getByLabel('Amount', { exact: true }).fill('12');
  await tab.getByLabel('How often it can be sold').fill('1');
  await expectSoundOnTheWay(tab, 'a new payment link');
  await tab.getByRole('button', { name: 'Create a link for €12.00' }).click();
  await heading(tab, markup).waitFor();
  await expectSoundOnTheWay(tab, 'a payment link');
  const id = tab.url().split('/').at(-1)!;

  const file = async (name: string): Promise<Download> => {
    const [download] = await Promise.all([tab.waitForEvent('download'), tab.getByRole('button', { name }).click()]);
    return download;
  };
  const svg = await file('Download SVG');
  expect(svg.suggestedFilename()).toBe(`payment-link-${id}.svg`);
  expect(readFileSync(await svg.path(), 'utf8')).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 (\d+) \1"/);
  const png = readFileSync(await (await file('Download PNG')).path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1_000);

  const page = await opened(tab, 'Open the page');
  await goOnAndPay(page);
  await tab.getByText('Sold out').first().waitFor();
  await tab.getByRole('row').filter({ hasText: 'Paid' }).waitFor();
  await tab.getByRole('button', { name: 'Switch off' }).click();
  await tab.getByRole('button', { name: 'Switch it off' }).click();
  await tab.getByText('Switched off: nobody can pay').waitFor();
  expect((await dashboard.account.test.get(`/v1/payment_links/${id}`)).json).toMatchObject({
    active: false,
    completed: 1,
  });

  await tab.getByRole('row').filter({ hasText: 'Paid' }).getByRole('link').first().click();
  await tab.getByText('The customer has paid').waitFor();
  await expectSoundOnTheWay(tab, 'a checkout session that is paid');
  const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
  const other = await dashboard.openAs(viewer, `/payment-links/${id}`);
  await other.getByText('can switch it on').waitFor();
  expect(await other.getByRole('button', { name: 'Switch on' }).count()).toBe(0);
});

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

longWalk('a session shows each of its tries; a sale of its link is one that is paid', async () => {
  const sold = { amount: 2_000, currency: 'eur', description: markup };
  const { id, url } = await dashboard.post('/v1/payment_links', sold);
  const tab = await dashboard.open(`/payment-links/${id}`);
  const page = await opened(tab, 'Open the page');
  expect(page.url()).toBe(url);
  await page.locator('[name=email]').fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('[name=number]').fill('4000000000009995');
  await page.locator('[name=expiry]').fill('12/40');
  await page.locator('[name=cvc]').fill('123');
  await page.locator('#pay-button').click();
  await page.getByRole('alert').first().waitFor();
  const [{ id: session }] = (await dashboard.account.test.get(`/v1/checkout_sessions?payment_link=${id}`)).json.data;
  await tab.reload();
  await tab.getByText('Nothing was sold yet').waitFor();
  await loaded(tab);
  const sale = tab.getByRole('row').filter({ hasText: 'ada@example.com' });
  expect(await sale.count()).toBe(0);

  const other = await dashboard.open(`/checkout-sessions/${session}`);
  const row = (words: string) => other.getByRole('row').filter({ hasText: words });
  await row('There was not enough money on the card').filter({ hasText: 'Visa •••• 9995' }).waitFor();
  await page.locator('[name=number]').fill('4242424242424242');
  await page.locator('[name=expiry]').fill('12/40');
  await page.locator('[name=cvc]').fill('123');
  await page.locator('#pay-button').click();
  await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  await row('Succeeded').filter({ hasText: 'Visa •••• 4242' }).waitFor(); // followed live
  await other.getByRole('link', { name: '€20.00 · Visa •••• 4242', exact: true }).waitFor();
  await other.locator('dl').getByText('Succeeded').waitFor();
  await other.locator('dl').getByRole('link', { name: markup }).waitFor(); // what the link sells
  await expectSoundOnTheWay(other, 'a checkout session with two tries');
  await sale.waitFor();

  await row('There was not enough money').getByRole('link', { name: '€20.00' }).click();
  await heading(other, '€20.00').waitFor();
  await other.getByText('Payment failed').first().waitFor();
  await other.locator('dl').getByRole('link', { name: markup }).click();
  await row('Succeeded').waitFor();
});

longWalk('a session that saves a card is created, and has one', async () => {
  const tab = await dashboard.open('/checkout-sessions');
  await tab.getByRole('button', { name: 'Create session' }).click();
  await tab.getByRole('combobox', { name: 'The customer' }).click();
  await tab.getByRole('option', { name: 'Saves a card, without paying' }).click();
  await tab.getByLabel('What is sold').fill('A card for deliveries');
  expect(await tab.getByLabel('Amount', { exact: true }).count()).toBe(0);
  await expectSoundOnTheWay(tab, 'a new session that saves a card');
  await tab.getByRole('dialog').getByRole('button', { name: 'Create session' }).click();
  await tab.getByText('The customer can save a card').waitFor();
  const page = await opened(tab, 'Open the page');
  for (const [field, value] of Object.entries({
    email: 'a@b.test',
    number: '4242424242424242',
    expiry: '12/40',
    cvc: '123',
  }))
    await page.locator(`#${field}`).fill(value);
  await page.getByRole('button', { name: 'Save card' }).click();
  await heading(page, 'Card saved').waitFor();
  await tab.getByText('The card is saved').waitFor();
  await expectSoundOnTheWay(tab, 'a session that has saved a card');
});
