import type { AttemptId, ConcedeRequest, ContestRequest, ProcessorOutcome } from '../contract.ts';
import type { StripeAnswer, StripeConversation } from './conversation.ts';
import { isStripeId } from './intents.ts';
import { outcomeBefore, outcomeOfUndone, refused, reply, type StripeReply, unknown } from './reply.ts';
import { disputeOf, type StripeDispute } from './shapes.ts';

const notKnown = refused('dispute_unknown', 'Stripe does not know this dispute.');
const nothingToSubmit = refused('evidence_missing', 'Stripe takes no submission without evidence.');
const isOver = refused('dispute_closed', 'The dispute is decided.');

/** Stripe has decided, or the bank has. */
export function isDecided({ status }: StripeDispute): boolean {
  return status === 'won' || status === 'lost' || status === 'warning_closed' || status === 'prevented';
}

type DisputeRequest = ContestRequest | ConcedeRequest;

/** The dispute as it is, unless its state is the answer already: an attempt that has arrived before, or a dispute that is over. */
async function beforehand(
  talk: StripeConversation,
  { dispute: id, attempt }: DisputeRequest,
  judge: (dispute: StripeDispute, attempt: string) => ProcessorOutcome,
): Promise<ProcessorOutcome | undefined> {
  if (!isStripeId(id)) return notKnown;
  const answer = await talk.get(['disputes', id]);
  if (answer.kind !== 'done') return outcomeBefore(answer);
  const dispute = disputeOf(answer.object);
  if (dispute?.id !== id) return { kind: 'not_sent', reason: 'the answer is not about this dispute' };
  const outcome = judge(dispute, attempt);
  if (outcome.kind === 'approved') return outcome;
  return isDecided(dispute) ? isOver : undefined;
}

/** Stripe takes the id of an uploaded file in these fields, and refuses any other text. */
// biome-ignore format: a list of words
const fileFields = new Set([
  'cancellation_policy', 'customer_communication', 'customer_signature', 'duplicate_charge_documentation', 'receipt',
  'refund_policy', 'service_documentation', 'shipping_documentation', 'uncategorized_file',
]);

/** The evidence as Stripe takes it: what is written in the field of a file becomes a part of the free text. */
export function evidenceForm(evidence: ContestRequest['evidence']): Record<string, string> {
  const isMisplaced = ([field, text]: [string, string]) => fileFields.has(field) && !text.startsWith('file_');
  const all = Object.entries(evidence);
  const misplaced = all.filter(isMisplaced).map(([field, text]) => `${field.replaceAll('_', ' ')}: ${text}`);
  const form = Object.fromEntries(all.filter((entry) => !isMisplaced(entry)));
  if (misplaced.length === 0) return form;
  return { ...form, uncategorized_text: [form.uncategorized_text ?? [], misplaced].flat().join('\n\n') };
}

/** In characters, as in Stripe's description of its API. */
const factCharsMax = 5_000;
const textCharsMax = 20_000;
// biome-ignore format: a list of words
const facts = new Set([
  'billing_address', 'customer_email_address', 'customer_name', 'customer_purchase_ip', 'duplicate_charge_id',
  'service_date', 'shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_tracking_number',
]);

/** The first field that is longer than Stripe takes. Texts that were moved into `uncategorized_text` count there. */
export function tooLong(form: Record<string, string>): string | undefined {
  const isTooLong = ([field, text]: [string, string]) => text.length > (facts.has(field) ? factCharsMax : textCharsMax);
  return Object.entries(form).find(isTooLong)?.[0];
}

/** The evidence has Stripe's own field names. The attempt is written down with it, so that an inquiry can tell whether it arrived. */
export async function contest(talk: StripeConversation, request: ContestRequest): Promise<StripeReply> {
  const { attempt, dispute: id, evidence } = request;
  const early = await beforehand(talk, request, outcomeOfContest);
  if (early !== undefined) return reply(talk, attempt, early);
  if (Object.keys(evidence).length === 0) return reply(talk, attempt, nothingToSubmit);
  const texts = evidenceForm(evidence);
  const field = tooLong(texts);
  if (field !== undefined)
    return reply(talk, attempt, refused(`${field}_too_long`, `Stripe takes less text in ${field}.`));
  const form = { evidence: texts, submit: true, metadata: { tollgate_attempt: attempt } };
  const isUndone = async () => (await beforehand(talk, request, outcomeOfContest)) === undefined;
  return judged(talk, attempt, await talk.postAgain(['disputes', id], form, attempt, isUndone), outcomeOfContest);
}

export function outcomeOfContest(dispute: StripeDispute, attempt: string): ProcessorOutcome {
  if (dispute.metadata.tollgate_attempt !== attempt) return unknown('the evidence is not there');
  return dispute.submissions > 0
    ? { kind: 'approved', reference: dispute.id }
    : unknown('the evidence was not submitted');
}

/**
 * The attempt is written down before the dispute is closed: a closed one does not tell who has closed it. An update submits the evidence
 * by default, and some may have been staged at Stripe.
 */
export async function concede(talk: StripeConversation, request: ConcedeRequest): Promise<StripeReply> {
  const { attempt, dispute: id } = request;
  const early = await beforehand(talk, request, outcomeOfConcession);
  if (early !== undefined) return reply(talk, attempt, early);
  const marked = await talk.postRepeatedly(['disputes', id], {
    metadata: { tollgate_concession: attempt },
    submit: false,
  });
  if (marked.kind !== 'done') return reply(talk, attempt, outcomeBefore(marked));
  const isUndone = async () => (await beforehand(talk, request, outcomeOfConcession)) === undefined;
  const answer = await talk.postAgain(['disputes', id, 'close'], {}, attempt, isUndone);
  return judged(talk, attempt, answer, outcomeOfConcession);
}

export function outcomeOfConcession(dispute: StripeDispute, attempt: string): ProcessorOutcome {
  const isOurs = dispute.metadata.tollgate_concession === attempt;
  return isOurs && dispute.status === 'lost'
    ? { kind: 'approved', reference: dispute.id }
    : unknown('it is not closed');
}

function judged(
  talk: StripeConversation,
  attempt: AttemptId,
  answer: StripeAnswer,
  judge: (dispute: StripeDispute, attempt: string) => ProcessorOutcome,
): StripeReply {
  if (answer.kind !== 'done') return reply(talk, attempt, outcomeOfUndone(answer));
  const dispute = disputeOf(answer.object);
  return reply(talk, attempt, dispute === undefined ? unknown('the answer is not a dispute') : judge(dispute, attempt));
}
