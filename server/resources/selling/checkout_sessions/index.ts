import { moneyText } from '../../../base/currency.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import {
  relationByStatus,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import { paymentTopic, settlements } from '../../payments/payments/topic.ts';
import { type CheckoutSession, checkoutSessionEvents, checkoutStatuses } from './checkout_session.ts';
import { sessionDescriptor } from './descriptor.ts';
import { checkoutSessionErrors } from './errors.ts';
import { expirySessions } from './jobs.ts';
import { sessionOperations } from './operations.ts';
import { SessionInEvent } from './schema.ts';
import { settleCheckout } from './settle.ts';
import { eraseDetails, sessionsTable } from './store.ts';

const topicOf = (declared: Declared) => paymentTopic(declared.extensionsOf(settlements));

export const checkoutSessions = resource({
  name: 'checkout_sessions',
  about: 'What customers are to pay for on a page of the gateway.',
  place: { group: 'Payments', position: 12 },
  scopes: ['checkout_sessions'],
  errors: checkoutSessionErrors,
  events: eventsOf(checkoutSessionEvents, SessionInEvent),
  operations: (declared) => sessionOperations(topicOf(declared)),
  jobs: (services, declared) => [expirySessions(services, declared)],
  maintenance: [{ name: 'details of customers in checkout sessions', run: eraseDetails }],
  extensions: [
    settlements.with(settleCheckout),
    expandables.with(expandable(sessionDescriptor)),
    timelineKinds.with(timelineOf(sessionDescriptor)),
    timelineRelations.with(
      relationByStatus({
        of: 'cus',
        scope: 'checkout_sessions:read',
        table: sessionsTable,
        prefix: 'cs',
        column: 'customer',
        statuses: checkoutStatuses,
      }),
    ),
    searchables.with(
      searchable(sessionDescriptor, described, {
        foundBy: 'words',
        columns: { status: { values: checkoutStatuses }, amount: 'amount_total' },
      }),
    ),
  ],
});

function described({
  id,
  amount_total: amount,
  currency,
  status,
  reference,
  description,
  line_items,
  customer,
  customer_details,
}: CheckoutSession) {
  const money = currency === null ? undefined : { amount, currency };
  return {
    summary: () => ({ title: money === undefined ? id : `Checkout of ${moneyText(money)}`, subtitle: status }),
    texts: [
      ...(money === undefined ? [] : [{ field: 'amount' as const, money }]),
      ...textsOf({ reference, description, email: customer_details?.email, name: customer_details?.name }),
      ...textsOf({ product: line_items?.[0]?.name }),
    ],
    ...(customer === null ? {} : { belongsTo: [customer] }),
  };
}
