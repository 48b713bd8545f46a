import { Skeleton } from '@mantine/core';
import type { Balance } from '@tollgate/node';
import { Command } from '../../kit/copy.tsx';
import { Failure } from '../../kit/failure.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import style from './balance.module.css';

type Row = { currency: string; available: number; pending: number; disputed: number };

/** One row for each currency. */
function rowsOf({ available, pending, disputed }: Balance): Row[] {
  const amountIn = (amounts: Balance['available'], currency: string) =>
    amounts.find((one) => one.currency === currency)?.amount ?? 0;
  return available.map(({ currency, amount }) => ({
    currency,
    available: amount,
    pending: amountIn(pending, currency),
    disputed: amountIn(disputed, currency),
  }));
}

/** What there is in each currency. */
export function Amounts() {
  const { data, error, refetch } = useRead(['balance'], (api, options) => api.balance.retrieve(options));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={86} />;
  const rows = rowsOf(data);
  if (rows.length === 0) return null;
  return (
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
          {rows.map(({ currency, available, pending, disputed }) => (
            <tr key={currency}>
              <th scope="row">{currency.toUpperCase()}</th>
              <td className={`${style.available} ${available < 0 ? style.below : ''}`}>
                {formatMoney(available, currency)}
              </td>
              <td>{formatMoney(pending, currency)}</td>
              <td>{formatMoney(disputed, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the API has no operation for. */
export function OfTheOperator() {
  return (
    <details className={style.note}>
      <summary>Payouts and checks for operators</summary>
      <p>Payouts are not available in this version: funds stay in the balance.</p>
      <p>Verify the ledger: every posting, its seal and the totals.</p>
      <Command text="npx tollgate ledger verify" />
      <p>Compare it with a processor’s records for one day:</p>
      <Command text="npx tollgate reconcile --connector simulator --date $(date -u +%F)" />
    </details>
  );
}
