import type { Part } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import { type Customer, type CustomerId, newCustomer } from '../../payments/customers/customer.ts';
import { findCustomerById, newCustomerPart } from '../../payments/customers/operations.ts';
import { attachWrites } from '../../payments/payment_methods/of_checkout.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { Settled } from '../../payments/payments/settle.ts';
import type { SettlementHook } from '../../payments/payments/topic.ts';
import { changedByLink } from '../payment_link_state/places.ts';
import { type CheckoutSession, mayBeginTry, reasonForCustomer, type ShopperDetails } from './checkout_session.ts';
import { notOpen } from './errors.ts';
import { sessionEvent } from './schema.ts';
import { replaceSession, sessionsTable } from './store.ts';
import { startSubscription } from './subscription.ts';

/** The reason of a payment that was canceled because its session is to expire. */
export const canceledByExpiry = 'checkout_session_expired';

const nothing: Part = { writes: [], events: [] };

/** Settles the session of a payment in the commit that settles the payment, however its answer arrives. */
export const settleCheckout: SettlementHook = async (services, settled, now, time) => {
  const { payment, isCheckedOut = false } = settled;
  if (payment.checkout_session === null || isCheckedOut) return nothing;
  const session = await services.reads.one(sessionsTable, payment.tenant, payment.checkout_session);
  return session === undefined ? nothing : settleSession(services, session, settled, { now, time });
};

type SettlingServices = Pick<Services, 'reads' | 'cardTesting' | 'dunningOf' | 'sellerOf'>;

/** Real time, and that of the payment's test clock. */
type SettledAt = { now: number; time: number | undefined };

/** The rows of a session by the outcome of a try. */
export async function settleSession(
  services: SettlingServices,
  before: CheckoutSession,
  settled: Settled,
  moment: SettledAt,
): Promise<Part> {
  const { now } = moment;
  const { payment, isNew = false } = settled;
  if (isNew && !mayBeginTry(before, now)) throw notOpen(before);
  if (!isNew && before.payment !== payment.id && !settled.isReceived) return nothing;
  const { tenant, declines } = before;
  const isDeclined = payment.status === 'failed' && payment.failure_code !== 'processing_error';
  const isUsedUp = isDeclined && (await services.cardTesting.isSessionUsedUp(tenant, declines + 1));
  const { session, events } = afterPayment(before, settled, now, isUsedUp);
  const isOver = payment.status !== 'processing' && payment.status !== 'requires_action';
  const counted = isOver ? await services.cardTesting.outcome(tenant, payment.id, isDeclined) : [];
  if (session === before) return { writes: counted, events: [] };
  const isCompleted = session.status === 'complete' && before.status !== 'complete';
  const kept = isCompleted ? await keptMethod(services, before, settled) : { ...nothing, customer: undefined };
  const owned = { ...session, customer: kept.customer?.id ?? session.customer };
  const started =
    isCompleted && owned.mode === 'subscription'
      ? await startSubscription(services, { session: owned, payment, customer: kept.customer! }, moment)
      : { ...nothing, session: owned };
  return {
    writes: [
      replaceSession(started.session),
      ...changedByLink(before, started.session),
      ...counted,
      ...kept.writes,
      ...started.writes,
    ],
    events: [...kept.events, ...started.events, ...events.map((type) => sessionEvent(type, started.session))],
  };
}

type SessionEventType = Parameters<typeof sessionEvent>[0];

/** The session after a try has got an outcome. Pure. */
export function afterPayment(
  before: CheckoutSession,
  { payment, isNew = false }: Settled,
  now: number,
  isUsedUp: boolean,
): { session: CheckoutSession; events: SessionEventType[] } {
  const next: CheckoutSession = { ...before, version: before.version + 1, lease_until: null };
  const isOver = before.status === 'complete';
  const current = { ...next, payment: payment.id, awaits_customer: null };
  switch (payment.status) {
    case 'succeeded':
    case 'requires_capture': {
      const payment_status = payment.status === 'succeeded' ? 'paid' : 'authorized';
      if (isOver) return changedStatus(before, next, payment_status);
      return {
        session: completed({ ...current, payment_status, payment_method: payment.payment_method }, now),
        events: ['checkout_session.completed'],
      };
    }
    case 'processing': {
      if (isOver || before.status === 'expired') return { session: before, events: [] };
      const isAnnounced = isNew || before.status !== 'processing' || payment.authorization_attempt !== null;
      const session = { ...current, status: 'processing' as const, due_at: null };
      return { session, events: isAnnounced ? ['checkout_session.processing'] : [] };
    }
    case 'requires_action':
      if (isOver || before.status === 'expired') return { session: before, events: [] };
      return {
        session: { ...current, status: 'open', awaits_customer: true, last_failure: null, due_at: before.expires_at },
        events: [],
      };
    case 'failed':
      if (isOver) return changedStatus(before, next, 'unpaid');
      return afterFailure(current, reasonForCustomer(payment), payment.failure_code !== 'processing_error', isUsedUp);
    case 'canceled': {
      if (isOver) return changedStatus(before, next, 'unpaid');
      if (before.status === 'expired') return { session: current, events: [] };
      if (payment.cancellation_reason !== canceledByExpiry) return { session: reopened(current), events: [] };
      const reason = now >= before.expires_at.getTime() ? 'time' : 'requested';
      return { session: expired(current, reason), events: ['checkout_session.expired'] };
    }
  }
}

/** Of a session that is complete, only whether it is paid can change. */
function changedStatus(
  before: CheckoutSession,
  next: CheckoutSession,
  payment_status: CheckoutSession['payment_status'],
) {
  return { session: before.payment_status === payment_status ? before : { ...next, payment_status }, events: [] };
}

function afterFailure(
  current: CheckoutSession,
  last_failure: CheckoutSession['last_failure'],
  isDeclined: boolean,
  isUsedUp: boolean,
): { session: CheckoutSession; events: SessionEventType[] } {
  const failed = { ...current, last_failure, declines: current.declines + (isDeclined ? 1 : 0) };
  if (current.status === 'expired') return { session: failed, events: ['checkout_session.payment_failed'] };
  if (!isUsedUp) return { session: reopened(failed), events: ['checkout_session.payment_failed'] };
  const session = expired(failed, 'too_many_attempts');
  return { session, events: ['checkout_session.payment_failed', 'checkout_session.expired'] };
}

/** It can be paid again. If its time is over, the job lets it expire at once. */
function reopened(session: CheckoutSession): CheckoutSession {
  return { ...session, status: 'open', due_at: session.expires_at };
}

export function expired(
  session: CheckoutSession,
  expired_reason: NonNullable<CheckoutSession['expired_reason']>,
): CheckoutSession {
  return { ...session, status: 'expired', expired_reason, awaits_customer: null, due_at: null };
}

/** A payment that succeeds after the expiry completes the session all the same: the customer has paid. */
export function completed(session: CheckoutSession, now: number): CheckoutSession {
  const late = session.status === 'expired' ? true : null;
  return { ...session, status: 'complete', late, completed_at: new Date(now), last_failure: null, due_at: null };
}

/** The id of the customer that a payment brings with its success. */
export const customerBy = ({ id }: Pick<Payment, 'id'>) => `cus${id.slice(id.indexOf('_'))}` as CustomerId;

/**
 * The method that has paid is attached to the customer, if it is to be kept. The customer is made where the session has none, or has one
 * that was deleted; what a processor keeps was attached by the payment.
 */
async function keptMethod(
  services: SettlingServices,
  { tenant, saves, customer: known, customer_details }: CheckoutSession,
  { payment, named }: Settled,
): Promise<Part & { customer: Customer | undefined }> {
  const isNamed = named?.newCustomer !== undefined;
  if (!isNamed && saves !== true) return { ...nothing, customer: undefined };
  const stored = known === null ? undefined : await findCustomerById({ reads: services.reads, tenant }, known);
  const customer = stored ?? newCustomer(tenant, customerBy(payment), pick(customer_details ?? {}));
  const person = stored === undefined ? newCustomerPart(customer) : nothing;
  const method = payment.payment_method;
  const attached =
    isNamed || method === null || named !== undefined
      ? nothing
      : await attachWrites(services, tenant, method, customer);
  return {
    customer,
    writes: [...person.writes, ...attached.writes],
    events: [...person.events, ...attached.events],
  };
}

/** A customer has no address. */
function pick({ address: _, ...details }: ShopperDetails) {
  return details;
}
