import { unitSize, type Write } from '../../../base/commit/index.ts';
import { isId, newId } from '../../../base/id.ts';
import {
  belonging,
  type Descriptor,
  listOperation,
  requireRow,
  retrieveOperation,
  updated,
  updateOperation,
} from '../../../operations/descriptor.ts';
import { checkExternalId, ExternalIdFilter, foundByExternalId } from '../../../operations/external_id.ts';
import { listPage } from '../../../operations/list.ts';
import {
  type AnyOperation,
  type Context,
  type CustomerAccess,
  type Input,
  type Outcome,
  operation,
  type Part,
} from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import { ListOf, listParameters, OptionalId, Parameters } from '../../../operations/schemas.ts';
import { clockCodes, apiError as clockError } from '../test_clocks/errors.ts';
import { refuseLive, requireReadyClock } from '../test_clocks/operations.ts';
import { clockedFor, guardedByClock, holdClock } from '../test_clocks/time.ts';
import { forfeitCredit } from './credit.ts';
import { type Customer, type CustomerId, changeCustomer, newCustomer } from './customer.ts';
import {
  CreditTransactionOutput,
  CustomerInput,
  CustomerOutput,
  customerEvent,
  DeletedCustomerOutput,
  NewCustomerInput,
  serializeCreditTransaction,
  serializeCustomer,
} from './schema.ts';
import { addCustomer, creditTransactionsTable, customersTable, eraseCustomer, replaceCustomer } from './store.ts';

/** The contribution of resources that build on customers. */
export type Dependents = {
  /** The codes of its refusals. */
  errors?: readonly string[];
  /** What parameters of an update name. */
  refersTo?: CustomerAccess['refersTo'];
  /** Refuses a payment method that cannot be this customer's default. */
  checkDefault(context: Context, customer: Customer, paymentMethod: string): Promise<void>;
  /** The effects of another default payment method. */
  defaultChanged?(context: Context, customer: CustomerId): Promise<Part>;
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

export async function findCustomerById(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  id: string,
): Promise<Customer | undefined> {
  return isId('cus', id) ? reads.one(customersTable, tenant, id) : undefined;
}

export { findByEmail as findCustomersByEmail } from './store.ts';

export const customerDescriptor: Descriptor<Customer> = {
  resource: 'customers',
  noun: 'customer',
  prefix: 'cus',
  table: customersTable,
  serialize: serializeCustomer,
  output: CustomerOutput,
  event: customerEvent,
  notes: {
    retrieve: 'A customer that was deleted is not found.',
    update:
      'Null or an empty string removes a field. Another default payment method is tried immediately for open invoices that have failed.',
  },
  csv: 'id created name email phone default_payment_method external_id',
  customer: 'id',
  changeGuard: guardedByClock,
};
export const requireCustomer = requireRow(customerDescriptor);

/**
 * A write that conflicts when the customer has changed or was deleted. An operation that attaches something to a customer commits it
 * too, so that of two that race, the deletion and the attachment, the second decides again.
 */
export function holdCustomer(customer: Customer): Write {
  return replaceCustomer({ ...customer, version: customer.version + 1 });
}

/** The customer without its default payment method. */
export function clearDefault(before: Customer): Part {
  return updated(customerDescriptor, before, { ...before, default_payment_method: null });
}

/** The rows of a customer that is made without a request: of somebody who has paid, and whose method is kept. */
export function newCustomerPart(customer: Customer): Part {
  return { writes: [addCustomer(customer)], events: [customerEvent('customer.created', customer)] };
}

const create = operation({
  name: 'customers.create',
  summary: 'Create a customer',
  description: 'All parameters are optional. With `test_clock` the customer lives in the time of that clock.',
  route: 'POST /customers',
  input: NewCustomerInput,
  output: CustomerOutput,
  errors: [...clockCodes, ...clockError.codes('test_mode_only')],
  check({ test_clock }, { mode }) {
    if (test_clock !== undefined) refuseLive(mode, 'test_clock');
  },
  async run(context, input) {
    const { tenant, now } = context;
    await checkExternalId(context, customerDescriptor, input.external_id);
    const clock =
      input.test_clock === undefined ? undefined : await requireReadyClock(context, input.test_clock, 'test_clock');
    const time = { test_clock: clock?.id ?? null, created_at: clock?.frozen_time ?? null };
    const customer = newCustomer(tenant, newId('cus', now), input, time);
    return {
      result: serializeCustomer(customer),
      objectId: customer.id,
      writes: [addCustomer(customer), ...(clock === undefined ? [] : [holdClock(clock)])],
      events: [customerEvent('customer.created', customer)],
    };
  },
});

const update = (others: readonly Dependents[]): AnyOperation => {
  const alone = updateOperation(customerDescriptor, CustomerInput, async (before, input, context) => {
    const method = input.default_payment_method ?? null;
    if (method !== null) for (const other of others) await other.checkDefault(context, before, method);
    await checkExternalId(context, customerDescriptor, input.external_id, before);
    return changeCustomer(before, input);
  });
  const details = ['email', 'name', 'phone', 'address', 'tax_id'];
  const customers: CustomerAccess = {
    about: belonging(customerDescriptor),
    parameters: [...details, 'default_payment_method'],
    refersTo: Object.assign({}, ...others.map(({ refersTo = {} }) => refersTo)),
    allows: ({ edit_details, default_method }, input) =>
      (edit_details || !details.some((name) => name in input)) &&
      (default_method || !('default_payment_method' in input)),
  };
  return {
    ...alone,
    right: 'handle',
    callers: [...alone.callers, 'customer'],
    customers,
    errors: [...(alone.errors ?? []), ...others.flatMap(({ errors = [] }) => errors)],
    async run(context, input: Input<typeof CustomerInput, 'clear'>) {
      const outcome = (await alone.run(context, input as never)) as Outcome;
      const isChanged = typeof input.default_payment_method === 'string' && outcome.writes?.length !== 0;
      return isChanged ? withParts(outcome, await partsOf(context, others)) : outcome;
    },
  };
};

/** The effects of another default payment method. */
function partsOf(context: Context, others: readonly Dependents[]): Promise<Part[]> {
  const id = context.id as CustomerId;
  return Promise.all(others.map((other) => other.defaultChanged?.(context, id) ?? { writes: [], events: [] }));
}

function withParts(outcome: Outcome, parts: readonly Part[]): Outcome {
  const { writes = [], events = [], due } = outcome;
  const also = parts.flatMap((part) => part.writes);
  return {
    ...outcome,
    writes: [...writes, ...also],
    events: [...events, ...parts.flatMap((part) => part.events)],
    ...(also.length === 0 ? {} : { due: due ?? 0 }), // immediately
  };
}

/** Each of these may become a delivery to 50 endpoints, and a commit writes 10,000 rows at most. */
const releasedEventsMax = 150;
const releasedBytesMax = 5 * 2 ** 20; // of rows and events; a commit has 8 MiB at most

/** As much of each kind as may be in one commit, while it fits beside the kinds before it. The rest is left to the next step. */
export async function releaseAll(
  others: readonly Dependents[],
  context: ReleaseContext,
  customer: CustomerId,
): Promise<Released> {
  let all: Released = { writes: [], events: [], isLast: true };
  for (const { writes, events, isLast } of await Promise.all(others.map((other) => other.release(context, customer)))) {
    const both = { writes: [...all.writes, ...writes], events: [...all.events, ...events] };
    const fits = all.writes.length === 0 || writes.length === 0 || isHeld(both);
    all = fits ? { ...both, isLast: all.isLast && isLast } : { ...all, isLast: false };
  }
  return all;
}

function isHeld({ writes, events }: Part): boolean {
  const bytes = unitSize({ writes }, []).bytes + Buffer.byteLength(JSON.stringify(events));
  return events.length <= releasedEventsMax && bytes <= releasedBytesMax;
}

const remove = (others: readonly Dependents[]) =>
  operation({
    name: 'customers.delete',
    summary: 'Delete a customer',
    description:
      'Erases the email address, name, phone number, address, tax id and metadata; finalized invoices keep the name, address and tax id that they were made with, as bookkeeping law asks for. Payment methods are detached, subscriptions canceled without credit, open checkout sessions expired, what was typed into any of them erased, open invoices voided, waiting invoice items deleted, and with them the notes on the customer and on its payments, disputes and subscriptions; credit is forfeited. Payments stay as they are. Retrieving the customer afterwards is refused with 404.',
    route: 'DELETE /customers/:id',
    callers: ['key', 'job'],
    output: DeletedCustomerOutput,
    errors: clockCodes,
    async run(context) {
      const customer = await requireCustomer(context);
      const { test_clock } = customer;
      const time = await clockedFor(context, test_clock);
      const clock = test_clock === null ? undefined : { id: test_clock, now: time.now };
      const result = { id: customer.id, object: 'customer', deleted: true };
      const { writes, events } = await releaseAll(others, { ...context, clock }, customer.id);
      const facts = { objectId: customer.id, objectVersion: customer.version + 1, object: result };
      return {
        result,
        objectId: customer.id,
        writes: [
          ...eraseCustomer(customer, context.now, clock),
          ...forfeitCredit(customer, context.now),
          ...writes,
          ...time.writes,
        ],
        events: [...events, { type: 'customer.deleted', ...facts }],
        due: context.now,
      };
    },
  });

const creditTransactions = {
  table: creditTransactionsTable,
  prefix: 'ctx',
  columns: ['customer'],
  serialize: serializeCreditTransaction,
};

const listCreditTransactions = operation({
  name: 'customers.list_credit_transactions',
  summary: 'List the changes of the credit of a customer',
  description:
    'Returns every change of the credit, newest first. An invoice with a total below 0 adds credit, and later ones use it before anything is charged.',
  route: 'GET /customers/:id/credit_transactions',
  input: Parameters(listParameters),
  output: ListOf(CreditTransactionOutput),
  async run(context, input) {
    const { id } = await requireCustomer(context);
    const source = { ...creditTransactions, url: `/v1/customers/${id}/credit_transactions` };
    return { result: await listPage(context, input, source, { customer: id }), objectId: id };
  },
});

export function customerOperations(others: readonly Dependents[]): AnyOperation[] {
  const changes = [update(others), remove(others)];
  const filters = {
    test_clock: OptionalId('Only those that live by this test clock.'),
    external_id: ExternalIdFilter,
  };
  const list = listOperation(customerDescriptor, filters, foundByExternalId);
  return [create, retrieveOperation(customerDescriptor), ...changes, list, listCreditTransactions];
}
