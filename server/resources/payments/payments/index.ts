import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { searchables } from '../../../operations/extension_points/search.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { timelineKinds, timelineOf, timelineSources } from '../../../operations/extension_points/timeline.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
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
import { returnKinds, returnPage } from '../returns/page.ts';
import { paymentErrors } from './errors.ts';
import { PaymentJobs } from './jobs.ts';
import { paymentDescriptor, paymentOperations, requirePayment } from './operations.ts';
import { challengeRules, type PassOnServices } from './pass_on.ts';
import { paymentEvents, paymentStatuses } from './payment.ts';
import { returnsFromPayments } from './return.ts';
import { PaymentInEvent } from './schema.ts';
import { searchPayments } from './search.ts';
import { hasUnfinished, paymentsTable } from './store.ts';
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

const topicOf = (declared: Declared) => paymentTopic(declared.extensionsOf(settlements));

function jobOf(services: PassOnServices, declared: Declared): PaymentJobs {
  return new PaymentJobs(services, topicOf(declared), declared.extensionsOf(challengeRules));
}

export const payments = resource({
  name: 'payments',
  about: 'Charges of payment methods, from the first authorization to the money.',
  place: { group: 'Payments', position: 10 },
  scopes: ['payments'],
  errors: paymentErrors,
  events: eventsOf(paymentEvents, PaymentInEvent),
  operations: (declared) => paymentOperations(topicOf(declared)),
  jobs: (services, declared) => [jobOf(services, declared).job()],
  notices: jobOf,
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
    figureSources.with({
      of: 'payments',
      prefix: 'py',
      table: paymentsTable,
      statuses: paymentStatuses,
      amount: 'amount_received',
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
    timelineSources.with(attemptsInTimelines),
    searchables.with(searchPayments),
    returnKinds.with(returnsFromPayments(jobOf)),
  ],
});
