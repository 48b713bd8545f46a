import type { MailKind } from '../../../operations/mail_kind.ts';
import { paymentsTable } from '../payments/store.ts';
import { refundMessage, refundSample } from './refund_message.ts';
import { refundsTable } from './store.ts';

export const refundMail: MailKind = {
  kind: 'refund',
  when: 'A refund has succeeded.',
  cause: 'payment.refunded',
  async draft({ object, row, written, at }) {
    const payment = await row(paymentsTable, object.id);
    const refund = written(refundsTable).find((one) => one.payment === object.id && one.status === 'succeeded');
    if (payment === undefined || refund === undefined) return undefined;
    const { id, customer, invoice, checkout_session, currency, description, amount_received, brand, last4 } = payment;
    const facts = { payment: id, amount: refund.amount, currency, description, amount_received, brand, last4 };
    return {
      contacts: [customer, checkout_session],
      about: { customer, invoice, payment: id },
      message: (reader) => refundMessage({ ...facts, refunded_at: at }, reader),
    };
  },
  sample: (reader) => refundMessage(refundSample, reader),
};
