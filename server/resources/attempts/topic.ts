import type { Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { EventDraft } from '../../outbox/event.ts';
import type { Outcome } from '../operation.ts';
import type { Services } from '../services.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';

/** Where to read what is stored. */
export type Reader = { reads: Reads; tenant: Tenant };

/** The row that an attempt is made for. Its due time is when the processor is asked what became of the attempt. */
export type Subject = { tenant: Tenant; id: string; due_at: Date | null; flagged_at: Date | null };

/** What an answer has made of a subject. */
export type Settlement = { attempt: Attempt; events: EventDraft[] };

/**
 * What a processor is talked to about: payments, refunds, disputes. Each supplies its rules, its rows and its answer; asking,
 * committing, inquiring and resuming are the same for all of them.
 */
export type Topic<Known extends { attempt: Attempt }, Settled extends Settlement> = {
  /** Under which the logs name the subject. */
  name: 'payment' | 'refund' | 'dispute';
  /** Everything that a decision on the outcome of an attempt needs, as it is stored now. */
  read(reader: Reader, attempt: Attempt): Promise<Known>;
  subject(known: Known | Settled): Subject;
  /** Whether the outcome of the attempt is still to be decided. */
  isOpen(known: Known): boolean;
  /** What an answer makes of it; undefined when it changes nothing. Pure. */
  settle(known: Known, answer: ProcessorAnswer, now: number): Settled | undefined;
  /** The rows of a settlement, whether or not the attempt was stored before. */
  writes(services: Pick<Services, 'reads' | 'terms'>, settled: Settled, now: number): Promise<Write[]>;
  /** What the caller is answered. */
  answer(known: Known | Settled): Outcome;
  /** Said in the log when nobody knows the outcome for so long that a person has to ask the processor. */
  flagMessage: string;
};
