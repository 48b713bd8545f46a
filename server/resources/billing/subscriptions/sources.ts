import { newId } from '../../../base/id.ts';
import type { Context } from '../../../operations/operation.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import type { Dunning } from '../../people/accounts/account.ts';
import type { SellerDetails } from '../../people/branding/shown.ts';
import { findCoupons } from '../coupons/operations.ts';
import type { InvoiceItem } from '../invoice_items/invoice_item.ts';
import { waitingItems } from '../invoice_items/waiting.ts';
import { hostedPages } from '../invoices/hosted_pages.ts';
import { findPrices } from '../prices/operations.ts';
import type { Item, Subscription } from '../subscription_state/subscription.ts';
import type { Basis } from './plan.ts';
import { findWaitingLines, type WaitingLine } from './store.ts';

/** Of one invoice; more wait for the next one. */
const itemsMax = 250;
const itemsBytesMax = 2 ** 19;
/** They are billed in one commit of at most 8 MiB, which has an invoice five times: as the row, and in its events. */
export const waitingLinesMax = 500;

/** Everything that an invoice of a subscription is made from. */
export type InvoiceSources = Basis & {
  customer: Customer;
  waiting: readonly WaitingLine[];
  items: readonly InvoiceItem[];
  dunning: Dunning;
  seller: SellerDetails;
  hostedUrl: string;
};

/** `prices`: ids of prices that the subscription is to have, beside its own. */
export async function readSources(
  context: Context,
  customer: Customer,
  subscription: Subscription,
  at: number,
  prices: readonly string[] = [],
): Promise<InvoiceSources> {
  const { reads, tenant, now } = context;
  const { id, currency, coupon } = subscription;
  const [found, coupons, waiting, items, dunning, seller] = await Promise.all([
    findPrices(context, [...subscription.items.flatMap(pricesOf), ...prices]),
    coupon === null ? undefined : findCoupons(context, [coupon]),
    subscription.waiting_lines === 0 ? [] : findWaitingLines(reads, tenant, id),
    waitingItems(reads, tenant, customer.id, currency, id, itemsMax),
    context.dunningOf(tenant),
    context.sellerOf(tenant),
  ]);
  const invoice = newId('in', now);
  return {
    prices: found,
    coupon: coupon === null ? undefined : coupons?.get(coupon),
    invoice,
    at,
    now,
    customer,
    waiting,
    items: itemsForInvoice(items),
    dunning,
    seller,
    hostedUrl: hostedPages.urlOf(context, invoice),
  };
}

/** The oldest items, as many as one invoice takes. */
export function itemsForInvoice(waiting: readonly InvoiceItem[]): readonly InvoiceItem[] {
  return takeWithinBytes(waiting, ({ description }) => description, itemsBytesMax);
}

/** The price that an item has, and the one that it was charged for. */
function pricesOf({ price, charged }: Item): string[] {
  return charged === null ? [price] : [price, charged.price];
}
