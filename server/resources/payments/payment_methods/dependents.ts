import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { Dependents } from '../customers/operations.ts';
import { methodCodes } from './errors.ts';
import { destructionDue, discardSecrets, methodEvent, requireMethodOf } from './operations.ts';
import { detached, withoutBilling } from './payment_method.ts';
import { findPaymentMethodsOf, replacePaymentMethod } from './store.ts';

/** Detached with a customer in one commit. Customers from before the limit, and detached methods, may be more. */
const releasedMax = 100;

/** Deleting a customer detaches its payment methods and erases their billing details. */
export const methodsOfCustomers: Dependents = {
  errors: methodCodes,
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
