import { share } from '../arithmetic/proration.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import type { InvoiceCredit, ItemCharge } from '../subscription_state/subscription.ts';

/** An invoice whose lines may be credited: what they charge, and what the customer has had back of that. */
export type Creditable = {
  invoice: InvoiceId;
  isPaid: boolean;
  /** The sum of its lines above 0, less their discounts. Credit that was used for them counts as paid. */
  charged: number;
  /** The part of its payment that was refunded, or lost in a dispute. */
  lost: number;
};

/** The part of a line whose time is not used. */
export type Unused = { charged: ItemCharge; amount: number };

/** Older invoices are forgotten first. */
const remembered = 50;

/**
 * How much of each line is credited, and what was then credited of each invoice in all. A line is credited by no more than what is left
 * of its share in the payment, and all lines of an invoice by no more than is left of the invoice. If an invoice was credited and then
 * refunded, so that more was given back than it charged, the excess reduces later credits. Undefined: the line is not paid.
 * `charging`: the invoices that still charge for something, which are not forgotten.
 */
export function allot(
  invoices: readonly Creditable[],
  before: readonly InvoiceCredit[],
  lines: readonly Unused[],
  charging: ReadonlySet<InvoiceId | null>,
): { amounts: (number | undefined)[]; credits: InvoiceCredit[] } {
  const byInvoice = new Map(invoices.map((found) => [found.invoice, found]));
  const credited = new Map(before.map(({ invoice, amount }) => [invoice, amount]));
  const creditedOf = (invoice: InvoiceId | null) => credited.get(invoice) ?? 0;
  const amounts = lines.map(({ charged: { invoice, net }, amount: unused }) => {
    const found = invoice === null ? undefined : byInvoice.get(invoice);
    if (invoice !== null && !found?.isPaid) return undefined;
    const most = found === undefined ? unused : leftOf(found, net, creditedOf(invoice));
    const amount = Math.min(unused, most);
    const repaid = repay(invoices, credited, amount);
    credited.set(invoice, creditedOf(invoice) + amount);
    return amount - repaid;
  });
  return { amounts, credits: keep(credited, charging) };
}

/** The amount of a line that can still be credited: by its share in the payment, and by the whole invoice. */
function leftOf({ charged, lost }: Creditable, net: number, credited: number): number {
  const ofLine = lost === 0 ? net : net - share(lost, net, charged);
  return Math.max(0, Math.min(ofLine, charged - lost - credited));
}

/** Takes from an amount what was given back of paid invoices beyond what they charged. */
function repay(invoices: readonly Creditable[], credited: Map<InvoiceId | null, number>, amount: number): number {
  let repaid = 0;
  for (const { invoice, charged, lost } of invoices) {
    const had = credited.get(invoice) ?? 0;
    const taken = Math.min(Math.max(0, lost + had - charged), amount - repaid);
    if (taken === 0) continue;
    credited.set(invoice, had - taken);
    repaid += taken;
  }
  return repaid;
}

function keep(
  credited: ReadonlyMap<InvoiceId | null, number>,
  charging: ReadonlySet<InvoiceId | null>,
): InvoiceCredit[] {
  const all = [...credited].map(([invoice, amount]) => ({ invoice, amount })).filter(({ amount }) => amount > 0);
  const isOld = (at: number) => at < all.length - remembered;
  return all.filter(({ invoice }, at) => invoice === null || charging.has(invoice) || !isOld(at));
}
