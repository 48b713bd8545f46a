import { moneyText } from '../../../base/currency.ts';
import { customerFigures } from '../../../operations/extension_points/customer_summary.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { subscriptionFigureSources } from '../../../operations/extension_points/statistics.ts';
import {
  relationByStatus,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import { needsPerson } from '../../payments/attempts/gauges.ts';
import { type PaymentTopic, paymentTopic, settlements } from '../../payments/payments/topic.ts';
import { refundSettlements } from '../../payments/refunds/topic.ts';
import { dueByClock } from '../../payments/test_clocks/due_by_clock.ts';
import { clockWork } from '../../payments/test_clocks/work.ts';
import { dropItem } from '../invoice_items/waiting.ts';
import { invoicesInDunning, invoicesNotClosed } from './attention.ts';
import { collectName, collectOperation } from './collect_due.ts';
import { invoiceDescriptor } from './descriptor.ts';
import { dunningFigures } from './dunning_figures.ts';
import { invoiceErrors } from './errors.ts';
import { invoiceEvents, invoiceStatuses, numberText } from './invoice.ts';
import { collectInvoices } from './jobs.ts';
import { invoiceMails } from './mails.ts';
import { invoicesOfCustomers } from './of_customer.ts';
import { invoiceOperations } from './operations.ts';
import { InvoiceOutput } from './schema.ts';
import { settleInvoice, settleRefundOfInvoice } from './settle.ts';
import {
  countToRefund,
  findByNumber,
  findInvoiceIdsOf,
  findPaymentOf,
  invoicesTable,
  needsPersonToClose,
  removeInvoice,
} from './store.ts';

/** Invoices that are not over: they are ended after the subscriptions that make them, and before the payments that they wait for. */
const outstandingInvoices: readonly Outstanding[] = [
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

/** Of an invoice with many lines. */
const searchedLinesMax = 10;

const searchInvoices = searchable(
  invoiceDescriptor,
  ({ number, amount_due: amount, currency, status, lines, customer }) => ({
    summary: () => ({
      title: number === null ? 'Draft of an invoice' : numberText(number),
      subtitle: `${moneyText({ amount, currency })}, ${status}`,
    }),
    texts: [
      { field: 'amount', money: { amount, currency } },
      ...textsOf({ number: number === null ? null : numberText(number) }),
      ...lines
        .slice(0, searchedLinesMax)
        .map(({ description }) => ({ field: 'description', text: description }) as const),
    ],
    belongsTo: [customer],
  }),
  {
    foundBy: 'words',
    columns: {
      status: { values: invoiceStatuses },
      amount: 'amount_due',
      created: { column: 'created', isSeconds: true },
    },
    owners: [{ prefix: 'cus', table: invoicesTable, column: 'customer' }],
    exact: findByNumber,
  },
);

/** Invoices under a test clock. They go with a deleted clock, once their payments are over, and so do the items that they have taken. */
const invoicesOfClocks = dueByClock({
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

/** The payments of invoices settle them, so they are a separate topic here. */
export function invoicePayments(declared: Declared): PaymentTopic {
  return paymentTopic(declared.extensionsOf(settlements));
}

export const invoices = resource({
  name: 'invoices',
  about: 'What customers owe, line by line, and how it was paid.',
  place: { group: 'Billing', position: 30 },
  errors: invoiceErrors,
  events: eventsOf(invoiceEvents, InvoiceOutput),
  mails: invoiceMails,
  operations: (declared) => {
    const payments = invoicePayments(declared);
    return [...invoiceOperations(payments), collectOperation(payments)];
  },
  jobs: (services, declared) => [collectInvoices(services, declared)],
  gauges: [needsPerson('invoice', invoicesTable, needsPersonToClose)],
  extensions: [
    subscriptionFigureSources.with(dunningFigures),
    expandables.with(expandable(invoiceDescriptor)),
    clockWork.with(invoicesOfClocks),
    customerFigures.with(invoicesOfCustomers),
    needsAttention.with(invoicesInDunning),
    needsAttention.with(invoicesNotClosed),
    settlements.with(settleInvoice),
    refundSettlements.with(settleRefundOfInvoice),
    ...outstandingInvoices.map(outstandingWork.with),
    timelineKinds.with(timelineOf(invoiceDescriptor)),
    timelineRelations.with({ of: 'in', scope: 'payments:read', find: findPaymentOf }),
    timelineRelations.with({ of: 'sub', scope: 'invoices:read', find: findInvoiceIdsOf }),
    timelineRelations.with(
      relationByStatus({
        of: 'cus',
        scope: 'invoices:read',
        table: invoicesTable,
        prefix: 'in',
        column: 'customer',
        statuses: invoiceStatuses,
      }),
    ),
    searchables.with(searchInvoices),
  ],
});
