import { invalid, unfit } from './errors.ts';
import type { FakeWorld } from './world.ts';

export type FakeMembers = Record<string, unknown>;

// biome-ignore format: a list of words
const expandable = new Set([
  'data', 'source', 'payment_intent', 'setup_intent', 'latest_charge', 'latest_attempt', 'charge', 'payment_method',
  'customer', 'balance_transaction', 'failure_balance_transaction', 'product', 'discounts', 'coupon', 'items', 'price',
  'default_payment_method', 'invoice_settings',
]);
const levelsMax = 4;

/** Refuses a path that nothing has, before anything happens. */
export function checkExpand(paths: readonly string[]): void {
  const wrong = paths.find((path) => !path.split('.').every((name) => expandable.has(name)));
  if (wrong !== undefined) throw invalid(`This property cannot be expanded (${wrong}).`, { param: 'expand' });
  const deep = paths.find((path) => path.split('.').length > levelsMax);
  if (deep !== undefined)
    throw invalid(`You cannot expand more than ${levelsMax} levels of a property (${deep}).`, { param: 'expand' });
}

/** Replaces the ids at these paths by the objects, in a copy. `data.source` goes into every object of a list. */
export function expanded(world: FakeWorld, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer);
  for (const path of paths) expandPath(world, copy as FakeMembers, path.split('.'), path);
  return copy;
}

function expandPath(
  world: FakeWorld,
  object: FakeMembers,
  [name = '', ...rest]: string[],
  path: string,
  isOneOfSeveral = false,
): void {
  const value = object[name];
  if (value === null || (value === undefined && isOneOfSeveral)) return;
  if (Array.isArray(value)) {
    object[name] = value.map((one: unknown) => (typeof one === 'string' ? structuredClone(world.find(one)) : one));
    if (rest.length > 0) for (const one of object[name] as FakeMembers[]) expandPath(world, one, rest, path);
    return;
  }
  const found = typeof value === 'string' ? world.find(value) : value;
  if (found === undefined || found === null || typeof found !== 'object')
    throw unfit(`This property cannot be expanded (${path}).`, { param: 'expand' });
  const inner = typeof value === 'string' ? structuredClone(found) : found;
  object[name] = inner;
  // The sources of balance transactions are of several kinds, and not each has every member.
  if (rest.length > 0) expandPath(world, inner as FakeMembers, rest, path, name === 'source');
}
