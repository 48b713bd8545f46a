import { idTime } from '../../../base/id.ts';
import { timelineOfRows } from '../../../operations/extension_points/timeline.ts';
import type { Context } from '../../../operations/operation.ts';
import { findGroups } from '../../../outbox/event.ts';
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
  groupsOf,
});

/** An attempt of a job belongs to the event by which its outcome was recorded. */
async function groupsOf({ reads, tenant }: Context, attempts: readonly Attempt[]): Promise<(string | undefined)[]> {
  const made = attempts.map(({ id, payment, setup, refund, dispute, finished_at }) => ({
    object: (refund ?? dispute ?? setup ?? payment)!,
    at: finished_at?.getTime() ?? idTime(id),
  }));
  const isByJob = attempts.map(({ request_id }) => request_id === null);
  const found = await findGroups(
    reads,
    tenant,
    made.filter((_, at) => isByJob[at]),
  );
  return attempts.map(({ request_id }) => request_id ?? found.shift());
}

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
