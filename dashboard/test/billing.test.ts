import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { heading, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();
const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000;
const recurring = { interval: 'month' };
let seat: string;

beforeAll(async () => {
  const terms = { currency: 'eur', unit_amount: 3000, recurring, metadata: { note: markup } };
  seat = (await dashboard.post('/v1/prices', { ...terms, product_name: `Seat ${markup}` })).id;
});

async function card(customer: string, number: string): Promise<string> {
  const details = { number, exp_month: 12, exp_year: 2040 };
  const owned = { customer, billing_details: { name: markup } };
  return (await dashboard.post('/v1/payment_methods', { type: 'card', card: details, ...owned })).id;
}

/** With a card that is charged unless another one is named. */
async function newCustomer(more: object = {}, number = '4242424242424242') {
  const { id } = await dashboard.post('/v1/customers', { name: markup, ...more });
  await dashboard.post(`/v1/customers/${id}`, { default_payment_method: await card(id, number) });
  return id as string;
}

const read = async (path: string) => (await dashboard.account.test.get(path)).json;
const button = (tab: Tab, name: string | RegExp) => tab.getByRole('button', { name, exact: true });

async function choose(tab: Tab, label: string, typed: string) {
  await tab.getByRole('combobox', { name: label }).fill(typed);
  await tab.getByRole('option').first().click();
}

async function chooseCard(tab: Tab, words: string) {
  await tab.getByRole('combobox', { name: 'Payment method' }).click();
  await tab.getByRole('option', { name: words }).click();
}

async function more(tab: Tab, action: string) {
  await button(tab, 'More').click();
  await tab.getByRole('menuitem', { name: action }).click();
}

/** The changes that the browser sends to an address. */
function watchPosts(tab: Tab, path: string): string[] {
  const sent: string[] = [];
  tab.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === path) sent.push(request.postData() ?? '');
  });
  return sent;
}

/** Both clicks come before the answer: otherwise the second one would be on what the dialog has covered. */
async function doubleClick(tab: Tab, path: string, name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await tab.route(`**${path}`, async (route) => {
    await promise;
    return route.continue();
  });
  await button(tab, name).dblclick();
  resolve();
}

longWalk(
  'a subscription is created, changed as previewed, canceled with its period, kept, paused and resumed',
  async () => {
    const clock = await dashboard.post('/v1/test_clocks', { frozen_time: seconds('2035-02-01') });
    const customer = await newCustomer({ test_clock: clock.id });
    const tab = await dashboard.open('/subscriptions');
    await tab.getByText('No test subscriptions yet').waitFor();
    await button(tab, 'Create subscription').click();
    await choose(tab, 'Customer', customer);
    await choose(tab, 'Price', 'seat');
    await tab.getByLabel('Quantity').fill('2');
    await tab.getByText('€60.00 is charged now to Visa •••• 4242.').waitFor();
    await expectSoundOnTheWay(tab, 'creating a subscription');
    await button(tab, 'Subscribe and charge €60.00').click();
    await heading(tab, `2 × Seat ${markup}`).waitFor();
    const id = tab.url().split('/').at(-1)!;

    await dashboard.post(`/v1/test_clocks/${clock.id}/advance`, { frozen_time: seconds('2035-02-15') });
    await dashboard.server.settled();
    await expect.poll(async () => (await read(`/v1/test_clocks/${clock.id}`)).status).toBe('ready');
    const sent = watchPosts(tab, `/v1/subscriptions/${id}`);
    await button(tab, 'Change').click();
    await tab.getByLabel('Quantity').fill('3');
    await button(tab, 'Change: next invoice €105.00').waitFor();
    await tab.getByText('€15.00 of it is for the rest of this period').waitFor();
    await tab.getByLabel('Now', { exact: true }).click();
    await tab.getByText('€15.00 is charged now to Visa •••• 4242.').waitFor();
    await tab.getByRole('dialog').getByText('-€30.00').waitFor();
    await tab.getByLabel('Change nothing').click();
    await expectSoundOnTheWay(tab, 'changing a subscription');
    await doubleClick(tab, `/v1/subscriptions/${id}`, 'Change and charge €15.00');
    await heading(tab, `3 × Seat ${markup}`).waitFor();
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0]!)).toMatchObject({
      proration: 'invoice_now',
      proration_date: seconds('2035-02-15'),
      payment_behavior: 'error_if_incomplete',
    });
    const { data: invoices } = await read(`/v1/invoices?subscription=${id}`);
    expect(invoices.map(({ total }: { total: number }) => total)).toEqual([1500, 6000]);

    await button(tab, 'Cancel').click();
    await tab.getByText('It continues until').waitFor();
    await expectSoundOnTheWay(tab, 'canceling a subscription');
    await button(tab, 'Cancel at the end of the period').click();
    await tab.getByText('Ends with its period', { exact: true }).waitFor();
    expect(await read(`/v1/subscriptions/${id}`)).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await button(tab, 'Undo cancellation').click();
    await button(tab, /^Keep 3 × Seat/).click();
    await tab.getByText('Ends with its period', { exact: true }).waitFor({ state: 'detached' });
    expect(await read(`/v1/subscriptions/${id}`)).toMatchObject({ cancel_at_period_end: false });

    await more(tab, 'Pause');
    await button(tab, 'Pause and credit €45.00').click();
    await button(tab, 'Resume').click();
    await button(tab, /^Resume 3 × Seat/).click();
    await tab.getByText('Upcoming invoice').waitFor();
    expect(await read(`/v1/subscriptions/${id}`)).toMatchObject({ status: 'active' });
    await tab.getByText('Active', { exact: true }).waitFor();
    await expectSoundOnTheWay(tab, 'a subscription');
  },
);

longWalk('the coupon, the card, the trial and the metadata of a subscription are changed', async () => {
  const customer = await newCustomer();
  const other = await card(customer, '5555555555554444');
  const coupon = await dashboard.post('/v1/coupons', { percent_off: 50, duration: 'once', name: markup });
  const items = [{ price: seat }];
  const { id } = await dashboard.post('/v1/subscriptions', { customer, items, trial_days: 14 });
  const tab = await dashboard.open(`/subscriptions/${id}`);
  await more(tab, 'Change the coupon');
  await choose(tab, 'Coupon', coupon.id);
  await button(tab, 'Apply: next invoice €15.00').click();
  await tab.getByRole('link', { name: '50% off once' }).waitFor();
  await more(tab, 'Change the payment method');
  await chooseCard(tab, 'Mastercard •••• 4444');
  await button(tab, 'Charge Mastercard •••• 4444 from now on').click();
  await tab.locator('dd', { hasText: 'Mastercard •••• 4444' }).waitFor();
  await more(tab, 'Edit metadata');
  await tab.getByLabel('Key 1').fill('note');
  await tab.getByLabel('Value 1').fill(markup);
  await button(tab, 'Save metadata').click();
  await tab.locator('dd', { hasText: '<img' }).last().waitFor();
  await more(tab, 'Change the trial');
  await button(tab, 'End the trial and charge €15.00').click();
  await tab.getByText('Trial ended').waitFor();
  await tab.getByText('INV-').first().waitFor();
  const after = await read(`/v1/subscriptions/${id}`);
  expect(after).toMatchObject({ status: 'active', default_payment_method: other, metadata: { note: markup } });
  expect(after.coupon).toBe(coupon.id);
  await tab.getByRole('link', { name: '50% off once' }).click();
  await tab.getByRole('heading', { level: 2, name: 'Subscriptions' }).waitFor();
  await tab.getByRole('link', { name: /^Seat/ }).waitFor();
  await expectSoundOnTheWay(tab, 'a coupon');
  await tab.getByRole('link', { name: 'All subscriptions' }).click();
  await tab.waitForURL(/\/subscriptions\?coupon=coupon_/);
  await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(1);
});

longWalk('an invoice that was declined is paid with another card', async () => {
  const customer = await newCustomer({}, '4000000000000341');
  await card(customer, '4242424242424242');
  const items = [{ price: seat }];
  const { latest_invoice: id } = await dashboard.post('/v1/subscriptions', { customer, items });
  const tab = await dashboard.open('/invoices?status=open');
  await tab.getByRole('link', { name: '€30.00' }).waitFor();
  await expectSoundOnTheWay(tab, 'invoices');
  await tab.getByRole('link', { name: '€30.00' }).click();
  await tab.getByText('Tried once.').waitFor();
  await expectSoundOnTheWay(tab, 'an invoice');
  await button(tab, 'Pay').click();
  await button(tab, 'Charge €30.00').click();
  const { last_failure } = await read(`/v1/invoices/${id}`);
  await tab.getByRole('alert').getByText(last_failure.message).waitFor();
  await tab.getByText('Tried 2 times.').waitFor();
  await chooseCard(tab, 'Visa •••• 4242');
  await tab.getByText('€30.00 is charged to Visa •••• 4242').waitFor();
  await expectSoundOnTheWay(tab, 'paying an invoice');
  await button(tab, 'Charge €30.00').dblclick();
  await tab.getByText(/^INV-\d+ is paid$/).waitFor();
  await button(tab, 'Pay').waitFor({ state: 'detached' });
  expect(await read(`/v1/invoices/${id}`)).toMatchObject({ status: 'paid', attempt_count: 3, amount_paid: 3000 });
  await tab.getByRole('link', { name: 'All payments' }).click();
  await tab.waitForURL(/\/payments\?invoice=in_/);
  await expect.poll(() => tab.locator('tbody tr[data-link]').count()).toBe(3);
  expect(await tab.locator('#root img[src=x], #root b').count()).toBe(0);
});

longWalk('an invoice gets its lines in one dialog: what is pending, amounts and prices', async () => {
  const customer = await newCustomer();
  await dashboard.post('/v1/invoice_items', { customer, amount: 500, currency: 'eur', description: 'Pending' });
  const price = await dashboard.post('/v1/prices', {
    ...{ currency: 'eur', unit_amount: 1_900, product_name: 'Consulting', recurring: { interval: 'month' } },
  });
  const tab = await dashboard.open(`/customers/${customer}`);
  await button(tab, 'Create invoice').click();
  await tab.getByText('Pending').last().waitFor();
  await tab.getByLabel('Amount 1').fill('25,555');
  await tab.getByText('Enter a number with at most 2 decimal places').waitFor();
  await tab.getByLabel('Amount 1').fill('-1.50');
  await tab.getByText('What is it for?').waitFor();
  await tab.getByLabel('Description 1').fill(markup);
  await button(tab, 'Add a price').click();
  await tab.getByRole('combobox', { name: 'Price 2' }).fill('Consult');
  await tab.getByRole('option', { name: /Consulting/ }).click();
  await tab.getByLabel('Quantity 2').fill('2');
  await tab.getByText('A draft of €41.50 with 3 lines, 1 of them pending until now').waitFor();
  await expectSoundOnTheWay(tab, 'the lines of a new invoice');
  await button(tab, 'Create a draft of €41.50').click();
  await heading(tab, 'Draft · €41.50').waitFor();
  const { lines } = (await dashboard.account.test.get(`/v1/invoices/${tab.url().split('/').at(-1)}`)).json;
  expect(
    lines.map(({ amount, description }: { amount: number; description: string }) => [amount, description]),
  ).toEqual([
    [500, 'Pending'],
    [-150, markup],
    [3_800, '2 × Consulting'],
  ]);
  expect(price.active).toBe(true);
});

longWalk('an item of a customer becomes a draft, which is finalized and voided', async () => {
  const customer = await newCustomer();
  const tab = await dashboard.open(`/customers/${customer}`);
  await button(tab, 'Add item').click();
  await tab.getByLabel('Amount').fill('25');
  await tab.getByLabel('Description').fill(markup);
  await button(tab, 'Add €25.00').click();
  await button(tab, 'Delete the item of €25.00').waitFor();
  await tab.getByText('No subscriptions').waitFor();
  await expectSoundOnTheWay(tab, 'a customer');
  await button(tab, 'Create invoice').click();
  await tab.getByText('A draft of €25.00 with 1 line, 1 of them pending until now').waitFor();
  await button(tab, 'Create a draft of €25.00').click();
  await heading(tab, 'Draft · €25.00').waitFor();
  const id = tab.url().split('/').at(-1)!;
  await button(tab, 'Finalize').click();
  await button(tab, 'Finalize €25.00').click();
  await heading(tab, 'Draft · €25.00').waitFor({ state: 'detached' });
  await button(tab, 'Void').click();
  await tab.getByText('€25.00 is no longer owed').waitFor();
  await button(tab, 'Void €25.00').dblclick();
  await tab.getByText(/^INV-\d+ is void$/).waitFor();
  expect(await read(`/v1/invoices/${id}`)).toMatchObject({ status: 'void', lines: [{ description: markup }] });
  expect(await tab.title()).not.toBe('1');
});

longWalk('a price and a coupon are made, archived and deleted', async () => {
  const tab = await dashboard.open('/prices');
  await tab.getByText('€30.00 per month').waitFor();
  await expectSoundOnTheWay(tab, 'prices');
  await button(tab, 'Create price').click();
  await tab.getByLabel('Product name').fill(`Gold ${markup}`);
  await tab.getByLabel('Unit amount').fill('149');
  await tab.getByLabel('Every').fill('3');
  await expectSoundOnTheWay(tab, 'creating a price');
  await button(tab, 'Create €149.00 every 3 months').click();
  await heading(tab, `Gold ${markup}`).waitFor();
  await expectSoundOnTheWay(tab, 'a price');
  await button(tab, 'Archive').click();
  await button(tab, /^Archive Gold/).click();
  await tab.getByText('Archived', { exact: true }).waitFor();
  const price = await read(`/v1/prices/${tab.url().split('/').at(-1)}`);
  expect(price).toMatchObject({ active: false, unit_amount: 14900, recurring: { interval_count: 3 } });

  await tab.getByRole('link', { name: 'Coupons' }).click();
  await button(tab, 'Create coupon').click();
  await tab.getByLabel('Percentage', { exact: true }).last().fill('12.5');
  await tab.getByLabel('Multiple months').click();
  await tab.getByLabel('Name').fill(markup);
  await expectSoundOnTheWay(tab, 'creating a coupon');
  await button(tab, 'Create 12.5% off').click();
  await heading(tab, markup).waitFor();
  const id = tab.url().split('/').at(-1)!;
  expect(await read(`/v1/coupons/${id}`)).toMatchObject({ percent_off: 12.5, duration_in_months: 3, name: markup });
  await button(tab, 'Delete').click();
  await button(tab, /^Delete </).click();
  await heading(tab, 'Coupons').waitFor();
  expect((await read(`/v1/coupons/${id}`)).error.code).toBe('resource_missing');
  await expectSoundOnTheWay(tab, 'coupons');
});

longWalk('a viewer sees no buttons; support can cancel, take that back, and no more', async () => {
  const customer = await newCustomer();
  const { id, latest_invoice } = await dashboard.post('/v1/subscriptions', { customer, items: [{ price: seat }] });
  const people = ['viewer', 'support'] as const;
  const [viewer, support] = await Promise.all(
    people.map((role) => dashboard.server.person(dashboard.account.id, role)),
  );
  const tab = await dashboard.openAs(viewer, `/subscriptions?customer=${customer}`);
  await tab.getByRole('link', { name: /^Seat/ }).waitFor();
  await expectSoundOnTheWay(tab, 'subscriptions');
  expect(await button(tab, 'Create subscription').count()).toBe(0);
  await tab.getByRole('link', { name: /^Seat/ }).click();
  await heading(tab, `Seat ${markup}`).waitFor();
  for (const name of ['Change', 'Cancel', 'More']) expect(await button(tab, name).count(), name).toBe(0);
  await tab.getByRole('link', { name: '€30.00' }).click();
  await tab.getByText('Lines', { exact: true }).waitFor();
  expect(await button(tab, 'More').count()).toBe(0);
  for (const name of ['Invoices', 'Prices', 'Coupons']) {
    await tab.getByRole('link', { name, exact: true }).first().click();
    await heading(tab, name).waitFor();
    expect(await tab.getByRole('button', { name: /^Create\s/ }).count(), name).toBe(0);
  }
  for (const path of [
    `/v1/subscriptions/${id}/cancel`,
    `/v1/subscriptions/${id}`,
    `/v1/invoices/${latest_invoice}/void`,
  ])
    expect((await viewer!.client.post(path, {})).json.error.code, path).toBe('role_missing');
  const helper = await dashboard.openAs(support, `/subscriptions/${id}`);
  await helper.getByText('Owners and developers can change it.').waitFor();
  await button(helper, 'Cancel').click();
  await button(helper, /^Cancel .*period/).click();
  await button(helper, 'Undo cancellation').click();
  await button(helper, /^Keep /).click();
  await helper.getByRole('dialog').waitFor({ state: 'detached' });
  await button(helper, 'Cancel').click();
  expect(await helper.getByRole('button', { name: 'Change', exact: true, includeHidden: true }).count()).toBe(0);
  await helper.getByLabel('Now', { exact: true }).click();
  await button(helper, 'Cancel the subscription now').click();
  await helper.getByText('Canceled', { exact: true }).waitFor();
});
