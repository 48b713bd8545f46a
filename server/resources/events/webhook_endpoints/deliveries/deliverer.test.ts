import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type VirtualClock, virtualClock } from '../../../../base/clock.fixture.ts';

import { onFreeMachine } from '../../../../test/fastest.ts';

import { ok, receiver, status, Webhooks } from './deliverer.fixture.ts';

describe('an event', () => {
  let webhooks: Webhooks;
  beforeAll(async () => {
    webhooks = await Webhooks.start(undefined);
  });
  afterAll(() => webhooks.stop());

  test('arrives immediately, as the bytes that are stored, signed in both ways', async () => {
    const { url, received } = await receiver(ok);
    const { id, secret } = await webhooks.endpoint(url, ['payment.*', 'customer.created']);
    const made = await webhooks.customer();
    await expect.poll(() => received.length, { interval: 5 }).toBe(1);
    const { headers, body } = received[0]!;
    const event = JSON.parse(body);
    expect(event).toMatchObject({ object: 'event', type: 'customer.created', data: { object: { id: made } } });
    const stored = await webhooks.server.sql.query('select payload from events where id = $1', [event.id]);
    expect(stored.rows[0].payload.toString()).toBe(body);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    await expect.poll(async () => (await webhooks.deliveriesOf(id))[0]?.status, { interval: 10 }).toBe('delivered');
    const [delivery] = await webhooks.deliveriesOf(id);
    expect(delivery).toMatchObject({ event: event.id, attempts: [{ status: 200, response: 'thanks' }] });
  });

  test('is sent within 50 ms of the commit, among many others', async () => {
    const { url, received } = await receiver(ok);
    await webhooks.endpoint(url);
    const answered: number[] = [];
    for (let at = 0; at < 30; at++) {
      await webhooks.customer();
      answered.push(performance.now());
      await expect.poll(() => received.length, { interval: 1 }).toBe(at + 1);
    }
    const delays = received.map((one, at) => one.at - answered[at]!).sort((a, b) => a - b);
    expect(onFreeMachine(50, delays[15]!)).toBeLessThan(50);
  });

  test('goes to a receiver eight at a time, and to all of its endpoints', async () => {
    const slow = await receiver((_, response) => setTimeout(() => response.writeHead(204).end(), 20));
    const other = await receiver(ok);
    await webhooks.endpoint(slow.url);
    await webhooks.endpoint(other.url);
    await webhooks.customers(60);
    await expect.poll(() => [slow.received.length, other.received.length]).toEqual([60, 60]);
    expect(slow.most()).toBeLessThanOrEqual(8);
    expect(new Set(slow.received.map((one) => one.headers['webhook-id'])).size).toBe(60);
  });
});

describe('an event that the receiver does not accept', () => {
  let webhooks: Webhooks<VirtualClock>;
  beforeAll(async () => {
    // The database's clock goes on, this one does not: it must not be behind.
    webhooks = await Webhooks.start(virtualClock(Date.now() + 60_000));
  });
  afterAll(() => webhooks.stop());

  test('is tried ten times in three days, and then it is exhausted, visible, and can be sent again', async () => {
    const { url, received } = await receiver(status(500));
    const { id } = await webhooks.endpoint(url);
    await webhooks.customer();
    await webhooks.settled();
    const gaps: number[] = [];
    while ((await webhooks.rowOf(id)).state === 'pending') gaps.push(await webhooks.toNext(id));
    const planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(gaps).toHaveLength(planned.length);
    for (const [at, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(planned[at]! * 0.89);
      expect(gap).toBeLessThanOrEqual(planned[at]! * 1.11);
    }
    expect(received).toHaveLength(10);
    expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
    const [delivery] = await webhooks.deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'exhausted', event: received[0]!.headers['webhook-id'] });
    expect(delivery.attempts).toHaveLength(10);
    expect(delivery.attempts[0]).toMatchObject({ status: 500, response: 'no' });
    expect((await webhooks.account.test.post(`/v1/events/${delivery.event}/resend`)).status).toBe(200);
    await webhooks.settled();
    expect(received).toHaveLength(11);
    expect(await webhooks.rowOf(id)).toMatchObject({ state: 'pending', attempts: 1 });
  });

  test('is retried later when the receiver asks for more time', async () => {
    const { url } = await receiver(status(429, { 'Retry-After': '3600' }));
    const { id } = await webhooks.endpoint(url);
    await webhooks.customer();
    await webhooks.settled();
    expect(Math.round(await webhooks.toNext(id))).toBe(3_600);
  });

  test('once it is accepted, the endpoint counts as healthy again', async () => {
    let answer = status(500);
    const { url } = await receiver((one, response) => answer(one, response));
    const { id } = await webhooks.endpoint(url);
    await webhooks.customer();
    await webhooks.settled();
    expect(await webhooks.fails(id)).toBe(true);
    answer = ok;
    await webhooks.toNext(id);
    expect(await webhooks.fails(id)).toBe(false);
    expect((await webhooks.rowOf(id)).state).toBe('delivered');
  });
});
