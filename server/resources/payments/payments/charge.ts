import type { Write } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Context } from '../../../operations/operation.ts';
import { failure } from '../attempts/failure.ts';
import type { Step } from '../attempts/perform.ts';
import { idle } from '../attempts/subject.ts';
import { cardFacts } from '../payment_methods/card_facts.ts';
import { declineOf } from '../payment_methods/instrument.ts';
import type { LocalDecline } from '../payment_methods/kind.ts';
import { openMethod } from '../payment_methods/open_method.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { useToken } from '../payment_methods/tokens.ts';
import { candidatesFor } from '../routing/route.ts';
import { clockedFor, createdBy } from '../test_clocks/time.ts';
import { authorizeStep, chargeOf } from './authorize.ts';
import { type Payment, takenBy, untouched } from './payment.ts';
import type { LoadedPayment } from './settle.ts';

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

/** A payment that can be asked for, or one that has failed before any processor was asked. */
export type PreparedPayment = { failed: Payment; writes: Write[] } | { step: Step<LoadedPayment> };

/** Everything up to asking a processor. Refuses a payment that cannot be made. */
export async function beginPayment(context: Context, wanted: PaymentWish): Promise<PreparedPayment> {
  const { method, customer, instrument, uses } = await openMethod(context, wanted);
  const test_clock = method.test_clock ?? customer?.test_clock ?? null;
  const clocked = await clockedBy(context, wanted, test_clock);
  const payment = { ...newPayment(context, wanted, method), ...createdBy(test_clock, clocked.now) };
  const { amount, currency } = payment;
  const decline = declineOf(method, clocked.now);
  if (decline !== undefined) return { failed: failedBy(decline, payment), writes: clocked.writes };
  const candidates = await candidatesFor(context, { amount, currency }, method, instrument);
  const charge = await chargeOf(context, payment, method, instrument, wanted);
  const agreed = { ...payment, setup: charge.agreements[0]?.setup ?? null };
  const step = authorizeStep(context, { payment: agreed, isNew: true }, charge, candidates);
  // A token that is not kept for a customer serves one payment, whatever its outcome.
  const writes = [...useToken(method, step.loaded.attempt.id), ...clocked.writes, ...uses];
  return { step: { ...step, writes } };
}

async function clockedBy(context: Context, { time, customer }: PaymentWish, clock: Payment['test_clock']) {
  if (time !== undefined) return { now: time, writes: [] };
  return clockedFor(context, clock, customer === undefined ? 'payment_method' : 'customer');
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
    ...cardFacts(method),
    status: 'processing',
    capture_method: wanted.capture_method ?? null,
    return_url: wanted.return_url ?? null,
    off_session: wanted.merchantInitiated || null,
    metadata: wanted.metadata ?? null,
    invoice: wanted.invoice ?? null,
    setup: null,
    ...takenBy(null),
    authorization_attempt: null,
    captured_elsewhere: null,
    ...untouched,
    ...createdBy(null, context.now),
    ...idle,
  };
}

/** The method can no longer be charged, such as an expired card: no processor is asked. */
function failedBy({ code, advice }: LocalDecline, payment: Payment): Payment {
  const why = failure({ payment: payment.id }, code, null, undefined);
  return { ...payment, ...why, advice, version: 1, status: 'failed' };
}
