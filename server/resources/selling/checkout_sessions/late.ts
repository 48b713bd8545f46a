import { findInvoice } from '../../billing/invoices/payable.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { LateApprovalRule, LateVerdict } from '../../payments/payments/late_approval.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import { type CheckoutSession, paysInvoice } from './checkout_session.ts';
import { sessionsTable } from './store.ts';

/** Money is never sent back silently: a try that is approved when it was over completes its session, as long as nothing else has paid it. */
export const judgeLateApproval: LateApprovalRule = async ({ reads, tenant }, payment) => {
  if (payment.checkout_session === null) return undefined;
  const session = await reads.one(sessionsTable, tenant, payment.checkout_session);
  if (session === undefined) return undefined;
  const elsewhere = paysInvoice(session) ? await otherPaymentOf({ reads, tenant }, payment) : undefined;
  return elsewhere ?? lateVerdict(session, payment);
};

/** The invoice that it was to pay is being paid, or was settled, without it. */
async function otherPaymentOf(reader: Reader, { id, invoice: paid }: Payment): Promise<LateVerdict | undefined> {
  const invoice = await findInvoice(reader, paid!);
  if (invoice === undefined) return undefined;
  if (invoice.is_charging && invoice.payment !== id) return { kind: 'after', payment: invoice.payment! };
  return invoice.status === 'paid' || invoice.status === 'void' ? { kind: 'reverse' } : undefined;
}

/** Pure. */
export function lateVerdict(
  session: Pick<CheckoutSession, 'status' | 'payment' | 'payment_status' | 'amount_total' | 'awaits_customer'>,
  { id, amount }: Pick<Payment, 'id' | 'amount'>,
): LateVerdict {
  const { status, payment: latest, payment_status, amount_total, awaits_customer } = session;
  if (status === 'complete') {
    const isOwn = latest === id && payment_status !== 'no_payment_required';
    return { kind: isOwn ? 'release' : 'reverse' };
  }
  // A coupon was entered or taken back since: the customer has seen another amount.
  if (amount !== amount_total) return { kind: 'reverse' };
  const isTrying = status === 'processing' || awaits_customer === true;
  return isTrying && latest !== null && latest !== id ? { kind: 'after', payment: latest } : { kind: 'take' };
}
