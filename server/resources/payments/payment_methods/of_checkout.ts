import type { Static } from 'typebox';
import type { Commits, Table, Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Context, Part } from '../../../operations/operation.ts';
import type { Customer } from '../customers/customer.ts';
import { card } from './card/index.ts';
import type { CardParameters } from './card/schema.ts';
import type { NamedMethod } from './named.ts';
import { methodEvent } from './operations.ts';
import {
  isTyped,
  notAToken,
  nothingToForget,
  type PaymentMethod,
  type PaymentMethodId,
  withoutBilling,
} from './payment_method.ts';
import { addPaymentMethod, findNewestMethods, paymentMethodsTable, replacePaymentMethod } from './store.ts';

/** How long the number of a card that was typed is there, unless a payment that is not over needs it. */
const typedMs = 3_600_000;

/**
 * A card that a customer has typed into a page of the gateway. It is detached from the start: its own try alone charges it, and where it is
 * not to be kept its number is destroyed, also after a decline, or when the try never began.
 */
export async function newCard(
  { tenant, vault, now }: Pick<Context, 'tenant' | 'vault' | 'now'>,
  typed: Static<typeof CardParameters>,
  billing: PaymentMethod['billing'],
): Promise<{ method: PaymentMethod; writes: Write[] }> {
  card.check(typed, now);
  const id = newId('pm', now);
  const { facts, writes } = await card.seal(vault, tenant, id, typed);
  const place = { customer: null, test_clock: null, detached: true, detached_from: null };
  const common = { tenant, id, version: 1, metadata: null, ...notAToken, ...nothingToForget };
  const method: PaymentMethod = { ...common, ...place, ...facts, billing, due_at: new Date(now + typedMs) };
  return { method, writes: [addPaymentMethod(method), ...writes] };
}

/**
 * The rows of a method that is attached to a customer without a request: one that has just paid, and is to be kept. `isKept`: whether it can
 * be charged again. The number of a typed card may be gone when an approval comes late.
 */
export async function attachWrites(
  { reads }: Pick<Context, 'reads'>,
  tenant: PaymentMethod['tenant'],
  id: PaymentMethodId,
  { id: customer, test_clock }: Pick<Customer, 'id' | 'test_clock'>,
): Promise<Part & { isKept: boolean }> {
  const before = await reads.one(paymentMethodsTable, tenant, id);
  if (before === undefined || !isTyped(before))
    return { writes: [], events: [], isKept: before !== undefined && !before.detached };
  const attached = { customer, test_clock, detached: false, due_at: null, lease_until: null };
  const after = { ...before, version: before.version + 1, ...attached };
  return {
    writes: [replacePaymentMethod(after)],
    events: [methodEvent('payment_method.attached', after)],
    isKept: true,
  };
}

/**
 * Whether a method that a customer chose to keep can be charged again once the payment by it has succeeded: by its number, or because the
 * processor keeps it, which then is known by `named`.
 */
export async function canBeKept(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  id: PaymentMethodId,
  named: NamedMethod | undefined,
): Promise<boolean> {
  if (named !== undefined) return named.kept !== undefined;
  const method = await reads.one(paymentMethodsTable, tenant, id);
  return method !== undefined && (isTyped(method) || !method.detached);
}

/** The methods of a customer that can be charged, newest first, as many as a page offers. */
export async function findMethodsOf(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  customer: string,
  limit: number,
): Promise<PaymentMethod[]> {
  return findNewestMethods(reads, tenant, customer, limit);
}

/** The method that a customer has chosen, whether or not it was kept. */
export const findChosenMethod = ({ reads, tenant }: Pick<Context, 'reads' | 'tenant'>, id: PaymentMethodId) =>
  reads.one(paymentMethodsTable, tenant, id);

const triesPerStep = 100;

/**
 * Erases the holder's data of the cards that were typed for the tries of a session, and belong to nobody: also of one whose payment is
 * not over, as between an authorization and its capture. False: something has changed at the same moment, and the rest is left.
 */
export async function eraseTypedFor(
  { reads, committer }: { reads: Reads; committer: Commits },
  tenant: Tenant,
  { table, session }: { table: Pick<Table, 'name'>; session: string },
): Promise<boolean> {
  const text = `select id, payment_method from ${table.name}
    where tenant = $1 and checkout_session = $2 and id > $3 order by id limit ${triesPerStep}`;
  for (let after = ''; ; ) {
    const tries = await reads.rows<{ id: string; payment_method: string | null }>(text, [tenant, session, after]);
    const ids = new Set(tries.flatMap(({ payment_method }) => payment_method ?? []));
    const methods = await Promise.all([...ids].map((id) => reads.one(paymentMethodsTable, tenant, id)));
    const writes = methods.flatMap((method) => (method && isOfGuest(method) ? erasedBilling(method) : []));
    if (writes.length > 0 && (await committer.commit({ tenant, writes })) !== 'committed') return false;
    if (tries.length < triesPerStep) return true;
    after = tries.at(-1)!.id;
  }
}

/** It was never attached to a customer. */
const isOfGuest = ({ detached, detached_from, billing }: PaymentMethod) =>
  detached && detached_from === null && Object.keys(billing).length > 0;

const erasedBilling = (method: PaymentMethod) => replacePaymentMethod(withoutBilling(method));
