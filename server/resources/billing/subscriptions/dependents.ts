import type { Part } from '../../../operations/operation.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { Dependents, ReleaseContext } from '../../payments/customers/operations.ts';
import { isOver } from '../../payments/setups/setup.ts';
import type { SetupHook } from '../../payments/setups/topic.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import { beginClosing, saveBill, standaloneBill, voidBill } from '../invoices/bill.ts';
import { findOpenBy, findUnsettledOf } from '../invoices/descriptor.ts';
import { type Invoice, largeParts } from '../invoices/invoice.ts';
import { retriedMax, retryAll } from '../invoices/retry.ts';
import { findSubscription, noChange, type SubscriptionChange, saveChange } from '../subscription_state/change.ts';
import { findLivingOf } from '../subscription_state/store.ts';
import { cancel, type Subscription } from '../subscription_state/subscription.ts';

const subscriptionsMax = 20; // in one commit
const invoicesMax = 50;
const nothing: Part = { writes: [], events: [] };

/** Deleting a customer cancels its subscriptions immediately, without credit, and voids its open invoices. */
export const subscriptionsOfCustomers: Dependents = {
  async checkDefault() {}, // payment methods check themselves
  async defaultChanged(context, customer) {
    const open = await findOpenBy(context, customer, retriedMax);
    const subscriptions = await Promise.all(open.map(({ subscription: id }) => findSubscription(context, id!)));
    const isAffected = (subscription: Subscription | undefined) =>
      subscription?.default_payment_method === null && subscription.status !== 'canceled';
    const affected = open.filter((_, at) => isAffected(subscriptions[at]));
    const [any] = affected;
    return any === undefined ? nothing : retryAll(context, affected, await secondsOf(context, any));
  },
  async release(context, customer) {
    const { reads, tenant } = context;
    const [living, found] = await Promise.all([
      findLivingOf(reads, tenant, customer, subscriptionsMax),
      findUnsettledOf(context, customer, invoicesMax),
    ]);
    const ends = await endsOf(context, living, found);
    const now = takeWithinBytes(ends, ({ invoice, subscription }) => [
      invoice && largeParts(invoice),
      subscription?.items,
      subscription?.metadata,
    ]);
    const [any] = [...living, ...found];
    if (any === undefined) return { writes: [], events: [], isLast: true };
    const at = await secondsOf(context, any);
    const changes = new Map<string, SubscriptionChange>();
    for (const { subscription } of now) {
      if (subscription === undefined) continue;
      const after = living.includes(subscription) ? cancel(subscription, at) : subscription;
      changes.set(subscription.id, { before: subscription, after, events: [] });
    }
    const invoices = now.flatMap(({ invoice }) => invoice ?? []);
    const parts: Part[] = invoices.map((invoice) => endInvoice(context, changes, invoice, at));
    const all = [...parts, ...[...changes.values()].map((change) => saveChange(change, context.now))];
    return {
      writes: all.flatMap(({ writes }) => writes),
      events: all.flatMap(({ events }) => events),
      isLast: living.length < subscriptionsMax && found.length < invoicesMax && now.length === ends.length,
    };
  },
};

/** A subscription that ends with its customer; or an invoice, with its subscription unless that was named before. */
type Ending = { invoice?: Invoice; subscription?: Subscription | undefined };

async function endsOf(
  context: ReleaseContext,
  living: readonly Subscription[],
  invoices: readonly Invoice[],
): Promise<Ending[]> {
  const named = new Set<string | null>([null, ...living.map(({ id }) => id)]);
  const others = [...new Set(invoices.map(({ subscription }) => subscription)).difference(named)];
  const found = await Promise.all(others.map((id) => findSubscription(context, id!)));
  const subscriptions = new Map(others.map((id, at) => [id, found[at]]));
  const ends: Ending[] = living.map((subscription) => ({ subscription }));
  for (const invoice of invoices) {
    ends.push({ invoice, subscription: subscriptions.get(invoice.subscription) });
    subscriptions.delete(invoice.subscription);
  }
  return ends;
}

/** Voids an invoice, or closes it if its payment has no outcome yet. Its subscription changes too, and is saved with the others. */
function endInvoice(
  { now }: ReleaseContext,
  changes: Map<string, SubscriptionChange>,
  invoice: Invoice,
  at: number,
): Part {
  const { subscription: id } = invoice;
  const bill = { ...standaloneBill(invoice), subscription: id === null ? undefined : changes.get(id) };
  const after = invoice.is_charging ? beginClosing(bill, now) : voidBill(bill, at, now);
  if (id !== null && after.subscription !== undefined) changes.set(id, after.subscription);
  return saveBill({ ...after, subscription: undefined }, at, now);
}

/** A subscription no longer shows the setup of its method once that has ended. */
export const endPendingSetup: SetupHook = async ({ reads }, { setup }, now) => {
  const { tenant, id, subscription } = setup;
  if (subscription === null || !isOver(setup.status)) return nothing;
  const stored = await findSubscription({ reads, tenant }, subscription);
  if (stored?.pending_setup !== id) return nothing;
  const { writes, events } = saveChange({ ...noChange(stored), after: { ...stored, pending_setup: null } }, now);
  return { writes, events };
};
