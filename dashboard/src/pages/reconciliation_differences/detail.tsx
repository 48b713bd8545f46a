import type { ReconciliationDifference } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';
import { RedirectPage } from '../../kit/redirect.tsx';

const list = { path: '/reconciliations', title: 'Reconciliation' };

/** A difference stands on the page of its day. One that was recorded before days were kept has none. */
export function Detail({ id }: { id: string }) {
  const reading = useRead<ReconciliationDifference>(['reconciliation_differences', id], (api, options) =>
    api.reconciliationDifferences.retrieve(id, options),
  );
  const to = ({ reconciliation }: ReconciliationDifference) =>
    reconciliation === undefined ? list.path : `${list.path}/${reconciliation}`;
  return <RedirectPage id={id} list={list} reading={reading} to={to} path={`/reconciliation-differences/${id}`} />;
}
