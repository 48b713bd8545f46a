import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { AnyOperation, Context } from '../../../operations/operation.ts';
import type { Resource } from '../../../operations/resource.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { resources } from '../../index.ts';

/** Happens once, between the read of accounts and that of their credentials. */
let meanwhile: (() => Promise<unknown>) | undefined;

function readingSlowly(context: Context): Context {
  const slow =
    (read: (...given: never[]) => Promise<unknown>) =>
    async (...given: never[]) => {
      const found = await read(...given);
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return found;
    };
  const get = (reads: Context['reads'], name: string | symbol) =>
    slow((reads[name as keyof typeof reads] as (...given: never[]) => Promise<unknown>).bind(reads));
  return { ...context, reads: new Proxy(context.reads, { get }) };
}

/** Happens once, between the decision of a change and its commit. */
let beforeCommit: { of: string; happens: () => Promise<unknown> } | undefined;

async function decidingSlowly(one: AnyOperation, context: Context, input: never) {
  const decided = await one.run(context, input);
  const { of, happens } = beforeCommit ?? {};
  if (of !== one.name) return decided;
  beforeCommit = undefined;
  await happens?.();
  return decided;
}

const reads = ['processor_accounts.retrieve', 'processor_accounts.list'];
const slowly = (one: AnyOperation): AnyOperation => ({
  ...one,
  run: (context, input) =>
    reads.includes(one.name) ? one.run(readingSlowly(context), input) : decidingSlowly(one, context, input),
});
const slow: Resource[] = resources.map(({ operations = [], ...rest }) => ({
  ...rest,
  operations: (declared) => (typeof operations === 'function' ? operations(declared) : operations).map(slowly),
}));

let server: TestServer;
let client: Client;
beforeAll(async () => {
  // Time stands still: what is read at most once a second would be read once. So would what another instance has changed.
  server = await startServer({ isAlone: true, resources: slow, clock: virtualClock(Date.now() + 60_000) });
  client = (await server.account()).test;
});
afterAll(() => server.stop());

const spare = async (name = 'Spare') =>
  (await client.post('/v1/processor_accounts', { connector: 'simulator', name })).json.id as string;

async function pay() {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  return client.post('/v1/payments', { amount: 900, currency: 'eur', payment_method });
}

async function accountThatIsDeleted(): Promise<string> {
  const id = await spare();
  meanwhile = () => client.delete(`/v1/processor_accounts/${id}`);
  return id;
}

test('an account that is deleted while it is read does not exist', async () => {
  const answer = await client.get(`/v1/processor_accounts/${await accountThatIsDeleted()}`);
  expect([answer.status, answer.json.error?.code]).toEqual([404, 'resource_missing']);
});

test('an account that is deleted while a list is read is left out', async () => {
  await accountThatIsDeleted();
  const answer = await client.get('/v1/processor_accounts');
  expect([answer.status, answer.json.data]).toEqual([200, []]);
});

describe('the first payment at an account, at the moment at which the account is deleted', () => {
  test('goes elsewhere when the deletion is first', async () => {
    const id = await spare();
    beforeCommit = { of: 'payments.create', happens: () => client.delete(`/v1/processor_accounts/${id}`) };
    const { status, json } = await pay();
    expect([status, json.status, json.processor]).toEqual([200, 'succeeded', undefined]);
    expect((await client.get(`/v1/processor_accounts/${id}`)).status).toBe(404);
    const attempts = await server.sql.query('select state from attempts where processor_account = $1', [id]);
    expect(attempts.rows).toEqual([]);
  });

  test('keeps the account when the payment is first', async () => {
    const id = await spare();
    const paid = Promise.withResolvers<unknown>();
    beforeCommit = { of: 'processor_accounts.delete', happens: async () => paid.resolve((await pay()).json.processor) };
    const answer = await client.delete(`/v1/processor_accounts/${id}`);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'processor_account_in_use']);
    expect(await paid.promise).toMatchObject({ account: id });
    expect((await client.get(`/v1/processor_accounts/${id}`)).status).toBe(200);
    await client.post(`/v1/processor_accounts/${id}`, { enabled: false });
  });
});

describe('a change by this server applies here immediately, however short ago the last payment was', () => {
  const routed = async () => (await pay()).json.processor?.account;
  test('new accounts, rules, settings and disabled accounts', async () => {
    expect(await routed()).toBeUndefined();
    const first = await spare('First');
    expect(await routed()).toBe(first);
    const second = await spare('Second');
    await client.post('/v1/routing', { rules: [{ use: [second, first] }] });
    expect(await routed()).toBe(second);
    await client.post(`/v1/processor_accounts/${second}`, { settings: { behaves: 'unreachable' } });
    expect(await routed()).toBe(first);
    await client.post(`/v1/processor_accounts/${second}`, { settings: { behaves: 'normal' } });
    expect(await routed()).toBe(second);
    await client.post(`/v1/processor_accounts/${second}`, { enabled: false });
    expect(await routed()).toBe(first);
    await client.post('/v1/routing', { rules: [] });
    await client.post(`/v1/processor_accounts/${first}`, { enabled: false });
    expect(await routed()).toBeUndefined();
  });
});
