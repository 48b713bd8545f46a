import type { PaymentLink } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { Copy } from '../../kit/copy.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { LinkName, LinkStatus } from '../../nouns/link_parts.tsx';
import { linkAmount } from '../../nouns/sold_words.ts';
import { createLink } from './create.tsx';

export const Page = listPage<PaymentLink>({
  name: 'payment_links',
  title: 'Payment links',
  icon: 'links',
  columns: [
    {
      id: 'sold',
      title: 'What is sold',
      isText: true,
      cell: (link) => (
        <RowLink id={link.id}>
          <LinkName link={link} />
        </RowLink>
      ),
    },
    { id: 'status', title: 'Status', room: 7, cell: (link) => <LinkStatus link={link} /> },
    { id: 'amount', title: 'Amount', room: 9, isBelow: true, cell: linkAmount },
    { id: 'completed', title: 'Sold', align: 'right', room: 5, cell: ({ completed }) => completed.toLocaleString() },
    {
      id: 'url',
      title: 'Address',
      room: 4,
      isWideOnly: true,
      cell: ({ url }) => <Copy text={url} label="Copy the address" />,
    },
    idColumn,
    // On a telephone the names need its room.
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [
    {
      kind: 'choice',
      name: 'active',
      title: 'Status',
      choices: ['true', 'false'],
      words: { true: 'Active', false: 'Switched off' },
    },
    createdFilter,
  ],
  load: (api, params, options) => api.paymentLinks.list(params, options),
  csv: { operation: 'payment_links.list', read: (api, params) => api.paymentLinks.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'payment links',
      here: 'A link sells the same thing to everybody who opens it. Create one with the button above.',
      event: 'payment_link.created',
      path: '/v1/payment_links',
      parameters: { amount: 2000, currency: 'eur', description: 'Coffee beans' },
    }),
  actions: <CreateButton title="Create link" calls="payment_links.create" dialog={createLink} />,
});
