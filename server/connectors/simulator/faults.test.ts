import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { settlesWithin } from '../../base/keyed_queue.ts';
import { eventually } from '../../test/eventually.ts';
import { type Charge, newAttempt, openWorld, type Processor, type World } from '../processor.fixture.ts';
import type { FaultKind } from './faults.ts';

let world: World;
let processor: Processor;
beforeAll(async () => {
  world = await openWorld('simulator, remote');
});
afterAll(() => world.stop());
beforeEach(() => {
  processor = world.processor();
});

async function script(kind: FaultKind, more: { verb?: string; milliseconds?: number; remaining?: number } = {}) {
  const { verb = null, milliseconds = 0, remaining = 1 } = more;
  await processor.sql.query(
    'insert into simulator_faults (tenant, verb, kind, milliseconds, remaining) values ($1, $2, $3, $4, $5)',
    [processor.tenant, verb, kind, milliseconds, remaining],
  );
}

const charged = async () => (await processor.charges()).map(({ net }) => net);

/** Long enough for an immediate answer to arrive. */
const shortly = 50;

test.each([
  ['lose_request', [], 'ECONNRESET'],
  ['lose_reply', [1_000], 'ECONNRESET'],
  ['down', [], 'ECONNREFUSED'],
] as const)('%s: the call rejects', async (kind, effect, code) => {
  await script(kind);
  const attempt = newAttempt();
  await expect(processor.authorize({ attempt })).rejects.toMatchObject({ code });
  expect(await charged()).toEqual(effect);
  expect((await processor.find(attempt)).outcome.kind).toBe(effect.length > 0 ? 'approved' : 'not_found');
  // A retry with the same attempt is safe: there is one charge in either case.
  expect((await processor.authorize({ attempt })).outcome.kind).toBe('approved');
  expect(await charged()).toEqual([1_000]);
});

test('not_sent: nothing happened, and that is certain, except of an inquiry', async () => {
  await script('not_sent', { remaining: 7 });
  const of = newAttempt();
  const told = [
    await processor.authorize({ attempt: of }),
    await processor.capture({ of }),
    await processor.cancel({ of }),
    await processor.refund({ of }),
    await processor.contest({ dispute: 'dp' }),
    await processor.concede({ dispute: 'dp' }),
  ];
  expect(told.map(({ outcome }) => outcome.kind)).toEqual(Array(6).fill('not_sent'));
  await expect(processor.find(of)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await processor.entries()).toEqual([]);
  expect((await processor.authorize({ attempt: of })).outcome.kind).toBe('approved');
});

test('contradict: the answer says the opposite of what happened, and of the answer before', async () => {
  await script('contradict', { verb: 'authorize', remaining: 2 });
  expect((await processor.authorize()).outcome.kind).toBe('declined');
  expect(await charged()).toEqual([1_000]);
  const { attempt, outcome } = await processor.authorize({ number: '4000000000000002' });
  expect(outcome.kind).toBe('approved');
  expect((await processor.find(attempt)).outcome.kind).toBe('declined');
  await script('contradict', { verb: 'find' });
  expect((await processor.find(attempt)).outcome.kind).toBe('approved');
  expect(await charged()).toEqual([1_000, 0]);
});

test.each([
  ['hang', 1],
  ['hang_before', 0],
] as const)('%s: no answer comes', async (kind, effects) => {
  await script(kind);
  const reply = processor.authorize();
  await eventually(async () => expect(await charged()).toHaveLength(effects));
  expect(await settlesWithin(reply, shortly)).toBe(false);
  expect(await charged()).toHaveLength(effects);
});

test('late_effect: no answer comes, and the card is charged afterwards', async () => {
  await script('late_effect', { milliseconds: 150 });
  const attempt = newAttempt();
  const reply = processor.authorize({ attempt });
  expect(await settlesWithin(reply, shortly)).toBe(false);
  expect((await processor.find(attempt)).outcome.kind).toBe('not_found');
  await vi.waitFor(async () => expect(await charged()).toEqual([1_000]), { timeout: 60_000, interval: 10 });
  expect((await processor.find(attempt)).outcome.kind).toBe('approved');
  expect(await settlesWithin(reply, 0)).toBe(false);
});

test('late_effect after a cancel: the card is not charged', async () => {
  await script('late_effect', { milliseconds: 100, verb: 'authorize' });
  const attempt = newAttempt();
  void processor.authorize({ attempt });
  await eventually(faultIsTaken);
  await processor.cancel({ of: attempt });
  const again = await processor.authorize({ attempt }); // a late request gets the same answer
  expect(again.outcome).toMatchObject({ kind: 'declined', declineCode: 'authorization_canceled' });
  expect(await charged()).toEqual([0]);
});

async function faultIsTaken(): Promise<void> {
  const { rows } = await processor.sql.query('select 1 from simulator_faults where tenant = $1 and remaining > 0', [
    processor.tenant,
  ]);
  expect(rows).toEqual([]);
}

test('delay: the answer is late', async () => {
  await script('delay', { milliseconds: 60 });
  const started = performance.now();
  expect((await processor.authorize()).outcome.kind).toBe('approved');
  expect(performance.now() - started).toBeGreaterThan(55);
});

test('wrong_attempt: the answer names another attempt', async () => {
  await script('wrong_attempt');
  const attempt = newAttempt();
  expect((await processor.authorize({ attempt })).attempt).not.toBe(attempt);
  expect(await charged()).toEqual([1_000]);
});

test('malformed: the kind of the outcome does not exist', async () => {
  await script('malformed');
  const kinds = ['approved', 'declined', 'requires_action', 'pending', 'unknown', 'not_found'];
  expect(kinds).not.toContain((await processor.authorize()).outcome.kind);
  expect(await charged()).toEqual([1_000]);
});

test('twice: a request that arrives twice has one effect', async () => {
  const { attempt: of } = await processor.authorize({ capture: false });
  await script('twice', { remaining: 3 });
  expect((await processor.authorize()).outcome.kind).toBe('approved');
  expect((await processor.capture({ of })).outcome.kind).toBe('approved');
  expect((await processor.refund({ of, amount: 600 })).outcome.kind).toBe('approved');
  expect(await charged()).toEqual([400, 1_000]);
  expect(await processor.entries()).toHaveLength(4);
});

test('twice, for a cancel of an authorization that has not arrived: one effect', async () => {
  await script('twice');
  expect((await processor.cancel({ of: newAttempt() })).outcome.kind).toBe('approved');
  expect(await processor.charges()).toMatchObject([{ authorized: 0, canceled: true } satisfies Partial<Charge>]);
});

test('a hundred concurrent refunds stay within the charge', async () => {
  const { attempt: of } = await processor.authorize();
  const all = await Promise.all(Array.from({ length: 100 }, () => processor.refund({ of, amount: 30 })));
  expect(all.filter(({ outcome }) => outcome.kind === 'approved')).toHaveLength(33);
  expect(await charged()).toEqual([10]);
});

test('a fault applies only to its verb and tenant, exactly as often as it says, however many calls race', async () => {
  await script('down', { verb: 'authorize', remaining: 3 });
  await script('lose_request', { verb: 'find' });
  expect((await world.processor().authorize()).outcome.kind).toBe('approved');
  await expect(processor.find(newAttempt())).rejects.toThrow();
  expect((await processor.find(newAttempt())).outcome.kind).toBe('not_found');
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => processor.authorize()));
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(3);
  expect(await charged()).toHaveLength(7);
});

test('a fault without a tenant applies to all tenants', async () => {
  await processor.sql.query(`insert into simulator_faults (kind) values ('down')`);
  await expect(world.processor().authorize()).rejects.toThrow('ECONNREFUSED');
});

test('a local simulator has no faults', async () => {
  const local = await openWorld('simulator, local');
  processor = local.processor();
  await script('down');
  expect((await processor.authorize()).outcome.kind).toBe('approved');
  await local.stop();
});
