import type { InvoicesCreateParameters, Price } from '@tollgate/node';
import { amountOf } from '../../kit/money.ts';

/** A new line as it stands in the form: an amount with what it is for, or a price with how many of it. */
export type LineRow = { key: string } & (
  | { kind: 'amount'; description: string; amount: string }
  | { kind: 'price'; price: string | null; quantity: string }
);

type NewItem = NonNullable<InvoicesCreateParameters['items']>[number];

const quantityMax = 1_000_000;

export const isBlank = (row: LineRow) =>
  row.kind === 'amount' && row.description.trim() === '' && row.amount.trim() === '';

/** Below 0 it is a deduction. Undefined if it is no amount of the currency. */
export function signedAmountOf(text: string, currency: string): number | undefined {
  const [, sign, digits = ''] = /^\s*([-−]?)\s*(.*)$/.exec(text) ?? [];
  const amount = amountOf(digits, currency);
  return amount === undefined || sign === '' ? amount : -amount;
}

export function quantityOf(text: string): number | undefined {
  const quantity = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return quantity >= 1 && quantity <= quantityMax ? quantity : undefined;
}

/** What is sent, and its sum; undefined while something is missing. `prices`: those that were chosen, as far as they are known. */
export function newItemsOf(
  rows: readonly LineRow[],
  currency: string,
  prices: readonly Pick<Price, 'id' | 'unit_amount' | 'currency'>[],
): { items: NewItem[]; sum: number } | undefined {
  const lines = rows
    .filter((row) => !isBlank(row))
    .map((row) => (row.kind === 'amount' ? amountLine(row, currency) : priceLine(row, currency, prices)));
  if (lines.some((line) => line === undefined)) return undefined;
  const whole = lines.filter((line) => line !== undefined);
  return { items: whole.map(({ item }) => item), sum: whole.reduce((sum, { amount }) => sum + amount, 0) };
}

type Line = { item: NewItem; amount: number };

function amountLine(row: LineRow & { kind: 'amount' }, currency: string): Line | undefined {
  const amount = signedAmountOf(row.amount, currency) ?? 0;
  const description = row.description.trim();
  return amount === 0 || description === '' ? undefined : { item: { amount, description }, amount };
}

function priceLine(
  row: LineRow & { kind: 'price' },
  currency: string,
  prices: Parameters<typeof newItemsOf>[2],
): Line | undefined {
  const quantity = quantityOf(row.quantity);
  const price = prices.find(({ id }) => id === row.price);
  if (quantity === undefined || price === undefined || price.currency !== currency) return undefined;
  return { item: { price: price.id, quantity }, amount: price.unit_amount * quantity };
}
