import type { Payment } from '@tollgate/node';
import { lazy } from 'react';
import { filterChoices } from '../../generated/catalog.ts';
import { chunk } from '../../kit/chunk.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, currencyFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { paymentColumns } from '../../nouns/payment_columns.tsx';

/** Not part of the first page. */
const NewPaymentDialog = lazy(chunk(async () => ({ default: (await import('./new_payment.tsx')).NewPaymentDialog })));

export const Page = listPage<Payment>({
  name: 'payments',
  title: 'Payments',
  icon: 'payments',
  columns: paymentColumns,
  filters: [
    { kind: 'choice', name: 'status', title: 'Status', choices: filterChoices['payments.list'].status },
    { kind: 'text', name: 'customer', title: 'Customer', placeholder: 'cus_…' },
    { kind: 'text', name: 'invoice', title: 'Invoice', placeholder: 'in_…' },
    currencyFilter,
    createdFilter,
  ],
  actions: (
    <CreateButton right="change" title="Create payment" dialog={(onClose) => <NewPaymentDialog onClose={onClose} />} />
  ),
  load: (api, params, options) => api.payments.list(params, options),
  csv: (api, params) => api.payments.listCsv(params),
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'payments',
      here: 'Charge a stored payment method with the button above.',
      event: 'payment.succeeded',
      path: '/v1/payments',
      parameters: { amount: 2000, currency: 'eur', payment_method: 'pm_…' },
    }),
});
