import type { CheckoutSession } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, currencyFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { Conversion } from '../../nouns/conversion.tsx';
import { customerFilter, paymentLinkFilter } from '../../nouns/object_filters.tsx';
import { sessionColumns } from '../../nouns/session_columns.tsx';
import { createSession } from './create.tsx';

export const Page = listPage<CheckoutSession>({
  name: 'checkout_sessions',
  title: 'Checkout sessions',
  icon: 'sessions',
  columns: sessionColumns,
  filters: [
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['checkout_sessions.list'].status },
    customerFilter(),
    { kind: 'text', name: 'reference', title: 'Reference', placeholder: 'order-1234' },
    paymentLinkFilter,
    currencyFilter,
    createdFilter,
  ],
  load: (api, params, options) => api.checkoutSessions.list({ ...params, expand: ['customer'] }, options),
  csv: { operation: 'checkout_sessions.list', read: (api, params) => api.checkoutSessions.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'checkout sessions',
      here: 'A session is one sale, on a page that you send a customer to. Create one with the button above.',
      event: 'checkout_session.created',
      path: '/v1/checkout_sessions',
      parameters: { amount: 2000, currency: 'eur', description: 'Coffee beans' },
    }),
  summary: <Conversion />,
  actions: <CreateButton title="Create session" calls="checkout_sessions.create" dialog={createSession} />,
});
