import type { Dependents } from '../customers/operations.ts';
import { methodCodes } from './errors.ts';
import { destructionDue, methodEvent, requireMethodOf } from './operations.ts';
import { detached, type PaymentMethod, withoutBilling } from './payment_method.ts';
import { findPaymentMethodsOf, replacePaymentMethod } from './store.ts';

/** Detached with a customer in one commit. Customers from before the limit, and detached methods, may be more. */
const releasedMax = 100;
/** Billing details and metadata of the methods that are detached in one commit. A commit writes them twice: in the row and in the event. */
const releasedBytesMax = 2_097_152;

/** Deleting a customer detaches its payment methods and erases their billing details. */
export const methodsOfCustomers: Dependents = {
  errors: methodCodes,
  checkDefault: async (context, customer, id) => void (await requireMethodOf(context, customer, id)),
  async release(context, customer) {
    const found = await findPaymentMethodsOf(context.reads, context.tenant, customer, releasedMax + 1);
    const methods = found.slice(0, Math.min(releasedMax, fitting(found)));
    const gone = methods.map((before) => {
      const after = withoutBilling(before.detached ? before : detached(before, destructionDue(context)));
      // Detaching and forgetting each make a new version, but they are one update of the row.
      return { wasAttached: !before.detached, row: { ...after, version: before.version + 1 } };
    });
    return {
      writes: gone.flatMap(({ row }) => [replacePaymentMethod(row), context.vault.destroyCvc(row.tenant, row.id)]),
      events: gone
        .filter(({ wasAttached }) => wasAttached)
        .map(({ row }) => methodEvent('payment_method.detached', row)),
      isLast: methods.length === found.length,
    };
  },
};

/** How many of the methods fit into one commit, by their size; at least one. */
function fitting(methods: readonly PaymentMethod[]): number {
  let bytes = 0;
  const first = methods.findIndex(({ billing, metadata }) => {
    bytes += Buffer.byteLength(JSON.stringify([billing, metadata]));
    return bytes > releasedBytesMax;
  });
  return first === -1 ? methods.length : Math.max(first, 1);
}
