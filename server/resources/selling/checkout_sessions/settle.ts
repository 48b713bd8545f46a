import type { Part } from '../../../operations/operation.ts';
import type { SettlingServices } from '../../payments/attempts/topic.ts';
import { type Customer, type CustomerId, newCustomer } from '../../payments/customers/customer.ts';
import { findCustomerById, newCustomerPart } from '../../payments/customers/operations.ts';
import { attachWrites } from '../../payments/payment_methods/of_checkout.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { SettlementHook } from '../../payments/payments/topic.ts';
import type { SetupHook } from '../../payments/setups/topic.ts';
import { changedByLink } from '../payment_link_state/places.ts';
import { type CheckoutSession, mayBeginTry, reasonForCustomer, type ShopperDetails } from './checkout_session.ts';
import { notOpen } from './errors.ts';
import { sessionEvent } from './schema.ts';
import { findSessionsPaying, replaceSession, sessionsTable } from './store.ts';
import { startSubscription } from './subscription.ts';
import { type SettledTry, triedPayment, triedSetup } from './tries.ts';

/** The reason of a payment that was canceled because its session is to expire. */
export const canceledByExpiry = 'checkout_session_expired';

const nothing: Part = { writes: [], events: [] };

/** Settles the session of a payment in the commit that settles the payment, however its answer arrives. */
export const settleCheckout: SettlementHook = async (services, settled, now, time) => {
  const { payment, isCheckedOut, isReceived } = settled;
  const own = isCheckedOut ? nothing : await settleOwner(services, payment, triedPayment(settled), { now, time });
  const others = isReceived ? await endOthers(services, payment) : nothing;
  return { writes: [...own.writes, ...others.writes], events: [...own.events, ...others.events] };
};

/** More than can begin at one moment. */
const othersMax = 20;

/** The sessions of an invoice that was paid without them: by its collection, a request, or another session. No try of them is under way. */
async function endOthers({ reads }: SettlingServices, payment: Payment): Promise<Part> {
  const { tenant, customer, invoice: id, checkout_session } = payment;
  if (id === null || customer === null) return nothing;
  const open = await findSessionsPaying(reads, { tenant, customer, id }, othersMax);
  const others = open.filter((one) => one.id !== checkout_session && one.awaits_customer !== true);
  const ended = others.map((one) => expired({ ...one, version: one.version + 1, lease_until: null }, 'invoice_paid'));
  return {
    writes: ended.map(replaceSession),
    events: ended.map((one) => sessionEvent('checkout_session.expired', one)),
  };
}

/** The same for a setup. */
export const settleSetupOfCheckout: SetupHook = async (services, settled, now, time) =>
  settled.isCheckedOut ? nothing : settleOwner(services, settled.setup, triedSetup(settled), { now, time });

async function settleOwner(
  services: SettlingServices,
  { tenant, checkout_session: id }: Pick<Payment, 'tenant' | 'checkout_session'>,
  tried: SettledTry,
  moment: SettledAt,
): Promise<Part> {
  const session = id === null ? undefined : await services.reads.one(sessionsTable, tenant, id);
  return session === undefined ? nothing : settleSession(services, session, tried, moment);
}

/** Real time, and that of the test clock of the try. */
type SettledAt = { now: number; time: number | undefined };

/** The rows of a session by the outcome of a try. */
export async function settleSession(
  services: SettlingServices,
  before: CheckoutSession,
  tried: SettledTry,
  moment: SettledAt,
): Promise<Part> {
  const { now } = moment;
  if (tried.isNew && !mayBeginTry(before, now)) throw notOpen(before);
  const isLatest = tried.id === (tried.payment === undefined ? before.setup : before.payment);
  if (!tried.isNew && !isLatest && !isLateApproval(before, tried)) return nothing;
  // The reversal of a late approval settles a try that was over before.
  if ((tried.status === 'failed' || tried.status === 'canceled') && !tried.isNews) return nothing;
  const { tenant, declines } = before;
  const isDeclined = tried.status === 'failed' && tried.failure_code !== 'processing_error';
  const isUsedUp = isDeclined && (await services.cardTesting.isSessionUsedUp(tenant, declines + 1));
  const { session, events } = afterTry(before, tried, now, isUsedUp);
  const isOver = tried.status !== 'processing' && tried.status !== 'requires_action';
  const counted = isOver ? await services.cardTesting.outcome(tenant, tried.id, isDeclined) : [];
  if (session === before) return { writes: counted, events: [] };
  const isCompleted = session.status === 'complete' && before.status !== 'complete';
  const kept = isCompleted ? await keptMethod(services, before, tried) : notKept;
  const due_at = (await isOrphaned(services, session)) ? orphanExpiry(session, now) : session.due_at;
  const owned = { ...session, due_at, customer: kept.customer?.id ?? session.customer };
  const started =
    isCompleted && owned.mode === 'subscription'
      ? await startSubscription(
          services,
          { session: owned, tried, customer: kept.customer!, method: kept.method },
          moment,
        )
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

/** Its customer was deleted during the try. Nobody can pay it for that customer any more: it expires. */
async function isOrphaned(
  { reads }: SettlingServices,
  { tenant, status, customer }: CheckoutSession,
): Promise<boolean> {
  return status === 'open' && customer !== null && (await findCustomerById({ reads, tenant }, customer)) === undefined;
}

/** A page that its processor refuses to close is left alone for a while. */
function orphanExpiry({ awaits_customer }: CheckoutSession, now: number): Date {
  return new Date(awaits_customer === true ? now + closeAgainMs : now);
}

/** An earlier try that was over. One that succeeds beside another payment of its session, as by a person's hand, changes nothing of it. */
function isLateApproval({ status }: CheckoutSession, tried: SettledTry): boolean {
  return status !== 'complete' && (tried.status === 'succeeded' || tried.status === 'requires_capture');
}

type SessionEventType = Parameters<typeof sessionEvent>[0];

/** The session after a try has got an outcome. Pure. */
export function afterTry(
  before: CheckoutSession,
  tried: SettledTry,
  now: number,
  isUsedUp: boolean,
): { session: CheckoutSession; events: SessionEventType[] } {
  const next: CheckoutSession = { ...before, version: before.version + 1, lease_until: null };
  const isOver = before.status === 'complete';
  const current = { ...next, ...columnOf(tried), awaits_customer: null };
  switch (tried.status) {
    case 'succeeded':
    case 'requires_capture': {
      const payment_status = paidStatus(tried);
      if (isOver) return changedStatus(before, next, payment_status);
      return {
        session: completed({ ...current, payment_status, payment_method: tried.payment_method }, now),
        events: ['checkout_session.completed'],
      };
    }
    case 'processing': {
      if (isOver || before.status === 'expired') return { session: before, events: [] };
      // Each inquiry without an answer settles the try again, and only the first of them is news.
      const isNews = tried.isNews || before.status !== 'processing';
      if (!isNews) return { session: before, events: [] };
      const session = { ...current, status: 'processing' as const, due_at: null };
      return { session, events: ['checkout_session.processing'] };
    }
    case 'requires_action':
      if (isOver || before.status === 'expired') return { session: before, events: [] };
      return {
        session: {
          ...current,
          status: 'open',
          awaits_customer: true,
          last_failure: null,
          due_at: nextExpiry(before, now),
        },
        events: [],
      };
    case 'failed':
      if (isOver) return changedStatus(before, next, 'unpaid');
      return afterFailure(current, reasonForCustomer(tried), tried.failure_code !== 'processing_error', isUsedUp);
    case 'canceled': {
      if (isOver) return changedStatus(before, next, 'unpaid');
      if (before.status === 'expired') return { session: current, events: [] };
      if (tried.cancellation_reason !== canceledByExpiry) return { session: reopened(current), events: [] };
      const reason = now >= before.expires_at.getTime() ? 'time' : 'requested';
      return { session: expired(current, reason), events: ['checkout_session.expired'] };
    }
  }
}

/** The column of the session that names its latest try. */
export function columnOf({
  id,
  payment,
}: Pick<SettledTry, 'id' | 'payment'>): Partial<Pick<CheckoutSession, 'payment' | 'setup'>> {
  return payment === undefined ? { setup: id as CheckoutSession['setup'] } : { payment: payment.id };
}

function paidStatus({ payment, status }: SettledTry): CheckoutSession['payment_status'] {
  if (payment === undefined) return 'no_payment_required';
  return status === 'succeeded' ? 'paid' : 'authorized';
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

/** How long a session is left alone whose page at the processor could not be closed, or was paid. */
export const closeAgainMs = 60_000;

/** When the job looks at a session that waits for its customer. */
function nextExpiry({ expires_at }: CheckoutSession, now: number): Date {
  return expires_at.getTime() > now ? expires_at : new Date(now + closeAgainMs);
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

/** The id of the customer that a try brings with its success. */
export const customerBy = ({ id }: Pick<SettledTry, 'id'>) => `cus${id.slice(id.indexOf('_'))}` as CustomerId;

/** The customer, and the method if it can be charged again. */
type KeptPart = Part & { customer: Customer | undefined; method: CheckoutSession['payment_method'] };
const notKept: KeptPart = { ...nothing, customer: undefined, method: null };

/**
 * The method of a try that has succeeded is attached to the customer, if it is to be kept. The customer is made where the session has none,
 * or has one that was deleted; what a processor keeps was attached by the payment or the setup.
 */
async function keptMethod(
  services: SettlingServices,
  { tenant, saves, customer: known, customer_details }: CheckoutSession,
  tried: SettledTry,
): Promise<KeptPart> {
  const { named, payment_method: method, becomesDefault } = tried;
  const isNamed = named?.newCustomer !== undefined;
  if (!isNamed && saves !== true && !becomesDefault) return notKept;
  const stored = known === null ? undefined : await findCustomerById({ reads: services.reads, tenant }, known);
  const customer = stored ?? newCustomer(tenant, customerBy(tried), pick(customer_details ?? {}));
  const person = stored === undefined ? newCustomerPart(customer) : nothing;
  const attached =
    method === null || named !== undefined
      ? { ...nothing, isKept: named?.kept !== undefined }
      : await attachWrites(services, tenant, method, customer);
  return {
    customer,
    method: attached.isKept ? method : null,
    writes: [...person.writes, ...attached.writes],
    events: [...person.events, ...attached.events],
  };
}

/** A customer has no address. */
function pick({ address: _, ...details }: ShopperDetails) {
  return details;
}
