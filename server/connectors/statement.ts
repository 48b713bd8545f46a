import type { Id } from '../base/id.ts';
import type { Money } from '../base/money.ts';
import type { Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import type { ShownMethod } from './methods.ts';

/**
 * The payment that a line is about, by the marks that the gateway has left at the processor. A gateway whose database was restored to an
 * earlier moment records a payment again from this.
 */
export type MarkedPayment = {
  payment: Id<'py'>;
  /** The attempt that holds or took the money. */
  authorization: Id<'att'>;
  /** The attempt that captured it, where that was another one of the gateway. */
  capture?: Id<'att'>;
  /** The processor's own name for the authorization. */
  reference: string;
  /** The authorized amount, whatever was captured of it. */
  money: Money;
  /** Whether it is captured apart from its authorization. */
  isManual: boolean;
  /** Where the line tells it. The token is the processor's own name for the method. */
  method?: ShownMethod & { token?: Secret };
};

/** One movement in the processor's own books. */
export type StatementLine = {
  tenant: Tenant;
  /**
   * release: what was booked with a payment and not captured, booked back. A payout that came back is a payout with a gross above zero.
   * Neither payouts nor releases are in the gateway's books.
   */
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_reversal' | 'payout' | 'release';
  /**
   * The attempt that moved the money (a capture, or an authorization that captures immediately), or the processor's own name for the dispute,
   * payout or release.
   */
  reference: string;
  money: Money;
  at: Date;
  /**
   * The amount that the processor has booked before its fee, in the currency of the money: below zero for a refund, a dispute, a payout
   * and a release. Undefined where it does not say, like the fee and the net.
   */
  gross?: number;
  /** The fee of the processor. Below zero: it gives back a fee. */
  fee?: number;
  /** The change of the balance at the processor: the gross less the fee. */
  net?: number;
  /** The processor's own name for the payout that contains it. */
  payout?: string;
  /** When it can be paid out. */
  availableOn?: Date;
  /** The processor's own name for a refund: `find` takes it as the reference. */
  refund?: string;
  /** Of a payment or a refund, if the gateway has marked the payment. */
  origin?: MarkedPayment;
};
