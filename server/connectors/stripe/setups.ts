import type { CancelSetupRequest, FindRequest, InquiryOutcome, ProcessorOutcome, SetupRequest } from '../contract.ts';
import { confirmMs, declinedMethod } from './authorize.ts';
import { cardForm, type UnconfirmedIntent } from './card_form.ts';
import { objectionToToken } from './confirmations.ts';
import type { StripeAnswer, StripeConversation } from './conversation.ts';
import { closePage, findPage, isPage, openPage } from './pages.ts';
import { outcomeBefore, outcomeOfUndone, refused, reply, type StripeReply, unknown } from './reply.ts';
import { alwaysAsked } from './sessions.ts';
import {
  attemptOfSetup,
  type FoundSetup,
  getSetup,
  makeSetup,
  outcomeOfSetup,
  setupNow,
  setupWithoutFacts,
  undoneSetup,
} from './setup_intents.ts';
import { type StripeSetupIntent, setupIntentOf } from './shapes.ts';
import { methodNamedAfter } from './tokens.ts';

/**
 * As an authorization: the SetupIntent comes first, with facts only, and the confirmation is sent once. Stripe keeps the agreement with
 * the payment method, for charges with `off_session`.
 */
export async function setup(
  talk: StripeConversation,
  request: SetupRequest,
  takesNumbers: boolean,
): Promise<StripeReply> {
  const { attempt, instrument, declinesChallenge = false, returnUrl, authentication, now } = request;
  if (instrument.kind === 'page') return openPage(talk, { ...request, instrument });
  if (instrument.kind === 'card' && !takesNumbers)
    return reply(talk, attempt, { kind: 'not_sent', reason: 'this Stripe account takes tokens only' });
  const isByFields = instrument.kind === 'confirmation';
  const objection = isByFields ? await objectionToToken(talk, instrument.token, now) : undefined;
  if (objection !== undefined) return reply(talk, attempt, objection);
  const made = await makeSetup(talk, { ...request, isByFields });
  if (made.kind === 'absent') return reply(talk, attempt, unknown('the intent was made and is missing'));
  if (made.kind !== 'setup') return reply(talk, attempt, outcomeBefore(made));
  const kept = { attempt, instrument, isAlone: false, keptAs: methodNamedAfter(request.setup) };
  const card = await cardForm(talk, kept, unconfirmed(talk, made.intent));
  if (!('form' in card)) return reply(talk, attempt, card);
  if (talk.left < confirmMs) return reply(talk, attempt, { kind: 'not_sent', reason: 'no time was left to confirm' });
  // Without an address to return to, a challenge has no page, so that it is a decline.
  const asked = authentication === 'always' ? alwaysAsked : {};
  const wanted = isByFields ? { expand: ['payment_method'] } : {};
  const form = { ...card.form, ...(declinesChallenge ? {} : { return_url: returnUrl }), ...asked, ...wanted };
  const answer = await talk.post(['setup_intents', made.intent.id, 'confirm'], form, `${attempt}/confirm`);
  return decided(talk, request, made.intent, answer);
}

function unconfirmed(talk: StripeConversation, { id }: StripeSetupIntent): UnconfirmedIntent {
  const statusNow = async () => {
    const now = await getSetup(talk, id);
    return now.kind === 'setup' ? now.intent.status : undefined;
  };
  return { path: 'setup_intents', id, undone: undoneSetup, statusNow };
}

/** The states of an intent in which the card is set up, or may be. A refusal never shows one, and any other answer does. */
const effective = new Set(['succeeded', 'processing', 'requires_action']);

async function decided(
  talk: StripeConversation,
  { attempt, instrument }: SetupRequest,
  { id }: StripeSetupIntent,
  answer: StripeAnswer,
): Promise<StripeReply> {
  if (answer.kind === 'done') {
    const intent = setupIntentOf(answer.object);
    if (intent === undefined) return reply(talk, attempt, unknown('the answer is not an intent'));
    if (effective.has(intent.status)) return reply(talk, attemptOfSetup(intent), settled(intent));
  }
  if (answer.kind === 'done' || needsLook(answer)) {
    // The intent was canceled or confirmed before, or the answer contradicts itself: the intent decides.
    const now = await getSetup(talk, id);
    if (now.kind !== 'setup') return reply(talk, attempt, unknown(now.kind === 'absent' ? 'no intent' : now.kind));
    return reply(talk, attemptOfSetup(now.intent), settled(now.intent));
  }
  const outcome = outcomeOfUndone(answer);
  const used = instrument.kind === 'confirmation' ? declinedMethod(answer) : {};
  return reply(talk, attempt, outcome.kind === 'declined' ? { ...outcome, reference: id, ...used } : outcome);
}

/** A refusal that leaves the outcome unknown. */
function needsLook(answer: StripeAnswer): boolean {
  if (answer.kind === 'mismatch') return true;
  if (answer.kind !== 'refused') return false;
  const { code, param, setupIntent } = answer.error;
  if (answer.status === 404 && param !== 'payment_method' && param !== 'confirmation_token') return true;
  return code === unexpectedState || (setupIntent !== undefined && effective.has(setupIntent.status));
}

const unexpectedState = 'setup_intent_unexpected_state';

function settled(intent: StripeSetupIntent): ProcessorOutcome {
  const outcome = outcomeOfSetup(intent);
  return outcome.kind === 'not_found' ? unknown('the intent was not confirmed') : outcome;
}

const looksMax = 3;
const notKnown = refused('setup_unknown', 'Stripe does not know this setup.');
const hasSucceeded = refused('setup_succeeded', 'The setup has succeeded, and cannot be canceled.');

/**
 * Ends a setup that waits for its cardholder. One whose id was never learnt is made again with the same key and canceled: Stripe then
 * refuses its confirmation, however late it comes. Canceling twice is harmless, so it has no idempotency key.
 */
export async function cancelSetup(talk: StripeConversation, request: CancelSetupRequest): Promise<StripeReply> {
  const { attempt, setup: asked, now } = request;
  if (isPage(asked)) {
    const closed = await closePage(talk, request, asked);
    return 'reply' in closed ? closed.reply : reply(talk, attempt, hasSucceeded);
  }
  let found = await setupNow(talk, asked, now);
  // The id of an intent that is not there is unknown, so it cannot be confirmed either.
  if (found.kind === 'absent')
    return reply(talk, attempt, asked.reference === undefined ? { kind: 'approved' } : notKnown);
  if (found.kind !== 'setup') return reply(talk, attempt, outcomeBefore(found));
  for (let looks = 0; looks < looksMax && found.kind === 'setup'; looks++) {
    const { id, status }: StripeSetupIntent = found.intent;
    if (status === 'canceled') return reply(talk, attempt, { kind: 'approved', reference: id });
    if (status === 'succeeded') return reply(talk, attempt, hasSucceeded);
    const answer = await talk.post(['setup_intents', id, 'cancel'], {});
    // It may have been confirmed or authenticated at the same moment: then its new state decides.
    const isSurprised = answer.kind === 'refused' && answer.error.code === unexpectedState;
    if (answer.kind !== 'done' && !isSurprised) return reply(talk, attempt, outcomeOfUndone(answer));
    found = await getSetup(talk, id);
  }
  return reply(talk, attempt, unknown('Stripe does not show that the intent is canceled'));
}

/** The outcome of a setup. */
export async function findSetup(talk: StripeConversation, request: FindRequest): Promise<InquiryOutcome> {
  const { setup: asked, attempt, reference = asked?.reference, now } = request;
  if (asked !== undefined && isPage({ ...asked, reference })) return findPage(talk, asked, reference, now);
  const found =
    asked === undefined
      ? await setupWithoutFacts(talk, { attempt, reference })
      : await setupNow(talk, { ...asked, reference }, now);
  return ofSetup(found, outcomeOfSetup);
}

/** The outcome of the cancel of a setup. */
export async function findCanceledSetup(talk: StripeConversation, request: FindRequest): Promise<InquiryOutcome> {
  const asked = request.setup!;
  if (isPage(asked)) {
    const page = await findPage(talk, asked, asked.reference, request.now);
    if (page.kind === 'declined') return { kind: 'approved', reference: page.reference ?? '' };
    return page.kind === 'unknown' ? page : { kind: 'not_found' };
  }
  const found = await setupNow(talk, asked, request.now);
  return ofSetup(found, ({ id, status }) =>
    status === 'canceled' ? { kind: 'approved', reference: id } : { kind: 'not_found' },
  );
}

function ofSetup(found: FoundSetup, judge: (intent: StripeSetupIntent) => InquiryOutcome): InquiryOutcome {
  if (found.kind === 'setup') return judge(found.intent);
  if (found.kind === 'absent') return { kind: 'not_found' };
  return unknown(found.kind === 'refused' ? (found.error.code ?? found.error.type) : found.reason);
}
