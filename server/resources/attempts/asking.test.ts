import { expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.ts';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import type { InquiryOutcome, Reply } from '../../connectors/contract.ts';
import type { Context } from '../operation.ts';
import { askRemotely } from './asking.ts';
import { newAttempt } from './attempt.ts';

test('an approval for what others have settled meanwhile is passed on, to be given back', async () => {
  const clock = virtualClock(Date.now());
  const told: unknown[] = [];
  const onLate = (_: Tenant, id: string, outcome: InquiryOutcome) => void told.push([id, outcome.kind]);
  const context = { connectors: { limits: { clock, deadlineMs: 1_000, onLate } } } as unknown as Context;
  const facts = { tenant: 1 as Tenant, payment: newId('py', 0), verb: 'authorize', amount: 5 } as const;
  const attempt = newAttempt({ ...facts, connector: 'x', request_id: null }, clock.now(), clock.now() + 1_000);
  const reply: Reply = { attempt: attempt.id, outcome: { kind: 'approved' }, exchange: {} };
  const asking = askRemotely(context, {
    ...{ objectId: attempt.payment, attempt, writes: [], due: new Date(), call: async () => reply },
    ...{ known: 'open', reread: async () => 'over', isOpen: (now: string) => now === 'open' },
    answer: (now) => ({ result: { now } }),
    settle: (now) => ({ result: { now, settled: true } }),
  });
  const decide = await asking.ask();
  expect(await decide()).toEqual({ result: { now: 'open', settled: true } });
  expect(told).toEqual([]);
  // That could not be committed: somebody else was first.
  expect(await decide()).toEqual({ result: { now: 'over' } });
  expect(told).toEqual([[attempt.id, 'approved']]);
});
