import { useRead } from '../../kit/read.ts';
import { RedirectPage } from '../../kit/redirect.tsx';

const list = { path: '/payment-methods', title: 'Payment methods' };

/** A setup stands on the page of its payment method. It has none while the customer has yet to choose one. */
export function Detail({ id }: { id: string }) {
  const reading = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  const to = ({ payment_method }: { payment_method?: string }) =>
    payment_method === undefined ? list.path : `/payment-methods/${payment_method}`;
  return <RedirectPage id={id} list={list} reading={reading} to={to} path={`/setups/${id}`} />;
}
