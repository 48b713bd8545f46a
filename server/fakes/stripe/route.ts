import { noSuch } from './errors.ts';
import type { FakeParams } from './reading.ts';
import type { FakeCustomer, FakeObject } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** One request to an endpoint. */
export type FakeCall = {
  world: FakeWorld;
  params: FakeParams;
  /** The id in the path; empty where there is none. */
  id: string;
  /** A publishable key is what a browser has: it can only make payment methods. */
  isPublishable: boolean;
};

export type FakeEndpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for an id. */
  path: string;
  isForBrowsers?: boolean;
  /** Returns the answer, or throws a refusal. It is synchronous: nothing else happens in between. */
  run(call: FakeCall): object;
};

/** The object that the path names. */
export function inPath<T extends FakeObject>({ world, id }: FakeCall, object: T['object']): T {
  return named<T>(world, object, id);
}

/** The object that a parameter names. */
export function named<T extends FakeObject>(world: FakeWorld, object: T['object'], id: string, param?: string): T {
  const found = world.find(id);
  if (found?.object !== object) throw noSuch(object, id, param);
  return found as T;
}

/** The customer that the parameter `customer` names. One that was deleted can still be retrieved, and no longer be used. */
export function namedCustomer(world: FakeWorld, id: string): FakeCustomer {
  if (world.deleted.has(id)) throw noSuch('customer', id, 'customer');
  return named<FakeCustomer>(world, 'customer', id, 'customer');
}

/** GET by id. */
export function retrieval<T extends FakeObject>(object: T['object'], path: string): FakeEndpoint {
  return {
    method: 'GET',
    path: `${path}/:id`,
    run: (call) => {
      call.params.only('expand');
      return inPath<T>(call, object);
    },
  };
}
