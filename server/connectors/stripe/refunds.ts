import type { AttemptId, ProcessorOutcome } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { unknown } from './reply.ts';
import { pageOf, refundOf, type StripeRefund } from './shapes.ts';

export function outcomeOfRefund({ id, status, failureReason }: StripeRefund): ProcessorOutcome {
  switch (status) {
    case 'succeeded':
      return { kind: 'approved', reference: id };
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', reference: id };
    case 'failed':
    case 'canceled': {
      const declineCode = failureReason ?? `refund_${status}`;
      return { kind: 'declined', code: 'processing_error', declineCode, advice: 'another_method', reference: id };
    }
    default:
      return { kind: 'unknown', reason: `the refund is ${status.slice(0, 40)}` };
  }
}

/** The outcome of a refund that was just made. One that seems to have failed immediately is read again. */
export async function outcomeOfMade(
  talk: StripeConversation,
  refund: StripeRefund | undefined,
  attempt: AttemptId,
): Promise<ProcessorOutcome> {
  if (refund?.metadata.tollgate_attempt !== attempt) return unknown('the answer is not about this refund');
  const outcome = outcomeOfRefund(refund);
  return outcome.kind === 'declined' ? outcomeNow(talk, refund.id) : outcome;
}

export async function outcomeNow<Missing = ProcessorOutcome>(
  talk: StripeConversation,
  id: string,
  missing: Missing | ProcessorOutcome = unknown('the refund is missing'),
): Promise<ProcessorOutcome | Missing> {
  const answer = await talk.get(['refunds', id]);
  if (answer.kind === 'refused' && answer.status === 404) return missing;
  const refund = answer.kind === 'done' ? refundOf(answer.object) : undefined;
  return refund?.id === id ? outcomeOfRefund(refund) : unknown('the refund could not be read');
}

const pageSize = 100;
const pagesMax = 100;

/** The refund of an intent that `matches`; undefined when there is none, 'failed' when Stripe did not answer. */
async function findRefund(
  talk: StripeConversation,
  intent: string,
  matches: (refund: StripeRefund) => boolean,
): Promise<StripeRefund | undefined | 'failed'> {
  let after: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const answer = await talk.get(['refunds'], { payment_intent: intent, limit: pageSize, starting_after: after });
    const page = answer.kind === 'done' ? pageOf(answer.object) : undefined;
    if (page === undefined) return 'failed';
    const refunds = page.data.flatMap((one) => refundOf(one) ?? []);
    const match = refunds.find(matches);
    if (match !== undefined || !page.hasMore) return match;
    after = refunds.at(-1)?.id;
  }
  return 'failed';
}

export function refundOfAttempt(talk: StripeConversation, intent: string, attempt: AttemptId) {
  return findRefund(talk, intent, ({ metadata }) => metadata.tollgate_attempt === attempt);
}

/** The refund by which a cancel has given back an authorization. One that failed has given nothing back. */
export function existingReversal(talk: StripeConversation, intent: string, authorization: AttemptId) {
  return findRefund(
    talk,
    intent,
    ({ metadata, status }) =>
      metadata.tollgate_reversal === authorization && status !== 'failed' && status !== 'canceled',
  );
}
