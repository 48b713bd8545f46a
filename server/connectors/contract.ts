import type { Write } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';

/** One request to a processor. The processor knows the id, which makes the request idempotent. */
export type AttemptId = Id<'att'>;

export const verbs = ['authorize', 'capture', 'cancel', 'refund', 'contest', 'concede'] as const;
export type Verb = (typeof verbs)[number];

/** The card as the processor needs it. Only the `wire.ts` of a connector opens the secrets. */
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
  /** Whether to take the money at once, or to reserve it for a later capture. */
  capture: boolean;
  card: CardDetails;
  /** Where the cardholder returns to after an authentication. */
  returnUrl: string | undefined;
};

/** The authorization that a later verb is about. Its reference is missing when the processor's answer never reached us. */
export type Authorization = { attempt: AttemptId; reference: string | undefined };

export type CaptureRequest = Asked & { authorization: Authorization; money: Money };
/**
 * Releases a reserved amount, or gives back an amount that should not have been taken. Without either it does nothing. An authorization
 * that is canceled before it arrives must never take effect, however late it comes.
 */
export type CancelRequest = Asked & { authorization: Authorization };
export type RefundRequest = Asked & { authorization: Authorization; money: Money };
/** Evidence against a dispute. `dispute` is the processor's own name for the dispute. */
export type ContestRequest = Asked & { dispute: string; evidence: Readonly<Record<string, string>> };
/** The merchant accepts a dispute. */
export type ConcedeRequest = Asked & { dispute: string };
/** Asks for the outcome of an earlier attempt: `attempt` is the id of that one. */
export type FindRequest = Asked & { verb: Verb };

/** Details beside the decision, stored with the attempt. */
export type Traces = {
  /** The processor's own name for the attempt. */
  reference?: string;
  networkTransactionId?: string;
  authorizationCode?: string;
  avsResult?: string;
  cvcResult?: string;
};

export const declineCodes = ['card_declined', 'expired_card', 'incorrect_cvc', 'processing_error'] as const;
export type DeclineCode = (typeof declineCodes)[number];

/** A decline is data, not an exception. An unknown outcome is settled by an inquiry, never by a guess. */
export type ProcessorOutcome =
  | ({ kind: 'approved' } & Traces)
  | ({ kind: 'declined'; code: DeclineCode; declineCode?: string; message?: string } & Traces)
  | ({ kind: 'requires_action'; url: string } & Traces)
  | ({ kind: 'pending' } & Traces)
  | { kind: 'unknown'; reason: string };

/** `not_found`: the processor does not know the attempt. Final only once `visibleAfterMs` have passed. */
export type InquiryOutcome = ProcessorOutcome | { kind: 'not_found' };

export type Reply<Told = ProcessorOutcome> = {
  /** The attempt that the answer is about, according to the processor. */
  attempt: AttemptId;
  outcome: Told;
  /** Request and response in a form fit to be stored: no card number, no CVC, no key. */
  exchange: object;
  /** A local connector's own rows. They are committed together with the gateway's. */
  writes?: Write[];
};

/** Something that a processor reports of its own accord, at least once, possibly late. A repeated notice has the same id. */
export type Notice = {
  id: string;
  tenant: Tenant;
} /** The outcome of a pending authorization, capture or cancel. */ & (
  | { kind: 'payment_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  /** An attempt of a payment has changed: the gateway has to inquire. */
  | { kind: 'payment_changed'; attempt: AttemptId }
  | { kind: 'refund_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  | {
      kind: 'dispute_opened';
      dispute: string;
      /** The attempt that took the money: an authorization with capture, or a capture's authorization. */
      authorization: AttemptId;
      money: Money;
      reason: string;
      /** The deadline for evidence, in epoch milliseconds. */
      dueBy: number;
    }
  | { kind: 'dispute_closed'; dispute: string; result: 'won' | 'lost' }
);

/** One movement in the processor's own books. */
export type StatementLine = {
  tenant: Tenant;
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_reversal';
  /** The attempt that moved the money (a capture, or an authorization that captures at once), or the name of the dispute. */
  reference: string;
  money: Money;
  at: Date;
};

/** A processor. A connector leaves out what its processor cannot do. A method that rejects means an unknown outcome, like a lost reply. */
export type Connector = {
  name: string;
  /**
   * A local connector decides in this process and returns its rows with the reply, so that everything is one transaction.
   * A remote one is called between two transactions: one commits the attempt, the other its outcome.
   */
  place: 'local' | 'remote';
  /** How long after an attempt "not found" may still mean "not yet". */
  visibleAfterMs: number;
  authorize(request: AuthorizeRequest): Promise<Reply>;
  capture?(request: CaptureRequest): Promise<Reply>;
  cancel?(request: CancelRequest): Promise<Reply>;
  refund?(request: RefundRequest): Promise<Reply>;
  contest?(request: ContestRequest): Promise<Reply>;
  concede?(request: ConcedeRequest): Promise<Reply>;
  find(request: FindRequest): Promise<Reply<InquiryOutcome>>;
  /** Notices that were not acknowledged yet, oldest first. */
  notices?(request: { now: number; limit: number }): Promise<Notice[]>;
  acknowledge?(notices: readonly Notice[], now: number): Promise<void>;
  /** The processor's own books, from one moment (inclusive) to another (exclusive), in pages that fit into memory. */
  statement?(request: { from: Date; to: Date }): AsyncIterable<StatementLine[]>;
};
