import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import type { Client } from '../../test/client.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { violationsOf } from '../../test/payment_invariants.ts';
import { resources } from '../index.ts';
import { invoicesTable } from '../invoices/store.ts';
import type { AnyOperation, Context } from '../operation.ts';
import { paymentsTable } from '../payments/store.ts';
import type { Resource } from '../resource.ts';
import { Billing, type Shown } from './billing.fixture.ts';

/** A retry of a request whose instance no longer answers, on another instance that reads while a duty settles what was asked. */
let clock: VirtualClock;
let first: TestServer;
let second: TestServer;
let billing: Billing;
let retries: Client;

const deadlineMs = 1_000;
/** What happens before a resumed request reads a row of this table. */
let heldTable: Shown;
let meanwhile: (() => Promise<void>) | undefined;

function readingSlowly(context: Context): Context {
  const one: Context['reads']['one'] = async (table, ...where) => {
    const happens = Object.is(table, heldTable) ? meanwhile : undefined;
    if (happens) {
      meanwhile = undefined;
      await happens();
    }
    return context.reads.one(table, ...where);
  };
  const get = (reads: Context['reads'], name: string | symbol) =>
    name === 'one' ? one : reads[name as keyof typeof reads].bind(reads);
  return { ...context, reads: new Proxy(context.reads, { get }) };
}

function resumedSlowly(operation: AnyOperation): AnyOperation {
  const { resume } = operation;
  return resume ? { ...operation, resume: (context, by) => resume(readingSlowly(context), by) } : operation;
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
  const account = await first.account();
  billing = new Billing(account);
  retries = second.client(account.testKey);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

type Request = { path: string; body: object };

async function subscribed(): Promise<Shown> {
  return billing.subscribe(await billing.customer(undefined), await billing.price(1_000));
}

const requests: [what: string, prepared: () => Promise<Request>][] = [
  [
    'the first payment of a subscription',
    async () => {
      const items = [{ price: (await billing.price(1_000)).id }];
      return { path: '/v1/subscriptions', body: { customer: (await billing.customer(undefined)).id, items } };
    },
  ],
  [
    'a change that is invoiced now',
    async () => {
      const { id, items } = await subscribed();
      const body = { items: [{ id: items[0].id, quantity: 3 }], proration: 'invoice_now' };
      return { path: `/v1/subscriptions/${id}`, body };
    },
  ],
  [
    'an invoice that is paid',
    async () => {
      const { customer } = await subscribed();
      await billing.post('invoice_items', { customer, amount: 700, currency: 'eur', description: 'A sticker' });
      const { id } = await billing.post('invoices', { customer });
      await billing.post(`invoices/${id}/finalize`);
      return { path: `/v1/invoices/${id}/pay`, body: {} };
    },
  ],
];

const between: [what: string, heldTable: object][] = [
  ['the attempt and the payment', paymentsTable],
  ['the payment and the invoice', invoicesTable],
];
const cases = between.flatMap(([what, held]) =>
  requests.map(([request, prepared]) => [request, what, held, prepared] as const),
);

test.each(cases)('%s is settled between the reads of %s', async (...[, , held, prepared]) => {
  const { path, body } = await prepared();
  await first.sql.query(`insert into simulator.faults (verb, kind, remaining) values ('authorize', 'hang', 1)`);
  const headers = { 'Idempotency-Key': randomUUID() };
  const lost = billing.account.test.post(path, body, headers);
  const open = async () => (await first.sql.query(`select from attempts where state = 'open'`)).rowCount;
  await expect.poll(open).toBe(1);
  clock.advance(deadlineMs + 1);
  heldTable = held;
  meanwhile = async () => {
    clock.advance(5_000);
    await first.settled();
    expect(await open()).toBe(0);
  };
  const retried = await retries.post(path, body, headers);
  expect([retried.status, meanwhile], second.logged.at(-1)).toEqual([200, undefined]);
  expect((await lost).text).toBe(retried.text);
  expect(await violationsOf(first.sql, { rest: true })).toEqual([]);
});
