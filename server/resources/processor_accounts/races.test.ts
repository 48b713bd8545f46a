import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../test/client.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { resources } from '../index.ts';
import type { AnyOperation, Context } from '../operation.ts';
import type { Resource } from '../resource.ts';

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

const reads = ['processor_accounts.retrieve', 'processor_accounts.list'];
const slowly = (one: AnyOperation): AnyOperation =>
  reads.includes(one.name) ? { ...one, run: (context, input) => one.run(readingSlowly(context), input) } : one;
const slow: Resource[] = resources.map(({ operations = [], ...rest }) => ({
  ...rest,
  operations: (declared) => (typeof operations === 'function' ? operations(declared) : operations).map(slowly),
}));

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startServer({ resources: slow });
  client = (await server.account()).test;
});
afterAll(() => server.stop());

async function accountThatIsDeleted(): Promise<string> {
  const { id } = (await client.post('/v1/processor_accounts', { connector: 'simulator', name: 'Spare' })).json;
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
