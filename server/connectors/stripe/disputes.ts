import type { ConcedeRequest, ContestRequest, ProcessorOutcome } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { isStripeId } from './intents.ts';
import { outcomeOfUndone, refused, reply, type StripeReply, unknown } from './reply.ts';
import { disputeOf, type StripeDispute } from './shapes.ts';

const notKnown = refused('dispute_unknown', 'Stripe does not know this dispute.');
const isOver = refused('dispute_closed', 'The dispute is decided.');

/** Stripe has decided, or the bank has. */
export function isDecided({ status }: StripeDispute): boolean {
  return status === 'won' || status === 'lost' || status === 'warning_closed' || status === 'prevented';
}

/** The evidence has Stripe's own field names. The attempt is written down with it, so that an inquiry can tell whether it arrived. */
export async function contest(talk: StripeConversation, request: ContestRequest): Promise<StripeReply> {
  const { attempt, dispute: id, evidence } = request;
  if (!isStripeId(id)) return reply(talk, attempt, notKnown);
  const form = { evidence, submit: true, metadata: { tollgate_attempt: attempt } };
  const answer = await talk.post(['disputes', id], form, attempt);
  if (answer.kind !== 'done') return reply(talk, attempt, outcomeOfUndone(answer));
  const dispute = disputeOf(answer.object);
  return reply(
    talk,
    attempt,
    dispute === undefined ? unknown('the answer is not a dispute') : outcomeOfContest(dispute, attempt),
  );
}

export function outcomeOfContest(dispute: StripeDispute, attempt: string): ProcessorOutcome {
  if (dispute.metadata.tollgate_attempt !== attempt) return unknown('the evidence is not there');
  return dispute.submissions > 0
    ? { kind: 'approved', reference: dispute.id }
    : unknown('the evidence was not submitted');
}

/** The attempt is written down before the dispute is closed: a closed one does not tell who has closed it. */
export async function concede(talk: StripeConversation, request: ConcedeRequest): Promise<StripeReply> {
  const { attempt, dispute: id } = request;
  if (!isStripeId(id)) return reply(talk, attempt, notKnown);
  const marked = await talk.post(['disputes', id], { metadata: { tollgate_concession: attempt } }, `${attempt}/mark`);
  if (marked.kind !== 'done')
    return reply(
      talk,
      attempt,
      marked.kind === 'refused' ? outcomeOfUndone(marked) : { kind: 'not_sent', reason: marked.reason },
    );
  const before = disputeOf(marked.object);
  if (before === undefined) return reply(talk, attempt, { kind: 'not_sent', reason: 'the answer is not a dispute' });
  if (isDecided(before)) return reply(talk, attempt, isOver);
  const answer = await talk.post(['disputes', id, 'close'], {}, attempt);
  if (answer.kind !== 'done') return reply(talk, attempt, outcomeOfUndone(answer));
  const dispute = disputeOf(answer.object);
  return reply(
    talk,
    attempt,
    dispute === undefined ? unknown('the answer is not a dispute') : outcomeOfConcession(dispute, attempt),
  );
}

export function outcomeOfConcession(dispute: StripeDispute, attempt: string): ProcessorOutcome {
  const isOurs = dispute.metadata.tollgate_concession === attempt;
  return isOurs && dispute.status === 'lost'
    ? { kind: 'approved', reference: dispute.id }
    : unknown('it is not closed');
}
