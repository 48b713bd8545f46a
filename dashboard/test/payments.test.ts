import { beforeAll, expect } from 'vitest';
import { heading, longWalk, markup, openDashboard } from './fixture.ts';

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
  expect(await tab.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect((await viewer.client.post('/v1/refunds', { payment: id })).json.error.code).toBe('role_missing');
});

longWalk('filters stand in the address, and pages go to older and back to newer', async () => {
  await Promise.all(Array.from({ length: 27 }, (_, index) => pay({ amount: 100 + index, currency: 'gbp' })));
  const tab = await dashboard.open('/payments');
  await tab.getByRole('button', { name: 'Status' }).click();
  await tab.getByRole('radio', { name: 'Succeeded' }).click();
  await tab.waitForURL(`${dashboard.place}/payments?status=succeeded`);
  const first = await tab.locator('tbody a').first().textContent();
  await tab.getByRole('button', { name: 'Older' }).click();
  await tab.waitForURL(/status=succeeded&after=py_/);
  await tab.getByRole('button', { name: 'Newer' }).click();
  await tab.waitForURL(/status=succeeded&before=py_/);
  await tab.locator('tbody a', { hasText: first! }).first().waitFor();
  await tab.goto(`${dashboard.place}/payments?status=nonsense`);
  await tab.getByRole('alert').waitFor();
});
