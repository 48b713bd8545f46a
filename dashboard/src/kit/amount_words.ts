/** The bounds of an amount, in the main unit of each currency, as the API takes them. */
type AmountBounds = { gt?: string; gte?: string; lt?: string; lte?: string };

const amount = String.raw`\d{1,12}(?:[.,]\d{1,3})?`;
const single = new RegExp(`^(>=|<=|>|<)?(${amount})$`);
const between = new RegExp(`^(${amount})?\\.\\.(${amount})?$`);
const signs = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const;

/** `129`, `>100`, `<=50`, `50..200`, `50..` or `..200`, as in the search; undefined if it is nothing of these. */
export function amountBounds(text: string): AmountBounds | undefined {
  const written = text.replaceAll(/\s/g, '');
  const [, sign, exact] = single.exec(written) ?? [];
  if (exact !== undefined) {
    const value = pointed(exact);
    return sign === undefined ? { gte: value, lte: value } : { [signs[sign as keyof typeof signs]]: value };
  }
  const [, from, to] = between.exec(written) ?? [];
  if (from === undefined && to === undefined) return undefined;
  return { ...(from && { gte: pointed(from) }), ...(to && { lte: pointed(to) }) };
}

/** The same from two fields. */
export function amountText(from: string, to: string): string {
  if (from === '' && to === '') return '';
  return from === to ? from : `${from}..${to}`;
}

const pointed = (text: string) => text.replace(',', '.');
