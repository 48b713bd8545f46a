import { afterAll, beforeAll, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';
import { withInboxes } from './receive.ts';

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;
let developer: TestPerson;

beforeAll(async () => {
  clock = virtualClock(Date.now() + 3_600_000); // deliveries become due by the clock of the database, which goes on
  // Nothing but public addresses may be sent to: an inbox needs no exception.
  server = await startServer({ isAlone: true, clock });
  account = await server.account();
  developer = await server.person(account.id, 'developer');
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = any;

async function makeInbox(body: object = {}): Promise<Json> {
  const made = await developer.client.post('/v1/inbox', body);
  expect(made.json.error).toBeUndefined();
  return made.json;
}

/** What an inbox has received, newest first. */
async function received({ id }: Json): Promise<Json[]> {
  return (await developer.client.get(`/v1/inbox/${id}/requests?limit=100`)).json.data;
}

async function makeCustomer(): Promise<string> {
  clock.advance(1);
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada' })).json;
  await settled();
  return id;
}

/** Everything that is due was sent, even what a run of the deliverer beside the last one has leased. */
async function settled(): Promise<void> {
  const busy = 'select from deliveries where lease_until is not null limit 1';
  do await server.settled();
  while ((await server.sql.query(busy)).rowCount === 1);
}

const deliveriesOf = async ({ webhook_endpoint }: Json): Promise<Json[]> =>
  (await account.test.get(`/v1/webhook_endpoints/${webhook_endpoint}/deliveries`)).json.data;

test('one call makes an endpoint that works; what it gets is shown, with its signatures verified', async () => {
  const inbox = await makeInbox({ enabled_events: ['customer.*'] });
  expect(inbox).toMatchObject({ object: 'inbox', answer: '200', url: `inbox:${inbox.id}` });
  const endpoint = (await account.test.get(`/v1/webhook_endpoints/${inbox.webhook_endpoint}`)).json;
  expect(endpoint).toMatchObject({ url: inbox.url, enabled_events: ['customer.*'], status: 'enabled' });
  const customer = await makeCustomer();
  const [request, ...others] = await received(inbox);
  expect(others).toEqual([]);
  expect(JSON.parse(request.body)).toMatchObject({ id: request.event, data: { object: { id: customer } } });
  expect(request).toMatchObject({ inbox: inbox.id, verified: true, answer: '200', bytes: request.body.length });
  expect(Object.keys(request.headers).sort()).toEqual([
    ...['Content-Type', 'User-Agent', 'X-Service-Signature', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
  ]);
  expect((await developer.client.get(`/v1/inbox_requests/${request.id}`)).json).toEqual(request);
  const [delivery] = await deliveriesOf(inbox);
  expect(delivery).toMatchObject({
    status: 'delivered',
    attempts: [{ status: 200, response: 'The inbox answers 200.' }],
  });
});

test('its endpoint can be changed, but leads nowhere else', async () => {
  const inbox = await makeInbox({ enabled_events: ['coupon.created'] });
  const update = (body: object) => account.test.post(`/v1/webhook_endpoints/${inbox.webhook_endpoint}`, body);
  const refused = await update({ url: 'https://example.com/hook', description: 'Mine' });
  expect([refused.status, refused.json.error]).toMatchObject([400, { code: 'parameter_invalid', param: 'url' }]);
  expect(refused.json.error.message).toContain(`the endpoint leads to ${inbox.url}`);
  const updated = await update({ url: inbox.url, description: 'Mine', enabled_events: ['coupon.*'] });
  expect(updated.json).toMatchObject({ url: inbox.url, description: 'Mine', enabled_events: ['coupon.*'] });
  expect((await developer.client.delete(`/v1/inbox/${inbox.id}`)).status).toBe(200);
});

test('with the old secret alone a request is not verified, and during a rotation it is', async () => {
  const inbox = await makeInbox({ enabled_events: ['customer.created'] });
  const rotate = (overlap_hours: number) =>
    account.test.post(`/v1/webhook_endpoints/${inbox.webhook_endpoint}/rotate_secret`, { overlap_hours });
  await makeCustomer();
  expect((await rotate(0)).status).toBe(200);
  // The sender keeps an endpoint for a second, and so signs with the secret that no longer holds.
  await makeCustomer();
  clock.advance(2_000);
  expect((await rotate(1)).status).toBe(200);
  clock.advance(2_000);
  await makeCustomer();
  expect((await received(inbox)).map(({ verified }) => verified)).toEqual([true, false, true]);
});

test('set to fail, it is tried again until it is set to succeed', async () => {
  const inbox = await makeInbox({ enabled_events: ['customer.created'], answer: '500' });
  await makeCustomer();
  const [failed] = await deliveriesOf(inbox);
  expect(failed).toMatchObject({ status: 'pending', attempts: [{ status: 500 }] });
  const changed = await developer.client.post(`/v1/inbox/${inbox.id}`, { answer: '200' });
  expect(changed.json).toMatchObject({ id: inbox.id, answer: '200' });
  clock.advance(6_000);
  await settled();
  const [delivered] = await deliveriesOf(inbox);
  expect(delivered).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] });
  const requests = await received(inbox);
  expect(requests.map(({ answer }) => answer)).toEqual(['200', '500']);
  expect(new Set(requests.map(({ event }) => event)).size).toBe(1);
});

test('told 410, its endpoint is disabled', async () => {
  const inbox = await makeInbox({ enabled_events: ['customer.created'], answer: '410' });
  await makeCustomer();
  const endpoint = () => account.test.get(`/v1/webhook_endpoints/${inbox.webhook_endpoint}`);
  expect((await endpoint()).json.status).toBe('disabled');
  await makeCustomer();
  expect(await received(inbox)).toHaveLength(1);
});

test('told to be silent, it lets the time limit pass', async () => {
  const inbox = await makeInbox({ enabled_events: ['price.*'], answer: 'timeout' });
  const { rows } = await server.sql.query('select tenant from webhook_inboxes where id = $1', [inbox.id]);
  const { reads, vault, leases } = server.gateway.services;
  const network = { send: () => Promise.reject(new Error('not the network')), close: async () => {} };
  const sender = withInboxes(network, { reads, vault, leases, clock, timeoutMs: 20 });
  const request = {
    tenant: rows[0].tenant,
    mode: 'test',
    url: inbox.url,
    headers: {},
    body: Buffer.from('{}'),
  } as const;
  expect(await sender.send(request)).toMatchObject({ status: null, error: 'no answer within 0.02 s' });
  expect(await received(inbox)).toMatchObject([{ verified: false, answer: 'timeout' }]);
  // In live mode, and with the tenant of somebody else, there is no inbox.
  await expect(sender.send({ ...request, mode: 'live' })).rejects.toThrow('not the network');
  const foreign = await sender.send({ ...request, tenant: (rows[0].tenant + 1) as typeof request.tenant });
  expect(foreign).toMatchObject({ status: null, error: 'the inbox was deleted' });
});

test('keeps the latest 100 of what it receives, and 64 KiB of each, for a day', async () => {
  const inbox = await makeInbox({ enabled_events: ['price.*'] });
  const { rows } = await server.sql.query('select tenant from webhook_inboxes where id = $1', [inbox.id]);
  const [{ tenant }] = rows;
  const { sender } = server.gateway.services;
  const body = Buffer.alloc(70_000, 'x');
  for (let sent = 0; sent < 103; sent++) {
    clock.advance(1);
    const headers = { 'webhook-id': `evt_${sent}` };
    await sender.send({ tenant, mode: 'test', url: inbox.url, headers, body: sent === 102 ? body : Buffer.from('{}') });
  }
  const kept = await received(inbox);
  expect([kept.length, kept[0].event, kept[99].event]).toEqual([100, 'evt_102', 'evt_3']);
  expect([kept[0].body.length, kept[0].bytes]).toEqual([65_536, 70_000]);
});

test('is deleted with what it has received, and with its endpoint', async () => {
  const inbox = await makeInbox({ enabled_events: ['customer.updated', 'customer.created'] });
  await makeCustomer();
  const [request] = await received(inbox);
  expect((await developer.client.delete(`/v1/inbox/${inbox.id}`)).json).toEqual({
    id: inbox.id,
    object: 'inbox',
    deleted: true,
  });
  const gone = [`inbox/${inbox.id}`, `inbox_requests/${request.id}`, `webhook_endpoints/${inbox.webhook_endpoint}`];
  for (const path of gone) expect((await developer.client.get(`/v1/${path}`)).status).toBe(404);
});

test('is deleted with its endpoint, and no longer counts', async () => {
  const [inbox, other] = [
    await makeInbox({ enabled_events: ['coupon.*'] }),
    await makeInbox({ enabled_events: ['*'] }),
  ];
  expect((await account.test.delete(`/v1/webhook_endpoints/${inbox.webhook_endpoint}`)).status).toBe(200);
  expect((await developer.client.get(`/v1/inbox/${inbox.id}`)).status).toBe(404);
  const { rows } = await server.sql.query('select id from webhook_inboxes where id = any($1)', [[inbox.id, other.id]]);
  expect(rows).toEqual([{ id: other.id }]);
  await developer.client.delete(`/v1/inbox/${other.id}`);
});

test('there are ten; live mode has none, keys find none, and a viewer makes none', async () => {
  const other = await server.account();
  const owner = await server.person(other.id, 'owner');
  for (let made = 0; made < 10; made++) expect((await owner.client.post('/v1/inbox', {})).status).toBe(200);
  const eleventh = (await owner.client.post('/v1/inbox', {})).json.error;
  expect(eleventh).toMatchObject({ code: 'endpoint_limit_reached', message: expect.stringContaining('10 inboxes') });
  expect((await owner.client.get('/v1/inbox?limit=100')).json.data).toHaveLength(10);
  const live = owner.client.with({ 'X-Tollgate-Mode': 'live' });
  for (const refused of [await live.post('/v1/inbox', {}), await live.get('/v1/inbox')])
    expect(refused.json.error).toMatchObject({ code: 'test_mode_only', message: 'Inboxes exist in test mode only.' });
  expect((await other.test.get('/v1/inbox')).json.error.code).toBe('url_unrecognized');
  const viewer = await server.person(other.id, 'viewer');
  expect((await viewer.client.post('/v1/inbox', {})).json.error.code).toBe('role_missing');
});

test('no request can point an endpoint at an inbox, not even at its own', async () => {
  const inbox = await makeInbox({ enabled_events: ['refund.*'] });
  const made = await account.test.post('/v1/webhook_endpoints', { url: inbox.url, enabled_events: ['refund.*'] });
  expect(made.json.error).toMatchObject({ code: 'endpoint_url_not_allowed', param: 'url' });
});
