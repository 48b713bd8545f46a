import { decimalsOf } from '../../../base/currency.ts';
import { amountsIn, type WrittenAmount } from './amounts.ts';
import { fold, wordsIn } from './words.ts';

/** A word that an object must have: one that begins with it, or an amount that it can mean. */
export type QueryWord = {
  /** Undefined for an amount with its currency. */
  start?: string | undefined;
  amounts: readonly WrittenAmount[];
  /** As it was written, for ids, which are not folded. */
  written: string;
  /** An operator means it, and compares more exactly. */
  isOperator?: boolean;
};

/** Bounds of an amount, each as it was written. `isOpen`: the bound itself is outside. */
export type AmountRange = { from?: AmountBound | undefined; to?: AmountBound | undefined };
type AmountBound = { amount: WrittenAmount; isOpen: boolean };

/** From the first to before the second, in epoch milliseconds. */
export type TimeRange = { from?: number | undefined; before?: number | undefined };

/** What somebody looks for. An object must fit all of it. */
export type Query = {
  words: readonly QueryWord[];
  /** Words that follow each other, folded. */
  phrases: readonly string[];
  /** Each: any of these. */
  statuses: readonly (readonly string[])[];
  amounts: readonly AmountRange[];
  cards: readonly string[];
  /** Ids, or words of customers. */
  customers: readonly string[];
  created: readonly TimeRange[];
};

const token = /([A-Za-z]+):"([^"]*)"|"([^"]*)"|(\S+)/gu;
/** Of one query: more are taken as one search for the first. */
const wordsMax = 12;

/** Reads a query. Nothing is refused: what is no operator, or none that can be read, is a word. */
export function readQuery(q: string): Query {
  const found = new QueryReader();
  for (const [text, name, quotedValue, phrase, plain] of moneyTogether(q).matchAll(token)) {
    const [, operator, value] =
      name === undefined ? (/^([A-Za-z]+):(.+)$/u.exec(plain ?? '') ?? []) : [text, name, quotedValue];
    if (operator !== undefined && value !== undefined && found.takeOperator(operator.toLowerCase(), value)) continue;
    if (phrase !== undefined) found.takePhrase(phrase);
    else found.takeWords(plain ?? text);
  }
  return found.query;
}

/** `129 EUR` and `€ 129` are one word each. */
function moneyTogether(q: string): string {
  return q
    .replace(/(^|\s)(\d[\d.,']*)\s+(\p{Sc}|[A-Za-z]{3})(?=\s|$)/gu, (all, before, number, name) =>
      amountsIn(`${number}${name}`).length > 0 ? `${before}${number}${name}` : all,
    )
    .replace(/(^|\s)(\p{Sc}|[A-Za-z]{3})\s+(\d[\d.,']*)(?=\s|$)/gu, (all, before, name, number) =>
      amountsIn(`${name}${number}`).length > 0 ? `${before}${name}${number}` : all,
    );
}

class QueryReader {
  readonly query = {
    words: [] as QueryWord[],
    phrases: [] as string[],
    statuses: [] as string[][],
    amounts: [] as AmountRange[],
    cards: [] as string[],
    customers: [] as string[],
    created: [] as TimeRange[],
  } satisfies Query;

  takeWords(text: string): void {
    const amounts = amountsIn(text);
    const isMoney = amounts.some(({ currencies }) => currencies !== undefined);
    const starts = isMoney ? [undefined] : wordsIn(text);
    for (const start of starts) this.#add({ start, amounts, written: text });
  }

  takePhrase(text: string): void {
    const words = fold(text).trim();
    if (words !== '') this.query.phrases.push(words);
    for (const start of wordsIn(text)) this.#add({ start, amounts: [], written: text });
  }

  /** False: it is no operator, or its value cannot be read. */
  takeOperator(name: string, value: string): boolean {
    switch (name) {
      case 'status':
        return take(this.query.statuses, statusesIn(value));
      case 'amount':
        return this.#takeAmounts(value, amountRangeIn(value));
      case 'card':
        return this.#takeCard(value);
      case 'customer':
        return take(this.query.customers, wordsIn(value).length > 0 ? value.trim() : undefined);
      case 'created':
        return take(this.query.created, timeRangeIn(value));
      default:
        return false;
    }
  }

  /** One amount is in the index, as a word is. */
  #takeAmounts(written: string, range: AmountRange | undefined): boolean {
    const isOne = range?.from !== undefined && range.from.amount === range.to?.amount;
    if (isOne) this.#add({ amounts: [range.from!.amount], written, isOperator: true });
    return take(this.query.amounts, range);
  }

  #takeCard(last4: string): boolean {
    if (!/^\d{4}$/.test(last4)) return false;
    this.#add({ start: last4, amounts: [], written: last4, isOperator: true });
    return take(this.query.cards, last4);
  }

  #add(word: QueryWord): void {
    const { words } = this.query;
    if (words.length < wordsMax && !words.some(({ start }) => start !== undefined && start === word.start))
      words.push(word);
  }
}

function take<T>(list: T[], value: T | undefined): boolean {
  if (value !== undefined) list.push(value);
  return value !== undefined;
}

/** `failed,canceled`, `requires action`, `Requires-Action`. */
function statusesIn(value: string): string[] | undefined {
  const names = value.split(',').map((one) =>
    one
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  );
  return names.every((name) => /^[a-z_]+$/.test(name)) ? names : undefined;
}

/** Of `1,299`, what most people mean: a thousand. Three decimals are written with a currency that has them. */
function amountIn(text: string): WrittenAmount | undefined {
  const all = amountsIn(text);
  const areUsual = (one: WrittenAmount) =>
    one.fraction?.length !== 3 || one.currencies?.some((currency) => decimalsOf(currency) === 3);
  return all.find(areUsual) ?? all[0];
}

function amountRangeIn(value: string): AmountRange | undefined {
  const [, sign, compared] = /^([<>]=?)(.+)$/u.exec(value) ?? [];
  if (sign !== undefined) {
    const amount = amountIn(compared!);
    if (amount === undefined) return undefined;
    const bound = { amount, isOpen: !sign.endsWith('=') };
    return sign.startsWith('>') ? { from: bound } : { to: bound };
  }
  const [first, second, ...more] = value.split('..');
  const [from, to] = [amountIn(first!), second === undefined ? undefined : amountIn(second)];
  if (more.length > 0 || from === undefined) return undefined;
  if (second === undefined) return { from: { amount: from, isOpen: false }, to: { amount: from, isOpen: false } };
  return to && { from: { amount: from, isOpen: false }, to: { amount: to, isOpen: false } };
}

/** `2026`, `2026-03`, `2026-03-05`, each also after `>` or `<`, or as the ends of a range. Days are those of UTC. */
function timeRangeIn(value: string): TimeRange | undefined {
  const [, sign, compared] = /^([<>]=?)(.+)$/u.exec(value) ?? [];
  if (sign !== undefined) {
    const span = spanOf(compared!);
    if (span === undefined) return undefined;
    if (sign.startsWith('>')) return { from: sign === '>' ? span.before : span.from };
    return { before: sign === '<' ? span.from : span.before };
  }
  const [first, second, ...more] = value.split('..');
  const from = spanOf(first!);
  const to = second === undefined ? from : spanOf(second);
  return more.length > 0 || from === undefined || to === undefined ? undefined : { from: from.from, before: to.before };
}

function spanOf(text: string): { from: number; before: number } | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const from = Date.UTC(y, m, d);
  // 2026-02-30 would become a day in March.
  if (new Date(from).getUTCMonth() !== m || new Date(from).getUTCDate() !== d) return undefined;
  const before =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y + 1, 0, 1);
  return { from, before };
}
