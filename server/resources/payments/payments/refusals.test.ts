import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { pause } from '../../../base/timers.ts';
import { openShop, type Shop } from './payments.fixture.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const manual = { capture_method: 'manual' };

let clock: VirtualClock;
let shop: Shop;
beforeAll(async () => {
  clock = virtualClock(Date.now());
  shop = await openShop({ clock, environment: { SIMULATOR: 'remote' }, processorDeadlineMs: 10_000 });
});
afterAll(() => shop.stop());

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await shop.server.settled();
}

/** The processor refuses whatever is asked about this authorization: it does not know it by that reference. */
async function disown(payment: string): Promise<void> {
  await shop.sql(`update attempts set reference = 'sim_of_another' where payment = $1 and verb = 'authorize'`, [
    payment,
  ]);
}

const fault = (verb: string, kind: string) =>
  shop.sql('insert into simulator_faults (verb, kind, remaining) values ($1, $2, 1)', [verb, kind]);
const incidents = (id: string) =>
  shop.server.logged.filter((line) => line.includes('incident') && line.includes(id)).length;

describe('a processor that refuses', () => {
  test('to cancel an expired authorization is asked with growing pauses, and the payment is flagged', async () => {
    const { id } = await shop.paid(undefined, manual);
    await disown(id);
    await pass(7 * day);
    expect(await shop.row(id)).toMatchObject({ status: 'requires_capture', open_attempt: null });
    const gaps: number[] = [];
    while ((await shop.row(id)).flagged_at === null) {
      const { due_at } = await shop.row(id);
      gaps.push((due_at.getTime() - clock.now()) / second);
      await pass(due_at.getTime() - clock.now());
    }
    expect(gaps.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(Math.max(...gaps)).toBe(3_600);
    expect(gaps.length).toBeLessThan(90);
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture']);
  });

  test('a reversal keeps the payment processing, as an incident, until a person settles it', async () => {
    await fault('authorize', 'lose_request');
    const { id, status } = await shop.paid(undefined, manual);
    expect(status).toBe('processing');
    await disown(id);
    await pass(30 * second);
    expect(await shop.row(id)).toMatchObject({ status: 'processing' });
    expect(incidents(id)).toBeGreaterThan(0);
    await pass(4 * day);
    expect((await shop.row(id)).flagged_at).not.toBeNull();
    expect(await shop.charges(id)).toMatchObject([{ authorized: 0, net: 0 }]);
  });

  test('a capture gets a reversal of the authorization', async () => {
    const { id } = await shop.paid(undefined, manual);
    // Another currency than was authorized, as far as the processor knows.
    await shop.sql(`update payments set currency = 'chf' where id = $1`, [id]);
    const answer = await shop.account.test.post(`/v1/payments/${id}/capture`);
    expect([answer.status, answer.json.error.payment]).toEqual([402, id]);
    await pass(second);
    expect(await shop.row(id)).toMatchObject({ status: 'failed', open_attempt: null, due_at: null });
    expect(await shop.charges(id)).toMatchObject([{ authorized: 2000, canceled: true, net: 0 }]);
    expect(await shop.eventTypes(id)).toEqual(['payment.requires_capture', 'payment.failed']);
    await shop.sql(`update payments set currency = 'usd' where id = $1`, [id]);
  });
});

describe('an answer', () => {
  test('of a processor is committed, however often the payment changes meanwhile', async () => {
    const { id } = await shop.paid(undefined, manual);
    await shop.sql(
      `insert into simulator_faults (verb, kind, milliseconds, remaining) values ('capture', 'delay', 150, 1)`,
    );
    const capturing = shop.account.test.post(`/v1/payments/${id}/capture`);
    await expect.poll(async () => (await shop.row(id)).open_attempt, { interval: 10 }).not.toBeNull();
    let busy = true;
    const changing = (async () => {
      for (; busy; await pause(15)) await shop.sql('update payments set version = version + 1 where id = $1', [id]);
    })();
    const answer = await capturing;
    busy = false;
    await changing;
    expect(answer.json).toMatchObject({ status: 'succeeded', amount_received: 2000 });
  });

  test('of a cardholder that could not be inquired immediately is inquired within seconds', async () => {
    const payment = await shop.paid('4000000000003220');
    const path = new URL(payment.next_action.redirect_to_url.url).pathname;
    await fault('find', 'down');
    await shop.server.anonymous.form(path, 'decision=approve');
    expect((await shop.read(payment.id)).json.status).toBe('requires_action');
    await pass(6 * second);
    expect((await shop.read(payment.id)).json.status).toBe('succeeded');
  });

  test('of a cardholder whose notice was lost is found within a minute', async () => {
    const payment = await shop.paid('4000000000003220');
    const token = payment.next_action.redirect_to_url.url.split('/').at(-1);
    await shop.sql(`update payments set version = version where id = $1`, [payment.id]);
    const held = await shop.sql('select authorization_attempt as attempt from payments where id = $1', [payment.id]);
    await shop.sql(
      `insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency,
                                      captures, result, reference, at)
       select tenant, attempt || '/decision', 'decide', attempt, 1, payment, amount, currency, true, 'approved', reference, at
         from simulator_entries where attempt = $1`,
      [held[0]!.attempt],
    );
    expect(token).toHaveLength(28);
    await pass(61 * second);
    expect((await shop.read(payment.id)).json.status).toBe('succeeded');
  });
});

test('the books agree, except for the payments that a person has to settle', async () => {
  const rows = await shop.sql(
    `select p.id from payments p left join simulator_charges c on c.payment = p.id
      where p.status = 'succeeded' and coalesce(c.net, 0) <> p.amount_received`,
  );
  expect(rows).toEqual([]);
});
