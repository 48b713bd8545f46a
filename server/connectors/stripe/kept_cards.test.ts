import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { fakeFaultKinds } from '../../fakes/faults.ts';
import { parseForm } from '../../fakes/stripe/form.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeCustomer, FakeIntent, FakePaymentMethod, FakeSetupIntent } from '../../fakes/stripe/shapes.ts';
import type { AuthorizeRequest, Connector, Instrument, KeptCard, SetupRequest, Traces } from '../contract.ts';
import { createHttp, type WrittenRequest } from '../http.ts';
import { authorization, checking, openScripted, tenant } from './stripe.fixture.ts';

/** Card numbers that Stripe keeps for charges without the cardholder. Every request is checked against Stripe's own description. */

let stripe: FakeStripe;
let connector: Connector;
const violations: string[] = [];
const sent: WrittenRequest[] = [];

beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, seed: 1, rawCards: true });
  connector = openScripted(stripe.url, { key: stripe.secretKey, send: checking(createHttp(), violations, sent) });
});
afterAll(() => stripe.close());
beforeEach(() => {
  stripe.faults.clear();
  sent.length = 0;
});
afterEach(() => expect(violations.splice(0)).toEqual([]));

const onSetup = '4000002500003155'; // the cardholder authenticates once
const everyTime = '4000002760003184';
const plain = '4242424242424242';
const newMethodId = () => newId('pm', Date.now());
const soon = () => Date.now() + 10_000;

function cardOf(number: string, kept?: KeptCard, more: Partial<Instrument<'card'>> = {}): Instrument<'card'> {
  const expiry = { expMonth: 12, expYear: 2040 };
  return {
    kind: 'card',
    number: new Secret(number),
    cvc: undefined,
    ...expiry,
    holder: { name: 'Ada' },
    kept,
    ...more,
  };
}

const keepCard = (id = newMethodId()) => connector.keepCard!({ id, deadline: soon() });
const asked = () => ({ tenant, attempt: newId('att', Date.now()), now: Date.now() });
const setUp = (instrument: Instrument) => {
  const request: SetupRequest = { ...asked(), setup: 'set_1', instrument, returnUrl: 'https://gateway.test/return/1' };
  return connector.setup!(request);
};
const charge = (instrument: Instrument, more: Partial<AuthorizeRequest> = {}) =>
  connector.authorize(authorization({ instrument, storedCredential: 'first', ...more }));
const chargeAlone = (instrument: Instrument, more: Partial<AuthorizeRequest> = {}) =>
  charge(instrument, { initiator: 'merchant', storedCredential: 'subsequent', ...more });

/** The cardholder agrees at the bank, where the bank asks. */
async function agreed(reply: Awaited<ReturnType<typeof setUp>>): Promise<string> {
  const { outcome } = reply;
  if (outcome.kind === 'requires_action') {
    const body = new URLSearchParams({ decision: 'approve' });
    await fetch(outcome.url, { method: 'POST', body, redirect: 'manual' });
  } else expect(outcome.kind).toBe('approved');
  return (outcome as Traces).reference!;
}

/** A card that was set up, and is kept. */
async function kept(number: string, more: Partial<Instrument<'card'>> = {}): Promise<KeptCard> {
  const customer = await keepCard();
  const agreement = await agreed(await setUp(cardOf(number, { customer, agreement: undefined }, more)));
  sent.length = 0;
  return { customer, agreement };
}

const paths = () =>
  sent.map(({ method, path }) => `${method} ${path.split('?')[0]!.replace(/_[A-Za-z0-9]{24}/, '_…')}`);
const methodsOf = ({ customer }: KeptCard) =>
  stripe.world.all<FakePaymentMethod>('payment_method').filter((one) => one.customer === customer);
const intentOf = (id: string) => stripe.world.find(id) as FakeIntent | FakeSetupIntent;
const marked = (id: string) =>
  stripe.world.all<FakeCustomer>('customer').filter(({ metadata }) => metadata.tollgate_payment_method === id);

async function askStripe(method: 'POST' | 'DELETE', path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${stripe.secretKey}` };
  expect((await fetch(`${stripe.url}${path}`, { method, headers })).status).toBe(200);
}

describe('the customer of a card', () => {
  test('has our mark and nothing about its holder, and is made once', async () => {
    const id = newMethodId();
    const customer = await keepCard(id);
    expect(await keepCard(id)).toBe(customer);
    expect(marked(id)).toMatchObject([{ id: customer, name: null, email: null }]);
    expect(await connector.forget!({ customer, id })).toBe('forgotten');
  });

  test('is not made by an account that takes tokens only', () => {
    expect(openScripted(stripe.url, { key: stripe.secretKey, rawCards: false }).keepCard).toBeUndefined();
  });

  test.each(fakeFaultKinds)('%s: there is one at most, and its name is right', async (kind) => {
    const id = newMethodId();
    stripe.faults.add({ kind, method: 'POST', path: '/v1/customers', ms: 20 });
    const made = await keepCard(id).catch(() => undefined);
    expect(marked(id).length).toBeLessThanOrEqual(1);
    if (made !== undefined) expect(marked(id)).toMatchObject([{ id: made }]);
  });
});

describe('a setup', () => {
  test('attaches the card, which is then charged without the cardholder', async () => {
    const customer = await keepCard();
    sent.length = 0;
    const card = { customer, agreement: undefined };
    const agreement = await agreed(await setUp(cardOf(onSetup, card)));
    expect(paths()).toEqual([
      'POST /v1/setup_intents',
      'POST /v1/setup_intents/seti_…',
      'POST /v1/payment_methods',
      'POST /v1/setup_intents/seti_…/confirm',
    ]);
    expect(intentOf(agreement)).toMatchObject({ status: 'succeeded', customer });
    sent.length = 0;
    const { outcome, exchange } = await chargeAlone(cardOf(onSetup, { customer, agreement }));
    expect(outcome.kind).toBe('approved');
    expect(paths()).toEqual([
      'POST /v1/payment_intents',
      'GET /v1/setup_intents/seti_…',
      'POST /v1/payment_intents/pi_…',
      'POST /v1/payment_intents/pi_…/confirm',
    ]);
    const [method, ...more] = methodsOf(card);
    expect(parseForm(sent[3]!.body!)).toMatchObject({ payment_method: method!.id, off_session: 'true' });
    expect(more).toEqual([]);
    expect(JSON.stringify(exchange)).not.toMatch(new RegExp(`${onSetup}|${method!.id}`));
  });

  test('of a card that has to be authenticated each time does not help', async () => {
    const { outcome } = await chargeAlone(cardOf(everyTime, await kept(everyTime)));
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'authentication_required', advice: 'authenticate' });
  });

  test('that fails keeps nothing', async () => {
    const card = { customer: await keepCard(), agreement: undefined };
    expect((await setUp(cardOf('4000000000000002', card))).outcome.kind).toBe('declined');
    expect(methodsOf(card)).toEqual([]);
  });
});

describe('a charge with the cardholder', () => {
  test('keeps the card too, and the next one makes no second payment method', async () => {
    const customer = await keepCard();
    const first = { customer, agreement: undefined };
    const agreement = await agreed(await charge(cardOf(onSetup, first, { cvc: new Secret('123') })));
    expect(intentOf(agreement)).toMatchObject({ status: 'succeeded', customer, setup_future_usage: 'off_session' });
    expect((await chargeAlone(cardOf(onSetup, { customer, agreement }))).outcome.kind).toBe('approved');
    const next = await agreed(await charge(cardOf(onSetup, { customer, agreement })));
    expect((await chargeAlone(cardOf(onSetup, { customer, agreement: next }))).outcome.kind).toBe('approved');
    expect(methodsOf(first)).toHaveLength(1);
  });

  test('with a security code is made by the number that the code came with', async () => {
    const card = await kept(plain);
    await charge(cardOf(plain, card, { cvc: new Secret('123') }));
    expect(paths()).not.toContain('GET /v1/setup_intents/seti_…');
    expect(parseForm(sent.find(({ path }) => path === '/v1/payment_methods')!.body!)).toMatchObject({
      card: { cvc: '123' },
    });
    expect(methodsOf(card)).toHaveLength(2);
  });

  test('of a number that belongs to nobody keeps nothing', async () => {
    const { outcome } = await charge(cardOf(plain), { storedCredential: 'none' });
    expect(intentOf((outcome as Traces).reference!)).toMatchObject({ customer: null, setup_future_usage: null });
  });
});

describe('the expiry', () => {
  test.each([
    ['is changed at Stripe where it is later here', 2041, 2041],
    ['stays as Stripe has learnt it where that is later', 2039, 2040],
  ])('%s', async (_, expYear, expected) => {
    const card = await kept(onSetup);
    expect((await chargeAlone(cardOf(onSetup, card, { expYear }))).outcome.kind).toBe('approved');
    expect(methodsOf(card)).toMatchObject([{ card: { exp_month: 12, exp_year: expected } }]);
  });
});

describe('what was removed at Stripe by hand', () => {
  type Removal = (card: KeptCard) => Promise<KeptCard>;
  const removals: Record<string, Removal> = {
    'the customer is gone': async (card) => {
      await askStripe('DELETE', `/v1/customers/${card.customer}`);
      return card;
    },
    'the card is detached': async (card) => {
      await askStripe('POST', `/v1/payment_methods/${methodsOf(card)[0]!.id}/detach`);
      return card;
    },
    'the intent is not there': async (card) => ({ ...card, agreement: 'seti_nobody' }),
    'the card is of another customer': async ({ agreement }) => ({ agreement, customer: await keepCard() }),
    'the agreement has no name that Stripe gives': async (card) => ({ ...card, agreement: '../customers' }),
  };

  test.each(Object.entries(removals))('%s: the number is charged, as if it were not kept', async (_, remove) => {
    for (const [number, expected] of [
      [plain, { kind: 'approved' }],
      [onSetup, { kind: 'declined', declineCode: 'authentication_required' }],
    ] as const) {
      const card = await remove(await kept(number));
      expect((await chargeAlone(cardOf(number, card))).outcome).toMatchObject(expected);
    }
  });

  test('the customer is gone: a charge with the cardholder is made without it', async () => {
    const card = await removals['the customer is gone']!(await kept(plain));
    expect((await charge(cardOf(plain, card))).outcome.kind).toBe('approved');
  });
});

describe.each(['/v1/setup_intents/', '/v1/payment_intents/'])('a request to %s that goes wrong', (path) => {
  test.each(fakeFaultKinds)('%s: a charge is made with the kept card, or not sent, or unknown', async (kind) => {
    const card = await kept(onSetup);
    stripe.faults.add({ kind, path, ms: 20 });
    const request = authorization({
      ...{ instrument: cardOf(onSetup, card), initiator: 'merchant', storedCredential: 'subsequent' },
    });
    const { outcome } = await connector.authorize(request);
    const charges = stripe
      .books()
      .filter((one) => one.kind === 'charge' && one.metadata.tollgate_attempt === request.attempt);
    if (outcome.kind !== 'unknown')
      expect([outcome.kind, charges.length]).toEqual([outcome.kind, Number(outcome.kind === 'approved')]);
    expect(['approved', 'not_sent', 'unknown']).toContain(outcome.kind);
    expect(methodsOf(card)).toHaveLength(1);
  });
});
