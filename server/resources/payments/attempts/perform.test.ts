import { expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { CallLimits } from '../../../connectors/ask.ts';
import type { Connector, Reply } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Attempt, newAttempt } from './attempt.ts';
import { performRemotely } from './perform.ts';
import type { Topic } from './topic.ts';

function setUp(onLate: CallLimits['onLate'] = () => {}) {
  const clock = virtualClock(Date.now());
  const facts = { tenant: 1 as Tenant, payment: newId('py', 0), verb: 'authorize', amount: 5 } as const;
  const attempt = newAttempt(
    { ...facts, processor_account: null, connector: 'x', request_id: null },
    clock.now(),
    clock.now() + 1_000,
  );
  const limits = { clock, deadlineMs: 1_000, onLate };
  const context = { connectors: { limits }, reads: { one: async () => attempt } } as unknown as Context;
  return { attempt, context };
}

test('a call that was not sent is certain, unless another server has touched the attempt meanwhile', async () => {
  const { attempt, context } = setUp();
  const outcome = { kind: 'not_sent', reason: 'there was no time left to ask' } as const;
  const told: string[] = [];
  const topic = {
    subject: () => ({ id: attempt.payment, test_clock: null }),
    read: async () => ({ attempt }),
    isOpen: () => true,
    settle: (_: unknown, answer: Reply) => void told.push(answer.outcome.kind),
    answer: () => ({ result: {} }),
  } as unknown as Topic<{ attempt: Attempt }, never>;
  const loaded = { attempt };
  const call = async (): Promise<Reply> => ({ attempt: attempt.id, outcome, exchange: {} });
  const step = { loaded, connector: {} as Connector, call, begin: () => ({ loaded, writes: [] }) };
  const decide = await performRemotely(context, topic, step).ask();
  await decide();
  await decide(); // after a conflict: a job of another server may have sent it
  expect(told).toEqual(['not_sent', 'unknown']);
});

test('an approval for an attempt that was settled meanwhile is passed on, to be reversed', async () => {
  const told: unknown[] = [];
  const { attempt, context } = setUp((_, id, outcome) => void told.push([id, outcome.kind]));
  const reply: Reply = { attempt: attempt.id, outcome: { kind: 'approved' }, exchange: {} };
  type Loaded = { attempt: Attempt; now: string; settled?: boolean };
  const topic = {
    subject: () => ({ id: attempt.payment, test_clock: null }),
    read: async () => ({ attempt, now: 'over' }),
    isOpen: ({ now }: Loaded) => now === 'open',
    settle: (loaded: Loaded) => void Object.assign(loaded, { settled: true }),
    answer: ({ attempt: _, ...loaded }: Loaded) => ({ result: loaded }),
  } as unknown as Topic<Loaded, never>;
  const loaded: Loaded = { attempt, now: 'open' };
  const begin = () => ({ loaded, writes: [] });
  const asking = performRemotely(context, topic, {
    loaded,
    connector: {} as Connector,
    call: async () => reply,
    begin,
  });
  const decide = await asking.ask();
  expect(await decide()).toEqual({ result: { now: 'open', settled: true } });
  expect(told).toEqual([]);
  // After a conflict: another call was first.
  expect(await decide()).toEqual({ result: { now: 'over' } });
  expect(told).toEqual([[attempt.id, 'approved']]);
});
