import { newId } from '../../../base/id.ts';
import type { InvoiceItem } from '../invoice_items/invoice_item.ts';
import type { Line } from './line.ts';

/** The line of an invoice item. */
export function itemLine({ id, amount, description }: InvoiceItem, at: number, now: number): Line {
  const period = { start: at, end: at };
  return { id: newId('il', now), amount, discount: 0, description, period, proration: false, invoice_item: id };
}
