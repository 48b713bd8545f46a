import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { inquiryPause, isOverdue, type Subject } from './subject.ts';

/** A subject that may wait for its cardholder, or for its expiry. */
export type Waiting = Subject & {
  /** Where the cardholder has to go. */
  next_action: string | null;
  expires_at: Date | null;
};

const minuteMs = 60_000;
const actionMs = 60 * minuteMs; // the cardholder has an hour
const lookMaxMs = 60 * minuteMs;

/**
 * The cardholder has an hour, and on a page of the processor as long as the page lives. Meanwhile the processor is asked now and then,
 * because its notice of a decision may be lost.
 */
export function challenged<Row extends Waiting>(after: Row, outcome: InquiryOutcome, now: number): Row {
  const url = outcome.kind === 'requires_action' ? outcome.url : after.next_action;
  const end =
    outcome.kind === 'requires_action' && outcome.expiresAt !== undefined ? outcome.expiresAt : now + actionMs;
  const expires = url === after.next_action && after.expires_at !== null ? after.expires_at : new Date(end);
  const waits = { ...after, next_action: url, expires_at: expires };
  return { ...waits, due_at: nextLook(waits, now) };
}

/** The subject is unchanged. If it has expired, the cancel is repeated with growing pauses, and after three days the subject is flagged. */
export function unanswered<Row extends Waiting>(before: Row, after: Row, now: number): Row {
  const expires = after.expires_at?.getTime() ?? now;
  if (expires > now) return { ...after, due_at: nextLook(after, now) };
  const flagged = before.flagged_at ?? (isOverdue(expires, now) ? new Date(now) : null);
  return {
    ...after,
    inquiries: before.inquiries + 1,
    flagged_at: flagged,
    due_at: new Date(now + inquiryPause(before.inquiries + 1)),
  };
}

/** When the job of a waiting subject is due: for a capture when it expires, for a cardholder also before. */
export function nextLook({ status, inquiries, expires_at }: Waiting, now: number): Date {
  const expires = expires_at!.getTime();
  if (status !== 'requires_action') return new Date(expires);
  return new Date(Math.min(expires, now + Math.min(minuteMs * 2 ** inquiries, lookMaxMs)));
}

/** Whether the page on which the cardholder was to act has ended. */
export function isPageOver(outcome: InquiryOutcome, now: number): boolean {
  return outcome.kind === 'requires_action' && outcome.expiresAt !== undefined && outcome.expiresAt <= now;
}

/** Whether the cardholder, or the bank, has decided. */
export function isDecided(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'approved' || outcome.kind === 'declined';
}

/** The answer to the cancel of what the processor has not decided, and does not cancel: it is asked at once what became of that. */
export function isRefusal({ kind }: InquiryOutcome): boolean {
  return kind === 'declined' || kind === 'not_sent' || kind === 'already_paid';
}
