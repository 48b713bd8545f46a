import { moneyText } from '../../../base/currency.ts';
import { findRows } from '../../../operations/descriptor.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import {
  type SearchFacts,
  type SearchTerms,
  searchable,
  searchables,
  textsOf,
} from '../../../operations/extension_points/search.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { timelineKinds, timelineOf, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import { flaggedOutcomes } from '../attempts/attention.ts';
import { findAttemptsByReference } from '../attempts/by_reference.ts';
import { needsPerson, unknownOutcomes } from '../attempts/gauges.ts';
import { partsOfPayments } from '../payments/of_customer.ts';
import { refundErrors } from './errors.ts';
import { RefundJobs } from './jobs.ts';
import { refundDescriptor, refundHolds, refundOperations } from './operations.ts';
import { type Refund, refundEvents, refundStatuses } from './refund.ts';
import { refundMail } from './refund_mail.ts';
import { RefundOutput } from './schema.ts';
import { refundsTable } from './store.ts';
import { refundSettlements, refundTopic } from './topic.ts';

const searchedBy = {
  foundBy: 'words',
  columns: {
    status: { values: refundStatuses },
    amount: 'amount',
    created: { column: 'created_at', isSeconds: false },
  },
  exact: byReference,
} as const;

export const refunds = resource({
  name: 'refunds',
  about: 'Money that goes back to customers, all or part of a payment.',
  place: { group: 'Payments', position: 40 },
  scopes: ['refunds'],
  errors: refundErrors,
  events: eventsOf(refundEvents, RefundOutput),
  mails: [refundMail],
  jobs: (services, declared) => [new RefundJobs(services, topicOf(declared)).job()],
  notices: (services, declared) => new RefundJobs(services, topicOf(declared)),
  gauges: [...unknownOutcomes('refund', ['refund']), needsPerson('refund', refundsTable)],
  extensions: [
    expandables.with(expandable(refundDescriptor)),
    needsAttention.with(flaggedOutcomes('refund', refundsTable)),
    outstandingWork.with(
      rowsInStatus({
        kind: 'refunds_pending',
        fate: 'wait for the processor',
        table: refundsTable,
        statuses: ['pending'],
      }),
    ),
    figureSources.with({
      of: 'refunds',
      prefix: 're',
      table: refundsTable,
      countedBy: { column: 'status', values: refundStatuses },
      amount: 'amount',
    }),
    timelineKinds.with(timelineOf(refundDescriptor)),
    ...partsOfPayments({ scope: 'refunds:read', table: refundsTable, prefix: 're' }).map(timelineRelations.with),
    searchables.with(searchable(refundDescriptor, factsOf, searchedBy)),
  ],
  operations: (declared) => refundOperations(topicOf(declared), declared.extensionsOf(refundHolds)),
});

function topicOf(declared: Declared) {
  return refundTopic(declared.extensionsOf(refundSettlements));
}

function factsOf({ amount, currency, status, processor_reference }: Refund): SearchFacts {
  return {
    summary: () => ({ title: moneyText({ amount, currency }), subtitle: `refund, ${status}` }),
    texts: [{ field: 'amount', money: { amount, currency } }, ...textsOf({ reference: processor_reference })],
  };
}

async function byReference(context: Context, { reference }: SearchTerms, limit: number): Promise<Refund[]> {
  const attempts = await findAttemptsByReference(context, reference, limit);
  const ids = attempts.flatMap(({ refund }) => refund ?? []);
  return [...(await findRows(refundDescriptor)(context, ids)).values()];
}
