import type { Write } from '../../../base/commit/index.ts';
import { currencyOf } from '../../../base/currency.ts';
import { type Id, newId } from '../../../base/id.ts';
import {
  changedWith,
  type Descriptor,
  listOperation,
  requireRow,
  retrieveOperation,
} from '../../../operations/descriptor.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import { OptionalId } from '../../../operations/schemas.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import {
  type Dependents,
  findCustomerById,
  holdCustomer,
  requireCustomer,
} from '../../payments/customers/operations.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor, createdBy } from '../../payments/test_clocks/time.ts';
import { apiError } from './errors.ts';
import { type InvoiceItem, itemAmountMax } from './invoice_item.ts';
import {
  DeletedInvoiceItemOutput,
  InvoiceItemOutput,
  invoiceItemEvent,
  NewInvoiceItemInput,
  serializeInvoiceItem,
} from './schema.ts';
import { addInvoiceItem, findWaitingItemsOf, invoiceItemsTable, removeInvoiceItem } from './store.ts';

/** The subscription that an item names. */
export type ItemSubscription = { subscription: string; customer: Customer; currency: string };

/**
 * Refuses a subscription that is not the customer's or gets no further invoice in this currency, with the parameter `subscription`.
 * Otherwise returns its id, and what is committed with the item, so that the subscription cannot end at the same moment.
 */
export type SubscriptionCheck = (
  context: Context,
  named: ItemSubscription,
) => Promise<{ id: Id<'sub'>; writes: Write[] }>;

export const itemSubscriptions = extensionPoint<SubscriptionCheck>('invoice_items');

/** Deleted with a customer in one commit: each has an event, and the payment methods of the customer are in the same commit. */
const releasedMax = 50;

export const itemDescriptor: Descriptor<InvoiceItem> = {
  resource: 'invoice_items',
  scope: 'invoices',
  noun: 'invoice item',
  notes: { retrieve: 'It names its invoice once there is one.', list: 'Those of invoices are listed too.' },
  prefix: 'ii',
  table: invoiceItemsTable,
  serialize: serializeInvoiceItem,
  output: InvoiceItemOutput,
};
export const requireInvoiceItem = requireRow(itemDescriptor);

const scopes = { read: 'invoices:read', write: 'invoices:write' } as const;

/** `param` names the parameter that the amount came in. */
export function checkItemAmount(amount: number, param = 'amount'): void {
  const reason = 'it must not be 0';
  if (amount === 0) throw apiError('parameter_invalid', { param, reason });
  if (Math.abs(amount) > itemAmountMax)
    throw apiError('amount_too_large', { param }).saying(
      `The amount must be from -${itemAmountMax} to ${itemAmountMax}, in the smallest unit of the currency.`,
    );
}

const create = (checks: readonly SubscriptionCheck[]) =>
  operation({
    name: 'invoice_items.create',
    summary: 'Create an invoice item',
    description:
      'The item waits for the next invoice of the customer, or of the subscription that it names, in its currency. An item is not changed: delete it, and create another.',
    route: 'POST /invoice_items',
    scope: scopes.write,
    input: NewInvoiceItemInput,
    output: InvoiceItemOutput,
    errors: [...clockCodes, ...apiError.codes('amount_too_large', 'currency_unknown')],
    check({ amount, currency }) {
      checkItemAmount(amount);
      if (currencyOf(currency) === undefined) throw apiError('currency_unknown', { param: 'currency' });
    },
    alsoChanges: ({ customer }) => customer,
    async run(context, { subscription, ...input }) {
      const { amount, currency, description } = input;
      const customer = await requireCustomer(context, input.customer, 'customer');
      const clocked = await clockedFor(context, customer.test_clock, 'customer');
      const named = subscription && { subscription, customer, currency };
      const held = named ? await checkSubscription(context, checks, named) : undefined;
      const item: InvoiceItem = {
        tenant: context.tenant,
        id: newId('ii', context.now),
        version: 1,
        customer: customer.id,
        amount,
        currency,
        description,
        subscription: held?.id ?? null,
        invoice: null,
        created: createdBy(customer.test_clock, clocked.now).created_at,
      };
      return {
        result: serializeInvoiceItem(item),
        objectId: item.id,
        writes: [addInvoiceItem(item), holdCustomer(customer), ...(held?.writes ?? []), ...clocked.writes],
        events: [invoiceItemEvent('invoice_item.created', item)],
      };
    },
  });

async function checkSubscription(context: Context, checks: readonly SubscriptionCheck[], named: ItemSubscription) {
  const [check] = checks;
  if (check === undefined) throw apiError('resource_missing', { param: 'subscription', resource: 'subscription' });
  return check(context, named);
}

const serializeDeleted = ({ id }: InvoiceItem) => ({ id, object: 'invoice_item', deleted: true });

/** The item is gone, and its event has what the API answers. */
function deleteItem(item: InvoiceItem) {
  const facts = { objectId: item.id, objectVersion: item.version + 1, object: serializeDeleted(item) };
  return { writes: [removeInvoiceItem(item)], events: [{ type: 'invoice_item.deleted', ...facts }] };
}

const remove = operation({
  name: 'invoice_items.delete',
  summary: 'Delete an invoice item that waits for an invoice',
  description: 'An item that an invoice has cannot be deleted.',
  route: 'DELETE /invoice_items/:id',
  scope: scopes.write,
  output: DeletedInvoiceItemOutput,
  errors: [...clockCodes, ...apiError.codes('invoice_item_not_deletable')],
  async run(context) {
    const item = await requireInvoiceItem(context);
    if (item.invoice !== null) throw apiError('invoice_item_not_deletable', { param: 'id', invoice: item.invoice });
    const customer = await findCustomerById(context, item.customer);
    const clocked = await clockedFor(context, customer?.test_clock ?? null);
    return { result: serializeDeleted(item), objectId: item.id, ...changedWith(clocked.writes, deleteItem(item)) };
  },
});

/** The waiting items of a deleted customer go with it. */
export const itemsOfCustomers: Dependents = {
  async checkDefault() {}, // an item has no say in payment methods
  async release({ reads, tenant }, customer) {
    const found = await findWaitingItemsOf(reads, tenant, customer, releasedMax + 1);
    const parts = found.slice(0, releasedMax).map(deleteItem);
    return {
      writes: parts.flatMap(({ writes }) => writes),
      events: parts.flatMap(({ events }) => events),
      isLast: found.length <= releasedMax,
    };
  },
};

export function invoiceItemOperations(checks: readonly SubscriptionCheck[]): AnyOperation[] {
  const list = listOperation(itemDescriptor, { customer: OptionalId('Only those of this customer.') });
  const reads = [retrieveOperation(itemDescriptor), list].map((read) => ({ ...read, scope: scopes.read }));
  return [create(checks), remove, ...reads];
}
