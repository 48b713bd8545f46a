import { ApiError, assert } from '../../../base/errors.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { eventWrites } from '../../../outbox/event.ts';
import { askLocally, performRemotely, resumes, type Step, settleLocally } from '../../payments/attempts/perform.ts';
import type { Topic } from '../../payments/attempts/topic.ts';
import { beginPayment, type PaymentWish, type PreparedPayment } from '../../payments/payments/charge.ts';
import { failedPayment } from '../../payments/payments/operations.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { LoadedPayment, Settled } from '../../payments/payments/settle.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import {
  type Bill,
  beginCharge,
  type ChargeResult,
  finalizeBill,
  recordFailure,
  saveBill,
  settleCharge,
} from './bill.ts';
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

/** What the caller of an operation is answered, by the bill as it is stored then. */
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
  const opened = (number: number) => (isDraft ? finalizeBill(bill, number, at, context.now) : bill);
  const begun = await prepareCharge(context, collection, opened(1)); // the amount does not depend on the number
  const answered = begun && (await askLocalProcessor(context, payments, begun));
  const decided = (number: number) =>
    answered !== undefined && 'remote' in answered
      ? askRemotely(context, payments, collection, opened(number), answered.remote)
      : settleNow(context, collection, opened(number), answered);
  return isDraft ? { sequence, numbered: decided } : decided(0);
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

/** What a local processor has answered, with the rows of the payment. */
type Answered = (ChargeResult & { outcome: Outcome }) | Unpayable;

async function askLocalProcessor(
  context: Context,
  payments: PaymentTopic,
  begun: PreparedPayment | Unpayable,
): Promise<Answered | { remote: Step<LoadedPayment> }> {
  if ('unpayable' in begun) return begun;
  if ('failed' in begun) {
    return { payment: begun.failed, advice: begun.advice, outcome: failedPayment(begun) };
  }
  const asked = await askLocally(context, begun.step);
  if ('remote' in asked) return asked;
  let settled: Settled | undefined;
  const noting: PaymentTopic = {
    ...payments,
    writes(services, settlement, now, time) {
      settled = settlement;
      return payments.writes(services, { ...settlement, isBilled: true }, now, time);
    },
  };
  const outcome = await settleLocally(context, noting, asked);
  assert(!('sequence' in outcome), 'a payment has no number');
  return { payment: settled!.payment, advice: settled!.attempt.advice, outcome };
}

function settleNow({ now }: Context, collection: Collection, open: Bill, answered: Answered | undefined): Outcome {
  const { at } = collection;
  if (answered === undefined) return outcomeOfBill(collection, open);
  if ('unpayable' in answered) return outcomeOfBill(collection, recordFailure(open, answered.unpayable, null, at));
  const { payment, outcome } = answered;
  return outcomeOfBill(collection, settleCharge(beginCharge(open, payment, at), answered, at, now), outcome);
}

/** The outcome of an operation by which a bill changes. */
export function outcomeOfBill(
  { at, answer }: Pick<Collection, 'at' | 'answer'>,
  bill: Bill,
  also: Partial<Outcome> = {},
): Outcome {
  const { writes, events, bill: stored } = saveBill(bill, at);
  const dues = [also.due, stored.invoice.due_at?.getTime()].filter((due) => due !== undefined);
  return {
    ...answer(stored, also.error),
    writes: [...(also.writes ?? []), ...writes],
    events: [...(also.events ?? []), ...events],
    ...(dues.length === 0 ? {} : { due: Math.min(...dues) }),
  };
}

/** Asks a remote processor: the invoice is committed with the attempt, and settled with its answer. */
function askRemotely(
  context: Context,
  payments: PaymentTopic,
  collection: Collection,
  open: Bill,
  step: Step<LoadedPayment>,
): RemoteCall {
  const { tenant, requestId, now } = context;
  const begun = (payment: Payment) => {
    const { writes, events, bill } = saveBill(beginCharge(open, payment, collection.at), collection.at);
    return { bill, writes: [...writes, ...eventWrites(tenant, requestId, now, events)] };
  };
  const topic = billTopic(context, payments, collection.answer);
  return performRemotely(context, topic, withBill(step, open, begun));
}

type LoadedBill = LoadedPayment & { bill: Bill };
type SettledBill = Settled & { bill: Bill; billWrites: ReturnType<typeof saveBill>['writes'] };

/** The step with the bill. Only the first processor that is asked stores it. */
function withBill(
  step: Step<LoadedPayment>,
  bill: Bill,
  begun: (payment: Payment) => Pick<ReturnType<typeof saveBill>, 'bill' | 'writes'>,
): Step<LoadedBill> {
  const { next, ...rest } = step;
  return {
    ...rest,
    loaded: { ...step.loaded, bill },
    begin(attempt, due) {
      const { loaded, writes } = step.begin(attempt, due);
      const also = begun(loaded.payment);
      return { loaded: { ...loaded, bill: also.bill }, writes: [...writes, ...also.writes] };
    },
    ...(next && {
      async next(loaded: LoadedBill, outcome) {
        const another = await next(loaded, outcome);
        return another && withBill(another, loaded.bill, () => ({ bill: loaded.bill, writes: [] }));
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
      const { payment, attempt } = settled;
      // Settled between the reads of attempt, payment and invoice: the commit conflicts, and it is decided again.
      const { is_charging, payment: awaited } = loaded.bill.invoice;
      const isAwaited = is_charging && awaited === payment.id;
      const after = isAwaited ? settleCharge(loaded.bill, { payment, advice: attempt.advice }, at, now) : loaded.bill;
      if (after === loaded.bill) return { ...settled, bill: after, billWrites: [] };
      const { writes, events, bill } = saveBill(after, at);
      return { ...settled, events: [...settled.events, ...events], bill, billWrites: writes };
    },
    async writes(services, settled, now, time) {
      const paid = await payments.writes(services, { ...settled, isBilled: true }, now, time);
      return [...paid, ...settled.billWrites];
    },
    answer: (loaded) => answer(loaded.bill, payments.answer(loaded).error),
  };
}

/** Answers a retry of a request whose process died while a processor was asked. */
export function resumeBill(payments: PaymentTopic, answer: BillAnswer) {
  return (context: Context, attempt: string): Promise<Outcome | Sequenced | undefined> =>
    resumes(billTopic(context, payments, answer))(context, attempt);
}
