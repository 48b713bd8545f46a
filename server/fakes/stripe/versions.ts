import type { FakeMembers } from './expand.ts';
import type { FakeWorld } from './world.ts';

/** From this version on, items have the periods, because they can have different ones, and discounts are named by their ids. */
const periodOfItems = '2025-03-31';

/** The answer as an older version of the API shows it. Objects are kept in the shape of the newest. */
export function shapedFor(world: FakeWorld, version: string, body: object): object {
  return version.slice(0, periodOfItems.length) >= periodOfItems ? body : (older(world, body) as object);
}

function older(world: FakeWorld, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => older(world, one));
  if (typeof value !== 'object' || value === null) return value;
  const { object } = value as FakeMembers;
  const shaped =
    object === 'subscription'
      ? olderSubscription(world, value as FakeMembers)
      : olderDiscount(world, value as FakeMembers);
  return Object.fromEntries(Object.entries(shaped).map(([name, member]) => [name, older(world, member)]));
}

/** Where an id stands for an object, the object. */
const whole = (world: FakeWorld, one: unknown) => (typeof one === 'string' ? world.find(one) : one);

function olderDiscount(world: FakeWorld, members: FakeMembers): FakeMembers {
  if (members.object !== 'discount' || members.source === undefined) return members;
  const { source, ...rest } = members;
  return { ...rest, coupon: whole(world, (source as FakeMembers).coupon) };
}

/** One discount, and one period. */
function olderSubscription(world: FakeWorld, { discounts, items, ...rest }: FakeMembers): FakeMembers {
  const list = items as { data: FakeMembers[] };
  const { current_period_start, current_period_end } = list.data[0] ?? {};
  const data = list.data.map(({ current_period_start: _, current_period_end: __, discounts: ___, ...item }) => item);
  const [discount] = discounts as unknown[];
  const period = { current_period_start, current_period_end };
  return { ...rest, ...period, discount: whole(world, discount) ?? null, items: { ...list, data } };
}
