import type { Part } from '../../../operations/operation.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { Dependents, ReleaseContext } from '../../payments/customers/operations.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import { alone, closing, saved, voided } from '../invoices/bill.ts';
import { findOpenBy, findUnsettledOf } from '../invoices/descriptor.ts';
import { type Invoice, largeParts } from '../invoices/invoice.ts';
import { retriedMax, retryAll } from '../invoices/retry.ts';
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
    const ends = await endsOf(context, living, found);
    const now = takeWithinBytes(ends, ({ invoice, owner }) => [
      invoice && largeParts(invoice),
      owner?.items,
      owner?.metadata,
    ]);
    const [any] = [...living, ...found];
    if (any === undefined) return { writes: [], events: [], isLast: true };
    const at = await secondsOf(context, any);
    const owners = new Map<string, SubscriptionOwner>();
    for (const { owner: one } of now)
      if (one !== undefined) owners.set(one.id, ownerOf(one, living.includes(one) ? canceled(one, at) : one));
    const invoices = now.flatMap(({ invoice }) => invoice ?? []);
    const parts: Part[] = invoices.map((invoice) => voidedWith(context, owners, invoice, at));
    const all = [...parts, ...[...owners.values()].map((owner) => owner.saved())];
    return {
      writes: all.flatMap(({ writes }) => writes),
      events: all.flatMap(({ events }) => events),
      isLast: living.length < subscriptionsMax && found.length < invoicesMax && now.length === ends.length,
    };
  },
};

/** What ends with the customer: a subscription that lives, or an invoice, with its subscription unless that was named before. */
type Ending = { invoice?: Invoice; owner?: Subscription | undefined };

async function endsOf(
  { reads, tenant }: ReleaseContext,
  living: readonly Subscription[],
  invoices: readonly Invoice[],
): Promise<Ending[]> {
  const loaded = new Set<string | null>([null, ...living.map(({ id }) => id)]);
  const others = [...new Set(invoices.map(({ subscription }) => subscription)).difference(loaded)];
  const found = await Promise.all(others.map((id) => reads.one(subscriptionsTable, tenant, id!)));
  const owners = new Map(others.map((id, at) => [id, found[at]]));
  const ends: Ending[] = living.map((owner) => ({ owner }));
  for (const invoice of invoices) {
    ends.push({ invoice, owner: owners.get(invoice.subscription) });
    owners.delete(invoice.subscription);
  }
  return ends;
}

/** Voids an invoice, or closes it if its payment has no outcome yet. Its subscription is told, and written with the others. */
function voidedWith(
  { now }: ReleaseContext,
  owners: Map<string, SubscriptionOwner>,
  invoice: Invoice,
  at: number,
): Part {
  const { subscription: id } = invoice;
  const owner = id === null ? undefined : owners.get(id);
  const bill = { ...alone(invoice), owner };
  const after = invoice.is_charging ? closing(bill, now) : voided(bill, at, now);
  if (id !== null && after.owner !== undefined) owners.set(id, after.owner as SubscriptionOwner);
  return saved({ ...after, owner: undefined }, at);
}
