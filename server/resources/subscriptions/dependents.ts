import type { Dependents, ReleaseContext } from '../customers/operations.ts';
import { fitting } from '../fitting.ts';
import { alone, closing, saved, voided } from '../invoices/bill.ts';
import { type Invoice, largeParts } from '../invoices/invoice.ts';
import { findOpenBy, findUnsettledOf } from '../invoices/kind.ts';
import { retriedMax, retryAll } from '../invoices/retry.ts';
import type { Part } from '../operation.ts';
import { secondsOf } from '../test_clocks/time.ts';
import { ownerOf, type SubscriptionOwner } from './owner.ts';
import { findLivingOf, subscriptionsTable } from './store.ts';
import { canceled, type Subscription } from './subscription.ts';

const subscriptionsMax = 20; // in one commit
const invoicesMax = 50;

/** Deleting a customer cancels its subscriptions at once, without credit, and voids its open invoices. */
export const subscriptionsOfCustomers: Dependents = {
  async checkDefault() {}, // payment methods check themselves
  async defaultChanged(context, customer) {
    const open = await findOpenBy(context, customer, retriedMax);
    const { reads, tenant } = context;
    const owners = await Promise.all(
      open.map(({ subscription }) => reads.one(subscriptionsTable, tenant, subscription!)),
    );
    const isAffected = (owner: Subscription | undefined) =>
      owner?.default_payment_method === null && owner.status !== 'canceled';
    const affected = open.filter((_, at) => isAffected(owners[at]));
    const [any] = affected;
    return any === undefined ? { writes: [], events: [] } : retryAll(context, affected, await secondsOf(context, any));
  },
  async release(context, customer) {
    const { reads, tenant } = context;
    const [living, found] = await Promise.all([
      findLivingOf(reads, tenant, customer, subscriptionsMax),
      findUnsettledOf(context, customer, invoicesMax),
    ]);
    const unsettled = fitting(found, largeParts);
    const [any] = [...living, ...unsettled];
    if (any === undefined) return { writes: [], events: [], isLast: true };
    const at = await secondsOf(context, any);
    const owners = new Map<string, SubscriptionOwner>(living.map((one) => [one.id, ownerOf(one, canceled(one, at))]));
    const parts: Part[] = [];
    for (const invoice of unsettled) parts.push(await voidedWith(context, owners, invoice, at));
    const all = [...parts, ...[...owners.values()].map((owner) => owner.saved())];
    return {
      writes: all.flatMap(({ writes }) => writes),
      events: all.flatMap(({ events }) => events),
      isLast: living.length < subscriptionsMax && found.length < invoicesMax && unsettled.length === found.length,
    };
  },
};

/** Voids an invoice, or closes it if its payment has no outcome yet. Its subscription is told, and written with the others. */
async function voidedWith(
  { reads, tenant, now }: ReleaseContext,
  owners: Map<string, SubscriptionOwner>,
  invoice: Invoice,
  at: number,
): Promise<Part> {
  const { subscription: id } = invoice;
  const owner = id === null ? undefined : (owners.get(id) ?? (await storedOwner(reads, tenant, id)));
  const bill = { ...alone(invoice), owner };
  const after = invoice.is_charging ? closing(bill, now) : voided(bill, at, now);
  if (id !== null && after.owner !== undefined) owners.set(id, after.owner as SubscriptionOwner);
  return saved({ ...after, owner: undefined }, at);
}

async function storedOwner(
  reads: ReleaseContext['reads'],
  tenant: ReleaseContext['tenant'],
  id: string,
): Promise<SubscriptionOwner | undefined> {
  const stored = await reads.one(subscriptionsTable, tenant, id);
  return stored && ownerOf(stored, stored);
}
