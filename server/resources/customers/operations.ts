import type { Write } from '../../base/commit/index.ts';
import { isId, newId } from '../../base/id.ts';
import { refusal } from '../errors.ts';
import { listPage } from '../list.ts';
import { type AnyOperation, type Context, operation, type Part } from '../operation.ts';
import { previousAttributes } from '../previous.ts';
import { extensionPoint } from '../resource.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { type Customer, changeCustomer, newCustomer, presentCustomer } from './customer.ts';
import { CustomerInput, CustomerOutput, DeletedCustomerOutput, NewCustomerInput } from './schema.ts';
import { addCustomer, customersTable, eraseCustomer, findCustomer, replaceCustomer } from './store.ts';

/** What resources that build on customers have to say about one. */
export type Dependents = {
  /** Refuses a payment method that cannot be this customer's default. */
  checkDefault(context: Context, customer: Customer, paymentMethod: string): Promise<void>;
  /** What goes with a customer that is deleted. */
  release(context: Context, customer: Customer): Promise<Part>;
};

export const dependents = extensionPoint<Dependents>('customers');

export async function findCustomerById({ reads, tenant }: Context, id: string): Promise<Customer | undefined> {
  return isId('cus', id) ? findCustomer(reads, tenant, id) : undefined;
}

/** The customer with this id, for other resources too; `param` names the parameter that it came in. */
export async function requireCustomer(context: Context, id: string, param: string): Promise<Customer> {
  const customer = await findCustomerById(context, id);
  if (customer === undefined) throw refusal('resource_missing', { param, resource: 'customer' });
  return customer;
}

/**
 * Holds a customer still: a write that fails when the customer has changed or gone. Whoever attaches something to a customer
 * commits it too, so that a deletion at the same moment sees the one or is seen by the other.
 */
export function holdCustomer(customer: Customer): Write {
  return replaceCustomer({ ...customer, version: customer.version + 1 });
}

/** The customer without its default payment method. */
export function clearDefault(before: Customer): Part {
  return change(before, changeCustomer(before, { default_payment_method: null }));
}

function change(before: Customer, after: Customer): Part {
  const object = presentCustomer(after);
  const previous = previousAttributes(presentCustomer(before), object);
  if (previous === undefined) return { writes: [], events: [] };
  const facts = { objectId: after.id, objectVersion: after.version, object, previous };
  return { writes: [replaceCustomer(after)], events: [{ type: 'customer.updated', ...facts }] };
}

const create = operation({
  name: 'customers.create',
  summary: 'Create a customer',
  method: 'POST',
  route: '/customers',
  scope: 'customers:write',
  input: NewCustomerInput,
  nulls: 'absent',
  output: CustomerOutput,
  async run(context, input) {
    const customer = newCustomer(context.tenant, newId('cus', context.now), input);
    const result = presentCustomer(customer);
    return {
      result,
      objectId: customer.id,
      writes: [addCustomer(customer)],
      events: [{ type: 'customer.created', objectId: customer.id, objectVersion: customer.version, object: result }],
    };
  },
});

const retrieve = operation({
  name: 'customers.retrieve',
  summary: 'Retrieve a customer',
  method: 'GET',
  route: '/customers/:id',
  scope: 'customers:read',
  input: Parameters({}),
  nulls: 'absent',
  output: CustomerOutput,
  async run(context) {
    const customer = await requireCustomer(context, context.id, 'id');
    return { result: presentCustomer(customer), objectId: customer.id };
  },
});

const update = (others: readonly Dependents[]) =>
  operation({
    name: 'customers.update',
    summary: 'Update a customer',
    method: 'POST',
    route: '/customers/:id',
    scope: 'customers:write',
    input: CustomerInput,
    nulls: 'clear',
    output: CustomerOutput,
    async run(context, input) {
      const before = await requireCustomer(context, context.id, 'id');
      const method = input.default_payment_method ?? null;
      if (method !== null) for (const other of others) await other.checkDefault(context, before, method);
      const after = changeCustomer(before, input);
      return { result: presentCustomer(after), objectId: after.id, ...change(before, after) };
    },
  });

const remove = (others: readonly Dependents[]) =>
  operation({
    name: 'customers.delete',
    summary: 'Delete a customer',
    method: 'DELETE',
    route: '/customers/:id',
    scope: 'customers:write',
    input: Parameters({}),
    nulls: 'absent',
    output: DeletedCustomerOutput,
    async run(context) {
      const customer = await requireCustomer(context, context.id, 'id');
      const result = { id: customer.id, object: 'customer', deleted: true };
      const released = await Promise.all(others.map((other) => other.release(context, customer)));
      const facts = { objectId: customer.id, objectVersion: customer.version + 1, object: result };
      return {
        result,
        objectId: customer.id,
        writes: [...eraseCustomer(customer, context.now), ...released.flatMap(({ writes }) => writes)],
        events: [...released.flatMap(({ events }) => events), { type: 'customer.deleted', ...facts }],
      };
    },
  });

const list = operation({
  name: 'customers.list',
  summary: 'List customers',
  method: 'GET',
  route: '/customers',
  scope: 'customers:read',
  input: Parameters(listParameters),
  nulls: 'absent',
  output: ListOf(CustomerOutput),
  async run(context, input) {
    const source = { table: customersTable, prefix: 'cus', url: '/v1/customers', present: presentCustomer };
    return { result: await listPage(context, input, source) };
  },
});

export function customerOperations(others: readonly Dependents[]): AnyOperation[] {
  return [create, retrieve, update(others), remove(others), list];
}
