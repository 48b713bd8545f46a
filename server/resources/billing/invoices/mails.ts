import type { MailCause, MailKind } from '../../../operations/mail_kind.ts';
import { paymentDescriptor } from '../../payments/payments/operations.ts';
import {
  type FailedPaymentMail,
  failedPaymentMessage,
  failedPaymentSample,
  requiredActionMessage,
  requiredActionSample,
} from './collect_messages.ts';
import type { Invoice } from './invoice.ts';
import { invoiceMessage, invoiceSample } from './invoice_message.ts';
import { invoicesTable } from './store.ts';

/** What a mail about an invoice takes; undefined for one that was not finalized. */
async function invoiceOf({ object, row }: MailCause) {
  const invoice = await row(invoicesTable, object.id);
  if (invoice === undefined || invoice.number === null) return undefined;
  const { id, customer, number } = invoice;
  const url: string | undefined = object.hosted_url;
  return { invoice, number, url, to: { contacts: [customer], about: { customer, invoice: id } } };
}

/** The card that was to be charged. */
async function paymentOf({ row }: MailCause, { payment }: Invoice) {
  return payment === null ? undefined : row(paymentDescriptor.table, payment);
}

const finalizedMail: MailKind = {
  kind: 'invoice',
  when: 'An invoice is finalized.',
  cause: 'invoice.finalized',
  async draft(cause) {
    const found = await invoiceOf(cause);
    if (found === undefined) return undefined;
    const { invoice, number, url, to } = found;
    const is_automatic = invoice.is_charging || invoice.next_payment_attempt !== null;
    const shown = { ...invoice, number, finalized_at: invoice.finalized_at ?? cause.at, is_automatic, url };
    return { ...to, message: (reader) => invoiceMessage(shown, reader) };
  },
  sample: (reader) => invoiceMessage(invoiceSample, reader),
};

const failedMail: MailKind = {
  kind: 'payment_failed',
  when: 'A charge of an invoice without the customer has failed. It says when the invoice is charged again.',
  cause: 'invoice.payment_failed',
  async draft(cause) {
    const found = await invoiceOf(cause);
    if (found === undefined) return undefined;
    const { invoice, number, url, to } = found;
    const payment = await paymentOf(cause, invoice);
    // Who was there has seen it.
    if (payment !== undefined && payment.off_session !== true) return undefined;
    const { amount_due, currency, next_payment_attempt: next_attempt } = invoice;
    const card = { brand: payment?.brand ?? null, last4: payment?.last4 ?? null };
    const failed = { number, amount_due, currency, ...card, reason: reasonOf(invoice), next_attempt, url };
    return {
      contacts: to.contacts,
      about: { ...to.about, payment: payment?.id ?? null },
      message: (reader) => failedPaymentMessage(failed, reader),
    };
  },
  sample: (reader) => failedPaymentMessage(failedPaymentSample, reader),
};

/** Customers learn no more of a decline: it would help those who test stolen cards. */
function reasonOf({ last_failure }: Invoice): FailedPaymentMail['reason'] {
  if (last_failure?.code === 'expired_card') return 'expired';
  return last_failure?.code === 'card_declined' ? 'declined' : 'other';
}

const actionMail: MailKind = {
  kind: 'action_required',
  when: 'A charge of an invoice needs the customer, who can confirm it on a page.',
  cause: 'invoice.payment_action_required',
  async draft(cause) {
    const found = await invoiceOf(cause);
    // There would be nothing to press.
    if (found?.url === undefined) return undefined;
    const { invoice, number, url, to } = found;
    const payment = await paymentOf(cause, invoice);
    const { amount_due, currency } = invoice;
    const card = { brand: payment?.brand ?? null, last4: payment?.last4 ?? null };
    const asked = { number, amount_due, currency, ...card, url };
    return { ...to, message: (reader) => requiredActionMessage(asked, reader) };
  },
  sample: (reader) => requiredActionMessage(requiredActionSample, reader),
};

export const invoiceMails = [finalizedMail, failedMail, actionMail];
