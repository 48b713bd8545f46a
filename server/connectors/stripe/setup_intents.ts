import { idTime } from '../../base/id.ts';
import type { AttemptId, InquiryOutcome, SetupAttempt } from '../contract.ts';
import type { StripeAnswer, StripeConversation, StripeUndone } from './conversation.ts';
import { declinedCard } from './declines.ts';
import { challenge, chosenByFields, chosenTraces, declinedOrCanceled, isStripeId, keyMs, usedIn } from './intents.ts';
import { listedIntent } from './listed.ts';
import { unknown } from './reply.ts';
import { type StripeSetupIntent, setupIntentOf } from './shapes.ts';

/** absent: Stripe has no such intent. */
export type FoundSetup = { kind: 'setup'; intent: StripeSetupIntent } | { kind: 'absent' } | StripeUndone;

/** The facts of a setup, which its attempt can repeat at any time: nothing about the card. */
export type SetupFacts = Pick<SetupAttempt, 'attempt' | 'setup'> & { isByFields?: boolean };

export const undoneSetup = 'The setup was canceled before it took effect.';

/** Makes the SetupIntent of an attempt, or returns the one that was made before, as it was then. */
export async function makeSetup(talk: StripeConversation, facts: SetupFacts): Promise<FoundSetup> {
  const { attempt, setup, isByFields = false } = facts;
  const form = {
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
    metadata: { tollgate_setup: setup, tollgate_attempt: attempt, ...(isByFields ? chosenByFields : {}) },
  };
  const made = found(await talk.postRepeatedly(['setup_intents'], form, `${attempt}/create`));
  if (made.kind !== 'setup' || attemptOfSetup(made.intent) === attempt) return made;
  return { kind: 'lost', reason: 'the answer is about another intent' };
}

export async function getSetup(talk: StripeConversation, id: string): Promise<FoundSetup> {
  if (!isStripeId(id)) return { kind: 'absent' };
  const answer = await talk.get(['setup_intents', id], { expand: ['payment_method'] });
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'absent' };
  const got = found(answer);
  return got.kind === 'setup' && got.intent.id !== id
    ? { kind: 'lost', reason: 'the answer is about another intent' }
    : got;
}

function found(answer: StripeAnswer): FoundSetup {
  if (answer.kind !== 'done') return answer;
  const intent = setupIntentOf(answer.object);
  return intent === undefined
    ? { kind: 'lost', reason: 'an answer that is not understood' }
    : { kind: 'setup', intent };
}

/**
 * The SetupIntent of an attempt as it is now. When its id was never learnt, it is made again with the same key, which returns the one that
 * exists. SetupIntents cannot be searched: once Stripe may have forgotten the key, or repeats an error under it, they are listed.
 */
export async function setupNow(talk: StripeConversation, asked: SetupAttempt, now: number): Promise<FoundSetup> {
  const { reference, attempt } = asked;
  return ofAttempt(
    attempt,
    reference === undefined ? await setupByKey(talk, asked, now) : await getSetup(talk, reference),
  );
}

/** The SetupIntent of an attempt of which nothing else is known. */
export async function setupWithoutFacts(
  talk: StripeConversation,
  { attempt, reference }: Pick<SetupAttempt, 'attempt' | 'reference'>,
): Promise<FoundSetup> {
  return ofAttempt(attempt, reference === undefined ? await listed(talk, attempt) : await getSetup(talk, reference));
}

function ofAttempt(attempt: AttemptId, got: FoundSetup): FoundSetup {
  const isOther = got.kind === 'setup' && attemptOfSetup(got.intent) !== attempt;
  return isOther ? { kind: 'lost', reason: 'the intent is about another attempt' } : got;
}

async function setupByKey(talk: StripeConversation, asked: SetupAttempt, now: number): Promise<FoundSetup> {
  const { attempt } = asked;
  if (now - idTime(attempt) > keyMs) return listed(talk, attempt);
  const first = await makeSetup(talk, asked);
  // Under this key Stripe may know the request with the mark of the fields.
  const made = first.kind === 'mismatch' ? await makeSetup(talk, { ...asked, isByFields: true }) : first;
  if (made.kind === 'setup') return getSetup(talk, made.intent.id);
  if (made.kind === 'mismatch' || made.kind === 'lost') return listed(talk, attempt);
  return made.kind === 'refused' ? { kind: 'absent' } : made; // what is refused was never made
}

async function listed(talk: StripeConversation, attempt: AttemptId): Promise<FoundSetup> {
  const one = await listedIntent(talk, ['setup_intents'], attempt);
  return one.kind === 'listed' ? getSetup(talk, one.id) : one;
}

/** The attempt that a SetupIntent is about, according to Stripe. */
export function attemptOfSetup({ metadata }: StripeSetupIntent): AttemptId {
  return (metadata.tollgate_attempt ?? '') as AttemptId;
}

/** Without a page for the cardholder it is a decline. A confirmation of a SetupIntent cannot ask for one, so that the intent stays open. */
function waiting(intent: StripeSetupIntent): InquiryOutcome {
  const outcome = challenge(intent);
  return outcome.kind === 'declined' ? { ...outcome, awaitsCardholder: true } : outcome;
}

/** The outcome of a setup by the state of its intent. `not_found`: it was not confirmed yet. */
export function outcomeOfSetup(intent: StripeSetupIntent): InquiryOutcome {
  const { id, status, lastError } = intent;
  switch (status) {
    case 'succeeded':
      return { kind: 'approved', reference: id, ...chosenTraces(intent) };
    case 'processing':
      return { kind: 'pending', reference: id };
    case 'requires_action':
      return waiting(intent);
    case 'requires_payment_method':
    case 'requires_confirmation':
      if (lastError === undefined) return { kind: 'not_found' };
      return { ...declinedCard(lastError), reference: id, ...usedIn(intent) };
    case 'canceled':
      return { ...declinedOrCanceled(lastError, undoneSetup), reference: id };
    default:
      return unknown(`the intent is ${status.slice(0, 40)}`);
  }
}
