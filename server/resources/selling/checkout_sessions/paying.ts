import type { Reads } from '../../../base/reads.ts';
import { type CheckoutSession, mayBeginTry } from './checkout_session.ts';
import { findSessionsPaying, type PaidInvoice } from './store.ts';

/** The session by which an invoice can be paid, while no payment of it is under way. */
export async function sessionPaying(
  reads: Reads,
  invoice: PaidInvoice,
  now: number,
): Promise<CheckoutSession | undefined> {
  const [session] = await findSessionsPaying(reads, invoice, 1);
  return session !== undefined && mayBeginTry(session, now) ? session : undefined;
}
