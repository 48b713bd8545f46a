import { invalid } from './errors.ts';
import type { FakeParams } from './reading.ts';
import type { FakeListed, FakeObject } from './shapes.ts';

/** The parameters of every list. */
export const listParams = ['limit', 'starting_after', 'ending_before', 'created', 'expand'];

const comparisons = {
  gt: (value: number, bound: number) => value > bound,
  gte: (value: number, bound: number) => value >= bound,
  lt: (value: number, bound: number) => value < bound,
  lte: (value: number, bound: number) => value <= bound,
};

/** A page of a list, newest first. The objects come oldest first. */
export function listOf<T extends FakeListed>(
  url: string,
  params: FakeParams,
  objects: readonly T[],
  matches: (object: T) => boolean = () => true,
): object {
  const isWithin = withinCreated(params);
  const limit = limitOf(params);
  const fits = (object: T) => isWithin(object.created) && matches(object);
  const before = params.text('ending_before');
  if (before !== undefined) {
    // The page just before an object: the oldest of those that are newer.
    const newer = objects.slice(positionOf(objects, before, 'ending_before') + 1).filter(fits);
    return { object: 'list', data: newer.slice(0, limit).reverse(), has_more: newer.length > limit, url };
  }
  const after = params.text('starting_after');
  const end = after === undefined ? objects.length : positionOf(objects, after, 'starting_after');
  const older = objects.slice(0, end).filter(fits).reverse();
  return { object: 'list', data: older.slice(0, limit), has_more: older.length > limit, url };
}

/** A page of what was done to payments, which can be filtered by the intent and by the charge. */
export function listByPayment<T extends FakeListed & { payment_intent: string | null; charge: string | null }>(
  url: string,
  params: FakeParams,
  objects: readonly T[],
): object {
  params.only(...listParams, 'payment_intent', 'charge');
  const [intent, charge] = [params.text('payment_intent'), params.text('charge')];
  return listOf(
    url,
    params,
    objects,
    (one) => (intent === undefined || one.payment_intent === intent) && (charge === undefined || one.charge === charge),
  );
}

export function limitOf(params: FakeParams): number {
  const limit = params.integer('limit') ?? 10;
  if (limit >= 1 && limit <= 100) return limit;
  throw invalid('This value must be between 1 and 100.', { code: 'parameter_invalid_integer', param: 'limit' });
}

function withinCreated(params: FakeParams): (created: number) => boolean {
  if (!params.has('created')) return () => true;
  const bounds = params.group('created').only(...Object.keys(comparisons));
  const tests = Object.entries(comparisons).flatMap(([name, compare]) => {
    const bound = bounds.integer(name);
    return bound === undefined ? [] : [(created: number) => compare(created, bound)];
  });
  return (created) => tests.every((isWithin) => isWithin(created));
}

function positionOf(objects: readonly FakeObject[], id: string, param: string): number {
  const at = objects.findIndex((object) => object.id === id);
  if (at !== -1) return at;
  throw invalid(`No such object: '${id}'`, { code: 'resource_missing', param });
}
