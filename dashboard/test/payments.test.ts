import { beforeAll, expect } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();
let made: { customer: string; method: string };

beforeAll(async () => {
  const more = { name: markup, email: 'ada@example.com', metadata: { note: markup } };
  const customer = await dashboard.post('/v1/customers', more);
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const billing_details = { name: markup };
  const owned = { customer: customer.id, billing_details };
  const method = await dashboard.post('/v1/payment_methods', { type: 'card', card, ...owned });
  made = { customer: customer.id, method: method.id };
});

const pay = (more: object = {}) =>
  dashboard.post('/v1/payments', {
    amount: 2000,
    currency: 'eur',
    payment_method: made.method,
    customer: made.customer,
    description: markup,
    ...more,
  });

longWalk('another try after a broken connection has the same idempotency key, and takes effect once', async () => {
  const { id } = await pay({ capture_method: 'manual' });
  const tab = await dashboard.open();
  const keys: string[] = [];
  // The gateway captures, and its answer is lost, with those to the tries of the SDK.
  await tab.route('**/capture', async (route) => {
    keys.push(route.request().headers()['idempotency-key']!);
    if (keys.length > 3) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  await tab.goto(`${dashboard.place}/payments/${id}`);
  await tab.getByRole('button', { name: 'Capture', exact: true }).click();
  await tab.getByRole('button', { name: 'Capture €20.00' }).click();
  await tab.getByRole('alert').waitFor();
  await tab.getByRole('button', { name: 'Capture €20.00' }).click();
  await tab.getByText('Captured €20.00').waitFor();
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

longWalk('a refusal is shown in the words of the API', async () => {
  const { id } = await pay({ capture_method: 'manual' });
  const tab = await dashboard.open();
  await tab.goto(`${dashboard.place}/payments/${id}`);
  await tab.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dashboard.post(`/v1/payments/${id}/capture`, {});
  await tab.getByRole('button', { name: 'Cancel the payment of €20.00' }).click();
  const { json } = await dashboard.account.test.post(`/v1/payments/${id}/cancel`, {});
  await tab.getByRole('alert').getByText(json.error.message).waitFor();
});

longWalk('a declined payment says that the customer was not present, why it failed, and what to do', async () => {
  const card = { number: '4000000000003220', exp_month: 12, exp_year: 2040 };
  const method = await dashboard.post('/v1/payment_methods', { type: 'card', card });
  const charge = { amount: 2000, currency: 'eur', payment_method: method.id, off_session: true };
  const { json } = await dashboard.account.test.post('/v1/payments', charge);
  const tab = await dashboard.open();
  await tab.goto(`${dashboard.place}/payments/${json.error.payment}`);
  await tab.getByText('Off-session: the customer was not present').waitFor();
  await tab.getByText('authentication_required').first().waitFor();
  await tab.getByText('The processor advises that the customer authenticates.', { exact: true }).waitFor();
});

longWalk('a viewer sees no buttons that the API would refuse', async () => {
  const [{ id }, viewer] = [await pay(), await dashboard.server.person(dashboard.account.id, 'viewer')];
  const tab = await dashboard.openAs(viewer, `/payments/${id}`);
  await heading(tab, '€20.00').waitFor();
  await tab.getByText('Owners, developers and support can refund it.').waitFor();
  await tab.getByText('payment.succeeded').waitFor();
  expect(await tab.getByText('No webhook endpoint is subscribed to it').count()).toBe(0); // viewers may not know
  expect(await tab.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect((await viewer.client.post('/v1/refunds', { payment: id })).json.error.code).toBe('role_missing');
});

longWalk('filters stand in the address, and pages go to older and back to newer', async () => {
  await Promise.all(Array.from({ length: 27 }, (_, index) => pay({ amount: 100 + index, currency: 'gbp' })));
  const tab = await dashboard.open('/payments');
  await tab.getByRole('button', { name: 'Status' }).click();
  await tab.getByRole('checkbox', { name: 'Succeeded' }).click();
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.waitForURL(`${dashboard.place}/payments?status=succeeded`);
  const first = await tab.locator('tbody a').first().textContent();
  await tab.getByRole('button', { name: 'Older' }).click();
  await tab.waitForURL(/status=succeeded&after=py_/);
  await tab.getByRole('button', { name: 'Newer' }).click();
  await tab.waitForURL(/status=succeeded&before=py_/);
  await tab.locator('tbody a', { hasText: first! }).first().waitFor();
});

longWalk('what an address asks for wrongly is asked once, or not at all, and said in words', async () => {
  const tab = await dashboard.open();
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const times = (path: string) => asked.filter((one) => one === path).length;
  await tab.goto(`${dashboard.place}/payments?status=nonsense`);
  await tab.getByRole('alert').getByText('it must be one of requires_action').waitFor();
  // The live connection reads everything again when it is there.
  await expect.poll(() => times('/v1/needs_attention'), { timeout: 30_000 }).toBeGreaterThan(1);
  await loaded(tab);
  expect(times('/v1/payments')).toBe(1);
  for (const [query, words] of [
    ['created_from=2026-99-99', 'created_from=2026-99-99 is not a date.'],
    ['amount=much', 'amount=much is not an amount.'],
  ] as const) {
    await go(tab, `/payments?${query}`);
    await tab.getByRole('alert').getByText(words).waitFor();
  }
  expect(times('/v1/payments')).toBe(1);
});

longWalk('a list of payments says who, with what and for what, in one request, and finds by each of it', async () => {
  const shop = await dashboard.server.account();
  const owner = await dashboard.server.person(shop.id, 'owner');
  const { json: grace } = await shop.test.post('/v1/customers', { name: 'Grace Hopper' });
  const cards = { '4242': '4242424242424242', '9995': '4000000000009995' };
  const methods = await Promise.all(
    Object.values(cards).map(async (number) => {
      const card = { number, exp_month: 12, exp_year: 2040 };
      return (await shop.test.post('/v1/payment_methods', { type: 'card', card, customer: grace.id })).json.id;
    }),
  );
  const charge = { currency: 'eur', customer: grace.id };
  const { json: refunded } = await shop.test.post('/v1/payments', {
    ...charge,
    amount: 12900,
    payment_method: methods[0],
    description: 'Order 7',
  });
  await shop.test.post('/v1/refunds', { payment: refunded.id });
  await shop.test.post('/v1/payments', { ...charge, amount: 500, payment_method: methods[1] });
  const tab = await dashboard.openAs(owner);
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await tab.goto(`${dashboard.home}/payments`);
  const rows = tab.locator('tbody tr');
  await rows.getByText('Visa •••• 4242').waitFor();
  expect(await rows.nth(0).innerText()).toMatch(
    /€5\.00[\s\S]*Failed[\s\S]*Insufficient funds[\s\S]*9995[\s\S]*Grace Hopper/,
  );
  expect(await rows.nth(1).innerText()).toMatch(/€129\.00[\s\S]*Refunded[\s\S]*Grace Hopper[\s\S]*Order 7/);
  expect(await tab.locator('tbody').innerText()).not.toMatch(/cus_|in_/);
  expect(asked.filter((path) => /\/v1\/(customers|payment_methods|invoices)/.test(path))).toEqual([]);
  await expectSoundOnTheWay(tab, 'payments with names');
  const found: [query: string, amounts: string[]][] = [
    ['status=refunded,failed', ['€5.00', '€129.00']],
    ['status=refunded', ['€129.00']],
    ['amount=129', ['€129.00']],
    ['amount=<6', ['€5.00']],
    ['amount=100..200', ['€129.00']],
    ['card=9995', ['€5.00']],
    ['decline_code=insufficient_funds', ['€5.00']],
  ];
  for (const [query, amounts] of found) {
    await go(tab, `/payments?${query}`);
    await expect
      .poll(() => tab.locator('table:not([data-stale]) tbody tr td:first-child').allInnerTexts())
      .toEqual(amounts);
  }
  await go(tab, '/payments');
  await tab.getByRole('button', { name: 'Amount' }).click();
  await tab.getByRole('textbox', { name: 'Amount from' }).fill('100');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.waitForURL(/payments\?amount=100\.\.$/);
  await rows.getByText('€129.00').waitFor();
  const other = tab.context().waitForEvent('page');
  await rows.first().click({ modifiers: ['Control'], position: { x: 8, y: 8 } });
  await (await other).waitForURL(new RegExp(`/payments/${refunded.id}$`));
  expect(tab.url()).toMatch(/payments\?amount/);
});
