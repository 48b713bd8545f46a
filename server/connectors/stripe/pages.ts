import type {
  Authorization,
  AuthorizeRequest,
  CancelRequest,
  CancelSetupRequest,
  InquiryOutcome,
  Instrument,
  ProcessorOutcome,
  RequestedPage,
  SetupAttempt,
  SetupRequest,
  Traces,
} from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { declinedOrCanceled, type FoundIntent, isPaid, outcomeOfIntent } from './intents.ts';
import { outcomeBefore, outcomeOfUndone, reply, type StripeReply, unknown } from './reply.ts';
import {
  attemptOfSession,
  type FoundPage,
  getSession,
  isSessionId,
  listed,
  makeSession,
  type PageFacts,
  type StripeSession,
  sessionNow,
} from './sessions.ts';
import { outcomeOfSetup } from './setup_intents.ts';
import { methodNamedAfter } from './tokens.ts';

/** A page of Stripe's that an earlier attempt was asked for by: of a payment, or of a setup. */
type PageAttempt = Pick<Authorization & SetupAttempt, 'attempt' | 'reference' | 'page'>;

/** Whether an attempt is a page of Stripe's. Once it is paid, the attempt has the intent as its reference. */
export function isPage({ reference, page }: PageAttempt): boolean {
  return isSessionId(reference) || (reference === undefined && page !== undefined);
}

export function pageFacts(asked: Authorization | SetupAttempt): PageFacts {
  const { attempt, page } = asked;
  const about = 'money' in asked ? asked : { setup: asked.setup };
  return { attempt, about, page: page ?? withoutPage };
}

/** Of a session that is known by its id, so that it is never asked for again. */
const withoutPage: RequestedPage = { locale: 'auto', lines: [], expiresAt: 0, save: false, returnUrl: '' };

/** Asks for a page. Nothing moves before its cardholder acts, and the address is in the answer alone. */
export async function openPage(
  talk: StripeConversation,
  request: (AuthorizeRequest | SetupRequest) & { instrument: Instrument<'page'> },
): Promise<StripeReply> {
  const { attempt, instrument, returnUrl, authentication } = request;
  const { kind: _, holder: __, ...terms } = instrument;
  const { statementDescriptor, description } = 'money' in request ? request : {};
  const named = { ...(statementDescriptor && { statementDescriptor }), ...(description && { description }) };
  const page = { ...terms, returnUrl, authentication, ...named };
  const about = 'money' in request ? request : { setup: request.setup };
  const facts = { attempt, about, page };
  const made = await makeSession(talk, facts);
  // Stripe repeats the answer to the first request, or knows another one by this key: what the session is now decides.
  const isOld = made.kind === 'mismatch' || (made.kind === 'session' && made.isRepeated);
  const now = isOld ? await asItIs(talk, made, facts) : made;
  if (now.kind === 'absent') return reply(talk, attempt, unknown('the session was made and is missing'));
  if (now.kind !== 'session') return reply(talk, attempt, outcomeOfUndone(now));
  const outcome = await outcomeOfSession(talk, now.session, facts);
  return reply(talk, attemptOfSession(now.session), outcome.kind === 'not_found' ? unknown('no session') : outcome);
}

function asItIs(talk: StripeConversation, made: FoundPage, { attempt }: PageFacts): Promise<FoundPage> {
  return made.kind === 'session' ? getSession(talk, made.session.id) : listed(talk, attempt);
}

const closed = 'The page was closed, or has expired, before it was paid.';

/** The outcome by the state of the page. A card that is declined there leaves it open: its cardholder may try another one. */
export async function outcomeOfSession(
  talk: StripeConversation,
  session: StripeSession,
  facts: PageFacts,
): Promise<InquiryOutcome> {
  const { id, status, url, intent, setup } = session;
  const { about } = facts;
  if (status === 'open') {
    const expiresAt = facts.page.expiresAt || session.expiresAt * 1_000;
    return url === undefined
      ? unknown('the session is open and has no address')
      : { kind: 'requires_action', url, expiresAt, reference: id };
  }
  if ('setup' in about) {
    if (status === 'complete' && setup !== undefined) return marked(talk, outcomeOfSetup(setup), about.setup);
    if (status === 'complete') return unknown('the session has no setup');
    return { ...declinedOrCanceled(setup?.lastError, closed), reference: id };
  }
  if (intent !== undefined && (status === 'complete' || isPaid(intent)))
    return marked(talk, outcomeOfIntent(intent, about), about.payment);
  if (status === 'complete') return unknown('the session has no intent');
  return { ...declinedOrCanceled(intent?.lastError, closed), reference: id };
}

/**
 * Stripe has made the customer that keeps the card. With the mark of the payment method it is known to be the gateway's when the method is
 * forgotten.
 */
async function marked(talk: StripeConversation, outcome: InquiryOutcome, about: string): Promise<InquiryOutcome> {
  const { kept } = outcome as Traces;
  if (kept === undefined) return outcome;
  const metadata = { tollgate_payment_method: methodNamedAfter(about) };
  await talk.postRepeatedly(['customers', kept.customer], { metadata });
  return outcome;
}

export async function findPage(
  talk: StripeConversation,
  asked: Authorization | SetupAttempt,
  reference: string | undefined,
  now: number,
): Promise<InquiryOutcome> {
  const facts = pageFacts(asked);
  const found = await sessionNow(talk, facts, reference, now);
  if (found.kind === 'session') return outcomeOfSession(talk, found.session, facts);
  return found.kind === 'absent' ? { kind: 'not_found' } : notAnswered(found);
}

/** The intent of a page that was paid, for what is done to the payment later. */
export async function intentOfPage(
  talk: StripeConversation,
  authorization: Authorization,
  now: number,
): Promise<FoundIntent> {
  const found = await sessionNow(talk, pageFacts(authorization), authorization.reference, now);
  if (found.kind !== 'session') return found;
  const { intent } = found.session;
  return intent === undefined ? { kind: 'absent' } : { kind: 'intent', intent };
}

function notAnswered(found: Exclude<FoundPage, { kind: 'session' | 'absent' }>): InquiryOutcome {
  return unknown(found.kind === 'refused' ? (found.error.code ?? found.error.type) : found.reason);
}

const looksMax = 3;

/**
 * Closes a page: approved when nobody can pay there any more. `paid`: it was paid before, so that its intent decides. A page whose id was
 * never learnt is asked for again with the same key, and closed: the address of a late answer is of no use then.
 */
export async function closePage(
  talk: StripeConversation,
  { attempt, now }: CancelRequest | CancelSetupRequest,
  asked: Authorization | SetupAttempt,
): Promise<{ reply: StripeReply } | { paid: StripeSession }> {
  const done = (outcome: ProcessorOutcome) => ({ reply: reply(talk, attempt, outcome) });
  let found = await sessionNow(talk, pageFacts(asked), asked.reference, now);
  if (found.kind === 'absent') return done({ kind: 'approved' });
  if (found.kind !== 'session') return done(outcomeBefore(found));
  for (let looks = 0; looks < looksMax && found.kind === 'session'; looks++) {
    const session: StripeSession = found.session;
    const { id, status, intent } = session;
    if (status === 'complete' || (intent !== undefined && isPaid(intent))) return { paid: session };
    if (status === 'expired') return done({ kind: 'approved', reference: id });
    const answer = await talk.postRepeatedly(['checkout', 'sessions', id, 'expire'], {});
    // A refusal says that it was paid, or closed, at the same moment: then its new state decides.
    if (answer.kind !== 'done' && answer.kind !== 'refused') return done(outcomeOfUndone(answer));
    found = await getSession(talk, id);
  }
  return done(unknown('Stripe does not show that the page is closed'));
}
