import type { Write } from '../../base/commit/index.ts';
import { isId, newId } from '../../base/id.ts';
import { type AnyOperation, type Context, operation, type Part } from '../operation.ts';
import { extensionPoint } from '../resource.ts';
import { type Kind, listOperation, requireRow, retrieveOperation, updated, updateOperation } from '../standard.ts';
import { refuseLive, requireReadyClock } from '../test_clocks/operations.ts';
import { clockedFor, holdClock } from '../test_clocks/time.ts';
import {
  type Customer,
  type CustomerId,
  changeCustomer,
  customerEvent,
  newCustomer,
  presentCustomer,
} from './customer.ts';
import { CustomerInput, CustomerOutput, DeletedCustomerOutput, NewCustomerInput } from './schema.ts';
import { addCustomer, customersTable, eraseCustomer, replaceCustomer } from './store.ts';

/** What resources that build on customers contribute. */
export type Dependents = {
  /** Refuses a payment method that cannot be this customer's default. */
  checkDefault(context: Context, customer: Customer, paymentMethod: string): Promise<void>;
  /**
   * The changes to other objects that are committed with the deletion of a customer, as many as one commit may hold. Unless `isLast`,
   * there are more, which are asked for when these are committed.
   */
  release(context: ReleaseContext, customer: CustomerId): Promise<Released>;
};
/** `clock` is set for a customer who lives by a test clock. */
export type ReleaseContext = Pick<Context, 'reads' | 'vault' | 'tenant' | 'now' | 'clock'>;
export type Released = Part & { isLast: boolean };

export const dependents = extensionPoint<Dependents>('customers');

export async function findCustomerById({ reads, tenant }: Context, id: string): Promise<Customer | undefined> {
  return isId('cus', id) ? reads.one(customersTable, tenant, id) : undefined;
}

const customerKind: Kind<Customer> = {
  resource: 'customers',
  noun: 'customer',
  prefix: 'cus',
  table: customersTable,
  present: presentCustomer,
  output: CustomerOutput,
  event: customerEvent,
  clockOf: ({ test_clock }) => test_clock,
};
export const requireCustomer = requireRow(customerKind);

/**
 * A write that conflicts when the customer has changed or was deleted. An operation that attaches something to a customer commits it
 * too, so that of two that race, the deletion and the attachment, the second decides again.
 */
export function holdCustomer(customer: Customer): Write {
  return replaceCustomer({ ...customer, version: customer.version + 1 });
}

/** The customer without its default payment method. */
export function clearDefault(before: Customer): Part {
  return updated(customerKind, before, { ...before, default_payment_method: null });
}

const create = operation({
  name: 'customers.create',
  summary: 'Create a customer',
  route: 'POST /customers',
  input: NewCustomerInput,
  output: CustomerOutput,
  check({ test_clock }, { mode }) {
    if (test_clock !== undefined) refuseLive(mode, 'test_clock');
  },
  async run(context, input) {
    const { tenant, now } = context;
    const clock =
      input.test_clock === undefined ? undefined : await requireReadyClock(context, input.test_clock, 'test_clock');
    const time = { test_clock: clock?.id ?? null, created_at: clock?.frozen_time ?? null };
    const customer = newCustomer(tenant, newId('cus', now), input, time);
    return {
      result: presentCustomer(customer),
      objectId: customer.id,
      writes: [addCustomer(customer), ...(clock === undefined ? [] : [holdClock(clock)])],
      events: [customerEvent('customer.created', customer)],
    };
  },
});

const update = (others: readonly Dependents[]) =>
  updateOperation(customerKind, CustomerInput, async (before, input, context) => {
    const method = input.default_payment_method ?? null;
    if (method !== null) for (const other of others) await other.checkDefault(context, before, method);
    return changeCustomer(before, input);
  });

export async function releaseAll(
  others: readonly Dependents[],
  context: ReleaseContext,
  customer: CustomerId,
): Promise<Released> {
  const parts = await Promise.all(others.map((other) => other.release(context, customer)));
  return {
    writes: parts.flatMap(({ writes }) => writes),
    events: parts.flatMap(({ events }) => events),
    isLast: parts.every(({ isLast }) => isLast),
  };
}

const remove = (others: readonly Dependents[]) =>
  operation({
    name: 'customers.delete',
    summary: 'Delete a customer',
    route: 'DELETE /customers/:id',
    callers: ['key', 'duty'],
    output: DeletedCustomerOutput,
    async run(context) {
      const customer = await requireCustomer(context);
      const { test_clock } = customer;
      const time = await clockedFor(context, test_clock);
      const clock = test_clock === null ? undefined : { id: test_clock, now: time.now };
      const result = { id: customer.id, object: 'customer', deleted: true };
      const { writes, events, isLast } = await releaseAll(others, { ...context, clock }, customer.id);
      const facts = { objectId: customer.id, objectVersion: customer.version + 1, object: result };
      return {
        result,
        objectId: customer.id,
        writes: [...eraseCustomer(customer, context.now, isLast, clock), ...writes, ...time.writes],
        events: [...events, { type: 'customer.deleted', ...facts }],
        ...(isLast ? {} : { due: context.now }),
      };
    },
  });

export function customerOperations(others: readonly Dependents[]): AnyOperation[] {
  return [create, retrieveOperation(customerKind), update(others), remove(others), listOperation(customerKind)];
}
