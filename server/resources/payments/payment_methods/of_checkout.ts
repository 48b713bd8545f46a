import type { Static } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Context, Part } from '../../../operations/operation.ts';
import type { Customer } from '../customers/customer.ts';
import { card } from './card/index.ts';
import type { CardParameters } from './card/schema.ts';
import { methodEvent } from './operations.ts';
import { isTyped, notAToken, nothingToForget, type PaymentMethod, type PaymentMethodId } from './payment_method.ts';
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

/** The rows of a method that is attached to a customer without a request: one that has just paid, and is to be kept. */
export async function attachWrites(
  { reads }: Pick<Context, 'reads'>,
  tenant: PaymentMethod['tenant'],
  id: PaymentMethodId,
  { id: customer, test_clock }: Pick<Customer, 'id' | 'test_clock'>,
): Promise<Part> {
  const before = await reads.one(paymentMethodsTable, tenant, id);
  if (before === undefined || !isTyped(before)) return { writes: [], events: [] };
  const attached = { customer, test_clock, detached: false, due_at: null, lease_until: null };
  const after = { ...before, version: before.version + 1, ...attached };
  return { writes: [replacePaymentMethod(after)], events: [methodEvent('payment_method.attached', after)] };
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
