import { dueByClock } from '../../payments/test_clocks/due_by_clock.ts';
import { dropItem } from '../invoice_items/waiting.ts';
import { collectName } from './collect_due.ts';
import { invoicesTable, removeInvoice } from './store.ts';

/** Invoices under a test clock. They go with a deleted clock, once their payments are over, and so do the items that they have taken. */
export const invoicesOfClocks = dueByClock({
  table: invoicesTable,
  job: 'invoices',
  operation: collectName,
  isOver: `status in ('paid', 'void', 'uncollectible') and (closing is null or (closing = 'refund' and closing_tries > 0))`,
  remove: (invoice) => [
    removeInvoice(invoice),
    ...invoice.lines.flatMap(({ invoice_item }) =>
      invoice_item === undefined ? [] : [dropItem(invoice.tenant, invoice_item)],
    ),
  ],
});
