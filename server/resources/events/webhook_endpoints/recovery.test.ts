import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { type Id, newId } from '../../../base/id.ts';
import { leaseDue } from '../../../base/lease.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { openPool, type Pool } from '../../../base/sql.ts';
import type { Client } from '../../../test/client.ts';
import type { TestServer } from '../../../test/harness.ts';
import { shareOf } from '../../../test/torture.ts';
import { deliveryId } from './deliveries/delivery.ts';
import { makeEndpoint, path, startWebhookServer } from './endpoints.fixture.ts';
import { recoverMissed } from './jobs.ts';
import { stepEvents, stepRecovery, type WebhookRecovery, webhookRecoveriesTable } from './recovery.ts';

let server: TestServer;
let pool: Pool;
const since = Math.floor(Date.now() / 1_000) - 20_000;

beforeAll(async () => {
  server = await startWebhookServer({ onePostgres: true });
  pool = openPool(server.gateway.database, { use: 'durable', connectionsMax: 2, onError: () => {} });
  // Every step is taken by hand here, and nothing is sent.
  await server.gateway.worker.stop();
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

type Scene = { client: Client; endpoint: Id<'we'>; events: Id<'evt'>[] };

/** An endpoint, and payments that failed since then, oldest first, of which it has heard nothing. */
async function missing(count: number, enabled_events = ['payment.*', 'webhook_endpoint.*']): Promise<Scene> {
  const { test: client } = await server.account();
  const endpoint = (await makeEndpoint(client, { enabled_events })) as Id<'we'>;
  const events = Array.from({ length: count }, (_, at) => newId('evt', since * 1_000 + at));
  await addEvents(endpoint, events);
  return { client, endpoint, events };
}

async function addEvents(endpoint: string, ids: string[], type = 'payment.failed', object = 'py_1'): Promise<void> {
  await server.sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select w.tenant, x.id, $3, $4, 1, '{}' from webhook_endpoints w, unnest($2::text[]) as x (id) where w.id = $1`,
    [endpoint, ids, type, object],
  );
}

async function addDeliveries({ endpoint, events }: Scene, state: string, which: (at: number) => boolean) {
  const chosen = events.filter((_, at) => which(at));
  await server.sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select w.tenant, x.id, 7, x.event, w.id, $4, 3, case when $4 = 'pending' then '2100-01-01'::timestamptz end
       from webhook_endpoints w, unnest($2::text[], $3::text[]) as x (id, event) where w.id = $1`,
    [endpoint, chosen.map((event) => deliveryId(event, endpoint)), chosen, state],
  );
}

const recover = async ({ client, endpoint }: Scene, from = since) =>
  expect((await client.post(`${path}/${endpoint}/recover`, { since: from })).status).toBe(200);

type Row = { event: string; version: number; state: string; attempts: number };
async function deliveriesTo({ endpoint }: Scene): Promise<Row[]> {
  const { rows } = await server.sql.query(
    'select event, version, state, attempts from deliveries where endpoint = $1 order by event',
    [endpoint],
  );
  return rows;
}
const eventsSent = async (scene: Scene) => (await deliveriesTo(scene)).map(({ event }) => event);

async function stored({ endpoint }: Scene): Promise<WebhookRecovery | undefined> {
  return (await server.sql.query('select * from webhook_recoveries where id = $1', [endpoint])).rows[0];
}

/** Leases the recovery, as an instance does. */
async function take(): Promise<WebhookRecovery> {
  const [taken] = await leaseDue(pool, webhookRecoveriesTable, 1, 1_000);
  return taken!;
}

async function stepsToTheEnd(recovery: WebhookRecovery): Promise<number> {
  for (let steps = 1; ; steps++) {
    const outcome = await stepRecovery(onePool(pool), recovery);
    expect(outcome).not.toBe('lost');
    if (outcome === 'done') return steps;
  }
}

const kind = (onDue = () => {}) =>
  recoverMissed({ durable: onePool(pool), clock: { ...systemClock, ahead: () => 1_000 }, onDue });

describe('a recovery of many steps', () => {
  test('sends events without a delivery and those that were exhausted or canceled, and leaves those that arrived or are pending', async () => {
    const steps = shareOf(3, 2);
    const scene = await missing((steps - 1) * stepEvents + 1_003);
    const states = ['delivered', 'pending', 'exhausted', 'canceled', undefined];
    for (const [place, state] of states.entries())
      if (state !== undefined) await addDeliveries(scene, state, (at) => at % states.length === place);
    const moment = since * 1_000 + 10;
    await addEvents(scene.endpoint, [newId('evt', moment)], 'customer.created'); // not subscribed to
    await addEvents(scene.endpoint, [newId('evt', moment)], 'webhook_endpoint.test');
    await addEvents(scene.endpoint, [newId('evt', moment)], 'webhook_endpoint.disabled', scene.endpoint); // tells of itself
    await addEvents(scene.endpoint, [newId('evt', Date.now() + 60_000), newId('evt', since * 1_000 - 1)]);
    const other = newId('evt', moment);
    await addEvents(scene.endpoint, [other], 'webhook_endpoint.disabled', 'we_1');
    await recover(scene);
    let woken = 0;
    const [job] = await kind(() => woken++).lease(32);
    await job!.run();
    expect(woken).toBe(steps);
    expect(await stored(scene)).toBeUndefined();
    const rows = new Map((await deliveriesTo(scene)).map(({ event, ...row }) => [event, row]));
    expect(rows.size).toBe(scene.events.length + 1);
    const fresh = { state: 'pending', version: 1, attempts: 0 };
    const again = { state: 'pending', version: 8, attempts: 0 };
    const left = { version: 7, attempts: 3 };
    const expected = [{ ...left, state: 'delivered' }, { ...left, state: 'pending' }, again, again, fresh];
    for (const [at, event] of scene.events.entries()) expect(rows.get(event)).toEqual(expected[at % states.length]);
    expect(rows.get(other)).toEqual(fresh);
  });

  test('sends the oldest first', async () => {
    const scene = await missing(stepEvents + 1);
    await recover(scene);
    const recovery = await take();
    expect(await stepRecovery(onePool(pool), recovery)).toBe('more');
    expect(await eventsSent(scene)).toEqual(scene.events.slice(0, stepEvents));
    expect(await stepRecovery(onePool(pool), recovery)).toBe('done');
    expect(await eventsSent(scene)).toEqual(scene.events);
  });

  test.each(['disabled', 'deleted'])('ends when its endpoint is %s', async (how) => {
    const scene = await missing(stepEvents + 1);
    await recover(scene);
    const recovery = await take();
    expect(await stepRecovery(onePool(pool), recovery)).toBe('more');
    const address = `${path}/${scene.endpoint}`;
    if (how === 'deleted') await scene.client.delete(address);
    else await scene.client.post(address, { status: 'disabled' });
    expect(await stepRecovery(onePool(pool), recovery)).toBe('done');
    expect(await stored(scene)).toBeUndefined();
    expect(await deliveriesTo(scene)).toHaveLength(stepEvents);
  });

  test('is continued by another instance, and the first one writes nothing more', async () => {
    const scene = await missing(2 * stepEvents + 1);
    await recover(scene);
    const first = await take();
    expect(await stepRecovery(onePool(pool), first)).toBe('more');
    expect(await kind().lease(32)).toEqual([]); // while the lease lasts
    await server.sql.query(`update webhook_recoveries set lease_until = now() - interval '1 second'`);
    const second = await take();
    expect(second.position).toBe(scene.events[stepEvents - 1]);
    expect(await stepRecovery(onePool(pool), first)).toBe('lost');
    expect(await deliveriesTo(scene)).toHaveLength(stepEvents);
    expect(await stepsToTheEnd(second)).toBe(2);
    expect(await deliveriesTo(scene)).toEqual(
      scene.events.map((event) => ({ event, version: 1, state: 'pending', attempts: 0 })),
    );
  });

  test('does not wait for a delivery that is locked', async () => {
    const scene = await missing(3);
    await addDeliveries(scene, 'exhausted', () => true);
    await recover(scene);
    await server.sql.query('begin');
    await server.sql.query('select from deliveries where event = $1 for update', [scene.events[1]]);
    expect(await stepRecovery(onePool(pool), await take())).toBe('done');
    await server.sql.query('commit');
    expect((await deliveriesTo(scene)).map(({ state }) => state)).toEqual(['pending', 'exhausted', 'pending']);
  });

  test('of very many events gives other recoveries their turn', async () => {
    const scene = await missing(20 * stepEvents + 1, ['customer.deleted']);
    await recover(scene);
    const worker = kind();
    const [first] = await worker.lease(32);
    const other = await missing(1);
    await recover(other);
    const running = first!.run();
    expect(await worker.lease(32)).toEqual([]); // one at a time
    await running;
    expect(await stored(scene)).toMatchObject({ position: scene.events[20 * stepEvents - 1], lease_until: null });
    await (await worker.lease(32))[0]!.run();
    expect(await stored(other)).toBeUndefined();
    expect(await eventsSent(other)).toEqual(other.events);
    await (await worker.lease(32))[0]!.run();
    expect(await stored(scene)).toBeUndefined();
  });
});

describe('a second call while a recovery is under way', () => {
  test.each([
    ['from an earlier moment begins there', -1_000, 0],
    ['from a moment that it has passed goes back', 1, 1_000],
    ['from a moment to come goes on where it is', 10, stepEvents],
  ])('%s', async (_, offset, passed) => {
    const scene = await missing(2 * stepEvents + 1);
    await recover(scene);
    const first = await take();
    expect(await stepRecovery(onePool(pool), first)).toBe('more');
    const { until } = (await stored(scene))!;
    await recover(scene, since + offset);
    expect(await stepRecovery(onePool(pool), first)).toBe('lost');
    expect(await deliveriesTo(scene)).toHaveLength(stepEvents);
    const merged = await take();
    expect(merged.until >= until).toBe(true);
    expect(scene.events.filter((event) => event <= merged.position)).toHaveLength(passed);
    await stepsToTheEnd(merged);
    expect(await deliveriesTo(scene)).toEqual(
      scene.events.map((event) => ({ event, version: 1, state: 'pending', attempts: 0 })),
    );
    expect(await stored(scene)).toBeUndefined();
  });

  test('many concurrent ones are one recovery', async () => {
    const scene = await missing(2);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => scene.client.post(`${path}/${scene.endpoint}/recover`, { since })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await stepsToTheEnd(await take())).toBe(1);
    expect(await kind().lease(32)).toEqual([]);
    expect(await eventsSent(scene)).toEqual(scene.events);
  });
});
