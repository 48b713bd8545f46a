import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { Committer } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import { connect } from '../../../base/sql.ts';
import type { InquiryOutcome, Notice, ProcessorOutcome } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { CallInFlight } from '../../../operations/notice_handlers.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { runDue, type TestServices, testServices } from '../attempts/jobs.fixture.ts';
import { openShop, type Shop } from '../payments/payments.fixture.ts';
import { RefundJobs } from './jobs.ts';
import { booksOf, refundEvents } from './refunds.fixture.ts';
import { refundTopic } from './topic.ts';

type Settled = Extract<Notice, { kind: 'refund_settled' }>;

const dayMs = 86_400_000;
const approved: ProcessorOutcome = { kind: 'approved' };
const declined: ProcessorOutcome = { kind: 'declined', code: 'processing_error', declineCode: 'account_closed' };

let shop: Shop;
let clock: VirtualClock;
let parts: TestServices;
let care: RefundJobs;

beforeAll(async () => {
  clock = virtualClock(Date.now() + 60_000);
  shop = await openShop({ clock, isAlone: true, environment: { SIMULATOR: 'remote' } });
  await shop.server.gateway.worker.stop(); // the tests run the jobs by themselves
  parts = testServices(shop, clock);
  care = new RefundJobs(parts, refundTopic([]));
});
afterAll(() => shop.stop());

const row = async (id: string) => (await shop.sql('select * from refunds where id = $1', [id]))[0];

/** A refund of 900 out of 2000 whose answer got lost, and what its processor may tell of it. */
async function pending() {
  const { id: payment } = await shop.paid();
  await shop.sql(`insert into simulator_faults (verb, kind, remaining) values ('refund', 'lose_reply', 1)`);
  const { json } = await shop.account.test.post('/v1/refunds', { payment, amount: 900 });
  expect(json.status).toBe('pending');
  const { tenant, attempt } = await row(json.id);
  const noticeOf = (outcome: ProcessorOutcome): Settled => {
    return { id: `n ${attempt}`, tenant, kind: 'refund_settled', attempt, outcome };
  };
  return { id: json.id as string, payment: payment as string, noticeOf };
}

async function alarmsOf(work: () => Promise<void>): Promise<string[]> {
  parts.alarms.length = 0;
  await work();
  return parts.alarms.map(({ message }) => message);
}

const inFlight = { processor: 2000, balance: -1100, refunds_in_flight: -900 };
const givenBack = { processor: 1100, balance: -1100 };
const notGivenBack = { processor: 2000, balance: -2000 };

const simulator = { connector: 'simulator', processor_account: null };
const none = { connector: 'none', processor_account: null };

describe('the report of a processor about a refund', () => {
  const strangers: [string, (notice: Settled) => Promise<[Settled, NoticeSource]>][] = [
    ['nobody knows', async (notice) => [{ ...notice, attempt: newId('att', 1) }, simulator]],
    ['is of another tenant', async (notice) => [{ ...notice, tenant: 999_999 as Settled['tenant'] }, simulator]],
    ['is of another processor', async (notice) => [notice, none]],
    [
      'gave nothing back',
      async (notice) => {
        const [authorization] = await shop.attempts((await shop.paid()).id);
        return [{ ...notice, attempt: authorization.id }, simulator];
      },
    ],
  ];
  test.each(strangers)('about an attempt that %s changes nothing, and is acknowledged', async (_what, change) => {
    const { id, payment, noticeOf } = await pending();
    const [notice, source] = await change(noticeOf(approved));
    clock.advance(3_600_000); // one warning an hour
    const raised = await alarmsOf(() => care.refund_settled(notice, source));
    expect(raised).toEqual([expect.stringContaining('is not known here')]);
    expect([(await row(id)).status, await booksOf(shop, payment)]).toEqual(['pending', inFlight]);
  });

  test('as approved, after it had failed: an incident, and the money stays where it is', async () => {
    const { id, payment, noticeOf } = await pending();
    expect(await alarmsOf(() => care.refund_settled(noticeOf(declined), simulator))).toEqual([]);
    expect(await booksOf(shop, payment)).toEqual(notGivenBack);
    const told = await refundEvents(shop, id);
    const raised = await alarmsOf(() => care.refund_settled(noticeOf(approved), simulator));
    expect(raised).toEqual(['incident: the outcome of a refund differs from the one reported earlier']);
    expect(await row(id)).toMatchObject({ status: 'failed', failure_reason: 'account_closed' });
    expect((await shop.read(payment)).json.amount_refunded).toBe(0);
    expect(await booksOf(shop, payment)).toEqual(notGivenBack);
    expect(await refundEvents(shop, id)).toEqual(told);
  });

  test('that comes twice is recorded once, without an incident', async () => {
    for (const [outcome, books] of [
      [approved, givenBack],
      [declined, notGivenBack],
    ] as const) {
      const { payment, noticeOf } = await pending();
      const raised = await alarmsOf(async () => {
        for (let times = 0; times < 2; times++) await care.refund_settled(noticeOf(outcome), simulator);
      });
      expect([raised, await booksOf(shop, payment)]).toEqual([[], books]);
    }
  });

  /** The payment is changed just before each of the first commits. */
  const disturbed = (payment: string, times: number) => {
    const commit: Committer['commit'] = async (unit) => {
      if (times-- > 0) await shop.sql('update payments set version = version + 1 where id = $1', [payment]);
      return parts.committer.commit(unit);
    };
    return new RefundJobs({ ...parts, committer: { commit } as unknown as Committer }, refundTopic([]));
  };

  test('is recorded although the payment keeps changing', async () => {
    const { id, payment, noticeOf } = await pending();
    await disturbed(payment, 4).refund_settled(noticeOf(approved), simulator);
    expect([(await row(id)).status, await booksOf(shop, payment)]).toEqual(['succeeded', givenBack]);
  });

  test('that cannot be recorded is rejected, and so reported again', async () => {
    const { id, payment, noticeOf } = await pending();
    const told = disturbed(payment, 5).refund_settled(noticeOf(approved), simulator);
    await expect(told).rejects.toThrow('could not record');
    expect([(await row(id)).status, await booksOf(shop, payment)]).toEqual(['pending', inFlight]);
  });

  test.skipIf(isDistributedRun)('while its call is in flight waits for the answer to the call', async () => {
    const { id: payment } = await shop.paid();
    const holder = await connect({ connectionString: shop.server.databaseUrl }, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table simulator_entries in access exclusive mode');
    const answer = shop.account.test.post('/v1/refunds', { payment, amount: 900 });
    const open = `select tenant, id, refund from attempts where payment = $1 and verb = 'refund' and state = 'open'`;
    await expect.poll(() => shop.sql(open, [payment])).toHaveLength(1);
    const [{ tenant, id: attempt, refund }] = await shop.sql(open, [payment]);
    const bounced: Settled = { id: 'n', tenant, kind: 'refund_settled', attempt, outcome: declined };
    await expect(care.refund_settled(bounced, simulator)).rejects.toThrow(CallInFlight);
    await holder.query('rollback'); // now the call goes on
    const { status, json } = await answer;
    expect([status, json.status, await booksOf(shop, payment)]).toEqual([200, 'succeeded', givenBack]);
    await care.refund_settled(bounced, simulator);
    expect([(await row(refund)).status, await booksOf(shop, payment)]).toEqual(['failed', notGivenBack]);
    const types = (await refundEvents(shop, refund)).map(({ type }) => type);
    expect(types).toEqual(['refund.created', 'refund.failed']);
  });
});

test('a refund without a final answer is flagged after fourteen days, pending or unknown; a final outcome removes the flag', async () => {
  const { id } = await pending();
  let outcome: InquiryOutcome = { kind: 'pending' };
  const simulator = parts.connectors.byName('simulator');
  const find = async ({ attempt }: { attempt: Settled['attempt'] }) => ({ attempt, outcome, exchange: {} });
  const connectors = { ...parts.connectors, of: async () => ({ ...simulator, find }) };
  const kind = new RefundJobs({ ...parts, connectors }, refundTopic([])).job();
  const inquired = async () => {
    clock.advance(4 * dayMs);
    await runDue(kind); // those of the other tests are due as well
    return row(id);
  };
  parts.alarms.length = 0;
  for (let times = 1; times <= 3; times++)
    expect(await inquired()).toMatchObject({ status: 'pending', flagged_at: null, inquiries: times });
  expect(parts.alarms).toEqual([]);
  const { flagged_at } = await inquired();
  expect(flagged_at).toEqual(new Date(clock.now()));
  outcome = { kind: 'unknown', reason: 'no answer' };
  expect(await inquired()).toMatchObject({ status: 'pending', flagged_at });
  expect(parts.alarms.filter(({ fields }) => (fields as { refund: string }).refund === id)).toHaveLength(1);
  outcome = approved;
  expect(await inquired()).toMatchObject({ status: 'succeeded', flagged_at: null, due_at: null });
});
