import { Type } from '../../../base/schema.ts';
import {
  type AnyOperation,
  type Context,
  type Outcome,
  operation,
  type RemoteCall,
  type Sequenced,
} from '../../../operations/operation.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { dueAt, secondsOf } from '../../payments/test_clocks/time.ts';
import { isDunned } from '../subscription_state/subscription.ts';
import { type Bill, endDunning, methodOf, stopRetrying } from './bill.ts';
import { chargeByMerchant, collect, outcomeOfBill } from './collect.ts';
import { requireInvoice } from './descriptor.ts';
import { endOfDunning } from './dunning.ts';
import type { Invoice } from './invoice.ts';
import { readBill } from './read_bill.ts';
import { saveInvoice } from './store.ts';

/** The operation by which the job, or a test clock, does what is due for an invoice. */
export const collectName = 'invoices.collect';

const answer = ({ invoice }: Bill): Outcome => ({ result: {}, objectId: invoice.id });

/** Tries an open invoice again, or ends its dunning. */
export const collectOperation = (payments: PaymentTopic): AnyOperation =>
  operation({
    name: collectName,
    summary: 'Do what is due for an invoice',
    route: 'POST /invoices/:id/collect',
    callers: ['job'],
    output: Type.Object({}),
    async run(context) {
      const invoice = await requireInvoice(context);
      const at = await secondsOf(context, invoice);
      const due = invoice.due_at ?? invoice.clock_due_at;
      if (due === null || invoice.closing !== null) return { result: {} };
      if (invoice.status !== 'open' || invoice.is_charging) return undue(invoice);
      return collectDue(context, payments, await readBill(context, invoice), at);
    },
  });

async function collectDue(
  context: Context,
  payments: PaymentTopic,
  bill: Bill,
  at: number,
): Promise<Outcome | RemoteCall | Sequenced> {
  const { invoice, dunning } = bill;
  const terms = { at, now: context.now, answer };
  const subscription = bill.subscription?.after;
  const { next_payment_attempt, failed_at } = invoice;
  if (next_payment_attempt !== null && next_payment_attempt <= at && subscription?.status !== 'canceled') {
    return collect(context, payments, { bill, charge: chargeByMerchant(methodOf(bill)), at, answer });
  }
  const isRetried = subscription !== undefined && isDunned(subscription);
  const isOver = failed_at !== null && endOfDunning(dunning, failed_at) <= at;
  if (isOver && isRetried) return outcomeOfBill(terms, endDunning(bill, at));
  // The days of dunning were changed, or the subscription is over.
  return isRetried && failed_at !== null
    ? outcomeOfBill(terms, {
        ...bill,
        invoice: dueAt(invoice, next_payment_attempt ?? endOfDunning(dunning, failed_at)),
        subscription: undefined,
      })
    : outcomeOfBill(terms, { ...stopRetrying(bill), subscription: undefined });
}

function undue(invoice: Invoice): Outcome {
  return { result: {}, writes: [saveInvoice({ ...dueAt(invoice, null), version: invoice.version + 1 })] };
}
