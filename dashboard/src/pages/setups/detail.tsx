import { Failure } from '../../kit/failure.tsx';
import { useRead } from '../../kit/read.ts';
import { Redirect } from '../../kit/redirect.tsx';
import { PageSkeleton } from '../../kit/skeletons.tsx';

/** A setup stands on the page of its payment method. */
export function Detail({ id }: { id: string }) {
  const { data, error, refetch } = useRead(['setups', id], (api, options) => api.setups.retrieve(id, options));
  if (data !== undefined) return <Redirect to={`/payment-methods/${data.payment_method}`} />;
  return error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />;
}
