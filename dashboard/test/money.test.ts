import { readFileSync } from 'node:fs';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { tenantOf } from '../../server/resources/payments/balance/postings.fixture.ts';
import { addComparison } from '../../server/resources/payments/reconciliations/reconciliations.fixture.ts';
import { eventually } from '../../server/test/eventually.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, longWalk, markup, openDashboard } from './fixture.ts';

const dashboard = openDashboard();
let customer: string;
let visa: string;

const addCard = async (number: string) => {
  const card = { number, exp_month: 12, exp_year: 2040 };
  const billing_details = { name: markup };
  return (await dashboard.post('/v1/payment_methods', { type: 'card', card, customer, billing_details })).id as string;
};
const pay = (payment_method: string, more: object = {}) =>
  dashboard.post('/v1/payments', {
    amount: 2000,
    currency: 'eur',
    payment_method,
    customer,
    description: markup,
    metadata: { note: markup },
    ...more,
  });
const read = async (path: string) => (await dashboard.account.test.get(path)).json;

beforeAll(async () => {
  // Nobody listens there: each delivery is an attempt that fails.
  await dashboard.post('/v1/webhook_endpoints', { url: 'http://localhost:9/', enabled_events: ['payment.failed'] });
  const details = { name: markup, email: 'ada@example.com', metadata: { note: markup } };
  customer = (await dashboard.post('/v1/customers', details)).id;
  visa = await addCard('4242424242424242');
});

/** What a merchant or cardholder has set is shown, and did nothing. */
async function expectText(tab: Tab): Promise<void> {
  expect(await tab.locator('#root img[src=x], #root b').count()).toBe(0);
  expect(await tab.title()).not.toBe('1');
}

longWalk(
  'a declined payment: the words of the API, and one timeline of the request, the attempt, the event and its delivery',
  async () => {
    const declined = await addCard('4000000000009995');
    const tab = await dashboard.open('/payments');
    await tab.getByRole('button', { name: 'Create payment' }).click();
    await expectSoundOnTheWay(tab, 'a new payment');
    await tab.getByLabel('Amount').fill('33');
    await tab.getByRole('combobox', { name: 'Customer' }).click();
    await tab.getByRole('option', { name: 'ada@example.com' }).click();
    await tab.getByRole('combobox', { name: 'Payment method' }).click();
    await tab.getByRole('option', { name: 'Visa •••• 9995' }).click();
    await tab.getByText('€33.00 is charged to Visa •••• 9995 now').waitFor();
    await tab.getByRole('button', { name: 'Charge €33.00' }).click();
    await tab.getByRole('alert').getByText('The card was declined. Reason: insufficient funds.').waitFor();
    const { data } = await read('/v1/payments?status=failed');
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ amount: 3300, customer, payment_method: declined });
    await eventually(async () => {
      const { data: entries } = await read(`/v1/timeline/${data[0].id}`);
      expect(entries[0].event.deliveries[0].attempts).not.toEqual([]);
    });
    await tab.getByRole('alert').getByRole('link', { name: data[0].id }).click();
    await heading(tab, '€33.00').waitFor();
    const failed = tab.getByRole('listitem').filter({ hasText: /^Payment of €33\.00 failed by owner-.+@example\.com/ });
    await failed.getByText('There was not enough money on the card. Tell the customer').waitFor();
    expect(await failed.getByText('POST').count()).toBe(0);
    await tab.getByText('Everything', { exact: true }).click();
    await failed.getByRole('button', { name: 'POST /v1/payments: 402 card_declined' }).waitFor();
    await failed.getByText('Why this processor: no processor account is enabled: simulator').waitFor();
    await failed.getByRole('button', { name: 'Event payment.failed · not delivered yet' }).click();
    await failed.getByText(/^Delivery to http:\/\/localhost:9\/: the connection was refused in \d+ ms/).waitFor();
    await failed.getByRole('button', { name: 'Authorize: declined, insufficient_funds' }).click();
    await failed.getByText('"reason"').waitFor();
    await expectSoundOnTheWay(tab, 'a declined payment');
    await tab.getByRole('button', { name: 'Requests 1' }).click();
    await failed.getByRole('button', { name: 'POST /v1/payments' }).waitFor({ state: 'detached' });
  },
);

longWalk(
  'a payment that needs the cardholder shows the link, and its description and metadata can be changed',
  async () => {
    const { id } = await pay(await addCard('4000000000003220'));
    const tab = await dashboard.open(`/payments/${id}`);
    const url = (await read(`/v1/payments/${id}`)).next_action.redirect_to_url.url;
    expect(await tab.getByRole('link', { name: 'Open the bank’s page' }).getAttribute('href')).toBe(url);
    await tab.getByRole('button', { name: 'Edit' }).click();
    await tab.getByLabel('Description').fill('Order 4711');
    await tab.getByRole('button', { name: 'Remove pair 1' }).click();
    await tab.getByLabel('Key 1', { exact: true }).fill('order');
    await tab.getByLabel('Value 1').fill(markup);
    await tab.getByText('“note” is removed.').waitFor();
    await expectSoundOnTheWay(tab, 'editing a payment');
    await tab.getByRole('button', { name: 'Save the payment' }).click();
    await tab.getByText('Payment saved').waitFor();
    await tab.getByText('Order 4711').first().waitFor();
    expect(await read(`/v1/payments/${id}`)).toMatchObject({ description: 'Order 4711', metadata: { order: markup } });
    await expectText(tab);
  },
);

longWalk('a dispute is answered: a draft, then evidence that wins', async () => {
  await pay(await addCard('4000000000000259'));
  const { id } = await eventually(async () => {
    const { data } = await read('/v1/disputes');
    expect(data).toHaveLength(1);
    return data[0];
  });
  const tab = await dashboard.open('/disputes');
  await tab.getByText('6 days left').waitFor();
  await tab.getByRole('link', { name: `€20.00 · ${markup}`, exact: true }).waitFor();
  await expectSoundOnTheWay(tab, 'disputes');
  await tab.getByRole('link', { name: '€20.00', exact: true }).click();
  await tab.getByText('Response needed: 6 days left').waitFor();
  await tab.getByLabel('Explanation', { exact: true }).fill(markup);
  await tab.getByRole('button', { name: 'Save as draft' }).click();
  await tab.getByText('Saved: Explanation. Nothing is sent to the bank until you submit it.').waitFor();
  await tab.getByRole('button', { name: 'Save draft' }).click();
  await tab.getByText('Draft saved').waitFor();
  expect(await read(`/v1/disputes/${id}`)).toMatchObject({
    status: 'needs_response',
    evidence: { uncategorized_text: markup },
  });
  await tab.getByLabel('Customer name').fill('winning_evidence');
  await expectSoundOnTheWay(tab, 'a dispute');
  await tab.getByRole('button', { name: 'Submit to the bank' }).click();
  await tab.getByText('2 fields are sent to the bank now.').waitFor();
  await expectSoundOnTheWay(tab, 'submitting evidence');
  await tab.getByRole('button', { name: 'Submit the evidence for €20.00' }).click();
  await tab.getByText('Evidence submitted').waitFor();
  await eventually(async () => expect((await read(`/v1/disputes/${id}`)).status).toBe('won'));
  await tab.reload();
  await tab.getByText('€20.00 was returned to your balance.').waitFor();
  const fact = (name: string) => tab.locator('dt', { hasText: name }).locator('+ dd').textContent();
  await expect.poll(() => fact('Payment')).toBe(`€20.00 · ${markup}`);
  expect(await fact('Explanation')).toBe(markup);
  expect(await tab.getByRole('button', { name: 'Accept the dispute' }).count()).toBe(0);
  await expectText(tab);
});

longWalk(
  'the page of a disputed payment says where the dispute stands; what the bank holds is not refunded',
  async () => {
    const { id } = await pay(await addCard('4000000000000259'), { amount: 2_500 });
    const { id: dispute } = await eventually(async () => {
      const { data } = await read(`/v1/disputes?payment=${id}`);
      expect(data).toHaveLength(1);
      return data[0];
    });
    const tab = await dashboard.open(`/payments/${id}`);
    await tab.getByText('Evidence is due by').waitFor();
    await tab.locator('h1 + *', { hasText: 'Disputed' }).waitFor();
    const refund = tab.getByRole('button', { name: 'Refund', exact: true });
    await tab.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect(await refund.count()).toBe(0);
    await expectSoundOnTheWay(tab, 'a disputed payment');
    await dashboard.post(`/v1/disputes/${dispute}`, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await tab.getByText('and you won').waitFor(); // followed live
    await refund.waitFor();
  },
);

longWalk('a refund from the payment page is in the list of refunds', async () => {
  const { id } = await pay(visa, { amount: 4711 });
  const tab = await dashboard.open(`/payments/${id}`);
  await tab.getByRole('button', { name: 'Refund' }).click();
  await tab.getByRole('button', { name: 'Refund €47.11' }).click();
  await tab.getByText('Refund of €47.11: succeeded').waitFor();
  await tab.getByRole('link', { name: 'Refunds', exact: true }).click();
  await tab.getByRole('link', { name: `€47.11 · ${markup}`, exact: true }).waitFor();
  await expectSoundOnTheWay(tab, 'refunds');
  await tab.getByRole('link', { name: '€47.11', exact: true }).click();
  await tab.getByText('Everything', { exact: true }).click();
  await tab.getByRole('button', { name: 'Ledger Refund: €47.11' }).click();
  await tab.getByText('balance → refunds in flight').waitFor();
  await tab.getByRole('button', { name: 'Edit metadata' }).click();
  await tab.getByLabel('Key 1', { exact: true }).fill('ticket');
  await tab.getByLabel('Value 1').fill(markup);
  await tab.getByRole('button', { name: 'Save metadata' }).click();
  await tab.locator('section', { hasText: 'Metadata' }).locator('dd', { hasText: markup }).waitFor();
  await expectSoundOnTheWay(tab, 'a refund');
  await expectText(tab);
});

longWalk('the balance: transactions are filtered, and exported with exactly the filter', async () => {
  const [one, other] = [await pay(visa, { amount: 1500, description: 'Order 7' }), await pay(visa, { amount: 1600 })];
  await dashboard.post('/v1/refunds', { payment: one.id, amount: 300 });
  await dashboard.post('/v1/refunds', { payment: other.id, amount: 400 });
  const tab = await dashboard.open(`/balance?payment=${one.id}`);
  const amount = tab.getByRole('link', { name: '€15.00', exact: true });
  await amount.waitFor();
  expect(await tab.getByRole('link', { name: '€15.00 · Order 7' }).count()).toBe(2);
  await expectSoundOnTheWay(tab, 'the balance');
  await tab.getByRole('button', { name: 'Type', exact: true }).click();
  await tab.getByRole('radio', { name: 'Refund', exact: true }).click();
  await tab.waitForURL(/type=refund/);
  await amount.waitFor({ state: 'detached' });
  await tab.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('button', { name: /^Export \d+ columns/ }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`,refund,-300,eur,re_\\w+,${one.id},`));
  await tab.getByRole('link', { name: '-€3.00' }).click();
  await tab.getByText('Refund (this)').waitFor();
  await tab.getByRole('cell', { name: 'Refund settled' }).waitFor();
  await expectSoundOnTheWay(tab, 'a balance transaction');
});

longWalk(
  'a day that was compared: its differences are accepted and followed up by those who keep the books',
  async () => {
    const { sql } = dashboard.server;
    const tenant = await tenantOf(sql, dashboard.account);
    const { id: payment } = await pay(visa, { amount: 4500, description: 'Order 9' });
    const totals = [
      { currency: 'eur', fee: 1_845n, net: 118_655n, payouts: 96_210n },
      { currency: 'jpy', fee: 30n, net: 1_970n, payouts: 0n },
    ];
    await addComparison(sql, tenant, { date: '2026-11-15', matched: 12, totals });
    const { id, differences } = await addComparison(sql, tenant, {
      date: '2026-11-16',
      matched: 41,
      totals,
      missing: [
        { reference: 'att_9', amount: 4_500, payment },
        { reference: markup, amount: 700, currency: 'jpy' },
      ],
    });
    const tab = await dashboard.open('/reconciliations');
    await heading(tab, 'Reconciliation').waitFor();
    const open = tab.getByRole('row').filter({ hasText: 'Nov 16' });
    await open.getByText('Open', { exact: true }).waitFor();
    await open.getByRole('cell', { name: '€962.10' }).waitFor();
    await tab.getByRole('row').filter({ hasText: 'Nov 15' }).getByText('Matched', { exact: true }).waitFor();
    await expectSoundOnTheWay(tab, 'reconciliations');
    await open.getByRole('link').click();
    await tab.getByText('41 lines agree. 2 differences were found: 2 are not accepted yet.').waitFor();
    const row = (text: string) => tab.getByRole('row').filter({ hasText: text });
    await row('Order 9').getByRole('cell', { name: 'No line' }).waitFor();
    await row('¥700').getByText(markup).waitFor();
    await expectText(tab);
    await expectSoundOnTheWay(tab, 'a reconciliation with differences');

    await row('Order 9').getByRole('button', { name: 'Accept' }).click();
    const accept = tab.getByRole('button', { name: 'Accept the difference' });
    expect(await accept.isDisabled()).toBe(true); // without a reason
    await tab.getByLabel('Why it is accepted').fill(`Charged by hand ${markup}`);
    await tab.getByText('The ledger and the balance do not change.').waitFor();
    await expectSoundOnTheWay(tab, 'accepting a difference');
    // What was typed for one difference is a draft of that one.
    await tab.reload();
    await row('¥700').getByRole('button', { name: 'Accept' }).click();
    expect(await tab.getByLabel('Why it is accepted').inputValue()).toBe('');
    await tab.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await row('Order 9').getByRole('button', { name: 'Accept' }).click();
    expect(await tab.getByLabel('Why it is accepted').inputValue()).toBe(`Charged by hand ${markup}`);
    await accept.click();
    await row('Order 9').getByText(`Accepted by ${dashboard.owner.email}`).waitFor();
    await tab.getByText('2 differences were found: 1 is not accepted yet.').waitFor();
    await row('¥700').getByRole('button', { name: 'Follow up' }).click();
    await tab.getByLabel('What is being done').fill('Case 4711');
    await tab.getByRole('dialog').getByRole('button', { name: 'Follow up' }).click();
    await row('¥700').getByText('Following up').waitFor();
    await row('¥700').getByText('Case 4711').waitFor();
    await expectText(tab);
    const shown = await read(`/v1/reconciliation_differences?reconciliation=${id}`);
    const byId = (one: string) => shown.data.find((difference: { id: string }) => difference.id === one);
    expect(byId(differences[1]!)).toMatchObject({ status: 'accepted', note: `Charged by hand ${markup}`, payment });
    expect(byId(differences[0]!)).toMatchObject({ status: 'following_up', note: 'Case 4711' });

    await go(tab, '/needs-attention?kind=reconciliation_difference');
    await tab.getByText(/is following up\.$/).waitFor();
    await tab.getByRole('link', { name: 'Review the difference' }).click();
    await tab.waitForURL(`${dashboard.place}/reconciliations/${id}`);
    const viewer = await dashboard.openAs(
      await dashboard.server.person(dashboard.account.id, 'viewer'),
      `/reconciliations/${id}`,
    );
    await viewer.getByText('can accept and follow up differences.').waitFor();
    expect(await viewer.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  },
);

longWalk('the balance says why less is available than nothing, and until when', async () => {
  const { id } = await pay(visa, { amount: 9_000, currency: 'chf' });
  await dashboard.post('/v1/refunds', { payment: id, amount: 2_000 });
  const { id: other } = await pay(visa, { amount: 3_000, currency: 'sek' });
  await dashboard.post('/v1/refunds', { payment: other, amount: 3_000 });
  const tab = await dashboard.open('/balance');
  await tab.getByText(/^CHF is below zero until /).waitFor();
  await tab.getByText(/CHF\s20\.00 in refunds were deducted\. CHF\s90\.00 is pending\./).waitFor();
  await expectSoundOnTheWay(tab, 'a balance below zero');
  await tab.getByText('What the balance is made of').click();
  const statement = tab.getByRole('table', { name: 'CHF' });
  await statement.getByRole('row', { name: /^Refunds -CHF\s20\.00$/ }).waitFor();
  await statement.getByRole('row', { name: /^Available today -CHF\s20\.00$/ }).waitFor();
  await statement.getByRole('row', { name: /^Pending until .* CHF\s70\.00 available then CHF\s90\.00$/ }).waitFor();
  await expectSoundOnTheWay(tab, 'what the balance is made of');
});

longWalk('a customer is created, gets a card, loses it, and is deleted', async () => {
  const tab = await dashboard.open('/customers');
  await tab.getByRole('button', { name: 'Create customer' }).click();
  await tab.getByLabel('Name', { exact: true }).fill(`Grace ${markup}`);
  await expectSoundOnTheWay(tab, 'a new customer');
  await tab.getByRole('button', { name: /^Create Grace/ }).click();
  await heading(tab, `Grace ${markup}`).waitFor();
  await tab.getByRole('button', { name: 'Add a test card' }).click();
  await tab.getByLabel('Set as default').check();
  await tab.getByLabel('Cardholder').fill(markup);
  await expectSoundOnTheWay(tab, 'a test card');
  await tab.getByRole('button', { name: 'Add the card •••• 4242' }).click();
  await tab.getByRole('cell', { name: 'Default' }).waitFor();
  await expectSoundOnTheWay(tab, 'a customer');
  await tab.getByRole('link', { name: 'Visa •••• 4242' }).first().click();
  await heading(tab, 'Visa •••• 4242').waitFor();
  await tab.getByText('payment_method.attached').first().waitFor();
  await expectSoundOnTheWay(tab, 'a payment method');
  await tab.getByRole('button', { name: 'Detach' }).click();
  await tab.getByText('The customer will have no default payment method').waitFor();
  await tab.getByRole('button', { name: 'Detach Visa •••• 4242' }).click();
  await tab.getByText('Visa •••• 4242 detached').waitFor();
  await tab.getByRole('link', { name: 'Payment methods' }).first().click();
  await heading(tab, 'Payment methods').waitFor();
  await expectSoundOnTheWay(tab, 'payment methods');
  await tab.getByRole('link', { name: 'Customers', exact: true }).click();
  await tab.getByRole('link', { name: `Grace ${markup}` }).click();
  await tab.getByText('No payment methods').waitFor();
  await tab.getByRole('button', { name: 'More' }).click();
  await tab.getByRole('menuitem', { name: 'Delete' }).click();
  await tab.getByRole('button', { name: /^Delete Grace/ }).click();
  await tab.waitForURL(`${dashboard.place}/customers`);
  expect((await read('/v1/customers?limit=100')).data).toHaveLength(1);
  await expectText(tab);
});

longWalk('a payment method of a kind that the dashboard does not know is shown by what it has', async () => {
  const tab = await dashboard.open();
  await tab.route(`**/v1/payment_methods/${visa}`, async (route) => {
    const response = await route.fetch();
    const { card, ...method } = await response.json();
    const gift_voucher = { issuer: 'bakery', last4: '0042' };
    await route.fulfill({ response, json: { ...method, type: 'gift_voucher', gift_voucher } });
  });
  await tab.goto(`${dashboard.place}/payment-methods/${visa}`);
  await heading(tab, 'Gift voucher •••• 0042').waitFor();
  await tab.getByText('Issuer', { exact: true }).waitFor();
  expect(await tab.getByText('Expires', { exact: true }).count()).toBe(0);
  await tab.getByRole('button', { name: 'Edit' }).click();
  await tab.getByLabel('Email').fill('ada@example.com');
  expect(await tab.getByLabel('Expiry month').count()).toBe(0);
  await tab.getByRole('button', { name: 'Save the payment method' }).click();
  await tab.getByText('Payment method saved').waitFor();
  expect((await read(`/v1/payment_methods/${visa}`)).billing_details.email).toBe('ada@example.com');
});

longWalk('roles: a viewer changes nothing, support refunds, and the API refuses what they are not shown', async () => {
  const { id } = await pay(visa);
  const [viewer, support] = await Promise.all(
    (['viewer', 'support'] as const).map((role) => dashboard.server.person(dashboard.account.id, role)),
  );
  const tab = await dashboard.openAs(viewer, `/customers/${customer}`);
  await tab.getByText('Visa •••• 4242').first().waitFor();
  const buttons = tab.getByRole('button', { name: /^(Create |Edit|More|Attach|Add a|Actions for|Refund$|Detach)/ });
  expect(await buttons.count()).toBe(0);
  await tab.getByRole('link', { name: 'Visa •••• 4242' }).first().click();
  await heading(tab, 'Visa •••• 4242').waitFor();
  expect(await buttons.count()).toBe(0);
  const helping = await dashboard.openAs(support, `/payments/${id}`);
  await helping.getByRole('button', { name: 'Refund' }).waitFor();
  expect(await helping.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  for (const person of [viewer, support])
    for (const [path, body] of [
      ['/v1/payments', { amount: 100, currency: 'eur', payment_method: visa, customer }],
      [`/v1/payment_methods/${visa}/detach`, {}],
    ] as const)
      expect((await person!.client.post(path, body)).json.error.code, path).toBe('role_missing');
  const edit = (person: typeof viewer) => person!.client.post(`/v1/customers/${customer}`, { phone: '+49 30 1' });
  expect([(await edit(viewer)).status, (await edit(support)).status]).toEqual([403, 200]);
});
