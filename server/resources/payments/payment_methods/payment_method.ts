import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';
import type { Billing } from './billing.ts';

export type PaymentMethodId = Id<'pm'>;

export const paymentMethodEvents = {
  'payment_method.attached': 'A payment method was attached to a customer, or created with one.',
  'payment_method.detached': 'A payment method was detached, also by the deletion of its customer.',
  'payment_method.updated':
    'A payment method was changed. If only the address changed, which is not shown, `previous_attributes` is empty.',
} as const;

export type PaymentMethod = Leasable & {
  id: PaymentMethodId;
  customer: Id<'cus'> | null;
  /** Can never be charged or attached again. */
  detached: boolean;
  /** The customer it was detached from. The holder's data is erased when that customer is deleted. */
  detached_from: Id<'cus'> | null;
  /** It tells the kind of the method, too. */
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  billing: Billing;
  /** Null: never supplied. */
  metadata: Metadata | null;
  /** The processor account that keeps it, whose token is in the vault; null: what is charged is in the vault. */
  processor_account: ProcessorAccountId | null;
  /** The processor's own name for the customer that it is attached to there. Without one it can be charged once. */
  processor_customer: string | null;
  /** The test clock of the customer that it is attached to. */
  test_clock: TestClockId | null;
  /** The attempt that has used a token which can be charged once, unless it was not sent. */
  token_attempt: AttemptId | null;
  /** Of a detached one: since when its processor is asked to delete the customer that was made for it. */
  forget_since: Date | null;
  /** Since when a person has to see to what is left at the processor. Still due: it could not be deleted so far. */
  left_since: Date | null;
};

/** Who keeps a method. */
export type TokenFacts = Pick<PaymentMethod, 'processor_account' | 'processor_customer' | 'token_attempt'>;

/** Of a method whose secret is in the vault. */
export const notAToken: TokenFacts = { processor_account: null, processor_customer: null, token_attempt: null };

/** Of a method that no processor is asked to forget. */
export const nothingToForget = { forget_since: null, left_since: null, due_at: null, lease_until: null } as const;

/** `due`: when the job checks whether the secret can be destroyed. */
export function detached(before: PaymentMethod, due: Date): PaymentMethod {
  const place = { customer: null, test_clock: null, detached: true, detached_from: before.customer };
  return { ...before, ...place, version: before.version + 1, due_at: due, lease_until: null };
}

/**
 * Whether it is a card that was typed into a page of the checkout, and whose number is still there: until its try has paid and it is to be
 * kept, it is detached, so that no other payment can charge it.
 */
export function isTyped({ detached, detached_from, due_at }: PaymentMethod): boolean {
  return detached && detached_from === null && due_at !== null;
}

/** The method without the holder's data. */
export function withoutBilling(before: PaymentMethod): PaymentMethod {
  return { ...before, version: before.version + 1, detached_from: null, billing: {} };
}
