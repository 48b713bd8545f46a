import { useRead } from '../../kit/read.ts';
import { RedirectPage } from '../../kit/redirect.tsx';

/** A setup stands on the page of its payment method. */
export function Detail({ id }: { id: string }) {
  const reading = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  return <RedirectPage id={id} reading={reading} to={({ payment_method }) => `/payment-methods/${payment_method}`} />;
}
