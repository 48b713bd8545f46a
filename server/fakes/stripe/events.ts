import { listOf, listParams } from './lists.ts';
import { type FakeEndpoint, retrieval } from './route.ts';
import type { FakeEvent } from './shapes.ts';

const path = '/v1/events';

export const eventEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'type', 'types');
      const type = params.text('type');
      const types = params.list('types');
      const wanted = type === undefined ? types : [...types, type];
      const fits = (event: FakeEvent) => wanted.length === 0 || isWanted(wanted, event.type);
      return listOf(path, params, world.all<FakeEvent>('event'), fits);
    },
  },
  retrieval<FakeEvent>('event', path),
];

/** `payment_intent.*` stands for all types that begin so, and `*` for all. */
export function isWanted(wanted: readonly string[], type: string): boolean {
  return wanted.some((one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))));
}
