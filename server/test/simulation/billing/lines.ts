import { partOf, percentOf, spread } from './amounts.ts';
import { plusIntervals, plusMonths } from './days.ts';
import type { AppliedCouponModel, Defect, InvoiceModel, ItemModel, LineModel, SubscriptionModel } from './state.ts';

/** The first boundary after a time: the anchor plus a whole number of intervals. */
export function boundaryAfter({ anchor, base = anchor, items }: SubscriptionModel, time: number): number {
  for (let n = 0; ; n++) {
    const boundary = plusIntervals(base, items[0]!.price.interval, n);
    if (boundary > time) return boundary;
  }
}

/** The last boundary before a time. The anchor itself may still be ahead. */
export function boundaryBefore({ anchor, base = anchor, items }: SubscriptionModel, time: number): number {
  let last = plusIntervals(base, items[0]!.price.interval, -1);
  for (let n = 0; ; n++) {
    const boundary = plusIntervals(base, items[0]!.price.interval, n);
    if (boundary >= time) return last;
    last = boundary;
  }
}

function priceOf({ price, quantity }: ItemModel): bigint {
  return BigInt(price.unitAmount) * BigInt(quantity);
}

/** The charge for the time from `start` to the end of the current period. It becomes the cover of the item. */
export function chargeFor(sub: SubscriptionModel, item: ItemModel, start: number, defect?: Defect): LineModel {
  const end = sub.periodEnd;
  const isOfItself = defect === 'the share of a short period is of its own length';
  const wholeStart = isOfItself ? sub.periodStart : boundaryBefore(sub, end);
  const amount = partOf(priceOf(item), end - start, end - wholeStart);
  const { price, quantity } = item;
  const line: LineModel = { amount, discount: 0, start, end, isProration: start !== wholeStart, price, quantity };
  item.cover = line;
  return line;
}

/** The charges of the current period, with discounts. */
export function chargesForPeriod(sub: SubscriptionModel, defect?: Defect): LineModel[] {
  const lines = sub.items.map((item) => chargeFor(sub, item, sub.periodStart, defect));
  discount(lines, sub.coupon, defect);
  return lines;
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** What an invoice charges, and what the customer has had back of it. */
function accountOf({ lines, refunded = 0, madeUp = 0 }: InvoiceModel) {
  const charged = sumOf(lines.map(({ amount, discount }) => Math.max(0, amount - discount)));
  return { charged, refunded, credited: sumOf(lines.map(({ credited = 0 }) => credited)) - madeUp };
}

/** The most that a line can be credited by: what is left of its share in the payment, and what is left of its invoice. */
function leftOf({ amount, discount, invoice }: LineModel): number {
  const { charged, refunded, credited } = accountOf(invoice!);
  const net = amount - discount;
  const ofLine = net === 0 ? 0 : net - partOf(refunded, net, charged);
  return Math.max(0, Math.min(ofLine, charged - refunded - credited));
}

/** Makes up for what invoices of this period were credited and refunded too much. */
function makeUp({ creditedLines }: SubscriptionModel, credit: number): number {
  let left = credit;
  for (const invoice of new Set(creditedLines.flatMap((line) => line.invoice ?? []))) {
    const { charged, refunded, credited } = accountOf(invoice);
    const taken = Math.min(left, Math.max(0, refunded + credited - charged));
    invoice.madeUp = (invoice.madeUp ?? 0) + taken;
    left -= taken;
  }
  return left;
}

/** The credit for the rest of what was charged for an item. Nothing, if that is not paid, and no more than is left of the payment. */
export function creditFor(sub: SubscriptionModel, item: ItemModel, from: number, defect?: Defect): LineModel[] {
  const { cover } = item;
  delete item.cover;
  if (cover === undefined) return [];
  const isUnpaid = cover.invoice !== undefined && cover.invoice.status !== 'paid';
  if (isUnpaid && defect !== 'an unpaid period is credited') return [];
  const start = Math.max(from, cover.start);
  const net = cover.amount - (defect === 'a credit ignores the discount' ? 0 : cover.discount);
  const unused = partOf(net, Math.max(0, cover.end - start), cover.end - cover.start);
  const isLimited = cover.invoice !== undefined && !isUnpaid && defect !== 'a refunded period is credited';
  const credited = isLimited ? Math.min(unused, leftOf(cover)) : unused;
  const amount = isLimited || cover.invoice === undefined ? makeUp(sub, credited) : credited;
  cover.credited = credited;
  sub.creditedLines.push(cover);
  if (amount === 0) return [];
  const { price, quantity, end } = cover;
  return [{ amount: -amount, discount: 0, start, end, isProration: true, price: price!, quantity: quantity! }];
}

function isInForce({ coupon, at, isUsedUp }: AppliedCouponModel, time: number): boolean {
  if (coupon.duration === 'forever') return true;
  if (coupon.duration === 'once') return !isUsedUp;
  return time < plusMonths(at, coupon.duration.months);
}

/** Takes the discount off new lines. A percentage reduces every line, an amount none for a part of a period. */
export function discount(lines: LineModel[], applied: AppliedCouponModel | undefined, defect?: Defect): void {
  if (applied === undefined) return;
  const discounted = lines.filter(({ amount, start }) => amount > 0 && isInForce(applied, start));
  const { off } = applied.coupon;
  if ('amount' in off) {
    const isTooWide = defect === 'an amount off discounts a proration';
    const whole = discounted.filter(({ isProration }) => isTooWide || !isProration);
    const shares = spread(
      off.amount,
      whole.map(({ amount }) => amount),
    );
    for (const [index, line] of whole.entries()) line.discount = shares[index]!;
  } else if (defect === 'a percentage is rounded per invoice') {
    const amounts = discounted.map(({ amount }) => amount);
    const all = amounts.reduce((sum, one) => sum + one, 0);
    const shares = spread(percentOf(all, off.percent), amounts);
    for (const [index, line] of discounted.entries()) line.discount = shares[index]!;
  } else for (const line of discounted) line.discount = percentOf(line.amount, off.percent);
}
