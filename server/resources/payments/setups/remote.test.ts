import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '../../../base/reads.ts';
import { cardOf } from '../../../connectors/processor.fixture.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { cards, openSetupShop, type SetupShop } from './setups.fixture.ts';

/** Setups at a processor behind a network, with faults. */

let shop: SetupShop;
beforeAll(async () => {
  shop = await openSetupShop({ environment: { SIMULATOR: 'remote' } });
});
afterAll(() => shop.stop());
beforeEach(() => shop.clock.advance(60_000));

const fault = (kind: string, verb: string, remaining = 1) =>
  shop.sql('insert into simulator_faults (kind, verb, remaining) values ($1, $2, $3)', [kind, verb, remaining]);
const cancel = (id: string, headers = {}) => shop.account.test.post(`/v1/setups/${id}/cancel`, {}, headers);

async function everythingDue(): Promise<void> {
  for (let rounds = 0; rounds < 4; rounds++) {
    shop.clock.advance(120_000);
    await shop.server.settled();
  }
}

test.each([
  ['lose_reply', cards.approves, 'succeeded', ['setup.succeeded']],
  ['lose_reply', cards.declines, 'failed', ['setup.failed']],
  ['lose_reply', cards.challengesAlways, 'requires_action', ['setup.requires_action']],
  ['lose_request', cards.approves, 'failed', ['setup.failed']],
  ['wrong_attempt', cards.approves, 'succeeded', ['setup.succeeded']],
  ['malformed', cards.approves, 'succeeded', ['setup.succeeded']],
  ['down', cards.approves, 'failed', ['setup.failed']],
])('after %s, card %s: processing, then %s', async (kind, number, status, events) => {
  await fault(kind, 'setup');
  const made = await shop.made(number);
  expect(made.status).toBe('processing');
  await everythingDue();
  expect((await shop.readSetup(made.id)).status).toBe(status);
  expect(await shop.eventTypes(made.id)).toEqual(events);
  if (status === 'requires_action') await cancel(made.id);
});

test('what was not sent has failed, with 402, and nothing has happened at the processor', async () => {
  await fault('not_sent', 'setup');
  const { status, json } = await shop.setUp();
  expect([status, json.error.code, json.error.decline_code]).toEqual([402, 'processing_error', 'not_sent']);
});

test('a request that arrives twice takes effect once', async () => {
  await fault('twice', 'setup');
  expect((await shop.made()).status).toBe('succeeded');
});

test('a setup that was blocked after it was lost never takes effect, however late it comes', async () => {
  await fault('lose_request', 'setup');
  const { id } = await shop.made();
  await everythingDue();
  const attempts = await shop.setupAttempts(id);
  expect(attempts.map(({ verb, state }) => `${verb} ${state}`)).toEqual(['setup lost', 'reverse approved']);
  const { connectors } = shop.server.gateway.services;
  const { tenant } = attempts[0];
  const late = await connectors.byName('simulator').find({
    ...{ tenant: tenant as Tenant, attempt: attempts[0].id, verb: 'setup', now: shop.clock.now() },
    ...{ reference: undefined, authorization: undefined, dispute: undefined },
  });
  expect(late.outcome.kind).toBe('declined');
});

describe('a cancel', () => {
  test.each([
    ['lose_reply', 'canceled'],
    ['lose_request', 'canceled'],
    ['contradict', 'failed'], // the cancel is said to be refused, and the setup is found canceled
  ])('after %s ends %s', async (kind, status) => {
    const { id } = await shop.made(cards.challengesAlways);
    await fault(kind, 'cancel');
    await cancel(id);
    shop.clock.advance(2 * 3_600_000);
    await everythingDue();
    expect((await shop.readSetup(id)).status).toBe(status);
    expect(await shop.eventTypes(id)).toEqual(['setup.requires_action', `setup.${status}`]);
  });

  test('of two at the same moment, one cancels and the other finds it canceled', async () => {
    const { id } = await shop.made(cards.challengesAlways);
    const answers = await Promise.all([cancel(id), cancel(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await shop.eventTypes(id)).toEqual(['setup.requires_action', 'setup.canceled']);
  });

  test('and a cardholder who approves at the same moment: the processor decides which came first', async () => {
    const waiting = await shop.made(cards.challengesAlways);
    await Promise.all([cancel(waiting.id), shop.decide(waiting, 'approve').catch(() => undefined)]);
    await everythingDue();
    expect(['succeeded', 'canceled']).toContain((await shop.readSetup(waiting.id)).status);
  });
});

test('a retry with the same key finds the setup, and does not make another', async () => {
  const headers = { 'Idempotency-Key': 'setup-once' };
  const payment_method = await shop.method();
  const post = () => shop.account.test.post('/v1/setups', { payment_method }, headers);
  const [first, second] = [await post(), await post()];
  expect(second.json).toEqual(first.json);
  expect(await shop.setupAttempts(first.json.id)).toHaveLength(1);
});

test('an answer that the gateway never learnt is settled by hand, once inquiries have failed for a while', async () => {
  await fault('lose_reply', 'setup');
  const { id } = await shop.made();
  await fault('down', 'find', 100);
  shop.clock.advance(4 * 86_400_000);
  await shop.server.settled();
  const owner = (await shop.server.person(shop.account.id, 'owner')).client.with({ 'X-Tollgate-Mode': 'test' });
  const listed = async () => (await owner.get('/v1/needs_attention')).json.data;
  const [waiting] = await listed();
  expect(waiting).toMatchObject({ kind: 'unknown_outcome', id, object: 'setup' });
  expect(waiting).not.toHaveProperty('amount');
  const settled = await shop.server.operator.run<{ status: string }>('setups.settle', {
    ...{ account: shop.account.id, mode: 'test', id, parameters: { as: 'succeeded' } },
  });
  expect(settled.status).toBe('succeeded');
  await shop.sql('delete from simulator_faults');
  expect(await listed()).toEqual([]);
  expect(await shop.eventTypes(id)).toEqual(['setup.succeeded']);
});

test('one that arrived after it was taken for lost is settled by hand as succeeded, if its block has no answer', async () => {
  await fault('lose_request', 'setup');
  const { id } = await shop.made();
  await fault('down', 'cancel', 100);
  shop.clock.advance(120_000);
  await shop.server.settled();
  const [lost] = await shop.setupAttempts(id);
  const { connectors } = shop.server.gateway.services;
  const late = await connectors.byName('simulator').setup!({
    ...{ tenant: lost.tenant as Tenant, attempt: lost.id, now: shop.clock.now(), setup: id },
    ...{ instrument: cardOf(cards.approves), returnUrl: 'https://gateway.test/return' },
  });
  expect(late.outcome.kind).toBe('approved');
  shop.clock.advance(4 * 86_400_000);
  await shop.server.settled();
  const settleAs = (as: string) =>
    shop.server.operator.run<{ status: string }>('setups.settle', {
      ...{ account: shop.account.id, mode: 'test', id, parameters: { as } },
    });
  await expect(settleAs('canceled')).rejects.toThrow(`${id} can be settled as failed or succeeded, not as canceled.`);
  expect((await settleAs('succeeded')).status).toBe('succeeded');
  await shop.sql('delete from simulator_faults');
  expect(await shop.eventTypes(id)).toEqual(['setup.succeeded']);
  const attempts = await shop.setupAttempts(id);
  expect(attempts.map(({ verb, state }) => `${verb} ${state}`)).toEqual(['setup approved', 'reverse declined']);
});

test('in all of this, every setup is what the simulator has', async () => {
  await everythingDue();
  expect(await violationsOf(shop.server.sql, { rest: true })).toEqual([]);
});
