import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { AnyOperation, Context } from '../../../operations/operation.ts';
import type { Resource } from '../../../operations/resource.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { resources } from '../../index.ts';
import { paymentsTable } from '../../payments/payments/store.ts';
import { invoicesTable } from '../invoices/store.ts';
import { Billing, type Shown } from './billing.fixture.ts';

/** Retries of requests whose instance no longer answers, on another instance that reads while a job settles what was asked. */
let clock: VirtualClock;
let first: TestServer;
let second: TestServer;

/** Real time, in which all retries must have begun to read. */
const deadlineMs = 10_000;

/** The tables before whose rows a resumed request waits for `settled`, by tenant. */
const heldBefore = new Map<number, object>();
let settled: Promise<void>;
let arrivals = 0;

function readingSlowly(context: Context): Context {
  const one: Context['reads']['one'] = async (table, ...where) => {
    if (Object.is(table, heldBefore.get(context.tenant))) {
      heldBefore.delete(context.tenant);
      arrivals++;
      await settled;
    }
    return context.reads.one(table, ...where);
  };
  const get = (reads: Context['reads'], name: string | symbol) =>
    name === 'one' ? one : (Reflect.get(reads, name) as () => void).bind(reads);
  return { ...context, reads: new Proxy(context.reads, { get }) };
}

function resumedSlowly(operation: AnyOperation): AnyOperation {
  const { resume } = operation;
  return resume
    ? { ...operation, resume: (context, by, input) => resume(readingSlowly(context), by, input) }
    : operation;
}

const slow: Resource[] = resources.map(({ operations = [], ...rest }) => ({
  ...rest,
  operations: (declared) =>
    (typeof operations === 'function' ? operations(declared) : operations).map((one) => resumedSlowly(one)),
}));

beforeAll(async () => {
  clock = virtualClock(Date.now());
  const options = { clock, processorDeadlineMs: deadlineMs, environment: { SIMULATOR: 'remote' } };
  first = await startServer(options);
  second = await startServer({ ...options, resources: slow, databaseUrl: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

type Request = { path: string; body: object };

async function subscribed(billing: Billing): Promise<Shown> {
  return billing.subscribe(await billing.customer(undefined), await billing.price(1_000));
}

const requests: ((billing: Billing) => Promise<Request>)[] = [
  async function firstPayment(billing) {
    const items = [{ price: (await billing.price(1_000)).id }];
    return { path: '/v1/subscriptions', body: { customer: (await billing.customer(undefined)).id, items } };
  },
  async function changeInvoicedNow(billing) {
    const { id, items } = await subscribed(billing);
    const body = { items: [{ id: items[0].id, quantity: 3 }], proration: 'invoice_now' };
    return { path: `/v1/subscriptions/${id}`, body };
  },
  async function invoicePaid(billing) {
    const { customer } = await subscribed(billing);
    await billing.post('invoice_items', { customer, amount: 700, currency: 'eur', description: 'A sticker' });
    const { id } = await billing.post('invoices', { customer });
    await billing.post(`invoices/${id}/finalize`);
    return { path: `/v1/invoices/${id}/pay`, body: {} };
  },
];

/** Settled between the reads of the attempt and the payment, or of the payment and the invoice. */
const cases = [paymentsTable, invoicesTable].flatMap((table) => requests.map((prepare) => ({ table, prepare })));

test('what is settled while a retry reads is decided again', async () => {
  const sent: { request: Request; headers: Record<string, string>; key: string }[] = [];
  for (const { table, prepare } of cases) {
    const account = await first.account();
    const request = await prepare(new Billing(account));
    const text = `select tenant from tenants where account = $1 and mode = 'test'`;
    heldBefore.set((await first.sql.query(text, [account.id])).rows[0].tenant, table);
    sent.push({ request, headers: { 'Idempotency-Key': randomUUID() }, key: account.testKey });
  }
  const post = (server: TestServer) =>
    sent.map(({ request: { path, body }, headers, key }) => server.client(key).post(path, body, headers));
  await first.sql.query(`insert into simulator_faults (verb, kind, remaining) values ('authorize', 'hang', $1)`, [
    cases.length,
  ]);
  const lost = post(first);
  const open = async () => (await first.sql.query(`select from attempts where state = 'open'`)).rowCount;
  await expect.poll(open).toBe(cases.length);
  clock.advance(deadlineMs + 1);
  const release = Promise.withResolvers<void>();
  settled = release.promise;
  const retries = post(second);
  await expect.poll(() => arrivals).toBe(cases.length);
  clock.advance(5_000);
  await first.settled();
  expect(await open()).toBe(0);
  release.resolve();
  const answers = await Promise.all(retries);
  expect(answers.map(({ status }) => status)).toEqual(cases.map(() => 200));
  expect((await Promise.all(lost)).map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
  expect(await violationsOf(first.sql, { rest: true })).toEqual([]);
});
