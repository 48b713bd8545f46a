import { wordsOf } from './tones.ts';

const decimalEnd = '_decimal';
/** Amounts that have a second column in decimals. */
const amounts = /^(amount|unit_amount|subtotal|discount|fee|net)(_|$)/;

/** A payment has one customer and one card: what leads to them through it needs no saying. */
const ofPayer = /^payment\.(?=customer\.|payment_method\.)/;

/** What a column of an export is called: `Amount (20.00)`, `Customer name`. */
export function columnTitle(column: string): string {
  if (column === 'metadata') return 'Metadata (JSON)';
  const name = column.replace(ofPayer, '');
  const isDecimal = name.endsWith(decimalEnd);
  const words = wordsOf(
    (isDecimal ? name.slice(0, -decimalEnd.length) : name).replaceAll('.', '_').replace('last4', 'last_four'),
  );
  if (isDecimal) return `${words} (as 20.00)`;
  return amounts.test(name) ? `${words} (as 2000)` : words;
}
