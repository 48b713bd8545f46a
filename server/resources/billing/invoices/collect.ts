import type { Write } from '../../../base/commit/index.ts';
import { ApiError, assert } from '../../../base/errors.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { eventWrites } from '../../../outbox/event.ts';
import { askLocally, effectOf, performRemotely, resumeAttempt, type Step } from '../../payments/attempts/perform.ts';
import type { Topic } from '../../payments/attempts/topic.ts';
import { beginPayment, type PaymentWish, type PreparedPayment } from '../../payments/payments/charge.ts';
import { failedPayment } from '../../payments/payments/operations.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { LoadedPayment, Settled } from '../../payments/payments/settle.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { clockTime } from '../../payments/test_clocks/time.ts';
import { type Bill, beginCharge, finalizeBill, recordFailure, saveBill, settleCharge } from './bill.ts';
import { apiError } from './errors.ts';
import type { InvoiceId, LastFailure } from './invoice.ts';
import { readBillById } from './read_bill.ts';

/** How a payment of an invoice is asked for. */
export type ChargeWish = {
  /** Undefined: there is none to charge. */
  payment_method: string | undefined;
  return_url?: string | undefined;
  merchantInitiated: PaymentWish['merchantInitiated'];
  /** Whether a charge that cannot be made is refused, or is a failure of the invoice like any other. */
  isRefused: boolean;
};

/** A charge without the cardholder. If it cannot be made, that is a failure of the invoice. */
export function chargeByMerchant(payment_method: string | undefined): ChargeWish {
  return { payment_method, merchantInitiated: true, isRefused: false };
}

/** The answer of an operation, made from the bill as it is stored then. */
export type BillAnswer = (bill: Bill, error: ApiError | undefined) => Outcome;

export type Collection = {
  /** A draft that is to be finalized, or an invoice that is open. */
  bill: Bill;
  /** Undefined: it is finalized, and not charged. */
  charge: ChargeWish | undefined;
  /** Epoch seconds, by the customer's clock. */
  at: number;
  answer: BillAnswer;
};

/** Invoices are numbered in this sequence of the tenant. */
export const sequence = 'invoices';

/**
 * Finalizes an invoice and collects it. Its number, its payment and everything that follows are one commit; with a remote processor, two.
 */
export async function collect(
  context: Context,
  payments: PaymentTopic,
  collection: Collection,
): Promise<Outcome | RemoteCall | Sequenced> {
  const { bill, at } = collection;
  const isDraft = bill.invoice.status === 'draft';
  const open = (number: number) => (isDraft ? finalizeBill(bill, number, at, context.now) : bill);
  const charge = await prepareCharge(context, collection, open(1)); // the amount does not depend on the number
  const answer = charge && (await askLocalProcessor(context, payments, charge));
  const decide = (number: number) =>
    answer !== undefined && 'remote' in answer
      ? askRemoteProcessor(context, payments, collection, open(number), answer.remote)
      : settleNow(context, collection, open(number), answer);
  return isDraft ? { sequence, numbered: decide } : decide(0);
}

type Unpayable = { unpayable: LastFailure };

/** Refusals that say nothing about the method: the charge is tried again in a moment. */
const passing = new Set(['lock_timeout', 'clock_not_ready']);

/** Undefined when there is nothing to charge. */
async function prepareCharge(
  context: Context,
  { charge, at }: Collection,
  { invoice }: Bill,
): Promise<PreparedPayment | Unpayable | undefined> {
  if (charge === undefined || invoice.status === 'paid') return undefined;
  const { amount_due: amount, currency, customer, id } = invoice;
  const { payment_method, isRefused } = charge;
  try {
    if (payment_method === undefined) throw apiError('parameter_missing', { param: 'default_payment_method' });
    return await beginPayment(context, {
      ...charge,
      payment_method,
      amount,
      currency,
      customer,
      invoice: id,
      time: at * 1_000,
    });
  } catch (error) {
    if (!(error instanceof ApiError) || isRefused || passing.has(error.code)) throw error;
    const message = payment_method === undefined ? 'There is no payment method to charge.' : error.message;
    return { unpayable: { code: payment_method === undefined ? 'payment_method_missing' : error.code, message } };
  }
}

/** The answer of a local processor, with the rows and events of the payment. */
type LocalAnswer = { payment: Payment; outcome: Partial<Outcome> } | Unpayable;

async function askLocalProcessor(
  context: Context,
  payments: PaymentTopic,
  charge: PreparedPayment | Unpayable,
): Promise<LocalAnswer | { remote: Step<LoadedPayment> }> {
  if ('unpayable' in charge) return charge;
  if ('failed' in charge) return { payment: charge.failed, outcome: failedPayment(charge) };
  const asked = await askLocally(context, charge.step);
  if ('remote' in asked) return asked;
  const time = await clockTime(context, asked.loaded.payment);
  const settlement = payments.settle(asked.loaded, asked.reply, context.now, time);
  assert(settlement, 'the first answer settles a payment');
  const { writes = [], ...effect } = await effectOf(context, payments, { ...settlement, isBilled: true }, time);
  const { error } = payments.answer(settlement);
  return {
    payment: settlement.payment,
    outcome: { ...effect, writes: [...writes, ...asked.writes], ...(error === undefined ? {} : { error }) },
  };
}

function settleNow({ now }: Context, collection: Collection, open: Bill, answer: LocalAnswer | undefined): Outcome {
  const { at } = collection;
  const terms = { ...collection, now };
  if (answer === undefined) return outcomeOfBill(terms, open);
  if ('unpayable' in answer) return outcomeOfBill(terms, recordFailure(open, answer.unpayable, null, at));
  const { payment, outcome } = answer;
  return outcomeOfBill(terms, settleCharge(beginCharge(open, payment, at), payment, at, now), outcome);
}

/** The outcome of an operation by which a bill changes. */
export function outcomeOfBill(
  { at, now, answer }: Pick<Collection, 'at' | 'answer'> & { now: number },
  bill: Bill,
  also: Partial<Outcome> = {},
): Outcome {
  const { writes, events, bill: stored } = saveBill(bill, at, now);
  const dues = [also.due, stored.invoice.due_at?.getTime()].filter((due) => due !== undefined);
  return {
    ...answer(stored, also.error),
    writes: [...(also.writes ?? []), ...writes],
    events: [...(also.events ?? []), ...events],
    ...(dues.length === 0 ? {} : { due: Math.min(...dues) }),
  };
}

/** Asks a remote processor: the invoice is committed with the attempt, and settled with its answer. */
function askRemoteProcessor(
  context: Context,
  payments: PaymentTopic,
  { at, answer }: Collection,
  open: Bill,
  step: Step<LoadedPayment>,
): RemoteCall {
  const { tenant, requestId, now } = context;
  const { writes, events, bill } = saveBill(beginCharge(open, step.loaded.payment, at), at, now);
  const rows = [...writes, ...eventWrites(tenant, requestId, now, events)];
  const withRows = { ...step, writes: [...(step.writes ?? []), ...rows] };
  return performRemotely(context, billTopic(context, payments, answer), withBill(withRows, bill));
}

type LoadedBill = LoadedPayment & { bill: Bill };
type SettledBill = Settled & { bill: Bill; billWrites: Write[] };

/** The step with the bill that its answer settles. */
function withBill(step: Step<LoadedPayment>, bill: Bill): Step<LoadedBill> {
  const { next, ...rest } = step;
  return {
    ...rest,
    loaded: { ...step.loaded, bill },
    begin(attempt, due) {
      const { loaded, writes } = step.begin(attempt, due);
      return { loaded: { ...loaded, bill }, writes };
    },
    ...(next && {
      async next(loaded: LoadedBill, outcome) {
        const another = await next(loaded, outcome);
        return another && withBill(another, loaded.bill);
      },
    }),
  };
}

/** Payments as a topic of attempts, where the invoice is settled together with its payment. */
function billTopic(context: Context, payments: PaymentTopic, answer: BillAnswer): Topic<LoadedBill, SettledBill> {
  return {
    ...payments,
    async read(reader, attempt) {
      const loaded = await payments.read(reader, attempt);
      return { ...loaded, bill: await readBillById(context, loaded.payment.invoice as InvoiceId) };
    },
    settle(loaded, reply, now, time) {
      const settled = payments.settle(loaded, reply, now, time);
      if (settled === undefined) return undefined;
      const at = Math.floor((time ?? now) / 1_000);
      const { payment } = settled;
      // Settled between the reads of attempt, payment and invoice: the commit conflicts, and it is decided again.
      const { is_charging, payment: awaited } = loaded.bill.invoice;
      const isAwaited = is_charging && awaited === payment.id;
      const after = isAwaited ? settleCharge(loaded.bill, payment, at, now) : loaded.bill;
      if (after === loaded.bill) return { ...settled, bill: after, billWrites: [] };
      const { writes, events, bill } = saveBill(after, at, now);
      return { ...settled, events: [...settled.events, ...events], bill, billWrites: writes };
    },
    async part(services, settled, now, time) {
      const paid = await payments.part(services, { ...settled, isBilled: true }, now, time);
      return { ...paid, writes: [...paid.writes, ...settled.billWrites] };
    },
    answer: (loaded) => answer(loaded.bill, payments.answer(loaded).error),
  };
}

/** Answers a retry of a request whose process died while a processor was asked. */
export function resumeBill(payments: PaymentTopic, answer: BillAnswer) {
  return (context: Context, attempt: string): Promise<Outcome | Sequenced | undefined> =>
    resumeAttempt(billTopic(context, payments, answer))(context, attempt);
}
