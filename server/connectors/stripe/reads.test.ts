import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { Connector } from '../contract.ts';
import { apiVersion } from './conversation.ts';
import {
  aToken,
  authorization,
  badKey,
  failure,
  forbidden,
  ok,
  openScripted,
  rateLimit,
  type Scripted,
  type ScriptedStripe,
  startScriptedStripe,
  tenant,
} from './stripe.fixture.ts';

let stripe: ScriptedStripe;
beforeAll(async () => {
  stripe = await startScriptedStripe();
});
afterAll(() => stripe.close());

/** An account at a new fake Stripe. */
async function atFake(): Promise<{ fake: FakeStripe; connector: Connector }> {
  const fake = await startFakeStripe({ port: 0 });
  const { secretKey, url } = fake;
  return { fake, connector: openScripted(url, { key: secretKey }) };
}

test('the version of the API is the one that the official package knows', async () => {
  const { default: Official } = await import('stripe');
  expect(Official.API_VERSION).toBe(apiVersion);
});

describe('a card that Stripe keeps', () => {
  test('is looked up, kept once, and charged again without its cardholder', async () => {
    const { fake, connector } = await atFake();
    const made = await connector.retrieveToken!(new Secret('pm_card_mastercard'));
    expect(made).toMatchObject({ brand: 'mastercard', last4: '4444', customer: undefined });
    const official = new (await import('stripe')).default(fake.secretKey, {
      host: '127.0.0.1',
      port: fake.port,
      protocol: 'http',
    });
    const { id: token } = await official.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const request = { token: new Secret(token), holder: { name: 'Ada', email: 'ada@example.com' }, id: 'pm_1' };
    const kept = await connector.attachToken!(request);
    expect(await connector.attachToken!(request)).toEqual(kept);
    const { customer } = kept as { customer: string };
    expect(await connector.retrieveToken!(request.token)).toMatchObject({ brand: 'visa', last4: '4242', customer });
    expect(await official.customers.retrieve(customer)).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
    const instrument = { ...aToken, token: request.token, customer };
    for (const terms of [
      { initiator: 'cardholder', storedCredential: 'first' },
      { initiator: 'merchant', storedCredential: 'subsequent' },
    ] as const)
      expect((await connector.authorize(authorization({ instrument, ...terms }))).outcome.kind).toBe('approved');
    expect(fake.books().map(({ kind }) => kind)).toEqual(['charge', 'charge']);
    await fake.close();
  });

  test.each<[string, Scripted]>([
    ['unknown', failure(404, { type: 'invalid_request_error', code: 'resource_missing' })],
    ['not a card', ok({ id: 'pm_1', object: 'payment_method', type: 'sepa_debit' })],
  ])('that is %s is none', async (_, shown) => {
    stripe.behave(() => shown);
    expect(await openScripted(stripe.url).retrieveToken!(new Secret('pm_1'))).toBeUndefined();
  });

  test('a token that could be another path is not sent', async () => {
    stripe.behave(() => 'garbage');
    for (const token of ['', 'tok_1', 'pm_1/attach', '../account', 'pm_1?x'])
      expect(await openScripted(stripe.url).retrieveToken!(new Secret(token))).toBeUndefined();
    expect(stripe.seen).toEqual([]);
  });

  test('a brand that the gateway does not know is unknown', async () => {
    const card = { brand: 'eftpos_au', last4: '0001', exp_month: 1, exp_year: 2030 };
    stripe.behave(() => ok({ id: 'pm_1', object: 'payment_method', card, customer: null }));
    expect(await openScripted(stripe.url).retrieveToken!(new Secret('pm_1'))).toMatchObject({ brand: 'unknown' });
  });

  test('a card that its bank refuses is not kept, and the reason is returned', async () => {
    stripe.behave(({ path }) =>
      path === '/v1/customers'
        ? ok({ id: 'cus_1', metadata: { tollgate_payment_method: 'pm_9' } })
        : failure(402, { type: 'card_error', code: 'card_declined', message: 'No.' }),
    );
    const request = { token: new Secret('pm_1'), holder: {}, id: 'pm_9' };
    expect(await openScripted(stripe.url).attachToken!(request)).toEqual({ refused: 'No.' });
    expect(stripe.seen.map(({ key }) => key)).toEqual(['pm_9/customer', 'pm_9/attach']);
  });

  test('without an answer the caller learns so', async () => {
    stripe.behave(() => badKey);
    const connector = openScripted(stripe.url);
    await expect(connector.retrieveToken!(new Secret('pm_1'))).rejects.toThrow('did not answer');
    await expect(connector.attachToken!({ token: new Secret('pm_1'), holder: {}, id: 'x' })).rejects.toThrow(
      'did not answer',
    );
  });
});

describe('a verification', () => {
  test('names the account', async () => {
    const { fake, connector } = await atFake();
    expect(await connector.verify!()).toEqual({
      ok: true,
      message: 'Stripe accepts the key of acct_fake.',
      identity: 'acct_fake',
    });
    await fake.close();
  });

  const account = (more = {}) => ({ id: 'acct_1', object: 'account', charges_enabled: true, ...more });
  const live = ok({ object: 'list', data: [{ id: 'evt_1', livemode: true }], has_more: false });
  test.each<[string, Scripted, Scripted, RegExp]>([
    ['a wrong key', badKey, live, /does not accept the secret key/],
    ['a missing permission', forbidden, live, /may not read the account/],
    ['a missing permission for events', ok(account()), forbidden, /may not read events/],
    ['the rate limit', rateLimit, live, /too many requests/],
    ['an outage', 'reset', live, /did not answer/],
    ['a stranger', ok({ hello: 'world' }), live, /Check api_base/],
    ['an account that is not active', ok(account({ charges_enabled: false })), live, /Complete its activation/],
    ['a key of the other mode', ok(account()), live, /does not belong to test mode/],
  ])('of %s says what is wrong', async (_, first, second, message) => {
    stripe.behave(({ path }) => (path === '/v1/account' ? first : second));
    expect(await openScripted(stripe.url).verify!()).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
  });
});

test.each(['events', 'balance_transactions', 'payouts'])('a key that may not read %s is found', async (list) => {
  stripe.behave(({ path }) => {
    if (path === '/v1/account') return ok({ id: 'acct_1', object: 'account', charges_enabled: true });
    return path === `/v1/${list}` ? forbidden : ok({ object: 'list', data: [], has_more: false });
  });
  const message = `The key may not read ${list.replace('_', ' ')}. Give the restricted key that permission.`;
  expect(await openScripted(stripe.url).verify!()).toEqual({ ok: false, message, identity: 'acct_1' });
});

describe('a statement', () => {
  const read = async (connector: Connector, from: Date, to: Date) => {
    const lines = [];
    for await (const page of connector.statement!({ from, to })) lines.push(...page);
    return lines;
  };

  test('has fees, what remains, and payouts with what they contain', async () => {
    const { fake, connector } = await atFake();
    const token = new Secret('pm_card_bypassPending');
    const { attempt } = await connector.authorize(authorization({ instrument: { ...aToken, token } }));
    const official = new (await import('stripe')).default(fake.secretKey, {
      host: '127.0.0.1',
      port: fake.port,
      protocol: 'http',
    });
    const stranger = await official.paymentIntents.create({
      ...{
        amount: 500,
        currency: 'eur',
        payment_method: 'pm_card_bypassPending',
        confirm: true,
        allowed_payment_method_types: ['card'],
      },
    });
    const response = await fetch(`${fake.url}/_fake/payouts`, {
      method: 'POST',
      body: JSON.stringify({ currency: 'eur' }),
    });
    const { payout } = (await response.json()) as { payout: { id: string; amount: number } };
    const lines = await read(connector, new Date(Date.now() - 60_000), new Date(Date.now() + 60_000));
    expect(lines).toMatchObject([
      {
        tenant,
        kind: 'payment',
        reference: attempt,
        money: { amount: 1_000, currency: 'eur' },
        gross: 1_000,
        fee: 59,
        net: 941,
        payout: payout.id,
      },
      { kind: 'payment', reference: stranger.latest_charge, money: { amount: 500 }, payout: payout.id },
      { kind: 'payout', reference: payout.id, money: { amount: payout.amount }, net: -payout.amount },
    ]);
    expect(lines[0]!.availableOn).toBeInstanceOf(Date);
    await fake.close();
  });

  /** Transactions as Stripe lists them: the newest first. */
  const serve = (transactions: { id: string }[]) =>
    stripe.behave(({ path, form }) => {
      if (path === '/v1/payouts') return ok({ object: 'list', data: [], has_more: false });
      const start = transactions.findIndex(({ id }) => id === form.starting_after) + 1;
      return ok({
        object: 'list',
        data: transactions.slice(start, start + 100),
        has_more: start + 100 < transactions.length,
      });
    });
  const charge = (at: number, more = {}, source = {}) => ({
    ...{ id: `txn_${at}`, object: 'balance_transaction', type: 'charge', reporting_category: 'charge', created: at },
    ...{ amount: 1_000, currency: 'eur', fee: 59, net: 941, available_on: at + 100 },
    source: {
      id: `ch_${at}`,
      object: 'charge',
      amount: 1_000,
      amount_captured: 1_000,
      currency: 'eur',
      metadata: {},
      ...source,
    },
    ...more,
  });

  test('is read in pages, oldest first', async () => {
    serve(Array.from({ length: 250 }, (_, at) => charge(10_000 - at)));
    const pages: number[] = [];
    const times: number[] = [];
    for await (const page of openScripted(stripe.url).statement!({ from: new Date(0), to: new Date(1e12) })) {
      pages.push(page.length);
      times.push(...page.map(({ at }) => at.getTime()));
    }
    expect(pages).toEqual([50, 100, 100]);
    expect(times).toEqual(Array.from({ length: 250 }, (_, at) => (9_751 + at) * 1_000));
    expect(stripe.violations).toEqual([]);
  });

  test('has a refund once it has succeeded: neither one that came back nor its return', async () => {
    const refund = (created: number, status: string) =>
      charge(created, { reporting_category: 'refund', amount: -300 }, { amount: 300, status, metadata: {} });
    const back = charge(6, { reporting_category: 'refund_failure', amount: 300 }, { amount: 300, status: 'failed' });
    serve([refund(2, 'failed'), refund(3, 'pending'), refund(4, 'canceled'), refund(5, 'succeeded'), back]);
    const lines = await read(openScripted(stripe.url), new Date(0), new Date(10_000));
    expect(lines).toMatchObject([{ kind: 'refund', at: new Date(5_000), money: { amount: 300 } }]);
  });

  test('counts a part that was captured, and what a payment was, not what it became', async () => {
    const [partly, converted] = [newId('att', 0), newId('att', 0)];
    serve([
      charge(
        2,
        { reporting_category: 'partial_capture_reversal', type: 'refund', amount: -400, fee: -12, net: -388 },
        { id: 're_2', object: 'refund', amount: 400, status: 'succeeded' },
      ),
      charge(3, { reporting_category: 'fee', source: null }),
      charge(4, { currency: 'usd', amount: 1_100 }, { metadata: { tollgate_attempt: converted } }),
      charge(
        5,
        {},
        { amount_captured: 600, payment_intent: { metadata: { tollgate_attempt: 'att_x', tollgate_capture: partly } } },
      ),
    ]);
    const lines = await read(openScripted(stripe.url), new Date(0), new Date(10_000));
    expect(lines).toMatchObject([
      { reference: partly, money: { amount: 600, currency: 'eur' }, gross: 1_000, fee: 59, net: 941 },
      { reference: converted, money: { amount: 1_000, currency: 'eur' } },
      { kind: 'release', reference: 're_2', money: { amount: 400, currency: 'eur' }, gross: -400, fee: -12, net: -388 },
    ]);
    expect(lines).toHaveLength(3);
    for (const member of ['gross', 'fee', 'net']) expect(lines[1]).not.toHaveProperty(member);
  });

  test('has a payout that came back, in the other direction', async () => {
    const payout = { id: 'po_1', object: 'payout', amount: 1_000 };
    serve([
      charge(3, { reporting_category: 'payout_reversal', type: 'payout_failure', fee: 0, net: 1_000 }, payout),
      charge(2, { reporting_category: 'payout', type: 'payout', amount: -1_000, fee: 0, net: -1_000 }, payout),
    ]);
    const line = { kind: 'payout', reference: 'po_1', money: { amount: 1_000 } };
    expect(await read(openScripted(stripe.url), new Date(0), new Date(10_000))).toMatchObject([
      { ...line, gross: -1_000 },
      { ...line, gross: 1_000 },
    ]);
  });

  test('covers whole seconds: the start is included, the end is not', async () => {
    serve([]);
    expect(await read(openScripted(stripe.url), new Date(5_000), new Date(5_000))).toEqual([]);
    expect(stripe.seen).toEqual([]);
    await read(openScripted(stripe.url), new Date(4_001), new Date(6_000));
    expect(stripe.seen.at(-1)!.form).toMatchObject({ created: { gte: '5', lt: '6' } });
  });

  test('that Stripe does not give is an error, not the end', async () => {
    stripe.behave(() => rateLimit);
    await expect(read(openScripted(stripe.url), new Date(0), new Date())).rejects.toThrow('did not answer');
  });
});

describe('what happens later', () => {
  const inquiry = { verb: 'authorize', dispute: undefined, reference: undefined } as const;

  test.each([
    ['approve', 'approved'],
    ['fail', 'declined'],
  ])('the cardholder decides on the page of the challenge: %s', async (decision, kind) => {
    const { fake, connector } = await atFake();
    const request = authorization({ instrument: { ...aToken, token: new Secret('pm_card_authenticationRequired') } });
    const { outcome, exchange } = await connector.authorize(request);
    const { url } = outcome as { url: string };
    expect(outcome).toMatchObject({ kind: 'requires_action', url: expect.stringContaining(fake.url) });
    expect(JSON.stringify(exchange)).not.toContain(url);
    const find = () => connector.find({ ...request, ...inquiry, authorization: { ...request, reference: undefined } });
    expect((await find()).outcome).toEqual(outcome);
    await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
    expect((await find()).outcome.kind).toBe(kind);
    await fake.close();
  });

  test('without the cardholder a challenge is a decline that says so', async () => {
    const { fake, connector } = await atFake();
    const token = new Secret('pm_card_authenticationRequired');
    const { outcome } = await connector.authorize(
      authorization({ instrument: { ...aToken, token }, initiator: 'merchant' }),
    );
    expect(outcome).toMatchObject({ kind: 'declined', declineCode: 'authentication_required', advice: 'authenticate' });
    await fake.close();
  });

  test.each([
    ['cardholder', 'pm_card_visa', 168],
    ['merchant', 'pm_card_visa', 114],
    ['merchant', 'pm_card_mastercard', 168],
  ] as const)('an amount of the %s that was not captured in time is reported: %s, %i hours', async (...given) => {
    const [initiator, card, hours] = given;
    const { fake, connector } = await atFake();
    const request = authorization({ capture: false, initiator, instrument: { ...aToken, token: new Secret(card) } });
    const { outcome } = await connector.authorize(request);
    const holdMs = hours * 3_600_000;
    const poll = () => connector.poll!({ since: undefined, now: Date.now() + holdMs });
    fake.world.advance(holdMs - 60_000);
    expect((await poll()).notices.filter(({ kind }) => kind === 'authorization_expired')).toEqual([]);
    fake.world.advance(60_000);
    const { notices } = await poll();
    expect(notices).toMatchObject([{ kind: 'authorization_expired', attempt: request.attempt, tenant }]);
    const { reference } = outcome as { reference: string };
    const cancel = { ...request, attempt: newId('att', Date.now()), authorization: { ...request, reference } };
    expect((await connector.cancel!(cancel)).outcome).toEqual({ kind: 'approved', reference });
    await fake.close();
  });
});
