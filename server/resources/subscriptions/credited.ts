import type { Invoice, InvoiceId } from '../invoices/invoice.ts';
import { findInvoices } from '../invoices/kind.ts';
import type { Line } from '../invoices/line.ts';
import type { Context } from '../operation.ts';
import type { Gathered } from './carry_out.ts';
import { creditAll } from './change.ts';
import type { Item, Subscription } from './subscription.ts';

/** The invoices that charge for the present time of a subscription. */
export async function periodInvoices(context: Context, { items, period_invoice }: Subscription): Promise<Invoice[]> {
  const ids = new Set<InvoiceId>(items.flatMap(({ charged }) => charged?.invoice ?? []));
  if (period_invoice !== null) ids.add(period_invoice);
  return [...(await findInvoices(context, [...ids])).values()];
}

/** Items whose line waits, or is on a paid invoice. Nobody is credited for what was not paid. */
export function isPaidFor(invoices: readonly Invoice[]): (item: Item) => boolean {
  const paid = new Set(invoices.filter(({ status }) => status === 'paid').map(({ id }) => id));
  return ({ charged }) => charged !== null && (charged.invoice === null || paid.has(charged.invoice));
}

/** The credit for the rest of everything that was paid for. */
export async function creditsFor(context: Context, subscription: Subscription, gathered: Gathered): Promise<Line[]> {
  const { prices, at, now } = gathered;
  const isCredited = isPaidFor(await periodInvoices(context, subscription));
  return creditAll(subscription.items, { prices, from: at, now, isCredited });
}
