import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import type { InquiryOutcome, ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import type { TestServer } from '../../../test/harness.ts';
import { checkoutViolations } from '../../../test/payment_invariants.ts';
import { Billing, type Shown } from '../../billing/subscriptions/billing.fixture.ts';
import { accountAtPier, answersOfPier, type Pier, startWithPier } from '../../payments/payments/pier.fixture.ts';
import { Checkout, cards, tokenOf } from '../checkout_sessions/checkout.fixture.ts';
import { checkoutCalls } from '../checkout_sessions/page_calls.ts';

/** An invoice, its pages and requests, with a processor that answers as each test says. */
const clock = virtualClock(Date.now());
const minute = 60_000;
const pageUrl = 'https://pier.test/pay/1';
const { approved, declined, silent } = answersOfPier;
const incident = 'incident: an approval came for a payment that is over; it is reversed';
let server: TestServer;
let billing: Billing;
let pier: Pier;
let pa: ProcessorAccountId;
let tenant: Tenant;

beforeAll(async () => {
  ({ server, pier } = await startWithPier(clock));
});
afterAll(() => server.stop());
beforeEach(async () => {
  const at = await accountAtPier({ server, pier, clock });
  billing = new Billing(at.account);
  ({ tenant, pa } = at);
});

const answers = (outcome: ProcessorOutcome) => void pier.answers.set(pa, outcome);
const page = (): ProcessorOutcome => ({ kind: 'requires_action', url: pageUrl, expiresAt: clock.now() + 60 * minute });
const tabAt = (url: string, browser?: CheckoutTab) => new CheckoutTab(server.anonymous, url, browser);
const invoiceOf = ({ id }: Shown) => billing.get(`invoices/${id}`);
const logged = (message: string) => server.logged.filter((line) => line.includes(message)).length;

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

async function opened(): Promise<Shown> {
  const customer = await billing.customer(undefined);
  const items = [{ amount: 700, description: 'Setup' }];
  const { id } = await billing.post('invoices', { customer: customer.id, currency: 'eur', items });
  return billing.post(`invoices/${id}/finalize`);
}

/** Presses the button of the page; the tab is on the page of the session. */
async function pressed({ hosted_url }: Shown): Promise<CheckoutTab> {
  const tab = tabAt(hosted_url);
  await tab.open();
  const { headers } = await tab.send({});
  const session = tabAt(new URL(String(headers.location), hosted_url).href, tab);
  await session.open();
  return session;
}

const choose = (tab: CheckoutTab) => tab.send({ act: 'pay', way: 'page' });

/** An invoice whose customer was on a page of the processor, and then wanted another way. */
async function abandoned(): Promise<{ invoice: Shown; tab: CheckoutTab; attempt: `att_${string}` }> {
  const invoice = await opened();
  const tab = await pressed(invoice);
  answers(page());
  pier.finds.set(pa, page() as InquiryOutcome);
  expect((await choose(tab)).status).toBe(303);
  await tab.open();
  await tab.send({ act: 'another_way' });
  expect(await paymentsOf(invoice)).toEqual(['canceled']);
  const text = `select a.id from attempts a join payments p on p.tenant = a.tenant and p.id = a.payment
    where p.invoice = $1 and a.verb = 'authorize'`;
  return { invoice, tab, attempt: (await server.sql.query(text, [invoice.id])).rows[0].id };
}

async function paymentsOf({ id }: Shown): Promise<string[]> {
  const { rows } = await server.sql.query('select status from payments where invoice = $1 order by id', [id]);
  return rows.map(({ status }) => status);
}

/** The processor reports that the first try was paid after all. */
async function report(attempt: `att_${string}`): Promise<void> {
  clock.advance(5);
  await pier.report({
    id: `late ${attempt}`,
    tenant,
    account: pa,
    kind: 'payment_settled',
    attempt,
    outcome: approved,
  });
  await server.settled();
}

async function isPaidOnce(invoice: Shown): Promise<void> {
  expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', amount_paid: 700 });
  expect((await paymentsOf(invoice)).filter((status) => status === 'succeeded')).toHaveLength(1);
  const text = `select count(*)::int4 as n from events where object_id = $1 and type = 'invoice.paid'`;
  expect((await server.sql.query(text, [invoice.id])).rows[0].n).toBe(1);
  expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
}

test('an approval that comes late pays the invoice, and completes the session', async () => {
  const { invoice, tab, attempt } = await abandoned();
  pier.finds.set(pa, approved);
  await report(attempt);
  expect(await paymentsOf(invoice)).toEqual(['succeeded']);
  const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
  expect(data).toMatchObject([{ status: 'complete', invoice: invoice.id }]);
  expect((await tab.open()).text).toContain('Payment confirmed');
  await isPaidOnce(invoice);
});

test('it keeps the card of its own try for the subscription, although the card of the try after it was not to be kept', async () => {
  const customer = await billing.customer(undefined);
  const subscription = await billing.subscribe(customer, await billing.price(700));
  answers(declined);
  await pass(32 * 24 * 60 * minute);
  const invoice = (await billing.invoices(subscription)).find(({ status }) => status === 'open');
  await pressed(invoice);
  const [session] = (await billing.get(`checkout_sessions?customer=${customer.id}`)).data;
  const checkout = new Checkout(server, billing.account);
  // Card numbers are typed into this gateway, and charged by the processor.
  const calls = checkoutCalls({ ...checkout.servicesOf(server), ownCardFields: true }, catalog);
  for (const save of [true, false]) {
    clock.advance(5);
    const opened = await calls.open(tokenOf(session.url), '203.0.113.7');
    await opened!.pay({ instrument: checkout.card(cards.good), details: {}, save });
  }
  expect(await paymentsOf(invoice)).toEqual(['failed', 'failed', 'failed']);
  const text = `select a.id, p.payment_method from attempts a join payments p on p.tenant = a.tenant and p.id = a.payment
    where p.checkout_session = $1 order by p.id limit 1`;
  const { id: attempt, payment_method } = (await server.sql.query(text, [session.id])).rows[0];
  pier.finds.set(pa, approved);
  await report(attempt);
  expect(await paymentsOf(invoice)).toEqual(['failed', 'succeeded', 'failed']);
  expect((await billing.subscription(subscription)).default_payment_method).toBe(payment_method);
  expect(await billing.get(`payment_methods/${payment_method}`)).toMatchObject({ customer: customer.id });
  await isPaidOnce(invoice);
});

test.each([
  ['before', 'request'],
  ['while the processor is asked about it', 'request'],
  ['while the processor is asked about it', 'page'],
] as const)('it goes back, as an incident, where the invoice was paid %s by a %s', async (when, by) => {
  const { invoice, tab, attempt } = await abandoned();
  answers(approved);
  const pay = async () => {
    clock.advance(5);
    if (by === 'request') return billing.post(`invoices/${invoice.id}/pay`);
    await tab.open();
    return choose(tab);
  };
  if (when === 'before') await pay();
  pier.finds.set(pa, async (request) => {
    if (request.attempt === attempt && (await paymentsOf(invoice)).length === 1) await pay();
    return approved;
  });
  await report(attempt);
  expect(await paymentsOf(invoice)).toEqual(['canceled', 'succeeded']);
  expect(logged(incident)).toBe(1);
  await isPaidOnce(invoice);
});

test('it waits while a request that pays the invoice has no answer, and takes the place of one that is declined', async () => {
  const { invoice, attempt } = await abandoned();
  answers(silent);
  clock.advance(5);
  pier.finds.set(pa, async (request) => (request.attempt === attempt ? approved : silent));
  await billing.post(`invoices/${invoice.id}/pay`);
  await report(attempt);
  for (let looks = 0; looks < 3; looks++) await pass(minute);
  expect(await paymentsOf(invoice)).toEqual(['canceled', 'processing']);
  pier.finds.set(pa, async (request) =>
    request.attempt === attempt ? approved : { kind: 'declined', code: 'card_declined' },
  );
  for (let looks = 0; looks < 3; looks++) await pass(60 * minute);
  expect(await paymentsOf(invoice)).toEqual(['succeeded', 'failed']);
  await isPaidOnce(invoice);
});

test('it goes back where the invoice is void by now', async () => {
  const { invoice, attempt } = await abandoned();
  await billing.post(`invoices/${invoice.id}/void`);
  pier.finds.set(pa, approved);
  await report(attempt);
  expect(await paymentsOf(invoice)).toEqual(['canceled']);
  expect(logged(incident)).toBe(1);
  expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
});

test('while a request has no answer, the page and a session that is still open say so, and offer nothing', async () => {
  const invoice = await opened();
  const tab = await pressed(invoice);
  answers(silent);
  pier.finds.set(pa, silent);
  await billing.post(`invoices/${invoice.id}/pay`);
  for (const { text } of [await tabAt(invoice.hosted_url).open(), await tab.open()]) {
    expect(text).toContain('data-poll');
    expect(text).not.toContain('<form');
  }
  expect((await choose(tab)).status).toBe(303);
  expect(await paymentsOf(invoice)).toEqual(['processing']);
  pier.finds.set(pa, approved);
  await pass(60 * minute);
  expect((await tabAt(invoice.hosted_url).open()).text).toContain('Paid');
  await isPaidOnce(invoice);
});

test.each([
  ['the processor cancels', { kind: 'approved', reference: 'pier_1' }, 'open', 'canceled'],
  ['it was paid meanwhile', { kind: 'already_paid' }, 'paid', 'succeeded'],
] as const)(
  'a session that expires while its payment is pending: %s',
  async (_, answer, invoiceStatus, paymentStatus) => {
    const invoice = await opened();
    const tab = await pressed(invoice);
    answers({ kind: 'pending', reference: 'pier_1' } as ProcessorOutcome);
    pier.finds.set(pa, { kind: 'pending', reference: 'pier_1' } as InquiryOutcome);
    await choose(tab);
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'open', attempt_count: 1 });
    const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
    pier.cancels.set(pa, answer as ProcessorOutcome);
    if (paymentStatus === 'succeeded') pier.finds.set(pa, approved);
    await billing.account.test.post(`/v1/checkout_sessions/${data[0].id}/expire`, {});
    for (let looks = 0; looks < 3; looks++) await pass(minute);
    expect((await invoiceOf(invoice)).status).toBe(invoiceStatus);
    expect(await paymentsOf(invoice)).toEqual([paymentStatus]);
    if (invoiceStatus === 'open') {
      answers(approved);
      pier.finds.delete(pa);
      await billing.post(`invoices/${invoice.id}/pay`);
    }
    await isPaidOnce(invoice);
  },
);

test('of a customer who is deleted on the page of the processor, the invoice is void, and what was paid there goes back', async () => {
  const invoice = await opened();
  const tab = await pressed(invoice);
  answers(page());
  pier.finds.set(pa, page() as InquiryOutcome);
  await choose(tab);
  pier.cancels.set(pa, { kind: 'already_paid' });
  pier.finds.set(pa, approved);
  await billing.account.test.delete(`/v1/customers/${invoice.customer}`);
  for (let looks = 0; looks < 10; looks++) await pass(3_000);
  expect(await paymentsOf(invoice)).toEqual(['succeeded']);
  const { rows } = await server.sql.query('select status, closing from invoices where id = $1', [invoice.id]);
  expect(rows).toEqual([{ status: 'void', closing: 'refund' }]);
  expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
});

test('a request, the page and another tab at one moment ask the processor once', async () => {
  for (let round = 0; round < 3; round++) {
    const invoice = await opened();
    const tabs = [await pressed(invoice), await pressed(invoice)];
    answers(approved);
    const before = pier.asked.length;
    const pay = () => billing.account.test.post(`/v1/invoices/${invoice.id}/pay`);
    await Promise.all([choose(tabs[0]!), pay(), choose(tabs[1]!), pay()]);
    await server.settled();
    expect(pier.asked.length - before).toBe(1);
    await isPaidOnce(invoice);
  }
});
