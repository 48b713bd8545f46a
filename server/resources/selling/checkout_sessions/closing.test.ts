import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { InquiryOutcome, ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { CallInFlight } from '../../../operations/notice_handlers.ts';
import type { TestServer } from '../../../test/harness.ts';
import { checkoutViolations } from '../../../test/payment_invariants.ts';
import { accountAtPier, answersOfPier, type Pier, startWithPier } from '../../payments/payments/pier.fixture.ts';
import { Checkout, tokenOf } from './checkout.fixture.ts';

/** The expiry of a session whose payment the processor has, and has not decided. */
const minute = 60_000;
const clock = virtualClock(Date.now());
const { approved, declined, pending, silent } = answersOfPier;
const refused: ProcessorOutcome = { kind: 'declined', code: 'processing_error', message: 'too late to cancel' };
const alreadyPaid: ProcessorOutcome = { kind: 'already_paid', reference: 'pier_1' };
let server: TestServer;
let checkout: Checkout;
let pier: Pier;
let pa: ProcessorAccountId;
let tenant: Tenant;

beforeAll(async () => {
  ({ server, pier } = await startWithPier(clock, { isAlone: true }));
});
afterAll(() => server.stop());
beforeEach(async () => {
  const at = await accountAtPier({ server, pier, clock });
  checkout = new Checkout(server, at.account);
  ({ tenant, pa } = at);
});

/** What an inquiry finds of the authorization, and of a cancel. */
const finds = (authorization: InquiryOutcome, cancel: InquiryOutcome = { kind: 'not_found' }) =>
  void pier.finds.set(pa, async ({ verb }) => (verb === 'cancel' ? cancel : authorization));
const cancels = (outcome: ProcessorOutcome | (() => Promise<ProcessorOutcome>)) => void pier.cancels.set(pa, outcome);

type Session = { id: string; url: string };

/** A session that the processor takes its time with, or whose outcome is not known. */
async function waiting(outcome: ProcessorOutcome = pending, more: object = {}): Promise<Session> {
  const session = await checkout.create({ expires_in: 1_800, ...more });
  pier.answers.set(pa, outcome);
  finds(outcome as InquiryOutcome);
  await checkout.calls.pay(tokenOf(session.url), { instrument: { kind: 'page' }, details: {}, address: '203.0.113.7' });
  expect((await checkout.get(session.id)).status).toBe('processing');
  return session;
}

async function expire({ id }: Session, key?: string) {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const { status, json } = await checkout.account.test.post(`/v1/checkout_sessions/${id}/expire`, {}, headers);
  return { status, code: json.error?.code, session: json.status, reason: json.expired_reason, object: json.object };
}

const stillProcessing = { status: 400, code: 'checkout_session_not_open' };

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

/** A notice that overtakes an answer is handled again, as those are that were stored. */
async function report(session: Session, kind: 'settled' | 'changed'): Promise<void> {
  for (;;)
    try {
      return await reportOnce(session, kind);
    } catch (error) {
      if (!(error instanceof CallInFlight)) throw error;
      await new Promise((done) => setImmediate(done));
    }
}

async function reportOnce({ id }: Session, kind: 'settled' | 'changed'): Promise<void> {
  const text = `select a.id from attempts a left join payments p on p.tenant = a.tenant and p.id = a.payment
    left join setups s on s.tenant = a.tenant and s.id = a.setup
    where $1 in (p.checkout_session, s.checkout_session) and a.verb in ('authorize', 'setup')`;
  const attempt = (await server.sql.query(text, [id])).rows[0].id;
  const about = { id: `${attempt} ${kind} ${clock.now()}`, tenant, account: pa, attempt };
  if (kind === 'settled') await pier.report({ ...about, kind: 'payment_settled', outcome: approved });
  else await pier.report({ ...about, kind: 'attempt_changed' });
}

const received = async ({ id }: Session) => {
  const text = `select amount from postings where kind = 'payment' and payment in (select id from payments where checkout_session = $1)`;
  return (await server.sql.query(text, [id])).rows.map(({ amount }) => amount);
};
const holds = async () => expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
const statuses = async (session: Session) => [
  (await checkout.get(session.id)).status,
  ...(await checkout.payments(session.id)),
  ...(await checkout.setups(session.id)),
];

describe('expire, while the processor has a payment and has not decided,', () => {
  test('cancels there first, and nothing that was paid is given back', async () => {
    const session = await waiting();
    expect(await expire(session)).toMatchObject({ status: 200, session: 'expired', reason: 'requested' });
    expect(pier.canceled).toMatchObject([{ unlessPaid: true, authorization: { reference: 'pier_1' } }]);
    expect(await statuses(session)).toEqual(['expired', 'canceled']);
    expect(await checkout.events(session.id)).toEqual(['created', 'processing', 'expired']);
    expect(await expire(session)).toMatchObject(stillProcessing);
    await holds();
  });

  test.each([
    ['already paid', alreadyPaid, approved, ['complete', 'succeeded'], [2_000]],
    ['refused, and approved later', refused, approved, ['complete', 'succeeded'], [2_000]],
    ['refused, and declined later', refused, declined, ['open', 'failed'], []],
    [
      'not sent, and approved later',
      { kind: 'not_sent', reason: 'no connection' },
      approved,
      ['complete', 'succeeded'],
      [2_000],
    ],
  ] as const)('which is %s: the outcome of the payment decides', async (_, answer, outcome, ends, posted) => {
    const session = await waiting();
    cancels(answer as ProcessorOutcome);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    await pass(minute);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    finds(outcome);
    await pass(60 * minute);
    // A session that is open again after its time has expired.
    expect(await statuses(session)).toEqual(ends[0] === 'open' ? ['expired', 'failed'] : ends);
    expect(await received(session)).toEqual(posted);
    const { json } = await checkout.account.test.get(`/v1/payments?checkout_session=${session.id}`);
    expect(json.data[0]).not.toHaveProperty('cancellation_reason');
    await holds();
  });

  test('of a payment that only authorizes, and is found authorized', async () => {
    const session = await waiting(pending, { capture_method: 'manual' });
    cancels(alreadyPaid);
    await expire(session);
    finds(approved);
    await pass(minute);
    expect(await checkout.get(session.id)).toMatchObject({ status: 'complete', payment_status: 'authorized' });
    await holds();
  });

  test('without an answer: it is still processing, and refused, until the cancel is found or sent again', async () => {
    const session = await waiting();
    cancels(silent);
    finds(pending, silent);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(pier.canceled).toHaveLength(1);
    for (let minutes = 0; minutes < 5; minutes++) await pass(minute);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    cancels(approved);
    finds(pending);
    await pass(60 * minute);
    expect(await statuses(session)).toEqual(['expired', 'canceled']);
    await holds();
  });

  test('without an answer, and approved: its notice has the cancel asked about at once', async () => {
    const session = await waiting();
    cancels(silent);
    finds(pending, silent);
    await expire(session);
    for (let minutes = 0; minutes < 20; minutes++) await pass(minute);
    finds(approved, refused as InquiryOutcome);
    await report(session, 'changed');
    await server.settled();
    expect(await statuses(session)).toEqual(['complete', 'succeeded']);
    expect(await received(session)).toEqual([2_000]);
    await holds();
  });

  test.each(['settled', 'changed'] as const)('against a notice of its approval: %s', async (kind) => {
    const session = await waiting();
    // The processor approves and reports that while it is asked to cancel.
    let reported: Promise<void> | undefined;
    cancels(async () => {
      finds(approved);
      reported = report(session, kind);
      return alreadyPaid;
    });
    await expire(session);
    await reported;
    await pass(minute);
    expect(await statuses(session)).toEqual(['complete', 'succeeded']);
    expect(await received(session)).toEqual([2_000]);
    expect((await checkout.events(session.id)).filter((type) => type === 'completed')).toHaveLength(1);
    await holds();
  });

  test.each(['settled', 'changed'] as const)(
    'at the same moment as a notice: what the customer has paid completes the session: %s',
    async (kind) => {
      const session = await waiting();
      finds(approved);
      // The processor says that it has canceled, and that it was paid: money is never sent back silently.
      const [answer] = await Promise.all([expire(session), report(session, kind)]);
      await pass(minute);
      const { late, status, payment_status } = await checkout.get(session.id);
      expect([status, payment_status, late]).toEqual(['complete', 'paid', answer.status === 200 ? true : undefined]);
      expect(await received(session)).toEqual([2_000]);
      await holds();
    },
  );

  test('twice at once cancels once; the second waits, and finds it expired', async () => {
    const session = await waiting();
    let release = () => {};
    cancels(() => new Promise((done) => (release = () => done(approved))));
    const first = expire(session);
    await vi.waitFor(() => expect(pier.canceled).toHaveLength(1));
    const second = expire(session);
    await new Promise((done) => setImmediate(done));
    release();
    expect(await first).toMatchObject({ status: 200, session: 'expired' });
    expect(await second).toMatchObject(stillProcessing);
    expect(pier.canceled).toHaveLength(1);
    expect((await checkout.events(session.id)).filter((type) => type === 'expired')).toHaveLength(1);
    await holds();
  });

  test.each([
    ['canceled', { kind: 'approved' }, pending, ['expired', 'canceled'], []],
    ['paid', refused, approved, ['complete', 'succeeded'], [2_000]],
  ] as const)(
    'whose answer is lost with the process: it is found %s',
    async (_, cancel, authorization, ends, posted) => {
      const session = await waiting();
      const { committer } = server.gateway.services;
      cancels(async () => {
        vi.spyOn(committer, 'commit').mockRejectedValueOnce(new Error('killed'));
        return cancel as ProcessorOutcome;
      });
      finds(authorization, cancel as InquiryOutcome);
      const key = `expire ${session.id}`;
      expect((await expire(session, key)).status).toBe(500);
      vi.restoreAllMocks();
      expect(await statuses(session)).toEqual(['processing', 'processing']);
      await pass(30_000);
      await pass(minute);
      expect(await statuses(session)).toEqual(ends);
      expect(await received(session)).toEqual(posted);
      expect(pier.canceled).toHaveLength(1);
      // The retry is answered with the session, as the first request would have been.
      expect(await expire(session, key)).toMatchObject({ status: 200, object: 'checkout_session', session: ends[0] });
      await holds();
    },
  );

  test('is refused while the outcome of the payment is unknown, and asks for nothing', async () => {
    const session = await waiting(silent);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(pier.canceled).toEqual([]);
    finds(approved);
    await pass(60 * minute);
    expect(await statuses(session)).toEqual(['complete', 'succeeded']);
    await holds();
  });
});

describe('expire, while the processor has a card to keep and has not decided,', () => {
  type Method = { customer?: string; card: { last4: string } };
  const setup = { mode: 'setup', amount: null, currency: null };
  const card = { ...approved.method, brand: 'visa' } as const;
  const kept = { ...approved, kept: { token: new Secret('card_1'), customer: 'them_1', card } } as const;
  /** Those that were kept for a customer. */
  const methods = async () => {
    const found: Method[] = (await checkout.account.test.get('/v1/payment_methods')).json.data;
    return found.filter(({ customer }) => customer !== undefined).map((one) => one.card.last4);
  };

  test('cancels there first, and keeps nothing', async () => {
    const session = await waiting(pending, setup);
    expect(await expire(session)).toMatchObject({ status: 200, session: 'expired', reason: 'requested' });
    expect(await statuses(session)).toEqual(['expired', 'canceled']);
    expect(await checkout.events(session.id)).toEqual(['created', 'processing', 'expired']);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(await methods()).toEqual([]);
  });

  test.each([
    ['approved later', refused, kept, ['complete', 'succeeded'], ['4242']],
    ['declined later', refused, declined, ['expired', 'failed'], []],
    ['approved later', { kind: 'not_sent', reason: 'no connection' }, kept, ['complete', 'succeeded'], ['4242']],
  ] as const)('which refuses, and it is %s: its outcome decides', async (_, answer, outcome, ends, left) => {
    const session = await waiting(pending, setup);
    cancels(answer as ProcessorOutcome);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    await pass(minute);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    finds(outcome);
    await pass(60 * minute);
    expect(await statuses(session)).toEqual(ends);
    expect(await methods()).toEqual(left);
    const { json } = await checkout.account.test.get(`/v1/setups?checkout_session=${session.id}`);
    expect(json.data[0]).not.toHaveProperty('cancellation_reason');
  });

  test.each([
    ['was canceled', silent, ['expired', 'canceled'], []],
    ['was approved', kept, ['complete', 'succeeded'], ['4242']],
  ] as const)('without an answer: it is refused until it is known whether it %s', async (_, outcome, ends, left) => {
    const session = await waiting(pending, setup);
    cancels(silent);
    finds(pending, silent);
    expect(await expire(session)).toMatchObject(stillProcessing);
    expect(await expire(session)).toMatchObject(stillProcessing);
    for (let minutes = 0; minutes < 20; minutes++) await pass(minute);
    expect(await statuses(session)).toEqual(['processing', 'processing']);
    finds(outcome, outcome === kept ? (refused as InquiryOutcome) : { kind: 'approved', reference: 'pier_1' });
    // Its notice has the cancel asked about at once.
    await report(session, 'changed');
    await server.settled();
    expect(await statuses(session)).toEqual(ends);
    expect(await methods()).toEqual(left);
  });

  test('is refused while the outcome is unknown', async () => {
    const session = await waiting(silent, setup);
    expect(await expire(session)).toMatchObject(stillProcessing);
    finds(kept);
    await pass(60 * minute);
    expect(await statuses(session)).toEqual(['complete', 'succeeded']);
  });
});
