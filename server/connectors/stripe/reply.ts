import type { AttemptId, Declined, InquiryOutcome, ProcessorOutcome, Reply } from '../contract.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { declinedCard, refusedRequest } from './declines.ts';

export type StripeReply<Outcome = ProcessorOutcome> = Reply<Outcome>;

export function reply<Outcome extends InquiryOutcome>(
  talk: StripeConversation,
  attempt: AttemptId,
  outcome: Outcome,
): StripeReply<Outcome> {
  return { attempt, outcome, exchange: talk.exchange };
}

/** The outcome of a request that can move money, when Stripe has not done it, or not said so. */
export function outcomeOfUndone(answer: StripeUndone): ProcessorOutcome {
  switch (answer.kind) {
    case 'refused':
      return answer.error.type === 'card_error' ? declinedCard(answer.error) : refusedRequest(answer.error);
    case 'not_sent':
    case 'turned_away':
      return { kind: 'not_sent', reason: answer.reason };
    default:
      return { kind: 'unknown', reason: answer.reason };
  }
}

/** The outcome when a request that moves no money, and that had to come first, was not done: so nothing else was sent. */
export function outcomeBefore(answer: StripeUndone): ProcessorOutcome {
  return answer.kind === 'refused' ? outcomeOfUndone(answer) : { kind: 'not_sent', reason: answer.reason };
}

export function unknown(reason: string): { kind: 'unknown'; reason: string } {
  return { kind: 'unknown', reason };
}

/** The request cannot be made, which is known without asking. */
export function refused(declineCode: string, message: string): Declined {
  return { kind: 'declined', code: 'processing_error', declineCode, message, advice: 'never' };
}
