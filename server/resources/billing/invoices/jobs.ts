import type { Write } from '../../../base/commit/index.ts';
import type { Once } from '../../../operations/executor.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import { jobCalls } from '../../../operations/job_calls.ts';
import type { ClockTime, Outcome, RemoteCall } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import { findLostOf } from '../../payments/disputes/lost.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import { isRefundPending } from '../../payments/refunds/operations.ts';
import { clockTime } from '../../payments/test_clocks/time.ts';
import { refuseSuspended } from '../../people/accounts/suspended.ts';
import { awaitRefund, closeInvoice, flagInvoice, isRefundHopeless, requestCancel } from './close.ts';
import { collectName } from './collect_due.ts';
import type { Invoice } from './invoice.ts';
import { invoicesTable, saveInvoice } from './store.ts';

/** Tries invoices again, ends their dunning, and closes those whose payment is not over yet. */
export function collectInvoices(services: JobServices, declared: Declared): Job {
  const run = jobCalls(services, declared, 'invoices');
  return dueRows(services, 'invoices', invoicesTable, async (invoice) => {
    const { tenant, id, closing } = invoice;
    if (closing === null) {
      await refuseSuspended(services, tenant);
      return void (await run({ tenant, id, operation: collectName }));
    }
    const payment = (await findPayments({ reads: services.reads, tenant }, [invoice.payment!])).get(invoice.payment!);
    await (closing === 'void' ? cancel(services, run, invoice, payment) : giveBack(services, run, invoice, payment));
  });
}

type CallOperation = ReturnType<typeof jobCalls>;

/** Cancels the payment of an invoice that is to be void. Whatever the end of the payment is, the invoice is voided with it. */
async function cancel(
  services: JobServices,
  run: CallOperation,
  invoice: Invoice,
  payment: Payment | undefined,
): Promise<void> {
  // A payment that cannot be canceled ends by itself.
  if (!isCancelable(payment))
    return save(services, { ...invoice, version: invoice.version + 1, due_at: null, lease_until: null });
  const { tenant } = invoice;
  const clock = await clockOf(services, invoice);
  const next = requestCancel(invoice, services.clock.now());
  tell(services, invoice, next, 'the processor does not cancel the payment of an invoice that is to be void');
  await run({
    tenant,
    id: payment.id,
    clock,
    operation: 'payments.cancel',
    once: onceFor(services, invoice, () => next),
  });
}

/** Refunds the payment of a void invoice, until a refund has succeeded or a person has to help. */
async function giveBack(
  services: JobServices,
  run: CallOperation,
  invoice: Invoice,
  payment: Payment | undefined,
): Promise<void> {
  const now = services.clock.now();
  const reader = { reads: services.reads, tenant: invoice.tenant };
  const left = payment?.status === 'succeeded' ? await leftOf(reader, payment) : 0;
  // A pending refund counts as refunded, so nothing is refunded twice.
  if (payment === undefined || left <= 0) {
    const isPending = payment !== undefined && (await isRefundPending(reader, payment.id));
    return save(services, isPending ? awaitRefund(invoice, now) : closeInvoice(invoice));
  }
  if (isRefundHopeless(invoice, now)) {
    const after = flagInvoice(invoice, now);
    tell(services, invoice, after, 'the refund of a void invoice fails: give the money back in another way');
    return save(services, after);
  }
  const once = onceFor(services, invoice, (decided) => {
    const isHeld = 'error' in decided && decided.error?.code === 'payment_disputed';
    return isHeld ? flagInvoice(invoice, now) : awaitRefund(invoice, now);
  });
  const clock = await clockOf(services, invoice);
  const parameters = { payment: payment.id };
  await run({ tenant: invoice.tenant, id: '', clock, operation: 'refunds.create', parameters, once });
}

/** The remaining amount of a payment after refunds and lost disputes. */
async function leftOf(reader: Reader, payment: Payment): Promise<number> {
  const lost = (await findLostOf(reader, [payment])).get(payment.id) ?? 0;
  return payment.amount_received - (payment.amount_refunded ?? 0) - lost;
}

/** Says once that a person has to help. */
function tell({ log }: JobServices, before: Invoice, after: Invoice, message: string): void {
  if (before.flagged_at !== null || after.flagged_at === null) return;
  log.error({ invoice: after.id, payment: after.payment }, message);
}

async function save({ committer }: JobServices, invoice: Invoice): Promise<void> {
  await committer.commit({ tenant: invoice.tenant, writes: [saveInvoice(invoice)] });
}

/** Payments at a processor end in real time, so closing does not wait for an advance of the clock. */
async function clockOf({ reads, clock }: JobServices, invoice: Invoice): Promise<ClockTime | undefined> {
  const { test_clock: id } = invoice;
  return id === null ? undefined : { id, now: (await clockTime({ reads }, invoice)) ?? clock.now() };
}

function isCancelable(payment: Payment | undefined): payment is Payment {
  return payment?.status === 'requires_action' || payment?.status === 'requires_capture';
}

/**
 * The invoice is committed with the decision, and only while it is at the leased version. Where the processor has answered immediately, its
 * answer has changed the invoice in the same commit.
 */
function onceFor(
  { reads }: JobServices,
  { tenant, id, version }: Invoice,
  next: (decided: Outcome | RemoteCall) => Invoice,
): Once<never> {
  const isInvoice = ({ row }: Write) => row.id === id;
  let isAsked = false; // then the decision was committed, and its answer has to be
  return {
    claim: (decided) => (decided.writes?.some(isInvoice) ? [] : [saveInvoice(next(decided))]),
    finish() {
      isAsked = true;
      return [];
    },
    async stored() {
      if (isAsked || (await reads.one(invoicesTable, tenant, id))?.version === version) return undefined;
      throw new Error('another process has the invoice');
    },
  };
}
