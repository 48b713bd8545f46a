import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { newId } from '../base/id.ts';
import type { Tenant } from '../base/tenant.ts';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { defaultRetention } from '../operations/retention.ts';
import { keepPartitions } from '../resources/views/request_logs/partitions.ts';
import type { AnsweredRequest } from '../resources/views/request_logs/request.ts';
import { RequestLog } from '../resources/views/request_logs/writer.ts';
import { apartTenants, openWorld } from './cluster.fixture.ts';
import type { OpenPlaces } from './open_places.ts';
import { sqlAt } from './sql_at.ts';

const dayMs = 86_400_000;
const now = Date.now();

function answered(tenant: Tenant | undefined): AnsweredRequest {
  const nothing = { user: undefined, code: undefined, param: undefined, message: undefined, objectId: undefined };
  const facts = { operation: 'customers.create', method: 'POST', path: '/v1/customers', status: 200, address: '::1' };
  const parameters = { idempotencyKey: undefined, parameters: '{"a":1}', apiKey: 'key_1' };
  const bodies = { pathId: undefined, parameters: '{"a":1}', answer: '{}', scopes: [] };
  return { id: newId('req', now), receivedAt: now, durationMs: 1, tenant, ...nothing, ...facts, ...parameters, bodies };
}

describe.skipIf(withoutCitus)(`the request log on a cluster (${needsCitus})`, () => {
  let world: DistributedWorld;
  let places: OpenPlaces;
  let [here, there]: Tenant[] = [];
  let log: RequestLog;
  let dropped = 0;
  beforeAll(async () => {
    world = await DistributedWorld.start();
    places = await openWorld(world);
    [here, there] = await apartTenants(world);
    await keep();
  });
  afterAll(async () => {
    await places?.close();
    await world?.stop();
  });
  beforeEach(() => {
    dropped = 0;
    // Only explicit flushes write.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    log = new RequestLog(sqlAt(places, 'relaxed'), virtualClock(now), (entries) => {
      dropped += entries;
    });
    vi.useRealTimers();
    onTestFinished(() => log.close());
  });

  const keep = (requestLogDays = defaultRetention.requestLogDays) =>
    keepPartitions(places.directory.relaxed, { requestLogDays });
  const partitions = async () => {
    const { rows } = await world.sql.query(
      `select i.inhrelid::regclass::text as name from pg_inherits i where i.inhparent = 'public.requests'::regclass order by 1`,
    );
    return rows.map(({ name }) => name as string);
  };
  const nameOf = (ms: number) => `requests_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const idsOf = async (tenant: Tenant, table = 'requests') => {
    const text = `select id from ${table} where tenant = $1 order by id`;
    return (await places.at(tenant, ({ reads }) => reads.query(text, [tenant]))).rows.map(({ id }) => id as string);
  };

  test('has the partitions that the coordinator makes, at every place', async () => {
    const day = Math.floor(now / dayMs) * dayMs;
    expect(await partitions()).toEqual([-1, 0, 1, 2].map((days) => nameOf(day + days * dayMs)));
    for (const tenant of [here!, there!])
      await places.at(tenant, ({ relaxed }) =>
        relaxed.query(
          `insert into requests (at, id, tenant, method, path, status, duration_us, address)
           select $2::timestamptz + n * interval '1 day', 'req_' || n, $1, 'GET', '/', 200, 1, '::1' from generate_series(-1, 2) n`,
          [tenant, new Date(day)],
        ),
      );
    expect(await idsOf(there!)).toEqual(['req_-1', 'req_0', 'req_1', 'req_2']);
  });

  test('loses old partitions at every place', async () => {
    const day = Math.floor(now / dayMs) * dayMs;
    const from = new Date(day - 40 * dayMs);
    const to = new Date(day - 39 * dayMs);
    const name = nameOf(from.getTime());
    await world.sql.query(
      `create table public.${name} partition of public.requests for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
    );
    expect(await partitions()).toContain(name);
    await keep();
    expect(await partitions()).not.toContain(name);
  });

  test('does not stop while a backup reads it at one place', async () => {
    const place = await world.place(await world.rangeOf(there!));
    await place.query('begin; select count(*) from requests');
    await expect(keep(0)).resolves.toBeUndefined();
    log.add(answered(there));
    await log.flush();
    expect(dropped).toBe(0);
    await place.query('rollback');
    await keep();
  });

  test('has the requests of each tenant at its place, and those of nobody in the directory', async () => {
    const [one, other, nobody] = [answered(here), answered(there), answered(undefined)];
    for (const request of [one, other, nobody]) log.add(request);
    await log.flush();
    expect(await idsOf(here!)).toContain(one.id);
    expect(await idsOf(there!)).toContain(other.id);
    expect(await idsOf(here!, 'request_bodies')).toEqual([one.id]);
    const { rows } = await world.sql.query('select id from anonymous_requests');
    expect(rows).toEqual([{ id: nobody.id }]);
    expect(await log.parametersOf(there!, other.id)).toEqual({ a: 1 });
    expect(await log.parametersOf(here!, other.id)).toBeUndefined();
  });

  test('follows a tenant that has moved', async () => {
    const before = answered(here);
    log.add(before);
    await log.flush();
    const moved = await world.move(await world.rangeOf(here!));
    await world.arrived(moved);
    const after = answered(here);
    log.add(after);
    await places.at(here!, ({ reads }) => reads.query('select from requests limit 1')); // any read notices it
    await log.flush();
    expect(await idsOf(here!)).toEqual(expect.arrayContaining([before.id, after.id]));
    expect(dropped).toBe(0);
  });

  test('drops and counts what is for a place that is down, and keeps the rest', async () => {
    const [one, other] = await apartTenants(world);
    const { port } = await world.nodeOf(await world.rangeOf(one));
    const node = world.cluster.nodes.find((one) => one.port === port)!;
    await world.cluster.endNode(node);
    const kept = answered(other);
    for (const request of [answered(one), answered(one), kept]) log.add(request);
    await log.flush();
    expect(dropped).toBe(2);
    expect(await idsOf(other)).toContain(kept.id);
    await expect(keep()).resolves.toBeUndefined(); // there is nothing to make
    await world.cluster.startNode(node);
  });
});
