import { listOf, listParams } from './lists.ts';
import type { FakeParams } from './reading.ts';
import { type FakeEndpoint, retrieval } from './route.ts';
import type { FakeProduct } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/products';

export const productEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'POST',
    path,
    run: ({ world, params }) => {
      params.only('active', 'description', 'metadata', 'name', 'expand');
      return addProduct(world, params);
    },
  },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'active');
      const active = params.flag('active');
      const fits = (one: FakeProduct) => active === undefined || one.active === active;
      return listOf(path, params, world.all<FakeProduct>('product'), fits);
    },
  },
  retrieval<FakeProduct>('product', path),
];

export function addProduct(world: FakeWorld, params: FakeParams): FakeProduct {
  return world.add<FakeProduct>({
    id: world.newId('prod'),
    object: 'product',
    active: params.flag('active') ?? true,
    created: world.seconds(),
    default_price: null,
    description: params.text('description') ?? null,
    images: [],
    livemode: world.settings.livemode,
    metadata: params.metadata(),
    name: params.needed('name'),
    package_dimensions: null,
    shippable: null,
    updated: world.seconds(),
    url: null,
  });
}
