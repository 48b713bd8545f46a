import type { PaymentLinksCreateParameters } from '@tollgate/node';
import { type MoneyText, moneyOf } from '../../kit/money.ts';

/** What a link sells, as it stands in the form. */
export type SoldFields = {
  kind: 'amount' | 'price' | 'subscription' | 'choice';
  description: string;
  amount: MoneyText;
  price: string | null;
  quantity: string;
  least: MoneyText;
  most: MoneyText;
};

export function quantityOf(text: string): number | undefined {
  const quantity = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return quantity >= 1 ? quantity : undefined;
}

export function limitOf(text: string): number | undefined {
  const limit = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return limit >= 1 && limit <= 1_000_000 ? limit : undefined;
}

/** Undefined while something is missing. */
export function soldParams(fields: SoldFields): PaymentLinksCreateParameters | undefined {
  const { kind, description, amount, price, quantity, least, most } = fields;
  const named = description.trim() === '' ? {} : { description: description.trim() };
  if (kind === 'price' || kind === 'subscription') {
    const count = quantityOf(quantity);
    if (price === null || count === undefined) return undefined;
    return { ...(kind === 'subscription' && { mode: kind }), line_items: [{ price, quantity: count }] };
  }
  if (kind === 'amount') {
    const units = moneyOf(amount);
    return units ? { ...named, amount: units, currency: amount.currency } : undefined;
  }
  const [min, max] = [moneyOf(least), moneyOf({ ...most, currency: least.currency })];
  return min && max && min <= max ? { ...named, currency: least.currency, amount_choice: { min, max } } : undefined;
}
