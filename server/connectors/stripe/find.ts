import type { Authorization, FindRequest, InquiryOutcome } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { outcomeOfConcession, outcomeOfContest } from './disputes.ts';
import {
  attemptOf,
  type FoundIntent,
  getIntent,
  intentNow,
  isStripeId,
  outcomeOfIntent,
  searchIntent,
} from './intents.ts';
import { outcomeOfCapture } from './later_verbs.ts';
import { findPage, intentOfPage, isPage } from './pages.ts';
import { existingReversal, outcomeNow, outcomeOfRefund, refundOfAttempt } from './refunds.ts';
import { reply, type StripeReply, unknown } from './reply.ts';
import { findCanceledSetup, findSetup } from './setups.ts';
import { disputeOf, type StripeDispute, type StripeIntent } from './shapes.ts';

const notFound: InquiryOutcome = { kind: 'not_found' };

/** The outcome of an earlier attempt. An inquiry that fails tells nothing about the attempt: its outcome stays unknown. */
export async function find(talk: StripeConversation, request: FindRequest): Promise<StripeReply<InquiryOutcome>> {
  return reply(talk, request.attempt, await outcomes[request.verb](talk, request));
}

type Inquiry = (talk: StripeConversation, request: FindRequest) => Promise<InquiryOutcome>;

const outcomes: Readonly<Record<FindRequest['verb'], Inquiry>> = {
  authorize: async (talk, { authorization, attempt, reference, now }) => {
    const known = reference ?? authorization?.reference;
    if (authorization !== undefined && isPage({ ...authorization, reference: known }))
      return findPage(talk, authorization, known, now);
    const found = authorization
      ? await intentNow(talk, { ...authorization, reference: reference ?? authorization.reference }, now)
      : await withoutFacts(talk, { attempt, reference });
    return ofIntent(found, (intent) => {
      if (attemptOf(intent) !== attempt) return unknown('the intent is about another attempt');
      const { amount, currency } = intent;
      return authorization === undefined
        ? unknown(`the intent of ${amount} ${currency} cannot be judged without its authorization`)
        : outcomeOfIntent(intent, authorization);
    });
  },

  capture: async (talk, { authorization, attempt, now }) => {
    if (authorization === undefined) return notFound;
    return ofIntent(await intentFor(talk, authorization, now), (intent) => {
      const outcome = outcomeOfCapture(intent, attempt);
      return outcome.kind === 'unknown' ? notFound : outcome;
    });
  },

  cancel: async (talk, request) => {
    const { authorization, now } = request;
    if (request.setup !== undefined) return findCanceledSetup(talk, request);
    if (authorization === undefined) return notFound;
    if (isPage(authorization)) {
      const page = await findPage(talk, authorization, authorization.reference, now);
      if (page.kind === 'declined') return { kind: 'approved', reference: page.reference ?? '' };
      if (page.kind !== 'approved') return page.kind === 'requires_action' ? notFound : page;
    }
    const found = await intentFor(talk, authorization, now);
    if (found.kind === 'intent' && found.intent.status === 'succeeded') {
      const reversal = await existingReversal(talk, found.intent.id, authorization.attempt);
      if (reversal === 'failed') return unknown('the refunds could not be listed');
      return reversal === undefined ? notFound : outcomeOfRefund(reversal);
    }
    return ofIntent(found, ({ id, status }) =>
      status === 'canceled' ? { kind: 'approved', reference: id } : notFound,
    );
  },

  refund: async (talk, { authorization, attempt, reference, now }) => {
    if (reference !== undefined && isStripeId(reference)) return outcomeNow(talk, reference, notFound);
    if (authorization === undefined) return notFound;
    const found = await intentFor(talk, authorization, now);
    if (found.kind !== 'intent') return ofIntent(found, () => notFound);
    const match = await refundOfAttempt(talk, found.intent.id, attempt);
    if (match === 'failed') return unknown('the refunds could not be listed');
    return match === undefined ? notFound : outcomeOfRefund(match);
  },

  contest: (talk, request) =>
    ofDispute(talk, request, (dispute) => {
      const outcome = outcomeOfContest(dispute, request.attempt);
      return outcome.kind === 'unknown' ? notFound : outcome;
    }),

  setup: findSetup,

  concede: (talk, request) =>
    ofDispute(talk, request, (dispute) => {
      const outcome = outcomeOfConcession(dispute, request.attempt);
      return outcome.kind === 'unknown' ? notFound : outcome;
    }),
};

/** The intent that a later verb is about. One of another attempt says nothing about it. */
async function intentFor(talk: StripeConversation, authorization: Authorization, now: number): Promise<FoundIntent> {
  const find = isPage(authorization) ? intentOfPage : intentNow;
  const found = await find(talk, authorization, now);
  const isOther = found.kind === 'intent' && attemptOf(found.intent) !== authorization.attempt;
  return isOther ? { kind: 'lost', reason: 'the intent is about another attempt' } : found;
}

function withoutFacts(
  talk: StripeConversation,
  { attempt, reference }: Pick<FindRequest, 'attempt' | 'reference'>,
): Promise<FoundIntent> {
  return reference === undefined ? searchIntent(talk, attempt) : getIntent(talk, reference);
}

function ofIntent(found: FoundIntent, judge: (intent: StripeIntent) => InquiryOutcome): InquiryOutcome {
  if (found.kind === 'intent') return judge(found.intent);
  if (found.kind === 'absent') return notFound;
  return unknown(found.kind === 'refused' ? (found.error.code ?? found.error.type) : found.reason);
}

async function ofDispute(
  talk: StripeConversation,
  { dispute: id }: FindRequest,
  judge: (dispute: StripeDispute) => InquiryOutcome,
): Promise<InquiryOutcome> {
  if (id === undefined || !isStripeId(id)) return notFound;
  const answer = await talk.get(['disputes', id]);
  if (answer.kind === 'refused' && answer.status === 404) return notFound;
  const dispute = answer.kind === 'done' ? disputeOf(answer.object) : undefined;
  return dispute?.id === id ? judge(dispute) : unknown('the dispute could not be read');
}
