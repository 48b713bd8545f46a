import type { Customer } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { customerName } from '../../nouns/names.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { createCustomer } from './edit.tsx';

export const Page = listPage<Customer>({
  name: 'customers',
  title: 'Customers',
  icon: 'customers',
  columns: [
    {
      id: 'name',
      title: 'Name',
      isText: true,
      cell: (customer) => <RowLink id={customer.id}>{customerName(customer)}</RowLink>,
    },
    {
      id: 'email',
      title: 'Email',
      isText: true,
      isWideOnly: true,
      isBelow: true,
      // Without a name, it stands there already.
      cell: ({ name, email }, isBelow) => (isBelow && name === undefined ? undefined : email),
    },
    { id: 'phone', title: 'Phone', isWideOnly: true, isHidden: true, cell: ({ phone }) => phone },
    idColumn,
    createdColumn,
  ],
  filters: [wordsFilter('customer'), createdFilter],
  actions: <NewCustomer />,
  load: (api, params, options) => api.customers.list(params, options),
  csv: { operation: 'customers.list', read: (api, params) => api.customers.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'customers',
      here: 'Create one with the button above.',
      event: 'customer.created',
      path: '/v1/customers',
      parameters: { name: 'Ada Lovelace', email: 'ada@example.com' },
    }),
});

function NewCustomer() {
  const { mode } = useWorkspace();
  return <CreateButton calls="customers.create" title="Create customer" dialog={createCustomer(mode)} />;
}
