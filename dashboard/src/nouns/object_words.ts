import type { Coupon } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';
import { methodWords } from './payment_method_words.ts';
import { couponWords } from './price_words.ts';

/** An object as an event has it. */
type Snapshot = { id: string; object: string };

type Named = {
  name?: string;
  email?: string;
  number?: string;
  product_name?: string;
  description?: string;
  url?: string;
};
type Money = { amount: number; currency: string };
type Draft = { total: number; currency: string };

/** What people call an object, as far as it says so itself; undefined where it has only its id. */
export function objectWords(object: Snapshot): string | undefined {
  const { name, email, number, product_name, description, url } = object as Named;
  switch (object.object) {
    case 'customer':
      return name ?? email;
    case 'invoice':
      return number ?? draftWords(object as unknown as Draft);
    case 'price':
      return product_name;
    case 'coupon':
      return 'duration' in object ? couponWords(object as unknown as Coupon) : undefined;
    case 'payment_method':
      return 'type' in object ? methodWords(object as unknown as { type: string }) : undefined;
    case 'payment':
    case 'refund':
    case 'dispute':
    case 'invoice_item':
      return moneyWords(object as unknown as Money & Named);
    case 'webhook_endpoint':
      return description ?? url;
    case 'test_clock':
      return name;
    default:
      return undefined;
  }
}

const draftWords = ({ total, currency }: Draft) => `Draft · ${formatMoney(total, currency)}`;

function moneyWords({ amount, currency, description }: Money & Named): string {
  const money = formatMoney(amount, currency);
  return description === undefined ? money : `${money} · ${description}`;
}
