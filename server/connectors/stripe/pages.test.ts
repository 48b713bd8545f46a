import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { fakeFaultKinds } from '../../fakes/faults.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeCheckoutSession, FakeCustomer, FakeIntent, FakeSetupIntent } from '../../fakes/stripe/shapes.ts';
import { isTorture } from '../../test/torture.ts';
import { checkReply } from '../ask.ts';
import type { AuthorizeRequest, Connector, Instrument, ProcessorOutcome, RequestedPage, Traces } from '../contract.ts';
import { createHttp } from '../http.ts';
import { pageOf } from '../processor.fixture.ts';
import { authorization, checking, openScripted, tenant } from './stripe.fixture.ts';
import { payOn } from './world.fixture.ts';

/** Stripe's pages against the fake, beside what `contract_pages.test.ts` asks of every processor. */

let stripe: FakeStripe;
let connector: Connector;
const violations: string[] = [];
beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, seed: 1 });
  connector = openScripted(stripe.url, { key: stripe.secretKey, send: checking(createHttp(), violations) });
  await connector.authorize(request()); // somebody else's page, for answers that are about another one
});
afterAll(() => stripe.close());
beforeEach(() => stripe.faults.clear());
afterEach(() => expect(violations.splice(0)).toEqual([]));

const asked = () => ({ tenant, attempt: newId('att', Date.now()), now: Date.now() });

type PageRequest = AuthorizeRequest & { instrument: Instrument<'page'> };
const request = (more: Partial<Instrument<'page'>> = {}, rest: Partial<AuthorizeRequest> = {}): PageRequest => {
  const instrument = pageOf(more);
  return { ...authorization({ ...rest, instrument }), instrument };
};

/** What the gateway knows of an attempt whose answer never came. */
function factsOf(asks: PageRequest) {
  const { attempt, payment, money, capture, instrument, returnUrl, authentication, statementDescriptor, description } =
    asks;
  const { kind: _, holder: __, ...terms } = instrument;
  const page: RequestedPage = { ...terms, returnUrl, authentication, statementDescriptor, description };
  return { attempt, payment, money, capture, reference: undefined, page };
}
const find = async (asks: PageRequest, more: { now?: number; reference?: string } = {}) => {
  const inquiry = { verb: 'authorize', attempt: asks.attempt, dispute: undefined, reference: undefined } as const;
  return (await connector.find({ ...asked(), ...inquiry, authorization: factsOf(asks), ...more })).outcome;
};
const sessionsOf = ({ attempt }: PageRequest) =>
  stripe.world
    .all<FakeCheckoutSession>('checkout.session')
    .filter(({ metadata }) => metadata.tollgate_attempt === attempt);
const chargesOf = ({ attempt }: PageRequest) =>
  stripe.books().filter(({ kind, metadata }) => kind === 'charge' && metadata.tollgate_attempt === attempt);
const urlIn = (outcome: ProcessorOutcome | { kind: string }) => (outcome as { url: string }).url;

describe('the request', () => {
  test('has what is bought, our marks, the way back, and the end of the page', async () => {
    const asks = request({ locale: 'de-AT', expiresAt: Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000 });
    const { outcome } = await connector.authorize(asks);
    const { attempt, payment, instrument, returnUrl } = asks;
    const [session] = sessionsOf(asks);
    expect(outcome).toMatchObject({ kind: 'requires_action', expiresAt: instrument.expiresAt, reference: session!.id });
    expect(session).toMatchObject({
      ...{ mode: 'payment', ui_mode: 'hosted_page', client_reference_id: attempt, locale: 'de', amount_total: 1_000 },
      ...{ success_url: returnUrl, cancel_url: returnUrl, customer_email: 'ada@example.com' },
      ...{
        metadata: { tollgate_attempt: attempt, tollgate_payment: payment },
        expires_at: instrument.expiresAt / 1_000,
      },
    });
    expect(stripe.world.checkouts.get(session!.id)!.lines).toMatchObject([{ name: 'A cup of tea', quantity: 2 }]);
  });

  test.each<[string, Partial<Instrument<'page'>>, object]>([
    [
      'lines that add up',
      { lines: [line('A', 2, 600), line('B', 1, 400)] },
      [{ name: 'A', quantity: 2 }, { name: 'B' }],
    ],
    ['an amount that does not divide', { lines: [line('A', 3, 1_000)] }, [{ name: '3 × A', quantity: 1 }]],
    ['lines that do not add up', { lines: [line('A', 1, 900), line('B', 1, 400)] }, [{ name: 'A, B', amount: 1_000 }]],
    ['no lines', { lines: [] }, [{ name: 'Payment', amount: 1_000 }]],
    ['a line of nothing', { lines: [line('A', 1, 1_000), line('B', 1, 0)] }, [{ name: 'A, B', amount: 1_000 }]],
    ['a name of 500 characters', { lines: [line('x'.repeat(500), 1, 1_000)] }, [{ name: 'x'.repeat(250) }]],
  ])('%s', async (_, more, lines) => {
    const asks = request(more);
    expect((await connector.authorize(asks)).outcome.kind).toBe('requires_action');
    expect(stripe.world.checkouts.get(sessionsOf(asks)[0]!.id)!.lines).toMatchObject(lines);
  });

  test.each([
    ['auto', 'auto'],
    ['pt-BR', 'pt-BR'],
    ['ar', 'auto'],
    ['zh', 'zh'],
  ])('the locale %s is %s at Stripe', async (locale, at) => {
    const asks = request({ locale });
    await connector.authorize(asks);
    expect(sessionsOf(asks)[0]!.locale).toBe(at);
  });

  test('an amount below the smallest is declined, and an end that is too early', async () => {
    const money = { amount: 1, currency: 'eur' };
    expect((await connector.authorize(request({}, { money }))).outcome).toMatchObject({ kind: 'declined' });
    const early = await connector.authorize(request({ expiresAt: Date.now() + 60_000 }));
    expect(early.outcome).toMatchObject({ kind: 'declined' });
  });
});

function line(name: string, quantity: number, amount: number) {
  return { name, quantity, amount };
}

test.each([
  ['SHOP WIEN', 'SHOP WIEN'],
  ['SHOP WITH A LONG NAME', null], // which Stripe refuses beside the account's own
])(
  'the statement of the cardholder has %s: %s; the merchant reads what was sold',
  async (statementDescriptor, shown) => {
    const description = 'Teapot × 2';
    const asks = request({}, { statementDescriptor, description });
    const { outcome } = await connector.authorize(asks);
    expect(await find(asks)).toEqual(outcome);
    expect(sessionsOf(asks)).toHaveLength(1);
    await payOn(urlIn(outcome), 'visa');
    const intent = stripe.world.find(sessionsOf(asks)[0]!.payment_intent as string) as FakeIntent;
    expect(intent).toMatchObject({ statement_descriptor_suffix: shown, description });
  },
);

/** Every fault under torture, and some of them each time. */
const faults = fakeFaultKinds.filter((_, at) => isTorture || at % 2 === 0);

describe('under faults', () => {
  test.each(fakeFaultKinds)('%s: a page is asked for once, found, paid once, and found paid', async (kind) => {
    const asks = request();
    stripe.faults.add({ kind, method: 'POST', path: '/v1/checkout/sessions', ms: 20 });
    const { outcome } = checkReply(asks.attempt, await connector.authorize(asks));
    expect(['requires_action', 'unknown', 'not_sent']).toContain(outcome.kind);
    stripe.faults.clear();
    const found = await find(asks);
    // Stripe repeats this error under the key, and has made nothing.
    if (kind === 'error_500_before') return expect([found.kind, sessionsOf(asks).length]).toEqual(['not_found', 0]);
    expect(found.kind).toBe('requires_action');
    expect(sessionsOf(asks)).toHaveLength(1);
    await payOn(urlIn(found), 'visa');
    expect(await find(asks)).toMatchObject({ kind: 'approved', method: { brand: 'visa', last4: '4242' } });
    expect(chargesOf(asks)).toHaveLength(1);
  });

  test.each(faults)('%s: a page that is closed was not paid, and one that was paid is not closed', async (kind) => {
    const [closing, paid] = [request(), request()];
    const url = urlIn((await connector.authorize(closing)).outcome);
    await payOn(urlIn((await connector.authorize(paid)).outcome), 'visa');
    for (const asks of [closing, paid]) {
      stripe.faults.add({ kind, method: 'POST', path: '/expire', ms: 20 });
      const cancel = { ...asked(), authorization: factsOf(asks), unlessPaid: true };
      const { outcome } = await connector.cancel!(cancel);
      stripe.faults.clear();
      const again = (await connector.cancel!(cancel)).outcome;
      expect(again.kind).toBe(asks === paid ? 'already_paid' : 'approved');
      expect([again.kind, 'unknown', 'not_sent']).toContain(outcome.kind);
    }
    await payOn(url, 'visa');
    expect([chargesOf(closing).length, chargesOf(paid).length]).toEqual([0, 1]);
  });

  test('no answer to the close is unknown', async () => {
    const asks = request();
    await connector.authorize(asks);
    stripe.faults.add({ kind: 'reset_before', method: 'POST', path: '/expire', times: 9 });
    const cancel = { ...asked(), authorization: factsOf(asks), unlessPaid: true };
    expect((await connector.cancel!(cancel)).outcome.kind).toBe('unknown');
  });

  test('after a day the key is forgotten: the page is listed, and none is asked for again', async () => {
    const asks = request();
    const { outcome } = await connector.authorize(asks);
    await payOn(urlIn(outcome), 'visa');
    const later = Date.now() + 24 * 3_600_000;
    expect(await find(asks, { now: later })).toMatchObject({ kind: 'approved', method: { last4: '4242' } });
    expect(sessionsOf(asks)).toHaveLength(1);
    expect(await find(request(), { now: later })).toEqual({ kind: 'not_found' });
  });
});

test('a cancel that gives back refunds a page that was paid', async () => {
  const asks = request();
  await payOn(urlIn((await connector.authorize(asks)).outcome), 'visa');
  const { outcome } = await connector.cancel!({ ...asked(), authorization: factsOf(asks) });
  expect(outcome.kind).toBe('approved');
  expect(
    stripe.books().filter(({ kind, metadata }) => kind === 'refund' && metadata.tollgate_reversal === asks.attempt),
  ).toHaveLength(1);
});

test('the customer that Stripe makes for a card that is kept gets the mark of its payment method', async () => {
  const asks = request({ save: true }, { storedCredential: 'first', payment: 'py_abc' });
  const { outcome } = await connector.authorize(asks);
  await payOn(urlIn(outcome), 'mastercard');
  const { kept } = (await find(asks)) as Traces;
  expect(kept).toMatchObject({ card: { brand: 'mastercard', last4: '4444', expMonth: 12, expYear: 2_040 } });
  const customer = stripe.world.find(kept!.customer) as FakeCustomer;
  expect(customer).toMatchObject({ email: 'ada@example.com', metadata: { tollgate_payment_method: 'pm_abc' } });
  expect(await connector.forget!({ customer: kept!.customer, id: 'pm_abc' })).toBe('forgotten');
});

test('its notices lead to an inquiry, and its end as well', async () => {
  const [paid, ended] = [request(), request()];
  await payOn(urlIn((await connector.authorize(paid)).outcome), 'visa');
  await connector.authorize(ended);
  await connector.cancel!({ ...asked(), authorization: factsOf(ended), unlessPaid: true });
  const { notices } = await connector.poll!({ since: undefined, now: Date.now() });
  const about = (asks: PageRequest) => notices.filter((one) => 'attempt' in one && one.attempt === asks.attempt);
  expect(about(paid).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['attempt_changed']));
  expect(about(ended).map(({ kind }) => kind)).toEqual(['attempt_changed']);
});

describe('a setup', () => {
  const setUp = (more: Partial<Instrument<'page'>> = {}) => {
    const instrument = pageOf(more);
    return { ...asked(), setup: 'set_1', instrument, returnUrl: 'https://gateway.test/return' };
  };
  const about = ({ attempt, setup, instrument, returnUrl }: ReturnType<typeof setUp>) => {
    const { kind: _, holder: __, ...terms } = instrument;
    return { attempt, setup, reference: undefined, page: { ...terms, returnUrl } };
  };
  const findSetup = async (asks: ReturnType<typeof setUp>) => {
    const inquiry = { verb: 'setup', attempt: asks.attempt, reference: undefined } as const;
    const facts = { authorization: undefined, dispute: undefined, setup: about(asks) };
    return (await connector.find({ ...asked(), ...inquiry, ...facts })).outcome;
  };

  test('a card is saved on the page, kept, and nothing is charged', async () => {
    const asks = setUp();
    const { outcome } = await connector.setup!(asks);
    expect(outcome.kind).toBe('requires_action');
    await payOn(urlIn(outcome), 'visa');
    const done = (await findSetup(asks)) as Traces & { kind: string };
    expect(done).toMatchObject({
      kind: 'approved',
      method: { type: 'card', brand: 'visa' },
      kept: { card: { last4: '4242' } },
    });
    expect(done.reference).toMatch(/^seti_/);
    expect((stripe.world.find(done.reference!) as FakeSetupIntent).status).toBe('succeeded');
    const canceled = await connector.cancelSetup!({ ...asked(), setup: about(asks) });
    expect(canceled.outcome).toMatchObject({ kind: 'declined', declineCode: 'setup_succeeded' });
  });

  test('a page that is closed before it is asked for never takes effect', async () => {
    const asks = setUp();
    for (let times = 0; times < 2; times++)
      expect((await connector.cancelSetup!({ ...asked(), setup: about(asks) })).outcome.kind).toBe('approved');
    expect((await connector.setup!(asks)).outcome.kind).toBe('declined');
    expect((await findSetup(asks)).kind).toBe('declined');
  });
});
