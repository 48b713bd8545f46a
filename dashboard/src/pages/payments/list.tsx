import type { Payment } from '@tollgate/node';
import { brandNames, filterChoices } from '../../generated/catalog.ts';
import { CreateButton } from '../../kit/create_button.tsx';
import { amountFilter, createdFilter, currencyFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { customerFilter, invoiceFilter } from '../../nouns/object_filters.tsx';
import { paymentColumns } from '../../nouns/payment_columns.tsx';
import { listPayments } from '../../nouns/payment_list.ts';
import { NewPaymentDialog } from './charge.tsx';

/** Of so many customers the API lists payments together. */
const customersMax = 10;

export const Page = listPage<Payment>({
  name: 'payments',
  title: 'Payments',
  icon: 'payments',
  columns: paymentColumns,
  filters: [
    wordsFilter('payment'),
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['payments.list'].status },
    customerFilter(customersMax),
    amountFilter,
    { kind: 'text', name: 'card', title: 'Card', placeholder: '4242' },
    createdFilter,
    { kind: 'text', name: 'decline_code', title: 'Decline code', placeholder: 'insufficient_funds', isRare: true },
    {
      kind: 'choices',
      name: 'brand',
      title: 'Brand',
      choices: filterChoices['payments.list'].brand,
      words: brandNames,
      isRare: true,
    },
    { kind: 'text', name: 'country', title: 'Country', placeholder: 'DE', isRare: true },
    { kind: 'text', name: 'processor', title: 'Processor', placeholder: 'stripe', isRare: true },
    { ...currencyFilter, isRare: true },
    invoiceFilter,
  ],
  actions: (
    <CreateButton
      calls="payments.create"
      title="Create payment"
      dialog={(onClose) => <NewPaymentDialog onClose={onClose} />}
    />
  ),
  load: listPayments,
  csv: { operation: 'payments.list', read: (api, params) => api.payments.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'payments',
      here: 'Charge a stored payment method with the button above.',
      event: 'payment.succeeded',
      path: '/v1/payments',
      parameters: { amount: 2000, currency: 'eur', payment_method: 'pm_…' },
    }),
});
