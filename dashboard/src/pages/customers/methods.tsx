import { ActionIcon, Menu } from '@mantine/core';
import type { Customer, PaymentMethod } from '@tollgate/node';
import { useDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { RelatedList } from '../../kit/related_list.tsx';
import { Status } from '../../kit/status.tsx';
import { useMethodsOf } from '../../nouns/billing_selects.tsx';
import { methodColumns } from '../../nouns/payment_method_columns.tsx';
import { methodWords } from '../../nouns/payment_method_words.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { detachMethod, makeDefault } from '../payment_methods/actions.tsx';
import { addTestCard, attachById } from './add_card.tsx';

/** The payment methods of a customer, and what can be done with them. */
export function Methods({ customer }: { customer: Customer }) {
  const { id, default_payment_method } = customer;
  const { may } = useWorkspace();
  const reading = useMethodsOf(id);
  const columns: Column<PaymentMethod>[] = [
    ...methodColumns.map((column) => (column.id === 'expires' ? { ...column, isWideOnly: true } : column)),
    {
      id: 'default',
      title: 'Use',
      cell: (method) => method.id === default_payment_method && <Status status="default" tone="good" />,
    },
    { id: 'id', title: 'ID', isWideOnly: true, cell: (method) => <IdLink id={method.id} canCopy /> },
    ...(may('payment_methods.detach')
      ? [
          {
            id: 'actions',
            title: 'Actions',
            hideTitle: true,
            align: 'right' as const,
            cell: (method: PaymentMethod) => <MethodMenu method={method} customer={customer} />,
          },
        ]
      : []),
  ];
  return (
    <RelatedList
      title="Payment methods"
      reading={reading}
      columns={columns}
      aside={<Adding customer={id} />}
      empty="No payment methods."
    />
  );
}

function Adding({ customer }: { customer: string }) {
  const { mode } = useWorkspace();
  return (
    <>
      <CreateButton title="Attach" calls="payment_methods.attach" isSmall dialog={attachById(customer)} />
      {mode === 'test' && (
        <CreateButton title="Add a test card" calls="payment_methods.create" isSmall dialog={addTestCard(customer)} />
      )}
    </>
  );
}

function MethodMenu({ method, customer }: { method: PaymentMethod; customer: Customer }) {
  const { dialog, open } = useDialog();
  const isDefault = method.id === customer.default_payment_method;
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={180} withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${methodWords(method)}`}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isDefault && <Menu.Item onClick={() => open(makeDefault(method, customer.id))}>Make default</Menu.Item>}
          <Menu.Item onClick={() => open(detachMethod(method, isDefault))}>Detach</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
