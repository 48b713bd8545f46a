import type { Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { type Role, roles } from '../../server/operations/role.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, markup, openDashboard } from './fixture.ts';

/** What each role finds in the dashboard, what it says about what the role cannot do, and what the API refuses. */

const dashboard = openDashboard();

const everybody = [
  ...['Home', 'Payments', 'Customers', 'Subscriptions', 'Invoices', 'Prices', 'Coupons', 'Payment methods'],
  ...['Refunds', 'Disputes', 'Payment links', 'Checkout sessions', 'Account', 'Branding', 'My profile'],
  ...['Customer portal', 'Customer mails', 'Mail preview'],
];
const developing = ['API keys', 'Webhooks', 'Inbox', 'Test clocks', 'Test cards', 'Processors', 'Routing'];
const money = ['Balance', 'Reconciliation'];
const happened = ['Events', 'Request log', 'Mails'];
const offered: Record<Role, readonly string[]> = {
  owner: [...everybody, ...developing, 'Needs attention', ...money, ...happened, 'People', 'Audit log'],
  developer: [...everybody, ...developing, 'Needs attention', ...money, ...happened],
  finance: [...everybody, 'Needs attention', ...money],
  support: [...everybody, 'Needs attention', ...happened],
  viewer: [...everybody, ...money],
};
/** By the title in the navigation: the path, and what is read on it. */
const closed: Record<string, readonly [path: string, read: string]> = {
  Balance: ['/balance', '/v1/balance'],
  Reconciliation: ['/reconciliations', '/v1/reconciliations'],
  Events: ['/events', '/v1/events'],
  'Request log': ['/request-log', '/v1/request_logs'],
  Mails: ['/mails', '/v1/mails'],
  'API keys': ['/api-keys', '/v1/api_keys'],
  Webhooks: ['/webhooks', '/v1/webhook_endpoints'],
  Inbox: ['/inbox', '/v1/inbox'],
  People: ['/settings/people', '/v1/users'],
  'Audit log': ['/settings/audit-log', '/v1/audit_log'],
};

/** The pages in the navigation, and in the list that the pages of the settings have. */
const links = async (tab: Tab) => {
  await tab.getByRole('link', { name: 'Settings' }).click();
  await tab.getByRole('navigation', { name: 'Settings' }).waitFor();
  const texts = await tab.getByRole('navigation').getByRole('link').allTextContents();
  const titles = texts.map((text) => text.replace(/\s*[\d+]*\s*waiting$/, '').trim());
  return titles.filter((title) => !['API reference', 'Settings'].includes(title)).sort();
};

longWalk.each(roles)('the navigation of the role %s has what it can use; the rest says who can', async (role) => {
  const person = await dashboard.server.person(dashboard.account.id, role);
  const tab = await dashboard.openAs(person, '/');
  await heading(tab, 'Home').waitFor();
  await loaded(tab);
  await expectSoundOnTheWay(tab, `home, as ${role}`);
  expect(await links(tab)).toEqual([...offered[role]].sort());
  for (const [title, [path, read]] of Object.entries(closed)) {
    if (offered[role].includes(title)) continue;
    await go(tab, path);
    await heading(tab, title).waitFor();
    await tab.getByText(`can open this page. Your role is ${role}.`).waitFor();
    const { status, json } = await person.client.get(read);
    expect([status, json.error.code], read).toEqual([403, 'role_missing']);
  }
});

async function disputed(): Promise<string> {
  const card = { number: '4000000000000259', exp_month: 12, exp_year: 2040 };
  const method = await dashboard.post('/v1/payment_methods', { type: 'card', card });
  const payment = await dashboard.post('/v1/payments', { amount: 4_000, currency: 'eur', payment_method: method.id });
  await dashboard.server.settled();
  const find = async () => (await dashboard.account.test.get(`/v1/disputes?payment=${payment.id}`)).json.data[0]?.id;
  await expect.poll(find).toMatch(/^dp_/);
  return find();
}

longWalk('support answers a dispute and sees it counted; a viewer reads who can', async () => {
  const dispute = await disputed();
  const [support, viewer] = await Promise.all(
    (['support', 'viewer'] as const).map((role) => dashboard.server.person(dashboard.account.id, role)),
  );
  const tab = await dashboard.openAs(support, `/disputes/${dispute}`);
  await tab.getByRole('link', { name: 'Needs attention 1 waiting' }).waitFor();
  await tab.getByRole('button', { name: 'Accept the dispute' }).waitFor();
  await tab.getByRole('button', { name: 'Submit to the bank' }).waitFor();
  await expectSoundOnTheWay(tab, 'a dispute, as support');
  const theirs = await dashboard.openAs(viewer, `/disputes/${dispute}`);
  await theirs.getByText('Owners, developers and support can submit evidence or accept the dispute.').waitFor();
  expect(await theirs.getByRole('button', { name: /Accept|Submit|Save as draft/ }).count()).toBe(0);
  await expectSoundOnTheWay(theirs, 'a dispute, as a viewer');
  const byHand = await viewer!.client.post(`/v1/disputes/${dispute}/close`, {});
  expect(byHand.json.error.code).toBe('role_missing');
});

longWalk('finance finalizes an invoice, and reads who can charge it', async () => {
  const { id: customer } = await dashboard.post('/v1/customers', { name: 'Grace' });
  await dashboard.post('/v1/invoice_items', { customer, amount: 1_500, currency: 'eur', description: 'Setup' });
  const invoice = await dashboard.post('/v1/invoices', { customer });
  const finance = await dashboard.server.person(dashboard.account.id, 'finance');
  const tab = await dashboard.openAs(finance, `/invoices/${invoice.id}`);
  await tab.getByRole('button', { name: 'Finalize', exact: true }).click();
  await tab
    .getByRole('dialog')
    .getByRole('button', { name: /^Finalize/ })
    .click();
  await tab.getByText('Owners and developers can charge it.').waitFor();
  await tab.getByRole('button', { name: 'Void' }).waitFor();
  expect(await tab.getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0);
  await expectSoundOnTheWay(tab, 'an invoice, as finance');
  expect((await finance.client.post(`/v1/invoices/${invoice.id}/pay`, {})).json.error.code).toBe('role_missing');
});

longWalk('notes: support writes one, everybody reads it, and its author or an owner deletes it', async () => {
  const { id } = await dashboard.post('/v1/customers', { name: 'Ada' });
  const [support, viewer] = await Promise.all(
    (['support', 'viewer'] as const).map((role) => dashboard.server.person(dashboard.account.id, role)),
  );
  const tab = await dashboard.openAs(support, `/customers/${id}`);
  await tab.getByText('No notes.').waitFor();
  await tab.getByRole('button', { name: 'Add note' }).click();
  const dialog = tab.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Add the note' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Note').fill(`Prefers mail.\n${markup}`);
  await expectSoundOnTheWay(tab, 'adding a note');
  await dialog.getByRole('button', { name: 'Add the note' }).dblclick();
  const notes = (of: Tab) => of.locator('section', { hasText: 'Notes' }).getByRole('listitem');
  await notes(tab).getByText(markup).waitFor();
  await notes(tab).getByText(support!.email).waitFor();
  expect(await notes(tab).count()).toBe(1);
  await expectSoundOnTheWay(tab, 'a customer with a note');
  const theirs = await dashboard.openAs(viewer, `/customers/${id}`);
  await notes(theirs).getByText(support!.email).waitFor();
  expect(await theirs.getByRole('button', { name: 'Add note' }).count()).toBe(0);
  expect(await notes(theirs).getByRole('button').count()).toBe(0);
  expect((await viewer!.client.post('/v1/notes', { object: id, text: 'x' })).json.error.code).toBe('role_missing');
  const owner = await dashboard.open(`/customers/${id}`);
  await notes(owner).getByRole('button', { name: 'Delete' }).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Delete the note' }).click();
  await owner.getByText('No notes.').waitFor();
  expect((await dashboard.account.test.get(`/v1/notes?object=${id}`)).json.data).toEqual([]);
});

longWalk('notes are on the pages of payments, disputes and subscriptions too', async () => {
  const dispute = await disputed();
  const { payment } = (await dashboard.account.test.get(`/v1/disputes/${dispute}`)).json;
  const { id: customer } = await dashboard.post('/v1/customers', { name: 'Mary' });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = await dashboard.post('/v1/payment_methods', { type: 'card', card, customer });
  const recurring = { interval: 'month' };
  const price = await dashboard.post('/v1/prices', {
    ...{ product_name: 'Silver', unit_amount: 900, currency: 'eur', recurring },
  });
  const subscription = await dashboard.post('/v1/subscriptions', {
    ...{ customer, items: [{ price: price.id }], default_payment_method: method.id },
  });
  const support = await dashboard.server.person(dashboard.account.id, 'support');
  const tab = await dashboard.openAs(support, '/');
  await heading(tab, 'Home').waitFor();
  for (const path of [`/payments/${payment}`, `/disputes/${dispute}`, `/subscriptions/${subscription.id}`]) {
    await go(tab, path);
    await tab.getByText('No notes.').waitFor();
    await tab.getByRole('button', { name: 'Add note' }).click();
    await tab.getByRole('dialog').getByLabel('Note').fill(`About ${path}`);
    await tab.getByRole('button', { name: 'Add the note' }).click();
    await tab.getByRole('listitem').getByText(`About ${path}`).waitFor();
  }
});

longWalk('a subscription that is past due says why, when it is tried again, and who can charge it', async () => {
  const { post } = dashboard;
  const start = Math.floor(Date.now() / 1_000);
  const { id: clock } = await post('/v1/test_clocks', { frozen_time: start });
  const { id: customer } = await post('/v1/customers', { name: 'Grace', test_clock: clock });
  const card = (number: string) => ({ type: 'card', card: { number, exp_month: 12, exp_year: 2040 }, customer });
  const good = await post('/v1/payment_methods', card('4242424242424242'));
  const declined = await post('/v1/payment_methods', card('4000000000009995'));
  const recurring = { interval: 'month' };
  const price = await post('/v1/prices', { product_name: 'Gold', unit_amount: 900, currency: 'eur', recurring });
  const wish = { customer, items: [{ price: price.id }], default_payment_method: good.id };
  const { id } = await post('/v1/subscriptions', wish);
  await post(`/v1/subscriptions/${id}`, { default_payment_method: declined.id });
  await post(`/v1/test_clocks/${clock}/advance`, { frozen_time: start + 32 * 86_400 });
  const status = async () => (await dashboard.account.test.get(`/v1/subscriptions/${id}`)).json.status;
  await expect.poll(status).toBe('past_due');
  const support = await dashboard.server.person(dashboard.account.id, 'support');
  const tab = await dashboard.openAs(support, `/subscriptions/${id}`);
  await tab.getByText('Owners and developers can charge it.').waitFor();
  await tab.getByText('The next try is on').waitFor();
  await expectSoundOnTheWay(tab, 'a subscription that is past due');
  await tab.getByRole('navigation').getByRole('link', { name: 'Request log' }).click();
  await tab.waitForURL(/request-log\?sent_by=key$/);
  await tab.getByRole('button', { name: 'Remove the filter Sent by' }).click();
  await tab.waitForURL(/request-log$/);
});
