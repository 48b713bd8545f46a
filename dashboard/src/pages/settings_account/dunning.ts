/** `1, 3, 5, 7` as numbers; undefined if it is no list of whole numbers. The API says which ones it takes. */
export function daysOf(text: string): number[] | undefined {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => /^\d{1,4}$/.test(part)) ? parts.map(Number) : undefined;
}

/** `1, 3, 5 and 7 days`. */
export function daysInWords(days: readonly number[]): string {
  const last = days.at(-1);
  const unit = days.length === 1 && last === 1 ? 'day' : 'days';
  return days.length < 2 ? `${last ?? 'no'} ${unit}` : `${days.slice(0, -1).join(', ')} and ${last} ${unit}`;
}

/** What becomes of a subscription when the last day has passed, and of its open invoices. */
export const ends = {
  canceled: ['The subscription is canceled.', 'Its open invoices become uncollectible.'],
  unpaid: ['The subscription becomes unpaid and is no longer billed.', 'Its open invoices stay open.'],
  past_due: ['The subscription stays past due and is still billed.', 'Its open invoices stay open.'],
} as const;
