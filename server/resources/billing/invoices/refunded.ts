import type { RefundHook } from '../../payments/refunds/topic.ts';
import { recordFailedRefund, recordRefund } from './close.ts';
import { invoicesTable, saveInvoice } from './store.ts';

/** A refund of the payment of a void invoice is decided. One that fails, at once or weeks later, is made again. */
export const settleRefundOfInvoice: RefundHook = async ({ reads }, { refund, payment }, now) => {
  const id = payment?.invoice;
  if (id == null || refund.status === 'pending') return [];
  const invoice = await reads.one(invoicesTable, refund.tenant, id);
  if (invoice?.status !== 'void' || invoice.payment !== refund.payment) return [];
  if (refund.status === 'failed') return [saveInvoice(recordFailedRefund(invoice, now))];
  return invoice.closing === 'refund' ? [saveInvoice(recordRefund(invoice, now))] : [];
};
