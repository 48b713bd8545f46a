import { timelineOfRows } from '../../../operations/extension_points/timeline.ts';
import type { Attempt } from './attempt.ts';
import { AttemptOutput, serializeAttempt } from './serialize.ts';
import { findAttemptsFor } from './store.ts';

/** The calls to processors, their answers, and why the processors were chosen. */
export const attemptsInTimelines = timelineOfRows({
  type: 'attempt',
  prefix: 'att',
  rank: 2,
  schema: AttemptOutput,
  find: findAttemptsFor,
  summaryOf,
  detailsOf: serializeAttempt,
});

function summaryOf({ verb, connector, state, decline_code }: Attempt): string {
  const asked = `${connector} was asked to ${verb === 'reverse' ? 'cancel' : verb}`;
  const answers: Record<Attempt['state'], string> = {
    open: 'no answer yet',
    unknown: 'there was no answer',
    pending: 'it has not decided yet',
    challenged: 'the cardholder must authenticate',
    approved: 'approved',
    declined: `declined${decline_code === null ? '' : ` with ${decline_code}`}`,
    reversed: 'approved, and undone later',
    lost: 'it never arrived there',
    not_sent: 'it did not act',
  };
  return `${asked}: ${answers[state]}`;
}
