import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { Authorization, Connector, Verb } from '../contract.ts';
import { aToken, authorization as charge, euros, openScripted, tenant } from './stripe.fixture.ts';

/** Stripe stores its errors under the idempotency key, like any answer, and repeats them for a day. */
let fake: FakeStripe;
let connector: Connector;
beforeAll(async () => {
  fake = await startFakeStripe({ port: 0 });
  connector = openScripted(fake.url, { key: fake.secretKey });
});
afterAll(() => fake.close());

const instrument = { ...aToken, token: new Secret('pm_card_visa') };
const asked = () => ({ tenant, attempt: newId('att', Date.now()), now: Date.now() });

async function paid(more: { capture?: boolean } = {}): Promise<Authorization> {
  const request = charge({ instrument, ...more });
  const { attempt, payment, money, capture } = request;
  const { outcome } = await connector.authorize(request);
  expect(outcome.kind).toBe('approved');
  return { attempt, payment, money, capture, reference: (outcome as { reference: string }).reference };
}

const found = async (verb: Verb, request: ReturnType<typeof asked>, authorization: Authorization) =>
  (await connector.find({ ...request, verb, authorization, reference: undefined, dispute: undefined })).outcome.kind;

const refundsOf = ({ reference }: Authorization) =>
  fake.books().filter(({ kind, payment_intent }) => kind === 'refund' && payment_intent === reference).length;

describe.each(['refund', 'cancel'] as const)('a %s', (verb) => {
  const send = async (request: ReturnType<typeof asked>, authorization: Authorization) =>
    (await connector[verb]!({ ...request, authorization, money: euros })).outcome.kind;

  test('that got an error is sent again under another key, and happens once', async () => {
    const [request, authorization] = [asked(), await paid()];
    fake.faults.add({ kind: 'error_500_before', method: 'POST', path: '/refunds' });
    expect(await send(request, authorization)).toBe('unknown');
    expect(await found(verb, request, authorization)).toBe('not_found');
    // The second key gets an error as well.
    fake.faults.add({ kind: 'error_500_before', method: 'POST', path: '/refunds', skip: 1 });
    expect(await send(request, authorization)).toBe('unknown');
    expect(await send(request, authorization)).toBe('approved');
    expect(await found(verb, request, authorization)).toBe('approved');
    expect(refundsOf(authorization)).toBe(1);
  });

  test('that happened in spite of the error does not happen again', async () => {
    const [request, authorization] = [asked(), await paid()];
    fake.faults.add({ kind: 'error_500_after', method: 'POST', path: '/refunds' });
    expect(await send(request, authorization)).toBe('unknown');
    await send(request, authorization);
    expect(await found(verb, request, authorization)).toBe('approved');
    expect(refundsOf(authorization)).toBe(1);
  });
});

describe('a capture', () => {
  const send = async (request: ReturnType<typeof asked>, authorization: Authorization) =>
    (await connector.capture!({ ...request, authorization, money: euros })).outcome.kind;

  test.each([
    ['error_500_before', 'not_found', 'approved'],
    ['error_500_after', 'approved', 'unknown'],
  ] as const)('that got an error is sent again under another key, and happens once: %s', async (kind, first, again) => {
    const [request, authorization] = [asked(), await paid({ capture: false })];
    fake.faults.add({ kind, method: 'POST', path: '/capture' });
    expect(await send(request, authorization)).toBe('unknown');
    expect(await found('capture', request, authorization)).toBe(first);
    expect(await send(request, authorization)).toBe(again);
    expect(await found('capture', request, authorization)).toBe('approved');
    const captures = fake.books().filter((one) => one.kind === 'capture');
    expect(captures.filter((one) => one.payment_intent === authorization.reference)).toHaveLength(1);
  });
});

test.each(['error_500_before', 'error_500_after'] as const)(
  'an intent whose creation got an error was never known to anybody: %s',
  async (kind) => {
    const request = charge({ instrument });
    const { attempt, payment, money, capture } = request;
    const authorization = { attempt, payment, money, capture, reference: undefined };
    fake.faults.add({ kind, method: 'POST', path: '/payment_intents' });
    expect((await connector.authorize(request)).outcome.kind).toBe('not_sent');
    expect(await found('authorize', { ...asked(), attempt }, authorization)).toBe('not_found');
    expect((await connector.cancel!({ ...asked(), authorization })).outcome.kind).toBe('approved');
    expect((await connector.authorize(request)).outcome.kind).toBe('not_sent');
  },
);

test.each(['contest', 'concede'] as const)('%s gets an error, is sent again, and happens', async (verb) => {
  const token = new Secret('pm_card_createDispute');
  await connector.authorize(charge({ instrument: { ...aToken, token } }));
  fake.world.catchUp();
  const dispute = fake.world.all('dispute').at(-1)!.id;
  const request = { ...asked(), dispute, evidence: { uncategorized_text: 'It was sent.' } };
  fake.faults.add({ kind: 'error_500_before', method: 'POST', path: verb === 'contest' ? dispute : '/close' });
  expect((await connector[verb]!(request)).outcome.kind).toBe('unknown');
  expect((await connector[verb]!(request)).outcome.kind).toBe('approved');
});
