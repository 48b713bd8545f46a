import { idTime } from '../../base/id.ts';
import { Secret } from '../../base/secret.ts';
import type { AttemptId, Authorization, Declined, InquiryOutcome, ProcessorOutcome, Traces } from '../contract.ts';
import type { StripeAnswer, StripeConversation, StripeUndone } from './conversation.ts';
import { declinedCard } from './declines.ts';
import { type ListedIntent, listedIntent } from './listed.ts';
import { refused, unknown } from './reply.ts';
import { intentOf, pageOf, type StripeError, type StripeIntent, type StripeSetupIntent, textOf } from './shapes.ts';
import { toStripe } from './units.ts';
import type { StripeForm } from './wire.ts';

export const withCharge: StripeForm = { expand: ['latest_charge'] };

/** absent: Stripe has no such intent. */
export type FoundIntent = { kind: 'intent'; intent: StripeIntent } | { kind: 'absent' } | StripeUndone;

/** Stripe keeps an idempotency key for at least a day. Later, the same key would make a second intent. */
export const keyMs = 23 * 60 * 60_000;

/** The facts of an authorization, which its attempt can repeat at any time: nothing about the card. */
export type IntentFacts = Pick<Authorization, 'attempt' | 'payment' | 'money' | 'capture'> & { isByFields?: boolean };

/** The member of the metadata that says that the cardholder has chosen the method at Stripe: then an answer names it. */
export const chosenByFields = { tollgate_method: 'fields' };

/**
 * Makes the intent of an attempt, or returns the one that was made before. It moves no money, and can be repeated until Stripe forgets the
 * key. The answer shows the intent as it was when it was made.
 */
export async function makeIntent(talk: StripeConversation, facts: IntentFacts): Promise<FoundIntent> {
  const { attempt, payment, money, capture, isByFields = false } = facts;
  const amount = toStripe(money);
  if (amount === undefined) return inexpressible;
  const form = {
    amount,
    currency: money.currency,
    capture_method: capture ? 'automatic' : 'manual',
    allowed_payment_method_types: ['card'],
    metadata: { tollgate_payment: payment, tollgate_attempt: attempt, ...(isByFields ? chosenByFields : {}) },
  };
  const made = found(await talk.postRepeatedly(['payment_intents'], form, `${attempt}/create`));
  if (made.kind !== 'intent' || isOf(made.intent, attempt)) return made;
  return { kind: 'lost', reason: 'the answer is about another intent' };
}

export const inexpressible: StripeUndone = {
  kind: 'refused',
  status: 400,
  error: {
    type: 'invalid_request_error',
    code: 'amount_not_expressible',
    message: 'Stripe cannot express this amount.',
  },
};

export async function getIntent(talk: StripeConversation, id: string): Promise<FoundIntent> {
  if (!isStripeId(id)) return { kind: 'absent' };
  const answer = await talk.get(['payment_intents', id], withCharge);
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'absent' };
  const got = found(answer);
  return got.kind === 'intent' && got.intent.id !== id
    ? { kind: 'lost', reason: 'the answer is about another intent' }
    : got;
}

/** Anything else could change the path of a request. */
export function isStripeId(id: string): boolean {
  return /^[A-Za-z0-9_]{1,255}$/.test(id);
}

function found(answer: StripeAnswer): FoundIntent {
  if (answer.kind !== 'done') return answer;
  const intent = intentOf(answer.object);
  return intent === undefined
    ? { kind: 'lost', reason: 'an answer that is not understood' }
    : { kind: 'intent', intent };
}

/**
 * The intent of an authorization as it is now. When its id was never learnt, it is made again with the same key, which returns the one
 * that exists; if there was none, the new one is never confirmed. Once Stripe may have forgotten the key, it is searched for.
 */
export async function findIntent(
  talk: StripeConversation,
  authorization: Authorization,
  now: number,
): Promise<FoundIntent> {
  const { attempt } = authorization;
  const intent = await intentNow(talk, authorization, now);
  return intent.kind === 'intent' && !isOf(intent.intent, attempt) ? { kind: 'absent' } : intent;
}

export async function intentNow(
  talk: StripeConversation,
  authorization: Authorization,
  now: number,
): Promise<FoundIntent> {
  const { reference, attempt } = authorization;
  if (reference !== undefined) return getIntent(talk, reference);
  if (now - idTime(attempt) > keyMs) return searchIntent(talk, attempt);
  const first = await makeIntent(talk, authorization);
  // Under this key Stripe may know the request with the mark of the fields.
  const made = first.kind === 'mismatch' ? await makeIntent(talk, { ...authorization, isByFields: true }) : first;
  if (made.kind === 'intent') return getIntent(talk, made.intent.id);
  if (made.kind === 'mismatch' || made.kind === 'lost') return withoutCreation(talk, attempt, made, now);
  return made.kind === 'refused' ? { kind: 'absent' } : made; // what is refused was never made
}

/**
 * Stripe repeats one of its errors under the same key for a day, whether or not the intent was made. Searching takes one request; a list
 * of a busy account takes longer than there is time. A caller that got that error has no id, so an intent that the search does not show
 * cannot have been confirmed.
 */
async function withoutCreation(
  talk: StripeConversation,
  attempt: AttemptId,
  made: StripeUndone,
  now: number,
): Promise<FoundIntent> {
  if (now - idTime(attempt) <= searchLagMs) return listed(talk, attempt);
  const searched = await searchIntent(talk, attempt);
  const isCertain = searched.kind !== 'absent' || (made.kind === 'lost' && made.isRepeated === true);
  return isCertain ? searched : listed(talk, attempt);
}

async function listed(talk: StripeConversation, attempt: AttemptId): Promise<FoundIntent> {
  const one: ListedIntent = await listedIntent(talk, ['payment_intents'], attempt);
  return one.kind === 'listed' ? getIntent(talk, one.id) : one;
}

/** Stripe's search is up to a minute behind, and an hour during an outage. */
export const searchLagMs = 60_000;

/** By metadata. Accounts in India have no search. */
export async function searchIntent(talk: StripeConversation, attempt: AttemptId): Promise<FoundIntent> {
  const query = `metadata['tollgate_attempt']:'${attempt}'`;
  const answer = await talk.get(['payment_intents', 'search'], { query, limit: 1 });
  if (answer.kind === 'refused') return listed(talk, attempt);
  if (answer.kind !== 'done') return answer;
  const page = pageOf(answer.object);
  if (page === undefined) return { kind: 'lost', reason: 'an answer that is not understood' };
  const id = textOf(page.data[0]?.id);
  return id === undefined ? { kind: 'absent' } : getIntent(talk, id);
}

function isOf(intent: StripeIntent, attempt: AttemptId): boolean {
  return attemptOf(intent) === attempt;
}

/** The attempt that an intent is about, according to Stripe. */
export function attemptOf({ metadata }: StripeIntent): AttemptId {
  return (metadata.tollgate_attempt ?? '') as AttemptId;
}

export const undone = 'The authorization was canceled before it took effect.';

/** The outcome of an authorization by the state of its intent. `not_found`: it was not confirmed yet. */
export function outcomeOfIntent(
  intent: StripeIntent,
  { money, capture }: Pick<Authorization, 'money' | 'capture'>,
): InquiryOutcome {
  if (intent.amount !== toStripe(money) || intent.currency !== money.currency)
    return unknown('the intent has another amount');
  const traces = tracesOf(intent);
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'approved', ...traces };
    case 'requires_capture':
      // An authorization that captures immediately does not wait for a capture.
      return capture ? unknown('the amount is only reserved') : { kind: 'approved', ...traces };
    case 'processing':
      return { kind: 'pending', reference: intent.id };
    case 'requires_action':
      return challenge(intent);
    case 'requires_payment_method':
    case 'requires_confirmation':
      if (intent.lastError === undefined) return { kind: 'not_found' };
      return { ...declinedCard(intent.lastError), reference: intent.id, ...usedIn(intent) };
    case 'canceled':
      return { ...declinedOrCanceled(intent.lastError, undone), reference: intent.id };
    default:
      return unknown(`the intent is ${intent.status.slice(0, 40)}`);
  }
}

/** The card that was declined, where the cardholder has chosen it at Stripe. */
export function usedIn({ metadata, lastError }: Pick<StripeIntent, 'metadata' | 'lastError'>): Pick<Traces, 'method'> {
  const { method } = chosenTraces({ metadata, keeps: undefined, used: lastError?.used });
  return method === undefined ? {} : { method };
}

/** An intent that was canceled after a decline was declined. */
export function declinedOrCanceled(lastError: StripeError | undefined, message: string): Declined {
  return lastError === undefined
    ? { ...refused('authorization_canceled', message), advice: 'later' }
    : declinedCard(lastError);
}

/** Without an address for the cardholder, nobody can authenticate. */
export function challenge({ id, redirectUrl }: Pick<StripeIntent, 'id' | 'redirectUrl'>): ProcessorOutcome {
  if (redirectUrl !== undefined && /^https?:/.test(redirectUrl) && URL.canParse(redirectUrl))
    return { kind: 'requires_action', url: redirectUrl, reference: id };
  return { ...declinedCard({ type: 'card_error', code: 'authentication_required' }), reference: id };
}

const checks: Readonly<Record<string, string>> = { pass: 'Y', fail: 'N', unavailable: 'U', unchecked: 'U' };
const cvcChecks: Readonly<Record<string, string>> = { ...checks, pass: 'M' };

function tracesOf({ id, charge, keeps, metadata }: StripeIntent): Traces {
  const traces = {
    networkTransactionId: charge?.networkTransactionId,
    authorizationCode: charge?.authorizationCode,
    avsResult: checks[charge?.addressCheck ?? ''],
    cvcResult: cvcChecks[charge?.cvcCheck ?? ''],
  };
  const told = Object.fromEntries(Object.entries(traces).filter(([, text]) => text !== undefined));
  return { reference: id, ...told, ...chosenTraces({ metadata, keeps, used: charge?.used }) };
}

/** What the cardholder has chosen on a page or in the fields of Stripe, and where it is kept. */
export function chosenTraces({
  metadata,
  keeps,
  used,
}: Pick<StripeSetupIntent, 'metadata' | 'keeps' | 'used'>): Pick<Traces, 'method' | 'kept'> {
  if (metadata.tollgate_method === undefined || used === undefined) return {};
  const { wallet: _, ...card } = used;
  const kept = keeps && { token: new Secret(keeps.method), customer: keeps.customer, card };
  return { method: { type: 'card', ...used }, ...(kept && { kept }) };
}

/** Whether the cardholder has nothing left to do. */
export function isPaid({ status }: StripeIntent): boolean {
  return status === 'succeeded' || status === 'requires_capture';
}
