import type { CheckoutSession } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';

type Lines = readonly { name?: string; quantity?: number }[];

/** `2 × Coffee beans and 1 more`; undefined where the lines have no names. */
function linesWords(lines: Lines): string | undefined {
  const [first, ...more] = lines;
  if (first?.name === undefined) return undefined;
  const words = (first.quantity ?? 1) === 1 ? first.name : `${first.quantity} × ${first.name}`;
  return more.length === 0 ? words : `${words} and ${more.length} more`;
}

/** What a session sells. */
export function sessionName({ description, line_items = [] }: CheckoutSession): string | undefined {
  return description ?? linesWords(line_items);
}

export function sessionAmount({ amount_total, currency }: CheckoutSession): string {
  return currency === undefined ? 'Nothing to pay' : formatMoney(amount_total, currency);
}
