import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '../../../operations/job.ts';
import { type Court, openCourt } from '../disputes/disputes.fixture.ts';
import { DisputeJobs } from '../disputes/jobs.ts';
import { PaymentJobs } from '../payments/jobs.ts';
import { paymentTopic } from '../payments/topic.ts';
import { RefundJobs } from '../refunds/jobs.ts';
import { refundTopic } from '../refunds/topic.ts';
import { runDue, type TestServices, testServices } from './jobs.fixture.ts';

const visibleAfterMs = 60_000;
let court: Court;
let parts: TestServices;
let dispute: string;

beforeAll(async () => {
  court = await openCourt('remote', { isAlone: true });
  dispute = (await court.disputed()).id;
  await court.server.gateway.worker.stop(); // its processor shows everything immediately
  parts = testServices(court, court.clock, { visibleAfterMs });
});
afterAll(() => court.stop());

/** The time of each inquiry after the deadline of the call; the next one is due by the one that follows. */
const tooEarly = [30_000, visibleAfterMs - 1];
const lateEnough = visibleAfterMs + 10_000;

async function inquireAt(kind: Job, attempt: string, afterDeadlineMs: number): Promise<void> {
  const [{ deadline_at }] = await court.sql('select deadline_at from attempts where id = $1', [attempt]);
  court.clock.advance(deadline_at.getTime() + afterDeadlineMs - court.clock.now());
  expect(await runDue(kind)).toBe(1);
}

describe('an attempt that the processor does not find may still arrive for a minute', () => {
  test('a refund is inquired again until then, and only then sent again', async () => {
    const { id: payment } = await court.paid();
    await court.fault('lose_request', 'refund');
    const { id } = (await court.account.test.post('/v1/refunds', { payment, amount: 900 })).json;
    const [{ attempt }] = await court.sql('select attempt from refunds where id = $1', [id]);
    const row = async () => (await court.sql('select status, inquiries, due_at from refunds where id = $1', [id]))[0];
    const kind = new RefundJobs(parts, refundTopic([])).job();
    for (const [before, time] of tooEarly.entries()) {
      await inquireAt(kind, attempt, time);
      expect(await row()).toEqual({ status: 'pending', inquiries: before + 1, due_at: expect.any(Date) });
      expect(await court.charges(payment)).toMatchObject([{ net: 2000 }]);
    }
    await inquireAt(kind, attempt, lateEnough);
    expect(await row()).toEqual({ status: 'succeeded', inquiries: 0, due_at: null });
    expect(await court.charges(payment)).toMatchObject([{ net: 1100 }]);
  });

  test('a capture is inquired again until then, and only then sent again: the reserved amount is not released', async () => {
    const { id } = await court.paid(undefined, { capture_method: 'manual' });
    await court.fault('lose_request', 'capture');
    const { json } = await court.account.test.post(`/v1/payments/${id}/capture`, { amount: 700 });
    expect(json.status).toBe('processing');
    const [, { id: attempt }] = await court.attempts(id);
    const kind = new PaymentJobs(parts, paymentTopic([])).job();
    for (const [before, time] of tooEarly.entries()) {
      await inquireAt(kind, attempt, time);
      expect(await court.row(id)).toMatchObject({ status: 'processing', open_attempt: attempt, inquiries: before + 1 });
      expect(await court.charges(id)).toMatchObject([{ captured: 0, canceled: false }]);
    }
    await inquireAt(kind, attempt, lateEnough);
    expect(await court.row(id)).toMatchObject({ status: 'succeeded', amount_received: 700, open_attempt: null });
    expect(await court.charges(id)).toMatchObject([{ captured: 700, net: 700 }]);
    expect((await court.attempts(id)).map(({ verb, state }) => `${verb} ${state}`)).toEqual([
      'authorize approved',
      'capture approved',
    ]);
  });

  test('a submission in a dispute is inquired again until then, and only then sent again', async () => {
    await court.fault('lose_request', 'contest');
    await court.post(dispute, { evidence: { receipt: 'x' }, submit: true });
    const [{ id: attempt }] = await court.words(dispute);
    const sent = () => court.sql('select from simulator_entries where attempt = $1', [attempt]);
    const kind = new DisputeJobs(parts).job();
    for (const [before, time] of tooEarly.entries()) {
      await inquireAt(kind, attempt, time);
      const waits = { status: 'needs_response', open_attempt: attempt, inquiries: before + 1 };
      expect(await court.disputeRow(dispute)).toMatchObject({ ...waits, due_at: expect.any(Date) });
      expect(await sent()).toHaveLength(0);
    }
    await inquireAt(kind, attempt, lateEnough);
    expect(await court.disputeRow(dispute)).toMatchObject({ status: 'under_review', open_attempt: null, due_at: null });
    expect(await sent()).toHaveLength(1);
  });

  test('a charge is inquired again until then, and only then reversed', async () => {
    await court.fault('lose_request', 'authorize');
    const { id } = await court.paid();
    const [{ id: attempt }] = await court.attempts(id);
    const kind = new PaymentJobs(parts, paymentTopic([])).job();
    const states = async () => (await court.attempts(id)).map(({ verb, state }) => `${verb} ${state}`);
    for (const [before, time] of tooEarly.entries()) {
      await inquireAt(kind, attempt, time);
      const waits = { status: 'processing', open_attempt: attempt, inquiries: before + 1 };
      expect(await court.row(id)).toMatchObject({ ...waits, due_at: expect.any(Date) });
      expect(await states()).toEqual(['authorize unknown']);
    }
    await inquireAt(kind, attempt, lateEnough);
    expect(await court.row(id)).toMatchObject({ status: 'failed', open_attempt: null });
    expect(await states()).toEqual(['authorize lost', 'reverse approved']);
  });
});
