import { belonging } from '../../../operations/descriptor.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { type AttentionSource, needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import {
  relationById,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import { type Dependents, dependents } from '../customers/operations.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { kindOf } from './by_kind.ts';
import { methodCodes, paymentMethodErrors } from './errors.ts';
import { expiringCardMail } from './expiring_mail.ts';
import { destroyDetached, usesOfMethods } from './jobs.ts';
import { kinds } from './kinds.ts';
import { dismissLeftover } from './leftovers.ts';
import {
  destructionDue,
  discardSecrets,
  methodDescriptor,
  methodEvent,
  paymentMethodOperations,
  requireMethodOf,
} from './operations.ts';
import { detached, type PaymentMethod, paymentMethodEvents, withoutBilling } from './payment_method.ts';
import { PaymentMethodOutput } from './schema.ts';
import {
  findPaymentMethodsOf,
  findUnforgotten,
  hasMethodsAt,
  paymentMethodsTable,
  replacePaymentMethod,
} from './store.ts';

/** Detached with a customer in one commit. Customers from before the limit, and detached methods, may be more. */
const releasedMax = 100;

/** Deleting a customer detaches its payment methods and erases their billing details. */
export const methodsOfCustomers: Dependents = {
  errors: methodCodes,
  refersTo: { default_payment_method: belonging(methodDescriptor) },
  checkDefault: async (context, customer, id) => void (await requireMethodOf(context, customer, id)),
  async release(context, customer) {
    const found = await findPaymentMethodsOf(context.reads, context.tenant, customer, releasedMax + 1);
    const methods = takeWithinBytes(found.slice(0, releasedMax), ({ billing, metadata }) => [billing, metadata]);
    const gone = methods.map((before) => {
      const after = withoutBilling(before.detached ? before : detached(before, destructionDue(context)));
      // Detaching and forgetting each make a new version, but they are one update of the row.
      return { wasAttached: !before.detached, row: { ...after, version: before.version + 1 } };
    });
    return {
      writes: gone.flatMap(({ row }) => [replacePaymentMethod(row), ...discardSecrets(context, row)]),
      events: gone
        .filter(({ wasAttached }) => wasAttached)
        .map(({ row }) => methodEvent('payment_method.detached', row)),
      isLast: methods.length === found.length,
    };
  },
};

const leftAtProcessors: AttentionSource = {
  kind: 'card_at_processor',
  about: 'a processor could not be asked to delete the customer that was made for a deleted payment method',
  scope: 'payment_methods:read',
  right: 'change',
  objects: ['payment_method'],
  async find(reads, tenant, limit) {
    return (await findUnforgotten(reads, tenant, limit)).map((method) => ({
      id: method.id,
      object: 'payment_method',
      since: timestampOf(method.left_since!),
      reason: leftover(method),
      action: 'It is tried again by itself. Delete the customer at the processor, or give the key the permission to.',
    }));
  },
};

function leftover(method: PaymentMethod): string {
  const { processor_account, processor_customer } = method;
  return `${processor_account} still has the customer ${processor_customer} of a ${kindOf(method).type} that was detached or deleted here.`;
}

export const paymentMethods = resource({
  name: 'payment_methods',
  about: 'What payments charge, by its id: cards whose numbers are in the vault, or that a processor keeps.',
  place: { group: 'Payments', position: 20 },
  scopes: ['payment_methods'],
  errors: Object.assign({}, ...kinds.map(({ errors }) => errors), paymentMethodErrors),
  mails: [expiringCardMail],
  events: eventsOf(paymentMethodEvents, PaymentMethodOutput),
  operations: [...paymentMethodOperations, dismissLeftover],
  jobs: (services, declared) => [destroyDetached(services, declared.extensionsOf(usesOfMethods))],
  maintenance: kinds.flatMap(({ maintenance = [] }) => maintenance),
  extensions: [
    expandables.with(expandable(methodDescriptor)),
    needsAttention.with(leftAtProcessors),
    dependents.with(methodsOfCustomers),
    usesOfProcessorAccounts.with({ noun: 'payment methods', isUsed: hasMethodsAt }),
    timelineKinds.with(timelineOf(methodDescriptor)),
    timelineRelations.with(
      relationById({
        of: 'cus',
        scope: 'payment_methods:read',
        table: paymentMethodsTable,
        prefix: 'pm',
        column: 'customer',
      }),
    ),
    searchables.with(
      searchable(
        methodDescriptor,
        // Not by the cardholder: a name stays in as few places as possible, and the customer has it. A method without a customer is
        // found by the payment that was made with it.
        (method) => ({
          summary: () => kindOf(method).describe(method),
          texts: method.customer === null ? [] : textsOf({ card: method.last4 }),
          belongsTo: method.customer === null ? [] : [method.customer],
        }),
        {
          foundBy: 'words',
          columns: { card: 'last4' },
          owners: [{ prefix: 'cus', table: paymentMethodsTable, column: 'customer' }],
        },
      ),
    ),
  ],
});
