import { timelineOfRows } from '../../../operations/extension_points/timeline.ts';
import { type Attempt, resultOf } from './attempt.ts';
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

function summaryOf(attempt: Attempt): string {
  const { verb, connector, state, decline_code } = attempt;
  const asked = `${connector} was asked to ${verb === 'reverse' ? 'cancel' : verb}`;
  const answers: Record<ReturnType<typeof resultOf>, string> = {
    open: 'no answer yet',
    unknown: 'there was no answer',
    pending: 'it has not decided yet',
    challenged: 'the cardholder must authenticate',
    approved: state === 'reversed' ? 'approved, and undone later' : 'approved',
    declined: `declined${decline_code === null ? '' : ` with ${decline_code}`}`,
    canceled: 'it was canceled before it was decided',
    lost: 'it never arrived there',
    not_sent: 'it did not act',
  };
  return `${asked}: ${answers[resultOf(attempt)]}`;
}
