import type { PaymentLinksCreateParameters } from '@tollgate/node';
import { type MoneyText, moneyOf } from '../../kit/money.ts';
import { type Saving, savingParams, trialOf, trialParams } from '../../nouns/sold_params.ts';

/** What a link sells, as it stands in the form. */
export type SoldFields = {
  kind: 'amount' | 'price' | 'subscription' | 'choice' | 'setup';
  description: string;
  amount: MoneyText;
  price: string | null;
  quantity: string;
  least: MoneyText;
  most: MoneyText;
  trial: string;
  save: Saving;
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
  const { kind, description, amount, price, quantity, least, most, trial, save } = fields;
  const named = description.trim() === '' ? {} : { description: description.trim() };
  if (kind === 'setup') return { mode: kind, ...named };
  if (kind === 'price' || kind === 'subscription') {
    const [count, days] = [quantityOf(quantity), trialOf(trial)];
    if (price === null || count === undefined) return undefined;
    const line_items = [{ price, quantity: count }];
    if (kind === 'price') return { line_items, ...savingParams(save) };
    return days === false ? undefined : { mode: kind, line_items, ...trialParams(days) };
  }
  if (kind === 'amount') {
    const units = moneyOf(amount);
    return units ? { ...named, amount: units, currency: amount.currency, ...savingParams(save) } : undefined;
  }
  const [min, max] = [moneyOf(least), moneyOf({ ...most, currency: least.currency })];
  if (!min || !max || min > max) return undefined;
  return { ...named, currency: least.currency, amount_choice: { min, max }, ...savingParams(save) };
}
