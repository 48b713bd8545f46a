import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCommitted } from '../../../base/commit/lookup.ts';
import { createdSeconds } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { eventWrite } from '../../../outbox/event.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { newCustomer } from './customer.ts';
import { eraseCustomer } from './store.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  second = await startServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const ada = { email: 'ada@example.com', name: 'Ada', metadata: { plan: 'gold', seats: 3 } };

async function create(body: object = ada): Promise<string> {
  const answer = await account.test.post('/v1/customers', body);
  expect(answer.status).toBe(200);
  return answer.json.id;
}

type Stored = { id: string; type: string; object_version: number; request_id: string; payload: Buffer };

/** What the database keeps about a customer's history, oldest first. */
async function eventsOf(customer: string): Promise<Stored[]> {
  const result = await server.sql.query<Stored>(
    'select id, type, object_version, request_id, payload from events where object_id = $1 order by object_version',
    [customer],
  );
  return result.rows;
}

async function typesOf(customer: string): Promise<string[]> {
  return (await eventsOf(customer)).map((event) => event.type);
}

/** The bytes that an event must have, made at the moment that its id tells. */
function payload({ id }: Stored, type: string, data: object): string {
  return JSON.stringify({ id, object: 'event', api_version: '2023-01-01', created: createdSeconds(id), data, type });
}

describe('a change of a customer is an event', () => {
  test('created: the customer as the API returned it', async () => {
    const answer = await account.test.post('/v1/customers', ada);
    const [event, ...others] = await eventsOf(answer.json.id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'customer.created',
      object_version: 1,
      request_id: answer.headers['request-id'],
    });
    expect(event!.payload.toString()).toBe(payload(event!, 'customer.created', { object: answer.json }));
  });

  test('updated: the customer as it is now, and the previous attributes', async () => {
    const id = await create();
    const change = { email: null, phone: '112', metadata: { plan: 'silver', seats: null, vip: true } };
    const answer = await account.test.post(`/v1/customers/${id}`, change);
    const [, event, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'customer.updated',
      object_version: 2,
      request_id: answer.headers['request-id'],
    });
    const previous_attributes = {
      email: 'ada@example.com',
      metadata: { plan: 'gold', seats: 3, vip: null },
      phone: null, // what was not there before comes last
    };
    const data = { object: answer.json, previous_attributes };
    expect(event!.payload.toString()).toBe(payload(event!, 'customer.updated', data));
  });

  test('deleted: the answer to the deletion', async () => {
    const id = await create();
    const answer = await account.test.delete(`/v1/customers/${id}`);
    const [, event, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'customer.deleted',
      object_version: 2,
      request_id: answer.headers['request-id'],
    });
    expect(event!.payload.toString()).toBe(payload(event!, 'customer.deleted', { object: answer.json }));
  });

  test('is shown byte for byte as it is stored, with the time at which it was made', async () => {
    const id = await create();
    const [event] = await eventsOf(id);
    const shown = await account.test.get(`/v1/events/${event!.id}`);
    expect([shown.status, shown.text]).toEqual([200, event!.payload.toString()]);
    expect(Math.abs(shown.json.created - Date.now() / 1_000)).toBeLessThan(5);
    expect((await account.live.get(`/v1/events/${event!.id}`)).status).toBe(404);
  });

  const previous: [string, object, object][] = [
    ['a name that was not there', { phone: '1' }, { phone: null }],
    ['a name that was replaced', { name: 'Eve' }, { name: 'Ada' }],
    ['metadata that was emptied', { metadata: null }, { metadata: { plan: 'gold', seats: 3 } }],
    ['a number that became text', { metadata: { seats: '3' } }, { metadata: { seats: 3 } }],
    [
      'a new metadata key that is a property of every object',
      { metadata: { constructor: 'x' } },
      { metadata: { constructor: null } },
    ],
    ['only what changed of all that was sent', { ...ada, name: 'Eve' }, { name: 'Ada' }],
  ];
  test.each(previous)('previous_attributes hold %s', async (_, change, before) => {
    const id = await create();
    expect((await account.test.post(`/v1/customers/${id}`, change)).status).toBe(200);
    const [, event] = await eventsOf(id);
    expect(JSON.parse(event!.payload.toString()).data.previous_attributes).toEqual(before);
  });

  const nothing: [string, object][] = [
    ['nothing was sent', {}],
    ['the same was sent', ada],
    ['the same metadata was sent in another order', { metadata: { seats: 3, plan: 'gold' } }],
    ['what was not there was cleared', { phone: null, metadata: { none: null } }],
    ['empty metadata was sent', { metadata: {} }],
  ];
  test.each(nothing)('is none when %s: no event and no new version', async (_, change) => {
    const id = await create();
    const before = await account.test.get(`/v1/customers/${id}`);
    const answer = await account.test.post(`/v1/customers/${id}`, change);
    expect([answer.status, answer.text]).toEqual([200, before.text]);
    expect(await typesOf(id)).toEqual(['customer.created']);
    const stored = await server.sql.query('select version from customers where id = $1', [id]);
    expect(stored.rows).toEqual([{ version: 1 }]);
  });

  test('is none when a request was refused', async () => {
    const id = await create();
    await account.test.post(`/v1/customers/${id}`, { email: 'no' });
    await account.test.post('/v1/customers/cus_0000000000000000000000', { name: 'Eve' });
    expect(await typesOf(id)).toEqual(['customer.created']);
    expect(await typesOf('cus_0000000000000000000000')).toEqual([]);
  });
});

describe('a customer that is deleted', () => {
  test('is gone for every later request, and from the list', async () => {
    const id = await create();
    const answer = await account.test.delete(`/v1/customers/${id}`);
    expect([answer.status, answer.text]).toEqual([200, `{"id":"${id}","object":"customer","deleted":true}`]);
    const path = `/v1/customers/${id}`;
    for (const later of [account.test.get(path), account.test.post(path, { name: 'Eve' }), account.test.delete(path)]) {
      expect((await later).status).toBe(404);
      expect((await later).json.error).toMatchObject({ code: 'resource_missing', param: 'id' });
    }
    const list = await account.test.get('/v1/customers?limit=100');
    expect(list.json.data.map((one: { id: string }) => one.id)).not.toContain(id);
    expect(await typesOf(id)).toEqual(['customer.created', 'customer.deleted']);
  });

  test('leaves a tombstone without anything about the person, and its events as they were sent', async () => {
    const id = await create({ ...ada, phone: '+44 20 7946 0000' });
    const [before] = await eventsOf(id);
    await account.test.delete(`/v1/customers/${id}`);
    expect((await server.sql.query('select 1 from customers where id = $1', [id])).rows).toEqual([]);
    await server.settled();
    const tombstone = await server.sql.query('select * from deleted_customers where id = $1', [id]);
    // The first version was due, the second one leased by the job, which saw that nothing is left.
    const nothingLeft = { version: 3, due_at: null, lease_until: null, test_clock: null, clock_time: null };
    expect(tombstone.rows).toEqual([{ tenant: expect.any(Number), id, deleted_at: expect.any(Date), ...nothingLeft }]);
    expect(Math.abs(tombstone.rows[0].deleted_at.getTime() - Date.now())).toBeLessThan(5_000);
    const [after] = await eventsOf(id);
    expect(after!.payload).toEqual(before!.payload);
    expect((await account.test.get(`/v1/events/${before!.id}`)).text).toBe(before!.payload.toString());
  });

  test('takes no parameters', async () => {
    const id = await create();
    const answer = await account.test.request('DELETE', `/v1/customers/${id}`, { body: { force: true } });
    expect(answer.json.error).toMatchObject({ code: 'parameter_unknown', param: 'force' });
    expect((await account.test.get(`/v1/customers/${id}`)).status).toBe(200);
  });

  test('by two servers at the same time: a lost reply is not mistaken for the deletion by the other server', async () => {
    const { rows } = await server.sql.query('select tenant from tenants where account = $1 limit 1', [account.id]);
    const tenant = rows[0].tenant as Tenant;
    const customer = newCustomer(tenant, 'cus_00000000000000000000AA', {});
    await server.sql.query('insert into deleted_customers (tenant, id, deleted_at) values ($1, $2, now())', [
      tenant,
      customer.id,
    ]);
    // The writes of this server never arrived; the tombstone, the event and the answer are those of the other server.
    const event = { type: 'customer.deleted', objectId: customer.id, objectVersion: 2, object: {} } as const;
    const ours = { writes: [...eraseCustomer(customer, 0), eventWrite(tenant, 'req_ours', Date.now(), event)] };
    expect(await findCommitted(server.sql, [ours])).toEqual([false]);
  });
});

describe('requests that race', () => {
  const parallel = 50;

  test('fifty updates of one customer, each with another metadata key, all survive', async () => {
    const id = await create({});
    const updates = Array.from({ length: parallel }, (_, at) =>
      account.test.first.post(`/v1/customers/${id}`, { metadata: { [`k${at}`]: at } }),
    );
    for (const answer of await Promise.all(updates)) expect(answer.status).toBe(200);
    const { metadata } = (await account.test.get(`/v1/customers/${id}`)).json;
    expect(metadata).toEqual(Object.fromEntries(updates.map((_, at) => [`k${at}`, at])));
    const events = await eventsOf(id);
    expect(events.map((event) => event.object_version)).toEqual(
      Array.from({ length: parallel + 1 }, (_, at) => at + 1),
    );
  });

  test('through two servers: an update that is answered 200 takes effect, one that is answered 429 has changed nothing', async () => {
    const id = await create({});
    const clients = [account.test, second.client(account.testKey)];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        clients[at % 2]!.post(`/v1/customers/${id}`, { metadata: { [`k${at}`]: at } }),
      ),
    );
    const kept = [...answers.keys()].filter((at) => answers[at]!.status === 200);
    expect(kept.length).toBeGreaterThan(0);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, answer.json.error.code]).toEqual([429, 'lock_timeout']);
      expect(answer.headers['retry-after']).toBe('1');
    }
    const { metadata } = (await account.test.get(`/v1/customers/${id}`)).json;
    expect(metadata).toEqual(Object.fromEntries(kept.map((at) => [`k${at}`, at])));
    expect(await eventsOf(id)).toHaveLength(kept.length + 1);
  });

  const ways: [string, () => [TestAccount['test'], TestAccount['test']]][] = [
    ['one server', () => [account.test, account.test]],
    ['two servers', () => [account.test, second.client(account.testKey)]],
  ];
  test.each(ways)('an update and a deletion through %s end in a legal order', async (_, clients) => {
    const [one, other] = clients();
    for (let round = 0; round < 10; round++) {
      const id = await create();
      const update = one.post(`/v1/customers/${id}`, { name: 'Eve' });
      const deletion = other.delete(`/v1/customers/${id}`);
      const statuses = [(await update).status, (await deletion).status];
      expect(statuses[1]).toBe(200);
      expect([200, 404]).toContain(statuses[0]);
      const updated = statuses[0] === 200 ? ['customer.updated'] : [];
      expect(await typesOf(id)).toEqual(['customer.created', ...updated, 'customer.deleted']);
      expect((await account.test.get(`/v1/customers/${id}`)).status).toBe(404);
    }
  });

  test.each(ways)('two deletions through %s: one deletes, the other finds nothing', async (_, clients) => {
    for (let round = 0; round < 5; round++) {
      const id = await create();
      const answers = await Promise.all(clients().map((client) => client.delete(`/v1/customers/${id}`)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
      expect(await typesOf(id)).toEqual(['customer.created', 'customer.deleted']);
    }
  });
});
