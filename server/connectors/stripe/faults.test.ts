import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { fakeFaultKinds } from '../../fakes/faults.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeDispute, FakeIntent } from '../../fakes/stripe/shapes.ts';
import { isTorture } from '../../test/torture.ts';
import { checkReply } from '../ask.ts';
import type { AttemptId, Authorization, Connector, InquiryOutcome, Reply, Verb } from '../contract.ts';
import { createHttp } from '../http.ts';
import { aToken, authorization, checking, euros, openScripted, tenant } from './stripe.fixture.ts';

let stripe: FakeStripe;
let connector: Connector;
/** What breaks Stripe's own description of its API. */
const violations: string[] = [];
beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, seed: 1 });
  connector = openScripted(stripe.url, { key: stripe.secretKey, send: checking(createHttp(), violations) });
  // Somebody else's payment, refund and dispute, for answers that are about another object.
  await refunded(await authorized({ token: 'pm_card_visa' }));
  await authorized({ token: 'pm_card_createDispute' });
});
afterAll(() => stripe.close());
beforeEach(() => stripe.faults.clear());
afterEach(() => expect(violations.splice(0)).toEqual([]));

const asked = () => ({ tenant, attempt: newId('att', Date.now()), now: Date.now() });

async function authorized({ token = 'pm_card_visa', capture = true } = {}): Promise<Authorization> {
  const request = authorization({ capture, instrument: { ...aToken, token: new Secret(token) } });
  const { outcome } = await connector.authorize(request);
  expect(outcome.kind).toBe('approved');
  const { attempt, payment, money } = request;
  return { attempt, payment, money, capture, reference: (outcome as { reference: string }).reference };
}

async function refunded(about: Authorization): Promise<void> {
  await connector.refund!({ ...asked(), authorization: about, money: { ...euros, amount: 100 } });
}

const disputeOf = (about: Authorization) =>
  stripe.world.all<FakeDispute>('dispute').find((one) => one.payment_intent === about.reference)!;
const effects = (kind: string, matches: (metadata: Record<string, string>) => boolean) =>
  stripe.books().filter((one) => one.kind === kind && matches(one.metadata)).length;

type Walk = {
  verb: Verb;
  /** The request that is struck: a part of its path. */
  path: string;
  begin: () => Promise<{ about: Authorization; call: (attempt: AttemptId) => Promise<Reply>; attempt?: AttemptId }>;
  /** How often it has happened, by Stripe's own books. */
  happened: (about: Authorization, attempt: AttemptId) => number;
};

function authorizing(path: string): Walk {
  return {
    verb: 'authorize',
    path,
    begin: async () => {
      const request = authorization({ instrument: { ...aToken, token: new Secret('pm_card_visa') } });
      const { attempt, payment, money, capture } = request;
      const about = { attempt, payment, money, capture, reference: undefined };
      return { about, attempt, call: () => connector.authorize(request) };
    },
    happened: ({ attempt }) => effects('charge', ({ tollgate_attempt }) => tollgate_attempt === attempt),
  };
}

function canceling(name: 'held' | 'taken' | 'never learnt', path: string): Walk {
  return {
    verb: 'cancel',
    path,
    begin: async () => {
      const taken = await authorized({ capture: name !== 'held' });
      const about = name === 'never learnt' ? { ...taken, reference: undefined } : taken;
      return { about, call: (attempt) => connector.cancel!({ ...asked(), attempt, authorization: about }) };
    },
    happened: ({ attempt: of }) =>
      stripe.world
        .all<FakeIntent>('payment_intent')
        .filter((one) => one.metadata.tollgate_attempt === of && one.status === 'canceled').length +
      effects('refund', ({ tollgate_reversal }) => tollgate_reversal === of),
  };
}

const answering = (verb: 'contest' | 'concede', path: string): Walk => ({
  verb,
  path,
  begin: async () => {
    const about = await authorized({ token: 'pm_card_createDispute' });
    stripe.world.catchUp();
    const dispute = disputeOf(about).id;
    const evidence = { uncategorized_text: 'It was sent.' };
    return { about, call: (attempt) => connector[verb]!({ ...asked(), attempt, dispute, evidence }) };
  },
  happened: (about) => {
    const { status, evidence_details } = disputeOf(about);
    return verb === 'contest' ? evidence_details.submission_count : Number(status === 'lost');
  },
});

const walks: Record<string, Walk> = {
  'an authorization, when its intent is made': authorizing('/v1/payment_intents'),
  'an authorization, when it is confirmed': authorizing('/confirm'),
  'a capture': {
    verb: 'capture',
    path: '/capture',
    begin: async () => {
      const about = await authorized({ capture: false });
      return {
        about,
        call: (attempt) => connector.capture!({ ...asked(), attempt, authorization: about, money: euros }),
      };
    },
    happened: (_, attempt) => effects('capture', ({ tollgate_capture }) => tollgate_capture === attempt),
  },
  'a refund': {
    verb: 'refund',
    path: '/v1/refunds',
    begin: async () => {
      const about = await authorized();
      return {
        about,
        call: (attempt) => connector.refund!({ ...asked(), attempt, authorization: about, money: euros }),
      };
    },
    happened: (_, attempt) => effects('refund', ({ tollgate_attempt }) => tollgate_attempt === attempt),
  },
  'a cancel of what is held': canceling('held', '/cancel'),
  'a cancel of what was taken': canceling('taken', '/v1/refunds'),
  'a cancel of what was never learnt': canceling('never learnt', '/v1/payment_intents'),
  evidence: answering('contest', '/v1/disputes'),
  'a concession, when it is noted': answering('concede', '/v1/disputes'),
  'a concession, when the dispute is closed': answering('concede', '/close'),
};

/** Whether an outcome claims that it happened; undefined when it claims nothing. */
function claim({ kind }: InquiryOutcome): boolean | undefined {
  return kind === 'approved' ? true : kind === 'unknown' || kind === 'pending' ? undefined : false;
}

/** Every fault, each with some of the calls; with all of them under torture. */
const triedAt = (at: number) => fakeFaultKinds.filter((_, number) => isTorture || (number + at) % 3 === 0);

describe.each(Object.entries(walks).map(([name, walk], at) => [name, walk, at] as const))(
  '%s',
  (_, { verb, path, begin, happened }, at) => {
    test.each(triedAt(at))('%s: the outcome, or else an inquiry, tells what is in the books', async (kind) => {
      const { about, call, attempt = newId('att', Date.now()) } = await begin();
      stripe.faults.add({ kind, method: 'POST', path, ms: 20 });
      const { outcome } = checkReply(attempt, await call(attempt));
      const count = happened(about, attempt);
      expect(count).toBeLessThanOrEqual(1);
      if (claim(outcome) !== undefined) expect([outcome, claim(outcome)]).toEqual([outcome, count === 1]);
      const { reference } = outcome as { reference?: string };
      const dispute = verb === 'contest' || verb === 'concede' ? disputeOf(about).id : undefined;
      const inquiry = { verb, attempt, reference, authorization: about, dispute };
      const found = (await connector.find({ ...asked(), ...inquiry })).outcome;
      expect([found, claim(found)]).toEqual([found, count === 1]);
      expect(happened(about, attempt)).toBe(count); // to ask changes nothing
    });
  },
);

test('whatever happened to an authorization, a cancel by its facts undoes it, and it cannot come back', async () => {
  for (const kind of fakeFaultKinds)
    for (const path of ['/v1/payment_intents', '/confirm']) {
      const request = authorization({ instrument: { ...aToken, token: new Secret('pm_card_visa') } });
      const { attempt, payment, money, capture } = request;
      stripe.faults.add({ kind, method: 'POST', path, ms: 20 });
      await connector.authorize(request);
      stripe.faults.clear();
      const about = { attempt, payment, money, capture, reference: undefined };
      expect((await connector.cancel!({ ...asked(), authorization: about })).outcome.kind).toBe('approved');
      await connector.authorize(request); // late, or again
      const own = stripe
        .books()
        .filter(({ metadata }) => [metadata.tollgate_attempt, metadata.tollgate_reversal].includes(attempt));
      const net = own.reduce(
        (sum, one) => sum + (one.kind === 'charge' ? one.amount : one.kind === 'refund' ? -one.amount : 0),
        0,
      );
      expect([kind, path, net]).toEqual([kind, path, 0]);
    }
});
