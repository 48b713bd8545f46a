import { moneyText } from '../../../base/currency.ts';
import { customerFigures } from '../../../operations/extension_points/customer_summary.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { timelineKinds, timelineOf, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { type Notable, notables } from '../../people/notes/notables.ts';
import { flaggedOutcomes } from '../attempts/attention.ts';
import { needsPerson, unknownOutcomes } from '../attempts/gauges.ts';
import { noteAbout } from '../customers/notes.ts';
import { partsOfPayments } from '../payments/of_customer.ts';
import { requirePayment } from '../payments/operations.ts';
import { refundHolds } from '../refunds/operations.ts';
import { disputesToReview, waitingDisputes } from './attention.ts';
import { disputeEvents, disputeStatuses } from './dispute.ts';
import { disputeErrors } from './errors.ts';
import { DisputeJobs } from './jobs.ts';
import { disputesOfCustomers } from './of_customer.ts';
import { disputeDescriptor, disputeOperations, heldByDisputes, requireDispute } from './operations.ts';
import { DisputeOutput } from './schema.ts';
import { disputesTable, findDisputesByReference } from './store.ts';

const notesOnDisputes: Notable = {
  prefix: 'dp',
  noun: 'dispute',
  async find(context, id, param) {
    const { payment } = await requireDispute(context, id, param);
    return noteAbout(context, (await requirePayment(context, payment, param)).customer);
  },
};

export const disputes = resource({
  name: 'disputes',
  about: 'Payments that cardholders have disputed with their banks, and your evidence.',
  place: { group: 'Payments', position: 50 },
  scopes: ['disputes'],
  errors: disputeErrors,
  events: eventsOf(disputeEvents, DisputeOutput),
  operations: disputeOperations,
  jobs: (services) => [new DisputeJobs(services).job()],
  notices: (services) => new DisputeJobs(services),
  gauges: [
    ...unknownOutcomes('dispute', ['contest', 'concede']),
    needsPerson('dispute', disputesTable, 'flagged_at is not null or review is not null'),
  ],
  extensions: [
    notables.with(notesOnDisputes),
    expandables.with(expandable(disputeDescriptor)),
    refundHolds.with(heldByDisputes),
    needsAttention.with(flaggedOutcomes('dispute', disputesTable)),
    needsAttention.with(waitingDisputes),
    outstandingWork.with(
      rowsInStatus({
        kind: 'disputes_needs_response',
        fate: 'need a response at the processor, or are lost when the time for it is over',
        table: disputesTable,
        statuses: ['needs_response'],
      }),
    ),
    outstandingWork.with(
      rowsInStatus({
        kind: 'disputes_under_review',
        fate: 'wait for the verdict of the bank',
        table: disputesTable,
        statuses: ['under_review'],
      }),
    ),
    needsAttention.with(disputesToReview),
    customerFigures.with(disputesOfCustomers),
    figureSources.with({
      of: 'disputes',
      prefix: 'dp',
      table: disputesTable,
      countedBy: { column: 'status', values: disputeStatuses },
      amount: 'amount',
    }),
    timelineKinds.with(timelineOf(disputeDescriptor)),
    ...partsOfPayments({ scope: 'disputes:read', table: disputesTable, prefix: 'dp' }).map(timelineRelations.with),
    searchables.with(
      searchable(
        disputeDescriptor,
        ({ amount, currency, reason, status, reference }) => ({
          summary: () => ({
            title: moneyText({ amount, currency }),
            subtitle: `dispute, ${reason.replaceAll('_', ' ')}, ${status.replaceAll('_', ' ')}`,
          }),
          texts: [{ field: 'amount', money: { amount, currency } }, ...textsOf({ reference })],
        }),
        {
          foundBy: 'words',
          columns: {
            status: { values: disputeStatuses },
            amount: 'amount',
            created: { column: 'created_at', isSeconds: false },
          },
          exact: findDisputesByReference,
        },
      ),
    ),
  ],
});
