import { flaggedOutcomes } from '../attempts/attention.ts';
import { needsPerson, unknownOutcomes } from '../attempts/measures.ts';
import { needsAttention } from '../needs_attention/attention.ts';
import { eventsOf, resource } from '../resource.ts';
import { figureSources } from '../statistics/figures.ts';
import { RefundDuties } from './duties.ts';
import { refundErrors } from './errors.ts';
import { refundHolds, refundOperations } from './operations.ts';
import { refundEvents, refundStatuses } from './refund.ts';
import { RefundOutput } from './schema.ts';
import { refundsTable } from './store.ts';

export const refunds = resource({
  name: 'refunds',
  about: 'Money that goes back to cardholders, all or part of a payment.',
  scopes: ['refunds'],
  errors: refundErrors,
  events: eventsOf(refundEvents, RefundOutput),
  occasions: {
    'refund.created': 'A refund was created.',
    'refund.updated': 'A pending refund has succeeded, or the metadata has changed.',
    'refund.failed': 'A refund has failed, at once or later.',
  },
  duties: (services) => [new RefundDuties(services).duty()],
  notices: (services) => new RefundDuties(services),
  measures: [...unknownOutcomes('refund', ['refund']), needsPerson('refund', refundsTable)],
  extensions: [
    needsAttention.with(flaggedOutcomes('refund', refundsTable)),
    figureSources.with({
      of: 'refunds',
      prefix: 're',
      table: refundsTable,
      statuses: refundStatuses,
      amount: 'amount',
    }),
  ],
  operations: (declared) => refundOperations(declared.extensionsOf(refundHolds)),
});
