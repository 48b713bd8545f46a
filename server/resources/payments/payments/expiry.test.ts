import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { pause } from '../../../base/timers.ts';
import { fastest, onFreeMachine } from '../../../test/fastest.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { shareOf } from '../../../test/torture.ts';
import { brokenInvariants, openShop, type Shop } from './payments.fixture.ts';

const second = 1_000;
const day = 86_400 * second;
const manual = { capture_method: 'manual' };

describe('a payment that waits for its capture', () => {
  const clock = virtualClock(Date.now());
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ clock });
  });
  afterAll(() => shop.stop());
  const settled = () => shop.server.settled();

  test('is canceled after seven days, and not a second earlier', async () => {
    const held = await shop.paid(undefined, manual);
    const { due_at } = await shop.row(held.id);
    expect(due_at.getTime()).toBe(clock.now() + 7 * day);
    clock.advance(7 * day - second);
    await settled();
    expect((await shop.read(held.id)).json).toEqual(held);
    clock.advance(second);
    await settled();
    const canceled_at = Math.floor(clock.now() / 1_000);
    const canceled = { ...held, status: 'canceled', amount_capturable: 0, canceled_at, cancellation_reason: 'expired' };
    expect((await shop.read(held.id)).json).toEqual(canceled);
    const events = await shop.events(held.id);
    const { created: _, ...object } = canceled;
    expect(events.map(({ type }) => type)).toEqual(['payment.requires_capture', 'payment.canceled']);
    expect(events[1].data).toEqual({ object });
    expect(await shop.charges(held.id)).toEqual([{ authorized: 2000, captured: 0, canceled: true, net: 0 }]);
    expect(await shop.attempts(held.id)).toMatchObject([{ state: 'reversed' }, { verb: 'cancel', state: 'approved' }]);
    const late = await shop.account.test.post(`/v1/payments/${held.id}/capture`, {});
    expect([late.status, late.json.error.code]).toEqual([400, 'payment_not_capturable']);
  });

  test('is left alone once it was captured or canceled', async () => {
    const [captured, canceled] = [await shop.paid(undefined, manual), await shop.paid(undefined, manual)];
    await shop.account.test.post(`/v1/payments/${captured.id}/capture`, { amount: 5 });
    await shop.account.test.post(`/v1/payments/${canceled.id}/cancel`, {});
    clock.advance(8 * day);
    await settled();
    expect((await shop.read(captured.id)).json).toMatchObject({ status: 'succeeded', amount_received: 5 });
    expect(await shop.eventTypes(canceled.id)).toEqual(['payment.requires_capture', 'payment.canceled']);
    expect((await shop.read(canceled.id)).json).not.toHaveProperty('cancellation_reason');
  });

  test('a job that fails is retried when its lease ends, and not before', async () => {
    const { id } = await shop.paid(undefined, manual);
    const { authorization_attempt } = await shop.row(id);
    const set = (attempt: string) =>
      shop.sql('update payments set authorization_attempt = $2 where id = $1', [id, attempt]);
    await set(newId('att', clock.now()));
    clock.advance(7 * day);
    await settled();
    expect(shop.server.logged.filter((line) => line.includes('job failed; it will be retried'))).toHaveLength(1);
    const { lease_until, status } = await shop.row(id);
    expect(status).toBe('requires_capture');
    expect(lease_until.getTime()).toBeGreaterThan(Date.now());
    await set(authorization_attempt);
    await settled();
    expect((await shop.row(id)).status).toBe('requires_capture');
    await shop.sql(`update payments set lease_until = now() - interval '1 second' where id = $1`, [id]);
    await settled();
    expect(await shop.row(id)).toMatchObject({ status: 'canceled', lease_until: null, due_at: null });
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture', 'payment.canceled']);
    expect(await brokenInvariants(shop)).toEqual([]);
  });
});

describe('which instance runs a job', () => {
  let shop: Shop;
  let other: TestServer;
  beforeAll(async () => {
    shop = await openShop();
    other = await startServer({ databaseUrl: shop.server.databaseUrl });
  });
  afterAll(async () => {
    await other.stop();
    await shop.stop();
  });

  async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 0; tries < 500; tries++) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(20);
    }
    throw new Error('it did not happen');
  }

  /** How many milliseconds after its due time a payment was canceled. */
  async function delayOf(id: string, due: number): Promise<number> {
    return until(async () => {
      const { canceled_at } = await shop.row(id);
      return canceled_at === null ? undefined : canceled_at.getTime() - due;
    });
  }

  const makeDue = async (id: string, inMs: number) => {
    const due = Date.now() + inMs;
    await shop.sql('update payments set due_at = $2, expires_at = $2 where id = $1', [id, new Date(due)]);
    return due;
  };

  test('many due payments and two instances: each is canceled once', async () => {
    const ids: string[] = [];
    const many = shareOf(100, 35); // more than an instance takes at a time
    for (let at = 0; at < many; at++) ids.push((await shop.paid(undefined, manual)).id);
    await shop.sql('update payments set due_at = now(), expires_at = now() where id = any($1)', [ids]);
    shop.server.gateway.worker.wake();
    other.gateway.worker.wake();
    const left = `select 1 from payments where id = any($1) and status <> 'canceled'`;
    await until(async () => ((await shop.sql(left, [ids])).length === 0 ? true : undefined));
    const [counts] = await shop.sql(
      `select (select count(*) from events where object_id = any($1) and type = 'payment.canceled') as events,
              (select count(*) from attempts where payment = any($1) and verb = 'cancel') as attempts,
              (select count(*) from simulator_entries where payment = any($1) and verb = 'cancel') as entries,
              (select max(version) from payments where id = any($1)) as version,
              (select min(version) from payments where id = any($1)) as least`,
      [ids],
    );
    expect(counts).toEqual({ events: many, attempts: many, entries: many, version: 4, least: 4 });
    expect(await brokenInvariants(shop)).toEqual([]);
  });

  test('the instance that committed the row wakes at its due time', async () => {
    await other.gateway.worker.stop();
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { id } = await shop.paid(undefined, manual);
      const due = await makeDue(id, 300);
      shop.server.gateway.worker.wakeAt(due);
      delays.push(await delayOf(id, due));
    }
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(-5); // the two clocks are one, but rounded
    const median = delays.sort((a, b) => a - b)[2]!;
    expect(onFreeMachine(250, median)).toBeLessThan(250);
  });

  test('due rows of an instance that stopped are found by another within a second', async () => {
    const next = await startServer({ databaseUrl: shop.server.databaseUrl });
    await shop.server.gateway.worker.stop();
    const delay = await fastest(1_000, async () => {
      const { id } = await shop.paid(undefined, manual);
      return delayOf(id, await makeDue(id, 300));
    });
    expect(delay).toBeGreaterThanOrEqual(-5);
    expect(delay).toBeLessThan(1_000);
    await next.stop();
  });
});

describe('a processor that does not tell the outcome', () => {
  let clock: VirtualClock;
  let shop: Shop;
  beforeAll(async () => {
    clock = virtualClock(Date.now());
    shop = await openShop({ clock, environment: { SIMULATOR: 'remote' }, processorDeadlineMs: 1_000 });
  });
  afterAll(() => shop.stop());
  const settled = () => shop.server.settled();
  const fault = (verb: string, kind: string, remaining: number) =>
    shop.sql('insert into simulator_faults (verb, kind, remaining) values ($1, $2, $3)', [verb, kind, remaining]);
  const noFaults = () => shop.sql('delete from simulator_faults');

  /** Goes from one due time to the next. */
  async function toNextInquiry(id: string): Promise<number | undefined> {
    const { due_at } = await shop.row(id);
    if (due_at === null) return undefined;
    const gap = due_at.getTime() - clock.now();
    clock.advance(gap);
    await settled();
    return gap / second;
  }

  async function lostReply(more: object = {}) {
    await fault('authorize', 'lose_reply', 1);
    await fault('find', 'down', 1_000_000);
    const payment = await shop.paid(undefined, more);
    expect(payment.status).toBe('processing');
    expect((await toNextInquiry(payment.id))!).toBe(6); // the deadline of the call, and five seconds
    return payment;
  }

  const doubled = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560];

  test('is asked with growing pauses; after three days the payment is flagged, and inquiries go on', async () => {
    const payment = await lostReply();
    const { id } = payment;
    const begun = clock.now();
    const gaps: number[] = [];
    while ((await shop.row(id)).flagged_at === null) gaps.push((await toNextInquiry(id))!);
    expect(gaps.slice(0, 10)).toEqual(doubled);
    expect(new Set(gaps.slice(10))).toEqual(new Set([3_600]));
    const took = clock.now() - begun;
    expect(took).toBeGreaterThanOrEqual(3 * day - 5 * second);
    expect(took).toBeLessThan(3 * day + 3_600 * second);
    const next = new Date(clock.now() + 3_600 * second);
    expect(await shop.row(id)).toMatchObject({ due_at: next, flagged_at: new Date(clock.now()), lease_until: null });
    const lines = shop.server.logged.filter((line) => line.includes('no answer for three days'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', payment: id }]);
    expect((await shop.read(id)).json).toEqual(payment);
    expect(await shop.eventTypes(id)).toEqual(['payment.processing']);
    for (const verb of ['capture', 'cancel']) {
      const answer = await shop.account.test.post(`/v1/payments/${id}/${verb}`, {});
      expect(answer.status).toBe(400);
    }
    await noFaults();
    await toNextInquiry(id);
    expect((await shop.read(id)).json).toMatchObject({ status: 'succeeded', amount_received: 2000 }); // never guessed: found
    expect(await shop.row(id)).toMatchObject({ due_at: null, flagged_at: null });
  });

  test('settles the payment when it answers at last', async () => {
    const { id } = await lostReply(manual);
    for (let times = 0; times < 4; times++) await toNextInquiry(id);
    await noFaults();
    await toNextInquiry(id);
    expect((await shop.read(id)).json).toMatchObject({ status: 'requires_capture', amount_capturable: 2000 });
    expect(await shop.row(id)).toMatchObject({ open_attempt: null, inquiries: 0, flagged_at: null });
    expect(await shop.attempts(id)).toHaveLength(1);
    expect(await shop.eventTypes(id)).toEqual(['payment.processing', 'payment.requires_capture']);
    expect(await shop.charges(id)).toEqual([{ authorized: 2000, captured: 0, canceled: false, net: 0 }]);
    expect((await shop.account.test.post(`/v1/payments/${id}/capture`, {})).json.status).toBe('succeeded');
  });

  test('keeps a challenge from expiring: the outcome is inquired first, and again until it is known', async () => {
    const { id } = await shop.paid('4000000000003220');
    const gaps: number[] = [];
    while (gaps.length < 5) gaps.push((await toNextInquiry(id))!);
    expect(gaps).toEqual([60, 120, 240, 480, 960]); // the news of a decision may have been lost
    expect((await shop.read(id)).json.status).toBe('requires_action');
    await fault('find', 'down', 1);
    clock.advance((await shop.row(id)).expires_at.getTime() - clock.now());
    await settled();
    expect((await shop.read(id)).json.status).toBe('requires_action');
    expect(await toNextInquiry(id)).toBe(160);
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    await noFaults();
  });

  test('for three days after a challenge has ended is asked with growing pauses, and the payment is flagged', async () => {
    const { id } = await shop.paid('4000000000003220');
    const { expires_at } = await shop.row(id);
    await fault('find', 'down', 1_000_000);
    clock.advance(expires_at.getTime() - clock.now());
    await settled();
    let gap: number | undefined;
    while ((await shop.row(id)).flagged_at === null) gap = await toNextInquiry(id);
    expect(gap).toBe(3_600);
    expect(clock.now() - expires_at.getTime()).toBeGreaterThanOrEqual(3 * day);
    expect(clock.now() - expires_at.getTime()).toBeLessThan(3 * day + 3_600 * second);
    const told = shop.server.logged.filter((line) => line.includes('the decision of a cardholder'));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', payment: id }]);
    expect((await shop.read(id)).json.status).toBe('requires_action');
    await noFaults();
    await toNextInquiry(id);
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    expect(await shop.row(id)).toMatchObject({ due_at: null, flagged_at: null });
  });

  test('loses the answer to an expiry: the payment is processing, then found canceled', async () => {
    const { id } = await shop.paid(undefined, manual);
    await fault('cancel', 'lose_reply', 1);
    expect(await toNextInquiry(id)).toBe(7 * 86_400);
    expect((await shop.read(id)).json.status).toBe('processing');
    await toNextInquiry(id);
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture', 'payment.processing', 'payment.canceled']);
    expect(await shop.charges(id)).toMatchObject([{ canceled: true, net: 0 }]);
    await noFaults();
  });

  test('never received the expiry: it is sent again', async () => {
    const { id } = await shop.paid(undefined, manual);
    await fault('cancel', 'lose_request', 1);
    await toNextInquiry(id);
    expect((await shop.read(id)).json.status).toBe('processing');
    await toNextInquiry(id);
    expect((await shop.read(id)).json).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    expect(await shop.charges(id)).toMatchObject([{ canceled: true, net: 0 }]);
    await noFaults();
  });

  test('the books agree', async () => {
    expect((await brokenInvariants(shop)).filter(({ status }) => status !== 'processing')).toEqual([]);
  });
});
