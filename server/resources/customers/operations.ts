import { refusal } from '../../base/errors.ts';
import { isId, newId } from '../../base/id.ts';
import { listPage } from '../list.ts';
import { type Context, operation } from '../operation.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { type Customer, changeCustomer, newCustomer, presentCustomer, previousAttributes } from './customer.ts';
import { CustomerInput, CustomerOutput, DeletedCustomerOutput } from './schema.ts';
import { addCustomer, customersTable, eraseCustomer, findCustomer, replaceCustomer } from './store.ts';

async function requireCustomer(context: Context): Promise<Customer> {
  const { tenant, id, reads } = context;
  const customer = isId('cus', id) ? await findCustomer(reads, tenant, id) : undefined;
  if (customer === undefined) throw refusal('resource_missing', { param: 'id', resource: 'customer' });
  return customer;
}

const create = operation({
  name: 'customers.create',
  summary: 'Create a customer',
  method: 'POST',
  route: '/customers',
  scope: 'customers:write',
  input: CustomerInput,
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
    const customer = await requireCustomer(context);
    return { result: presentCustomer(customer), objectId: customer.id };
  },
});

const update = operation({
  name: 'customers.update',
  summary: 'Update a customer',
  method: 'POST',
  route: '/customers/:id',
  scope: 'customers:write',
  input: CustomerInput,
  nulls: 'clear',
  output: CustomerOutput,
  async run(context, input) {
    const before = await requireCustomer(context);
    const after = changeCustomer(before, input);
    const previous = previousAttributes(before, after);
    if (previous === undefined) return { result: presentCustomer(before), objectId: before.id };
    const result = presentCustomer(after);
    return {
      result,
      objectId: after.id,
      writes: [replaceCustomer(after)],
      events: [
        { type: 'customer.updated', objectId: after.id, objectVersion: after.version, object: result, previous },
      ],
    };
  },
});

const remove = operation({
  name: 'customers.delete',
  summary: 'Delete a customer',
  method: 'DELETE',
  route: '/customers/:id',
  scope: 'customers:write',
  input: Parameters({}),
  nulls: 'absent',
  output: DeletedCustomerOutput,
  async run(context) {
    const customer = await requireCustomer(context);
    const result = { id: customer.id, object: 'customer', deleted: true };
    return {
      result,
      objectId: customer.id,
      writes: eraseCustomer(customer, context.now),
      events: [
        { type: 'customer.deleted', objectId: customer.id, objectVersion: customer.version + 1, object: result },
      ],
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

export const customerOperations = [create, retrieve, update, remove, list];
