import { moneyText } from '../../../base/currency.ts';
import type { Money } from '../../../base/money.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { contactsIn, mailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { funnelSources } from '../../../operations/extension_points/statistics.ts';
import {
  relationByStatus,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import { dependents } from '../../payments/customers/operations.ts';
import { lateApprovalRules } from '../../payments/payments/late_approval.ts';
import { paymentTopic, settlements } from '../../payments/payments/topic.ts';
import { setupSettlements, setupTopic } from '../../payments/setups/topic.ts';
import { lateSessions } from './attention.ts';
import { type CheckoutSession, checkoutSessionEvents, checkoutStatuses } from './checkout_session.ts';
import { sessionDescriptor } from './descriptor.ts';
import { guestOf } from './details.ts';
import { sessionsOfCustomers } from './erasure.ts';
import { checkoutSessionErrors } from './errors.ts';
import { expirySessions } from './jobs.ts';
import { judgeLateApproval } from './late.ts';
import { sessionOperations } from './operations.ts';
import { SessionInEvent } from './schema.ts';
import { settleCheckout, settleSetupOfCheckout } from './settle.ts';
import { eraseDetails, sessionsTable } from './store.ts';
import type { TryTopics } from './tries.ts';

const topicsOf = (declared: Declared): TryTopics => ({
  payments: paymentTopic(declared.extensionsOf(settlements)),
  setups: setupTopic(declared.extensionsOf(setupSettlements)),
});

export const checkoutSessions = resource({
  name: 'checkout_sessions',
  about: 'What customers are to pay for on a page of the gateway.',
  place: { group: 'Payments', position: 12 },
  scopes: ['checkout_sessions'],
  errors: checkoutSessionErrors,
  events: eventsOf(checkoutSessionEvents, SessionInEvent),
  operations: (declared) => sessionOperations(topicsOf(declared)),
  jobs: (services, declared) => [expirySessions(services, declared)],
  maintenance: [{ name: 'details of customers in checkout sessions', home: 'tenant', run: eraseDetails }],
  extensions: [
    settlements.with(settleCheckout),
    setupSettlements.with(settleSetupOfCheckout),
    dependents.with(sessionsOfCustomers),
    mailContacts.with(contactsIn({ prefix: 'cs', table: sessionsTable, contactIn: guestOf })),
    lateApprovalRules.with(judgeLateApproval),
    needsAttention.with(lateSessions),
    funnelSources.with({
      prefix: 'cs',
      table: sessionsTable,
      countedBy: { column: 'status', values: checkoutStatuses },
      amount: 'amount_total',
      maker: 'payment_link',
    }),
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
  mode,
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
    summary: () => ({ title: titleOf(mode, money) ?? id, subtitle: status }),
    texts: [
      ...(money === undefined || mode === 'setup' ? [] : [{ field: 'amount' as const, money }]),
      ...textsOf({ reference, description, email: customer_details?.email, name: customer_details?.name }),
      ...textsOf({ product: line_items?.[0]?.name }),
    ],
    ...(customer === null ? {} : { belongsTo: [customer] }),
  };
}

function titleOf(mode: CheckoutSession['mode'], money: Money | undefined): string | undefined {
  if (mode === 'setup') return 'Checkout that keeps a payment method';
  return money && `Checkout of ${moneyText(money)}`;
}
