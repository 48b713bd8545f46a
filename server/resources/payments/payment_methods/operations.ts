import type { Static } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Mode } from '../../../base/reads.ts';
import {
  belonging,
  changedWith,
  type Descriptor,
  listOperation,
  type RowContext,
  requireRow,
  retrieveOperation,
  updated,
} from '../../../operations/descriptor.ts';
import { listPage } from '../../../operations/list.ts';
import { changeMetadata, mergeMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, operation, type Part } from '../../../operations/operation.ts';
import { ListOf, listParameters, OptionalId, Parameters } from '../../../operations/schemas.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import type { Customer } from '../customers/customer.ts';
import { clearDefault, findCustomerById, holdCustomer, requireCustomer } from '../customers/operations.ts';
import { clockCodes } from '../test_clocks/errors.ts';
import { clockedFor } from '../test_clocks/time.ts';
import { mergeBilling } from './billing.ts';
import { kindNamed, kindOf, parametersOf, refuseOtherKinds } from './by_kind.ts';
import { apiError, methodCodes } from './errors.ts';
import type { MethodFacts, MethodKind } from './kind.ts';
import { kinds } from './kinds.ts';
import {
  detached,
  isTyped,
  notAToken,
  nothingToForget,
  type PaymentMethod,
  type PaymentMethodId,
  type paymentMethodEvents,
  type TokenFacts,
} from './payment_method.ts';
import { AttachInput, NewPaymentMethodInput, PaymentMethodInput, PaymentMethodOutput } from './schema.ts';
import { serializePaymentMethod } from './serialize.ts';
import { addPaymentMethod, hasPaymentMethods, paymentMethodsTable, replacePaymentMethod } from './store.ts';
import { keepToken, readToken } from './tokens.ts';

export const methodEvent = eventsAbout<keyof typeof paymentMethodEvents, PaymentMethod>(serializePaymentMethod);

/** By then, every request that read the method before it was detached has been answered, and the payment that it made can be seen. */
const destroyAfterMs = 60_000;

/** Attached to one customer: the deletion of a customer is a commit that others wait for. */
const methodsMax = 100;

const csvOfKinds = kinds.flatMap(({ type, csv }) => csv.map((name) => `${type}.${name}`)).join(' ');

const storedDescriptor: Descriptor<PaymentMethod> = {
  resource: 'payment_methods',
  noun: 'payment method',
  prefix: 'pm',
  table: paymentMethodsTable,
  serialize: serializePaymentMethod,
  output: PaymentMethodOutput,
  event: methodEvent,
  customer: 'customer',
  csv: `id created ${csvOfKinds} billing_details.name billing_details.email customer`,
  notes: { list: 'Without `customer` the list has all of them: also detached ones, and those without a customer.' },
};
export const methodDescriptor: Descriptor<PaymentMethod> = {
  ...storedDescriptor,
  unlessGone: unlessOrphaned,
  without: { column: 'customer', gone: deletedCustomers },
};
export const requirePaymentMethod = requireRow(methodDescriptor);
const requireStored = requireRow(storedDescriptor);

/** Undefined where the customer of the method was deleted, and the job that detaches all its methods has not come to this one. */
async function unlessOrphaned(context: RowContext, method: PaymentMethod): Promise<PaymentMethod | undefined> {
  const { customer, id } = method;
  if (customer === null || (await findCustomerById(context, customer)) !== undefined) return method;
  // Was the customer deleted between the two reads? Then the same commit has detached the method.
  const now = await context.reads.one(paymentMethodsTable, context.tenant, id);
  return now?.customer === customer ? undefined : now;
}

/** The customers of methods that were deleted since. */
async function deletedCustomers(
  context: Pick<Context, 'reads' | 'tenant'>,
  methods: readonly PaymentMethod[],
): Promise<string[]> {
  const ids = [...new Set(methods.map(({ customer }) => customer))].filter((id) => id !== null);
  const found = await Promise.all(ids.map((id) => findCustomerById(context, id)));
  return ids.filter((_, at) => found[at] === undefined);
}

/** The method of a payment, and its customer if it has one. No customer is read twice: every payment comes by here. */
export async function requireMethodAndCustomer(
  context: Context,
  { payment_method, customer: id }: { payment_method: string; customer?: string | undefined },
): Promise<[PaymentMethod, Customer | undefined]> {
  const [stored, customer] = await Promise.all([
    requireStored(context, payment_method, 'payment_method'),
    id === undefined ? undefined : requireCustomer(context, id, 'customer'),
  ]);
  const method = stored.customer === customer?.id ? stored : await unlessOrphaned(context, stored);
  if (method === undefined)
    throw apiError('resource_missing', { param: 'payment_method', resource: storedDescriptor.noun });
  return [method, customer];
}

/** Of a method that may be detached, or whose customer may be deleted. */
export async function findKindOf(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  id: PaymentMethodId,
): Promise<MethodKind | undefined> {
  const method = await reads.one(paymentMethodsTable, tenant, id);
  return method && kindOf(method);
}

/** A method that can be charged for a customer: it is attached to that customer. */
export async function requireMethodOf(
  context: Context,
  { id }: Pick<Customer, 'id'>,
  method: string,
): Promise<PaymentMethod> {
  const param = 'default_payment_method';
  const found = await requirePaymentMethod(context, method, param);
  refuseDetached(found, param);
  const reason = 'it is not attached to this customer';
  if (found.customer !== id) throw apiError('payment_method_not_usable', { param, reason });
  return found;
}

/** `isTry`: of a checkout, which charges a card that was typed there, although it is detached from the start. */
export function refuseDetached(method: PaymentMethod, param: string, { isTry }: { isTry: boolean } = { isTry: false }) {
  if (!method.detached || (isTry && isTyped(method))) return;
  throw apiError('payment_method_not_usable', { param, reason: 'it was detached' });
}

const create = operation({
  name: 'payment_methods.create',
  summary: 'Create a payment method',
  description:
    'Stores a card by its number, or a card that a processor keeps by its token. No bank is asked about a number: the first payment shows whether the card can be charged. For a token the processor is asked, for 15 seconds at most. If you send card numbers, you are in scope of PCI DSS.',
  route: 'POST /payment_methods',
  input: NewPaymentMethodInput,
  output: PaymentMethodOutput,
  errors: [
    ...clockCodes,
    ...methodCodes,
    ...apiError.codes('parameters_exclusive', 'payment_method_limit_reached'),
    ...kinds.flatMap(({ errors }) => Object.keys(errors)),
  ],
  check(input, { now, mode }) {
    const kind = kindNamed(input.type);
    refuseOtherKinds(kind, input);
    const given = parametersOf(kind, input);
    if (given !== undefined && input.processor_token !== undefined)
      throw apiError('parameters_exclusive', { param: kind.type, other: 'processor_token' });
    if (given !== undefined) return kind.check(given, mayHaveClock(mode, input.customer) ? undefined : now);
    if (input.processor_token === undefined) throw nothingToStore(kind);
    if (kind.tokenized === undefined)
      throw apiError('parameter_invalid', { param: 'processor_token', reason: `no processor keeps a ${kind.type}` });
  },
  alsoChanges: ({ customer }) => customer,
  async run(context, input) {
    const id = newId('pm', context.now);
    const kind = kindNamed(input.type);
    const given = parametersOf(kind, input);
    const customer =
      input.customer === undefined ? undefined : await requireCustomer(context, input.customer, 'customer');
    const test_clock = customer?.test_clock ?? null;
    const clocked = await clockedFor(context, test_clock, 'customer');
    if (given !== undefined && mayHaveClock(context.mode, input.customer)) kind.check(given, clocked.now);
    // Before a processor is asked to keep it for the customer.
    const room = customer === undefined ? [] : [await roomFor(context, customer)];
    const { facts, sealed } = await newFacts(context, id, kind, input);
    const method: PaymentMethod = {
      tenant: context.tenant,
      id,
      version: 1,
      customer: customer?.id ?? null,
      test_clock,
      detached: false,
      detached_from: null,
      ...facts,
      billing: input.billing_details ?? {},
      metadata: input.metadata === undefined ? null : mergeMetadata({}, input.metadata),
      ...nothingToForget,
    };
    return {
      result: serializePaymentMethod(method),
      objectId: id,
      writes: [addPaymentMethod(method), ...sealed, ...room, ...clocked.writes],
      events: customer === undefined ? [] : [methodEvent('payment_method.attached', method)],
    };
  },
});

/** Whether the expiry is compared with a time that has to be read first. */
const mayHaveClock = (mode: Mode, customer: string | undefined) => mode === 'test' && customer !== undefined;

type NewMethod = Static<typeof NewPaymentMethodInput>;

function nothingToStore({ type, tokenized }: MethodKind) {
  const missing = apiError('parameter_missing', { param: type });
  if (tokenized === undefined) return missing;
  return missing.saying(`The parameter ${type} is required, or processor_token for a ${type} that a processor keeps.`);
}

/** What is stored of a new method, and the rows that seal its secrets or its token. */
async function newFacts(
  context: Context,
  id: string,
  kind: MethodKind,
  input: NewMethod,
): Promise<{ facts: MethodFacts & TokenFacts; sealed: Write[] }> {
  const { tenant, vault } = context;
  const { processor_token, customer, billing_details: holder = {} } = input;
  if (processor_token !== undefined) {
    const keepFor = customer === undefined ? undefined : { id, holder };
    const facts = await readToken(context, kind, processor_token, keepFor);
    return { facts, sealed: [await vault.sealSecret(tenant, id, processor_token.token)] };
  }
  const given = parametersOf(kind, input);
  assert(given, `a method was made from neither a ${kind.type} nor a token`);
  const { facts, writes } = await kind.seal(vault, tenant, id, given);
  return { facts: { ...facts, ...notAToken }, sealed: writes };
}

/**
 * Refuses a further method where there are as many as a customer can have. The write conflicts when another request has attached one
 * since the customer was read; so the methods are counted after that.
 */
async function roomFor({ reads, tenant }: Context, customer: Customer): Promise<Write> {
  if (await hasPaymentMethods(reads, tenant, customer.id, methodsMax))
    throw apiError('payment_method_limit_reached', { param: 'customer', max: methodsMax });
  return holdCustomer(customer);
}

const update = operation({
  name: 'payment_methods.update',
  summary: 'Update a payment method',
  description:
    'Changes the expiry, the billing details and the metadata, and only what it names. The number cannot be changed: create another payment method.',
  route: 'POST /payment_methods/:id',
  input: PaymentMethodInput,
  nulls: 'clear',
  output: PaymentMethodOutput,
  errors: [
    ...clockCodes,
    ...apiError.codes('payment_method_not_usable'),
    ...kinds.flatMap(({ change }) => change?.errors ?? []),
  ],
  check(input) {
    for (const kind of kinds) {
      const change = parametersOf(kind, input);
      if (change !== undefined) kind.change?.check(change);
    }
  },
  async run(context, input) {
    const before = await requirePaymentMethod(context);
    const clocked = await clockedFor(context, before.test_clock);
    const kind = kindOf(before);
    refuseOtherKinds(kind, input);
    const change = parametersOf(kind, input);
    if (change !== undefined || input.billing_details !== undefined) refuseDetached(before, 'id');
    const after = {
      ...before,
      ...(change === undefined ? {} : kind.change?.apply(before, change, clocked.now)),
      billing: mergeBilling(before.billing, input.billing_details),
      metadata: changeMetadata(before.metadata, input.metadata),
    };
    const addressChanged = JSON.stringify(before.billing) !== JSON.stringify(after.billing);
    return changedWith(clocked.writes, updated(methodDescriptor, before, after, addressChanged));
  },
});

const attach = operation({
  name: 'payment_methods.attach',
  summary: 'Attach a payment method to a customer',
  description:
    'A payment method belongs to one customer at most. Attaching it again to the same customer changes nothing. A token that was not charged yet is attached at the processor too, so that it can be charged again.',
  route: 'POST /payment_methods/:id/attach',
  input: AttachInput,
  output: PaymentMethodOutput,
  errors: [...clockCodes, ...methodCodes, ...apiError.codes('payment_method_limit_reached')],
  alsoChanges: ({ customer }) => customer,
  async run(context, input) {
    const before = await requirePaymentMethod(context);
    const customer = await requireCustomer(context, input.customer, 'customer');
    refuseDetached(before, 'id');
    if (before.customer === customer.id) return { result: serializePaymentMethod(before), objectId: before.id };
    if (before.customer !== null)
      throw apiError('payment_method_not_usable', { param: 'id', reason: 'it is attached to another customer' });
    const clocked = await clockedFor(context, customer.test_clock, 'customer');
    const room = await roomFor(context, customer); // before a processor is asked to keep it
    const processor_customer = await keepToken(context, before);
    const { id, test_clock } = customer;
    const after = { ...before, version: before.version + 1, customer: id, test_clock, processor_customer };
    return {
      result: serializePaymentMethod(after),
      objectId: after.id,
      writes: [replacePaymentMethod(after), room, ...clocked.writes],
      events: [methodEvent('payment_method.attached', after)],
    };
  },
});

const detach = operation({
  name: 'payment_methods.detach',
  summary: 'Detach a payment method, for good',
  description:
    'The payment method loses its customer, and can never again be charged or attached. What the vault has of it is deleted about a minute later, or once its unfinished payments are finished. If it was the default of its customer, the customer has none any more.',
  route: 'POST /payment_methods/:id/detach',
  customers: { about: belonging(methodDescriptor), allows: ({ remove_method }) => remove_method },
  output: PaymentMethodOutput,
  errors: clockCodes,
  async run(context) {
    const before = await requirePaymentMethod(context);
    const clocked = await clockedFor(context, before.test_clock);
    if (before.detached) return { result: serializePaymentMethod(before), objectId: before.id };
    const after = detached(before, destructionDue(context));
    const writes = [replacePaymentMethod(after), ...discardSecrets(context, after), ...clocked.writes];
    const part = { writes, events: [methodEvent('payment_method.detached', after)] };
    return {
      result: serializePaymentMethod(after),
      objectId: after.id,
      ...(await withoutDefault(context, before, part)),
      due: destructionDue(context).getTime(),
    };
  },
});

/** The writes that delete what nothing unfinished can need of a method that is detached. */
export function discardSecrets({ vault }: Pick<Context, 'vault'>, method: PaymentMethod): Write[] {
  return kindOf(method).discard?.(vault, method.tenant, method.id) ?? [];
}

/** When the job first checks whether an unfinished payment uses the secret. If none does, the secret is destroyed. */
export function destructionDue({ now }: Pick<Context, 'now'>): Date {
  return new Date(now + destroyAfterMs);
}

/**
 * A customer that has this method as the default loses it. The customer's version is committed in either case, because a concurrent
 * request may make this method the default.
 */
async function withoutDefault(context: Context, method: PaymentMethod, part: Part): Promise<Part> {
  const customer = method.customer === null ? undefined : await findCustomerById(context, method.customer);
  if (customer === undefined) return part; // there was none; or it is being deleted, which changes the method, so that this is decided again
  if (customer.default_payment_method !== method.id)
    return { ...part, writes: [...part.writes, holdCustomer(customer)] };
  const cleared = clearDefault(customer);
  return { writes: [...part.writes, ...cleared.writes], events: [...part.events, ...cleared.events] };
}

const list = listOperation(
  methodDescriptor,
  { customer: OptionalId('Only those attached to this customer.') },
  { customers: { customer: 'customer', parameters: ['limit', 'starting_after'] } },
);

const listOfCustomer = operation({
  name: 'customers.list_payment_methods',
  summary: 'List the payment methods of a customer',
  description: 'Returns the payment methods that are attached to the customer, newest first.',
  route: 'GET /customers/:id/payment_methods',
  scope: 'payment_methods:read',
  input: Parameters(listParameters),
  output: ListOf(PaymentMethodOutput),
  async run(context, input) {
    const { id } = await requireCustomer(context);
    const source = { ...storedDescriptor, url: `/v1/customers/${id}/payment_methods`, columns: ['customer'] };
    return { result: await listPage(context, input, source, { customer: id }) };
  },
});

export const paymentMethodOperations: AnyOperation[] = [
  create,
  retrieveOperation(methodDescriptor),
  update,
  attach,
  detach,
  list,
  listOfCustomer,
];
