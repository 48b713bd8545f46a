import { dateIn, moneyIn } from '../../../locales/formats.ts';
import type { MailKind } from '../../../operations/mail_kind.ts';
import type { Payment } from './payment.ts';
import { paymentsTable } from './store.ts';

export const receiptMail: MailKind = {
  kind: 'receipt',
  when: 'A payment has succeeded.',
  cause: 'payment.succeeded',
  async draft({ object, row, now }) {
    const payment: Payment | undefined = await row(paymentsTable, object.id);
    if (payment === undefined) return undefined;
    const { id, customer, invoice, checkout_session, amount_received, currency, description } = payment;
    return {
      contacts: [customer, checkout_session],
      about: { customer, invoice, payment: id },
      message({ locale, merchant }) {
        const amount = moneyIn(locale, { amount: amount_received, currency });
        return {
          subject: `Receipt from ${merchant}`,
          blocks: [
            { kind: 'amount', amount },
            { kind: 'details', rows: [{ label: 'Paid on', value: dateIn(locale, now) }] },
            ...(description ? [{ kind: 'paragraph' as const, text: description }] : []),
          ],
        };
      },
    };
  },
};
