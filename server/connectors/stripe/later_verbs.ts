import { isId } from '../../base/id.ts';
import type { AttemptId, CancelRequest, CaptureRequest, ProcessorOutcome, RefundRequest } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { type FoundIntent, findIntent, getIntent, isPaid, isStripeId } from './intents.ts';
import { closePage, intentOfPage, isPage } from './pages.ts';
import { existingReversal, outcomeOfMade, outcomeOfRefund, refundOfAttempt } from './refunds.ts';
import { outcomeBefore, outcomeOfUndone, refused, reply, type StripeReply, unknown } from './reply.ts';
import { intentOf, refundOf, type StripeIntent } from './shapes.ts';
import { fromStripe, toStripe } from './units.ts';

const notKnown = refused('authorization_unknown', 'Stripe does not know this authorization.');
const notExpressible = refused('amount_not_expressible', 'Stripe cannot express this amount.');
const otherCurrency = refused('currency_differs', 'The authorization is in another currency.');

/** The outcome when the intent of a later verb was not found. Nothing was sent that could move money. */
function withoutIntent(found: Exclude<FoundIntent, { kind: 'intent' }>): ProcessorOutcome {
  return found.kind === 'absent' ? notKnown : outcomeBefore(found);
}

type OnAuthorization = CaptureRequest | RefundRequest;

/** The id of the intent, and the amount in Stripe's units. */
async function subjectOf(
  talk: StripeConversation,
  { authorization, money, now }: OnAuthorization,
): Promise<{ id: string; amount: number } | ProcessorOutcome> {
  if (money.currency !== authorization.money.currency) return otherCurrency;
  const amount = toStripe(money);
  if (amount === undefined) return notExpressible;
  if (authorization.reference !== undefined && !isPage(authorization))
    return isStripeId(authorization.reference) ? { id: authorization.reference, amount } : notKnown;
  const find = isPage(authorization) ? intentOfPage : findIntent;
  const found = await find(talk, authorization, now);
  return found.kind === 'intent' ? { id: found.intent.id, amount } : withoutIntent(found);
}

export async function capture(talk: StripeConversation, request: CaptureRequest): Promise<StripeReply> {
  const { attempt } = request;
  const subject = await subjectOf(talk, request);
  if ('kind' in subject) return reply(talk, attempt, subject);
  const form = { amount_to_capture: subject.amount, metadata: { tollgate_capture: attempt } };
  const isUndone = async () => {
    const now = await getIntent(talk, subject.id);
    return now.kind === 'intent' && now.intent.status === 'requires_capture';
  };
  const answer = await talk.postAgain(['payment_intents', subject.id, 'capture'], form, attempt, isUndone);
  if (answer.kind === 'done') {
    const intent = intentOf(answer.object);
    const isOurs = intent?.metadata.tollgate_capture === attempt;
    return reply(
      talk,
      attempt,
      isOurs ? outcomeOfCapture(intent, attempt) : unknown('the answer is about another capture'),
    );
  }
  if (answer.kind === 'mismatch' || (answer.kind === 'refused' && answer.error.code === unexpectedState)) {
    const now = await getIntent(talk, subject.id);
    if (now.kind !== 'intent') return reply(talk, attempt, unknown(now.kind));
    const outcome = outcomeOfCapture(now.intent, attempt);
    return reply(talk, attempt, outcome.kind === 'unknown' ? outcomeOfUndone(answer) : outcome);
  }
  return reply(talk, attempt, outcomeOfUndone(answer));
}

const unexpectedState = 'payment_intent_unexpected_state';

/** By the state of the intent. unknown: this capture has not happened. */
export function outcomeOfCapture(intent: StripeIntent, attempt: AttemptId): ProcessorOutcome {
  const isOurs = intent.metadata.tollgate_capture === attempt;
  if (intent.status === 'succeeded')
    return isOurs ? { kind: 'approved', reference: intent.id } : alreadyCaptured(intent);
  if (intent.status === 'processing' && isOurs) return { kind: 'pending', reference: intent.id };
  if (intent.status === 'canceled')
    return refused('authorization_canceled', 'The authorization was canceled or has expired.');
  return unknown(`the intent is ${intent.status.slice(0, 40)}`);
}

/** The mark of a capture may be missing: the payment was captured at Stripe itself, or its metadata was edited there. */
export function alreadyCaptured({ id, amountReceived, currency, metadata }: StripeIntent): ProcessorOutcome {
  const money = fromStripe(amountReceived, currency);
  const capture = metadata.tollgate_capture;
  return {
    kind: 'already_captured',
    money,
    reference: id,
    ...(capture !== undefined && isId('att', capture) ? { capture } : {}),
  };
}

/** Whether what was captured is the gateway's, and is to be given back: with the authorization itself, or by one of these captures. */
function isToGiveBack({ metadata }: StripeIntent, { authorization, captures = [] }: CancelRequest): boolean {
  return authorization.capture || captures.some((capture) => capture === metadata.tollgate_capture);
}

const looksMax = 3;

/**
 * Releases a reserved amount, or gives back one that was taken. An authorization whose id was never learnt is made again with the same
 * key and canceled: Stripe then refuses its confirmation, however late it comes. Canceling twice is harmless, so it has no idempotency
 * key, under which Stripe would repeat an old refusal.
 */
export async function cancel(talk: StripeConversation, request: CancelRequest): Promise<StripeReply> {
  const { attempt, authorization, now } = request;
  if (isPage(authorization)) {
    const closed = await closePage(talk, request, authorization);
    if ('reply' in closed) return closed.reply;
    return cancel(talk, { ...request, authorization: { ...authorization, reference: closed.paid.intent?.id ?? '' } });
  }
  let found = await findIntent(talk, authorization, now);
  // The id of an intent that is not there is unknown, so it cannot be confirmed either.
  if (found.kind === 'absent')
    return reply(talk, attempt, authorization.reference === undefined ? { kind: 'approved' } : notKnown);
  if (found.kind !== 'intent') return reply(talk, attempt, outcomeBefore(found));
  for (let looks = 0; looks < looksMax && found.kind === 'intent'; looks++) {
    const intent: StripeIntent = found.intent;
    if (intent.status === 'canceled') return reply(talk, attempt, { kind: 'approved', reference: intent.id });
    if (request.unlessPaid && isPaid(intent))
      return reply(talk, attempt, { kind: 'already_paid', reference: intent.id });
    if (intent.status === 'succeeded')
      return isToGiveBack(intent, request)
        ? giveBack(talk, request, intent)
        : reply(talk, attempt, alreadyCaptured(intent));
    const answer = await talk.post(['payment_intents', intent.id, 'cancel'], {});
    // It may have been confirmed at the same moment: then its new state decides.
    const isSurprised = answer.kind === 'refused' && answer.error.code === unexpectedState;
    if (answer.kind !== 'done' && !isSurprised) return reply(talk, attempt, outcomeOfUndone(answer));
    found = await getIntent(talk, intent.id);
  }
  return reply(talk, attempt, unknown('Stripe does not show that the intent is canceled'));
}

/** All that was taken, so that Stripe refuses it when anything was refunded before. */
async function giveBack(
  talk: StripeConversation,
  { attempt, authorization }: CancelRequest,
  { id, amountReceived }: StripeIntent,
): Promise<StripeReply> {
  const metadata = {
    tollgate_payment: authorization.payment,
    tollgate_attempt: attempt,
    tollgate_reversal: authorization.attempt,
  };
  const form = { payment_intent: id, amount: amountReceived, metadata };
  const isUndone = async () => (await existingReversal(talk, id, authorization.attempt)) === undefined;
  const answer = await talk.postAgain(['refunds'], form, `${attempt}/reverse`, isUndone);
  if (answer.kind === 'refused' || answer.kind === 'mismatch') {
    const before = await existingReversal(talk, id, authorization.attempt);
    if (before !== undefined && before !== 'failed') return reply(talk, attempt, outcomeOfRefund(before));
    return reply(
      talk,
      attempt,
      before === 'failed' ? unknown('the refunds could not be listed') : outcomeOfUndone(answer),
    );
  }
  if (answer.kind !== 'done') return reply(talk, attempt, outcomeOfUndone(answer));
  return reply(talk, attempt, await outcomeOfMade(talk, refundOf(answer.object), attempt));
}

export async function refund(talk: StripeConversation, request: RefundRequest): Promise<StripeReply> {
  const { attempt, authorization } = request;
  const subject = await subjectOf(talk, request);
  if ('kind' in subject) return reply(talk, attempt, subject);
  const metadata = { tollgate_payment: authorization.payment, tollgate_attempt: attempt };
  const form = { payment_intent: subject.id, amount: subject.amount, metadata };
  const isUndone = async () => (await refundOfAttempt(talk, subject.id, attempt)) === undefined;
  const answer = await talk.postAgain(['refunds'], form, attempt, isUndone);
  if (answer.kind !== 'done') return reply(talk, attempt, outcomeOfUndone(answer));
  return reply(talk, attempt, await outcomeOfMade(talk, refundOf(answer.object), attempt));
}
