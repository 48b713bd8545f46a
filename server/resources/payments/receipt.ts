import type { Write } from '../../base/commit/index.ts';
import { feeOf } from '../../ledger/fee.ts';
import { post } from '../../ledger/posting.ts';
import type { TermsOf } from '../services.ts';
import type { Settled } from './settle.ts';

/** The postings of a payment that has just received its money: the money and the fee. */
export async function receipt(termsOf: TermsOf, settled: Settled, now: number): Promise<Write[]> {
  if (!settled.isReceived) return [];
  const { tenant, id, amount_received, currency } = settled.payment;
  const terms = await termsOf(tenant);
  const about = { source: id, payment: id, inDays: terms.settlementDays };
  const money = { amount: amount_received, currency };
  const fee = { amount: feeOf(terms, money), currency };
  return [
    post(tenant, now, { ...about, kind: 'payment', money, reference: settled.attempt.id }),
    ...(fee.amount === 0 ? [] : [post(tenant, now, { ...about, kind: 'fee', money: fee, reference: null })]),
  ];
}
