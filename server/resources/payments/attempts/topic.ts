import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Context, Outcome, Part, Sequenced } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';
import type { Subject } from './subject.ts';

export type Reader = { reads: Reads; tenant: Tenant };

/** The services for calls to processors. A request has them, and a job. */
export type Performing = SettlingServices & Pick<Context, 'tenant' | 'now' | 'connectors'>;

/** What the rows of an outcome may need, of everything that is made or changed with it. */
export type SettlingServices = Pick<
  Services,
  'reads' | 'terms' | 'dunningOf' | 'sellerOf' | 'keyring' | 'publicUrl' | 'vault' | 'cardTesting'
>;

export type Settlement = { attempt: Attempt; events: EventDraft[] };

/**
 * The objects that attempts are made for: payments, refunds, disputes, setups. Each supplies its rules, its rows and its answer; asking, committing,
 * inquiring and resuming are the same for all of them.
 */
export type Topic<Loaded extends { attempt: Attempt }, Settled extends Settlement> = {
  /** The name of the subject in logs. */
  name: 'payment' | 'refund' | 'dispute' | 'setup';
  /** Everything that a decision on the outcome of an attempt needs, as it is stored now. */
  read(reader: Reader, attempt: Attempt): Promise<Loaded>;
  /** The attempt that another processor was asked with, after this one had passed it on. */
  successor?(reader: Reader, attempt: Attempt): Promise<Attempt | undefined>;
  subject(loaded: Loaded | Settled): Subject;
  /** Whether the outcome of the attempt is still to be decided. */
  isOpen(loaded: Loaded | Settled): boolean;
  /**
   * The settlement by an answer; undefined when the answer changes nothing. Pure. `time` is that of the subject's test clock; undefined
   * for one that lives in real time.
   */
  settle(loaded: Loaded, answer: ProcessorAnswer, now: number, time: number | undefined): Settled | undefined;
  /**
   * The rows of a settlement, whether or not the attempt was stored before, and the events of owners: they are written with those of the
   * settlement, so that all have one cause.
   */
  part(services: SettlingServices, settled: Settled, now: number, time: number | undefined): Promise<Part>;
  /** The answer for the caller. */
  answer(loaded: Loaded | Settled): Outcome;
  /** The outcome of a settlement, where it needs a number of a sequence. */
  numbered?(settled: Settled, outcome: Outcome): Outcome | Sequenced;
  /** The answer for an attempt that was settled without its caller, where more than the answer may be left to do. */
  conclude?(context: Performing, loaded: Loaded): Promise<Outcome | Sequenced>;
  /** The log message when a subject is flagged. */
  flagMessage: string;
};
