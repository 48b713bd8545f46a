import type { Write } from '../../../base/commit/index.ts';
import type { Context, Part } from '../../../operations/operation.ts';
import { eventWrites } from '../../../outbox/event.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import { clockedFor } from '../../payments/test_clocks/time.ts';
import { type Bill, beginCharge, saveBill, settleCharge } from './bill.ts';
import type { Invoice, InvoiceId } from './invoice.ts';
import { type SettledBy, savePaid } from './keep_method.ts';
import { readBill } from './read_bill.ts';
import { invoicesTable } from './store.ts';

/** Whether its customer can pay it now: it is owed, and no payment of it is under way. */
export function isPayable({ status, is_charging, closing }: Pick<Invoice, 'status' | 'is_charging' | 'closing'>) {
  return (status === 'open' || status === 'uncollectible') && !is_charging && closing === null;
}

/** An invoice that its customer pays on a page, beside its own collection. */
export type Payable = {
  bill: Bill;
  /** By the test clock of its customer, if there is one; epoch milliseconds. */
  now: number;
  /** What is committed with a change to it. */
  writes: readonly Write[];
};

/** Undefined: it is gone with its test clock. */
export function findInvoice({ reads, tenant }: Reader, id: InvoiceId): Promise<Invoice | undefined> {
  return reads.one(invoicesTable, tenant, id);
}

/** Undefined: it cannot be paid now, or is gone with its test clock. */
export async function findPayable(context: Context, id: InvoiceId): Promise<Payable | undefined> {
  const invoice = await findInvoice(context, id);
  if (invoice === undefined || !isPayable(invoice)) return undefined;
  const { now, writes } = await clockedFor(context, invoice.test_clock);
  return { bill: await readBill(context, invoice), now, writes };
}

/** The rows that keep others from charging it while a remote processor is asked. `settleInvoice` writes those of the answer. */
export function beginPaying({ bill, now, writes }: Payable, payment: Payment, realNow: number): Write[] {
  const at = Math.floor(now / 1_000);
  const begun = saveBill(beginCharge(bill, payment, at), at, realNow);
  return [...writes, ...begun.writes, ...eventWrites(payment.tenant, null, realNow, begun.events)];
}

/** The rows and events of an invoice whose payment has its first answer in the commit that makes the payment. `now` is real time. */
export async function settlePaying(
  reader: Reader & { now: number },
  { bill, now, writes }: Payable,
  by: SettledBy,
): Promise<Part> {
  const { payment } = by;
  const at = Math.floor(now / 1_000);
  const after = settleCharge(beginCharge(bill, payment, at), payment, at, reader.now);
  const settled = await savePaid(reader, after, by, at);
  return { writes: [...writes, ...settled.writes], events: settled.events };
}
