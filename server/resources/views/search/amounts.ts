import { currencyOf, decimalsOf } from '../../../base/currency.ts';
import type { Money } from '../../../base/money.ts';

/** An amount as people write it. */
export type WrittenAmount = {
  whole: string;
  /** Its decimals, as far as they were written. */
  fraction?: string | undefined;
  /** Those that the symbol beside it can mean; undefined without one. */
  currencies?: readonly string[] | undefined;
};

const symbols: Readonly<Record<string, readonly string[]>> = {
  '€': ['eur'],
  '£': ['gbp', 'egp', 'fkp', 'gip', 'lbp', 'shp', 'ssp', 'syp'],
  $: [
    'usd',
    'aud',
    'cad',
    'nzd',
    'sgd',
    'hkd',
    'mxn',
    'ars',
    'clp',
    'cop',
    'brl',
    'twd',
    'uyu',
    'dop',
    'jmd',
    'ttd',
    'bbd',
    'bmd',
    'bsd',
    'bzd',
    'bnd',
    'fjd',
    'gyd',
    'kyd',
    'lrd',
    'nad',
    'sbd',
    'srd',
    'xcd',
    'cup',
    'cve',
  ],
  '¥': ['jpy', 'cny'],
  '￥': ['jpy', 'cny'],
  '₹': ['inr'],
  '₩': ['krw', 'kpw'],
  '₽': ['rub'],
  '₺': ['try'],
  '₴': ['uah'],
  '₪': ['ils'],
  '₫': ['vnd'],
  '₦': ['ngn'],
  '₱': ['php'],
  '฿': ['thb'],
  '₸': ['kzt'],
  '₾': ['gel'],
  '₡': ['crc'],
  '₲': ['pyg'],
  '₵': ['ghs'],
};
const symbol = `[${Object.keys(symbols).join('')}]`;
const code = '[A-Za-z]{3}';
const written = new RegExp(`^(?:(${symbol}|${code})\\s?)?(\\d[\\d.,']*)(?:\\s?(${symbol}|${code}))?$`, 'u');

/**
 * All that a text can mean as an amount: `129`, `129.00`, `129,00`, `1,299.00`, `€129`, `129 EUR`. A comma or a point before three digits may
 * be either. The longest amount has twelve digits.
 */
export function amountsIn(text: string): WrittenAmount[] {
  const [, before, digits, after] = written.exec(text.trim()) ?? [];
  if (digits === undefined || (before !== undefined && after !== undefined)) return [];
  const named = before ?? after;
  const currencies = named === undefined ? undefined : currenciesOf(named);
  if (named !== undefined && currencies === undefined) return [];
  return numbersIn(digits).map((number) => ({ ...number, currencies }));
}

function currenciesOf(name: string): readonly string[] | undefined {
  const currency = currencyOf(name);
  return currency === undefined ? symbols[name] : [currency];
}

const readings: readonly { syntax: RegExp; groups: string; point: string }[] = [
  { syntax: /^\d{1,12}(\.\d{1,3})?$/, groups: '', point: '.' },
  { syntax: /^\d{1,12},\d{1,3}$/, groups: '', point: ',' },
  { syntax: /^\d{1,3}(,\d{3})+(\.\d{1,3})?$/, groups: ',', point: '.' },
  { syntax: /^\d{1,3}(\.\d{3})+(,\d{1,3})?$/, groups: '.', point: ',' },
  { syntax: /^\d{1,3}('\d{3})+(\.\d{1,3})?$/, groups: "'", point: '.' },
];

function numbersIn(digits: string): Pick<WrittenAmount, 'whole' | 'fraction'>[] {
  return readings.flatMap(({ syntax, groups, point }) => {
    if (!syntax.test(digits)) return [];
    const [whole, fraction] = digits.replaceAll(groups === '' ? /$^/g : groups, '').split(point);
    return [{ whole: whole!.replace(/^0+(?=\d)/, ''), fraction }];
  });
}

/** Before every amount in the index, and in no word. */
const mark = '=';

/** How an amount is indexed: `=129.00eur`, `=129.jpy`. The point is always there: 129 is not the beginning of 1290. */
export function amountTerm({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${mark}${digits.slice(0, point)}.${digits.slice(point)}${currency}`;
}

/** What the terms of an amount begin with. */
export function amountStart({ whole, fraction = '' }: WrittenAmount): string {
  return `${mark}${whole}.${fraction}`;
}

/** Whether a term that begins so has one of the currencies. */
export function hasCurrency({ currencies }: WrittenAmount, term: string): boolean {
  return currencies === undefined || currencies.includes(term.slice(-3));
}

/** An amount in the smallest unit of currencies with this many decimals; undefined where it has more decimals than they have. */
export function inSmallestUnit({ whole, fraction = '' }: WrittenAmount, decimals: number): number | undefined {
  const kept = fraction.replace(/0+$/, '');
  return kept.length > decimals ? undefined : Number(`${whole}${kept.padEnd(decimals, '0')}`);
}
