import { currenciesWith } from '../../../base/currency.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Searchable, SearchColumns } from '../../../operations/extension_points/search.ts';
import type { Bind } from '../../../operations/scan.ts';
import { inSmallestUnit, type WrittenAmount } from './amounts.ts';
import type { AmountRange, Query, TimeRange } from './query.ts';

/** The operators of a query, with the ids of the customers that `customer:` means. */
export type Operators = Pick<Query, 'statuses' | 'amounts' | 'cards' | 'created'> & {
  customers?: readonly string[] | undefined;
};

export function isAnyWanted({ statuses, amounts, cards, created, customers }: Operators): boolean {
  return customers !== undefined || [statuses, amounts, cards, created].some((list) => list.length > 0);
}

/** What the rows of a kind, called `t`, have to fulfil. Undefined: it has no such rows. */
export function conditionsOf(kind: Searchable, wanted: Operators, bind: Bind): string[] | undefined {
  const { columns, prefix } = kind;
  const conditions = [
    ...wanted.statuses.map((names) => statusCondition(columns, names, bind)),
    ...wanted.amounts.map((range) => amountCondition(columns, range, bind)),
    ...wanted.cards.map((card) => columns.card && `t.${columns.card} = ${bind(card)}`),
    ...wanted.created.map((range) => timeCondition(columns, prefix, range, bind)),
    ...(wanted.customers === undefined ? [] : [ownerCondition(kind, wanted.customers, bind)]),
  ];
  return conditions.every((one): one is string => one !== undefined) ? conditions : undefined;
}

function statusCondition({ status }: SearchColumns, names: readonly string[], bind: Bind): string | undefined {
  const stored = names.filter((name) => status?.values.includes(name));
  const further = names.flatMap((name) => status?.further?.[name] ?? []);
  const either = [
    ...(stored.length === 0 ? [] : [`t.status = any(${bind(stored)}::text[])`]),
    ...further.map((one) => `(${one})`),
  ];
  return either.length === 0 ? undefined : `(${either.join(' or ')})`;
}

/** The column that names the customer of an object. */
export function customerColumn({ owners, prefix }: Searchable): string | undefined {
  return prefix === 'cus' ? 'id' : owners.find((owner) => owner.prefix === 'cus')?.column;
}

function ownerCondition(kind: Searchable, customers: readonly string[], bind: Bind): string | undefined {
  const column = customerColumn(kind);
  return column && `t.${column} = any(${bind(customers)}::text[])`;
}

/** Decimals that a currency can have. */
const decimals = [0, 2, 3];

/** An amount is compared in the smallest unit, which depends on the currency. */
function amountCondition({ amount }: SearchColumns, { from, to }: AmountRange, bind: Bind): string | undefined {
  if (amount === undefined) return undefined;
  const parts = decimals.map((count) => {
    const meant = currenciesIn(count, from?.amount, to?.amount);
    const bounds = [
      ...(from ? [`abs(t.${amount}) ${from.isOpen ? '>' : '>='} ${bind(unit(from.amount, count))}::numeric`] : []),
      ...(to ? [`abs(t.${amount}) ${to.isOpen ? '<' : '<='} ${bind(unit(to.amount, count))}::numeric`] : []),
    ];
    return `(t.currency = any(${bind(meant)}::text[]) and ${bounds.join(' and ')})`;
  });
  return `(${parts.join(' or ')})`;
}

function currenciesIn(count: number, ...amounts: (WrittenAmount | undefined)[]): string[] {
  return currenciesWith(count).filter((currency) =>
    amounts.every((amount) => amount?.currencies === undefined || amount.currencies.includes(currency)),
  );
}

/** Exactly, even if it has more decimals than the currency. */
function unit(amount: WrittenAmount, count: number): string {
  const whole = inSmallestUnit(amount, count);
  if (whole !== undefined) return String(whole);
  const { whole: digits, fraction = '' } = amount;
  return `${digits}${fraction.slice(0, count)}.${fraction.slice(count)}`;
}

/** Ids begin with their time; where a test clock can have set another, that one counts. */
function timeCondition(columns: SearchColumns, prefix: string, range: TimeRange, bind: Bind): string | undefined {
  const byId = idConditions(prefix, range, bind).join(' and ');
  if (columns.created === undefined) return `(${byId})`;
  const { column, isSeconds } = columns.created;
  const moment = (ms: number) =>
    isSeconds ? `${bind(Math.ceil(ms / 1_000))}::int8` : `to_timestamp(${bind(ms / 1_000)}::float8)`;
  const { from, before } = range;
  const byColumn = [
    ...(from === undefined ? [] : [`t.${column} >= ${moment(from)}`]),
    ...(before === undefined ? [] : [`t.${column} < ${moment(before)}`]),
  ].join(' and ');
  return isSeconds ? `(${byColumn})` : `(case when t.${column} is null then ${byId} else ${byColumn} end)`;
}

/** The range of ids that were made in a time. */
export function idConditions(prefix: string, { from, before }: TimeRange, bind: Bind): string[] {
  return [
    ...(from === undefined ? [] : [`t.id >= ${bind(firstIdAt(prefix, Math.max(0, from)))}`]),
    ...(before === undefined ? [] : [`t.id < ${bind(firstIdAt(prefix, Math.max(0, before)))}`]),
  ];
}
