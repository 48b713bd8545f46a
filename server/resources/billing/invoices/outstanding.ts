import { type Outstanding, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { countToRefund, invoicesTable } from './store.ts';

/** Invoices that are not over: they are ended after the subscriptions that make them, and before the payments that they wait for. */
export const outstandingInvoices: readonly Outstanding[] = [
  rowsInStatus({
    kind: 'draft_invoices',
    fate: 'are voided; one whose payment has no outcome yet, as soon as it has',
    table: invoicesTable,
    statuses: ['draft'],
    endsBy: 'invoices.end',
    endable: 'closing is null',
  }),
  rowsInStatus({
    kind: 'open_invoices',
    fate: 'are voided; one whose payment has no outcome yet, as soon as it has',
    table: invoicesTable,
    statuses: ['open'],
    endsBy: 'invoices.end',
    endable: 'closing is null',
  }),
  {
    kind: 'invoices_to_refund',
    fate: 'are void and were paid after all; a server refunds them',
    count: countToRefund,
  },
];
