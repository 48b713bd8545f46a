import { expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { newAttempt } from './attempt.ts';
import { askAgain, type InquiryServices } from './inquire.ts';

const clock = virtualClock(Date.now());
const services = {
  connectors: { credentialsSince: async () => undefined, limits: { clock, deadlineMs: 1_000, onLate: () => {} } },
} as unknown as InquiryServices;
const attempt = newAttempt(
  {
    ...{ tenant: 1 as Tenant, payment: newId('py', clock.now()), verb: 'cancel', amount: null },
    ...{ connector: 'stripe', processor_account: null, request_id: null },
  },
  clock.now(),
  clock.now(),
);

test('a repeated call that was not sent tells nothing: the first one may have taken effect', async () => {
  const outcome = { kind: 'not_sent', reason: 'ECONNREFUSED' } as const;
  const answer = await askAgain(services, attempt, async () => ({ attempt: attempt.id, outcome, exchange: {} }));
  expect(answer.outcome).toEqual({ kind: 'unknown', reason: 'ECONNREFUSED' });
});
