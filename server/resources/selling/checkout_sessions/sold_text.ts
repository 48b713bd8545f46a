import type { CheckoutLine, CheckoutSession } from './checkout_session.ts';

type SoldLines = Pick<CheckoutSession, 'mode'> & {
  line_items: readonly Pick<CheckoutLine, 'name' | 'quantity'>[] | null;
};

/**
 * What was sold, as the description of its payment: lists, searches and receipts show it. Undefined without lines; and of a subscription,
 * whose first payment is described by its invoice, as every later one is.
 */
export function soldText({ mode, line_items }: SoldLines): string | undefined {
  const [first, ...others] = line_items ?? [];
  if (first === undefined || mode !== 'payment') return undefined;
  const named = first.quantity === 1 ? first.name : `${first.name} × ${first.quantity}`;
  return others.length === 0 ? named : `${named} and ${others.length} more`;
}
