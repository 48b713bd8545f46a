import type { Attempt } from './attempt.ts';

const minuteMs = 60_000;
const firstInquiryMs = 5_000; // after the deadline of the call: until then it may still be answered
const inquiryGapMaxMs = 60 * minuteMs;
const inquiriesForMs = 3 * 24 * 60 * minuteMs;

/** When the processor is asked for the first time what became of an attempt that is about to be made. */
export function firstInquiry(attempt: Attempt): Date {
  return new Date(attempt.deadline_at.getTime() + firstInquiryMs);
}

/** The pause before the next inquiry: it doubles each time, up to an hour. */
export function inquiryPause(inquiries: number): number {
  return Math.min(firstInquiryMs * 2 ** Math.max(0, inquiries - 1), inquiryGapMaxMs);
}

/** When the processor is asked next what became of an attempt. */
export function nextInquiry(inquiries: number, attempt: Attempt, now: number): Date {
  return inquiries === 0 ? firstInquiry(attempt) : new Date(now + inquiryPause(inquiries));
}

/** Whether there has been no final answer for so long since this moment that a person should see to it. */
export function isOverdue(since: Date | number, now: number): boolean {
  return now >= Number(since) + inquiriesForMs;
}
