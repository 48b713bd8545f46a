import { Failure } from '../../kit/failure.tsx';
import { useRead } from '../../kit/read.ts';
import { Redirect } from '../../kit/redirect.tsx';
import { PageSkeleton } from '../../kit/skeletons.tsx';

/** An item stands on its invoice. Until it has one, it waits at its customer. */
export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useRead(['invoice_items', id], (api, options) =>
    api.invoiceItems.retrieve(id, options),
  );
  if (data !== undefined)
    return <Redirect to={data.invoice === undefined ? `/customers/${data.customer}` : `/invoices/${data.invoice}`} />;
  return error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
}
