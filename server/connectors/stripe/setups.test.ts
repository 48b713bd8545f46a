import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { fakeFaultKinds } from '../../fakes/faults.ts';
import { parseForm } from '../../fakes/stripe/form.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import { paymentMethodOf } from '../../fakes/stripe/payment_methods.ts';
import type { FakeSetupIntent } from '../../fakes/stripe/shapes.ts';
import { checkReply } from '../ask.ts';
import type { AttemptId, Connector, InquiryOutcome, SetupAttempt, SetupRequest, Traces } from '../contract.ts';
import { createHttp, type WrittenRequest } from '../http.ts';
import { aNumber, aToken, authorization, cardNumber, checking, openScripted, tenant } from './stripe.fixture.ts';

/** Setups at the fake of Stripe. Every request is checked against the description that Stripe publishes. */

let stripe: FakeStripe;
let connector: Connector;
const violations: string[] = [];
const sent: WrittenRequest[] = [];

beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, seed: 1, rawCards: true });
  connector = openScripted(stripe.url, { key: stripe.secretKey, send: checking(createHttp(), violations, sent) });
  await connector.setup!(setupOf()); // somebody else's, for answers that are about another object
});
afterAll(() => stripe.close());
beforeEach(() => {
  stripe.faults.clear();
  sent.length = 0;
});
afterEach(() => expect(violations.splice(0)).toEqual([]));

const returnUrl = 'https://gateway.test/return/1';
const hourMs = 3_600_000;
const asked = (now = Date.now()) => ({ tenant, attempt: newId('att', now), now });
const tokenOf = (token = 'pm_card_visa', customer?: string) => ({ ...aToken, token: new Secret(token), customer });

function setupOf(more: Partial<SetupRequest> = {}): SetupRequest {
  return { ...asked(), setup: 'set_1', instrument: tokenOf(), returnUrl, ...more };
}

/** A card that is attached to a customer at Stripe, as the gateway keeps it. */
async function kept(token: string) {
  const { id } = paymentMethodOf(stripe.world, token);
  const method = { token: new Secret(id), holder: {}, id: newId('pm', Date.now()) };
  const attached = await connector.attachToken!(method);
  return tokenOf(id, (attached as { customer: string }).customer);
}

const about = ({ attempt, setup }: SetupRequest, reference?: string): SetupAttempt => ({ attempt, setup, reference });
const intentsOf = (attempt: AttemptId) =>
  stripe.world.all<FakeSetupIntent>('setup_intent').filter(({ metadata }) => metadata.tollgate_attempt === attempt);
const happened = (attempt: AttemptId) =>
  stripe.books().filter(({ kind, metadata }) => kind === 'setup' && metadata.tollgate_attempt === attempt).length;
const paths = () =>
  sent.map(({ method, path }) => `${method} ${path.split('?')[0]!.replace(/_[A-Za-z0-9]{24}/, '_…')}`);

async function findSetup(request: SetupRequest, reference?: string, now = Date.now()): Promise<InquiryOutcome> {
  const inquiry = { tenant, now, verb: 'setup', attempt: request.attempt, reference, dispute: undefined } as const;
  return (await connector.find({ ...inquiry, authorization: undefined, setup: about(request) })).outcome;
}

async function decide(outcome: { kind: string; url?: string }, decision: 'approve' | 'fail'): Promise<void> {
  expect(outcome.kind).toBe('requires_action');
  await fetch(outcome.url!, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
}

describe('what is sent', () => {
  test('the intent has facts only; the card goes into the confirmation, which is sent once', async () => {
    const request = setupOf({ instrument: aNumber });
    const { outcome } = await connector.setup!(request);
    expect(outcome).toEqual({ kind: 'approved', reference: intentsOf(request.attempt)[0]!.id });
    expect(paths()).toEqual([
      'POST /v1/setup_intents',
      'POST /v1/payment_methods',
      'POST /v1/setup_intents/seti_…/confirm',
    ]);
    expect(parseForm(sent[0]!.body!)).toEqual({
      ...{ usage: 'off_session', allowed_payment_method_types: ['card'] },
      metadata: { tollgate_setup: 'set_1', tollgate_attempt: request.attempt },
    });
    expect(sent.map(({ headers }) => headers['Idempotency-Key'])).toEqual(
      ['create', 'method', 'confirm'].map((step) => `${request.attempt}/${step}`),
    );
    expect(parseForm(sent[2]!.body!)).toEqual({ payment_method: expect.stringMatching(/^pm_/), return_url: returnUrl });
  });

  test('a card of a customer is set up for that customer', async () => {
    const instrument = await kept('pm_card_authenticationRequiredOnSetup');
    sent.length = 0;
    const request = setupOf({ instrument });
    await decide((await connector.setup!(request)).outcome, 'approve');
    expect(paths()[1]).toBe('POST /v1/setup_intents/seti_…');
    expect(intentsOf(request.attempt)[0]).toMatchObject({ status: 'succeeded', customer: instrument.customer });
  });

  test('a number is not sent where the account takes tokens only', async () => {
    const tokensOnly = openScripted(stripe.url, { key: stripe.secretKey, rawCards: false });
    const { outcome } = await tokensOnly.setup!(setupOf({ instrument: aNumber }));
    expect(outcome).toMatchObject({ kind: 'not_sent' });
  });

  test('what is stored has neither the number nor the token', async () => {
    for (const instrument of [aNumber, tokenOf()]) {
      const { exchange } = await connector.setup!(setupOf({ instrument }));
      expect(JSON.stringify(exchange)).not.toMatch(new RegExp(`${cardNumber}|pm_card_visa|sk_test`));
    }
  });
});

describe('the cardholder', () => {
  test.each([
    ['approve', 'pm_card_authenticationRequired', { kind: 'approved' }],
    ['fail', 'pm_card_authenticationRequired', { kind: 'declined', advice: 'authenticate' }],
    ['approve', 'pm_card_threeDSecureRequiredChargeDeclined', { kind: 'declined', code: 'card_declined' }],
  ] as const)('decides: %s of %s', async (decision, token, expected) => {
    const request = setupOf({ instrument: tokenOf(token) });
    const { outcome } = await connector.setup!(request);
    expect(await findSetup(request)).toEqual(outcome);
    await decide(outcome, decision);
    expect(await findSetup(request, (outcome as Traces).reference)).toMatchObject(expected);
    expect(await findSetup(request)).toMatchObject(expected);
  });

  test('is not asked where a challenge is a decline, and the inquiry says the same', async () => {
    const request = setupOf({ instrument: tokenOf('pm_card_authenticationRequired'), declinesChallenge: true });
    const { outcome } = await connector.setup!(request);
    const declined = { kind: 'declined', declineCode: 'authentication_required', advice: 'authenticate' };
    expect(outcome).toMatchObject({ ...declined, awaitsCardholder: true });
    expect(await findSetup(request)).toEqual(outcome);
  });

  test.each([
    ['pm_card_authenticationRequiredOnSetup', 'approved'],
    ['pm_card_authenticationRequired', 'declined'],
  ])('has set %s up: a charge without them is %s', async (token, expected) => {
    const instrument = await kept(token);
    const terms = { instrument, initiator: 'merchant', storedCredential: 'subsequent' } as const;
    expect((await connector.authorize(authorization(terms))).outcome).toMatchObject({
      ...{ kind: 'declined', declineCode: 'authentication_required', advice: 'authenticate' },
    });
    const { outcome } = await connector.setup!(setupOf({ instrument }));
    await decide(outcome, 'approve');
    const { reference } = outcome as Traces;
    const charged = await connector.authorize(authorization({ ...terms, agreementReference: reference }));
    expect(charged.outcome.kind).toBe(expected);
  });
});

/** Whether an outcome claims that it happened; undefined when it claims nothing. */
function claim({ kind }: InquiryOutcome): boolean | undefined {
  return kind === 'approved' ? true : kind === 'unknown' || kind === 'pending' ? undefined : false;
}

describe.each(['/v1/setup_intents', '/confirm'])('a request to %s that goes wrong', (path) => {
  test.each(fakeFaultKinds)('%s: the outcome, or else an inquiry, tells what is in the books', async (kind) => {
    const request = setupOf();
    stripe.faults.add({ kind, method: 'POST', path, ms: 20 });
    const { outcome } = checkReply(request.attempt, await connector.setup!(request));
    const count = happened(request.attempt);
    if (claim(outcome) !== undefined) expect([outcome, claim(outcome)]).toEqual([outcome, count === 1]);
    const found = await findSetup(request, (outcome as Traces).reference);
    expect([found, claim(found)]).toEqual([found, count === 1]);
    expect(happened(request.attempt)).toBe(count); // to ask changes nothing
    expect(intentsOf(request.attempt).length).toBeLessThanOrEqual(1);
  });

  test.each(fakeFaultKinds)(
    '%s: a cancel by its facts ends it, unless it has succeeded, and it cannot come back',
    async (kind) => {
      const request = setupOf();
      stripe.faults.add({ kind, method: 'POST', path, ms: 20 });
      await connector.setup!(request);
      stripe.faults.clear();
      const count = happened(request.attempt);
      const { outcome } = await connector.cancelSetup!({ ...asked(), setup: about(request) });
      expect(outcome.kind).toBe(count === 1 ? 'declined' : 'approved');
      await connector.setup!(request); // late, or again
      expect(happened(request.attempt)).toBe(count);
    },
  );
});

describe('a cancel', () => {
  const waiting = async () => {
    const request = setupOf({ instrument: tokenOf('pm_card_authenticationRequired') });
    const { reference } = (await connector.setup!(request)).outcome as Traces;
    return { request, setup: about(request, reference) };
  };
  const findCancel = async (attempt: AttemptId, setup: SetupAttempt) => {
    const inquiry = { ...asked(), verb: 'cancel', attempt, reference: undefined, dispute: undefined } as const;
    return (await connector.find({ ...inquiry, authorization: undefined, setup })).outcome;
  };

  test.each(fakeFaultKinds)('%s: what it claims is so, and another one ends the setup', async (kind) => {
    const { setup } = await waiting();
    const attempt = newId('att', Date.now());
    stripe.faults.add({ kind, method: 'POST', path: '/cancel', ms: 20 });
    const { outcome } = checkReply(attempt, await connector.cancelSetup!({ ...asked(), attempt, setup }));
    const isCanceled = () => intentsOf(setup.attempt)[0]!.status === 'canceled';
    if (claim(outcome) !== undefined) expect(isCanceled()).toBe(claim(outcome));
    expect((await findCancel(attempt, setup)).kind).toBe(isCanceled() ? 'approved' : 'not_found');
    expect((await connector.cancelSetup!({ ...asked(), attempt, setup })).outcome.kind).toBe('approved');
    expect(isCanceled()).toBe(true);
  });

  test('comes too late for a setup that has succeeded, also while it is sent', async () => {
    const { request, setup } = await waiting();
    await decide((await findSetup(request)) as { kind: string }, 'approve');
    const { outcome } = await connector.cancelSetup!({ ...asked(), setup });
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'setup_succeeded' });
  });

  test('of an intent that Stripe does not know is refused', async () => {
    const setup = { ...about(setupOf()), reference: 'seti_nobody' };
    const { outcome } = await connector.cancelSetup!({ ...asked(), setup });
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'setup_unknown' });
  });

  test('before the customer is named ends the setup, which is a decline', async () => {
    const instrument = await kept('pm_card_authenticationRequired');
    const request = setupOf({ instrument });
    await connector.cancelSetup!({ ...asked(), setup: about(request) });
    const { outcome } = await connector.setup!(request);
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'authorization_canceled', advice: 'later' });
  });
});

describe('an inquiry after a day, when Stripe has forgotten the keys', () => {
  const later = () => Date.now() + 24 * hourMs;

  test('finds the setup in the list of that time, and makes no other', async () => {
    const request = setupOf();
    await connector.setup!(request);
    expect(await findSetup(request, undefined, later())).toMatchObject({ kind: 'approved' });
    expect(paths().at(-2)).toBe('GET /v1/setup_intents');
    expect(intentsOf(request.attempt)).toHaveLength(1);
  });

  test('does not find what was never made', async () => {
    expect(await findSetup(setupOf(), undefined, later())).toEqual({ kind: 'not_found' });
    expect(paths()).toEqual(['GET /v1/setup_intents']);
  });
});

describe('notices', () => {
  /** A poll reads a hundred events. Those before the test do not count. */
  let since: string;
  beforeEach(() => {
    since = String(Math.floor(Date.now() / 1_000));
  });
  const changes = async (attempt: AttemptId) => {
    const { notices } = await connector.poll!({ since, now: Date.now() });
    return notices.filter((notice) => 'attempt' in notice && notice.attempt === attempt);
  };

  test.each([
    ['that has succeeded', 'pm_card_visa', undefined],
    ['that was declined', 'pm_card_visa_chargeDeclined', undefined],
    ['whose cardholder has decided', 'pm_card_authenticationRequired', 'approve'],
  ] as const)('a setup %s is reported', async (_, token, decision) => {
    const request = setupOf({ instrument: tokenOf(token) });
    const { outcome } = await connector.setup!(request);
    if (decision !== undefined) await decide(outcome, decision);
    expect(await changes(request.attempt)).toMatchObject([{ kind: 'attempt_changed', tenant }]);
  });

  test('a setup that was canceled at Stripe is reported, and found declined', async () => {
    const request = setupOf({ instrument: tokenOf('pm_card_authenticationRequired') });
    const { reference } = (await connector.setup!(request)).outcome as Traces;
    stripe.byHand.cancel(reference!);
    expect(await changes(request.attempt)).toMatchObject([{ kind: 'attempt_changed' }]);
    expect(await findSetup(request, reference)).toMatchObject({
      kind: 'declined',
      declineCode: 'authorization_canceled',
    });
  });

  test('a setup of other software is not', async () => {
    const { reference } = (await connector.setup!(setupOf())).outcome as Traces;
    stripe.byHand.unmark(reference!, 'tollgate_attempt');
    const { notices } = await connector.poll!({ since, now: Date.now() });
    expect(notices.filter((notice) => 'attempt' in notice && !notice.attempt)).toEqual([]);
  });
});
