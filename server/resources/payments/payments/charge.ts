import type { Write } from '../../../base/commit/index.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Authentication, Instrument, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Context } from '../../../operations/operation.ts';
import { failure } from '../attempts/failure.ts';
import type { Step } from '../attempts/perform.ts';
import { idle } from '../attempts/subject.ts';
import type { Customer } from '../customers/customer.ts';
import { cardFacts } from '../payment_methods/card_facts.ts';
import { declineOf } from '../payment_methods/instrument.ts';
import type { LocalDecline } from '../payment_methods/kind.ts';
import { openMethod } from '../payment_methods/open_method.ts';
import type { PaymentMethodId } from '../payment_methods/payment_method.ts';
import { useToken } from '../payment_methods/tokens.ts';
import { candidatesFor } from '../routing/route.ts';
import { clockedFor, createdBy } from '../test_clocks/time.ts';
import { authorizeStep, chargeOf, chargeOfChoice } from './authorize.ts';
import { type Payment, type PaymentId, takenBy, untouched } from './payment.ts';
import type { Begun, LoadedPayment } from './settle.ts';

/** A payment that is wanted, by a request or for an invoice. */
export type PaymentWish = Pick<Payment, 'amount' | 'currency'> & {
  /** Chosen by the caller; by default a new one. */
  id?: PaymentId | undefined;
  payment_method: string;
  customer?: string | undefined;
  description?: string | undefined;
  metadata?: Metadata | undefined;
  capture_method?: Payment['capture_method'] | undefined;
  return_url?: string | undefined;
  invoice?: Payment['invoice'] | undefined;
  checkout_session?: Payment['checkout_session'] | undefined;
  on_approval?: Payment['on_approval'] | undefined;
  authentication?: Authentication | undefined;
  /** The method is kept for charges without the cardholder once the payment succeeds. */
  keeps?: boolean | undefined;
  /** The rows of its owner, for the commit before a remote processor is asked. `settlements` writes those of every answer. */
  begun?: Begun | undefined;
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
  const payment = {
    ...newPayment(context, wanted, { id: method.id, ...cardFacts(method) }),
    ...createdBy(test_clock, clocked.now),
  };
  const { amount, currency } = payment;
  const decline = declineOf(method, clocked.now);
  if (decline !== undefined) return { failed: failedBy(decline, payment), writes: clocked.writes };
  const candidates = await candidatesFor(context, { amount, currency }, method, instrument);
  const charge = await chargeOf(context, payment, method, instrument, wanted);
  const agreed = { ...payment, setup: charge.agreements[0]?.setup ?? null };
  const stored = { payment: agreed, isNew: true, begun: wanted.begun };
  const step = authorizeStep(context, stored, charge, candidates);
  // A token that is not kept for a customer serves one payment, whatever its outcome.
  const writes = [...useToken(method, step.loaded.attempt.id), ...clocked.writes, ...uses];
  return { step: { ...step, writes } };
}

/** A payment by what its cardholder chooses, on a page or in the fields of the processor: the method is not known yet. */
export type ChoiceWish = Omit<
  PaymentWish,
  'payment_method' | 'merchantInitiated' | 'declinesChallenge' | 'customer'
> & {
  checkout_session: Id<'cs'>;
  customer?: Customer | undefined;
  instrument: Instrument<'page' | 'confirmation'>;
  /** The processor is to keep the method for later charges. */
  save: boolean;
  /** Where a confirmation token is from: no other processor account knows it. */
  processor_account?: ProcessorAccountId | undefined;
};

/** Everything up to asking a processor for a page, or with a confirmation token. Refuses a payment that no processor can take. */
export async function beginChoice(context: Context, wanted: ChoiceWish): Promise<{ step: Step<LoadedPayment> }> {
  const { customer, instrument, processor_account = null, begun } = wanted;
  const test_clock = customer?.test_clock ?? null;
  const clocked = await clockedBy(context, { ...wanted, customer: customer?.id }, test_clock);
  const named = { ...wanted, customer: customer?.id, merchantInitiated: false };
  const country = instrument.holder.address?.country ?? null;
  const unnamed = { id: null, last4: null, brand: 'unknown', country };
  const payment = { ...newPayment(context, named, unnamed), ...createdBy(test_clock, clocked.now) };
  const { amount, currency } = payment;
  const routed = { processor_account, brand: undefined, billing: instrument.holder };
  const candidates = await candidatesFor(context, { amount, currency }, routed, instrument);
  const charge = await chargeOfChoice(context, payment, instrument, wanted);
  const step = authorizeStep(context, { payment, isNew: true, begun }, charge, candidates);
  return { step: { ...step, writes: clocked.writes } };
}

type WithClock = Pick<PaymentWish, 'time' | 'customer'>;

async function clockedBy(context: Context, { time, customer }: WithClock, clock: Payment['test_clock']) {
  if (time !== undefined) return { now: time, writes: [] };
  return clockedFor(context, clock, customer === undefined ? 'payment_method' : 'customer');
}

type MethodOfPayment = { id: PaymentMethodId | null } & Pick<Payment, 'last4' | 'brand' | 'country'>;

function newPayment(
  context: Context,
  wanted: Omit<PaymentWish, 'payment_method'>,
  { id: payment_method, ...facts }: MethodOfPayment,
): Payment {
  return {
    tenant: context.tenant,
    id: wanted.id ?? newId('py', context.now),
    version: 0, // not stored yet
    amount: wanted.amount,
    amount_received: 0,
    currency: wanted.currency,
    customer: (wanted.customer as Payment['customer'] | undefined) ?? null,
    description: wanted.description ?? null,
    payment_method,
    ...facts,
    status: 'processing',
    capture_method: wanted.capture_method ?? null,
    return_url: wanted.return_url ?? null,
    off_session: wanted.merchantInitiated || null,
    metadata: wanted.metadata ?? null,
    invoice: wanted.invoice ?? null,
    checkout_session: wanted.checkout_session ?? null,
    on_approval: wanted.on_approval ?? null,
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
