import type { Settled } from '../payments/settle.ts';
import type { SettlementHook } from '../payments/topic.ts';
import { charged, saved } from './bill.ts';
import type { Invoice } from './invoice.ts';
import type { Ownership } from './room.ts';
import { readBillOf } from './room.ts';
import { invoicesTable } from './store.ts';

const nothing = { writes: [], events: [] };

/** Settles the invoice of a payment in the commit that settles the payment, however its answer arrives. */
export function settleInvoice(owners: readonly Ownership[]): SettlementHook {
  return async (services, settled, now, time) => {
    const { payment, attempt, isBilled = false } = settled;
    if (payment.invoice === null || isBilled) return nothing;
    const { tenant } = payment;
    const invoice = await services.reads.one(invoicesTable, tenant, payment.invoice);
    // An invoice of a test clock that was deleted, or an earlier payment of the invoice.
    if (invoice === undefined || !(isAwaited(invoice, settled) || isCorrected(invoice, settled))) return nothing;
    const bill = await readBillOf({ ...services, tenant }, owners, invoice);
    const at = Math.floor((time ?? now) / 1_000);
    const after = charged(bill, { payment, advice: attempt.advice }, at, now);
    return after === bill ? nothing : saved(after, at);
  };
}

function isAwaited({ is_charging, payment: awaited }: Invoice, { payment }: Settled): boolean {
  return is_charging && awaited === payment.id;
}

/** A person had entered that the payment failed, and corrects it: the invoice must not be charged again. */
function isCorrected({ is_charging, status }: Invoice, { isReceived }: Settled): boolean {
  return isReceived && !is_charging && (status === 'open' || status === 'uncollectible');
}
