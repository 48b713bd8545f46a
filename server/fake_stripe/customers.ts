import type { FakeParams } from './reading.ts';
import { type FakeEndpoint, inPath, retrieval } from './route.ts';
import type { FakeCustomer } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/customers';
const texts = ['description', 'email', 'name', 'phone'] as const;

export const customerEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'POST',
    path,
    run: ({ world, params }) => {
      params.only(...texts, 'metadata', 'expand');
      return world.add(newCustomer(world, params));
    },
  },
  {
    method: 'POST',
    path: `${path}/:id`,
    run: (call) => {
      const { params } = call;
      params.only(...texts, 'metadata', 'expand');
      const customer = inPath<FakeCustomer>(call, 'customer');
      for (const name of texts) customer[name] = params.text(name) ?? customer[name];
      customer.metadata = params.metadata(customer.metadata);
      return customer;
    },
  },
  retrieval<FakeCustomer>('customer', path),
];

function newCustomer(world: FakeWorld, params: FakeParams): FakeCustomer {
  return {
    id: world.newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: world.seconds(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: params.text('description') ?? null,
    email: params.text('email') ?? null,
    livemode: world.settings.livemode,
    metadata: params.metadata(),
    name: params.text('name') ?? null,
    phone: params.text('phone') ?? null,
    shipping: null,
  };
}
