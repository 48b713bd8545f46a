import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { isolateTenant } from '../citus/isolate.ts';
import { tenantOf } from '../operations/tenants.ts';
import { TestStream } from '../resources/events/changes/stream.fixture.ts';
import type { Client } from '../test/client.ts';
import { becomes } from '../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';

describe.skipIf(withoutCitus)(`streams of changes of a tenant that moves (${needsCitus})`, () => {
  let world: DistributedWorld;
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => {
    world = await DistributedWorld.start();
    server = await startServer({ databaseUrl: world.address.connectionString });
    account = await server.account();
  });
  afterAll(async () => {
    await server?.stop();
    await world?.stop();
  });

  async function open(query: string, lastEventId?: string): Promise<TestStream> {
    const stream = await TestStream.open(account.test, lastEventId, query);
    onTestFinished(() => stream.close());
    await becomes(() => stream.lastEventId).toBeDefined();
    return stream;
  }
  const subjectsIn = ({ messages }: TestStream) => messages.map(({ data }) => data.subject);
  const makeCustomer = async (client: Client): Promise<string> =>
    (await client.post('/v1/customers', { name: 'Ada' })).json.id;
  const tenant = () => tenantOf(world.sql, account.id, 'test');
  const move = async () => void (await world.move(await world.rangeOf(await tenant())));

  /** Customers that are made during a change of shards, and those right before and after it. */
  async function customersDuring(change: () => Promise<void>): Promise<string[]> {
    const made = [await makeCustomer(account.test)];
    let isOver = false;
    const ended = change().finally(() => {
      isOver = true;
    });
    while (!isOver) made.push(await makeCustomer(account.test));
    await ended;
    return [...made, await makeCustomer(account.test)];
  }

  test.each([
    ['a move', '', move],
    ['a move back', '?payload=true', move],
    ['a split', '', async () => isolateTenant(world.sql, await tenant())],
    ['a move after a split', '?payload=true', move],
  ] as const)('go on through %s%s, and can be continued from before it', async (_, query, change) => {
    const stream = await open(query);
    const begin = stream.lastEventId!;
    const made = await customersDuring(change);
    expect(made.length).toBeGreaterThan(2);
    await becomes(() => subjectsIn(stream)).toEqual(expect.arrayContaining(made));
    expect([stream.isOver, stream.messages.some(({ data }) => data.type === 'reload')]).toEqual([false, false]);
    const again = await open(query, begin);
    await becomes(() => subjectsIn(again)).toEqual(expect.arrayContaining(made));
    const next = await makeCustomer(account.test);
    await becomes(() => [subjectsIn(stream).at(-1), subjectsIn(again).at(-1)]).toEqual([next, next]);
  });
});
