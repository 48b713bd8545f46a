import type { Invoice } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';

const purposes: Readonly<Record<Invoice['billing_reason'], string>> = {
  subscription_create: 'a new subscription',
  subscription_cycle: 'a new period of a subscription',
  subscription_update: 'a change of a subscription',
  manual: 'one-off items',
};

/** `Ada Lovelace has paid €19.00 for a new subscription.` */
export function storyOfInvoice(invoice: Invoice, customer: string): string {
  const { status, currency, total, amount_paid, amount_remaining, credit_applied, billing_reason } = invoice;
  const money = (amount: number) => formatMoney(amount, currency);
  const purpose = purposes[billing_reason];
  const stories: Record<Invoice['status'], string> = {
    draft: `Not sent yet: ${customer} will be billed ${money(total)} for ${purpose}.`,
    open: `${customer} owes ${money(amount_remaining)} for ${purpose}.`,
    paid:
      amount_paid > 0
        ? `${customer} has paid ${money(amount_paid)} for ${purpose}.`
        : `Nothing was to be paid for ${purpose}.`,
    void: `Voided: ${customer} owes nothing for ${purpose}.`,
    uncollectible: `Uncollectible: ${customer} still owes ${money(amount_remaining)} for ${purpose}.`,
  };
  return credit_applied > 0
    ? `${stories[status]} ${money(credit_applied)} came from customer credit.`
    : stories[status];
}
