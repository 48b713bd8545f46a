import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { findAgreements } from '../../payments/payments/agreement.ts';
import { at, Billing, cards } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
});
afterAll(() => server.stop());

test('customers that are billed at the same moment get their own items', async () => {
  const clock = await billing.clock('2026-01-01');
  const price = await billing.price(1_000);
  const customers = [await billing.customer(clock), await billing.customer(clock), await billing.customer(clock)];
  const subscriptions = [];
  for (const customer of customers) subscriptions.push(await billing.subscribe(customer, price));
  const item = { amount: 500, currency: 'eur', description: 'Setup' };
  await billing.post('invoice_items', { ...item, customer: customers[1].id });
  await billing.post('invoice_items', { ...item, customer: customers[2].id, currency: 'usd' });
  await billing.advance(clock, '2026-02-01');
  const invoices = await Promise.all(subscriptions.map(async (one) => (await billing.invoices(one)).at(-1)));
  expect(invoices.map(({ period_start, total, status }) => [period_start, total, status])).toEqual(
    [1_000, 1_500, 1_000].map((total) => [at('2026-02-01'), total, 'paid']),
  );
});

test('charges without the cardholder name the latest payment of the cardholder with the same card of the same customer, or else of the merchant', async () => {
  const customers = [await billing.customer(undefined), await billing.customer(undefined, '')];
  const [first, other] = customers;
  const second = await billing.method(cards.pays, first.id);
  const unused = await billing.method(cards.pays, other.id);
  const pay = (payment_method: string) =>
    billing.post('payments', { amount: 100, currency: 'eur', payment_method, customer: first.id });
  await pay(first.default_payment_method);
  const latest = await pay(first.default_payment_method);
  const alone = await pay(second.id);
  const { reads } = server.gateway.services;
  const { rows } = await server.sql.query('select tenant, id, network_transaction_id as network from attempts');
  const { rows: payments } = await server.sql.query('select tenant, id, authorization_attempt from payments');
  const networkOf = (payment: { id: string }) =>
    rows.find(({ id }) => id === payments.find((one) => one.id === payment.id).authorization_attempt).network;
  const { tenant } = payments.find(({ id }) => id === latest.id);
  const asked = [
    { customer: first.id, id: first.default_payment_method },
    { customer: first.id, id: second.id },
    { customer: other.id, id: unused.id },
    { customer: other.id, id: second.id },
  ];
  const networkBy = async (method: (typeof asked)[0]) =>
    (await findAgreements(reads, tenant, method)).attempts[0]?.network_transaction_id;
  const found = await Promise.all(asked.map(networkBy));
  expect(found).toEqual([networkOf(latest), networkOf(alone), undefined, undefined]);
  expect(new Set(found).size).toBe(3);
  const charge = { amount: 100, currency: 'eur', payment_method: unused.id, customer: other.id };
  const byMerchant = await billing.post('payments', { ...charge, off_session: true });
  const { attempts, isByCardholder } = await findAgreements(reads, tenant, asked[2]!);
  expect([attempts.map(({ payment }) => payment), isByCardholder]).toEqual([[byMerchant.id], false]);
  const stranger = await tenantOf(server.sql, (await server.account()).id, 'test');
  expect((await findAgreements(reads, stranger, asked[0]!)).attempts).toEqual([]);
});
