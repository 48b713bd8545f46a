import { isId } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import type { AttemptId, InboundRequest, Notice } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import { isDecided } from './disputes.ts';
import { getIntent, isStripeId } from './intents.ts';
import { getSession } from './sessions.ts';
import { getSetup } from './setup_intents.ts';
import {
  disputeOf,
  numberOf,
  objectOf,
  pageOf,
  refundOf,
  type StripeIntent,
  type StripeObject,
  type StripeRefund,
  textOf,
} from './shapes.ts';
import { unanswered } from './tokens.ts';
import { fromStripe } from './units.ts';
import { isSigned } from './wire.ts';

const toleranceMs = 5 * 60_000;

/** The id of an event whose signature is valid and recent. While a secret is being replaced, there are two. */
export function accept(
  { headers, body }: InboundRequest,
  secrets: readonly Secret[],
  now: number,
): { id: string } | undefined {
  const header = headers['stripe-signature'] ?? '';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time) * 1_000) > toleranceMs) return undefined;
  const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
  if (!secrets.some((secret) => isSigned(secret, signed, signatures))) return undefined;
  const id = textOf(eventIn(body)?.id);
  return id === undefined || !isStripeId(id) ? undefined : { id };
}

function eventIn(body: Buffer): StripeObject | undefined {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Whose account it is. */
export type NoticeOrigin = Required<Pick<Notice, 'tenant' | 'account'>>;

/** The object of an event. Nothing else of the event is used: Stripe is asked for the object. */
type StripeHint = { event: string; type: string; object: string; id: string; created: number };

function hintOf(event: StripeObject | undefined): StripeHint | undefined {
  const about = objectOf(objectOf(event?.data)?.object);
  const [id, object] = [textOf(about?.id), textOf(about?.object)];
  const [name, type] = [textOf(event?.id), textOf(event?.type)];
  if (!id || !object || !name || !type || !isStripeId(id)) return undefined;
  return { event: name, type, object, id, created: numberOf(event?.created) ?? 0 };
}

export async function read(talk: StripeConversation, about: NoticeOrigin, { body }: InboundRequest): Promise<Notice[]> {
  const hint = hintOf(eventIn(body));
  return hint === undefined ? [] : noticesAbout(talk, about, hint);
}

/** The events that can change something here. */
export const noticeTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
  'payment_intent.processing',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.requires_action',
  'setup_intent.canceled',
  'checkout.session.completed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];

async function noticesAbout(talk: StripeConversation, about: NoticeOrigin, hint: StripeHint): Promise<Notice[]> {
  if (hint.object === 'payment_intent') return ofIntent(talk, about, hint);
  if (hint.object === 'setup_intent') return ofSetup(talk, about, hint);
  if (hint.object === 'checkout.session') return ofSession(talk, about, hint);
  if (hint.object === 'refund') return ofRefund(talk, about, hint);
  return hint.object === 'dispute' ? ofDispute(talk, about, hint) : [];
}

async function ofIntent(talk: StripeConversation, about: NoticeOrigin, { event, id }: StripeHint): Promise<Notice[]> {
  const found = await getIntent(talk, id);
  if (found.kind === 'absent') return [];
  if (found.kind !== 'intent') throw unanswered('payment intent', found as never);
  const { tollgate_attempt, tollgate_capture } = found.intent.metadata;
  const attempts = attemptsAmong([tollgate_attempt, tollgate_capture]);
  const ended = endOf(found.intent);
  const changed = attempts.map((attempt): Notice => {
    const kind = attempt === tollgate_attempt ? ended : 'attempt_changed';
    return { ...about, id: `${event}/${attempt}`, kind, attempt };
  });
  return [...changed, ...captureElsewhere(about, event, found.intent)];
}

async function ofSetup(talk: StripeConversation, about: NoticeOrigin, { event, id }: StripeHint): Promise<Notice[]> {
  const found = await getSetup(talk, id);
  if (found.kind === 'absent') return [];
  if (found.kind !== 'setup') throw unanswered('setup intent', found as never);
  return attemptsAmong([found.intent.metadata.tollgate_attempt]).map((attempt) => ({
    ...about,
    id: `${event}/${attempt}`,
    kind: 'attempt_changed',
    attempt,
  }));
}

async function ofSession(talk: StripeConversation, about: NoticeOrigin, { event, id }: StripeHint): Promise<Notice[]> {
  const found = await getSession(talk, id);
  if (found.kind === 'absent') return [];
  if (found.kind !== 'session') throw unanswered('checkout session', found as never);
  return attemptsAmong([found.session.metadata.tollgate_attempt]).map((attempt) => ({
    ...about,
    id: `${event}/${attempt}`,
    kind: 'attempt_changed',
    attempt,
  }));
}

/** A cancel of the gateway looks like any other. */
function endOf(intent: StripeIntent): 'authorization_expired' | 'canceled_elsewhere' | 'attempt_changed' {
  if (intent.status !== 'canceled') return 'attempt_changed';
  return hasExpired(intent) ? 'authorization_expired' : 'canceled_elsewhere';
}

/** A capture without the mark of the gateway. */
function captureElsewhere(about: NoticeOrigin, event: string, intent: StripeIntent): Notice[] {
  const { status, isManual, metadata, amountReceived, currency } = intent;
  const isMarked = attemptsAmong([metadata.tollgate_capture]).length > 0;
  if (status !== 'succeeded' || !isManual || isMarked) return [];
  const money = fromStripe(amountReceived, currency);
  return attemptsAmong([metadata.tollgate_attempt]).map((attempt) => ({
    ...about,
    id: `${event}/captured`,
    kind: 'captured_elsewhere',
    attempt,
    money,
  }));
}

/** Stripe itself releases what was not captured in time. */
function hasExpired({ cancellationReason }: StripeIntent): boolean {
  return cancellationReason === 'automatic' || cancellationReason === 'expired';
}

/** Attempts of the gateway: an account may be used by other software too. */
function attemptsAmong(names: readonly (string | undefined)[]): AttemptId[] {
  return names.filter((name): name is AttemptId => name !== undefined && isId('att', name));
}

async function ofRefund(talk: StripeConversation, about: NoticeOrigin, { event, id }: StripeHint): Promise<Notice[]> {
  const answer = await talk.get(['refunds', id], { expand: ['payment_intent', 'balance_transaction'] });
  if (answer.kind === 'refused' && answer.status === 404) return [];
  const refund = answer.kind === 'done' ? refundOf(answer.object) : undefined;
  if (refund?.id !== id) throw unanswered('refund', answer);
  const own = attemptsAmong([refund.metadata.tollgate_attempt]);
  if (own.length === 0) return refundElsewhere(about, event, refund);
  return own.map((attempt) => ({ ...about, id: `${event}/${attempt}`, kind: 'attempt_changed', attempt }));
}

/** A refund without the mark of the gateway. Where the capture has no mark either, it comes first: what is not captured has no refund. */
function refundElsewhere(about: NoticeOrigin, event: string, refund: StripeRefund): Notice[] {
  const { id, amount, currency, intent } = refund;
  const [authorization] = attemptsAmong([intent?.metadata.tollgate_attempt]);
  if (intent?.status !== 'succeeded' || authorization === undefined || isRelease(refund)) return [];
  const made = { kind: 'refunded_elsewhere', refund: id, authorization, money: fromStripe(amount, currency) } as const;
  return [...captureElsewhere(about, event, intent), { ...about, id: `${event}/${id}`, ...made }];
}

/** Stripe also shows what was held and not captured as a refund: it was never in the balance, or is booked back immediately. */
function isRelease({ status, category }: StripeRefund): boolean {
  return category === 'partial_capture_reversal' || (category === undefined && status === 'succeeded');
}

/** Inquiries of a bank (`warning_…`) move no money: they are reported once they have become a dispute. */
async function ofDispute(talk: StripeConversation, about: NoticeOrigin, { id }: StripeHint): Promise<Notice[]> {
  const answer = await talk.get(['disputes', id], { expand: ['payment_intent'] });
  if (answer.kind === 'refused' && answer.status === 404) return [];
  const dispute = answer.kind === 'done' ? disputeOf(answer.object) : undefined;
  if (dispute?.id !== id) throw unanswered('dispute', answer);
  const [authorization] = attemptsAmong([dispute.intentMetadata.tollgate_attempt]);
  if (authorization === undefined || dispute.status.startsWith('warning_') || dispute.status === 'prevented') return [];
  const { amount, currency, reason, dueBy = 0, status } = dispute;
  const money = fromStripe(amount, currency);
  const named = { ...about, dispute: id };
  const opened = { kind: 'dispute_opened', authorization, money, reason, dueBy: dueBy * 1_000 } as const;
  // Events come in any order. The opening comes first, because a dispute that is not known cannot be closed.
  const closed = { kind: 'dispute_closed', authorization, result: status === 'won' ? 'won' : 'lost' } as const;
  const notices: Notice[] = [{ id: `${id}/opened`, ...named, ...opened }];
  if (isDecided(dispute)) notices.push({ id: `${id}/${status}`, ...named, ...closed });
  return notices;
}

const pageSize = 100;
const pagesMax = 50;
const eventsMax = 100;
const shorter = 8;
const firstMs = 60 * 60_000;
/** Stripe lists an event some seconds after its time. An event that is read twice has the same notices. */
const overlapSeconds = 60;

/** Events since the last poll, oldest first. The next poll begins at the time of the last event that was read. */
export async function poll(
  talk: () => StripeConversation,
  about: NoticeOrigin,
  { since, now }: { since: string | undefined; now: number },
): Promise<{ notices: Notice[]; next: string; hasMore: boolean }> {
  const from = since !== undefined && /^\d{1,12}$/.test(since) ? Number(since) : Math.floor((now - firstMs) / 1_000);
  const { hints, isWhole } = await oldestHints(talk, from, Math.floor(now / 1_000));
  // Those of the same second belong together, because the next poll begins at a second. Those before it do not count: it has to get on.
  const last = hints.filter(({ created }) => created > from)[eventsMax - 1]?.created ?? Number.POSITIVE_INFINITY;
  const taken = hints.filter(({ created }) => created <= last);
  const notices: Notice[] = [];
  for (const hint of latestOfEach(taken)) notices.push(...(await noticesAbout(talk(), about, hint)));
  const next = Math.max(from, taken.at(-1)?.created ?? from);
  return { notices, next: String(next), hasMore: !isWhole || taken.length < hints.length };
}

/** Stripe lists the newest first. When there are too many to reach the oldest, a shorter time is read. */
async function oldestHints(
  talk: () => StripeConversation,
  from: number,
  now: number,
): Promise<{ hints: StripeHint[]; isWhole: boolean }> {
  const gte = Math.max(from - overlapSeconds, 0);
  for (let seconds = Math.max(now - from, 0), lt: number | undefined; ; ) {
    const hints = await listHints(talk, { gte, lt });
    if (hints !== undefined) return { hints: hints.reverse(), isWhole: lt === undefined };
    if (seconds <= 1) throw new Error('there are too many events to poll');
    seconds = Math.ceil(seconds / shorter);
    lt = from + seconds + 1;
  }
}

/** Several events about one object ask the same question. */
function latestOfEach(hints: readonly StripeHint[]): StripeHint[] {
  return [...new Map(hints.map((hint) => [hint.id, hint])).values()];
}

/** Newest first; undefined when there are too many. */
async function listHints(
  talk: () => StripeConversation,
  created: { gte: number; lt: number | undefined },
): Promise<StripeHint[] | undefined> {
  const hints: StripeHint[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < pagesMax; pages++) {
    const answer = await talk().get(['events'], {
      created,
      types: noticeTypes,
      limit: pageSize,
      starting_after: after,
    });
    const page = answer.kind === 'done' ? pageOf(answer.object) : undefined;
    if (page === undefined) throw unanswered('list of events', answer);
    hints.push(...page.data.flatMap((event) => hintOf(event) ?? []));
    after = textOf(page.data.at(-1)?.id);
    if (!page.hasMore || after === undefined) return hints;
  }
  return undefined;
}
