import type { CustomerDisputes, CustomerOwed, CustomerSummary } from '@tollgate/node';
import { counted } from '../../kit/counted.ts';
import { formatMoney } from '../../kit/money.ts';

/** `In 12 payments, €5.00 refunded`. */
export function spentWords({ spent = [], payments }: Pick<CustomerSummary, 'spent' | 'payments'>): string | undefined {
  if (payments === undefined || payments.succeeded === 0) return undefined;
  const refunded = spent.filter((one) => one.refunded > 0);
  const back = refunded.map((one) => formatMoney(one.refunded, one.currency)).join(' and ');
  const made = `In ${counted(payments.succeeded, 'payment')}`;
  return back === '' ? made : `${made}, ${back} refunded`;
}

/** `2 open invoices, 1 charge failed`. */
export function owedWords(owed: readonly CustomerOwed[]): { words: string; isBad: boolean } | undefined {
  const sum = (member: 'invoices' | 'failed') => owed.reduce((total, one) => total + one[member], 0);
  const [invoices, failed] = [sum('invoices'), sum('failed')];
  if (invoices === 0) return undefined;
  const open = counted(invoices, 'open invoice');
  if (failed === 0) return { words: open, isBad: false };
  return { words: `${open}, ${counted(failed, 'charge')} failed`, isBad: true };
}

/** `1 open, 2 lost`. */
export function disputeWords({ open, won, lost }: CustomerDisputes): { words: string; isBad: boolean; count: number } {
  const parts = [open > 0 && `${open} open`, won > 0 && `${won} won`, lost > 0 && `${lost} lost`];
  return { words: parts.filter(Boolean).join(', '), isBad: open > 0, count: open + won + lost };
}
