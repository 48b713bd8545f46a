import { apiError } from '../../../operations/errors.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { Settled } from '../../payments/payments/settle.ts';
import type { SettlementHook } from '../../payments/payments/topic.ts';
import type { RefundHook } from '../../payments/refunds/topic.ts';
import { type Bill, beginRefund, reopenBill, settleCharge } from './bill.ts';
import { recordFailedRefund, recordRefund } from './close.ts';
import type { Invoice } from './invoice.ts';
import { savePaid } from './keep_method.ts';
import { readBill } from './read_bill.ts';
import { invoicesTable, saveInvoice } from './store.ts';

const nothing = { writes: [], events: [] };

/** Settles the invoice of a payment in the commit that settles the payment, however its answer arrives. */
export const settleInvoice: SettlementHook = async (services, settled, now, time) => {
  const { payment, isBilled = false } = settled;
  if (payment.invoice === null || isBilled) return nothing;
  const { tenant } = payment;
  const invoice = await services.reads.one(invoicesTable, tenant, payment.invoice);
  // That of a test clock that was deleted.
  if (invoice === undefined) return nothing;
  const change = changeOf(invoice, settled);
  if (change === undefined) return nothing;
  const bill = await readBill({ ...services, tenant }, invoice);
  const at = Math.floor((time ?? now) / 1_000);
  const after = change(bill, at, now);
  return after === bill ? nothing : savePaid({ ...services, tenant, now }, after, settled, at);
};

type BillChange = (bill: Bill, at: number, now: number) => Bill;

/** The change of an invoice by its settled payment; undefined for an earlier payment of it. */
function changeOf(invoice: Invoice, { payment, isReceived }: Settled): BillChange | undefined {
  const isOurs = invoice.payment === payment.id;
  if (isOurs && invoice.is_charging) return (bill, at, now) => settleCharge(bill, payment, at, now);
  // From here on, a person corrects what was entered before.
  if (isReceived) return changeByLatePayment(invoice, payment);
  if (isOurs && invoice.status === 'paid' && payment.status === 'failed')
    return (bill, at) => reopenBill(bill, payment, at);
  return undefined;
}

/** It must not be charged again. If another payment has paid it too, one of the two has to be refunded. */
function changeByLatePayment(invoice: Invoice, received: Payment): BillChange | undefined {
  if (invoice.is_charging) throw chargingError(invoice);
  if (invoice.closing === 'refund') throw refundingError(invoice);
  if (invoice.status === 'void') return (bill, _at, now) => beginRefund(bill, received, now);
  if (invoice.status === 'paid') return undefined;
  return (bill, at, now) => settleCharge(bill, received, at, now);
}

function chargingError({ id, payment }: Invoice) {
  const message = `${id} is being charged by another payment, ${payment}, at this moment. Wait until that is over.`;
  return apiError('parameter_invalid', { param: 'id', reason: 'its invoice is being charged' }).saying(message);
}

/** It remembers one payment to give back. */
function refundingError({ id, payment }: Invoice) {
  const message = `${id} is void, and the money of another payment, ${payment}, is being refunded. Wait until that refund is made.`;
  return apiError('parameter_invalid', { param: 'id', reason: 'its invoice is being refunded' }).saying(message);
}

/** A refund of the payment of a void invoice is settled. One that fails, immediately or weeks later, is made again. */
export const settleRefundOfInvoice: RefundHook = async ({ reads }, { refund, payment }, now) => {
  const id = payment?.invoice;
  if (id == null || refund.status === 'pending') return [];
  const invoice = await reads.one(invoicesTable, refund.tenant, id);
  if (invoice?.status !== 'void' || invoice.payment !== refund.payment) return [];
  if (refund.status === 'failed') return [saveInvoice(recordFailedRefund(invoice, now))];
  return invoice.closing === 'refund' ? [saveInvoice(recordRefund(invoice, now))] : [];
};
