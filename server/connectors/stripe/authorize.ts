import type { AuthorizeRequest, ProcessorOutcome, Traces } from '../contract.ts';
import { cardForm, type UnconfirmedIntent } from './card_form.ts';
import { objectionToToken } from './confirmations.ts';
import type { StripeAnswer, StripeConversation } from './conversation.ts';
import { attemptOf, getIntent, makeIntent, outcomeOfIntent, undone, withCharge } from './intents.ts';
import { openPage } from './pages.ts';
import { outcomeBefore, outcomeOfUndone, reply, type StripeReply, unknown } from './reply.ts';
import { alwaysAsked } from './sessions.ts';
import { intentOf, type StripeIntent } from './shapes.ts';
import { methodNamedAfter } from './tokens.ts';
import type { StripeForm } from './wire.ts';

/** With less time left, nothing that can move money is sent: its answer would come too late. */
export const confirmMs = 2_000;

/**
 * The intent comes first, with facts only. It moves no money, so whatever goes wrong until it is confirmed, Stripe has provably not acted.
 * The confirmation is sent once.
 */
export async function authorize(
  talk: StripeConversation,
  request: AuthorizeRequest,
  takesNumbers: boolean,
): Promise<StripeReply> {
  const { attempt, instrument, initiator, storedCredential, payment, now } = request;
  if (instrument.kind === 'page') return openPage(talk, { ...request, instrument });
  if (instrument.kind === 'card' && !takesNumbers)
    return reply(talk, attempt, { kind: 'not_sent', reason: 'this Stripe account takes tokens only' });
  const isByFields = instrument.kind === 'confirmation';
  const objection = isByFields ? await objectionToToken(talk, instrument.token, now) : undefined;
  if (objection !== undefined) return reply(talk, attempt, objection);
  const made = await makeIntent(talk, { ...request, isByFields });
  if (made.kind === 'absent') return reply(talk, attempt, unknown('the intent was made and is missing'));
  if (made.kind !== 'intent') return reply(talk, attempt, outcomeBefore(made));
  const keptAs = storedCredential === 'first' ? methodNamedAfter(payment) : undefined;
  const charged = { attempt, instrument, isAlone: initiator === 'merchant', keptAs };
  const card = await cardForm(talk, charged, unconfirmed(talk, made.intent));
  if (!('form' in card)) return reply(talk, attempt, card);
  await nameSale(talk, made.intent, request);
  if (talk.left < confirmMs) return reply(talk, attempt, { kind: 'not_sent', reason: 'no time was left to confirm' });
  const form = { ...card.form, ...termsOf(request, card.isKept), ...withCharge };
  const answer = await talk.post(['payment_intents', made.intent.id, 'confirm'], form, `${attempt}/confirm`);
  return decided(talk, request, made.intent, answer);
}

/**
 * What cardholders read after the name of the account at Stripe, and what the merchant reads there. They are not among the facts that make the
 * intent, which an inquiry repeats. Stripe refuses a suffix that does not fit the account's own: then the charge goes on without it.
 */
async function nameSale(
  talk: StripeConversation,
  { id }: StripeIntent,
  { attempt, statementDescriptor, description }: AuthorizeRequest,
): Promise<void> {
  const described = { ...(description && { description }) };
  const suffix = { ...(statementDescriptor && { statement_descriptor_suffix: statementDescriptor }) };
  const path = ['payment_intents', id];
  if (description === undefined && statementDescriptor === undefined) return;
  const answer = await talk.post(path, { ...suffix, ...described }, `${attempt}/descriptor`);
  const isUnfit = answer.kind === 'refused' && answer.error.param?.includes('statement_descriptor') === true;
  if (isUnfit && description !== undefined) await talk.post(path, described, `${attempt}/description`);
}

function unconfirmed(talk: StripeConversation, { id }: StripeIntent): UnconfirmedIntent {
  const statusNow = async () => {
    const now = await getIntent(talk, id);
    return now.kind === 'intent' ? now.intent.status : undefined;
  };
  return { path: 'payment_intents', id, undone, statusNow };
}

/**
 * Whether the cardholder is present, and the agreement about later charges. Stripe itself keeps the agreement: its published API takes
 * no network transaction id. (`payment_method_options[card][mit_exemption]`, which other gateways send, needs an activation by Stripe.)
 */
function termsOf(request: AuthorizeRequest, isKept: boolean): StripeForm {
  const { initiator, storedCredential, returnUrl, declinesChallenge = false, authentication } = request;
  if (initiator === 'merchant') return { off_session: true };
  return {
    ...(authentication === 'always' ? alwaysAsked : {}),
    ...(isKept && storedCredential === 'first' ? { setup_future_usage: 'off_session' } : {}),
    ...(declinesChallenge ? { error_on_requires_action: true } : { return_url: returnUrl }),
  };
}

/** The states of an intent in which money has moved or may move. A refusal never shows one, and any other answer does. */
const effective = new Set(['succeeded', 'requires_capture', 'processing', 'requires_action']);

async function decided(
  talk: StripeConversation,
  request: AuthorizeRequest,
  { id }: StripeIntent,
  answer: StripeAnswer,
): Promise<StripeReply> {
  const { attempt } = request;
  if (answer.kind === 'done') {
    const intent = intentOf(answer.object);
    if (intent === undefined) return reply(talk, attempt, unknown('the answer is not an intent'));
    if (effective.has(intent.status)) return reply(talk, attemptOf(intent), settled(intent, request));
  }
  if (answer.kind === 'done' || needsLook(answer)) {
    // The intent was canceled or confirmed before, or the answer contradicts itself: the intent decides.
    const now = await getIntent(talk, id);
    if (now.kind !== 'intent') return reply(talk, attempt, unknown(now.kind === 'absent' ? 'no intent' : now.kind));
    return reply(talk, attemptOf(now.intent), settled(now.intent, request));
  }
  const outcome = outcomeOfUndone(answer);
  const used = request.instrument.kind === 'confirmation' ? declinedMethod(answer) : {};
  return reply(talk, attempt, outcome.kind === 'declined' ? { ...outcome, reference: id, ...used } : outcome);
}

/** The card that was declined, where the cardholder has chosen it at Stripe. */
export function declinedMethod(answer: StripeAnswer): Pick<Traces, 'method'> {
  const used = answer.kind === 'refused' ? answer.error.used : undefined;
  return used === undefined ? {} : { method: { type: 'card', ...used } };
}

/** A refusal that leaves the outcome unknown. */
function needsLook(answer: StripeAnswer): boolean {
  if (answer.kind === 'mismatch') return true;
  if (answer.kind !== 'refused') return false;
  const { code, param, intent } = answer.error;
  if (answer.status === 404 && param !== 'payment_method' && param !== 'confirmation_token') return true;
  return code === 'payment_intent_unexpected_state' || (intent !== undefined && effective.has(intent.status));
}

function settled(intent: StripeIntent, request: AuthorizeRequest): ProcessorOutcome {
  const outcome = outcomeOfIntent(intent, request);
  return outcome.kind === 'not_found' ? unknown('the intent was not confirmed') : outcome;
}
