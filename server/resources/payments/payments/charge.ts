import type { Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Advice } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Step } from '../attempts/perform.ts';
import { attemptsTable } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { declineOf, instrumentOf, openEarly } from '../payment_methods/instrument.ts';
import type { LocalDecline } from '../payment_methods/kind.ts';
import { refuseDetached, requireMethodAndCustomer } from '../payment_methods/operations.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { usedBy, useToken } from '../payment_methods/tokens.ts';
import { clockedFor, createdBy } from '../test_clocks/time.ts';
import { authorizeStep, chargeOf } from './authorize.ts';
import { apiError } from './errors.ts';
import { type Payment, untouched } from './payment.ts';
import { candidatesFor } from './route.ts';
import { failure, type LoadedPayment } from './settle.ts';

/** A payment that is wanted, by a request or for an invoice. */
export type PaymentWish = Pick<Payment, 'amount' | 'currency'> & {
  payment_method: string;
  customer?: string | undefined;
  description?: string | undefined;
  metadata?: Metadata | undefined;
  capture_method?: Payment['capture_method'] | undefined;
  return_url?: string | undefined;
  invoice?: Payment['invoice'] | undefined;
  /** The cardholder is not there to authenticate it. */
  merchantInitiated: boolean;
  /** A cardholder who would have to authenticate it is a decline. */
  declinesChallenge?: boolean | undefined;
  /** The time by which the customer lives, epoch milliseconds, from a caller that holds its clock. */
  time?: number | undefined;
};

/** A payment that can be asked for, or one that has failed before any processor was asked, with the advice that one would give. */
export type PreparedPayment = { failed: Payment; advice: Advice; writes: Write[] } | { step: Step<LoadedPayment> };

/** Everything up to asking a processor. Refuses a payment that cannot be made. */
export async function beginPayment(context: Context, wanted: PaymentWish): Promise<PreparedPayment> {
  const [[method, customer], early] = await Promise.all([
    requireMethodAndCustomer(context, wanted),
    openEarly(context, wanted.payment_method),
  ]);
  refuseDetached(method, 'payment_method');
  if (customer !== undefined && method.customer !== null && method.customer !== customer.id)
    throw apiError('customer_mismatch', { param: 'customer' });
  await refuseUsed(context, method);
  const { instrument, uses } = await instrumentOf(context, method, early);
  const test_clock = method.test_clock ?? customer?.test_clock ?? null;
  const clocked = await clockedBy(context, wanted, test_clock);
  const payment = { ...newPayment(context, wanted, method), ...createdBy(test_clock, clocked.now) };
  const decline = declineOf(method, clocked.now);
  if (decline !== undefined)
    return { failed: failedBy(decline, payment), advice: decline.advice, writes: clocked.writes };
  const candidates = await candidatesFor(context, payment, method, instrument);
  const charge = await chargeOf(context, payment, method, instrument, wanted);
  const step = authorizeStep(context, { payment, isNew: true }, charge, candidates);
  // A token that is not kept for a customer serves one payment, whatever its outcome.
  const writes = [...useToken(method, step.loaded.attempt.id), ...clocked.writes, ...uses];
  return { step: { ...step, writes } };
}

async function clockedBy(context: Context, { time, customer }: PaymentWish, clock: Payment['test_clock']) {
  if (time !== undefined) return { now: time, writes: [] };
  return clockedFor(context, clock, customer === undefined ? 'payment_method' : 'customer');
}

/** Refuses a token that serves one payment, and has served it. An attempt that was not sent has not used it. */
async function refuseUsed({ reads, tenant }: Context, method: PaymentMethod): Promise<void> {
  const attempt = usedBy(method);
  if (attempt === undefined || (await reads.one(attemptsTable, tenant, attempt))?.state === 'not_sent') return;
  const reason =
    'a payment has used it, and a token that is not attached to a customer at its processor serves one payment only';
  throw apiError('payment_method_not_usable', { param: 'payment_method', reason });
}

function newPayment(context: Context, wanted: PaymentWish, method: PaymentMethod): Payment {
  return {
    tenant: context.tenant,
    id: newId('py', context.now),
    version: 0, // not stored yet
    amount: wanted.amount,
    amount_received: 0,
    currency: wanted.currency,
    customer: (wanted.customer as Payment['customer'] | undefined) ?? null,
    description: wanted.description ?? null,
    payment_method: method.id,
    last4: method.last4,
    status: 'processing',
    capture_method: wanted.capture_method ?? null,
    return_url: wanted.return_url ?? null,
    metadata: wanted.metadata ?? null,
    invoice: wanted.invoice ?? null,
    processor: null,
    authorization_attempt: null,
    captured_elsewhere: null,
    ...untouched,
    ...createdBy(null, context.now),
    ...idle,
  };
}

/** The method can no longer be charged, such as an expired card: no processor is asked. */
function failedBy({ code }: LocalDecline, payment: Payment): Payment {
  return { ...payment, ...failure(payment, code, null, undefined), version: 1, status: 'failed' };
}
