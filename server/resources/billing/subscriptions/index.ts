import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { subscriptionFigureSources } from '../../../operations/extension_points/statistics.ts';
import {
  relationByStatus,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import { findByExternalId } from '../../../operations/external_id.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { noteAbout } from '../../payments/customers/notes.ts';
import { dependents } from '../../payments/customers/operations.ts';
import { challengeRules } from '../../payments/payments/pass_on.ts';
import { setupSettlements, setupTopic } from '../../payments/setups/topic.ts';
import { dueByClock } from '../../payments/test_clocks/due_by_clock.ts';
import { clockWork } from '../../payments/test_clocks/work.ts';
import { notables } from '../../people/notes/notables.ts';
import { itemSubscriptions } from '../invoice_items/operations.ts';
import { invoicePayments } from '../invoices/index.ts';
import { keepRevenueDays, subscriptionFigures } from '../subscription_state/revenue.ts';
import { SubscriptionOutput } from '../subscription_state/schema.ts';
import {
  priceRows,
  removeSubscription,
  subscriptionPricesTable,
  subscriptionsTable,
} from '../subscription_state/store.ts';
import { subscriptionEvents, subscriptionStatuses } from '../subscription_state/subscription.ts';
import { advanceName } from './advance.ts';
import { endPendingSetup, subscriptionsOfCustomers } from './dependents.ts';
import { requireSubscription, subscriptionDescriptor } from './descriptor.ts';
import { subscriptionErrors } from './errors.ts';
import { finishChanges } from './finish_change.ts';
import { billSubscriptions } from './jobs.ts';
import { living } from './lifecycle.ts';
import { subscriptionMails } from './mails.ts';
import { checkItemSubscription, subscriptionOperations } from './operations.ts';
import { fillRevenues } from './revenue.ts';
import { hasPendingChange } from './store.ts';

/** Subscriptions under a test clock. They go with a deleted clock. */
const subscriptionsOfClocks = dueByClock({
  table: subscriptionsTable,
  job: 'subscriptions',
  operation: advanceName,
  isOver: `status = 'canceled'`,
  remove: (subscription) => [removeSubscription(subscription), ...priceRows(subscription, undefined)],
});

export const subscriptions = resource({
  name: 'subscriptions',
  about: 'What customers pay for at regular intervals, period by period.',
  place: { group: 'Billing', position: 10 },
  scopes: ['subscriptions'],
  errors: subscriptionErrors,
  events: eventsOf(subscriptionEvents, SubscriptionOutput),
  mails: subscriptionMails,
  operations: (declared) =>
    subscriptionOperations(invoicePayments(declared), setupTopic(declared.extensionsOf(setupSettlements))),
  jobs: (services, declared) => [billSubscriptions(services, declared), finishChanges(services, declared)],
  maintenance: [
    {
      name: 'revenue of days',
      home: 'tenant',
      isApart: true, // a day is kept soon after it has ended
      async run(sql, _, tenants) {
        const there = await tenants();
        await fillRevenues(sql, there);
        await keepRevenueDays(sql, there);
      },
    },
  ],
  extensions: [
    subscriptionFigureSources.with(subscriptionFigures),
    expandables.with(expandable(subscriptionDescriptor)),
    notables.with({
      prefix: 'sub',
      noun: 'subscription',
      find: async (context, id, param) => noteAbout(context, (await requireSubscription(context, id, param)).customer),
    }),
    challengeRules.with(hasPendingChange),
    setupSettlements.with(endPendingSetup),
    dependents.with(subscriptionsOfCustomers),
    itemSubscriptions.with(checkItemSubscription),
    clockWork.with(subscriptionsOfClocks),
    outstandingWork.with(
      rowsInStatus({
        kind: 'subscriptions',
        fate: 'are canceled now, without credit and without a last invoice',
        table: subscriptionsTable,
        statuses: living,
        endsBy: 'subscriptions.end',
      }),
    ),
    timelineKinds.with(timelineOf(subscriptionDescriptor)),
    timelineRelations.with(
      relationByStatus({
        of: 'cus',
        scope: 'subscriptions:read',
        table: subscriptionsTable,
        prefix: 'sub',
        column: 'customer',
        statuses: subscriptionStatuses,
      }),
    ),
    searchables.with(
      searchable(
        subscriptionDescriptor,
        ({ customer, status, external_id, items }) => ({
          summary: () => ({ title: 'Subscription', subtitle: status.replaceAll('_', ' ') }),
          texts: textsOf({ external_id }),
          belongsTo: [customer, ...items.map(({ price }) => price)],
        }),
        {
          foundBy: 'words',
          columns: { status: { values: subscriptionStatuses }, created: { column: 'created', isSeconds: true } },
          owners: [
            { prefix: 'cus', table: subscriptionsTable, column: 'customer' },
            { prefix: 'price', table: subscriptionPricesTable, column: 'price' },
          ],
          exact: findByExternalId(subscriptionDescriptor),
        },
      ),
    ),
  ],
});
