import type { Reads } from '../../../base/reads.ts';
import { type CheckoutSession, isOpenFor } from './checkout_session.ts';
import { findSessionPaying, type PaidInvoice } from './store.ts';

/** The session that pays an invoice, as long as its customer can go on with it. */
export async function sessionPaying(
  reads: Reads,
  invoice: PaidInvoice,
  now: number,
): Promise<CheckoutSession | undefined> {
  const session = await findSessionPaying(reads, invoice);
  return session !== undefined && (session.status === 'processing' || isOpenFor(session, now)) ? session : undefined;
}
