import { readFileSync } from 'node:fs';
import { afterAll, expect, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { operatorPatience } from '../../base/patient_client.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

vi.setConfig({ testTimeout: testMs });

const pending = 1_000_000;
const endpoints = 10;
const sentAtLeast = 3_000; // by then Node has compiled hot code, and has collected garbage several times
const growthMaxMb = 60; // keeping a row for each delivery would take ten times that

const large = { events: 10_000, bytes: 200_000 }; // ten deliveries of each
const largeSentAtLeast = 3_000;
const largeGrowthMaxMb = 120; // it was half as much; with the payload of every leased delivery it was 180

const children = new Children();
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await children.cleanUp();
});

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
}

/** How the ids of new objects begin; 14 characters follow. An id of another time would be that of an old object, which is purged. */
const idStart = (prefix: string) => newId(prefix, Date.now()).slice(0, -14);

/** The same event for all deliveries: only their number matters. Indexes are created afterwards, which is much faster. */
async function fill(sql: Connection): Promise<void> {
  const { rows: indexes } = await sql.query(
    `select indexname, indexdef from pg_indexes where tablename = 'deliveries' and indexname <> 'deliveries_pkey'`,
  );
  await sql.query('begin');
  await sql.query('alter table deliveries set unlogged'); // they need not survive a crash
  for (const { indexname } of indexes) await sql.query(`drop index ${indexname}`);
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select e.tenant, $3 || lpad(n::text, 14, '0'), 1, e.id, w.ids[1 + n % $2::int], 'pending', 0, now()
       from generate_series(1, $1::int) n, events e, (select array_agg(id) as ids from webhook_endpoints) w`,
    [pending, endpoints, idStart('whd')],
  );
  for (const { indexdef } of indexes) await sql.query(indexdef);
  await sql.query('commit');
}

/** Every event to every endpoint. The payloads differ, and PostgreSQL compresses them well. */
async function fillLarge(sql: Connection): Promise<void> {
  await sql.query('truncate deliveries');
  await sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select e.tenant, x.id, e.type, 'cus_large', 1,
            convert_to(format('{"id":"%s","data":{"object":{"id":"cus_large"}},"pad":"%s"}', x.id, repeat('x', $2::int)), 'UTF8')
       from (select tenant, type from events limit 1) e,
            lateral (select $3 || lpad(n::text, 14, '0') as id from generate_series(1, $1::int) n) x`,
    [large.events, large.bytes, idStart('evt')],
  );
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select e.tenant, $1 || substr(md5(e.id || w.id), 1, 14), 1, e.id, w.id, 'pending', 0, now()
       from events e join webhook_endpoints w on w.tenant = e.tenant where e.object_id = 'cus_large'`,
    [idStart('whd')],
  );
}

test.runIf(isTorture)('pending deliveries take no memory, however many there are and however large', async () => {
  const database = await createDatabase();
  closers.push(database.drop);
  const environment = children.serveEnvironment({
    DATABASE_URL: database.url,
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
  });
  const { test_secret_key: key } = await children.account(environment);
  const server = await children.serve(environment);
  const sql = children.keep(await connect(database.address, 'test', operatorPatience));
  const receiver = new WebhookReceiver();
  await receiver.listen();
  closers.push(() => receiver.close());
  const client = server.client(key);
  for (let at = 0; at < endpoints; at++) {
    const made = await client.post('/v1/webhook_endpoints', {
      url: `${receiver.url}/${at}`,
      enabled_events: ['customer.created'],
    });
    expect(made.status).toBe(200);
  }
  await client.post('/v1/customers', { name: 'Ada' });
  await until('the first ones have come', patienceMs, () => receiver.requests >= endpoints);
  const before = residentMb(server.child.pid);

  await fill(sql);
  const most = { mb: 0 };
  await until('many have come', patienceMs, () => {
    most.mb = Math.max(most.mb, residentMb(server.child.pid));
    return receiver.requests >= sentAtLeast;
  });
  const { rows } = await sql.query('select count(*)::int as count from deliveries where due_at is not null');
  console.log(
    `measured: ${before.toFixed(0)} MB before, ${most.mb.toFixed(0)} MB at most with ${rows[0].count} deliveries pending`,
  );
  expect(rows[0].count).toBeGreaterThan(pending * 0.9);
  expect(most.mb - before).toBeLessThan(growthMaxMb);

  const beforeLarge = residentMb(server.child.pid);
  await fillLarge(sql);
  receiver.requests = 0;
  most.mb = 0;
  await until('many large ones have come', testMs, () => {
    most.mb = Math.max(most.mb, residentMb(server.child.pid));
    return receiver.requests >= largeSentAtLeast;
  });
  console.log(`measured: ${beforeLarge.toFixed(0)} MB before, ${most.mb.toFixed(0)} MB at most with large payloads`);
  expect(most.mb - beforeLarge).toBeLessThan(largeGrowthMaxMb);
});
