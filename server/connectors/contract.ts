import type { Write } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';

/** Each time that a processor is asked to do something. The id is what makes asking twice harmless: the processor knows it. */
export type AttemptId = Id<'att'>;

export const verbs = ['authorize', 'capture', 'cancel', 'refund', 'contest', 'concede'] as const;
export type Verb = (typeof verbs)[number];

/** The card as the processor needs it. Only the code that talks to the processor opens the secrets. */
export type CardDetails = {
  number: Secret;
  cvc: Secret | undefined;
  expMonth: number;
  expYear: number;
  holder: { name?: string; email?: string; address?: Readonly<Record<string, string>> };
};

type Asked = {
  tenant: Tenant;
  attempt: AttemptId;
  /** Epoch milliseconds. */
  now: number;
};

export type AuthorizeRequest = Asked & {
  payment: string;
  money: Money;
  /** Take the money at once, or only reserve it for a capture. */
  capture: boolean;
  card: CardDetails;
  /** Where the cardholder comes back to after an authentication. */
  returnUrl: string | undefined;
};

/** The authorization that a later verb is about. Its reference is missing when the processor's answer never reached us. */
export type Authorization = { attempt: AttemptId; reference: string | undefined };

export type CaptureRequest = Asked & { authorization: Authorization; money: Money };
/**
 * Releases what is reserved; gives back what was taken, when the taking was not meant to be. Harmless when there is nothing; but what
 * is canceled before it arrives must never take effect, however late it comes: nobody asks for it again.
 */
export type CancelRequest = Asked & { authorization: Authorization };
export type RefundRequest = Asked & { authorization: Authorization; money: Money };
/** Evidence against a dispute; `dispute` is the processor's own name for it. To send it twice is harmless. */
export type ContestRequest = Asked & { dispute: string; evidence: Readonly<Record<string, string>> };
/** The merchant gives a dispute up. */
export type ConcedeRequest = Asked & { dispute: string };
/** What became of an attempt? `attempt` is the one that is asked about. */
export type FindRequest = Asked & { verb: Verb };

/** What the processor tells beside its decision; kept with the attempt. */
export type Traces = {
  /** The processor's own name for it. */
  reference?: string;
  networkTransactionId?: string;
  authorizationCode?: string;
  avsResult?: string;
  cvcResult?: string;
};

export const declineCodes = ['card_declined', 'expired_card', 'incorrect_cvc', 'processing_error'] as const;
export type DeclineCode = (typeof declineCodes)[number];

/** A decline is data. Unknown is a state, not a guess: it is settled by asking again what became of the attempt. */
export type ProcessorOutcome =
  | ({ kind: 'approved' } & Traces)
  | ({ kind: 'declined'; code: DeclineCode; declineCode?: string; message?: string } & Traces)
  | ({ kind: 'requires_action'; url: string } & Traces)
  | ({ kind: 'pending' } & Traces)
  | { kind: 'unknown'; reason: string };

/** The processor knows nothing of the attempt. Final only once `visibleAfterMs` have passed. */
export type InquiryOutcome = ProcessorOutcome | { kind: 'not_found' };

export type Reply<Told = ProcessorOutcome> = {
  /** The attempt that the processor's answer is about, as the processor says. */
  attempt: AttemptId;
  outcome: Told;
  /** What went to and fro, fit to be kept: no card number, no CVC, no key. */
  exchange: object;
  /** A local connector's own rows. They commit with what the gateway makes of the outcome. */
  writes?: Write[];
};

/** What a processor tells without being asked. It may tell the same more than once, and late; the id is the same each time. */
export type Notice = {
  id: string;
  tenant: Tenant;
} /** The outcome of what a payment was waiting for: an authorization, a capture, a cancel. */ & (
  | { kind: 'payment_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  /** Something about an attempt of a payment has changed: the processor is to be asked what. */
  | { kind: 'payment_changed'; attempt: AttemptId }
  | { kind: 'refund_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  | {
      kind: 'dispute_opened';
      dispute: string;
      /** The attempt that took the money: an authorization with capture, or a capture's authorization. */
      authorization: AttemptId;
      money: Money;
      reason: string;
      /** Evidence is taken until then, epoch milliseconds. */
      dueBy: number;
    }
  | { kind: 'dispute_closed'; dispute: string; result: 'won' | 'lost' }
);

export const statementKinds = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const;

/** One movement in the processor's own books. */
export type StatementLine = {
  tenant: Tenant;
  kind: (typeof statementKinds)[number];
  /** The attempt that moved the money (a capture, or an authorization that captures at once), or the name of the dispute. */
  reference: string;
  money: Money;
  at: Date;
};

/**
 * A processor. What one cannot do, its connector leaves out. Methods may reject: that is an unknown outcome like a lost reply.
 */
export type Connector = {
  name: string;
  /**
   * A local connector decides in this process and hands its rows over with the reply, so that one transaction holds everything.
   * A remote one is asked between two transactions: the attempt is committed, then asked for with none open, then its outcome committed.
   */
  place: 'local' | 'remote';
  /** For how long after an attempt "not found" may still mean "not yet". */
  visibleAfterMs: number;
  authorize(request: AuthorizeRequest): Promise<Reply>;
  capture?(request: CaptureRequest): Promise<Reply>;
  cancel?(request: CancelRequest): Promise<Reply>;
  refund?(request: RefundRequest): Promise<Reply>;
  contest?(request: ContestRequest): Promise<Reply>;
  concede?(request: ConcedeRequest): Promise<Reply>;
  find(request: FindRequest): Promise<Reply<InquiryOutcome>>;
  /** What it has to tell and was not acknowledged yet, oldest first. */
  notices?(request: { now: number; limit: number }): Promise<Notice[]>;
  acknowledge?(notices: readonly Notice[], now: number): Promise<void>;
  /** Its own books, from one moment (inclusive) to another (exclusive), in pages: what one page holds fits into memory. */
  statement?(request: { from: Date; to: Date }): AsyncIterable<StatementLine[]>;
};
