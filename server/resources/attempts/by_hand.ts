import type { Refusal } from '../../base/errors.ts';
import { refusal } from '../errors.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';

/** A person has asked the processor and says how an attempt ended. Refused while the call may still be under way. */
export function refuseUnderWay({ deadline_at }: Attempt, id: string, now: number): void {
  if (deadline_at.getTime() <= now) return;
  const reason = 'its call to the processor is still under way';
  throw refusal('parameter_invalid', { param: 'id', reason }).saying(
    `${id} is at the processor at this moment. Wait a minute and look again.`,
  );
}

export function nothingToSettle(id: string, status: string): Refusal {
  const reason = 'there is nothing to settle';
  return refusal('parameter_invalid', { param: 'id', reason }).saying(
    `${id} is ${status}: there is nothing to settle.`,
  );
}

export function statusNotPossible(id: string, possible: readonly string[], wanted: string): Refusal {
  const statuses = [...new Set(possible)].join(' or ');
  const reason = `it can be ${statuses}`;
  return refusal('parameter_invalid', { param: 'as', reason }).saying(
    `${id} can be settled as ${statuses}, not as ${wanted}.`,
  );
}

/** The answers by which a person can settle an attempt. */
export const answersByHand = {
  approved: { outcome: { kind: 'approved' }, exchange: { settled: 'by hand' } },
  declined: {
    outcome: { kind: 'declined', code: 'processing_error', message: 'It was settled by the operator.' },
    exchange: { settled: 'by hand' },
  },
} as const satisfies Record<string, ProcessorAnswer>;
