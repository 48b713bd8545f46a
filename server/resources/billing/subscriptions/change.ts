import { newId } from '../../../base/id.ts';
import type { Coupon } from '../coupons/coupon.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import type { Line } from '../invoices/line.ts';
import type { PriceId } from '../prices/price.ts';
import type { Item, Subscription } from '../subscription_state/subscription.ts';
import { allot, type Creditable } from './creditable.ts';
import {
  creditLine,
  discountLines,
  type ItemLine,
  isInForce,
  type Prices,
  recordCharges,
  restLine,
  unusedOf,
} from './lines.ts';

/** A requested change of items: changes by id, and new ones. */
export type ItemChange = { id?: string; price?: string; quantity?: number; deleted?: boolean };

/** The items before and after a change. An item that is only in one of the lists was removed or added. */
export type ItemsChange = { before: readonly Item[]; after: readonly Item[] };

/** The items after a change, or the index of a change that names an item that does not exist. */
export function changeItems(before: readonly Item[], changes: readonly ItemChange[], now: number): Item[] | number {
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

/** How a change of items is prorated: what is credited, and at which moment. */
export type ProrationTerms = {
  prices: Prices;
  /** The subscription's coupon, if it has one. */
  coupon: Coupon | undefined;
  from: number;
  now: number;
  /** The invoices that charged for the items, and those that were credited before. */
  invoices: readonly Creditable[];
};

/** The credit lines of a change, and the sum of all credits by invoice. */
export type Credits = { lines: readonly Line[]; credits: Subscription['credits'] };

export type ProrationResult = Credits & { items: readonly Item[] };

/** For each changed item a credit for the rest of what was charged, and a charge for the rest of the period. Pure. */
export function prorate(
  subscription: Subscription,
  { before, after }: ItemsChange,
  terms: ProrationTerms,
  invoice: InvoiceId | null,
): ProrationResult {
  const { prices, coupon, from, now } = terms;
  const remaining = new Map(after.map((item) => [item.id, item]));
  const earlier = new Map(before.map((item) => [item.id, item]));
  const changed = before.filter((item) => !isSame(item, remaining.get(item.id)));
  const { given, credits } = creditItems(subscription, changed, terms);
  const charges = after
    .filter((item) => !isSame(item, earlier.get(item.id)))
    .map((item) => restLine(subscription, item, prices, from, now));
  const inForce = coupon !== undefined && isInForce(coupon, subscription, from) ? coupon : undefined;
  const discounted = cancelOutCredits(discountLines(charges, inForce), from);
  return {
    items: recordCredits(recordCharges(after, discounted, invoice), given, from),
    lines: [...linesOf(given), ...discounted.map(({ line }) => line)],
    credits,
  };
}

/** A change that is undone at the same moment charges what it has credited, whatever the roundings: it nets to 0. */
function cancelOutCredits(charges: readonly ItemLine[], from: number): ItemLine[] {
  return charges.map(({ line, item }) => {
    const { credited } = item;
    const isBack = credited?.from === from && credited.price === item.price && credited.quantity === item.quantity;
    return { line: isBack ? { ...line, amount: credited.amount, discount: 0 } : line, item };
  });
}

/** The items with what was credited for them at this moment, of several changes by the first. */
function recordCredits(items: readonly Item[], given: readonly ItemCredit[], from: number): Item[] {
  const byItem = new Map(given.map((credit) => [credit.item.id, credit]));
  return items.map((item) => {
    const credit = byItem.get(item.id);
    if (credit === undefined || item.credited?.from === from) return item;
    const { price, quantity } = credit.item;
    return { ...item, credited: { from, price, quantity, amount: credit.amount } };
  });
}

/** The credit for an item. Where nothing is left of what was paid for it, there is no line. */
type ItemCredit = { item: Item; amount: number; line: Line | undefined };

function creditItems(
  { credits: before, items: all }: Subscription,
  items: readonly Item[],
  { prices, from, now, invoices }: Omit<ProrationTerms, 'coupon'>,
): { given: ItemCredit[]; credits: Subscription['credits'] } {
  const unused = items.flatMap((item) => {
    const amount = unusedOf(item, from);
    return amount === 0 ? [] : [{ item, charged: item.charged!, amount }];
  });
  if (unused.length === 0) return { given: [], credits: before };
  const charging = new Set(all.flatMap(({ charged }) => (charged === null ? [] : charged.invoice)));
  const { amounts, credits } = allot(invoices, before ?? [], unused, charging);
  const given = unused.flatMap(({ item, charged }, at) => {
    const amount = amounts[at];
    if (amount === undefined) return [];
    return [{ item, amount, line: amount === 0 ? undefined : creditLine(charged, amount, prices, from, now) }];
  });
  return { given, credits };
}

const linesOf = (given: readonly ItemCredit[]) => given.flatMap(({ line }) => line ?? []);

/** The credit for the rest of everything that was paid for. */
export function creditAll(subscription: Subscription, terms: Omit<ProrationTerms, 'coupon'>): Credits {
  const { given, credits } = creditItems(subscription, subscription.items, terms);
  return { lines: linesOf(given), credits };
}
