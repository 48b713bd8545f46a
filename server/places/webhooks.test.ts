import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { placeRole, placeSchema, type ShardRange } from '../citus/shards.ts';
import { tenantOf } from '../operations/tenants.ts';
import { becomes } from '../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';

describe.skipIf(withoutCitus)(`webhooks of accounts at several places (${needsCitus})`, () => {
  let world: DistributedWorld;
  let server: TestServer;
  let receiver: Server;
  /** The paths that were called, without those of the test before. */
  const called: string[] = [];
  beforeAll(async () => {
    world = await DistributedWorld.start();
    const environment = { SIMULATOR: 'local', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
    server = await startServer({ databaseUrl: world.address.connectionString, environment });
    receiver = createServer((request, response) => {
      called.push(request.url!);
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await server?.stop();
    receiver?.close();
    await world?.stop();
  });

  type Shop = { account: TestAccount; range: ShardRange };
  async function openShop(path: string): Promise<Shop> {
    const account = await server.account();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
    await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
    return { account, range: await world.rangeOf(await tenantOf(world.sql, account.id, 'test')) };
  }
  const happen = ({ account }: Shop) => account.test.post('/v1/customers', { name: 'Ada' });

  test('are sent while another place can be read, and refuses to be written', async () => {
    const refusing = await openShop('/refusing');
    let other = await openShop('/other');
    while (other.range.shard === refusing.range.shard) other = await openShop('/other');
    const owner = await world.owner(refusing.range);
    const right = (words: string, role: string) =>
      owner.query(
        `set citus.enable_ddl_propagation = off;
         ${words.replace('?', `on ${placeSchema(refusing.range.shard)}.deliveries`)} ${role} ${placeRole(refusing.range.shard)}`,
      );
    await right('revoke update ?', 'from');
    await happen(refusing);
    for (let times = 0; times < 3; times++) {
      await happen(other);
      await becomes(() => called.filter((path) => path === '/other')).toHaveLength(times + 1);
    }
    expect(called).not.toContain('/refusing');
    await right('grant update ?', 'to');
    await becomes(() => called).toContain('/refusing');
  });
});
