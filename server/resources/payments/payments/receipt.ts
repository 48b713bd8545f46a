import type { Write } from '../../../base/commit/index.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import { feeOf, type Terms } from '../../../ledger/fee.ts';
import { type Movement, post } from '../../../ledger/posting.ts';
import type { TermsOf } from '../../people/accounts/settings.ts';
import type { Payment } from './payment.ts';
import type { Settled } from './settle.ts';

/** The postings of a payment that has just received its money. */
export async function receipt(termsOf: TermsOf, settled: Settled, now: number): Promise<Write[]> {
  if (!settled.isReceived) return [];
  const { payment, attempt, receivedBy = attempt.id } = settled;
  const movements = receiptOf(payment, receivedBy, await termsOf(payment.tenant));
  return movements.map((movement) => post(payment.tenant, now, movement));
}

/** The money that a payment has received, and the fee. */
export function receiptOf(payment: Payment, attempt: AttemptId | null, terms: Terms): Movement[] {
  const { id, amount_received, currency } = payment;
  const about = { source: id, payment: id, inDays: terms.settlementDays };
  const money = { amount: amount_received, currency };
  const fee = { amount: feeOf(terms, money), currency };
  const received: Movement = { ...about, kind: 'payment', money, reference: attempt };
  return fee.amount === 0 ? [received] : [received, { ...about, kind: 'fee', money: fee, reference: null }];
}
