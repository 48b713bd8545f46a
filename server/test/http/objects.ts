import { expect } from 'vitest';
import { dock } from '../../connectors/dock.fixture.ts';
import { registrations } from '../../connectors/index.ts';
import { addPosting } from '../../resources/payments/balance/postings.fixture.ts';
import { addDifference } from '../../resources/payments/reconciliations/reconciliations.fixture.ts';
import type { Client } from '../client.ts';
import type { TestServer } from '../harness.ts';
import { unusedId } from './support.ts';

export const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035, cvc: '123' };

const charge = { amount: 700, currency: 'eur' };

export type ObjectMaker = Pick<TestServer, 'sql' | 'operator'>;

/** With a processor that has accounts in both modes. */
export const connectorsWithAccounts = [...registrations, dock];

/** The resource whose id a route takes, as a key of `makers`. */
export const resourceOf = (route: string) => route.slice(1).split('/:')[0]!;

export const customerOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/customers', { name: 'Victim', metadata: { secret: 1 } })).json.id;

const newNote = async (client: Client) => ({ object: await customerOf(client), text: 'Called twice.' });
const noteOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/notes', await newNote(client))).json.id;

export const methodOf = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/v1/payment_methods', { type: 'card', card, ...more })).json.id;

const gold = { currency: 'eur', unit_amount: 1_500, recurring: { interval: 'month' }, product_name: 'Gold' };
const priceOf = async (client: Client): Promise<string> => (await client.post('/v1/prices', gold)).json.id;

const third = { percent_off: 33.33, duration: 'once' };
const couponOf = async (client: Client): Promise<string> => (await client.post('/v1/coupons', third)).json.id;
const item = { amount: 700, currency: 'eur', description: 'Setup' };
const itemOf = async (client: Client, customer?: string): Promise<string> =>
  (await client.post('/v1/invoice_items', { ...item, customer: customer ?? (await customerOf(client)) })).json.id;

/** A customer that has something to be charged with. */
async function payingCustomerOf(client: Client): Promise<string> {
  const customer = await customerOf(client);
  await client.post(`/v1/customers/${customer}`, { default_payment_method: await methodOf(client, { customer }) });
  return customer;
}

/** A draft. */
export async function invoiceOf(client: Client): Promise<string> {
  const customer = await payingCustomerOf(client);
  await itemOf(client, customer);
  return (await client.post('/v1/invoices', { customer })).json.id;
}

const newPaymentLink = { amount: 2_000, currency: 'eur' };
const newCheckoutSession = { amount: 2_000, currency: 'eur' };
const checkoutSessionOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/checkout_sessions', newCheckoutSession)).json.id;

/** It is for nothing, so it is active in live mode too. */
const newSubscription = async (client: Client) => {
  const price = (await client.post('/v1/prices', { ...gold, unit_amount: 0 })).json.id;
  return { customer: await payingCustomerOf(client), items: [{ price }] };
};
export const subscriptionOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/subscriptions', await newSubscription(client))).json.id;

/** In live mode no processor is configured: the payment fails, but it exists. */
export async function paymentOf(client: Client): Promise<string> {
  const body = { ...charge, payment_method: await methodOf(client), capture_method: 'manual' };
  const answer = await client.post('/v1/payments', body);
  return answer.status === 402 ? answer.json.error.payment : answer.json.id;
}

/** It waits for its cardholder. In live mode no processor is configured that can set up, so the setup is inserted directly. */
async function setupOf(client: Client, { sql }: ObjectMaker): Promise<string> {
  const payment_method = await methodOf(client, { card: { ...card, number: '4000000000003220' } });
  const { status, json } = await client.post('/v1/setups', { payment_method });
  if (status === 200) return json.id;
  const id = unusedId('set');
  await sql.query(
    `insert into setups (tenant, id, version, payment_method, status, inquiries)
     select tenant, $2, 1, id, 'succeeded', 0 from payment_methods where id = $1`,
    [payment_method, id],
  );
  return id;
}

let endpoints = 0;
/** For an event that is rare, because each delivery is a connection that fails. */
const newEndpoint = () => ({ url: `https://127.0.0.1:9/${++endpoints}`, enabled_events: ['coupon.deleted'] });
const endpointOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/webhook_endpoints', newEndpoint())).json.id;

/** The tenant of a client is read from an object of it. */
async function tenantOf(client: Client, { sql }: ObjectMaker): Promise<number> {
  return (await sql.query('select tenant from customers where id = $1', [await customerOf(client)])).rows[0].tenant;
}

/** A posting, in either mode. */
async function transactionOf(client: Client, server: ObjectMaker): Promise<string> {
  const source = unusedId('py');
  return addPosting(server.sql, await tenantOf(client, server), { kind: 'payment', source, at: Date.now() });
}

/** A mail that was sent. Whether one is written at all depends on the settings of the account. */
async function mailOf(client: Client, server: ObjectMaker): Promise<string> {
  const id = unusedId('mail');
  await server.sql.query(
    `insert into mails (tenant, id, version, kind, cause, address, status, subject, message, language, attempts, sent_at)
     values ($1, $2, 2, 'receipt', $2, 'victim@example.com', 'sent', 'Receipt', $3, 'en', 1, now())`,
    [await tenantOf(client, server), id, JSON.stringify({ subject: 'Receipt', blocks: [] })],
  );
  return id;
}

/** A day that was compared, or its difference, in either mode. Only the operator compares. */
const comparisonOf = (what: 'id' | 'difference') => async (client: Client, server: ObjectMaker) =>
  (await addDifference(server.sql, await tenantOf(client, server)))[what];

/** In live mode there is no successful payment to dispute, so the dispute is inserted directly. */
async function disputeOf(client: Client, { sql }: ObjectMaker): Promise<string> {
  const payment_method = await methodOf(client, { card: { ...card, number: '4000000000000259' } });
  const { status, json } = await client.post('/v1/payments', { ...charge, payment_method });
  if (status === 200) {
    const theirs = async () => (await client.get(`/v1/disputes?payment=${json.id}`)).json.data;
    await expect.poll(theirs).toHaveLength(1);
    return (await theirs())[0].id;
  }
  const id = unusedId('dp');
  await sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
            connector, reference, inquiries)
     select tenant, $2, 1, id, amount, currency, 'general', 'needs_response', '{}', now() + interval '1 day', 0, 'none', $2, 0
       from payments where id = $1`,
    [json.error.payment, id],
  );
  return id;
}

/** In live mode there is no successful payment to refund, so the refund is inserted directly. */
async function refundOf(client: Client, { sql }: ObjectMaker): Promise<string> {
  const body = { ...charge, payment_method: await methodOf(client) };
  const { status, json } = await client.post('/v1/payments', body);
  if (status === 200) return (await client.post('/v1/refunds', { payment: json.id })).json.id;
  const id = unusedId('re');
  await sql.query(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, attempt, inquiries)
     select tenant, $2, 1, id, amount, currency, 'succeeded', 'att_none', 0 from payments where id = $1`,
    [json.error.payment, id],
  );
  return id;
}

/** In live mode only the operator creates one. */
async function processorAccountOf(client: Client, { sql, operator }: ObjectMaker): Promise<string> {
  const owner = 'select account, mode from customers c join tenants t on t.tenant = c.tenant where c.id = $1';
  const { account, mode } = (await sql.query(owner, [await customerOf(client)])).rows[0];
  const parameters = { connector: 'dock', name: 'Victim', enabled: false, credentials: { api_key: `${mode}_key` } };
  return (await operator.run<{ id: string }>('processor_accounts.create', { account, mode, parameters })).id;
}

/** A customer whose timeline is complete: the request log is written a moment after the answer. */
async function timelineOf(client: Client): Promise<string> {
  const id = await customerOf(client);
  await expect.poll(async () => (await client.get(`/v1/timeline/${id}`)).json.data).toHaveLength(2);
  return id;
}

async function requestOf(client: Client): Promise<string> {
  const { headers } = await client.get('/v1/customers?limit=1');
  const id = headers['request-id'] as string;
  await expect.poll(async () => (await client.get(`/v1/request_logs/${id}`)).status).toBe(200);
  return id;
}

type Maker = {
  prefix: string;
  make(client: Client, server: ObjectMaker): Promise<string>;
  /** There are none in live mode. */
  isTestOnly?: true;
};

const clockStart = Date.UTC(2030, 0, 1) / 1_000;
const clockOf = async (client: Client): Promise<string> =>
  (await client.post('/v1/test_clocks', { frozen_time: clockStart })).json.id;

/** Creates an object of each resource. A resource that is missing here fails idor.test.ts. */
export const makers: Record<string, Maker> = {
  timeline: { prefix: 'cus', make: timelineOf },
  request_logs: { prefix: 'req', make: requestOf },
  customers: { prefix: 'cus', make: customerOf },
  notes: { prefix: 'note', make: noteOf },
  payment_methods: { prefix: 'pm', make: (client) => methodOf(client) },
  prices: { prefix: 'price', make: priceOf },
  coupons: { prefix: 'coupon', make: couponOf },
  invoice_items: { prefix: 'ii', make: (client) => itemOf(client) },
  invoices: { prefix: 'in', make: invoiceOf },
  subscriptions: { prefix: 'sub', make: subscriptionOf },
  setups: { prefix: 'set', make: setupOf },
  checkout_sessions: { prefix: 'cs', make: checkoutSessionOf },
  payment_links: {
    prefix: 'plink',
    make: async (client) => (await client.post('/v1/payment_links', newPaymentLink)).json.id,
  },
  mails: { prefix: 'mail', make: mailOf },
  payments: { prefix: 'py', make: paymentOf },
  refunds: { prefix: 're', make: refundOf },
  disputes: { prefix: 'dp', make: disputeOf },
  webhook_endpoints: { prefix: 'we', make: endpointOf },
  test_clocks: { prefix: 'clock', make: clockOf, isTestOnly: true },
  processor_accounts: { prefix: 'pa', make: processorAccountOf },
  'balance/transactions': { prefix: 'txn', make: transactionOf },
  reconciliations: { prefix: 'recon', make: comparisonOf('id') },
  reconciliation_differences: { prefix: 'diff', make: comparisonOf('difference') },
  events: {
    prefix: 'evt',
    async make(client) {
      await client.post('/v1/customers', { name: 'Victim' });
      return (await client.get('/v1/events?limit=1')).json.data[0].id;
    },
  },
};

/** What has to be done to an object before an operation is possible. */
export const preparations: Record<string, (client: Client, id: string, server: ObjectMaker) => Promise<unknown>> = {
  'payments.receipt': (client, id) => client.post(`/v1/payments/${id}/capture`),
  'invoices.pdf': (client, id) => client.post(`/v1/invoices/${id}/finalize`),
  'invoices.pay': (client, id) => client.post(`/v1/invoices/${id}/finalize`),
  'invoices.void': (client, id) => client.post(`/v1/invoices/${id}/finalize`),
  'invoices.mark_uncollectible': (client, id) => client.post(`/v1/invoices/${id}/finalize`),
  'checkout_sessions.redact': (client, id) => client.post(`/v1/checkout_sessions/${id}/expire`),
  'checkout_sessions.review': (_client, id, { sql }) =>
    sql.query('update checkout_sessions set late = true where id = $1', [id]),
  'subscriptions.resume': (client, id) => client.post(`/v1/subscriptions/${id}/pause`),
};

/** An object that an operation can be done to. */
export async function makeFor({ name, route }: { name: string; route: string }, client: Client, server: ObjectMaker) {
  const id = await makers[resourceOf(route)]!.make(client, server);
  await preparations[name]?.(client, id, server);
  return id;
}

/** The required parameters of an operation, with objects of the caller. */
const bodies: Record<string, (client: Client) => Promise<object>> = {
  'payment_methods.create': async () => ({ type: 'card', card }),
  'prices.create': async () => gold,
  'coupons.create': async () => third,
  'notes.create': newNote,
  'invoice_items.create': async (client) => ({ ...item, customer: await customerOf(client) }),
  'invoices.create': async (client) => {
    const customer = await customerOf(client);
    await itemOf(client, customer);
    return { customer };
  },
  'invoices.preview': async (client) => ({ subscription: await subscriptionOf(client) }),
  'subscriptions.create': newSubscription,
  'checkout_sessions.create': async () => newCheckoutSession,
  'portal_sessions.create': async (client) => ({ customer: await customerOf(client) }),
  'payment_links.create': async () => newPaymentLink,
  'setups.create': async (client) => ({ payment_method: await methodOf(client) }),
  'payments.create': async (client) => ({ ...charge, payment_method: await methodOf(client) }),
  'refunds.create': async (client) => {
    const paid = await client.post('/v1/payments', { ...charge, payment_method: await methodOf(client) });
    return { payment: paid.json.id };
  },
  'processor_accounts.create': async () => ({ connector: 'simulator', name: 'Spare', enabled: false }),
  'webhook_endpoints.create': async () => newEndpoint(),
  'test_clocks.create': async () => ({ frozen_time: clockStart }),
  'test_clocks.advance': async () => ({ frozen_time: clockStart + 60 }),
  'routing.update': async () => ({ rules: [] }),
  'payment_methods.attach': async (client) => ({ customer: await customerOf(client) }),
  'reconciliation_differences.accept': async () => ({ note: 'Rounding' }),
  'webhook_endpoints.recover': async () => ({ since: Math.floor(Date.now() / 1_000) - 60 }),
};
export const bodyFor = async (name: string, client: Client) => (await bodies[name]?.(client)) ?? {};
