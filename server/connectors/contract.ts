import type { Write } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import type { Advice, DeclineCode } from './advice.ts';
import type { ConfirmedMethod, KeptMethod, TokenizedMethod, UsedMethod } from './methods.ts';
import type { Authentication, PageTerms, ProcessorFields, RequestedPage } from './pages.ts';
import type { StatementLine } from './statement.ts';

export { type Advice, advices, type DeclineCode, declineCodes } from './advice.ts';
export type * from './methods.ts';
export type * from './pages.ts';
export type * from './statement.ts';

/** One request to a processor. The processor knows the id, which makes the request idempotent. */
export type AttemptId = Id<'att'>;

export const verbs = ['authorize', 'capture', 'cancel', 'refund', 'contest', 'concede', 'setup'] as const;
export type Verb = (typeof verbs)[number];

/**
 * What can be charged, by kind, as the processor needs it. Only the `wire.ts` of a connector opens the secrets. A kind of payment method
 * adds its own instrument by declaration merging.
 */
export interface Instruments {
  card: { number: Secret; cvc: Secret | undefined; expMonth: number; expYear: number; kept?: KeptCard | undefined };
  /** A method that the processor keeps: its own name for it, and for the customer that it is attached to there. */
  token: { token: Secret; customer: string | undefined };
  /** A page of the processor, where the cardholder chooses what is charged. It is asked for once, and lives until `expiresAt`. */
  page: PageTerms;
  /** What the processor's own fields in our page have made of a card. It serves one payment or one setup. */
  confirmation: { token: Secret };
}

/**
 * Where the processor keeps a card number for charges without the cardholder. A setup, or a charge with the cardholder present, is made so
 * that the card is kept; a charge that finds it kept uses what is kept.
 */
export type KeptCard = {
  /** The processor's own name for the customer that `keepCard` has made for it. */
  customer: string;
  /** Its own name for the latest setup or payment at this processor account by which the cardholder has agreed. */
  agreement: string | undefined;
};

export type InstrumentKind = keyof Instruments;

export type Holder = { name?: string; email?: string; address?: Readonly<Record<string, string>> };

/** The instrument that is charged. */
export type Instrument<Kind extends InstrumentKind = InstrumentKind> = {
  [Each in Kind]: { kind: Each; holder: Holder } & Instruments[Each];
}[Kind];

type Asked = {
  tenant: Tenant;
  attempt: AttemptId;
  /** Epoch milliseconds. */
  now: number;
  /** The end of the wait for an answer, in epoch milliseconds. No request to the processor continues after it. */
  deadline?: number;
};

export type AuthorizeRequest = Asked & {
  payment: string;
  money: Money;
  /** Whether to capture immediately, or to reserve the money for a later capture. */
  capture: boolean;
  instrument: Instrument;
  /** merchant: the cardholder is not there, so that a challenge is a decline with the advice `authenticate`. */
  initiator: 'cardholder' | 'merchant';
  /** A challenge is a decline with the advice `authenticate`, although the cardholder is there. */
  declinesChallenge?: boolean | undefined;
  /** first: the method will be charged again without the cardholder. subsequent: the cardholder has agreed to that before. */
  storedCredential: 'none' | 'first' | 'subsequent';
  /** issuer when not given. */
  authentication?: Authentication | undefined;
  /** What the merchant wants the cardholder to read on their statement, where the processor can say so. */
  statementDescriptor?: string | undefined;
  /** What is paid for, of a checkout: the merchant reads it at the processor, where that can show it. */
  description?: string | undefined;
  /** Of the setup or the payment by which the cardholder agreed. */
  networkTransactionId: string | undefined;
  /** The processor's own name for that setup or payment; undefined where it was made at another processor account. */
  agreementReference?: string | undefined;
  /** Where the processor sends the cardholder after an authentication: a page of the gateway. */
  returnUrl: string;
};

/**
 * Verifies a card, and obtains its cardholder's agreement to later charges, without a charge. The cardholder is there, as for an
 * authorization with `storedCredential: 'first'`. The network transaction id and the reference of the answer are the agreement: later
 * charges without the cardholder carry them.
 */
export type SetupRequest = Asked & {
  setup: string;
  instrument: Instrument;
  /** A challenge is a decline with the advice `authenticate`. */
  declinesChallenge?: boolean | undefined;
  /** As for an authorization. */
  authentication?: Authentication | undefined;
  returnUrl: string;
};

/** An earlier attempt of the verb `setup`. Its reference is missing when the processor's answer never reached us. */
export type SetupAttempt = {
  attempt: AttemptId;
  reference: string | undefined;
  setup: string;
  /** As of an authorization. */
  page?: RequestedPage | undefined;
};

/**
 * Ends a setup that waits for its cardholder. A setup that is canceled before it arrives must never take effect, however late it comes;
 * one that has succeeded stays as it is, and the cancel is declined. Its attempt has the verb `cancel`.
 */
export type CancelSetupRequest = Asked & { setup: SetupAttempt };

/**
 * The authorization that a later verb is about, with the facts of its request. Its reference is missing when the processor's answer never
 * reached us.
 */
export type Authorization = {
  attempt: AttemptId;
  reference: string | undefined;
  payment: string;
  money: Money;
  capture: boolean;
  /** The page that it was asked for by, while its outcome is not known. */
  page?: RequestedPage | undefined;
};

export type CaptureRequest = Asked & { authorization: Authorization; money: Money };
/**
 * Releases a reserved amount, or gives back an amount that should not have been taken. Without either it does nothing. An authorization
 * that is canceled before it arrives must never take effect, however late it comes.
 */
export type CancelRequest = Asked & {
  authorization: Authorization;
  /**
   * The captures of the gateway whose money is to be given back; none by default. Money that was captured in any other way, apart from its
   * authorization, is never given back: then the outcome is `already_captured`.
   */
  captures?: readonly AttemptId[];
  /**
   * Closes the page, or the challenge, of an authorization that waits for its cardholder, and gives nothing back: an authorization that
   * was approved meanwhile stays as it is, and the outcome is `already_paid`.
   */
  unlessPaid?: boolean;
};
export type RefundRequest = Asked & { authorization: Authorization; money: Money };
/** Evidence against a dispute. `dispute` is the processor's own name for the dispute. */
export type ContestRequest = Asked & { dispute: string; evidence: Readonly<Record<string, string>> };
/** The merchant accepts a dispute. */
export type ConcedeRequest = Asked & { dispute: string };
/** Asks for the outcome of an earlier attempt: `attempt` is the id of that one. */
export type FindRequest = Asked & {
  verb: Verb;
  /** The processor's own name for the attempt, if we ever learnt it. */
  reference: string | undefined;
  /** The authorization that the attempt is about, or is itself; undefined for the verbs of a dispute and of a setup. */
  authorization: Authorization | undefined;
  /** The setup that the attempt is about, or is itself: the verb is `setup`, or `cancel`. It has no money. */
  setup?: SetupAttempt | undefined;
  /** The processor's own name for the dispute that the attempt is about. */
  dispute: string | undefined;
};

/** Details beside the decision, stored with the attempt. */
export type Traces = {
  /** The processor's own name for the attempt. */
  reference?: string;
  networkTransactionId?: string;
  authorizationCode?: string;
  avsResult?: string;
  cvcResult?: string;
  /** Of an approval that was asked to keep the method, by a page or a confirmation token: a token for charges without the cardholder. */
  kept?: KeptMethod;
  /** Of an approval or a decline by a page or a confirmation token: what the cardholder has chosen, as far as the processor tells it. */
  method?: UsedMethod;
};

/** `advice` is missing where no processor has declined, such as a settlement by hand. */
export type Declined = {
  kind: 'declined';
  code: DeclineCode;
  declineCode?: string;
  message?: string;
  advice?: Advice;
  /** Of a setup: the processor still waits for the cardholder, so that the gateway has to cancel it. */
  awaitsCardholder?: true;
};

/**
 * A decline is data, not an exception. An unknown outcome is settled by an inquiry, never by a guess. not_sent: the processor provably
 * did not act, because no connection was made, or because it refused the request before anything began.
 */
export type ProcessorOutcome =
  | ({ kind: 'approved' } & Traces)
  | (Declined & Traces)
  /**
   * The URL is https. `expiresAt` is when its page ends, in epoch milliseconds: a page that has expired is still found like this, and then
   * canceled. A challenge ends after an hour.
   */
  | ({ kind: 'requires_action'; url: string; expiresAt?: number } & Traces)
  | ({ kind: 'pending' } & Traces)
  /**
   * To a capture or a cancel: the money was captured before, by another attempt or without the gateway, and this call has changed nothing.
   * `money` is what was captured; `capture` is the attempt that the processor knows the capture by, if it is one.
   */
  | ({ kind: 'already_captured'; money: Money; capture?: AttemptId } & Traces)
  /** To a cancel with `unlessPaid`: the authorization was approved, and this call has changed nothing. */
  | ({ kind: 'already_paid' } & Traces)
  | { kind: 'not_sent'; reason: string }
  | { kind: 'unknown'; reason: string };

/** `not_found`: the processor does not know the attempt. Final only once `visibleAfterMs` have passed. */
export type InquiryOutcome = ProcessorOutcome | { kind: 'not_found' };

export type Reply<Outcome = ProcessorOutcome> = {
  /** The attempt that the answer is about, according to the processor. */
  attempt: AttemptId;
  outcome: Outcome;
  /** Request and response in a form fit to be stored: no card number, no CVC, no key. */
  exchange: object;
  /** A local connector's own rows. They are committed together with the gateway's. */
  writes?: Write[];
};

/** An unsolicited report of a processor, sent at least once, possibly late. A repeated notice has the same id. */
export type Notice = {
  id: string;
  tenant: Tenant;
  /** The processor account that it is about, where a connector reports for all accounts of its processor. */
  account?: ProcessorAccountId;
} & (
  | /** An attempt of any verb has changed: the gateway has to inquire. */ {
      kind: 'attempt_changed';
      attempt: AttemptId;
    }
  /** The outcome of a pending authorization, capture, cancel or setup. */
  | { kind: 'payment_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  | { kind: 'refund_settled'; attempt: AttemptId; outcome: ProcessorOutcome }
  /** An authorization was not captured in time, and no longer holds money: the gateway has to cancel it. */
  | { kind: 'authorization_expired'; attempt: AttemptId }
  /** An authorization was canceled without the gateway, or perhaps by it: the gateway has to cancel it, too. */
  | { kind: 'canceled_elsewhere'; attempt: AttemptId }
  /** An authorization was captured without the gateway. */
  | { kind: 'captured_elsewhere'; attempt: AttemptId; money: Money }
  /** A payment was refunded without the gateway. `refund` is the processor's own name: `find` takes it as the reference. */
  | { kind: 'refunded_elsewhere'; refund: string; authorization: AttemptId; money: Money }
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
  | {
      kind: 'dispute_closed';
      dispute: string;
      result: 'won' | 'lost';
      /** The attempt that took the money, where the processor says so. */
      authorization?: AttemptId;
    }
);

/** A request that a processor has sent to the gateway, as it came. The names of headers are in lower case. */
export type InboundRequest = { headers: Readonly<Record<string, string>>; body: Buffer };

/** The capabilities of a processor. Requests beyond them are refused before it is asked. */
export type Capabilities = {
  /** Lower case; undefined: every one. */
  currencies?: readonly string[];
  /** By currency: the smallest amount, and the amounts that can be expressed at all, in our units. */
  amounts?: Readonly<Record<string, { smallest?: number; multipleOf?: number }>>;
  partialCapture: boolean;
  /** How long an authorization holds the money. */
  authorizationDays: number;
  /** Whether the cardholder can be asked to authenticate. */
  challenge: boolean;
  /** Whether it takes what it keeps itself, and card numbers. */
  tokens: boolean;
  rawCards: boolean;
  /** Whether it verifies a card without a charge. Then it has `setup` and `cancelSetup`. */
  setup: boolean;
  /**
   * It has pages that cardholders pay on, which live this long. Then it takes the instrument `page`. `origins`: where they are, so that a form
   * of ours may lead there.
   */
  page?: { minMinutes: number; maxMinutes: number; origins?: readonly string[] };
  /** It has fields for our page. Then it takes the instrument `confirmation`. */
  fields?: ProcessorFields;
  /** The other kinds of instruments that it takes. */
  instruments?: readonly InstrumentKind[];
};

/** Our id of an account at a processor. */
export type ProcessorAccountId = Id<'pa'>;

/** `noticesUrl`: where the gateway takes notices of this processor account. */
export type RegistrationRequest = { noticesUrl: string; credentials: Readonly<Record<string, Secret>> };

/** `message` says what a person has to do, or what was done; it may be empty. */
export type Registered = { message: string; credentials?: Readonly<Record<string, Secret>> };

/**
 * A processor, or one account at a processor. A connector leaves out what its processor cannot do. A method that rejects means an unknown
 * outcome, like a lost reply.
 */
export type Connector = {
  name: string;
  /** The processor account whose credentials it uses; undefined for a processor that needs none. */
  account?: ProcessorAccountId;
  /**
   * Its challenge pages may be at a plain http address of this machine: in test mode, or if the processor is a fake that is reached in the
   * same way.
   */
  hasLocalPages?: boolean;
  /**
   * A local connector decides in this process and returns its rows with the reply, so that everything is one transaction.
   * A remote one is called between two transactions: one commits the attempt, the other its outcome.
   */
  place: 'local' | 'remote';
  /** How long after an attempt "not found" may still mean "not yet". */
  visibleAfterMs: number;
  describe(): Capabilities;
  authorize(request: AuthorizeRequest): Promise<Reply>;
  capture?(request: CaptureRequest): Promise<Reply>;
  cancel?(request: CancelRequest): Promise<Reply>;
  refund?(request: RefundRequest): Promise<Reply>;
  contest?(request: ContestRequest): Promise<Reply>;
  concede?(request: ConcedeRequest): Promise<Reply>;
  setup?(request: SetupRequest): Promise<Reply>;
  cancelSetup?(request: CancelSetupRequest): Promise<Reply>;
  find(request: FindRequest): Promise<Reply<InquiryOutcome>>;
  /** The attempt that a reference names, where the reference itself tells it. */
  attemptOf?(reference: string): AttemptId | undefined;
  /** Notices that were not acknowledged yet, oldest first. */
  notices?(request: { now: number; limit: number }): Promise<Notice[]>;
  acknowledge?(notices: readonly Notice[], now: number): Promise<void>;
  /**
   * The notices since the last poll. `next` is where the next poll begins. For notices that were sent and never arrived: the id of a
   * notice is the one that `accept` gives for the request, so that it takes effect once, whichever way it comes. `hasMore`: the next poll
   * should follow immediately.
   */
  poll?(request: {
    since: string | undefined;
    now: number;
  }): Promise<{ notices: Notice[]; next: string; hasMore?: boolean }>;
  /** Notices that the processor sends to the gateway. */
  inbound?: {
    /** The processor's own id of the request, by which it takes effect once; undefined when its signature is not valid. */
    accept(request: InboundRequest, now: number): { id: string } | undefined;
    /** The notices of an accepted request. Its body is only a hint: the processor is asked. */
    read(request: InboundRequest, now: number): Promise<Notice[]>;
  };
  /** The payment method that a token stands for; undefined when the processor does not know the token. */
  retrieveToken?(token: Secret): Promise<TokenizedMethod | undefined>;
  /** The card that a confirmation token carries, before it is used; undefined when the processor does not know it, or it can no longer be used. */
  retrieveConfirmation?(token: Secret): Promise<ConfirmedMethod | undefined>;
  /** Makes a token usable more than once: the processor's own name for the customer that it is attached to from then on. */
  attachToken?(request: {
    token: Secret;
    holder: Holder;
    id: string;
  }): Promise<{ customer: string } | { refused: string }>;
  /**
   * Makes a customer, under which the processor keeps the number of a payment method. It has neither a card nor anything about the holder
   * before a setup or a charge succeeds: the processor's own name for it. A repeated request with the same id makes no second one while the
   * processor remembers the first. Rejects when the processor did not answer or refuses.
   */
  keepCard?(request: { id: string; deadline: number }): Promise<string>;
  /**
   * Deletes the customer that `attachToken` or `keepCard` has made for a method, after the method was detached here, and the method with it.
   * not_ours: the customer is the merchant's own, and stays as it is. A repetition is harmless. Rejects when the processor did not answer or refuses.
   */
  forget?(request: { customer: string; id: string }): Promise<'forgotten' | 'not_ours'>;
  /** The processor's own name for the account that the credentials are of; undefined where it does not say. */
  identify?(): Promise<string | undefined>;
  /** Asks the processor whether the credentials work. `identity` is its own name for the account. */
  verify?(): Promise<{ ok: boolean; message: string; identity?: string }>;
  /**
   * Arranges at the processor what a person would have to arrange there otherwise: that notices are sent to the gateway. It is harmless to
   * repeat, and makes nothing twice. `credentials` are what it has learnt thereby, to be stored with those that there are.
   */
  register?(request: RegistrationRequest): Promise<Registered>;
  /** Takes back what `register` has arranged: whether nothing of it is left. */
  unregister?(request: Pick<RegistrationRequest, 'noticesUrl'>): Promise<boolean>;
  /** The processor's own books, from one moment (inclusive) to another (exclusive), in pages that fit into memory. */
  statement?(request: { from: Date; to: Date }): AsyncIterable<StatementLine[]>;
};
