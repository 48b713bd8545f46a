import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { fakeFaultKinds } from '../../fakes/faults.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeConfirmationToken, FakeIntent, FakePaymentMethod } from '../../fakes/stripe/shapes.ts';
import { checkReply } from '../ask.ts';
import type { AuthorizeRequest, Connector, Traces } from '../contract.ts';
import { createHttp } from '../http.ts';
import { authorization, checking, openScripted, tenant } from './stripe.fixture.ts';

/** Cards from Stripe's own fields, against the fake. */

let stripe: FakeStripe;
let connector: Connector;
const violations: string[] = [];
const publishable_key = 'pk_test_12345678';
beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, seed: 1 });
  const send = checking(createHttp(), violations);
  connector = openScripted(stripe.url, { key: stripe.secretKey, send, settings: { publishable_key } });
  await pay();
});
afterAll(() => stripe.close());
beforeEach(() => stripe.faults.clear());
afterEach(() => expect(violations.splice(0)).toEqual([]));

const asked = () => ({ tenant, attempt: newId('att', Date.now()), now: Date.now() });

/** A token as the fields of the browser make it. */
async function tokenOf(payment_method = 'pm_card_visa'): Promise<string> {
  const answer = await fetch(`${stripe.url}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.secretKey}` },
    body: new URLSearchParams({ payment_method, return_url: 'https://elsewhere.example/' }),
  });
  return ((await answer.json()) as { id: string }).id;
}

const requestOf = (token: string, more: Partial<AuthorizeRequest> = {}) =>
  authorization({ instrument: { kind: 'confirmation', token: new Secret(token), holder: {} }, ...more });

async function pay(card = 'pm_card_visa', more: Partial<AuthorizeRequest> = {}) {
  const request = requestOf(await tokenOf(card), more);
  return { request, outcome: (await connector.authorize(request)).outcome };
}

const find = async ({ attempt, payment, money, capture }: AuthorizeRequest) => {
  const about = { attempt, payment, money, capture, reference: undefined };
  const inquiry = {
    verb: 'authorize',
    attempt,
    reference: undefined,
    authorization: about,
    dispute: undefined,
  } as const;
  return (await connector.find({ ...asked(), ...inquiry })).outcome;
};
const intentsOf = ({ attempt }: AuthorizeRequest) =>
  stripe.world.all<FakeIntent>('payment_intent').filter(({ metadata }) => metadata.tollgate_attempt === attempt);

const method = { type: 'card', brand: 'visa', last4: '4242' };

test('a token is charged, used up, and the answer names the card; an inquiry tells the same', async () => {
  const token = await tokenOf();
  const request = requestOf(token);
  const { outcome } = await connector.authorize(request);
  expect(outcome).toMatchObject({ kind: 'approved', method });
  expect(outcome).not.toHaveProperty('kept');
  expect(await find(request)).toEqual(outcome);
  expect(intentsOf(request)).toHaveLength(1);
  expect((stripe.world.find(token) as FakeConfirmationToken).payment_intent).toBe(intentsOf(request)[0]!.id);
});

test('a token that was used, is not known, has expired or is none is declined before anything is made', async () => {
  const used = await tokenOf();
  await connector.authorize(requestOf(used));
  const old = await tokenOf();
  const late = { now: Date.now() + 13 * 3_600_000 };
  for (const [token, code, more] of [
    [used, 'confirmation_token_used', {}],
    ['ctoken_none', 'confirmation_token_unknown', {}],
    ['pm_card_visa', 'confirmation_token_unknown', {}],
    ['ctoken_../payment_intents', 'confirmation_token_unknown', {}],
    [old, 'confirmation_token_expired', late],
  ] as const) {
    const request = requestOf(token, more);
    const { outcome } = await connector.authorize(request);
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: code, advice: 'another_method' });
    expect(intentsOf(request)).toEqual([]);
  }
});

test('what it carries is told before it is used, with what is equal for equal cards', async () => {
  const [one, other, third] = [await tokenOf(), await tokenOf(), await tokenOf('pm_card_mastercard')];
  const [first, second, last] = await Promise.all(
    [one, other, third].map((token) => connector.retrieveConfirmation!(new Secret(token))),
  );
  expect(first).toMatchObject({ brand: 'visa', last4: '4242', fingerprint: expect.any(String) });
  expect(second!.fingerprint).toBe(first!.fingerprint);
  expect(last!.fingerprint).not.toBe(first!.fingerprint);
  expect((stripe.world.find(one) as FakeConfirmationToken).payment_intent).toBeNull();
  await connector.authorize(requestOf(one));
  expect(await connector.retrieveConfirmation!(new Secret(one))).toBeUndefined();
  stripe.faults.add({ kind: 'reset_before', method: 'GET', path: '/v1/confirmation_tokens', times: 9 });
  await expect(connector.retrieveConfirmation!(new Secret(other))).rejects.toThrow('did not answer');
});

test('a decline names the card', async () => {
  const { request, outcome } = await pay('pm_card_visa_chargeDeclinedInsufficientFunds');
  const declined = { kind: 'declined', declineCode: 'insufficient_funds', method: { type: 'card', last4: '9995' } };
  expect(outcome).toMatchObject(declined);
  expect(await find(request)).toMatchObject(declined);
});

test.each([
  ['a card whose bank asks', 'pm_card_authenticationRequired', {}],
  ['every card, where that is wanted', 'pm_card_visa', { authentication: 'always' as const }],
])('%s gets a page of Stripe, which leads back to the gateway', async (_, card, more) => {
  const { request, outcome } = await pay(card, more);
  expect(outcome).toMatchObject({ kind: 'requires_action', url: expect.stringContaining('/_fake/challenge/') });
  const next = intentsOf(request)[0]!.next_action;
  expect(next?.redirect_to_url?.return_url).toBe(request.returnUrl);
  const body = new URLSearchParams({ decision: 'approve' });
  await fetch((outcome as { url: string }).url, { method: 'POST', body, redirect: 'manual' });
  expect(await find(request)).toMatchObject({ kind: 'approved', method: { type: 'card' } });
});

test('a card that is to be kept belongs to a customer of its own, and is charged without the cardholder', async () => {
  const { request, outcome } = await pay('pm_card_visa', { storedCredential: 'first', payment: 'py_kept' });
  const { kept } = outcome as Traces;
  expect(kept).toMatchObject({ card: { brand: 'visa', last4: '4242' } });
  expect(((await find(request)) as Traces).kept).toEqual(kept);
  const [stored] = stripe.world
    .all<FakePaymentMethod>('payment_method')
    .filter(({ customer }) => customer === kept!.customer);
  expect(stored).toBeDefined();
  const again = authorization({
    instrument: { kind: 'token', token: kept!.token, customer: kept!.customer, holder: {} },
    initiator: 'merchant',
    storedCredential: 'subsequent',
  });
  expect((await connector.authorize(again)).outcome.kind).toBe('approved');
  expect(await connector.forget!({ customer: kept!.customer, id: 'pm_kept' })).toBe('forgotten');
});

test.each([
  ['SHOP WIEN', 'SHOP WIEN'],
  ['SHOP WITH A LONG NAME', null], // which Stripe refuses beside the account's own
])(
  'the statement of the cardholder has %s: %s; the merchant reads what was sold',
  async (statementDescriptor, shown) => {
    const description = 'Teapot × 2';
    const { request, outcome } = await pay('pm_card_visa', { statementDescriptor, description });
    expect(outcome.kind).toBe('approved');
    expect(intentsOf(request)[0]).toMatchObject({ statement_descriptor_suffix: shown, description });
    expect(await find(request)).toEqual(outcome);
  },
);

describe('under faults', () => {
  test.each(fakeFaultKinds.flatMap((kind) => [[kind, '/v1/payment_intents'] as const, [kind, '/confirm'] as const]))(
    '%s at %s: the outcome, or else an inquiry, tells what is in the books',
    async (kind, path) => {
      const request = requestOf(await tokenOf());
      stripe.faults.add({ kind, method: 'POST', path, ms: 20 });
      const { outcome } = checkReply(request.attempt, await connector.authorize(request));
      stripe.faults.clear();
      const charges = () =>
        stripe.books().filter((one) => one.kind === 'charge' && one.metadata.tollgate_attempt === request.attempt);
      const count = charges().length;
      expect(count).toBeLessThanOrEqual(1);
      if (outcome.kind === 'approved') expect(count).toBe(1);
      if (outcome.kind === 'declined' || outcome.kind === 'not_sent') expect(count).toBe(0);
      const found = await find(request);
      expect(found).toMatchObject(count === 1 ? { kind: 'approved', method } : { kind: 'not_found' });
      expect(intentsOf(request).length).toBeLessThanOrEqual(1);
      expect(charges()).toHaveLength(count);
    },
  );

  test('a token that cannot be looked at moves nothing', async () => {
    const request = requestOf(await tokenOf());
    stripe.faults.add({ kind: 'reset_after', method: 'GET', path: '/v1/confirmation_tokens', times: 9 });
    expect((await connector.authorize(request)).outcome.kind).toBe('not_sent');
    expect(intentsOf(request)).toEqual([]);
  });
});

test('a card is set up, kept, and nothing is charged', async () => {
  const token = new Secret(await tokenOf());
  const request = { ...asked(), setup: 'set_fields', returnUrl: 'https://gateway.test/return' };
  const { outcome } = await connector.setup!({ ...request, instrument: { kind: 'confirmation', token, holder: {} } });
  expect(outcome).toMatchObject({ kind: 'approved', method, kept: { card: { last4: '4242' } } });
  const { attempt, setup } = request;
  const about = { authorization: undefined, dispute: undefined, setup: { attempt, setup, reference: undefined } };
  const found = await connector.find({ ...asked(), attempt, verb: 'setup', reference: undefined, ...about });
  expect(found.outcome).toEqual(outcome);
});

describe('the fields', () => {
  test('need the publishable key, and list what the browser loads', () => {
    expect(openScripted(stripe.url).describe().fields).toBeUndefined();
    const { fields } = openScripted('https://api.stripe.com', { settings: { publishable_key } }).describe();
    expect(fields).toMatchObject({
      script: 'https://js.stripe.com/endive/stripe.js',
      publicConfig: { publishable_key },
    });
    expect(fields!.hosts.map(({ origin, use }) => `${use} ${origin}`)).toEqual([
      'script https://js.stripe.com',
      'frame https://js.stripe.com',
      'script https://*.js.stripe.com',
      'frame https://*.js.stripe.com',
      'frame https://hooks.stripe.com',
      'connect https://api.stripe.com',
    ]);
    for (const { reason } of fields!.hosts) expect(reason).not.toBe('');
  });

  test('come from the fake where the API does', async () => {
    const { script, hosts } = connector.describe().fields!;
    expect(hosts.every(({ origin }) => origin === stripe.url)).toBe(true);
    expect(await (await fetch(script)).text()).toContain('createConfirmationToken');
  });
});
