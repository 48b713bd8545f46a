import { assert } from '../../../base/errors.ts';
import type { Ownership } from '../invoices/deps.ts';
import { ownerOf } from './owner.ts';
import { subscriptionsTable } from './store.ts';

/** The subscriptions that invoices belong to. */
export const subscriptionOwnership: Ownership = {
  async ownerOf({ reads, tenant }, invoice) {
    const subscription = await reads.one(subscriptionsTable, tenant, invoice.subscription!);
    assert(subscription, `the subscription of ${invoice.id} does not exist`);
    return ownerOf(subscription, subscription);
  },
  async methodOf({ reads, tenant }, invoice) {
    const subscription = await reads.one(subscriptionsTable, tenant, invoice.subscription!);
    return subscription?.default_payment_method ?? undefined;
  },
};
