import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../../base/id.ts';
import type { Answer } from '../../../../test/client.ts';
import type { TestAccount, TestServer } from '../../../../test/harness.ts';
import {
  expectRefused,
  makeCustomer,
  makeEndpoint,
  makePayment,
  newUrl,
  path,
  startWebhookServer,
} from '../endpoints.fixture.ts';
import { deliveryId } from './delivery.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startWebhookServer();
  account = await server.account();
});
afterAll(() => server.stop());

type WeId = `we_${string}`;
type EvtId = `evt_${string}`;
const post = (to: string, body: object = {}) => account.test.post(to, body);
const make = async (body: object = {}) => (await makeEndpoint(account.test, body)) as WeId;
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const recover = (id: string, since: unknown = nowSeconds() - 3_600) => post(`${path}/${id}/recover`, { since });
const pageOf = async (id: string, query = '') => (await account.test.get(`${path}/${id}/deliveries${query}`)).json;

type Row = {
  id: string;
  type: string;
  object_id: string;
  state: string;
  attempts: number;
  event: EvtId;
  version: number;
};

/** The deliveries to an endpoint, oldest first. */
async function rowsOf(endpoint: string): Promise<Row[]> {
  const { rows } = await server.sql.query(
    `select d.*, e.type, e.object_id from deliveries d join events e on e.tenant = d.tenant and e.id = d.event
      where d.endpoint = $1 order by d.id`,
    [endpoint],
  );
  return rows;
}
const typesTo = async (endpoint: string) => (await rowsOf(endpoint)).map(({ type }) => type);

/** Brings all deliveries to an endpoint into a state, out of the worker's reach. Again, when the worker was in between. */
async function settle(endpoint: string, state: string): Promise<void> {
  await server.sql.query(
    `update deliveries set state = $2, version = version + 1, attempts = 3,
            due_at = case when $2 = 'pending' then '2100-01-01'::timestamptz end where endpoint = $1`,
    [endpoint, state],
  );
}

describe('the deliveries to all endpoints', () => {
  test('are listed in pages, or those about one object, by everybody who may read them', async () => {
    const { test: client, id } = await server.account();
    const all = async (query = '') => (await client.get(`/v1/webhook_endpoints/deliveries${query}`)).json;
    const endpoints = [await makeEndpoint(client, {}), await makeEndpoint(client, { enabled_events: ['customer.*'] })];
    const customers = [
      (await client.post('/v1/customers', { name: 'Ada' })).json,
      (await client.post('/v1/customers', { name: 'Grace' })).json,
    ];
    const { data, has_more } = await all();
    const toEach = (
      await Promise.all(endpoints.map(async (one) => (await client.get(`${path}/${one}/deliveries`)).json.data))
    ).flat();
    expect(has_more).toBe(false);
    expect(data.map((one: { id: string }) => one.id)).toEqual(
      toEach
        .map((one: { id: string }) => one.id)
        .sort()
        .reverse(),
    );
    expect(data).toHaveLength(4);
    const first = await all('?limit=3');
    expect(first).toMatchObject({ object: 'list', url: '/v1/webhook_endpoints/deliveries', has_more: true });
    const rest = await all(`?starting_after=${first.data[2].id}`);
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
    const about = await all(`?object_id=${customers[0].id}`);
    expect(about.data.map((one: { webhook_endpoint: string }) => one.webhook_endpoint).sort()).toEqual(
      endpoints.toSorted(),
    );
    expect(about.data[0].event_type).toBe('customer.created');
    const newest = await all(`?object_id=${customers[0].id}&limit=1`);
    expect(newest).toMatchObject({ url: '/v1/webhook_endpoints/deliveries', has_more: true, data: [about.data[0]] });
    const next = await all(`?object_id=${customers[0].id}&starting_after=${about.data[0].id}`);
    expect(next).toMatchObject({ has_more: false, data: [about.data[1]] });
    expect((await all(`?object_id=${customers[0].id}&created[gt]=${about.data[0].created}`)).data).toEqual([]);
    expect((await all(`?object_id=${newId('cus', 0)}`)).data).toEqual([]);
    const stranger = (await server.account()).test;
    await makeEndpoint(stranger, {});
    for (const query of ['', `?object_id=${customers[0].id}`, `?starting_after=${data[0].id}`])
      expect((await stranger.get(`/v1/webhook_endpoints/deliveries${query}`)).json.data, query).toEqual([]);
    const { client: support } = await server.person(id, 'support');
    const { client: viewer } = await server.person(id, 'viewer');
    expect((await support.get('/v1/webhook_endpoints/deliveries')).json.data).toHaveLength(4);
    expect((await viewer.get('/v1/webhook_endpoints/deliveries')).json.error.code).toBe('role_missing');
  });
});

describe('an event has deliveries', () => {
  test('to the endpoints that are subscribed to it, and to no others', async () => {
    const lists: [string[], string[]][] = [
      [['*'], ['customer.created', 'payment.succeeded']],
      [['payment.*'], ['payment.succeeded']],
      [['payment.succeeded'], ['payment.succeeded']],
      [['customer.*', 'payment.failed'], ['customer.created']],
      [['payment.failed', 'customer.deleted'], []],
      [['payment_method.*'], []],
      [['webhook_endpoint.*'], []],
    ];
    const { test: client } = await server.account();
    const ids: string[] = [];
    for (const [enabled_events] of lists) ids.push(await makeEndpoint(client, { enabled_events }));
    await makeCustomer(server, client);
    await makePayment(client);
    for (const [at, [, types]] of lists.entries()) expect((await typesTo(ids[at]!)).sort()).toEqual(types);
  });

  test('each under the id that follows from the two', async () => {
    const id = await make();
    const { event } = await makeCustomer(server, account.test);
    expect((await rowsOf(id)).map((row) => row.id)).toEqual([deliveryId(event as EvtId, id)]);
  });

  test('but not to one that was created later, disabled or deleted, or is of another account or mode', async () => {
    const owner = await server.account();
    const stranger = await makeEndpoint(account.test);
    const live = await makeEndpoint(owner.live, { url: newUrl().replace('http:', 'https:') });
    const [disabled, deleted, open] = [
      await makeEndpoint(owner.test),
      await makeEndpoint(owner.test),
      await makeEndpoint(owner.test),
    ];
    await owner.test.post(`${path}/${disabled}`, { status: 'disabled' });
    await owner.test.delete(`${path}/${deleted}`);
    const { id } = await makeCustomer(server, owner.test);
    const late = await makeEndpoint(owner.test);
    for (const none of [stranger, live, disabled, deleted, late])
      expect((await rowsOf(none)).filter((row) => row.object_id === id)).toEqual([]);
    expect(await typesTo(open)).toEqual(['customer.created']);
    await owner.test.post(`${path}/${disabled}`, { status: 'enabled' });
    await owner.test.post(`/v1/customers/${id}`, { name: 'Eve' });
    for (const one of [disabled, late]) expect(await typesTo(one)).toEqual(['customer.updated']);
  });

  test('and the event that an endpoint was disabled goes to the other endpoints only', async () => {
    const owner = await server.account();
    const gone = createServer((_, response) => response.writeHead(410).end());
    await new Promise<void>((listening) => gone.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void gone.close());
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
    const [off, other] = [await makeEndpoint(owner.test, { url }), await makeEndpoint(owner.test)];
    await makeCustomer(server, owner.test);
    await expect.poll(() => typesTo(other)).toEqual(['customer.created', 'webhook_endpoint.disabled']);
    expect((await owner.test.get(`${path}/${off}`)).json.status).toBe('disabled');
    expect(await typesTo(off)).toEqual(['customer.created']);
  });

  test('as the endpoint was subscribed at that moment', async () => {
    const id = await make({ enabled_events: ['payment.*'] });
    await makeCustomer(server, account.test);
    await post(`${path}/${id}`, { enabled_events: ['customer.*'] });
    await makeCustomer(server, account.test);
    expect(await typesTo(id)).toEqual(['customer.created']);
  });
});

describe('the list of deliveries', () => {
  test('shows each with its attempts', async () => {
    const id = await make();
    await post(`${path}/${id}`, { status: 'disabled' });
    const { event } = await makeCustomer(server, account.test);
    const whd = deliveryId(event as EvtId, id);
    const { rows } = await server.sql.query(
      `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       select tenant, $2, 1, id, $3, 'pending', 2, '2100-01-01' from events where id = $1 returning tenant`,
      [event, whd, id],
    );
    const attempts = [
      [1_700_000_000, 12, 500, null, Buffer.from('oh no')],
      [1_700_000_005.9, 3, null, 'connection refused', null],
      [1_700_000_305, 7, 404, null, Buffer.from([0x41, 0xff, 0x00])],
    ];
    for (const [at, ...rest] of attempts)
      await server.sql.query(
        `insert into delivery_attempts values ($1, $2, 'wha_' || $3::text, to_timestamp($3::float8), $4, $5, $6, $7)`,
        [rows[0].tenant, whd, at, ...rest],
      );
    const answer = await account.test.get(`${path}/${id}/deliveries`);
    expect(answer.json).toEqual({
      object: 'list',
      url: `${path}/${id}/deliveries`,
      has_more: false,
      data: [
        {
          id: whd,
          object: 'webhook_delivery',
          event,
          event_type: 'customer.created',
          webhook_endpoint: id,
          status: 'pending',
          attempts: [
            { at: 1_700_000_000, duration_ms: 12, status: 500, response: 'oh no' },
            { at: 1_700_000_005, duration_ms: 3, error: 'connection refused' },
            { at: 1_700_000_305, duration_ms: 7, status: 404, response: 'A\ufffd\u0000' },
          ],
          next_attempt_at: Date.parse('2100-01-01') / 1_000,
          created: (await account.test.get(`/v1/events/${event}`)).json.created,
        },
      ],
    });
    await settle(id, 'delivered');
    expect((await pageOf(id)).data[0]).not.toHaveProperty('next_attempt_at');
    await server.sql.query(
      `insert into delivery_attempts select $1, $2, 'wha_2' || (100 + n), to_timestamp(1800000000 + n), n, 200 from generate_series(1, 30) n`,
      [rows[0].tenant, whd],
    );
    const [{ attempts: shown }] = (await pageOf(id)).data;
    expect(shown.map(({ duration_ms }: { duration_ms: number }) => duration_ms)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 21),
    );
  });

  test('stays small: it shows the beginning of the responses to earlier attempts, and all that is stored of the latest', async () => {
    const id = await make();
    const { event } = await makeCustomer(server, account.test);
    const whd = deliveryId(event as EvtId, id);
    await expect.poll(async () => (await pageOf(id)).data[0].attempts.length).toBe(1);
    await settle(id, 'exhausted');
    await server.sql.query(
      `insert into delivery_attempts
       select tenant, id, 'wha_z' || n, now(), n, 500, null, convert_to(repeat(n::text, 4096), 'UTF8')
         from deliveries, generate_series(1, 3) n where id = $1`,
      [whd],
    );
    const [{ attempts }] = (await pageOf(id)).data;
    expect(attempts.slice(1).map(({ response }: { response: string }) => response)).toEqual([
      '1'.repeat(256),
      '2'.repeat(256),
      '3'.repeat(4_096),
    ]);
  });

  test('has pages and filters, newest first', async () => {
    const id = await make({ enabled_events: ['customer.*'] });
    for (let at = 0; at < 5; at++) await makeCustomer(server, account.test);
    await settle(id, 'delivered');
    const all = (await rowsOf(id)).map((row) => row.id).reverse();
    expect(all).toHaveLength(5);
    const idsOf = async (query: string) => {
      const { data, has_more } = await pageOf(id, query);
      return [data.map((row: Row) => row.id), has_more];
    };
    expect(await idsOf('')).toEqual([all, false]);
    expect(await idsOf('?limit=2')).toEqual([all.slice(0, 2), true]);
    expect(await idsOf(`?limit=2&starting_after=${all[1]}`)).toEqual([all.slice(2, 4), true]);
    expect(await idsOf(`?ending_before=${all[1]}`)).toEqual([all.slice(0, 1), false]);
    const states = ['pending', 'exhausted', 'canceled', 'delivered'];
    for (const [at, state] of states.entries())
      await server.sql.query(
        `update deliveries set state = $2, due_at = case when $2 = 'pending' then '2100-01-01'::timestamptz end where id = $1`,
        [all[at], state],
      );
    for (const [at, state] of states.slice(0, 3).entries())
      expect(await idsOf(`?status=${state}`)).toEqual([[all[at]], false]);
    expect(await idsOf('?status=delivered')).toEqual([all.slice(3), false]);
    expect(await idsOf(`?status=delivered&limit=1&starting_after=${all[0]}`)).toEqual([all.slice(3, 4), true]);
    expect(await idsOf(`?created[gt]=${nowSeconds() + 60}`)).toEqual([[], false]);
  });

  test.each([
    ['?status=failed', 'status', 'it must be one of pending, '],
    ['?status=', 'status', 'it must not be empty'],
    ['?limit=0', 'limit', 'it must be at least 1'],
    ['?starting_after=evt_0000000000000000000000', 'starting_after', 'whd_'],
  ])('is refused with %s', async (query, param, words) => {
    const answer = await account.test.get(`${path}/${await make()}/deliveries${query}`);
    expectRefused(answer, 'parameter_invalid', param);
    expect(answer.json.error.message).toContain(words);
  });
});

describe('testing an endpoint', () => {
  test('sends an event about the endpoint to this endpoint alone, whatever it is subscribed to', async () => {
    const id = await make({ enabled_events: ['payment.failed'] });
    const others = [
      await make(),
      await make({ enabled_events: ['webhook_endpoint.test', 'webhook_endpoint.disabled'] }),
    ];
    const answer = await post(`${path}/${id}/test`);
    expect(answer.status).toBe(200);
    const { event } = answer.json;
    expect(answer.json).toEqual({
      id: deliveryId(event, id),
      object: 'webhook_delivery',
      event: expect.stringMatching(/^evt_/),
      event_type: 'webhook_endpoint.test',
      webhook_endpoint: id,
      status: 'pending',
      attempts: [],
      next_attempt_at: expect.any(Number),
      created: expect.any(Number),
    });
    expect((await account.test.get(`/v1/events/${event}`)).json).toMatchObject({
      id: event,
      type: 'webhook_endpoint.test',
      created: answer.json.created,
      data: { object: (await account.test.get(`${path}/${id}`)).json },
    });
    expect((await rowsOf(id)).map((row) => [row.id, row.event])).toEqual([[answer.json.id, event]]);
    for (const other of others) expect(await rowsOf(other)).toEqual([]);
    await expect.poll(async () => (await pageOf(id)).data[0].attempts.length).toBe(1); // the worker was woken
  });

  test('is refused when it is disabled', async () => {
    const id = await make();
    await post(`${path}/${id}`, { status: 'disabled' });
    const answer = await post(`${path}/${id}/test`);
    expectRefused(answer, 'endpoint_disabled', 'id');
    expect(answer.json.error.message).toContain(id);
    expect(await rowsOf(id)).toEqual([]);
  });

  test('takes no parameters', async () => {
    expectRefused(await post(`${path}/${await make()}/test`, { type: 'x' }), 'parameter_unknown', 'type');
  });
});

describe('resending an event', () => {
  const resend = (event: string, body: object = {}) => post(`/v1/events/${event}/resend`, body);

  test.each(['pending', 'delivered', 'exhausted', 'canceled'])('starts over after %s', async (state) => {
    const id = await make({ enabled_events: ['customer.created'] });
    const { event } = await makeCustomer(server, account.test);
    await expect.poll(async () => (await rowsOf(id))[0]!.attempts).toBe(1);
    await settle(id, state);
    const [before] = await rowsOf(id);
    const answer = await resend(event, { webhook_endpoint: id });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await account.test.get(`/v1/events/${event}`)).text);
    await expect.poll(async () => (await rowsOf(id))[0]!.attempts).toBe(1); // 0, and the worker's first
    const [after] = await rowsOf(id);
    expect(after).toMatchObject({ id: before!.id, state: 'pending' });
    expect(after!.version).toBeGreaterThan(before!.version);
  });

  test('goes to all endpoints that are enabled and subscribed now, when none is named', async () => {
    const owner = await server.account();
    const { event } = await makeCustomer(server, owner.test);
    const late = await makeEndpoint(owner.test);
    const other = await makeEndpoint(owner.test, { enabled_events: ['payment.*'] });
    const disabled = await makeEndpoint(owner.test);
    await owner.test.post(`${path}/${disabled}`, { status: 'disabled' });
    expect((await owner.test.post(`/v1/events/${event}/resend`)).json.id).toBe(event);
    expect((await rowsOf(late)).map((row) => row.event)).toEqual([event]);
    for (const none of [other, disabled]) expect(await rowsOf(none)).toEqual([]);
    expect((await owner.test.form(`/v1/events/${event}/resend`, `webhook_endpoint=${other}`)).status).toBe(200);
    expect((await rowsOf(other)).map((row) => row.event)).toEqual([event]);
  });

  test('that tested an endpoint goes to that endpoint again, and to no other', async () => {
    const owner = await server.account();
    const [tried, other] = [await makeEndpoint(owner.test), await makeEndpoint(owner.test)];
    const { event } = (await owner.test.post(`${path}/${tried}/test`)).json;
    const [before] = await rowsOf(tried);
    await owner.test.post(`/v1/events/${event}/resend`);
    expect((await rowsOf(tried))[0]!.version).toBeGreaterThan(before!.version);
    expect(await rowsOf(other)).toEqual([]);
  });

  test('to nobody is no error', async () => {
    const owner = await server.account();
    const { event } = await makeCustomer(server, owner.test);
    expect((await owner.test.post(`/v1/events/${event}/resend`)).status).toBe(200);
  });

  test('many times concurrently makes one delivery', async () => {
    const id = await make({ enabled_events: ['payment.*'] });
    const { event } = await makeCustomer(server, account.test);
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(event, { webhook_endpoint: id })));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 429]).toContain(status);
    expect(await rowsOf(id)).toHaveLength(1);
  });

  test('to an endpoint that does not exist, is of another account, or is disabled, is refused', async () => {
    const { event } = await makeCustomer(server, account.test);
    const stranger = await makeEndpoint((await server.account()).test);
    const live = await makeEndpoint(account.live, { url: newUrl().replace('http:', 'https:') });
    for (const webhook_endpoint of [newId('we', 1), 'we_x', 'x', event, stranger, live])
      expectRefused(await resend(event, { webhook_endpoint }), 'resource_missing', 'webhook_endpoint');
    for (const none of [stranger, live]) expect(await rowsOf(none)).toEqual([]);
    const disabled = await make();
    await post(`${path}/${disabled}`, { status: 'disabled' });
    expectRefused(await resend(event, { webhook_endpoint: disabled }), 'endpoint_disabled', 'webhook_endpoint');
  });

  const empty: [string, (to: string) => Promise<Answer>][] = [
    ['in a form', (to) => account.test.form(to, 'webhook_endpoint=')],
    ['in JSON', (to) => post(to, { webhook_endpoint: '' })],
    ['null', (to) => post(to, { webhook_endpoint: null })],
  ];
  test.each(empty)('to an endpoint that is empty, %s, is refused and not sent to all', async (_, send) => {
    const { event } = await makeCustomer(server, account.test);
    const late = await make();
    const answer = await send(`/v1/events/${event}/resend`);
    expectRefused(answer, 'parameter_invalid', 'webhook_endpoint');
    expect(answer.json.error.message).toMatch(/it must not be empty; leave it out to send to all/);
    expect(await rowsOf(late)).toEqual([]);
  });

  test('of somebody else, or of none, is refused', async () => {
    const { event } = await makeCustomer(server, (await server.account()).test);
    const id = await make();
    for (const none of [event, newId('evt', 1), 'evt_x'])
      expectRefused(await resend(none, { webhook_endpoint: id }), 'resource_missing', 'id');
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe('recovering', () => {
  const isRecovering = async (id: string) =>
    (await server.sql.query('select from webhook_recoveries where id = $1', [id])).rowCount === 1;

  test('sends events that were missed, exhausted or canceled, and leaves those that arrived or are pending', async () => {
    const owner = await server.account();
    const since = nowSeconds() - 60;
    const id = await makeEndpoint(owner.test, { enabled_events: ['customer.*'] });
    const customers = [];
    for (let at = 0; at < 4; at++) customers.push(await makeCustomer(server, owner.test));
    await owner.test.post(`${path}/${id}`, { status: 'disabled' });
    customers.push(await makeCustomer(server, owner.test)); // missed
    await makePayment(owner.test); // not subscribed to
    await owner.test.post(`${path}/${id}`, { status: 'enabled' });
    for (const [at, state] of ['pending', 'delivered', 'exhausted', 'canceled'].entries())
      await server.sql.query(
        `update deliveries set state = $3, version = version + 1, attempts = 9,
                due_at = case when $3 = 'pending' then '2100-01-01'::timestamptz end where endpoint = $1 and event = $2`,
        [id, customers[at]!.event, state],
      );
    const answer = await owner.test.post(`${path}/${id}/recover`, { since });
    expect(answer.json).toEqual({ object: 'webhook_recovery', webhook_endpoint: id, since });
    await expect.poll(() => isRecovering(id)).toBe(false);
    const rows = new Map((await rowsOf(id)).map((row) => [row.event, row]));
    expect(rows.size).toBe(5);
    const [pending, delivered, ...again] = customers.map(({ event }) => rows.get(event as EvtId)!);
    expect([pending!.attempts, delivered!.attempts]).toEqual([9, 9]);
    expect(delivered!.state).toBe('delivered');
    for (const row of again) {
      expect(row.state).toBe('pending');
      expect(row.attempts).toBeLessThan(2);
    }
  });

  test('begins at the given moment, and leaves out test events', async () => {
    const owner = await server.account();
    const { event: old } = await makeCustomer(server, owner.test);
    const { rows } = await server.sql.query('select tenant from events where id = $1', [old]);
    const since = nowSeconds() - 10_000;
    const [before, from] = [newId('evt', since * 1_000 - 1), newId('evt', since * 1_000)];
    await server.sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select $1, unnest($2::text[]), 'payment.failed', 'py_1', 1, '{}'`,
      [rows[0].tenant, [before, from]],
    );
    const other = await makeEndpoint(owner.test, { enabled_events: ['customer.deleted'] });
    await owner.test.post(`${path}/${other}/test`);
    const id = await makeEndpoint(owner.test);
    expect((await owner.test.post(`${path}/${id}/recover`, { since })).status).toBe(200);
    await expect.poll(() => isRecovering(id)).toBe(false);
    expect((await rowsOf(id)).map((row) => row.event)).toEqual([from, old]);
  });

  test('is refused when it is disabled', async () => {
    const id = await make();
    await post(`${path}/${id}`, { status: 'disabled' });
    expectRefused(await recover(id), 'endpoint_disabled', 'id');
  });

  const days = 24 * 3_600;
  test.each([
    ['nothing', undefined, 'parameter_missing', 'since'],
    ['a text', '1', 'parameter_invalid', 'the seconds since 1970'],
    ['a date', '2026-11-14', 'parameter_invalid', 'the seconds since 1970 (UTC), such as '],
    ['a fraction', 1.5, 'parameter_invalid', 'the seconds since 1970'],
    ['milliseconds', nowSeconds() * 1_000, 'parameter_invalid', 'must not be in the future'],
    ['a moment too long ago', nowSeconds() - 31 * days, 'parameter_invalid', 'at most 30 days ago'],
    ['zero', 0, 'parameter_invalid', 'at most 30 days ago'],
    ['a moment to come', nowSeconds() + days, 'parameter_invalid', 'must not be in the future'],
  ])('is refused since %s', async (_, since, code, words) => {
    const answer = await post(`${path}/${await make()}/recover`, { since });
    expectRefused(answer, code, 'since');
    expect(answer.json.error.message).toContain(words);
  });

  test('of thirty days is allowed', async () => {
    expect((await recover(await make(), nowSeconds() - 30 * days)).status).toBe(200);
  });
});
