import type { MailKind } from '../../../operations/mail_kind.ts';
import { receiptMessage, receiptSample } from './receipt_message.ts';
import { paymentsTable } from './store.ts';

export const receiptMail: MailKind = {
  kind: 'receipt',
  when: 'A payment has succeeded.',
  cause: 'payment.succeeded',
  async draft({ tenant, object, row, services, at }) {
    const payment = await row(paymentsTable, object.id);
    if (payment === undefined) return undefined;
    const { id, customer, invoice, checkout_session } = payment;
    const { statementDescriptor } = await services.brandingOf(tenant);
    const receipt = {
      ...payment,
      paid_at: at,
      ...(statementDescriptor && { statement_descriptor: statementDescriptor }),
    };
    return {
      contacts: [customer, checkout_session],
      about: { customer, invoice, payment: id },
      message: (reader) => receiptMessage(receipt, reader),
    };
  },
  sample: (reader) => receiptMessage(receiptSample, reader),
};
