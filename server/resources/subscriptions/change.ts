import { newId } from '../../base/id.ts';
import type { Coupon } from '../coupons/coupon.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import type { Line } from '../invoices/line.ts';
import type { PriceId } from '../prices/price.ts';
import { chargedBy, creditLine, discounted, type ItemLine, isInForce, type Prices, restLine } from './lines.ts';
import type { Item, Subscription } from './subscription.ts';

/** What a request wants of the items: changes by id, and new ones. */
export type ItemChange = { id?: string; price?: string; quantity?: number; deleted?: boolean };

/** The items before and after a change. An item that is only in one of the lists was removed or added. */
export type ItemsChange = { before: readonly Item[]; after: readonly Item[] };

/** The items after a change, or the index of a change that names an item that does not exist. */
export function changedItems(before: readonly Item[], changes: readonly ItemChange[], now: number): Item[] | number {
  let items = [...before];
  for (const [index, { id, price, quantity, deleted = false }] of changes.entries()) {
    if (id === undefined) {
      items.push({ id: newId('si', now), price: price as PriceId, quantity: quantity ?? 1, charged: null });
      continue;
    }
    const found = items.find((item) => item.id === id);
    if (found === undefined) return index;
    const after = {
      ...found,
      price: (price as PriceId | undefined) ?? found.price,
      quantity: quantity ?? found.quantity,
    };
    items = deleted ? items.filter((item) => item !== found) : items.map((item) => (item === found ? after : item));
  }
  return items;
}

const isSame = (a: Item, b: Item | undefined) => a.price === b?.price && a.quantity === b.quantity;

/** How a change of items is prorated: who is credited, and at which moment. */
export type Prorating = {
  prices: Prices;
  /** The subscription's coupon, if it has one. */
  coupon: Coupon | undefined;
  from: number;
  now: number;
  /** Whether what was charged for an item is credited: its invoice is paid, or its line waits. */
  isCredited: (item: Item) => boolean;
};

export type Prorated = { items: readonly Item[]; lines: readonly Line[] };

/** For each changed item a credit for the rest of what was charged, and a charge for the rest of the period. Pure. */
export function prorate(
  subscription: Subscription,
  { before, after }: ItemsChange,
  prorating: Prorating,
  invoice: InvoiceId | null,
): Prorated {
  const { prices, coupon, from, now, isCredited } = prorating;
  const remaining = new Map(after.map((item) => [item.id, item]));
  const known = new Map(before.map((item) => [item.id, item]));
  const changed = before.filter((item) => !isSame(item, remaining.get(item.id)) && isCredited(item));
  const credits = changed.flatMap((item) => {
    const line = creditLine(item, prices, from, now);
    return line === undefined ? [] : [{ item, line }];
  });
  const charges = after
    .filter((item) => !isSame(item, known.get(item.id)))
    .map((item) => restLine(subscription, item, prices, from, now));
  const inForce = coupon !== undefined && isInForce(coupon, subscription, from) ? coupon : undefined;
  const lessened = undone(discounted(charges, inForce), from);
  return {
    items: withCredited(chargedBy(after, lessened, invoice), credits, from),
    lines: [...credits.map(({ line }) => line), ...lessened.map(({ line }) => line)],
  };
}

/** A change that is undone at the same moment charges what it has credited, whatever the roundings: it nets to 0. */
function undone(charges: readonly ItemLine[], from: number): ItemLine[] {
  return charges.map(({ line, item }) => {
    const { credited } = item;
    const isBack = credited?.from === from && credited.price === item.price && credited.quantity === item.quantity;
    return { line: isBack ? { ...line, amount: credited.amount, discount: 0 } : line, item };
  });
}

/** The items with what was credited for them at this moment, of several changes by the first. */
function withCredited(items: readonly Item[], credits: readonly ItemLine[], from: number): Item[] {
  const byItem = new Map(credits.map(({ line, item }) => [item.id, { line, item }]));
  return items.map((item) => {
    const credit = byItem.get(item.id);
    if (credit === undefined || item.credited?.from === from) return item;
    const { price, quantity } = credit.item;
    return { ...item, credited: { from, price, quantity, amount: -credit.line.amount } };
  });
}

/** The credit for the rest of everything that was charged. */
export function creditAll(items: readonly Item[], prorating: Omit<Prorating, 'coupon'>): Line[] {
  const { prices, from, now, isCredited } = prorating;
  return items.filter(isCredited).flatMap((item) => creditLine(item, prices, from, now) ?? []);
}
