import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../base/sql.ts';
import { registrations } from '../../connectors/index.ts';
import { resources } from '../../resources/index.ts';
import { eventually } from '../eventually.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../harness.ts';
import { harbor, signed } from './harbor/index.ts';
import { tabs } from './tabs/index.ts';
import { tickets } from './tickets/index.ts';

const secret = 'harbor-secret';
let server: TestServer;
let account: TestAccount;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  const sql = await connect(database.address, 'test');
  for (const name of ['tickets', 'tabs'])
    await sql.query(readFileSync(join(import.meta.dirname, name, `${name}.sql`), 'utf8'));
  // Older than the server, so that its first sweep finds it.
  await sql.query(`insert into tickets (tenant, id, version, title, state) values (1, 'tkt_old', 1, 'old', 'closed')`);
  await sql.end();
  server = await startServer({
    databaseUrl: database.url,
    resources: [...resources, tickets, tabs],
    connectors: [...registrations, harbor],
    environment: { LIVE_CONNECTOR: 'harbor', HARBOR_SECRET: secret, WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' },
  });
  account = await server.account();
});
afterAll(async () => {
  await server.stop();
  await drop();
});

const rows = async (text: string, values: unknown[] = []) => (await server.sql.query(text, values)).rows;
const card = (number = '4242424242424242') => ({ type: 'card', card: { number, exp_month: 12, exp_year: 2040 } });

describe('a resource of one folder and one line', () => {
  const open = (answer_within = 3_600) => account.test.post('/v1/tickets', { title: 'Late parcel', answer_within });

  test('has routes, shapes, idempotency and a place in the reference', async () => {
    const headers = { 'Idempotency-Key': 'one ticket' };
    const made = await account.test.post('/v1/tickets', { title: 'Late parcel', answer_within: 60 }, headers);
    const { id } = made.json;
    const created = expect.any(Number);
    expect(made.json).toEqual({ id, object: 'ticket', title: 'Late parcel', state: 'open', created });
    expect((await account.test.get(`/v1/tickets/${id}`)).json).toEqual(made.json);
    const again = await account.test.post('/v1/tickets', { title: 'Late parcel', answer_within: 60 }, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([made.text, 'true']);
    expect((await account.live.get(`/v1/tickets/${id}`)).status).toBe(404);
    const { paths } = (await server.anonymous.get('/openapi.json')).json;
    expect(Object.keys(paths)).toContain('/v1/tickets/{id}/close');
    expect((await account.test.post('/v1/tickets', { title: 1, answer_within: 60 })).json.error).toMatchObject({
      code: 'parameter_invalid',
      param: 'title',
    });
  });

  test('has a scope that restricted keys can be given', async () => {
    const reader = await server.key(account.id, { scopes: ['tickets:read'] });
    const { id } = (await open()).json;
    expect((await reader.client.get(`/v1/tickets/${id}`)).status).toBe(200);
    const refused = await reader.client.post(`/v1/tickets/${id}/close`);
    expect([refused.status, refused.json.error.code]).toEqual([403, 'scope_missing']);
  });

  test('has its own error code, explained on the page that the answer links to', async () => {
    const { id } = (await open()).json;
    expect((await account.test.post(`/v1/tickets/${id}/close`)).json.state).toBe('closed');
    const refused = await account.test.post(`/v1/tickets/${id}/close`);
    const message = `The ticket ${id} is closed already.`;
    const type = 'invalid_request_error';
    expect(refused.json.error).toEqual({ code: 'ticket_closed', message, param: 'id', type });
    expect(refused.headers.link).toBe('</docs/errors#ticket_closed>; rel="help"');
    expect((await server.anonymous.get('/docs/errors')).text).toContain('id="ticket_closed"');
  });

  test('has an event that is delivered as a webhook, and a job that runs when it is due', async () => {
    const delivered: { type: string; data: { object: { id: string; state: string } } }[] = [];
    const receiver = createServer(async (request, response) => {
      delivered.push(JSON.parse(await textOf(request)));
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const endpoint = await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['ticket.*'] });
    expect(endpoint.status).toBe(200);
    const { id } = (await open(0)).json;
    const states = () =>
      delivered.filter(({ data }) => data.object.id === id).map(({ type, data }) => [type, data.object.state]);
    await eventually(() =>
      expect(states().sort()).toEqual([
        ['ticket.created', 'open'],
        ['ticket.escalated', 'escalated'],
      ]),
    );
    expect((await account.test.get(`/v1/tickets/${id}`)).json.state).toBe('escalated');
    receiver.closeAllConnections();
    receiver.close();
  });

  test('has a maintenance task that the server runs by itself', async () => {
    await open();
    await eventually(async () => expect(await rows(`select 1 from tickets where id = 'tkt_old'`)).toEqual([]));
    expect(await rows('select 1 from tickets')).not.toEqual([]);
  });

  test('has a notice handler beside the one of disputes', async () => {
    const { id: payment_method } = (await account.test.post('/v1/payment_methods', card('4000000000000259'))).json;
    const { id } = (await account.test.post('/v1/payments', { amount: 500, currency: 'eur', payment_method })).json;
    await eventually(async () => {
      expect((await account.test.get(`/v1/disputes?payment=${id}`)).json.data).toHaveLength(1);
      expect(await rows(`select 1 from tickets where title like 'dispute %'`)).toHaveLength(1);
    });
  });

  test('has a job that charges a card and refunds it without a request', async () => {
    const { id: payment_method } = (await account.test.post('/v1/payment_methods', card())).json;
    const { id } = (await account.test.post('/v1/tabs', { payment_method, amount: 700, note: 'two coffees' })).json;
    const tab = async () => (await rows('select * from tabs where id = $1', [id]))[0];
    await eventually(async () => expect((await tab()).state).toBe('refunded'));
    const payment = (await account.test.get(`/v1/payments/${(await tab()).payment}`)).json;
    expect(payment).toMatchObject({ status: 'succeeded', amount_received: 700, amount_refunded: 700 });
    expect((await account.test.get(`/v1/refunds?payment=${payment.id}`)).json.data).toHaveLength(1);
    const events = await rows('select request_id from events where object_id = $1', [payment.id]);
    expect(events.length).toBeGreaterThan(0);
    for (const { request_id } of events) expect(request_id).toBeNull();
  });
});

describe('a processor of one folder and one line', () => {
  const pay = async (number?: string, more = {}) => {
    const { id: payment_method } = (await account.live.post('/v1/payment_methods', card(number))).json;
    return (await account.live.post('/v1/payments', { amount: 900, currency: 'eur', payment_method, ...more })).json;
  };
  const attemptOf = async (payment: string) => (await rows('select * from attempts where payment = $1', [payment]))[0];

  test('takes a payment whose cardholder decides on a page of the connector', async () => {
    const payment = await pay('4000000000003220', { return_url: 'https://shop.test/done' });
    expect(payment.status).toBe('requires_action');
    const { pathname } = new URL(payment.next_action.redirect_to_url.url);
    expect((await server.anonymous.get(pathname)).text).toContain('Approve');
    const decided = await server.anonymous.form(pathname, '');
    const back = await server.anonymous.get(new URL(decided.headers.location!).pathname);
    expect([decided.status, back.status]).toEqual([303, 303]);
    expect(back.headers.location).toBe(`https://shop.test/done?payment=${payment.id}`);
    const after = (await account.live.get(`/v1/payments/${payment.id}`)).json;
    expect(after).toMatchObject({ status: 'succeeded', amount_received: 900 });
    expect((await attemptOf(payment.id)).reference).toBe('harbor_1');
  });

  const noticeOf = async (payment: string, outcome: object) => {
    const { tenant, id: attempt } = await attemptOf(payment);
    return JSON.stringify({ id: `notice of ${attempt}`, tenant, attempt, outcome });
  };
  const send = (body: string, signature: string) =>
    server.anonymous.post('/harbor/notices?batch=7', body, { 'X-Harbor-Signature': signature });

  test.each([
    [{ kind: 'approved' }, 'succeeded'],
    [{ kind: 'declined', code: 'card_declined', declineCode: 'lost_card' }, 'failed'],
  ])('settles a payment by a signed notice: %j', async (outcome, status) => {
    const payment = await pay();
    expect(payment.status).toBe('processing');
    const body = await noticeOf(payment.id, outcome);
    for (let times = 0; times < 2; times++) {
      const answer = await send(body, signed(secret, body));
      expect([answer.status, answer.json]).toEqual([200, { received: '7' }]);
    }
    expect((await account.live.get(`/v1/payments/${payment.id}`)).json.status).toBe(status);
    const events = await rows('select type from events where object_id = $1 order by id', [payment.id]);
    expect(events.map(({ type }) => type)).toEqual(['payment.processing', `payment.${status}`]);
  });

  test('refuses a notice that was altered in transit', async () => {
    const payment = await pay();
    const body = await noticeOf(payment.id, { kind: 'approved' });
    expect((await send(body.replace('approved', 'declined'), signed(secret, body))).status).toBe(400);
    expect((await account.live.get(`/v1/payments/${payment.id}`)).json.status).toBe('processing');
  });

  test('an approval that comes after a decline is logged for a person, and moves no money', async () => {
    const payment = await pay();
    for (const outcome of [{ kind: 'declined', code: 'card_declined' }, { kind: 'approved' }]) {
      const body = await noticeOf(payment.id, outcome);
      expect((await send(body, signed(secret, body))).status).toBe(200);
    }
    expect((await account.live.get(`/v1/payments/${payment.id}`)).json).toMatchObject({
      status: 'failed',
      amount_received: 0,
    });
    expect(server.logged.some((line) => line.includes('incident: an approval came for a payment that is over'))).toBe(
      true,
    );
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
