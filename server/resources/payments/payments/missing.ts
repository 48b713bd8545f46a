import { idTime } from '../../../base/id.ts';
import { daysUntil, type Movement } from '../../../ledger/posting.ts';
import type { Context } from '../../../operations/operation.ts';
import { findLatestAttempt } from '../attempts/store.ts';
import { receiptOf } from './receipt.ts';
import { findUnposted } from './store.ts';

/**
 * The postings that payments lack, of the oldest ones. Money is available on the day on which it would have been. The terms of that time
 * are not stored, so the fee follows those of today.
 */
export async function missingOfPayments(context: Context, paymentsMax: number): Promise<Movement[]> {
  const { reads, tenant, now } = context;
  const terms = await context.terms(tenant);
  const found = await findUnposted(reads, tenant, paymentsMax);
  const movements = found.map(async ({ hasFee, ...payment }) => {
    const capture = await findLatestAttempt(context, payment.id, 'capture');
    const attempt = capture?.state === 'approved' ? capture.id : payment.authorization_attempt;
    const settlementDays = daysUntil(now, idTime(attempt ?? payment.id), terms.settlementDays);
    const receipt = receiptOf(payment, attempt, { ...terms, settlementDays });
    return receipt.filter(({ kind }) => kind !== 'fee' || !hasFee);
  });
  return (await Promise.all(movements)).flat();
}
