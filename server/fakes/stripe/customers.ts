import { noSuch } from './errors.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath } from './route.ts';
import type { FakeCustomer, FakePaymentMethod } from './shapes.ts';
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
  {
    method: 'GET',
    path: `${path}/:id`,
    run: (call) => {
      call.params.only('expand');
      const customer = inPath<FakeCustomer>(call, 'customer');
      return call.world.deleted.has(customer.id) ? tombstone(customer) : customer;
    },
  },
  { method: 'DELETE', path: `${path}/:id`, run: remove },
];

function tombstone({ id }: FakeCustomer): object {
  return { id, object: 'customer', deleted: true };
}

/** Its payment methods are detached, and can never be used again. A second deletion finds no such customer, as at Stripe. */
function remove(call: FakeCall): object {
  const { world, params } = call;
  params.only();
  const customer = inPath<FakeCustomer>(call, 'customer');
  if (world.deleted.has(customer.id)) throw noSuch('customer', customer.id);
  for (const method of world.all<FakePaymentMethod>('payment_method').filter((one) => one.customer === customer.id)) {
    method.customer = null;
    world.spent.add(method.id);
  }
  world.deleted.add(customer.id);
  for (const name of [...texts, 'shipping', 'address'] as const) customer[name] = null;
  return tombstone(customer);
}

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
