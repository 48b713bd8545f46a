import type { Part } from '../../../operations/operation.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import type { Payment } from './payment.ts';
import { paymentEvent, serializePayment } from './schema.ts';
import { replacePayment } from './store.ts';

/** A stored payment becomes that of an invoice. */
export function linkToInvoice(payment: Payment, invoice: NonNullable<Payment['invoice']>): Part & { payment: Payment } {
  const linked = { ...payment, version: payment.version + 1, invoice };
  const previous = previousAttributes(serializePayment(payment), serializePayment(linked));
  return {
    payment: linked,
    writes: [replacePayment(linked)],
    events: [paymentEvent('payment.updated', linked, previous)],
  };
}
