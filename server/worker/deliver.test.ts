import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../base/clock.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';

type Received = { headers: IncomingMessage['headers']; body: string; at: number };
type Answer = (request: Received, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A program that takes webhooks and answers as it is told. */
async function receiver(answer: Answer): Promise<{ url: string; received: Received[]; most: () => number }> {
  const received: Received[] = [];
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    most = Math.max(most, ++running);
    response.on('close', () => running--);
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { headers: request.headers, body, at: performance.now() };
      received.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, most: () => most };
}

const ok: Answer = (_, response) => response.writeHead(200).end('thanks');
const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end('no');

let server: TestServer;
let account: TestAccount;
const environment = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };

async function endpoint(url: string, events = ['customer.created']): Promise<{ id: string; secret: string }> {
  const made = await account.test.post('/v1/webhook_endpoints', { url, enabled_events: events });
  expect(made.json.error).toBeUndefined();
  return made.json;
}
const customer = async () => (await account.test.post('/v1/customers', { name: 'Ada' })).json.id as string;
const deliveriesOf = async (id: string) =>
  (await account.test.get(`/v1/webhook_endpoints/${id}/deliveries?limit=100`)).json.data;

describe('an event', () => {
  beforeAll(async () => {
    server = await startServer({ environment });
    account = await server.account();
  });
  afterAll(() => server.stop());

  test('arrives at once, as the bytes that are stored, signed in both ways', async () => {
    const { url, received } = await receiver(ok);
    const { id, secret } = await endpoint(url, ['payment.*', 'customer.created']);
    const made = await customer();
    await expect.poll(() => received.length, { interval: 5 }).toBe(1);
    const { headers, body } = received[0]!;
    const event = JSON.parse(body);
    expect(event).toMatchObject({ object: 'event', type: 'customer.created', data: { object: { id: made } } });
    const stored = await server.sql.query('select payload from events where id = $1', [event.id]);
    expect(stored.rows[0].payload.toString()).toBe(body);
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    await expect.poll(async () => (await deliveriesOf(id))[0]?.status, { interval: 10 }).toBe('delivered');
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ event: event.id, attempts: [{ status: 200, response: 'thanks' }] });
  });

  test('is on its way within 50 ms of the commit, in the middle of many', async () => {
    const { url, received } = await receiver(ok);
    await endpoint(url);
    const answered: number[] = [];
    for (let at = 0; at < 30; at++) {
      await customer();
      answered.push(performance.now());
      await expect.poll(() => received.length, { interval: 1 }).toBe(at + 1);
    }
    const delays = received.map((one, at) => one.at - answered[at]!).sort((a, b) => a - b);
    expect(delays[15]!).toBeLessThan(50);
  });

  test('goes to a receiver eight at a time, and to all of its endpoints', async () => {
    const slow = await receiver((_, response) => setTimeout(() => response.writeHead(204).end(), 20));
    const other = await receiver(ok);
    await endpoint(slow.url);
    await endpoint(other.url);
    await Promise.all(Array.from({ length: 60 }, customer));
    await expect.poll(() => [slow.received.length, other.received.length], { timeout: 10_000 }).toEqual([60, 60]);
    expect(slow.most()).toBeLessThanOrEqual(8);
    expect(new Set(slow.received.map((one) => one.headers['webhook-id'])).size).toBe(60);
  });
});

describe('an event that is not taken', () => {
  let clock: VirtualClock;
  beforeAll(async () => {
    clock = virtualClock(Date.now() + 60_000); // the database's clock goes on, this one does not: it must not be behind
    server = await startServer({ environment, clock });
    account = await server.account();
  });
  afterAll(() => server.stop());

  const settled = () => server.gateway.deliverer.settled();
  const rowOf = async (id: string) =>
    (await server.sql.query('select state, attempts, due_at from deliveries where endpoint = $1', [id])).rows[0];
  const statusOf = async (id: string) => (await account.test.get(`/v1/webhook_endpoints/${id}`)).json.status;
  /** To the next attempt; gives the seconds until then. */
  async function toNext(id: string): Promise<number> {
    const wait = (await rowOf(id)).due_at.getTime() - clock.now();
    clock.advance(wait);
    await settled();
    return wait / 1_000;
  }

  test('is tried ten times in three days, and then it is exhausted, visible, and can be sent again', async () => {
    const { url, received } = await receiver(status(500));
    const { id } = await endpoint(url);
    await customer();
    await settled();
    const gaps: number[] = [];
    while ((await rowOf(id)).state === 'pending') gaps.push(await toNext(id));
    const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(gaps).toHaveLength(planned.length);
    for (const [at, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(planned[at]! * 0.89);
      expect(gap).toBeLessThanOrEqual(planned[at]! * 1.11);
    }
    expect(received).toHaveLength(10);
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'exhausted', event: received[0]!.headers['webhook-id'] });
    expect(delivery.attempts).toHaveLength(10);
    expect(delivery.attempts[0]).toMatchObject({ status: 500, response: 'no' });
    expect((await account.test.post(`/v1/events/${delivery.event}/resend`)).status).toBe(200);
    await settled();
    expect(received).toHaveLength(11);
    expect(await rowOf(id)).toMatchObject({ state: 'pending', attempts: 1 });
  });

  test('is tried later when the receiver asks for more time', async () => {
    const { url } = await receiver(status(429, { 'Retry-After': '3600' }));
    const { id } = await endpoint(url);
    await customer();
    await settled();
    expect(Math.round(await toNext(id))).toBe(3_600);
  });

  test('by a receiver that says it is gone switches the endpoint off', async () => {
    const { url, received } = await receiver(status(410));
    const { id } = await endpoint(url);
    await customer();
    await settled();
    expect(await statusOf(id)).toBe('disabled');
    await customer();
    await settled();
    expect(received).toHaveLength(1);
    const events = await account.test.get('/v1/events?type=webhook_endpoint.disabled');
    expect(events.json.data[0].data.object).toMatchObject({ id, status: 'disabled' });
  });

  test('for five days of nothing but failure switches the endpoint off', async () => {
    const { url } = await receiver(status(503));
    const { id } = await endpoint(url);
    for (let day = 0; day < 6; day++) {
      if (day < 5) expect(await statusOf(id)).toBe('enabled'); // on the fifth, a retry may have been the last
      await customer();
      await settled();
      clock.advance(86_400_000);
    }
    expect(await statusOf(id)).toBe('disabled');
  });

  test('once it is taken again the endpoint is as good as new', async () => {
    let answer = status(500);
    const { url } = await receiver((one, response) => answer(one, response));
    const { id } = await endpoint(url);
    await customer();
    await settled();
    const fails = async () =>
      (await server.sql.query('select from webhook_health where endpoint = $1', [id])).rowCount === 1;
    expect(await fails()).toBe(true);
    answer = ok;
    await toNext(id);
    expect(await fails()).toBe(false);
    expect((await rowOf(id)).state).toBe('delivered');
  });

  test('is canceled when its endpoint was deleted', async () => {
    const { url, received } = await receiver(status(500));
    const { id } = await endpoint(url);
    await customer();
    await settled();
    await account.test.delete(`/v1/webhook_endpoints/${id}`);
    await toNext(id);
    expect(received).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ state: 'canceled', due_at: null });
  });
});
