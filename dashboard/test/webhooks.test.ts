import type { Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { heading, longWalk, markup, openDashboard } from './fixture.ts';
import { isSignedWith, openReceiver } from './receiver.ts';

const dashboard = openDashboard();

const get = async (path: string) => (await dashboard.account.test.get(path)).json;
const endpoint = (url: string, enabled_events: string[]) =>
  dashboard.post('/v1/webhook_endpoints', { url, enabled_events, description: markup });

async function pay(): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id } = await dashboard.post('/v1/payment_methods', { type: 'card', card });
  const wish = { amount: 2000, currency: 'eur', payment_method: id, description: markup };
  const payment = await dashboard.post('/v1/payments', wish);
  await dashboard.server.settled();
  return payment.id;
}

const more = async (tab: Tab, action: string) => {
  await tab.getByRole('button', { name: 'More' }).click();
  await tab.getByRole('menuitem', { name: action }).click();
};

/** A text that is markup was shown, and has done nothing. */
async function expectInert(tab: Tab): Promise<void> {
  expect(await tab.locator('#root img[src=x], #root b').count()).toBe(0);
  expect(await tab.title()).not.toBe('1');
}

longWalk('an endpoint is made for chosen events; its secret is shown once, copied, and rotated', async () => {
  const receiver = await openReceiver(200);
  const tab = await dashboard.open('/webhooks');
  await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tab.getByText('No test endpoints yet').waitFor();
  await expectSoundOnTheWay(tab, 'no endpoints');
  await tab.getByRole('button', { name: 'Add endpoint' }).click();
  await tab.getByLabel('Address of the receiver').fill('ftp://example.com');
  await tab.getByText('An address that begins with https:// or http://').waitFor();
  await tab.getByLabel('Address of the receiver').fill(receiver.url);
  await tab.getByLabel('Description').fill(markup);
  const add = tab.getByRole('button', { name: 'Add endpoint' }).last();
  expect(await add.isDisabled()).toBe(true);
  await tab.getByLabel('Search events').fill('refund');
  await tab.getByLabel('refund.*').check();
  await tab.getByLabel('Search events').fill('customer cre');
  await tab.getByLabel('customer.created').check();
  await tab.getByText(`customer.created, refund.* are sent to ${receiver.url}`).waitFor();
  await expectSoundOnTheWay(tab, 'adding an endpoint');
  await add.dblclick();
  await tab.getByText('It is not shown again.').waitFor();
  await expectSoundOnTheWay(tab, 'a secret');
  await tab.getByRole('button', { name: 'Copy the secret' }).click();
  const secret = String(await tab.evaluate('navigator.clipboard.readText()'));
  expect(secret).toMatch(/^whsec_\w{44}$/);
  await tab.getByRole('button', { name: 'Done' }).click();
  await heading(tab, markup).waitFor();
  await tab.getByRole('definition').getByText(receiver.url, { exact: true }).waitFor();
  const { data } = await get('/v1/webhook_endpoints');
  expect(data).toMatchObject([{ enabled_events: ['customer.created', 'refund.*'], description: markup }]);

  await dashboard.post('/v1/customers', { name: markup });
  await tab.getByRole('button', { name: /customer\.created\s*Delivered/ }).waitFor();
  expect(receiver.taken.map((taken) => isSignedWith(secret, taken))).toEqual([true]);
  await more(tab, 'Rotate secret');
  await tab.getByText('For 24 hours, deliveries are signed with both secrets').waitFor();
  await tab.getByRole('button', { name: 'Rotate the secret' }).click();
  const rotated = await tab.getByTestId('secret').textContent();
  expect(rotated).toMatch(/^whsec_\w{44}$/);
  expect(rotated).not.toBe(secret);
  await tab.getByRole('button', { name: 'Done' }).click();
  await tab.getByText('You have not copied the secret').waitFor();
  await tab.getByRole('button', { name: 'Close without the secret' }).click();
  await tab.getByRole('button', { name: 'Edit' }).click();
  await tab.getByText('No changes yet.').waitFor();
  await tab.getByLabel('All events, including those added in later versions').check();
  await tab.getByRole('button', { name: 'Save changes' }).click();
  await tab.getByText('All events', { exact: true }).waitFor();
  await expectInert(tab);
  await more(tab, 'Delete');
  await tab.getByRole('button', { name: 'Delete the endpoint' }).click();
  await tab.getByText('No test endpoints yet').waitFor();
  expect((await get('/v1/webhook_endpoints')).data).toEqual([]);
});

longWalk('a failing receiver: request and answer are seen; once it works again, a resend succeeds', async () => {
  const receiver = await openReceiver(500, markup);
  const { id } = await endpoint(receiver.url, ['payment.*']);
  const payment = await pay();
  const tab = await dashboard.open('/webhooks');
  await tab.getByText('Failing').waitFor();
  await tab.getByRole('img', { name: '0 of 1 delivered' }).waitFor();
  await expectSoundOnTheWay(tab, 'endpoints');
  await tab.getByRole('link', { name: receiver.url }).click();
  await tab.getByText('No delivery has succeeded since').waitFor();
  await tab.getByRole('button', { name: 'Status' }).click();
  await tab.getByRole('radio', { name: 'Pending' }).click();
  await tab.waitForURL(`${dashboard.place}/webhooks/${id}?status=pending`);
  await tab.getByRole('button', { name: /payment\.succeeded\s*Retrying/ }).click();
  await tab.waitForURL(/status=pending&open=whd_/);
  await tab.getByText('HTTP 500').first().waitFor();
  expect(await tab.locator('pre', { hasText: '<img' }).first().textContent()).toBe(markup);
  await tab.getByText(`POST ${receiver.url}`).waitFor();
  await tab.locator('pre', { hasText: payment }).first().waitFor();
  await expectSoundOnTheWay(tab, 'deliveries');
  await expectInert(tab);

  Object.assign(receiver, { status: 200, answer: 'thanks' });
  await tab.getByRole('button', { name: 'Resend' }).click();
  await tab.getByText(`The event is sent to ${receiver.url} now`).waitFor();
  await expectSoundOnTheWay(tab, 'resending');
  await tab.getByRole('button', { name: 'Resend payment.succeeded' }).dblclick();
  await tab.getByText('payment.succeeded resent').waitFor();
  await tab.getByText('No results match these filters').waitFor(); // it is not pending any more
  await tab.getByRole('button', { name: 'Remove the filter Status' }).click();
  await tab.getByRole('button', { name: /payment\.succeeded\s*Delivered/ }).click();
  await tab.getByText('HTTP 200').waitFor();
  await tab.getByText('thanks', { exact: true }).waitFor();
  const [last] = (await get(`/v1/webhook_endpoints/${id}/deliveries`)).data;
  expect(last).toMatchObject({ status: 'delivered' });
  expect(last.attempts.at(-1)).toMatchObject({ status: 200, response: 'thanks' });
  expect(receiver.taken.length).toBe(last.attempts.length);
  expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await tab.getByText('Enabled').first().waitFor();
});

longWalk('a receiver that says 410: why, enabling it, and recovering what it has missed', async () => {
  const receiver = await openReceiver(410, 'nobody');
  const { id } = await endpoint(receiver.url, ['price.*']);
  const price = { unit_amount: 500, currency: 'eur', product_name: markup, recurring: { interval: 'month' } };
  await dashboard.post('/v1/prices', price);
  await dashboard.server.settled();
  const tab = await dashboard.open(`/webhooks/${id}`);
  await tab.getByText('This endpoint is disabled').waitFor();
  await tab.getByText('The receiver responded with 410').waitFor();
  await expectSoundOnTheWay(tab, 'a disabled endpoint');
  receiver.status = 200;
  const refused = receiver.taken.length;
  await tab.getByRole('button', { name: 'Enable' }).click();
  await tab.getByRole('button', { name: 'Enable the endpoint' }).click();
  await tab.getByRole('button', { name: 'Send test event' }).click();
  await tab.getByRole('button', { name: 'Send webhook_endpoint.test' }).click();
  await tab.getByRole('button', { name: /webhook_endpoint\.test\s*Delivered/ }).waitFor();
  await more(tab, 'Recover missed events');
  await expectSoundOnTheWay(tab, 'recovering');
  await tab.getByLabel('Since').fill('2020-01-01T00:00');
  await tab.getByText('At most 30 days ago, and not in the future').waitFor();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
  await tab.getByLabel('Since').fill(yesterday);
  await tab.getByRole('button', { name: 'Recover missed events' }).last().click();
  await tab.getByText('Recovery of missed events started').waitFor();
  await tab.getByRole('button', { name: /price\.created\s*Delivered/ }).waitFor();
  const types = receiver.taken.slice(refused).map(({ body }) => JSON.parse(body).type);
  expect(types.toSorted()).toEqual(['price.created', 'webhook_endpoint.test']); // in whatever order
  await more(tab, 'Disable');
  await tab.getByRole('button', { name: 'Disable the endpoint' }).click();
  await tab.getByText('It was disabled manually.').waitFor();
});

longWalk('an inbox receives the events of a payment as they come, and answers as configured', async () => {
  const tab = await dashboard.open('/inbox');
  await tab.getByText('No inbox yet').waitFor();
  await tab.getByRole('button', { name: 'Create inbox' }).click();
  await expectSoundOnTheWay(tab, 'creating an inbox');
  await tab.getByRole('button', { name: 'Create the inbox' }).click();
  await tab.getByText('Nothing received yet').waitFor();
  const payment = await pay();
  await tab.getByRole('button', { name: /payment\.succeeded\s*Verified/ }).click();
  await tab.getByText('both signatures are valid').waitFor();
  await tab.locator('dt', { hasText: 'X-Service-Signature' }).waitFor();
  await tab.locator('pre', { hasText: payment }).first().waitFor();
  await expectSoundOnTheWay(tab, 'an inbox');
  await expectInert(tab);
  await tab.getByRole('button', { name: 'Change response' }).click();
  await tab.getByLabel('500: a failure, which is retried').check();
  await tab.getByRole('button', { name: 'Respond with 500' }).click();
  await tab.getByText('Responds 500').first().waitFor();
  await dashboard.post('/v1/customers', { name: markup });
  await tab
    .getByRole('button', { name: /customer\.created\s*Verified\s*answered 500/ })
    .first()
    .waitFor();
  await tab.getByRole('link', { name: 'Inbox' }).first().click();
  await tab.getByText('Responds 500', { exact: true }).waitFor();
  await expectSoundOnTheWay(tab, 'inboxes');
  await tab.getByRole('link', { name: /^ibx_/ }).click();
  await tab.getByRole('button', { name: 'Delete' }).click();
  await tab.getByRole('button', { name: 'Delete the inbox' }).click();
  await tab.getByText('No inbox yet').waitFor();
  const { data } = await get('/v1/webhook_endpoints?limit=100');
  expect(data.filter(({ url }: { url: string }) => url.startsWith('inbox:'))).toEqual([]);
});

longWalk('events: filtered in the address, what has changed, each delivery, and a resend', async () => {
  const receiver = await openReceiver(200, 'ok');
  await endpoint(receiver.url, ['customer.*']);
  const { id } = await dashboard.post('/v1/customers', { name: 'Ada' });
  await dashboard.post(`/v1/customers/${id}`, { name: markup });
  await dashboard.server.settled();
  const tab = await dashboard.open('/events');
  await tab.getByRole('button', { name: 'Object' }).click();
  await tab.getByRole('textbox', { name: 'Object' }).fill(id);
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.place}/events?object_id=${id}`);
  await expect.poll(() => tab.locator('tbody tr').count()).toBe(2);
  await tab.getByRole('link', { name: 'customer.created' }).waitFor();
  await expectSoundOnTheWay(tab, 'events');
  await tab.getByRole('link', { name: 'customer.updated' }).click();
  await heading(tab, 'customer.updated').waitFor();
  const row = tab.locator('tr', { has: tab.getByRole('rowheader', { name: 'name' }) });
  await expect.poll(() => row.locator('td').allTextContents()).toEqual(['Ada', markup]);
  await tab.getByRole('button', { name: new RegExp(`${receiver.url}\\s*Delivered`) }).click();
  await tab.getByText('HTTP 200').waitFor();
  await expectSoundOnTheWay(tab, 'an event');
  await expectInert(tab);
  await tab.getByRole('button', { name: 'Resend' }).first().click();
  await tab.getByText('The event is sent to 1 endpoint now').waitFor();
  await tab.getByRole('button', { name: 'Resend customer.updated' }).click();
  await tab.getByText('2 attempts, last: 200').waitFor();
  expect(receiver.taken).toHaveLength(3);
  await tab.getByRole('link', { name: id }).first().click();
  await heading(tab, markup).waitFor();
});
