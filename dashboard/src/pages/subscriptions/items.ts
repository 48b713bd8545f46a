import type { Subscription, SubscriptionItemChange, SubscriptionItemParameters, UpcomingInvoice } from '@tollgate/node';

/** An item as it stands in a form. */
export type ItemRow = {
  key: string;
  /** Of an item that the subscription has. */
  id?: string;
  price: string | null;
  quantity: string;
};

export type Proration = 'create' | 'invoice_now' | 'none';

const quantityMax = 1_000_000;

/** A whole number that the API takes; undefined if it is none. */
export function quantityOf(text: string): number | undefined {
  const quantity = /^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined;
  return quantity === undefined || quantity > quantityMax ? undefined : quantity;
}

export function rowsOf(items: Subscription['items']): ItemRow[] {
  return items.map(({ id, price, quantity }) => ({ key: id, id, price, quantity: String(quantity) }));
}

/** Undefined while a price or a quantity is missing. */
export function newItemsOf(rows: readonly ItemRow[]): SubscriptionItemParameters[] | undefined {
  const items = rows.map(({ price, quantity }) => ({ price, quantity: quantityOf(quantity) }));
  const isWhole = items.every(({ price, quantity }) => price !== null && quantity !== undefined);
  return isWhole && items.length > 0 ? (items as SubscriptionItemParameters[]) : undefined;
}

/** What differs from the items that there are. Empty if nothing does; undefined while it cannot be sent. */
export function changesOf(
  before: Subscription['items'],
  rows: readonly ItemRow[],
): SubscriptionItemChange[] | undefined {
  if (newItemsOf(rows) === undefined) return undefined;
  const changed = rows.flatMap(({ id, price, quantity: text }): SubscriptionItemChange[] => {
    const [quantity, named] = [quantityOf(text)!, price!];
    const item = before.find((one) => one.id === id);
    if (item === undefined) return [{ price: named, quantity }];
    const isOther = { price: item.price !== named, quantity: item.quantity !== quantity };
    if (!isOther.price && !isOther.quantity) return [];
    return [{ id: item.id, ...(isOther.price && { price: named }), ...(isOther.quantity && { quantity }) }];
  });
  const removed = before.filter(({ id }) => !rows.some((row) => row.id === id));
  return [...changed, ...removed.map(({ id }) => ({ id, deleted: true }))];
}

/** When the invoice of a preview is made: now, or at a time. */
export function invoicedAt(preview: UpcomingInvoice, proration: Proration): number | 'now' {
  const { billing_reason, period_start, period_end, created } = preview;
  if (billing_reason !== 'subscription_update') return period_start;
  // A change to another interval begins its period now. The last invoice of a subscription comes when its period ends.
  return proration === 'invoice_now' || period_start === created ? 'now' : period_end;
}

/** The lines for the rest of the current period. */
export function prorated({ lines }: Pick<UpcomingInvoice, 'lines'>): number {
  return lines.reduce((sum, { amount, discount, proration }) => (proration ? sum + amount - discount : sum), 0);
}
