import type { Once } from '../attempts/executor.ts';
import { type Duty, dueRows } from '../duty.ts';
import { dutyCalls } from '../duty_calls.ts';
import { findPayments } from '../payments/operations.ts';
import type { Payment } from '../payments/payment.ts';
import type { Declared, DutyServices } from '../resource.ts';
import type { ClockTime } from '../test_clocks/test_clock.ts';
import { clockTime } from '../test_clocks/time.ts';
import { collectName } from './collect_due.ts';
import type { Invoice } from './invoice.ts';
import { invoicesTable, saveInvoice } from './store.ts';

/** Tries invoices again, ends their dunning, and closes those whose payment is not over yet. */
export function collectInvoices(services: DutyServices, declared: Declared): Duty {
  const run = dutyCalls(services, declared, 'invoices');
  return dueRows(services, 'invoices', invoicesTable, async (invoice) => {
    const { tenant, id, closing } = invoice;
    if (closing === null) return void (await run({ tenant, id, operation: collectName, charges: true }));
    const clock = await clockOf(services, invoice);
    if (closing === 'refund') {
      const refund = { operation: 'refunds.create', parameters: { payment: invoice.payment }, once: onceFor(invoice) };
      return void (await run({ tenant, id: '', clock, ...refund }));
    }
    const payment = (await findPayments({ reads: services.reads, tenant }, [invoice.payment!])).get(invoice.payment!);
    // A payment that cannot be canceled ends by itself. Whatever its end is, the invoice is voided with it.
    if (isCancelable(payment)) await run({ tenant, id: payment.id, clock, operation: 'payments.cancel' });
    else await services.committer.commit({ writes: [settledRow(invoice)] });
  });
}

/** What is at a processor ends in real time, so it does not wait for an advance of the clock. */
async function clockOf({ reads, clock }: DutyServices, invoice: Invoice): Promise<ClockTime | undefined> {
  const { test_clock: id } = invoice;
  return id === null ? undefined : { id, now: (await clockTime({ reads }, invoice)) ?? clock.now() };
}

function isCancelable(payment: Payment | undefined): payment is Payment {
  return payment?.status === 'requires_action' || payment?.status === 'requires_capture';
}

function settledRow(invoice: Invoice) {
  return saveInvoice({ ...invoice, version: invoice.version + 1, due_at: null, lease_until: null });
}

/** The refund is made once: the invoice is committed with it, and only while it is at the leased version. */
function onceFor(invoice: Invoice): Once<never> {
  const done = { ...invoice, version: invoice.version + 1, closing: null, due_at: null, lease_until: null };
  return {
    claim: () => [saveInvoice(done)],
    finish: () => [],
    async stored() {
      throw new Error('another process has the invoice');
    },
  };
}
