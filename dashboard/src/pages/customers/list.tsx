import type { Customer } from '@tollgate/node';
import { CreateButton } from '../../kit/create_button.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { NewCustomerDialog } from './edit.tsx';
import { nameOf } from './name.ts';

const customers: ListDescriptor<Customer> = {
  name: 'customers',
  title: 'Customers',
  icon: 'customers',
  columns: [
    {
      id: 'name',
      title: 'Name',
      cell: (customer) => <RowLink id={customer.id}>{nameOf(customer)}</RowLink>,
    },
    { id: 'email', title: 'Email', isWideOnly: true, cell: ({ email }) => email },
    { id: 'phone', title: 'Phone', isWideOnly: true, isHidden: true, cell: ({ phone }) => phone },
    { id: 'id', title: 'Id', isWideOnly: true, cell: ({ id }) => <IdLink id={id} canCopy /> },
    { id: 'created', title: 'Created', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
  ],
  filters: [{ kind: 'days', name: 'created', title: 'Created' }],
  actions: (
    <CreateButton right="change" title="New customer" dialog={(onClose) => <NewCustomerDialog onClose={onClose} />} />
  ),
  load: (api, params, options) => api.customers.list(params, options),
  csv: (api, params) => api.customers.listCsv(params),
  empty: (mode) => ({
    title: `No ${mode} customers yet`,
    text: 'Create one above. Your server creates them too, or a command does:',
    command:
      mode === 'test'
        ? 'npx tollgate customers create --name "Ada Lovelace" --email ada@example.com'
        : `curl ${location.origin}/v1/customers \\\n  -H 'Authorization: Bearer sk_live_tg_…' \\\n  -d name='Ada Lovelace' -d email=ada@example.com`,
  }),
};

export function CustomersPage() {
  return <ListPage list={customers} />;
}
