import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Id, newId } from '../../base/id.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { deliveriesOf, deliveryId } from '../../resources/events/webhook_endpoints/deliveries/delivery.ts';
import { stepEvents } from '../../resources/events/webhook_endpoints/recovery.ts';
import type { Client } from '../client.ts';
import { fastest } from '../fastest.ts';
import { createDatabase } from '../harness.ts';
import { isTorture, shareOf } from '../torture.ts';
import { type Ending, type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

vi.setConfig({ testTimeout: testMs });

const clients = 16;
const events = 10_000;
const customers = shareOf(1_200, 300);
const takeOverMs = 15_000;
const takenMax = 128; // leased by one server for one receiver
const children = new Children();
const receivers: WebhookReceiver[] = [];
let database: Awaited<ReturnType<typeof createDatabase>>;
let environment: Environment;
/** Those that run. A start takes long, so each test goes on with what the one before has left. */
let running: Running[] = [];

beforeAll(async () => {
  database = await createDatabase();
  environment = children.serveEnvironment({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' });
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await children.cleanUp();
  await database.drop();
});

/** So many servers on the database. */
async function servers(count: number): Promise<Running[]> {
  const missing = Array.from({ length: Math.max(0, count - running.length) }, () => children.serve(environment));
  running.push(...(await Promise.all(missing)));
  return running;
}

/** Ends the first one. */
async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ending> {
  const [first, ...others] = running;
  running = others;
  return first!.child.stop(signal);
}

/** An account, and a receiver that gets the events of its customers. */
class Scene {
  readonly receiver = new WebhookReceiver();
  sql!: Connection;
  tenant!: number;
  #key!: string;

  static async open(): Promise<Scene> {
    const scene = new Scene();
    scene.sql = await scene.connection();
    const { account, test_secret_key } = await children.account(environment);
    scene.#key = test_secret_key;
    const tenant = `select tenant from tenants where account = $1 and mode = 'test'`;
    scene.tenant = (await scene.sql.query(tenant, [account])).rows[0].tenant;
    await scene.receiver.listen();
    receivers.push(scene.receiver);
    const body = { url: scene.receiver.url, enabled_events: ['customer.created'] };
    const made = await (await scene.client()).post('/v1/webhook_endpoints', body);
    expect(made.status).toBe(200);
    scene.receiver.secret = made.json.secret;
    return scene;
  }

  /** One more connection to the database. */
  async connection(): Promise<Connection> {
    return children.keep(await connect(database.address, 'test'));
  }

  /** Of the first server, or of a later one. */
  async client(at = 0): Promise<Client> {
    return (await servers(at + 1))[at]!.client(this.#key);
  }

  /** Many events in one statement, with their deliveries, by the statement that the server uses. Returns the ids of their objects. */
  events(count: number): Promise<string[]> {
    return this.#make(
      Array.from({ length: count }, () => newId('evt', Date.now())),
      deliveriesOf('made'),
    );
  }

  /** Events without a delivery to the endpoint. */
  missed(ids: string[]): Promise<string[]> {
    return this.#make(ids, 'select from made limit 0');
  }

  async #make(ids: string[], andThen: string): Promise<string[]> {
    const objects = ids.map((id) => id.replace('evt_', 'cus_'));
    await this.sql.query(
      `with made as (
         insert into events (tenant, id, type, object_id, object_version, payload)
         select $1, id, 'customer.created', object, 1, 
                convert_to('{"id":"' || id || '","type":"customer.created","data":{"object":{"id":"' || object || '"}}}', 'UTF8')
           from unnest($2::text[], $3::text[]) as x (id, object) returning *)
       ${andThen}`,
      [this.tenant, ids, objects],
    );
    return objects;
  }

  /** How many deliveries are leased. */
  async leased(): Promise<number> {
    const { rows } = await this.sql.query(
      'select count(*)::int as count from deliveries where tenant = $1 and lease_until is not null',
      [this.tenant],
    );
    return rows[0].count;
  }

  /** The leased deliveries at this moment, and the moment, both from the database. */
  async heldNow(): Promise<{ at: Date; ids: string[] }> {
    const { rows } = await this.sql.query(
      `select clock_timestamp() as at, coalesce(array_agg(id) filter (where lease_until is not null), '{}') as ids
         from deliveries where tenant = $1`,
      [this.tenant],
    );
    return rows[0];
  }

  /** After how many milliseconds the last of these was sent for the first time since then, by the clocks of the servers. */
  async sentAfterMs({ at, ids }: { at: Date; ids: string[] }): Promise<number> {
    const { rows } = await this.sql.query(
      `select max(first_at) as last from (select min(at) as first_at from delivery_attempts
        where tenant = $1 and delivery = any($2) and at > $3 group by delivery) x`,
      [this.tenant, ids, at],
    );
    expect(rows[0].last).not.toBeNull(); // otherwise the test has tested nothing
    return rows[0].last.getTime() - at.getTime();
  }

  async pending(): Promise<number> {
    const text = `select count(*)::int as count from deliveries where tenant = $1 and state = 'pending'`;
    const { rows } = await this.sql.query(text, [this.tenant]);
    return rows[0].count;
  }

  /** Every acknowledged event has arrived, as it is stored, and nothing is pending. */
  async verify(acknowledged: string[]): Promise<void> {
    const { receiver, sql } = this;
    await until('nothing is pending', patienceMs, async () => (await this.pending()) === 0);
    expect(receiver.violations).toEqual([]);
    // PostgreSQL of the tests gathers no statistics by itself, and without them it joins row by row.
    await sql.query('analyze events, deliveries, delivery_attempts');
    const { rows } = await sql.query(
      `select e.id, e.object_id, encode(sha256(e.payload), 'hex') as digest, d.state,
              (select count(*)::int from delivery_attempts a where a.tenant = d.tenant and a.delivery = d.id) as tries
         from events e join deliveries d on d.tenant = e.tenant and d.event = e.id
        where e.tenant = $1 and e.type = 'customer.created'`,
      [this.tenant],
    );
    const wrong: string[] = [];
    const told = new Set<string>();
    for (const { id, object_id, digest, state, tries } of rows) {
      const came = receiver.arrived.get(id);
      told.add(object_id);
      if (came === undefined) wrong.push(`${id} never came`);
      else if (came.digest !== digest) wrong.push(`${id} came with other bytes than are stored`);
      else if (tries < 1 || tries > came.count) wrong.push(`${id} came ${came.count} times, ${tries} are recorded`);
      if (state !== 'delivered') wrong.push(`${id} is ${state}`);
    }
    for (const id of acknowledged) if (!told.has(id)) wrong.push(`${id} was acknowledged and has no delivery`);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(receiver.arrived.size).toBe(rows.length);
  }
}

/** Creates customers, many at a time; returns the ids of the acknowledged ones. Interrupted requests are repeated only if wanted. */
async function makeCustomers(count: number, client: Client, { again = false } = {}): Promise<string[]> {
  const made: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const make = () => client.post('/v1/customers', { name: 'Ada' }, headers).catch(() => undefined);
      const isMade = (answer: Awaited<ReturnType<typeof make>>) => answer?.status === 200 && answer;
      const first = isMade(await make());
      const answer =
        first || (again && (await until('a customer is made', patienceMs, async () => isMade(await make()))));
      if (answer) made.push(answer.json.id);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return made;
}

/** Kills one of two servers. Returns how long it took until the other had started with its deliveries. */
async function takeOver(): Promise<number> {
  const scene = await Scene.open();
  const { receiver } = scene;
  const [first, second] = [await scene.client(0), await scene.client(1)];
  receiver.delayMs = 20; // slower than the events, so that both servers have leased some
  const making = Promise.all([makeCustomers(customers / 2, first), makeCustomers(customers / 2, second)]);
  await until('some came', patienceMs, () => receiver.arrived.size >= 200);
  await end('SIGKILL');
  const held = await scene.heldNow();
  expect(held.ids).not.toEqual([]); // otherwise the test has tested nothing
  const made = (await making).flat();
  await scene.verify(made);
  const tookMs = await scene.sentAfterMs(held);
  console.log(
    `measured: one of two killed: the other has begun with what it held after ${tookMs} ms, ${receiver.arrived.size} events, ${receiver.repeated} came again`,
  );
  expect(made.length).toBeGreaterThanOrEqual(customers / 2);
  expect(receiver.repeated).toBeLessThanOrEqual(takenMax);
  return tookMs;
}

describe('in the middle of deliveries', () => {
  test.runIf(isTorture)(
    'kill -9 and a restart: each event arrives at least once, with the same bytes when repeated',
    async () => {
      const scene = await Scene.open();
      const { receiver } = scene;
      const first = await scene.events(events);
      await until('some came', patienceMs, () => receiver.arrived.size >= events / 5);
      await end('SIGKILL');
      const killedAt = performance.now();
      const [before, left] = [receiver.arrived.size, await scene.pending()];
      expect(left).toBeGreaterThan(0); // otherwise the test has tested nothing
      const second = await makeCustomers(100, await scene.client(), { again: true });
      await scene.verify([...first, ...second]);
      const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1);
      console.log(
        `measured: restart after kill -9: ${before} had come, ${left} were pending, done after ${seconds} s, ${receiver.repeated} came again`,
      );
      expect(second).toHaveLength(100);
      expect(receiver.repeated).toBeLessThanOrEqual(takenMax);
    },
  );

  test('kill -9 of one of two servers: the other takes over its deliveries within 15 s', async () => {
    expect(await fastest(takeOverMs, takeOver)).toBeLessThan(takeOverMs);
  });

  test.runIf(isTorture)('SIGTERM: the server exits with 0, and the next one sends the rest, none twice', async () => {
    const scene = await Scene.open();
    const { receiver } = scene;
    receiver.delayMs = 10;
    const made = await scene.events(customers);
    await until('some came', patienceMs, () => receiver.arrived.size >= 100);
    const release = receiver.hold(); // so that deliveries are left, however late the signal is handled
    const signalledAt = performance.now();
    const ended = end('SIGTERM');
    release();
    expect(await ended).toEqual({ code: 0, signal: null });
    const tookMs = Math.round(performance.now() - signalledAt);
    await until('everything that it sent was read', patienceMs, async () => (await receiver.connections()) === 0);
    const left = await scene.pending();
    expect(left).toBeGreaterThan(0);
    expect(await scene.leased()).toBe(0); // it released the leases of deliveries that it had not started
    expect(receiver.arrived.size).toBe(made.length - left);
    const next = await scene.client();
    const startedAt = performance.now();
    await scene.verify([...made, ...(await makeCustomers(1, next))]);
    const restMs = Math.round(performance.now() - startedAt);
    console.log(
      `measured: SIGTERM: ended after ${tookMs} ms with ${left} left, which were done ${restMs} ms after the restart`,
    );
    expect(receiver.repeated).toBe(0); // no request was interrupted, so none is repeated
  });

  test.runIf(isTorture)(
    'kill -9 during a recovery: after a restart it continues, and all missed events arrive',
    async () => {
      const scene = await Scene.open();
      const { receiver } = scene;
      const ids = Array.from({ length: 3 * stepEvents }, () => newId('evt', Date.now())).sort();
      const missed = await scene.missed(ids);
      const endpoint = (await scene.sql.query('select id from webhook_endpoints where tenant = $1', [scene.tenant]))
        .rows[0];
      const inTheSecond = ids[stepEvents + 100] as Id<'evt'>;
      // The second step waits for a delivery that another connection is inserting.
      const other = await scene.connection();
      await other.query('begin');
      await other.query(
        `insert into deliveries (tenant, id, version, event, endpoint, state, attempts) values ($1, $2, 1, $3, $4, 'canceled', 0)`,
        [scene.tenant, deliveryId(inTheSecond, endpoint.id), inTheSecond, endpoint.id],
      );
      const body = { since: Math.floor(Date.now() / 1_000) - 60 };
      expect((await (await scene.client()).post(`/v1/webhook_endpoints/${endpoint.id}/recover`, body)).status).toBe(
        200,
      );
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until('it is in the middle', patienceMs, async () => (await scene.sql.query(waiting)).rowCount === 1);
      await until('some came', patienceMs, () => receiver.arrived.size >= 500);
      await end('SIGKILL');
      const killedAt = performance.now();
      const recoveries = 'select position from webhook_recoveries';
      expect((await scene.sql.query(recoveries)).rows).toEqual([{ position: ids[stepEvents - 1] }]);
      await other.query('rollback');
      await servers(1);
      await until('it is over', patienceMs, async () => (await scene.sql.query(recoveries)).rowCount === 0);
      await scene.verify(missed);
      const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1);
      console.log(`measured: recovery after kill -9: done after ${seconds} s, ${receiver.repeated} came again`);
      expect(receiver.arrived.size).toBe(missed.length);
      expect(await end('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );
});
