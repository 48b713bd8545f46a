import { noSuch, unfit } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import { paymentMethodTypes } from './payment_methods.ts';
import { type FakeCall, type FakeEndpoint, inPath, named } from './route.ts';
import type { FakeCustomer, FakePaymentMethod } from './shapes.ts';
import { endSubscriptionsOf } from './subscriptions.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/customers';
const texts = ['description', 'email', 'name', 'phone'] as const;
const changeable = [...texts, 'balance', 'invoice_settings', 'metadata', 'expand'];

export const customerEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'POST',
    path,
    run: ({ world, params }) => {
      params.only(...texts, 'balance', 'metadata', 'expand');
      return addCustomer(world, {
        ...Object.fromEntries(texts.map((name) => [name, params.text(name) ?? null])),
        balance: params.integer('balance') ?? 0,
        metadata: params.metadata(),
      });
    },
  },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'email');
      const email = params.text('email');
      const fits = (one: FakeCustomer) => !world.deleted.has(one.id) && (email === undefined || one.email === email);
      return listOf(path, params, world.all<FakeCustomer>('customer'), fits);
    },
  },
  {
    method: 'POST',
    path: `${path}/:id`,
    run: (call) => {
      const { params } = call;
      params.only(...changeable);
      const customer = inPath<FakeCustomer>(call, 'customer');
      const method = defaultMethodOf(call, customer);
      for (const name of texts) customer[name] = params.text(name) ?? customer[name];
      customer.balance = params.integer('balance') ?? customer.balance;
      customer.metadata = params.metadata(customer.metadata);
      if (method !== undefined) customer.invoice_settings = { default_payment_method: method };
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
  {
    method: 'GET',
    path: `${path}/:id/payment_methods`,
    run: (call) => {
      const { world, params } = call;
      params.only(...listParams, 'type');
      const type = params.oneOf('type', paymentMethodTypes);
      const { id } = inPath<FakeCustomer>(call, 'customer');
      const fits = (one: FakePaymentMethod) => one.customer === id && (type === undefined || one.type === type);
      return listOf(`${path}/${id}/payment_methods`, params, world.all<FakePaymentMethod>('payment_method'), fits);
    },
  },
  { method: 'DELETE', path: `${path}/:id`, run: remove },
];

/** What invoices are charged to. It has to be attached to the customer; an empty text removes it. */
function defaultMethodOf({ world, params }: FakeCall, customer: FakeCustomer): string | null | undefined {
  const id = params.group('invoice_settings').only('default_payment_method').text('default_payment_method');
  if (id === undefined || id === '') return id === '' ? null : undefined;
  const param = 'invoice_settings[default_payment_method]';
  const method = named<FakePaymentMethod>(world, 'payment_method', id, param);
  if (method.customer !== customer.id)
    throw unfit('The customer does not have a payment method with the ID provided.', { param });
  return method.id;
}

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
  endSubscriptionsOf(world, customer);
  world.deleted.add(customer.id);
  for (const name of [...texts, 'shipping', 'address'] as const) customer[name] = null;
  return tombstone(customer);
}

export function addCustomer(world: FakeWorld, given: Partial<FakeCustomer>): FakeCustomer {
  return world.add<FakeCustomer>({
    id: world.newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: world.seconds(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_settings: { default_payment_method: null },
    livemode: world.settings.livemode,
    metadata: {},
    name: null,
    phone: null,
    shipping: null,
    ...given,
  });
}
