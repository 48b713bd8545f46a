import type { CheckoutSession, PaymentLink } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';

type Sold = Pick<PaymentLink, 'amount' | 'currency' | 'description' | 'line_items' | 'amount_choice'>;
type Lines = readonly { name?: string; quantity?: number }[];

/** `2 × Coffee beans and 1 more`; undefined where the lines have no names. */
function linesWords(lines: Lines): string | undefined {
  const [first, ...more] = lines;
  if (first?.name === undefined) return undefined;
  const words = (first.quantity ?? 1) === 1 ? first.name : `${first.quantity} × ${first.name}`;
  return more.length === 0 ? words : `${words} and ${more.length} more`;
}

/** What a link sells, by a name. `priceName`: of the one price that it sells, where it is known. */
export function linkName({ description, line_items = [] }: Sold, priceName?: string): string | undefined {
  return description ?? linesWords(line_items) ?? priceName;
}

/** What a link costs: `€12.00`, `€5.00 to €500.00`; undefined where it sells prices. */
export function linkAmount({
  amount,
  currency = 'eur',
  line_items = [],
  amount_choice: choice,
}: Sold): string | undefined {
  if (amount !== undefined) return formatMoney(amount, currency);
  if (choice !== undefined) return `${formatMoney(choice.min, currency)} to ${formatMoney(choice.max, currency)}`;
  const sums = line_items.map(({ unit_amount, quantity = 1 }) => unit_amount && unit_amount * quantity);
  const code = line_items[0]?.currency;
  if (code === undefined || sums.some((sum) => sum === undefined)) return undefined;
  return formatMoney(
    sums.reduce<number>((all, sum) => all + (sum ?? 0), 0),
    code,
  );
}

/** What a session sells. */
export function sessionName({ description, line_items = [], mode }: CheckoutSession): string | undefined {
  return description ?? linesWords(line_items) ?? (mode === 'setup' ? 'A card to save' : undefined);
}

export function sessionAmount({ mode, amount_total, currency }: CheckoutSession): string {
  return currency === undefined || mode === 'setup' ? 'Nothing to pay' : formatMoney(amount_total, currency);
}
