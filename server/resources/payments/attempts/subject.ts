import type { Table } from '../../../base/commit/index.ts';
import type { Leasable } from '../../../base/lease.ts';
import { type ConnectionsAt, firstRowsEverywhere } from '../../../base/places/connections.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';
import type { Attempt } from './attempt.ts';

/** The row that attempts are made for. */
export type Subject = Leasable & {
  status: string;
  /** The test clock of the customer; null: real time. */
  test_clock: TestClockId | null;
  /** When it was created, by its test clock; null: the time in the id. */
  created_at: Date | null;
  /** How often the processor was asked for the outcome of the attempt. */
  inquiries: number;
  flagged_at: Date | null;
};

/** Of a subject without an open attempt. */
export const idle = { inquiries: 0, flagged_at: null, due_at: null, lease_until: null };

/** The next version of a subject, with no due time. */
export function undue<Row extends Subject>(before: Row): Row {
  return { ...before, version: before.version + 1, due_at: null, lease_until: null };
}

/** The subject once the outcome of its attempt is known. */
export function settleSubject<Row extends Subject>(before: Row, change: Partial<Row>): Row {
  return { ...before, ...change, ...idle, version: before.version + 1 };
}

/** There is no final answer: the processor is asked again with growing pauses, and after some days the subject is flagged. A flag stays. */
export function awaitOutcome<Row extends Subject>(
  before: Row,
  attempt: Attempt,
  now: number,
  change: Partial<Row>,
): Row {
  return {
    ...before,
    version: before.version + 1,
    due_at: nextInquiry(before.inquiries, attempt, now),
    flagged_at: before.flagged_at ?? (isOverdue(attempt.deadline_at, now, daysToFlag(attempt)) ? new Date(now) : null),
    lease_until: null,
    ...change,
  };
}

const minuteMs = 60_000;
const firstInquiryMs = 5_000; // after the deadline of the call: until then it may still be answered
const inquiryGapMaxMs = 60 * minuteMs;
const dayMs = 24 * 60 * minuteMs;

/** Banks take days for a refund and for evidence; a payment is decided sooner. */
function daysToFlag({ refund, dispute }: Attempt): number {
  return refund === null && dispute === null ? 3 : 14;
}

/** When the first inquiry about an attempt is due. */
export function firstInquiry(attempt: Attempt): Date {
  return new Date(attempt.deadline_at.getTime() + firstInquiryMs);
}

/** The pause before the next inquiry: it doubles each time, up to an hour. */
export function inquiryPause(inquiries: number): number {
  return Math.min(firstInquiryMs * 2 ** Math.max(0, inquiries - 1), inquiryGapMaxMs);
}

function nextInquiry(inquiries: number, attempt: Attempt, now: number): Date {
  return inquiries === 0 ? firstInquiry(attempt) : new Date(now + inquiryPause(inquiries));
}

/** Whether there has been no final answer since this moment for so long that a person has to ask the processor. */
export function isOverdue(since: Date | number, now: number, days = 3): boolean {
  return now >= Number(since) + days * dayMs;
}

/** For the command line, where an id is given without its tenant. */
export async function findAnywhere<Row extends Leasable>(
  at: ConnectionsAt,
  { name, columns }: Table<Row>,
  id: string,
): Promise<Row | undefined> {
  const text = `select ${columns.join(', ')} from ${name} where tenant = any($2::int4[]) and id = $1`;
  const values = [id, await everyTenant(at.directory)];
  return at.find(async ({ sql }) => (await sql.query<Row>(text, values)).rows[0]);
}

const flaggedMax = 1_000;

/** Subjects that have to be settled by a person. `isFlagged` is the condition of the table's index on them. */
export async function findFlagged<Row extends Leasable & Pick<Subject, 'flagged_at'>>(
  at: ConnectionsAt,
  { name, columns }: Table<Row>,
  isFlagged = 'flagged_at is not null',
): Promise<Row[]> {
  const text = `select ${columns.join(', ')} from ${name}
    where tenant = any($1::int4[]) and ${isFlagged} order by flagged_at`;
  return firstRowsEverywhere<Row>(at, text, [await everyTenant(at.directory)], {
    order: (one, other) => Number(one.flagged_at) - Number(other.flagged_at),
    limit: flaggedMax,
  });
}
