import { Skeleton } from '@mantine/core';
import type { BalanceBreakdown } from '@tollgate/node';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { Failure } from '../../kit/failure.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { reconcileCommand } from '../../nouns/reconcile_command.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './balance.module.css';
import { Explanation } from './explanation.tsx';

/** What there is in each currency, and why. */
export function Amounts() {
  const { data, error, refetch } = useRead<BalanceBreakdown>(['balance', 'breakdown'], (api, options) =>
    api.balance.retrieveBreakdown(options),
  );
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={86} />;
  if (data.data.length === 0) return null;
  return (
    <>
      <div className={style.box}>
        <table className={style.amounts}>
          <thead>
            <tr>
              <th scope="col">Currency</th>
              <th scope="col" title="Available today. Refunds and disputes are deducted immediately.">
                Available
              </th>
              <th scope="col" title="Payments minus fees that become available later.">
                Pending
              </th>
              <th scope="col" title="Amounts in open disputes. Not included in the other two.">
                Disputed
              </th>
            </tr>
          </thead>
          <tbody>
            {data.data.map(({ currency, available, pending, disputed }) => (
              <tr key={currency}>
                <th scope="row">{currency.toUpperCase()}</th>
                <td className={`${style.available} ${available < 0 ? style.below : ''}`}>
                  {formatMoney(available, currency)}
                </td>
                <td data-title="Pending" data-zero={pending === 0 || undefined}>
                  {formatMoney(pending, currency)}
                </td>
                <td data-title="Disputed" data-zero={disputed === 0 || undefined}>
                  {formatMoney(disputed, currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Explanation breakdown={data} />
    </>
  );
}

/** What the API has no operation for. */
export function OfTheOperator() {
  const { mode } = useWorkspace();
  return (
    <details className={style.note}>
      <summary>Payouts and checks for operators</summary>
      <p>Payouts are not available in this version: funds stay in the balance.</p>
      <p>Verify the ledger: every posting, its seal and the totals.</p>
      <Command text={tollgateCommand('ledger verify')} />
      <p>Compare it with a processor’s records for one day, and keep the result for the page Reconciliation:</p>
      <Command text={reconcileCommand(mode)} />
    </details>
  );
}
