import type { SearchKind } from '../kit/found_ids.ts';
import { objectPaths } from '../kit/paths.ts';

/** The lists that are found by words, by what they list. */
const lists: Partial<Record<SearchKind, string>> = {
  payment: objectPaths.py,
  customer: objectPaths.cus,
  subscription: objectPaths.sub,
  invoice: objectPaths.in,
  price: objectPaths.price,
  coupon: objectPaths.coupon,
  payment_method: objectPaths.pm,
  refund: objectPaths.re,
  dispute: objectPaths.dp,
};

/** The operators of a search that are filters of a list as well, with the same values. */
const filters: Partial<Record<string, readonly string[]>> = {
  payment: ['status', 'amount', 'card', 'customer'],
  refund: ['status', 'amount'],
  dispute: ['status', 'amount'],
  invoice: ['status', 'customer'],
  subscription: ['status', 'customer'],
};

type Address = { path: string; search: Record<string, string> };

/**
 * The list that shows everything that a search finds of a kind; undefined where there is none. A search by operators alone becomes the
 * filters of the list, which has no limit; any other becomes its words.
 */
export function listOf(kind: string, query: string): Address | undefined {
  const path = lists[kind as SearchKind];
  if (path === undefined) return undefined;
  return { path: `/${path}`, search: operatorsIn(query, filters[kind] ?? []) ?? { q: query } };
}

const operator = /^(\w+):(?:"([^"]+)"|(\S+))$/;

/** Undefined unless every word is one of these operators, each once. */
function operatorsIn(query: string, names: readonly string[]): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const word of query.match(/\w+:"[^"]*"|\S+/g) ?? []) {
    const [, name = '', quoted, plain = quoted] = operator.exec(word) ?? [];
    if (!names.includes(name) || name in found || plain === undefined) return undefined;
    found[name] = plain;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

const operators = ['status', 'amount', 'card', 'customer', 'created'];

/** `order_id:1029`, `order_id=1029` or `order_id 1029`: the name of a member of metadata, which is not searched. */
export function looksLikeMetadata(query: string): boolean {
  const [, name = ''] =
    /^([A-Za-z][\w.-]*)\s*[:=]\s*\S/.exec(query) ?? /^([a-z]+(?:_[a-z0-9]+)+)(?:\s|$)/.exec(query) ?? [];
  return name !== '' && !operators.includes(name.toLowerCase());
}
