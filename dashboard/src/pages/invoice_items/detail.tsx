import { useRead } from '../../kit/read.ts';
import { RedirectPage } from '../../kit/redirect.tsx';

const list = { path: '/invoices', title: 'Invoices' };

/** An item stands on its invoice. Until it has one, it waits at its customer. */
export function Detail({ id }: { id: string }) {
  const reading = useRead(['invoice_items', id], (api, options) => api.invoiceItems.retrieve(id, options));
  const to = ({ invoice, customer }: { invoice?: string; customer: string }) =>
    invoice === undefined ? `/customers/${customer}` : `/invoices/${invoice}`;
  return <RedirectPage id={id} list={list} reading={reading} to={to} path={`/invoice-items/${id}`} />;
}
