import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { InquiryOutcome, ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import type { TestServer } from '../../../test/harness.ts';
import { checkoutViolations } from '../../../test/payment_invariants.ts';
import { accountAtPier, answersOfPier, type Pier, startWithPier } from '../../payments/payments/pier.fixture.ts';
import { lateSessions } from './attention.ts';
import { Checkout, tokenOf } from './checkout.fixture.ts';
import { lateVerdict } from './late.ts';

/** Expiry, "Use another payment method", and approvals that come when a try is over, with a processor that answers as each test says. */
const minute = 60_000;
const address = '203.0.113.7';
const clock = virtualClock(Date.now());
const { approved, declined, silent } = answersOfPier;
const incident = 'incident: an approval came for a payment that is over; it is reversed';
const taken = 'an approval came for a payment that is over; the checkout that it was made for takes it';
let server: TestServer;
let checkout: Checkout;
let pier: Pier;
let pa: ProcessorAccountId;
let tenant: Tenant;

beforeAll(async () => {
  ({ server, pier } = await startWithPier(clock));
});
afterAll(() => server.stop());
beforeEach(async () => {
  const at = await accountAtPier({ server, pier, clock });
  checkout = new Checkout(server, at.account);
  ({ tenant, pa } = at);
});

const url = 'https://pier.test/pay/1';
const page = (): ProcessorOutcome => ({ kind: 'requires_action', url, expiresAt: clock.now() + 60 * minute });
const answers = (outcome: ProcessorOutcome) => void pier.answers.set(pa, outcome);
const finds = (outcome: InquiryOutcome) => void pier.finds.set(pa, outcome);
const cancels = (outcome: ProcessorOutcome) => void pier.cancels.set(pa, outcome);

type Session = { id: string; url: string };
const press = (session: Session) => {
  clock.advance(5); // so that tries sort by time
  return checkout.calls.pay(tokenOf(session.url), { instrument: { kind: 'page' }, details: {}, address });
};
const another = (session: Session) => checkout.calls.closeTry(tokenOf(session.url), address);
const expire = (session: Session) => checkout.account.test.post(`/v1/checkout_sessions/${session.id}/expire`, {});

/** A session whose customer is on a page of the processor. */
async function onPage(parameters: object = {}): Promise<Session> {
  const session = await checkout.create({ expires_in: 1_800, ...parameters });
  answers(page());
  finds(page() as InquiryOutcome);
  expect((await press(session))?.goTo).toBe(url);
  return session;
}

/** The authorization of the latest try, or of an earlier one. */
async function attemptOf(session: Session, at = 0): Promise<`att_${string}`> {
  const text = `select a.id from attempts a join payments p on p.tenant = a.tenant and p.id = a.payment
    where p.checkout_session = $1 and a.verb = 'authorize' order by a.id`;
  return (await server.sql.query(text, [session.id])).rows.at(at).id;
}

const report = async (attempt: `att_${string}`, kind: 'settled' | 'changed') => {
  clock.advance(5);
  const about = { id: `${attempt} ${kind} ${clock.now()}`, tenant, account: pa, attempt };
  if (kind === 'settled') await pier.report({ ...about, kind: 'payment_settled', outcome: approved });
  else await pier.report({ ...about, kind: 'attempt_changed' });
  await server.settled();
};

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

const logged = (message: string) => server.logged.filter((line) => line.includes(message)).length;
const holds = async () => expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
const received = async (session: Session) => {
  const text = `select kind, amount from postings where payment in (select id from payments where checkout_session = $1) order by id`;
  return (await server.sql.query(text, [session.id])).rows.filter(({ kind }) => kind === 'payment');
};

describe('expiry, while the page of a processor is open', () => {
  test('closes it first', async () => {
    const session = await onPage();
    await pass(31 * minute);
    expect(await checkout.get(session.id)).toMatchObject({ status: 'expired', expired_reason: 'time' });
    expect(await checkout.payments(session.id)).toEqual(['canceled']);
    expect(pier.canceled).toMatchObject([{ unlessPaid: true }]);
    await holds();
  });

  test.each(['time', 'request', 'another way'] as const)(
    'that was paid meanwhile completes the session instead: %s',
    async (by) => {
      const session = await onPage();
      cancels({ kind: 'already_paid' });
      finds(approved);
      if (by === 'time') await pass(31 * minute);
      else if (by === 'request') expect((await expire(session)).status).toBe(200);
      else await another(session);
      await pass(5_000);
      const { status, late, payment_status } = await checkout.get(session.id);
      expect([status, late, payment_status]).toEqual(['complete', undefined, 'paid']);
      expect(pier.canceled.length).toBeLessThanOrEqual(2);
      expect(await received(session)).toHaveLength(1);
      await holds();
    },
  );

  test('is tried again each minute while the processor refuses, until the page ends there', async () => {
    const session = await onPage();
    cancels({ kind: 'declined', code: 'processing_error', message: 'not now' });
    await pass(31 * minute);
    expect((await checkout.get(session.id)).status).toBe('open');
    const before = pier.canceled.length;
    expect(before).toBeLessThan(4);
    for (let minutes = 0; minutes < 5; minutes++) await pass(minute);
    expect(pier.canceled.length - before).toBeLessThanOrEqual(6);
    cancels(approved);
    await pass(2 * minute);
    expect(await checkout.get(session.id)).toMatchObject({ status: 'expired', expired_reason: 'time' });
    await holds();
  });

  test('without an answer: nothing is tried or expired until the outcome is known', async () => {
    const session = await onPage();
    cancels(silent);
    await expire(session);
    finds(silent);
    expect((await checkout.get(session.id)).status).toBe('processing');
    const refused = await expire(session);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'checkout_session_not_open']);
    expect((await press(session))?.view.try.state).toBe('confirming');
    for (let minutes = 0; minutes < 30; minutes++) await pass(minute);
    expect(pier.asked).toHaveLength(1);
    expect((await checkout.events(session.id)).filter((type) => type === 'processing')).toHaveLength(1);
    cancels(approved);
    finds({ kind: 'not_found' });
    await pass(60 * minute);
    expect(await checkout.get(session.id)).toMatchObject({ status: 'expired' });
    await holds();
  });

  test('canceled at the processor by somebody else: the session can be paid again', async () => {
    const session = await onPage();
    const attempt = await attemptOf(session);
    await pier.report({ id: 'elsewhere', tenant, account: pa, kind: 'canceled_elsewhere', attempt });
    await server.settled();
    expect(await checkout.payments(session.id)).toEqual(['canceled']);
    expect((await checkout.view(session))?.try.state).toBe('none');
    answers(approved);
    await press(session);
    expect(await checkout.payments(session.id)).toEqual(['canceled', 'succeeded']);
    await holds();
  });
});

test('an outcome that stays unknown has one event, however often the processor is asked', async () => {
  const session = await checkout.create();
  answers(silent);
  finds(silent);
  await press(session);
  for (let looks = 0; looks < 8; looks++) await pass(10 * minute);
  expect(pier.found.length).toBeGreaterThan(5);
  expect(await checkout.events(session.id)).toEqual(['created', 'processing']);
  finds(approved);
  await pass(60 * minute);
  expect(await checkout.events(session.id)).toEqual(['created', 'processing', 'completed']);
  await holds();
});

describe('an approval that comes when its try is over', () => {
  const kinds = ['settled', 'changed'] as const;

  test.each(kinds)('completes a session that has expired, late; the ledger is whole: %s', async (kind) => {
    const session = await onPage();
    expect((await expire(session)).json.status).toBe('expired');
    finds(approved);
    await report(await attemptOf(session), kind);
    expect(await checkout.get(session.id)).toMatchObject({
      ...{ status: 'complete', payment_status: 'paid', late: true, amount_total: 2_000 },
      payment_method: expect.stringMatching(/^pm_/),
    });
    expect(await checkout.payments(session.id)).toEqual(['succeeded']);
    expect(await checkout.events(session.id)).toEqual(['created', 'expired', 'completed']);
    expect(await received(session)).toEqual([{ kind: 'payment', amount: 2_000 }]);
    expect([logged(taken), logged(incident)]).toEqual([1, 0]);
    const waits = await lateSessions.find(server.gateway.services.reads, tenant, 101);
    expect(waits.map(({ id }) => id)).toEqual([session.id]);
    await report(await attemptOf(session), kind); // once more
    expect(await checkout.events(session.id)).toHaveLength(3);
    expect(pier.canceled).toHaveLength(1);
    await holds();
  });

  test('completes a session that was to be paid another way, and has not been', async () => {
    const session = await onPage();
    await another(session);
    finds(approved);
    await report(await attemptOf(session), 'changed');
    const { status, late } = await checkout.get(session.id);
    expect([status, late]).toEqual(['complete', undefined]);
    expect((await press(session))?.view.status).toBe('complete');
    expect(pier.asked).toHaveLength(1);
    await holds();
  });

  test('of a declined try, as the processor corrects itself, completes the session', async () => {
    const session = await onPage();
    finds(declined);
    await report(await attemptOf(session), 'changed');
    expect(await checkout.payments(session.id)).toEqual(['failed']);
    finds(approved);
    await report(await attemptOf(session), 'settled');
    expect(await checkout.get(session.id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(await checkout.events(session.id)).toEqual(['created', 'payment_failed', 'completed']);
    await holds();
  });

  test('that only authorizes is complete and authorized', async () => {
    const session = await onPage({ capture_method: 'manual' });
    await expire(session);
    finds(approved);
    await report(await attemptOf(session), 'settled');
    expect(await checkout.get(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'authorized',
      late: true,
    });
    await holds();
  });

  test('starts the subscription of a session, late', async () => {
    const terms = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
    const price = (await checkout.account.test.post('/v1/prices', terms)).json.id;
    const sold = { mode: 'subscription', amount: null, currency: null, line_items: [{ price }] };
    const session = await onPage(sold);
    await expire(session);
    finds({
      ...approved,
      kept: {
        token: new Secret('pm_kept'),
        customer: 'cus_at_pier',
        card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
      },
    });
    await report(await attemptOf(session), 'settled');
    const { status, late, subscription } = await checkout.get(session.id);
    expect([status, late]).toEqual(['complete', true]);
    expect((await checkout.account.test.get(`/v1/subscriptions/${subscription}`)).json.status).toBe('active');
    await holds();
  });

  test('is reversed, as an incident, where another payment of the session has succeeded', async () => {
    const session = await onPage();
    await another(session);
    answers(approved);
    await press(session);
    expect(await checkout.payments(session.id)).toEqual(['canceled', 'succeeded']);
    const before = pier.canceled.length;
    finds(approved);
    await report(await attemptOf(session), 'settled');
    expect(await checkout.payments(session.id)).toEqual(['canceled', 'succeeded']);
    expect([logged(incident), pier.canceled.length - before]).toEqual([1, 1]);
    expect(pier.canceled.at(-1)).toMatchObject({ unlessPaid: false });
    expect(await received(session)).toHaveLength(1);
    await holds();
  });

  test('is reversed, as an incident, where another try is paid while the processor is asked about it', async () => {
    const session = await onPage();
    await another(session);
    answers(approved);
    const first = await attemptOf(session);
    pier.finds.set(pa, async ({ attempt }) => {
      if (attempt === first && (await checkout.payments(session.id)).length === 1) await press(session);
      return approved;
    });
    await report(first, 'settled');
    expect(await checkout.payments(session.id)).toEqual(['canceled', 'succeeded']);
    expect(logged(incident)).toBe(1);
    expect(await received(session)).toHaveLength(1);
    await holds();
  });

  test('is reversed, as an incident, where the session costs something else by now', async () => {
    const session = await onPage({ allow_coupons: true });
    await another(session);
    await checkout.account.test.post('/v1/coupons', { percent_off: 50, duration: 'once', code: 'HALF' });
    await checkout.calls.applyCoupon(tokenOf(session.url), 'HALF', address);
    finds(approved);
    await report(await attemptOf(session), 'settled');
    expect(await checkout.payments(session.id)).toEqual(['canceled']);
    expect(logged(incident)).toBe(1);
    await holds();
  });

  describe('while another try is under way', () => {
    async function withAnother(answer: ProcessorOutcome): Promise<Session> {
      const session = await onPage();
      await another(session);
      answers(answer);
      await press(session);
      return session;
    }
    /** The first try is approved at the processor; what it finds of the second one is said. */
    const findsFirst = async (session: Session, second: InquiryOutcome) => {
      const first = await attemptOf(session);
      pier.finds.set(pa, async ({ attempt }) => (attempt === first ? approved : second));
    };

    test('whose customer is on a page: that is closed, and the session complete', async () => {
      const session = await withAnother(page());
      await findsFirst(session, page() as InquiryOutcome);
      await report(await attemptOf(session), 'settled');
      expect(await checkout.payments(session.id)).toEqual(['succeeded', 'canceled']);
      expect(logged(incident)).toBe(0);
      await holds();
    });

    test('which was paid too: the first is reversed, as an incident', async () => {
      const session = await withAnother(page());
      await findsFirst(session, approved);
      cancels({ kind: 'already_paid' });
      await report(await attemptOf(session), 'settled');
      await pass(minute);
      expect(await checkout.payments(session.id)).toEqual(['canceled', 'succeeded']);
      expect(logged(incident)).toBe(1);
      expect(await received(session)).toHaveLength(1);
      await holds();
    });

    test.each<[string, InquiryOutcome, string[]]>([
      ['approved', approved, ['canceled', 'succeeded']],
      ['declined', { kind: 'declined', code: 'card_declined' }, ['succeeded', 'failed']],
    ])('whose outcome is unknown: it is waited for, and then it is %s', async (_, outcome, ends) => {
      const session = await withAnother(silent);
      await findsFirst(session, silent);
      await report(await attemptOf(session), 'settled');
      for (let looks = 0; looks < 5; looks++) await pass(minute);
      expect(await checkout.payments(session.id)).toEqual(['canceled', 'processing']);
      await findsFirst(session, outcome);
      for (let looks = 0; looks < 3; looks++) await pass(60 * minute);
      expect(await checkout.payments(session.id)).toEqual(ends);
      expect(await checkout.get(session.id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
      expect(logged(incident)).toBe(ends[0] === 'canceled' ? 1 : 0);
      await holds();
    });
  });

  test('that the processor takes back when it is asked is reversed, not believed', async () => {
    const session = await onPage();
    await expire(session);
    finds({ kind: 'declined', code: 'card_declined' });
    await report(await attemptOf(session), 'settled');
    expect(await checkout.payments(session.id)).toEqual(['canceled']);
    expect((await checkout.get(session.id)).status).toBe('expired');
    expect(logged(incident)).toBe(1);
    await holds();
  });

  test('is reversed if the processor was asked before to give it back', async () => {
    const session = await checkout.create();
    answers(silent);
    finds({ kind: 'not_found' });
    await press(session);
    await pass(21_000);
    expect(await checkout.payments(session.id)).toEqual(['failed']);
    finds(approved);
    await report(await attemptOf(session), 'settled');
    expect(await checkout.payments(session.id)).toEqual(['failed']);
    expect(logged(incident)).toBe(1);
    await holds();
  });
});

test.each<[string, object, string]>([
  ['open', { status: 'open' }, 'take'],
  ['open, on another amount', { status: 'open', amount_total: 1 }, 'reverse'],
  ['open, with another try', { status: 'open', awaits_customer: true, payment: 'py_2' }, 'after'],
  ['processing', { status: 'processing', payment: 'py_2' }, 'after'],
  ['expired', { status: 'expired' }, 'take'],
  ['complete by another', { status: 'complete', payment: 'py_2', payment_status: 'paid' }, 'reverse'],
  ['complete by itself', { status: 'complete', payment_status: 'unpaid' }, 'release'],
  ['complete without a payment', { status: 'complete', payment_status: 'no_payment_required' }, 'reverse'],
])('of a session that is %s', (_, session, kind) => {
  const whole = { payment: 'py_1', payment_status: 'unpaid', amount_total: 9, awaits_customer: null, ...session };
  expect(lateVerdict(whole as never, { id: 'py_1', amount: 9 } as never).kind).toBe(kind);
});
