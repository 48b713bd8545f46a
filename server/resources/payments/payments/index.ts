import { customerFigures } from '../../../operations/extension_points/customer_summary.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { breakdownSources, figureSources } from '../../../operations/extension_points/statistics.ts';
import {
  timelineKinds,
  timelineOf,
  timelineRelations,
  timelineSources,
} from '../../../operations/extension_points/timeline.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { notables } from '../../people/notes/notables.ts';
import { flaggedOutcomes } from '../attempts/attention.ts';
import { needsPerson, unknownOutcomes } from '../attempts/gauges.ts';
import { healthOfAttempts } from '../attempts/health.ts';
import { hasAttemptsAt } from '../attempts/store.ts';
import { attemptsInTimelines } from '../attempts/timeline.ts';
import { noteAbout } from '../customers/notes.ts';
import { usesOfMethods } from '../payment_methods/jobs.ts';
import { healthSources } from '../processor_accounts/health.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { closePage, type ReturnKind, returnKinds, returnPage, type Words } from '../returns/page.ts';
import { paymentErrors } from './errors.ts';
import { paymentsOfCustomer, paymentsOfCustomers, triesOfSession } from './of_customer.ts';
import { paymentDescriptor, paymentOperations, requirePayment } from './operations.ts';
import { type PaymentStatus, paymentEvents, paymentStatuses } from './payment.ts';
import { paymentJobs } from './payment_jobs.ts';
import { receiptMail } from './receipt_mail.ts';
import { receiptPdf } from './receipt_pdf.ts';
import { PaymentInEvent } from './schema.ts';
import { searchPayments } from './search.ts';
import { fillCardFacts, fillProcessorAccounts, hasUnfinished, paymentsTable } from './store.ts';
import { paymentTopic, settlements } from './topic.ts';

const canceled = { table: paymentsTable, endsBy: 'payments.cancel' };

const outstandingPayments: readonly Outstanding[] = [
  rowsInStatus({
    ...canceled,
    kind: 'payments_requires_capture',
    fate: 'are canceled, which releases the authorization',
    statuses: ['requires_capture'],
  }),
  rowsInStatus({
    ...canceled,
    kind: 'payments_requires_action',
    fate: 'are canceled; the cardholder can no longer authenticate',
    statuses: ['requires_action'],
  }),
  rowsInStatus({
    kind: 'payments_processing',
    fate: 'wait for the processor: the outcome is unknown',
    table: paymentsTable,
    statuses: ['processing'],
  }),
];

const approved = { title: 'Your payment was approved', words: closePage };
const unfinished = {
  title: 'Your payment is not finished yet',
  words: `The shop is notified as soon as it is. Please do not pay again. ${closePage}`,
};
const returnTexts: Record<PaymentStatus, Words> = {
  succeeded: approved,
  requires_capture: approved,
  failed: { title: 'Your payment failed', words: `You were not charged. ${closePage}` },
  canceled: { title: 'Your payment was canceled', words: `You were not charged. ${closePage}` },
  processing: unfinished,
  requires_action: unfinished,
};

const topicOf = (declared: Declared) => paymentTopic(declared.extensionsOf(settlements));

/** How cardholders come back from the authentication of a payment. */
function returnsFromPayments(services: Services, declared: Declared): ReturnKind {
  return {
    prefix: 'py',
    name: 'payment',
    async find(reads, tenant, id) {
      const payment = await reads.one(paymentsTable, tenant, id);
      return payment && { ...payment, attempt: payment.open_attempt ?? payment.authorization_attempt };
    },
    handlers: paymentJobs(services, declared),
    texts: returnTexts,
  };
}

export const payments = resource({
  name: 'payments',
  about: 'Charges of payment methods, from the first authorization to the money.',
  place: { group: 'Payments', position: 10 },
  scopes: ['payments'],
  errors: paymentErrors,
  events: eventsOf(paymentEvents, PaymentInEvent),
  mails: [receiptMail],
  operations: (declared) => [...paymentOperations(topicOf(declared)), receiptPdf],
  jobs: (services, declared) => [paymentJobs(services, declared).job()],
  maintenance: [
    { name: 'brands and countries of payments', home: 'tenant', isLong: true, run: fillCardFacts },
    { name: 'processor accounts of payments', home: 'tenant', isLong: true, run: fillProcessorAccounts },
  ],
  notices: paymentJobs,
  pages: (services, declared) => [
    returnPage(
      services,
      declared.extensionsOf(returnKinds).map((kind) => kind(services, declared)),
    ),
  ],
  gauges: [
    ...unknownOutcomes('payment', ['authorize', 'capture', 'cancel', 'reverse']),
    needsPerson('payment', paymentsTable),
  ],
  extensions: [
    expandables.with(expandable(paymentDescriptor)),
    needsAttention.with(flaggedOutcomes('payment', paymentsTable)),
    ...outstandingPayments.map(outstandingWork.with),
    customerFigures.with(paymentsOfCustomers),
    figureSources.with({
      of: 'payments',
      prefix: 'py',
      table: paymentsTable,
      countedBy: { column: 'status', values: paymentStatuses },
      amount: 'amount_received',
    }),
    breakdownSources.with({
      prefix: 'py',
      table: paymentsTable,
      amount: 'amount_received',
      values: {
        decline_code: { value: 'coalesce(failure_decline_code, failure_code)', status: 'failed' },
        processor: { value: 'processor_account' },
        brand: { value: 'brand' },
        country: { value: 'country' },
      },
    }),
    usesOfMethods.with(hasUnfinished),
    usesOfProcessorAccounts.with({ noun: 'payments', isUsed: hasAttemptsAt }),
    healthSources.with(healthOfAttempts),
    notables.with({
      prefix: 'py',
      noun: 'payment',
      find: async (context, id, param) => noteAbout(context, (await requirePayment(context, id, param)).customer),
    }),
    timelineKinds.with(timelineOf(paymentDescriptor)),
    timelineRelations.with(paymentsOfCustomer),
    timelineRelations.with(triesOfSession),
    timelineSources.with(attemptsInTimelines),
    searchables.with(searchPayments),
    returnKinds.with(returnsFromPayments),
  ],
});
