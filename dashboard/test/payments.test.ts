import { readFileSync } from 'node:fs';
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

async function addCard(customer: string, number = '4242424242424242'): Promise<string> {
  const card = { number, exp_month: 12, exp_year: 2040 };
  return (await dashboard.post('/v1/payment_methods', { type: 'card', card, customer })).id;
}

async function ownCustomer(name: string) {
  const customer: string = (await dashboard.post('/v1/customers', { name })).id;
  return { customer, method: await addCard(customer) };
}

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

longWalk('a receipt and an invoice are saved as PDF, once there is one', async () => {
  const address = { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' };
  const customer = await dashboard.post('/v1/customers', {
    name: 'Grace Hopper',
    address,
    tax_id: 'DE1',
    locale: 'de',
  });
  const method = await addCard(customer.id);
  const paid = await pay({ customer: customer.id, payment_method: method });
  const held = await pay({ capture_method: 'manual' });
  const tab = await dashboard.open(`/payments/${held.id}`);
  await tab.getByRole('button', { name: 'Capture', exact: true }).waitFor();
  expect(await tab.getByRole('button', { name: 'Receipt' }).count()).toBe(0);
  const save = async (button: string) => {
    const saving = tab.waitForEvent('download');
    await tab.getByRole('button', { name: button, exact: true }).click();
    const file = await saving;
    return {
      name: file.suggestedFilename(),
      start: readFileSync(await file.path())
        .subarray(0, 8)
        .toString(),
    };
  };
  await tab.goto(`${dashboard.place}/payments/${paid.id}`);
  expect(await save('Receipt')).toEqual({ name: `receipt-${paid.id}.pdf`, start: '%PDF-1.7' });
  const items = [{ amount: 500, description: 'Tea' }];
  const { id } = await dashboard.post('/v1/invoices', { customer: customer.id, currency: 'eur', items });
  const { number } = await dashboard.post(`/v1/invoices/${id}/finalize`, {});
  await tab.goto(`${dashboard.place}/invoices/${id}`);
  expect(await save('PDF')).toEqual({ name: `${number}.pdf`, start: '%PDF-1.7' });
  await expectSoundOnTheWay(tab, 'an invoice with its document');
  await tab.goto(`${dashboard.place}/customers/${customer.id}`);
  await tab.getByText('Hauptstraße 1, Berlin, DE').waitFor();
  await tab.getByRole('button', { name: 'Edit', exact: true }).click();
  await tab.getByRole('textbox', { name: 'City' }).fill('Bonn');
  await tab.getByRole('button', { name: 'Save Grace Hopper' }).click();
  await tab.getByText('Hauptstraße 1, Bonn, DE').waitFor();
  expect((await dashboard.owner.client.get(`/v1/customers/${customer.id}`)).json.address).toEqual({
    ...address,
    city: 'Bonn',
  });
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
  const notice = tab.getByText('Ask the customer to pay again and to confirm the payment with the bank.');
  await notice.first().waitFor();
  await tab.getByRole('button', { name: 'Charge again' }).click();
  expect(await tab.getByLabel('Amount').inputValue()).toBe('20.00');
  expect(await tab.getByLabel('The customer is not present (off-session)').isChecked()).toBe(false);
  await tab.getByRole('button', { name: 'Charge €20.00' }).click();
  await tab.waitForURL((url) => !url.pathname.includes(json.error.payment));
  await tab.getByText('Requires action').first().waitFor();
});

longWalk('a viewer sees no buttons that the API would refuse', async () => {
  const [{ id }, viewer] = [await pay(), await dashboard.server.person(dashboard.account.id, 'viewer')];
  const tab = await dashboard.openAs(viewer, `/payments/${id}`);
  await heading(tab, '€20.00').waitFor();
  await tab.getByText('Owners, developers and support can refund it.').waitFor();
  await tab.getByText('Paid €20.00').waitFor();
  await tab.getByText('Everything', { exact: true }).click();
  await tab.getByRole('button', { name: 'Event payment.succeeded', exact: true }).click();
  expect(await tab.getByText(/webhook endpoint/).count()).toBe(0); // viewers may not know
  await tab.reload();
  await tab.getByRole('button', { name: 'Event payment.succeeded', exact: true }).waitFor(); // the choice is kept
  expect(await tab.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect((await viewer.client.post('/v1/refunds', { payment: id })).json.error.code).toBe('role_missing');
});

longWalk('the page of a customer has what support asks: figures, notes and plain words', async () => {
  const { customer, method } = await ownCustomer('Grace Hopper');
  const paid = await pay({ customer, payment_method: method, amount: 12_900, currency: 'gbp' });
  const declined = await addCard(customer, '4000000000009995');
  const failing = { amount: 3_300, currency: 'gbp', customer, payment_method: declined };
  expect((await dashboard.account.test.post('/v1/payments', failing)).status).toBe(402);
  await dashboard.owner.client.post('/v1/refunds', { payment: paid.id, amount: 500 });
  await dashboard.post('/v1/invoice_items', { customer, amount: 2_900, currency: 'eur', description: 'Seat' });
  const draft = await dashboard.post('/v1/invoices', { customer });
  await dashboard.post(`/v1/invoices/${draft.id}/finalize`, {});
  const support = await dashboard.server.person(dashboard.account.id, 'support');
  const tab = await dashboard.openAs(support);
  const asked: string[] = [];
  tab.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await tab.goto(`${dashboard.home}/customers/${customer}`);
  await heading(tab, 'Grace Hopper').waitFor();
  const figure = (name: string) => tab.locator('dl > div').filter({ has: tab.getByText(name, { exact: true }) });
  await figure('Spent').getByText('£124.00').waitFor();
  await figure('Spent').getByText('In 1 payment, £5.00 refunded').waitFor();
  await figure('Owed').getByText('€29.00').waitFor();
  await figure('Credit').getByText('None').waitFor();
  expect(await figure('Last payment').getByRole('link').getAttribute('href')).toMatch(`/payments/${paid.id}`);
  const told = (words: RegExp) => tab.getByRole('listitem').filter({ hasText: words });
  await told(/^Refunded £5\.00 by owner-.+@example\.com/).waitFor();
  await told(/^Payment of £33\.00 failed/)
    .getByText('There was not enough money on the card.')
    .waitFor();
  expect(await told(/POST \/v1/).count()).toBe(0);
  await tab.getByRole('button', { name: 'Add note' }).click();
  await tab.getByRole('textbox', { name: 'Note' }).fill('Called on Monday.');
  await tab.getByRole('button', { name: 'Add the note' }).click();
  await tab.getByText('Called on Monday.').waitFor();
  await loaded(tab);
  // The page learns of another payment by itself.
  await pay({ customer, payment_method: method, amount: 100, currency: 'gbp' });
  await figure('Spent').getByText('£125.00').waitFor();
  await expectSoundOnTheWay(tab, 'the page of a customer');
  await figure('Failed payments').getByRole('link', { name: 'View failed payments' }).click();
  await tab.getByRole('cell', { name: '£33.00' }).waitFor();
  // What a role may not read is not asked for.
  expect(asked.filter((path) => /api_keys|webhook_endpoints|users|balance|statistics/.test(path))).toEqual([]);
});

longWalk('developers begin with everything: a request and all that came of it are one entry', async () => {
  const { customer, method } = await ownCustomer('Alan Turing');
  await pay({ customer, payment_method: method, currency: 'gbp' });
  const developer = await dashboard.server.person(dashboard.account.id, 'developer');
  const tab = await dashboard.openAs(developer, `/customers/${customer}`);
  const paid = tab.getByRole('listitem').filter({ hasText: /^Paid £20\.00 by first key/ });
  for (const name of ['Request POST /v1/payments: 200', 'Processor Authorize: approved', 'Ledger Payment: £20.00'])
    await paid.getByRole('button', { name }).waitFor();
  await paid.getByText('Why this processor:').waitFor();
  await paid.getByRole('button', { name: 'Event payment.succeeded · no webhook endpoint' }).click();
  await paid.getByText('"object_id"').waitFor();
  await expectSoundOnTheWay(tab, 'the page of a customer with everything');
  await tab.getByText('Summary', { exact: true }).last().click();
  await paid.getByRole('button').first().waitFor({ state: 'detached' });
  await tab.reload();
  await tab.getByText('Paid £20.00').waitFor();
  expect(await tab.getByText('POST /v1/payments: 200').count()).toBe(0); // the choice is kept
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
    ['brand=jcb,visa&status=failed', ['€5.00']],
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
  // The rows of before stay until the others are there.
  await expect.poll(() => tab.locator('table:not([data-stale]) tbody tr').count()).toBe(1);
  const other = tab.context().waitForEvent('page');
  await rows.first().click({ modifiers: ['Control'], position: { x: 8, y: 8 } });
  await (await other).waitForURL(new RegExp(`/payments/${refunded.id}$`));
  expect(tab.url()).toMatch(/payments\?amount/);
});
