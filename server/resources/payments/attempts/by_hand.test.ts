import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import type { Connection } from '../../../base/sql.ts';
import { dayOf } from '../../../ledger/posting.ts';
import { businessRules } from '../balance/rules.ts';
import { brokenInvariants, openShop, type Shop } from '../payments/payments.fixture.ts';
import { reconcileDay } from '../reconciliations/reconcile.ts';
import { booksOf, refundEvents } from '../refunds/refunds.fixture.ts';
import { refundsTable } from '../refunds/store.ts';
import { findFlagged } from './subject.ts';

const replyLost = '4000000000000408'; // the processor charges, and its answer is lost
const requestLost = '4000000000000416'; // the processor never receives it
const dayMs = 86_400_000;
const manual = { capture_method: 'manual' };

let clock: VirtualClock;
let local: Shop;
let remote: Shop;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  local = await openShop({ clock, isAlone: true });
  remote = await openShop({ clock, isAlone: true, environment: { SIMULATOR: 'remote' } });
  // They would inquire by themselves.
  await local.server.gateway.worker.stop();
  await remote.server.gateway.worker.stop();
  await remote.server.operator.run('accounts.update', { id: remote.account.id, parameters: { fee_ppm: 20_000 } });
});
afterAll(async () => {
  await local.stop();
  await remote.stop();
});

/** As `tollgate payments settle` does. */
function settle(shop: Shop, id: string, as: string, correct = false) {
  const resource = id.startsWith('re_') ? 'refunds' : 'payments';
  return shop.server.operator.run<{ status: string }>(`${resource}.settle`, {
    account: shop.account.id,
    id,
    parameters: { as, ...(correct ? { correct } : {}) },
  });
}

const correct = (id: string, as: string) => settle(remote, id, as, true);

/** The time limit of the call, and the minute in which the gateway asks by itself, have passed. */
const later = () => clock.advance(76_000);

async function fault(verb: string, kind = 'lose_reply'): Promise<void> {
  await remote.sql('insert into simulator_faults (verb, kind, remaining) values ($1, $2, 1)', [verb, kind]);
}

async function broken(shop: Shop): Promise<unknown[]> {
  const tenants = (await shop.sql('select tenant from tenants')).map(({ tenant }) => tenant);
  const books = [];
  for (const { name, sql } of businessRules)
    books.push(...(await shop.sql(sql, [tenants])).map((row) => ({ name, ...row })));
  return books;
}

const audited = (id: string) =>
  remote.sql('select action, details from audit where subject = $1 order by audit.id', [id]);

/** What is left on an account of the ledger on each day on which it becomes available. */
const leftByDay = (id: string) =>
  remote.sql(
    `select account, available_on, sum(amount) from (
       select debit as account, available_on, amount from postings where payment = $1
       union all select credit, available_on, -amount from postings where payment = $1) x
      group by account, available_on having sum(amount) <> 0`,
    [id],
  );

describe('when a payment can be settled by hand', () => {
  test('not before the time limit of the call and a minute of inquiries have passed, also of a local processor', async () => {
    for (const [shop, limitMs] of [
      [local, 0],
      [remote, 15_000],
    ] as const) {
      const { id } = await shop.paid(replyLost);
      const from = new Date(clock.now() + limitMs + 60_000).toISOString();
      clock.advance(2_000);
      const early = limitMs === 0 ? `From ${from} on` : 'at the processor at this moment';
      await expect(settle(shop, id, 'failed')).rejects.toThrow(early);
      clock.advance(limitMs + 57_999);
      await expect(settle(shop, id, 'failed')).rejects.toThrow(`From ${from} on`);
      expect((await shop.read(id)).json.status).toBe('processing');
      clock.advance(1);
      expect(await settle(shop, id, 'succeeded')).toMatchObject({ status: 'succeeded' });
    }
  });
});

describe('a wrong settlement is corrected', () => {
  test('a payment that was charged, and settled as failed', async () => {
    const { id } = await remote.paid(replyLost);
    later();
    await settle(remote, id, 'failed');
    expect(await correct(id, 'succeeded')).toMatchObject({ status: 'succeeded', amount_received: 2000 });
    expect((await remote.read(id)).json).not.toHaveProperty('failure_code');
    expect(await booksOf(remote, id)).toEqual({ processor: 2000, balance: -1960, fees: -40 });
    expect(await remote.eventTypes(id)).toEqual(['payment.processing', 'payment.failed', 'payment.succeeded']);
    expect((await audited(id))[1]).toMatchObject({
      action: 'payment.correct',
      details: { from: 'failed', to: 'succeeded', verb: 'authorize' },
    });
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
    expect((await remote.account.test.post('/v1/refunds', { payment: id, amount: 100 })).json.status).toBe('succeeded');
  });

  test('a payment that was never charged, and settled as succeeded', async () => {
    const { id } = await remote.paid(requestLost);
    later();
    await settle(remote, id, 'succeeded');
    clock.advance(26 * 3_600_000); // its money becomes available on another day than that of the correction
    expect(await correct(id, 'failed')).toMatchObject({
      status: 'failed',
      amount_received: 0,
      failure_code: 'processing_error',
    });
    expect(await leftByDay(id)).toEqual([]);
    const kinds = await remote.sql('select kind from postings where payment = $1 order by kind', [id]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['fee', 'fee_correction', 'payment', 'payment_correction']);
    expect(await remote.eventTypes(id)).toEqual(['payment.processing', 'payment.succeeded', 'payment.failed']);
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
    const shown = await remote.account.test.get('/v1/balance/transactions?type=payment_correction');
    expect(shown.json.data).toMatchObject([{ amount: -2000, source: id }]);
  });

  test('an authorization', async () => {
    const { id } = await remote.paid(replyLost, manual);
    later();
    await settle(remote, id, 'failed');
    expect(await correct(id, 'requires_capture')).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 2000,
    });
    expect((await remote.account.test.post(`/v1/payments/${id}/capture`)).json.status).toBe('succeeded');
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
  });

  test('a capture', async () => {
    const { id } = await remote.paid(undefined, manual);
    await fault('capture');
    await remote.account.test.post(`/v1/payments/${id}/capture`, { amount: 700 });
    later();
    await settle(remote, id, 'failed');
    expect(await correct(id, 'succeeded')).toMatchObject({ status: 'succeeded', amount_received: 700 });
    expect((await remote.row(id)).due_at).toBeNull(); // its authorization is no longer released
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
  });

  test.each([
    {
      first: 'failed',
      next: 'succeeded',
      refunded: 300,
      left: 1700,
      kinds: ['refund', 'refund_correction', 'refund_failure'],
    },
    {
      first: 'succeeded',
      next: 'failed',
      refunded: 0,
      left: 2000,
      kinds: ['refund', 'refund_bounce', 'refund_settled'],
    },
  ])('a refund that was settled as $first', async ({ first, next, refunded, left, kinds }) => {
    const { id: payment } = await remote.paid();
    await fault('refund', first === 'failed' ? 'lose_reply' : 'lose_request');
    const { id } = (await remote.account.test.post('/v1/refunds', { payment, amount: 300 })).json;
    later();
    await settle(remote, id, first);
    expect(await correct(id, next)).toMatchObject({ status: next });
    expect((await remote.read(payment)).json.amount_refunded).toBe(refunded);
    expect(await booksOf(remote, payment)).toEqual({ processor: left, balance: 40 - left, fees: -40 });
    const posted = await remote.sql('select kind from postings where source = $1 order by kind', [id]);
    expect(posted.map(({ kind }) => kind)).toEqual(kinds);
    const told = (await refundEvents(remote, id)).at(-1);
    expect(told).toMatchObject({
      type: next === 'failed' ? 'refund.failed' : 'refund.updated',
      object: { status: next },
    });
    if (next === 'succeeded') expect(told?.previous).toEqual({ status: 'failed', failure_reason: 'processing_error' });
    expect((await audited(id))[1]).toMatchObject({ action: 'refund.correct', details: { from: first, to: next } });
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
    await expect(correct(id, first)).rejects.toThrow(`${id} was corrected before`);
  });
});

test('after corrections the books agree with those of the processor, on every day', async () => {
  const { connectors } = remote.server.gateway.services;
  const simulator = connectors.byName('simulator');
  const [{ at }] = await remote.sql('select min(at) as at from simulator_entries');
  let compared = 0;
  for (let day = at.getTime(); day < clock.now() + dayMs; day += dayMs) {
    const statement = simulator.statement!.bind(simulator);
    const source = { connector: 'simulator', processor_account: null };
    const found = await reconcileDay(oneConnection(remote.server.sql), { source, statement, date: dayOf(day) });
    expect(found.differences).toEqual([]);
    compared += found.matched;
  }
  expect(compared).toBeGreaterThan(5);
});

test('after corrections nothing is left to repair', async () => {
  const wanted = { account: remote.account.id, mode: 'test' as const };
  expect(await remote.server.operator.run('balance.list_missing', wanted)).toEqual({ data: [], has_more: false });
});

describe('a settlement is not corrected', () => {
  test('when no person has settled it', async () => {
    const { id } = await remote.paid();
    await expect(correct(id, 'failed')).rejects.toThrow(`${id} was not settled by hand`);
    const { id: open } = await remote.paid(replyLost);
    later();
    await expect(correct(open, 'failed')).rejects.toThrow(`${open} was not settled by hand`);
    await settle(remote, open, 'succeeded');
  });

  test('twice, or to what it is already, or to something else', async () => {
    const { id } = await remote.paid(replyLost);
    later();
    await settle(remote, id, 'failed');
    await expect(correct(id, 'failed')).rejects.toThrow(`${id} can be corrected to succeeded, not to failed`);
    await expect(correct(id, 'canceled')).rejects.toThrow(`${id} can be corrected to succeeded, not to canceled`);
    await correct(id, 'succeeded');
    await expect(correct(id, 'failed')).rejects.toThrow(`${id} was corrected before`);
  });

  test('when money has moved since: a refund, a dispute', async () => {
    const { id } = await remote.paid(replyLost);
    later();
    await settle(remote, id, 'succeeded');
    await remote.account.test.post('/v1/refunds', { payment: id, amount: 1 });
    await expect(correct(id, 'failed')).rejects.toThrow(`${id} has been refunded`);
    const { id: disputed } = await remote.paid(replyLost);
    later();
    await settle(remote, disputed, 'succeeded');
    await remote.sql(`update payments set dispute = 'dp_1' where id = $1`, [disputed]);
    await expect(correct(disputed, 'failed')).rejects.toThrow(`${disputed} has been disputed`);
    await remote.sql('update payments set dispute = null where id = $1', [disputed]);
  });

  test('when its authorization was given back since', async () => {
    const { id } = await remote.paid(undefined, manual);
    await fault('capture');
    await remote.account.test.post(`/v1/payments/${id}/capture`);
    later();
    await settle(remote, id, 'failed');
    const [authorization] = await remote.attempts(id);
    await remote.sql(`update attempts set state = 'reversed' where id = $1`, [authorization.id]);
    await expect(correct(id, 'succeeded')).rejects.toThrow(`the processor was asked to give the money of ${id} back`);
    await remote.sql(`update attempts set state = 'approved' where id = $1`, [authorization.id]);
    await correct(id, 'succeeded');
  });

  test('when the payment was refunded otherwise since, and the sum would be more than it received', async () => {
    const { id: payment } = await remote.paid();
    await fault('refund', 'lose_request');
    const { id } = (await remote.account.test.post('/v1/refunds', { payment })).json;
    later();
    await settle(remote, id, 'failed');
    await remote.account.test.post('/v1/refunds', { payment, amount: 1 });
    await expect(correct(id, 'succeeded')).rejects.toThrow(`${payment} has been refunded otherwise`);
    expect([await broken(remote), await brokenInvariants(remote)]).toEqual([[], []]);
  });
});

test('what needs a person is found by a few buffers, among any number of rows', async () => {
  await local.sql(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, attempt, inquiries, flagged_at)
     select (select tenant from tenants limit 1), 're_' || n, 1, 'py_1', 1, 'eur', 'pending', 'att_1', 0,
            case when n % 10000 = 0 then now() - n * interval '1 second' end
       from generate_series(1, 30000) n`,
  );
  await local.sql('analyze refunds');
  const buffers: number[] = [];
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      if (!text.includes('flagged_at')) return local.server.sql.query(text, values); // which tenants there are
      const [row] = await local.sql(`explain (analyze, buffers, format json) ${text}`, values);
      const { Plan: plan } = row['QUERY PLAN'][0];
      buffers.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      return { rows: [] };
    },
  };
  await findFlagged(oneConnection(explaining as unknown as Connection), refundsTable);
  expect(buffers[0]).toBeLessThan(30);
  const found = await findFlagged(oneConnection(local.server.sql), refundsTable);
  expect(found.map(({ id }) => id)).toEqual(['re_30000', 're_20000', 're_10000']); // since when, oldest first
  for (const table of ['payments', 'refunds', 'disputes'])
    expect(
      await local.sql('select 1 from pg_indexes where indexname = $1', [`${table}_flagged_by_tenant`]),
    ).toHaveLength(1);
});
