import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

beforeAll(async () => {
  // Tabs of the owner share a context: all may copy.
  const tab = await dashboard.open();
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: dashboard.server.baseUrl });
  await tab.close();
});

const copied = (tab: Tab) => tab.evaluate<string>('navigator.clipboard.readText()');
const link = (tab: Tab, name: string) => tab.getByRole('navigation').getByRole('link', { name, exact: true }).click();
const card = (number: string) => ({ type: 'card', card: { number, exp_month: 12, exp_year: 2040 } });

/** Whether a key can pay. */
async function paysWith(key: string, number = '4242424242424242') {
  const client = dashboard.server.client(key);
  const method = await client.post('/v1/payment_methods', card(number));
  return client.post('/v1/payments', { amount: 2000, currency: 'eur', payment_method: method.json.id });
}

/** The key that is shown; copies it, and closes the dialog. */
async function takeKey(tab: Tab): Promise<string> {
  const key = (await tab.getByTestId('secret').textContent())!;
  await tab.getByRole('button', { name: 'Copy the key' }).click();
  await tab.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await copied(tab)).toBe(key);
  await tab.getByRole('button', { name: 'Done' }).click();
  await tab.getByRole('dialog').waitFor({ state: 'detached' });
  return key;
}

longWalk('a key is created, shown once and pays; its successor pays too, and a revoked one does not', async () => {
  const tab = await dashboard.open('/api-keys');
  await heading(tab, 'API keys').waitFor();
  await tab.getByRole('button', { name: 'Create key' }).click();
  await tab.getByLabel('Name').fill(markup);
  await tab.getByRole('radiogroup', { name: 'Kind' }).getByText('Restricted').click();
  await tab.getByLabel('Search scopes').fill('refu');
  await tab.getByRole('radiogroup', { name: 'Refunds' }).getByText('Write').click();
  await tab.getByText('The key can use refunds:write.').waitFor();
  await expectSoundOnTheWay(tab, 'the dialog that creates a key');
  await tab.getByRole('radiogroup', { name: 'Kind' }).getByText('Secret').click();
  await tab.getByRole('button', { name: /^Create the key <img/ }).click();
  await tab.getByText('It is not shown again.').waitFor();
  await tab.keyboard.press('Escape');
  await tab.getByText('You have not copied the key').waitFor();
  await expectSoundOnTheWay(tab, 'a key that is shown once');
  await tab.getByRole('button', { name: 'Go back' }).click();
  const first = await takeKey(tab);
  expect(first).toMatch(/^sk_test_tg_/);
  expect((await paysWith(first)).json.status).toBe('succeeded');

  await expectSoundOnTheWay(tab, 'keys');
  await tab.getByRole('link', { name: /^<img/ }).click();
  await heading(tab, markup).waitFor();
  await expectSoundOnTheWay(tab, 'a key');
  await tab.getByRole('button', { name: 'Rename' }).click();
  await tab.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await tab.getByRole('button', { name: 'Rename to Shop' }).click();
  await heading(tab, 'Shop').waitFor();
  await tab.getByRole('button', { name: 'Roll', exact: true }).click();
  await tab.getByText('The old key works for another 24 hours.').waitFor();
  await tab.getByRole('button', { name: 'Roll the key Shop' }).dblclick();
  const second = await takeKey(tab);
  await tab.getByText('Ending').waitFor();
  for (const key of [first, second]) expect((await paysWith(key)).status).toBe(200);
  await tab.getByRole('button', { name: 'Revoke', exact: true }).click();
  await tab.getByRole('button', { name: 'Revoke the key Shop' }).click();
  await tab.getByText('Revoked', { exact: true }).first().waitFor();
  expect(await tab.getByRole('button', { name: 'Roll', exact: true }).count()).toBe(0);
  await eventually(async () => expect((await paysWith(first)).json.error?.code).toBe('api_key_revoked'));
  expect((await paysWith(second)).status).toBe(200);
  expect(await tab.title()).not.toBe('1');
});

/** As the gateway notes it every 15 seconds. */
async function note(key: string, ...scopes: string[]): Promise<void> {
  for (const scope of scopes)
    await dashboard.server.sql.query(
      `insert into api_key_uses (tenant, key_id, scope, last_used) select tenant, id, $2, now() from api_keys where id = $1`,
      [key, scope],
    );
}

longWalk('a key loses what it has not used, with one click; a secret one gets a narrower successor', async () => {
  const make = async (more: object) =>
    (await dashboard.owner.client.post('/v1/api_keys', { name: 'Export', ...more })).json;
  const restricted = await make({ kind: 'restricted', scopes: ['payments:write', 'customers:read'] });
  const secret = await make({ kind: 'secret' });
  await note(restricted.id, 'payments:read');
  await note(secret.id, 'balance:read', 'payments:read', 'payments:write');
  const tab = await dashboard.open(`/api-keys/${restricted.id}`);
  await tab.getByText('Only read').waitFor();
  await tab.getByRole('button', { name: 'Narrow the key' }).click();
  await tab.getByText('It loses customers:read, payments:write.').waitFor();
  await expectSoundOnTheWay(tab, 'the dialog that narrows a key');
  await tab.getByRole('button', { name: 'Narrow to payments:read' }).click();
  await tab.getByText('the key has used all of them').waitFor();
  const client = dashboard.server.client(restricted.key);
  await eventually(async () => expect((await client.get('/v1/customers')).json.error?.code).toBe('scope_missing'));
  expect((await paysWith(restricted.key)).json.error.code).toBe('scope_missing');
  expect((await client.get('/v1/payments')).status).toBe(200);

  await tab.goto(`${dashboard.place}/api-keys/${secret.id}`);
  await tab.getByRole('button', { name: 'Narrow the key' }).click();
  await tab.getByRole('button', { name: 'Create a key with 2 scopes' }).click();
  const narrower = dashboard.server.client(await takeKey(tab));
  expect((await narrower.get('/v1/balance')).status).toBe(200);
  expect((await narrower.get('/v1/customers')).json.error.code).toBe('scope_missing');
  await tab.getByText('Replaced by').waitFor();
});

longWalk('a declined payment is found in the log by its code, and copied as curl', async () => {
  const { json, headers } = await paysWith(dashboard.account.testKey, '4000000000009995');
  expect(json.error.code).toBe('card_declined');
  const logged = () => dashboard.account.test.get(`/v1/request_logs/${headers['request-id']}`);
  await eventually(async () => expect((await logged()).status).toBe(200));
  const tab = await dashboard.open('/request-log');
  await tab.getByText('/v1/payments').first().waitFor();
  await expectSoundOnTheWay(tab, 'the request log');
  const ownReads = tab.locator('tbody tr').filter({ hasText: 'GET' }).filter({ hasText: dashboard.owner.email });
  expect(await ownReads.count()).toBe(0);
  await tab.getByRole('button', { name: 'Sent by' }).click();
  await tab.getByRole('radio', { name: 'All, with reads in the dashboard' }).click();
  await tab.waitForURL(/sent_by=all/);
  await ownReads.first().waitFor();
  await tab.locator('tbody tr').filter({ hasText: 'POST' }).filter({ hasText: '/v1/payments' }).first().waitFor();
  await tab.getByRole('button', { name: 'Remove the filter Sent by' }).click();
  await ownReads.first().waitFor({ state: 'hidden' });
  await tab.getByRole('button', { name: 'Sent by' }).click();
  await tab.getByRole('radio', { name: 'Person' }).click();
  await tab.waitForURL(/sent_by=person/);
  await tab.getByRole('link', { name: dashboard.owner.email }).first().waitFor();
  await tab.getByRole('button', { name: 'Person', exact: true }).click();
  await tab.getByRole('combobox', { name: 'Person' }).fill('owner');
  await tab.getByRole('option', { name: dashboard.owner.email }).click();
  await tab.waitForURL(new RegExp(`user=${dashboard.owner.id}`));
  await tab.getByRole('button', { name: `Person ${dashboard.owner.email}` }).waitFor();
  await tab.getByRole('button', { name: 'Remove the filter Person' }).click();
  await tab.getByRole('button', { name: 'Remove the filter Sent by' }).click();
  await tab.getByRole('button', { name: 'Key', exact: true }).click();
  await tab.getByRole('combobox', { name: 'Key' }).fill('first');
  await expectSoundOnTheWay(tab, 'the filter by key');
  await tab.getByRole('option', { name: /^first key \(…/ }).click();
  await tab.waitForURL(/api_key=key_/);
  await tab.getByRole('button', { name: /^Key first key/ }).waitFor();
  await tab.getByRole('button', { name: 'Remove the filter Key' }).click();
  await tab.getByRole('button', { name: 'Error code' }).click();
  await tab.getByRole('textbox', { name: 'Error code' }).fill('card_declined');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.waitForURL(/error_code=card_declined/);
  await tab.getByRole('cell', { name: json.error.message }).first().waitFor();
  await tab.locator(`td:first-child a[href$="${headers['request-id']}"]`).click();
  await tab.getByRole('heading', { name: 'Request', exact: true }).waitFor();
  await tab.locator('strong', { hasText: json.error.message }).waitFor();
  await tab.getByRole('heading', { name: 'Response' }).waitFor();
  await tab.getByRole('link', { name: json.error.payment }).first().waitFor();
  await expectSoundOnTheWay(tab, 'a request');
  await tab.getByRole('button', { name: 'Copy the command' }).click();
  await tab.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await copied(tab);
  expect(command).toContain(`curl ${dashboard.server.baseUrl}/v1/payments `);
  expect(command).toContain('"Authorization: Bearer $TOLLGATE_KEY"');
  const sent = JSON.parse(/--json '(.*)'$/.exec(command)![1]!);
  expect((await dashboard.account.test.post('/v1/payments', sent)).json.error.code).toBe('card_declined');

  await link(tab, 'Request log');
  await tab.getByText('Errors', { exact: true }).click();
  await tab.waitForURL(/view=errors/);
  await tab.getByRole('row', { name: /card_declined.*402.*POST \/v1\/payments/ }).waitFor();
  await expectSoundOnTheWay(tab, 'errors by code');
  await tab.getByRole('link', { name: 'card_declined' }).click();
  await tab.waitForURL(/error_code=card_declined&path=%2Fv1%2Fpayments&method=POST&status=402/);
  await tab.locator(`td:first-child a[href$="${headers['request-id']}"]`).waitFor();
});

/** Two customers with a monthly subscription each, in the time of a clock. */
async function subscribeIn(clock: string): Promise<void> {
  const recurring = { interval: 'month' };
  const price = await dashboard.post('/v1/prices', {
    currency: 'eur',
    unit_amount: 1900,
    product_name: 'Gold',
    recurring,
  });
  const customer = await dashboard.post('/v1/customers', { name: markup, test_clock: clock });
  const method = await dashboard.post('/v1/payment_methods', { ...card('4242424242424242'), customer: customer.id });
  await dashboard.post('/v1/subscriptions', {
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method.id,
  });
}

longWalk('a clock is advanced, shows how far it has come and what happened, and is deleted', async () => {
  const tab = await dashboard.open('/test-clocks');
  await tab.getByText('No test clocks yet').waitFor();
  await tab.getByRole('button', { name: 'Create clock' }).click();
  await tab.getByLabel('Name').fill(markup);
  await tab.getByLabel('Starts at').fill('2030-01-31T12:00');
  await expectSoundOnTheWay(tab, 'the dialog that creates a clock');
  await tab.getByRole('button', { name: /^Create the clock <img/ }).click();
  await tab.getByText('None yet. Choose this clock when you create a customer.').waitFor();
  const id = tab.url().split('/').at(-1)!;
  await subscribeIn(id);
  await dashboard.post('/v1/customers', { name: 'Somebody else' });
  await tab.reload();
  await tab.getByRole('link', { name: /^<img/ }).waitFor();
  await tab.getByRole('button', { name: 'Advance' }).click();
  await tab.getByText('The clock advances from Jan 31, 2030, 12:00 PM to Feb 28, 2030, 12:00 PM').waitFor();
  await expectSoundOnTheWay(tab, 'the dialog that advances a clock');
  await tab.getByRole('button', { name: 'Advance by 28 days' }).click();
  await tab.getByText('invoice.paid', { exact: true }).waitFor();
  await tab.getByText('1 invoice.paid').waitFor();
  await tab.getByRole('cell', { name: 'Mar 31, 2030, 12:00 PM' }).waitFor();
  expect(await tab.getByRole('combobox', { name: 'Advance' }).inputValue()).toBe('Last advance, 28 days');
  await tab.getByText('Ready', { exact: true }).waitFor();
  await expectSoundOnTheWay(tab, 'a clock');
  expect(await tab.locator('#root img[src=x], #root b').count()).toBe(0);

  // An advance that no process works on: the page shows where it is, and sees the end by itself.
  const set = (status: string) =>
    dashboard.server.sql.query(
      `update test_clocks set status = $2, version = version + 1, target = case $2 when 'ready' then null else frozen_time end where id = $1`,
      [id, status],
    );
  await set('advancing');
  await tab.reload();
  await tab.getByRole('progressbar', { name: 'Progress of the clock' }).waitFor();
  expect(await tab.getByRole('button', { name: 'Advance' }).isDisabled()).toBe(true);
  await expectSoundOnTheWay(tab, 'a clock that advances');
  await set('ready');
  await tab.getByText('Ready', { exact: true }).waitFor();
  await tab.getByRole('button', { name: 'Delete' }).click();
  await tab.getByRole('button', { name: /^Delete the clock <img/ }).click();
  await tab.getByText('No test clocks yet').waitFor();
});

longWalk('a payment is made with a test card, and shows what became of it; live mode has no test cards', async () => {
  const tab = await dashboard.openAs(dashboard.owner, '/test-cards');
  const pay = async (number: string) => {
    await tab.getByRole('button', { name: `Pay with ${number}` }).click();
    await tab.getByText('No money moves.').waitFor();
  };
  await pay('4000 0000 0000 9995');
  await expectSoundOnTheWay(tab, 'the dialog that pays with a test card');
  await tab.getByRole('button', { name: 'Pay €20.00' }).click();
  const paid = tab.getByRole('list').filter({ hasText: 'Failed' });
  await paid.getByText('The card was declined. Reason: insufficient funds.').waitFor();
  await pay('4000 0000 0000 3220');
  await tab.getByLabel('Amount').fill('7');
  await tab.getByRole('button', { name: 'Pay €7.00' }).click();
  const [challenge] = await Promise.all([
    tab.context().waitForEvent('page'),
    tab.getByRole('link', { name: 'Open the page of the cardholder’s bank' }).click(),
  ]);
  await challenge.getByRole('button', { name: 'Approve' }).click();
  await tab.getByText('Succeeded').waitFor();
  await expectSoundOnTheWay(tab, 'test cards');
  const reference = tab.getByRole('navigation').getByRole('link', { name: 'API reference' });
  expect(await reference.getAttribute('href')).toBe('/docs');
  await tab.getByRole('link', { name: '€7.00' }).click();
  await heading(tab, '€7.00').waitFor();
  await tab.goBack();
  await tab.getByText('Live', { exact: true }).click();
  await heading(tab, 'Test cards are available in test mode only').waitFor();
  await expectSoundOnTheWay(tab, 'test cards in live mode');
});

longWalk('a viewer sees no buttons, and the API refuses what they would do', async () => {
  const { id: clock } = await dashboard.post('/v1/test_clocks', { frozen_time: 1_900_000_000 });
  const { json: key } = await dashboard.owner.client.post('/v1/api_keys', { name: 'Worker', kind: 'secret' });
  const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
  const tab = await dashboard.openAs(viewer, `/api-keys/${key.id}`);
  await tab.getByText('Owners and developers can open this page.').waitFor();
  const buttons = async (...names: string[]) => {
    for (const name of names) expect(await tab.getByRole('button', { name }).count(), name).toBe(0);
  };
  await buttons('Rename', 'Roll', 'Revoke', 'Narrow');
  await go(tab, `/test-clocks/${clock}`);
  await heading(tab, clock).waitFor();
  await buttons('Advance', 'Delete');
  await go(tab, '/test-cards');
  await tab.getByText('Owners and developers can open this page.').waitFor();
  const calls: [string, object][] = [
    ['/v1/api_keys', { name: 'Mine', kind: 'restricted', scopes: ['payments:read'] }],
    ...['', '/roll', '/revoke'].map((path): [string, object] => [`/v1/api_keys/${key.id}${path}`, {}]),
    ['/v1/test_clocks', { frozen_time: 1_900_000_000 }],
    [`/v1/test_clocks/${clock}/advance`, { frozen_time: 1_900_000_001 }],
    ['/v1/payment_methods', card('4242424242424242')],
  ];
  for (const [path, body] of calls) {
    const { status, json } = await viewer.client.post(path, body);
    expect([status, json.error.code], path).toEqual([403, 'role_missing']);
  }
  expect((await viewer.client.delete(`/v1/test_clocks/${clock}`)).json.error.code).toBe('role_missing');
});
