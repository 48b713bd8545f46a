import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import type { AttemptId, AuthorizeRequest, Instrument, ProcessorOutcome, RequestedPage, Traces } from './contract.ts';
import {
  connectorNames,
  newAttempt,
  openWorld,
  pageOf,
  plainCharge,
  type TestedProcessor,
  type TestedWorld,
} from './processor.fixture.ts';
import { openStripeWorld } from './stripe/world.fixture.ts';

const hour = 3_600_000;
/** The real connector, against a fake of Stripe. */
const stripeName = 'stripe' as const;

/** What the gateway relies on where a processor has a page. As in `contract.test.ts`, each connector that has one must pass every test. */
describe.each([...connectorNames.filter((name) => name !== 'none'), stripeName])('%s', (name) => {
  const clock = virtualClock(Date.now());
  let world: TestedWorld;
  let processor: TestedProcessor;
  beforeAll(async () => {
    world = name === stripeName ? await openStripeWorld(clock) : await openWorld(name, clock);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    processor = world.processor();
  });

  const isStripe = name === stripeName;
  const isAccount = name === 'simulator, account' || isStripe;
  /** On Stripe's page another card can be tried after a decline: then nothing is decided yet. */
  const declined = isStripe ? 'requires_action' : 'declined';
  const ask = (more: Partial<Instrument<'page'>> = {}, request: Partial<AuthorizeRequest> = {}) =>
    processor.authorize({ instrument: pageOf({ expiresAt: clock.now() + hour, ...more }), ...request });
  const urlIn = (outcome: ProcessorOutcome) => (outcome as { url: string }).url;
  const found = async (attempt: AttemptId) => (await processor.find(attempt)).outcome;
  const method = { type: 'card', brand: 'visa', last4: '4242' };

  test('a page is asked for once, is found, and charges nothing', async () => {
    const attempt = newAttempt();
    const { outcome } = await ask({}, { attempt });
    const waits = {
      kind: 'requires_action',
      url: expect.stringMatching(isStripe ? /^http:/ : /^https:/),
      expiresAt: clock.now() + hour,
    };
    expect(outcome).toMatchObject(waits);
    expect((await ask({}, { attempt })).verdict).toBe(name === 'simulator, local' ? 'conflict' : 'committed');
    expect(await found(attempt)).toMatchObject(waits);
    expect((await processor.charges())[0] ?? { authorized: 0, net: 0 }).toMatchObject({ authorized: 0, net: 0 });
    expect(outcome).not.toHaveProperty('method');
  });

  test.each([true, false])('one that is paid is approved, and names the method (capture: %s)', async (capture) => {
    const { attempt: of, outcome } = await ask({}, { capture });
    await processor.payOn(urlIn(outcome));
    const approved = await found(of);
    expect(approved).toMatchObject({ kind: 'approved', reference: expect.any(String), method });
    expect(approved).not.toHaveProperty('kept');
    for (const card of ['chargeDeclined', 'mastercard'] as const) await processor.payOn(urlIn(outcome), card);
    expect(await found(of)).toEqual(approved);
    if (!capture) expect((await processor.capture({ of, amount: 700 })).outcome.kind).toBe('approved');
    expect(await processor.charges()).toMatchObject([{ authorized: 1_000, captured: capture ? 1_000 : 700 }]);
    expect((await processor.refund({ of, amount: 300 })).outcome.kind).toBe('approved');
  });

  test('a card that is declined there is a decline, and names the method, unless another one can be tried', async () => {
    const { attempt, outcome } = await ask();
    await processor.payOn(urlIn(outcome), 'chargeDeclinedInsufficientFunds');
    if (isStripe) {
      expect((await found(attempt)).kind).toBe(declined);
      await processor.payOn(urlIn(outcome));
      return expect(await found(attempt)).toMatchObject({ kind: 'approved', method });
    }
    const declineCode = 'insufficient_funds';
    expect(await found(attempt)).toMatchObject({
      kind: 'declined',
      declineCode,
      advice: 'later',
      method: { last4: '9995' },
    });
    expect((await processor.charges())[0]?.net ?? 0).toBe(0);
  });

  test.each([
    ['approve', 'approved'],
    ['refuse', declined],
  ] as const)('where every cardholder is asked, one who says %s: %s', async (answer, kind) => {
    const { attempt, outcome } = await ask({}, { authentication: 'always' });
    await processor.payOn(urlIn(outcome));
    expect((await found(attempt)).kind).toBe('requires_action');
    await processor.payOn(urlIn(outcome), 'visa', answer);
    expect((await found(attempt)).kind).toBe(kind);
  });

  test('a method is kept by an account that was asked to, and charged without the cardholder', async () => {
    const { attempt, outcome } = await ask({ save: true }, { storedCredential: 'first' });
    await processor.payOn(urlIn(outcome));
    const { kept, networkTransactionId } = (await found(attempt)) as Traces;
    if (!isAccount) return expect(kept).toBeUndefined();
    expect(kept).toMatchObject({ customer: expect.any(String), card: { brand: 'visa', last4: '4242' } });
    const { token, customer } = kept!;
    const terms = {
      ...plainCharge,
      initiator: 'merchant',
      storedCredential: 'subsequent',
      networkTransactionId,
    } as const;
    const again = await processor.authorize({ ...terms, instrument: { kind: 'token', token, customer, holder: {} } });
    expect(again.outcome.kind).toBe('approved');
    for (let times = 0; times < 2; times++)
      expect(await processor.connector.forget!({ customer, id: 'pm_1' })).toBe('forgotten');
  });

  test('one that is closed can no longer be paid on', async () => {
    const { attempt: of, outcome } = await ask();
    for (let times = 0; times < 2; times++)
      expect((await processor.cancel({ of, unlessPaid: true })).outcome.kind).toBe('approved');
    await processor.payOn(urlIn(outcome));
    expect((await found(of)).kind).toBe('declined');
    expect((await processor.charges())[0]?.net ?? 0).toBe(0);
  });

  test('one that was paid is not closed, and nothing is given back', async () => {
    const { attempt: of, outcome } = await ask();
    await processor.payOn(urlIn(outcome));
    const told = await processor.cancel({ of, unlessPaid: true });
    expect(told.outcome).toMatchObject({ kind: 'already_paid' });
    // Stripe knows no attempt that has changed nothing: it is sent again.
    const again = isStripe ? { kind: 'not_found' } : told.outcome;
    expect((await processor.find(told.attempt, 'cancel')).outcome).toEqual(again);
    expect(await processor.charges()).toMatchObject([{ captured: 1_000, canceled: false }]);
  });

  test('of a payment and a close that race, one wins', async () => {
    for (let times = 0; times < 5; times++) {
      const { attempt: of, outcome } = await ask();
      const [{ outcome: closed }] = await Promise.all([
        processor.cancel({ of, unlessPaid: true }),
        processor.payOn(urlIn(outcome)),
      ]);
      expect((await found(of)).kind).toBe(closed.kind === 'approved' ? 'declined' : 'approved');
    }
  });

  test('one that is closed before it is asked for never takes effect', async () => {
    const of = newAttempt();
    const { kind: _, holder: __, ...terms } = pageOf();
    const page: RequestedPage = { ...terms, returnUrl: plainCharge.returnUrl };
    const money = { amount: 1_000, currency: 'eur' };
    const authorization = { attempt: of, reference: undefined, payment: 'pay_1', money, capture: true, page };
    expect((await processor.cancel({ of, authorization })).outcome.kind).toBe('approved');
    const late = await ask({}, { attempt: of });
    if (processor.connector.place === 'local') expect(late.verdict).toBe('conflict');
    else expect(late.outcome.kind).toBe('declined');
    expect((await found(of)).kind).toBe('declined');
  });

  test('one that has expired cannot be paid on, is still found, and is canceled', async () => {
    const expiresAt = clock.now() + hour;
    const { attempt: of, outcome } = await ask({ expiresAt });
    clock.advance(hour);
    await processor.payOn(urlIn(outcome));
    expect(await found(of)).toMatchObject(isStripe ? { kind: 'declined' } : { kind: 'requires_action', expiresAt });
    expect((await processor.cancel({ of, unlessPaid: true })).outcome.kind).toBe('approved');
    expect((await found(of)).kind).toBe('declined');
  });

  test('neither the address nor what is known of the cardholder is stored with the attempt', async () => {
    const { attempt, outcome, exchange } = await ask();
    const stored = JSON.stringify([exchange, (await processor.find(attempt)).exchange]);
    for (const secret of ['/pay/', 'ada@example.com', urlIn(outcome)]) expect(stored).not.toContain(secret);
  });
});
