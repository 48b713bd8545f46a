import type { Write } from '../../../base/commit/index.ts';
import type { ApiError } from '../../../base/errors.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { happenedAt } from '../../../outbox/event.ts';
import { askLocally, performRemotely, type Step, settleLocally } from '../../payments/attempts/perform.ts';
import type { Performing, Topic } from '../../payments/attempts/topic.ts';
import { beginPayment } from '../../payments/payments/charge.ts';
import { apiError as paymentError } from '../../payments/payments/errors.ts';
import { linkToInvoice } from '../../payments/payments/invoice_link.ts';
import { failedPayment } from '../../payments/payments/operations.ts';
import { isFinal, type Payment } from '../../payments/payments/payment.ts';
import type { LoadedPayment, Settled } from '../../payments/payments/settle.ts';
import { answerOf, type PaymentTopic } from '../../payments/payments/topic.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import { type Bill, beginCharge, finalizeBill, saveBill, settleCharge } from '../invoices/bill.ts';
import { type BillAnswer, type ChargeWish, collect, outcomeOfBill, sequence } from '../invoices/collect.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import { readBillById } from '../invoices/read_bill.ts';
import { apiError } from './errors.ts';
import { abandonBill, restoreBill } from './pending_change.ts';
import type { PendingChange, PendingPlan } from './pending_plan.ts';
import { pendingChangesTable, removePendingChange, savePendingChange } from './store.ts';

/** A change that takes effect only if its payment does. `bill`: undefined when it can no longer be applied. */
export type ChangeWithBill = { change: PendingChange; bill: Bill | undefined };

export type FirstPayment = {
  /** With a draft that is not stored. */
  bill: Bill;
  plan: PendingPlan;
  charge: ChargeWish;
  /** Rows that hold the customer's clock. They are committed with the payment, whatever becomes of it. */
  clockWrites: readonly Write[];
  /** Epoch seconds, by the customer's clock. */
  at: number;
  answer: BillAnswer;
};

/**
 * Pays the invoice of a change before anything of the change is stored. A decline changes nothing, and uses no number. While a remote
 * processor is asked, the plan is stored with the payment; the change is committed with the answer.
 */
export async function payFirst(
  context: Context,
  payments: PaymentTopic,
  { bill, plan, charge, clockWrites, at, answer }: FirstPayment,
): Promise<Outcome | RemoteCall | Sequenced> {
  const { invoice } = finalizeBill(bill, 1, at, context.now); // the amount does not depend on the number
  if (invoice.status === 'paid')
    return collect(context, payments, {
      bill: { ...bill, writes: [...bill.writes, ...clockWrites] },
      charge,
      at,
      answer,
    });
  const { payment_method, merchantInitiated, return_url } = charge;
  if (payment_method === undefined) throw apiError('parameter_missing', { param: 'default_payment_method' });
  const { amount_due: amount, currency, customer } = invoice;
  const prepared = await beginPayment(context, {
    payment_method,
    return_url,
    merchantInitiated,
    declinesChallenge: true,
    amount,
    currency,
    customer,
    time: at * 1_000,
  });
  if ('failed' in prepared) return failedPayment({ ...prepared, writes: [...prepared.writes, ...clockWrites] });
  const step = { ...prepared.step, writes: [...(prepared.step.writes ?? []), ...clockWrites] };
  const { id } = step.loaded.payment;
  const change = { tenant: context.tenant, id, version: 0, plan, due_at: null, lease_until: null };
  const asked = await askLocally(context, withChange(step, { change, bill }));
  const topic = changeTopic(context, payments, answer);
  return 'remote' in asked ? performRemotely(context, topic, asked.remote) : settleLocally(context, topic, asked);
}

type LoadedChange = LoadedPayment & { pending: ChangeWithBill | undefined };

/** applied: with its invoice. dropped: the payment was not made. abandoned: the change can no longer be applied. */
type End = 'applied' | 'dropped' | 'abandoned';
type SettledChange = Settled & { pending: ChangeWithBill | undefined; end: End | undefined; now: number; at: number };

/** The step with the change. The first remote processor that is asked stores it. */
function withChange(step: Step<LoadedPayment>, pending: ChangeWithBill): Step<LoadedChange> {
  const { next, ...rest } = step;
  return {
    ...rest,
    loaded: { ...step.loaded, pending },
    begin(attempt, due) {
      const { loaded, writes } = step.begin(attempt, due);
      if (pending.change.version > 0) return { loaded: { ...loaded, pending }, writes };
      const change = { ...pending.change, version: 1, due_at: due };
      return { loaded: { ...loaded, pending: { ...pending, change } }, writes: [...writes, savePendingChange(change)] };
    },
    ...(next && {
      async next(loaded: LoadedChange, outcome) {
        const another = await next(loaded, outcome);
        return another && withChange(another, loaded.pending ?? pending);
      },
    }),
  };
}

/** Payments as a topic of attempts, where a change is carried out with its payment, or not at all. */
export function changeTopic(
  context: Performing,
  payments: PaymentTopic,
  answer: BillAnswer,
): Topic<LoadedChange, SettledChange> {
  return {
    ...payments,
    async read(reader, attempt) {
      const loaded = await payments.read(reader, attempt);
      return { ...loaded, pending: await readPendingChange(context, loaded.payment) };
    },
    settle(loaded, reply, now, time) {
      const settled = payments.settle(loaded, reply, now, time)!;
      const times = { now, at: Math.floor((time ?? now) / 1_000) };
      const { pending } = loaded;
      if (pending === undefined) return { ...settled, ...times, pending, end: undefined };
      const end = endOf(pending, settled.payment);
      if (end === 'dropped') return { ...settled, ...times, pending, end };
      const linked = { ...loaded, payment: { ...loaded.payment, invoice: pending.change.plan.invoice.id } };
      return { ...payments.settle(linked, reply, now, time)!, ...times, pending, end };
    },
    async part(services, settled, now, time) {
      const paid = await payments.part(services, { ...settled, isBilled: true }, now, time);
      return { ...paid, writes: [...paid.writes, ...removePending(settled.pending)] };
    },
    answer(loaded) {
      const { pending, payment } = loaded;
      const isAbandoned = pending !== undefined && 'end' in loaded && loaded.end === 'abandoned';
      return isAbandoned ? answerAbandoned(payment, isNew(pending)) : answerUnpaid(payment);
    },
    numbered(settled, outcome) {
      const { pending, end, payment, now, at } = settled;
      return pending === undefined || end === undefined
        ? outcome
        : outcomeOfEnd(pending, end, { payment, now, at, answer, outcome });
    },
    conclude: (then, loaded) => concludeChange(then, loaded, answer),
  };
}

/** The stored change that waits for a payment; undefined once it is over. */
export async function readPendingChange(context: Performing, payment: Payment): Promise<ChangeWithBill | undefined> {
  const { reads, tenant } = context;
  const change = await reads.one(pendingChangesTable, tenant, payment.id);
  if (change === undefined) return undefined;
  const at = await secondsOf(context, payment);
  return { change, bill: await restoreBill(context, change, payment, at) };
}

function removePending(pending: ChangeWithBill | undefined) {
  return pending === undefined || pending.change.version === 0 ? [] : [removePendingChange(pending.change)];
}

/** An unknown outcome is as good as a payment: the invoice waits for it. A challenge is a decline, and its payment is canceled. */
function endOf({ bill }: ChangeWithBill, { status }: Payment): End {
  if (status === 'failed' || status === 'canceled') return 'dropped';
  return bill === undefined || status === 'requires_action' ? 'abandoned' : 'applied';
}

type EndFacts = Pick<SettledChange, 'payment' | 'now' | 'at'> & {
  answer: BillAnswer;
  outcome: Outcome;
};

function outcomeOfEnd(
  pending: ChangeWithBill,
  end: End,
  { payment, now, at, answer, outcome }: EndFacts,
): Outcome | Sequenced {
  if (end === 'dropped') return outcome;
  if (end === 'abandoned' || pending.bill === undefined) {
    const { writes, events, bill } = saveBill(abandonBill(pending.change, payment, at, now), at, now);
    const due = Math.min(outcome.due ?? Number.POSITIVE_INFINITY, bill.invoice.due_at?.getTime() ?? now);
    return {
      ...outcome,
      writes: [...(outcome.writes ?? []), ...writes],
      events: [...(outcome.events ?? []), ...events],
      due,
    };
  }
  const { bill } = pending;
  return {
    sequence,
    numbered(number) {
      const open = beginCharge(finalizeBill(bill, number, at, now), payment, at);
      return outcomeOfBill({ at, now, answer }, settleCharge(open, payment, at, now), outcome);
    },
  };
}

/** The payment of a change was settled without its caller: what is left to do, and the answer. */
export async function concludeChange(
  context: Performing,
  { payment, pending }: Pick<LoadedChange, 'payment' | 'pending'>,
  answer: BillAnswer,
): Promise<Outcome | Sequenced> {
  if (pending === undefined) return answerFinished(context, payment, answer);
  const { now } = context;
  const at = await secondsOf(context, payment);
  const end = endOf(pending, payment);
  if (end === 'dropped') return { ...answerUnpaid(payment), writes: removePending(pending) };
  const link = linkToInvoice(payment, pending.change.plan.invoice.id);
  const outcome = {
    ...(end === 'abandoned' ? answerAbandoned(payment, isNew(pending)) : { result: {} }),
    writes: [...link.writes, ...removePending(pending)],
    events: payment.test_clock === null ? link.events : happenedAt(at * 1_000, link.events),
  };
  return outcomeOfEnd(pending, end, { payment: link.payment, now, at, answer, outcome });
}

/** The answer for a change that is over: carried out, declined, or refunded. */
async function answerFinished(context: Performing, payment: Payment, answer: BillAnswer): Promise<Outcome> {
  if (payment.invoice === null) return answerUnpaid(payment);
  const bill = await readBillById(context, payment.invoice as InvoiceId);
  const { number, subscription } = bill.invoice;
  return number === null ? answerAbandoned(payment, subscription === null) : answer(bill, undefined);
}

/** The answer for a payment that was not made. One that was not to be challenged, and was, is canceled. */
function answerUnpaid(payment: Payment): Outcome {
  const isChallenged = payment.status === 'requires_action' || payment.status === 'canceled';
  return isChallenged ? { ...answerOf(payment), error: authenticationError(payment) } : answerOf(payment);
}

function authenticationError({ id }: Payment): ApiError {
  const decline = { decline_code: 'authentication_required', payment: id };
  return paymentError('card_declined', { reason: 'Reason: authentication required.', decline });
}

const isNew = ({ change }: ChangeWithBill) => change.plan.version === null;

/** The answer for a change that can no longer be applied. A challenge is answered as the decline that it stands for. */
function answerAbandoned(payment: Payment, isNew: boolean): Outcome {
  const { id, status } = payment;
  const answer = { result: {}, objectId: id };
  if (status === 'requires_action') return { ...answer, error: authenticationError(payment) };
  const what = isNew ? 'the customer, its credit, its waiting items or the use of the external_id have' : 'it has';
  const fate = isFinal(status) ? 'is refunded' : 'is refunded if it succeeds';
  const reason = `${what} changed since the payment ${id} was begun, which ${fate}`;
  return { ...answer, error: apiError('subscription_not_updatable', { param: isNew ? 'customer' : 'id', reason }) };
}
