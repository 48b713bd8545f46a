import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import type { AttemptId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { runDue, type TestServices, testServices } from '../attempts/jobs.fixture.ts';
import { PaymentJobs } from './jobs.ts';
import { openShop, type Shop } from './payments.fixture.ts';
import { paymentTopic, settlements } from './topic.ts';

const approved: ProcessorOutcome = { kind: 'approved' };
const declined: ProcessorOutcome = { kind: 'declined', code: 'card_declined', declineCode: 'lost_card' };
const pending: ProcessorOutcome = { kind: 'pending' };
const lost: ProcessorOutcome = { kind: 'unknown', reason: 'no answer' };
const challenge: ProcessorOutcome = { kind: 'requires_action', url: 'https://bank.test/1' };

const differs = 'incident: the outcome of a payment differs from the one reported earlier; ask the processor';
const reversed = 'incident: an approval came for a payment that is over; it is reversed';
const stranger = expect.stringContaining('a processor reports on a payment that is not known here');

let shop: Shop;
let clock: VirtualClock;
let parts: TestServices;
let jobs: PaymentJobs;
let tenant: Tenant;

beforeAll(async () => {
  clock = virtualClock(Date.now() + 60_000);
  shop = await openShop({ clock, isAlone: true, environment: { SIMULATOR: 'remote' } });
  await shop.server.gateway.worker.stop(); // the tests run the jobs by themselves
  parts = testServices(shop, clock);
  jobs = new PaymentJobs(parts, paymentTopic(catalog.extensionsOf(settlements)));
  tenant = (await shop.row((await shop.paid()).id)).tenant;
});
afterAll(() => shop.stop());

async function report(attempt: AttemptId, outcome: ProcessorOutcome): Promise<string[]> {
  parts.alarms.length = 0;
  await jobs.payment_settled(
    { id: `n ${attempt}`, tenant, kind: 'payment_settled', attempt, outcome },
    { connector: 'simulator', processor_account: null },
  );
  return parts.alarms.map(({ message }) => message);
}

/** Everything that a report must not change. */
async function stateOf(id: string) {
  const { open_attempt, due_at, ...payment } = await shop.row(id);
  return { payment, charges: await shop.charges(id), events: await shop.eventTypes(id) };
}

async function everythingDue(): Promise<void> {
  clock.advance(3_600_000);
  while ((await runDue(jobs.job())) > 0);
}

/** The payments that are over or rest, and the last attempt of each. */
const makers: Record<string, () => Promise<string>> = {
  succeeded: async () => (await shop.paid()).id,
  requires_capture: async () => (await shop.paid(undefined, { capture_method: 'manual' })).id,
  failed: async () => (await shop.pay('4000000000000002')).json.error.payment,
  async canceled() {
    const { id } = await shop.paid(undefined, { capture_method: 'manual' });
    await shop.account.test.post(`/v1/payments/${id}/cancel`);
    return id;
  },
};

describe('a report that differs from the stored outcome of an authorization', () => {
  const harmless = ['succeeded', 'requires_capture', 'failed', 'canceled'].flatMap((status) =>
    [pending, lost, challenge].map((outcome) => ({ status, outcome, alarms: [] as string[] })),
  );
  test.each([
    { status: 'succeeded', outcome: declined, alarms: [differs] },
    { status: 'requires_capture', outcome: declined, alarms: [differs] },
    { status: 'failed', outcome: approved, alarms: [reversed] },
    { status: 'canceled', outcome: approved, alarms: [reversed] },
    ...harmless,
  ])('$status, then $outcome.kind: nothing changes', async ({ status, outcome, alarms }) => {
    const id = await makers[status]!();
    const before = await stateOf(id);
    const [authorization] = await shop.attempts(id);
    for (let times = 0; times < 2; times++) {
      expect(await report(authorization.id, outcome)).toEqual(alarms);
      await everythingDue();
      const after = await stateOf(id);
      const version = expect.any(Number); // a reversal takes the slot of the payment, and leaves it
      expect({ ...after, payment: { ...after.payment, version } }).toEqual({
        ...before,
        payment: { ...before.payment, version },
        charges: before.charges.map((charge) => (status === 'failed' ? expect.anything() : charge)),
      });
    }
    expect(await violationsOf(shop.server.sql, { rest: true, tenant })).toEqual([]);
  });

  test('a payment that waits for its capture can still be captured after it', async () => {
    const id = await makers.requires_capture!();
    const [authorization] = await shop.attempts(id);
    await report(authorization.id, declined);
    const captured = await shop.account.test.post(`/v1/payments/${id}/capture`);
    expect(captured).toMatchObject({ status: 200, json: { status: 'succeeded', amount_received: 2000 } });
  });
});

describe('a processor that reports both ends of a payment whose reply was lost', () => {
  /** The card is charged, and the gateway does not know. */
  async function processing(): Promise<{ id: string; attempt: AttemptId }> {
    await shop.sql(`insert into simulator_faults (verb, kind, remaining) values ('authorize', 'lose_reply', 1)`);
    const { id, status } = await shop.paid();
    expect(status).toBe('processing');
    const [authorization] = await shop.attempts(id);
    clock.advance(60_000);
    return { id, attempt: authorization.id };
  }

  test('declined, then approved: it stays failed, and the charge is given back', async () => {
    const { id, attempt } = await processing();
    expect(await report(attempt, declined)).toEqual([]);
    expect((await shop.read(id)).json).toMatchObject({ status: 'failed', amount_received: 0 });
    expect(await report(attempt, approved)).toEqual([reversed]);
    await everythingDue();
    expect((await shop.read(id)).json).toMatchObject({ status: 'failed', amount_received: 0 });
    expect(await shop.charges(id)).toMatchObject([{ captured: 2000, canceled: true, net: 0 }]);
    expect(await shop.eventTypes(id)).toEqual(['payment.processing', 'payment.failed']);
    expect(await violationsOf(shop.server.sql, { rest: true, tenant })).toEqual([]);
  });

  test('approved, then declined: it stays succeeded, and is flagged', async () => {
    const { id, attempt } = await processing();
    expect(await report(attempt, approved)).toEqual([]);
    expect(await report(attempt, declined)).toEqual([differs]);
    await everythingDue();
    expect((await shop.read(id)).json).toMatchObject({ status: 'succeeded', amount_received: 2000 });
    expect(await shop.eventTypes(id)).toEqual(['payment.processing', 'payment.succeeded']);
    expect(await violationsOf(shop.server.sql, { rest: true, tenant })).toEqual([]);
  });

  test('the same end twice is recorded once, without an incident', async () => {
    const { id, attempt } = await processing();
    for (let times = 0; times < 3; times++) expect(await report(attempt, approved)).toEqual([]);
    expect(await shop.eventTypes(id)).toEqual(['payment.processing', 'payment.succeeded']);
  });
});

test.each([
  ['that nobody knows', () => newId('att', 1)],
  [
    'of a refund',
    async () => {
      const { json } = await shop.account.test.post('/v1/refunds', { payment: (await shop.paid()).id });
      return (await shop.sql('select attempt from refunds where id = $1', [json.id]))[0].attempt;
    },
  ],
])('a report about an attempt %s changes nothing, and is a warning', async (_, attempt) => {
  clock.advance(3_600_000); // one an hour
  expect(await report(await attempt(), approved)).toEqual([stranger]);
});

describe('the report that an authorization has expired', () => {
  const expire = async (attempt: AttemptId, processor_account: 'pa_1' | null = null): Promise<string[]> => {
    parts.alarms.length = 0;
    await jobs.authorization_expired(
      { id: `x ${attempt}`, tenant, kind: 'authorization_expired', attempt },
      { connector: 'simulator', processor_account },
    );
    return parts.alarms.map(({ message }) => message);
  };
  const held = async () => {
    const { id } = await shop.paid(undefined, { capture_method: 'manual' });
    return { id, attempt: (await shop.attempts(id))[0].id as AttemptId };
  };

  test('cancels the payment at the processor, once', async () => {
    const { id, attempt } = await held();
    for (let times = 0; times < 2; times++) {
      expect(await expire(attempt)).toEqual([]);
      expect(await shop.row(id)).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    }
    expect(await shop.charges(id)).toMatchObject([{ captured: 0, canceled: true }]);
    expect(await shop.attempts(id)).toHaveLength(2);
  });

  test('leaves a payment that was captured as it is', async () => {
    const { id, attempt } = await held();
    expect((await shop.account.test.post(`/v1/payments/${id}/capture`)).status).toBe(200);
    const before = await stateOf(id);
    expect(await expire(attempt)).toEqual([]);
    expect(await stateOf(id)).toEqual(before);
  });

  test('changes nothing when it comes from another account at the processor', async () => {
    const { id, attempt } = await held();
    clock.advance(3_600_000);
    const before = await stateOf(id);
    expect(await expire(attempt, 'pa_1')).toEqual([stranger]);
    expect(await stateOf(id)).toEqual(before);
  });
});
