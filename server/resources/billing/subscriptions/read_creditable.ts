import type { Context } from '../../../operations/operation.ts';
import { findLostOf } from '../../payments/disputes/lost.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import { findInvoices } from '../invoices/descriptor.ts';
import type { Invoice, InvoiceId } from '../invoices/invoice.ts';
import { netOf } from '../invoices/line.ts';
import type { Subscription } from '../subscription_state/subscription.ts';
import { type Credits, creditAll } from './change.ts';
import type { Creditable } from './creditable.ts';
import type { InvoiceSources } from './sources.ts';

/** The invoices that charge for the present time of a subscription, and those of the period that were credited already. */
export async function periodInvoices(context: Context, { items, period_invoice, credits }: Subscription) {
  const charging = new Set<InvoiceId>(items.flatMap(({ charged }) => charged?.invoice ?? []));
  if (period_invoice !== null) charging.add(period_invoice);
  const credited = (credits ?? []).flatMap(({ invoice }) => invoice ?? []);
  const all = [...(await findInvoices(context, [...new Set([...charging, ...credited])])).values()];
  return { all, charging: all.filter(({ id }) => charging.has(id)) };
}

/** The amounts that invoices have charged, and how much of them was refunded or lost. */
export async function creditableOf(context: Context, invoices: readonly Invoice[]): Promise<Creditable[]> {
  const payments = await findPayments(
    context,
    invoices.flatMap(({ payment }) => payment ?? []),
  );
  const disputed = await findLostOf(context, [...payments.values()]);
  return invoices.map(({ id, status, lines, payment: of, amount_paid }) => {
    const payment = of === null ? undefined : payments.get(of);
    const back = payment === undefined ? 0 : (payment.amount_refunded ?? 0) + (disputed.get(payment.id) ?? 0);
    const charged = lines.reduce((sum, line) => sum + Math.max(0, netOf(line)), 0);
    return { invoice: id, isPaid: status === 'paid', charged, lost: Math.min(back, amount_paid) };
  });
}

/** The credit for the rest of everything that was paid for. */
export async function creditsFor(
  context: Context,
  subscription: Subscription,
  sources: InvoiceSources,
): Promise<Credits> {
  const { prices, at, now } = sources;
  const invoices = await creditableOf(context, (await periodInvoices(context, subscription)).all);
  return creditAll(subscription, { prices, from: at, now, invoices });
}
