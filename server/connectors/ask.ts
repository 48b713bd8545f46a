import type { Clock } from '../base/clock.ts';
import { Unavailable } from '../base/errors.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import { isLoopback } from '../base/loopback.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import { noTracing, type Tracing } from '../base/tracing/tracing.ts';
import {
  type AttemptId,
  advices,
  declineCodes,
  type InquiryOutcome,
  type ProcessorAccountId,
  type Reply,
  type Verb,
} from './contract.ts';

type NoAnswer = { kind: 'unknown' | 'not_sent'; reason: string };

/** How long a call to a processor may take. */
export const processorDeadlineMs = 15_000;

/** How long a call to a processor may take, what receives an answer that comes later, and what counts the calls. */
export type CallLimits = {
  clock: Clock;
  deadlineMs: number;
  onLate: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => void;
  onCall?: (report: CallReport) => void;
  tracing?: Tracing;
};

/** A call that was made over the network, for the metrics. */
export type CallReport = {
  connector: string;
  processor_account: ProcessorAccountId | null;
  verb: CalledVerb;
  outcome: InquiryOutcome['kind'];
  seconds: number;
};

type CalledVerb = Verb | 'find';

/** A call to a processor, with its attempt. */
export type AskedCall = {
  tenant: Tenant;
  attempt: AttemptId;
  deadline?: Date;
  /** As the connector that is asked says. */
  hasLocalPages?: boolean | undefined;
} & Pick<CallReport, 'connector' | 'processor_account' | 'verb'>;

const kinds: ReadonlySet<string> = new Set<InquiryOutcome['kind']>([
  'approved',
  'pending',
  'already_paid',
  'not_sent',
  'unknown',
  'not_found',
]);

/** A browser follows it. Plain http is for a fake of a processor on the same machine. */
function isChallengeUrl(text: string, hasLocalPages: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hasLocalPages && isLoopback(hostname));
}

/** An answer may lack what its type promises. */
function isMoney(money: Partial<Money> | undefined): boolean {
  const { amount = 0, currency = '' } = money ?? {};
  return Number.isSafeInteger(amount) && amount > 0 && currency !== '';
}

function isTime(milliseconds: number): boolean {
  return Number.isSafeInteger(milliseconds) && milliseconds > 0;
}

function isOutcome(outcome: InquiryOutcome | undefined, hasLocalPages: boolean): boolean {
  if (outcome?.kind === 'declined')
    return declineCodes.includes(outcome.code) && (outcome.advice === undefined || advices.includes(outcome.advice));
  if (outcome?.kind === 'not_sent') return typeof outcome.reason === 'string';
  if (outcome?.kind === 'already_captured') return isMoney(outcome.money);
  if (outcome?.kind === 'requires_action')
    return isChallengeUrl(outcome.url, hasLocalPages) && (outcome.expiresAt === undefined || isTime(outcome.expiresAt));
  return outcome !== undefined && kinds.has(outcome.kind);
}

/**
 * Calls a processor over the network. It never rejects: a time-out, a broken connection, an invalid answer and an answer about another
 * attempt are all an unknown outcome. Only a call that never began, because its attempt had no time left, is known: it was not sent.
 */
export async function ask<Outcome extends InquiryOutcome>(
  limits: CallLimits,
  about: AskedCall,
  call: () => Promise<Reply<Outcome>>,
): Promise<Reply<Outcome | NoAnswer>> {
  // An inquiry relies on the deadline of the attempt, so no call begins after it, however long the commit took.
  const left = about.deadline === undefined ? limits.deadlineMs : about.deadline.getTime() - limits.clock.now();
  if (left <= 0) return failed(about.attempt, 'not_sent', 'there was no time left to ask');
  const started = limits.clock.monotonic();
  const reply = await traced(limits, about, () => answerWithin(Math.min(left, limits.deadlineMs), limits, about, call));
  const { connector, processor_account, verb } = about;
  const seconds = (limits.clock.monotonic() - started) / 1_000;
  limits.onCall?.({ connector, processor_account, verb, outcome: reply.outcome.kind, seconds });
  return reply;
}

/** An unknown outcome is a failed span; a declined card is not. */
function traced<Outcome extends InquiryOutcome>(
  { tracing = noTracing }: CallLimits,
  { connector, processor_account, verb, attempt }: AskedCall,
  work: () => Promise<Reply<Outcome>>,
): Promise<Reply<Outcome>> {
  if (tracing === noTracing) return work();
  const account = processor_account ?? undefined;
  const facts = {
    'tollgate.connector': connector,
    'tollgate.processor_account': account,
    'tollgate.verb': verb,
    'tollgate.attempt': attempt,
  };
  return tracing.span({ name: `processor ${verb}`, kind: 'client', place: 'child', facts }, async (span) => {
    const reply = await work();
    span.note({ 'tollgate.outcome': reply.outcome.kind });
    if (reply.outcome.kind === 'unknown') span.fail();
    return reply;
  });
}

async function answerWithin<Outcome extends InquiryOutcome>(
  milliseconds: number,
  limits: CallLimits,
  { tenant, attempt, hasLocalPages }: AskedCall,
  call: () => Promise<Reply<Outcome>>,
): Promise<Reply<Outcome | NoAnswer>> {
  const answer = call().then(
    (reply) => checkReply(attempt, reply, hasLocalPages),
    (error: unknown) => unknown(attempt, errorName(error)),
  );
  if (await settlesWithin(answer, milliseconds)) return answer;
  void answer.then((late) => limits.onLate(tenant, attempt, late.outcome));
  return unknown(attempt, `no answer within ${limits.deadlineMs} ms`);
}

/** The reply if it is valid and about this attempt; otherwise an unknown outcome. */
export function checkReply<Outcome extends InquiryOutcome>(
  attempt: AttemptId,
  reply: Reply<Outcome>,
  hasLocalPages = false,
): Reply<Outcome | NoAnswer> {
  if (!isOutcome(reply.outcome, hasLocalPages)) return unknown(attempt, 'the answer could not be understood');
  if (reply.attempt !== attempt) return unknown(attempt, 'the answer was about another attempt');
  return reply;
}

/**
 * The reply where its call was perhaps not the only one for the attempt. Then "not sent" tells nothing: an inquiry follows the attempt
 * itself, and what is due may have been sent by another server meanwhile.
 */
export function oneOfSeveral<Outcome extends InquiryOutcome>(reply: Reply<Outcome>): Reply<Outcome | NoAnswer> {
  const { outcome } = reply;
  return outcome.kind === 'not_sent' ? { ...reply, outcome: { kind: 'unknown', reason: outcome.reason } } : reply;
}

/**
 * Asks a processor something that moves no money, so that asking again is harmless. Without an answer in time it throws `Unavailable`:
 * the caller has stored nothing, and may try again.
 */
export async function question<Answer>(
  { deadlineMs }: Pick<CallLimits, 'deadlineMs'>,
  asking: () => Promise<Answer>,
): Promise<Answer> {
  const answer = asking().catch((error: unknown) => {
    throw new Unavailable(`a processor did not answer: ${errorName(error)}`);
  });
  if (await settlesWithin(answer, deadlineMs)) return answer;
  throw new Unavailable(`a processor did not answer within ${deadlineMs} ms`);
}

/** Only the code or name of an error is kept: its message may quote the request. */
export function errorName(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

function unknown(attempt: AttemptId, reason: string): Reply<NoAnswer> {
  return failed(attempt, 'unknown', reason);
}

function failed(attempt: AttemptId, kind: NoAnswer['kind'], reason: string): Reply<NoAnswer> {
  return { attempt, outcome: { kind, reason }, exchange: { failure: reason } };
}
