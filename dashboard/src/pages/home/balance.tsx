import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { TitleRow } from '../../kit/title_row.tsx';
import style from './home.module.css';

const shownMax = 4;

/** What there is, in short: in the currencies that are used most, which are named in this order. */
export function BalanceSummary({ currencies }: { currencies: readonly string[] }) {
  const { data, error, refetch } = useRead(['balance'], (api, options) => api.balance.retrieve(options));
  return (
    <Section title="Balance" isFlush aside={<Link to={'/balance' as string}>Details</Link>}>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && (
        <Skeleton height={80} m="md" w="auto" role="status" aria-busy="true" aria-label="Loading" />
      )}
      {data?.available.length === 0 && (
        <p className={style.nothing}>Nothing yet: payments appear here when they are captured.</p>
      )}
      {data !== undefined && data.available.length > 0 && (
        <div className={style.tableBox}>
          <table className={style.table}>
            <TitleRow titles={['Currency', 'Available', 'Pending']} />
            <tbody>
              {mostUsed(data.available, currencies).map(({ currency, amount }) => (
                <tr key={currency}>
                  <th scope="row">{currency.toUpperCase()}</th>
                  <td data-tone={amount < 0 ? 'bad' : undefined}>{formatMoney(amount, currency)}</td>
                  <td className="quiet">
                    {formatMoney(data.pending.find((one) => one.currency === currency)?.amount ?? 0, currency)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function mostUsed<Amount extends { currency: string }>(all: readonly Amount[], order: readonly string[]): Amount[] {
  const rank = ({ currency }: Amount) => (order.includes(currency) ? order.indexOf(currency) : order.length);
  return all.toSorted((one, other) => rank(one) - rank(other)).slice(0, shownMax);
}
