import type { ItemChange } from './actions.ts';
import type { CardModel, InvoiceModel, ItemModel, SubscriptionModel } from './state.ts';

export function openInvoices(sub: SubscriptionModel): InvoiceModel[] {
  return sub.customer.invoices.filter((invoice) => invoice.subscription === sub && invoice.status === 'open');
}

export function cardOf(sub: SubscriptionModel): CardModel | undefined {
  return sub.card ?? sub.customer.card;
}

export function changesInterval(sub: SubscriptionModel, changes: ItemChange[]): boolean {
  const { unit, count } = sub.items[0]!.price.interval;
  return changes.some(
    (change) =>
      change.kind !== 'remove' &&
      change.price !== undefined &&
      (change.price.interval.unit !== unit || change.price.interval.count !== count),
  );
}

/** The item after the change; undefined if it is gone. */
export function applyTo(sub: SubscriptionModel, change: ItemChange): ItemModel | undefined {
  if (change.kind === 'add') {
    const item = { price: change.price, quantity: change.quantity };
    sub.items.push(item);
    return item;
  }
  const item = sub.items.find(({ price }) => price.key === change.item)!;
  if (change.kind === 'remove') {
    sub.items = sub.items.filter((one) => one !== item);
    return undefined;
  }
  item.price = change.price ?? item.price;
  item.quantity = change.quantity ?? item.quantity;
  return item;
}
