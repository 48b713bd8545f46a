import { type ApiError, Busy } from '../../../base/errors.ts';
import { post } from '../../../ledger/posting.ts';
import type { Outcome } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { requireStored, saveAttempt } from '../attempts/store.ts';
import type { Reader, Topic } from '../attempts/topic.ts';
import { type Dispute, isOver } from './dispute.ts';
import { apiError } from './errors.ts';
import { serializeDispute } from './schema.ts';
import { type LoadedDispute, type SettledDispute, settleDispute } from './settle.ts';
import { disputesTable, replaceDispute } from './store.ts';

/** Evidence and concessions as a topic of attempts. */
export const disputeTopic: Topic<LoadedDispute, SettledDispute> = {
  name: 'dispute',
  flagMessage:
    'no final answer in a dispute for 14 days: ask the processor, and settle it with "tollgate payments settle"',
  read,
  subject: ({ dispute }) => dispute,
  isOpen: ({ dispute, attempt }) => dispute.open_attempt === attempt.id,
  settle: settleDispute,
  answer: answerOf,
  async part(_services, { dispute, attempt, movements }, now) {
    const postings = movements.map((movement) => post(dispute.tenant, now, movement));
    return { writes: [replaceDispute(dispute), saveAttempt(attempt), ...postings], events: [] };
  },
};

async function read(reader: Reader, attempt: Attempt): Promise<LoadedDispute> {
  return { dispute: await requireStored(reader, disputesTable, attempt.dispute!), attempt };
}

/** The dispute, unless the processor has refused. While the outcome is unknown the dispute is unchanged; the outcome comes as an event. */
function answerOf({ dispute, attempt }: { dispute: Dispute; attempt: Attempt }): Outcome {
  const answer = { result: serializeDispute(dispute), objectId: dispute.id };
  return attempt.state === 'declined' ? { ...answer, error: errorOf(dispute, attempt) } : answer;
}

/** A processor may know of an end, or of a missed deadline, before it is stored here. */
function errorOf(dispute: Dispute, { decline_code, verb }: Attempt): ApiError {
  if (decline_code === 'dispute_closed') return refuseClosed(dispute);
  if (decline_code === 'evidence_late') return refusePastDue(dispute);
  const long = /^(\w+)_too_long$/.exec(decline_code ?? '')?.[1];
  if (long !== undefined) return refuseLong(long);
  const what = verb === 'contest' ? 'take the evidence, which is kept here' : 'close the dispute';
  const decline = { ...(decline_code === null ? {} : { decline_code }), payment: dispute.payment };
  return apiError('processing_error', {
    reason: `The processor did not ${what}; the dispute is as it was.`,
    decline,
  });
}

export function refuseClosed({ status }: Dispute): ApiError {
  return apiError('dispute_closed', { param: 'id', outcome: isOver(status) ? status : 'decided by the processor' });
}

export function refusePastDue({ due_by }: Dispute): ApiError {
  return apiError('evidence_past_due', { param: 'evidence', due_by: due_by.toISOString() });
}

/** The evidence is stored all the same: it takes one request to shorten it and to submit it. */
function refuseLong(field: string): ApiError {
  const reason =
    'it is longer than the processor takes; the evidence is stored and not submitted: shorten this field and submit again';
  return apiError('parameter_invalid', { param: `evidence.${field}`, reason });
}

/** An attempt is in flight. The evidence must not change, because it may have to be sent again. */
export function waitForSlot({ open_attempt, status }: Dispute): void {
  if (open_attempt !== null && !isOver(status)) throw new Busy('an attempt is under way');
}
