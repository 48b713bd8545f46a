import type { Id } from '../../../base/id.ts';
import type { Period } from '../arithmetic/calendar.ts';

export type LineId = Id<'il'>;

/** A line of an invoice. It never changes. */
export type Line = {
  id: LineId;
  amount: number;
  /** How much of the amount is taken off; never more than the amount. */
  discount: number;
  description: string;
  period: Period;
  /** Whether it is for a part of a period. */
  proration: boolean;
  price?: string;
  quantity?: number;
  invoice_item?: string;
};

export type Totals = { subtotal: number; discount: number };

export function totalsOf(lines: readonly Pick<Line, 'amount' | 'discount'>[]): Totals {
  return {
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    discount: lines.reduce((sum, { discount }) => sum + discount, 0),
  };
}

/** The amount of a line after its discount. */
export function netOf({ amount, discount }: Pick<Line, 'amount' | 'discount'>): number {
  return amount - discount;
}
