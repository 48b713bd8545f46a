import type { BalanceBreakdown, BalanceParts } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';
import { Notice } from '../../kit/notice.tsx';
import style from './balance.module.css';
import { belowZeroWords, movementsOf, shownDay } from './explanation_words.ts';

/** Why the balance is what it is. What is below zero says so; the rest is for those who ask. */
export function Explanation({ breakdown: { data, since } }: { breakdown: BalanceBreakdown }) {
  const below = data.filter(({ available }) => available < 0);
  return (
    <>
      {below.map((parts) => (
        <BelowZero key={parts.currency} parts={parts} />
      ))}
      <details className={style.fold}>
        <summary>What the balance is made of</summary>
        <div className={style.statements}>
          {data.map((parts) => (
            <Statement key={parts.currency} parts={parts} since={since} />
          ))}
        </div>
      </details>
    </>
  );
}

function BelowZero({ parts }: { parts: BalanceParts }) {
  const { title, sentences } = belowZeroWords(parts);
  return (
    <Notice tone={parts.covered_on === undefined ? 'bad' : 'waiting'} title={title}>
      {sentences.join(' ')}
    </Notice>
  );
}

/** As a bank would write it: what was there, what has moved it, what is there, and what is to come. */
function Statement({ parts, since }: { parts: BalanceParts; since: number }) {
  const { currency, available, upcoming } = parts;
  return (
    <table className={style.statement}>
      <caption>{currency.toUpperCase()}</caption>
      <tbody>
        {movementsOf(parts, since).map(([name, amount]) => (
          <Line key={name} name={name} amount={formatMoney(amount, currency)} />
        ))}
        <Line name="Available today" amount={formatMoney(available, currency)} isSum />
        {upcoming.map((one) => (
          <Line
            key={one.available_on}
            name={`Pending until ${shownDay(one.available_on)}`}
            amount={formatMoney(one.amount, currency)}
            note={`${formatMoney(one.available_after, currency)} available then`}
          />
        ))}
      </tbody>
    </table>
  );
}

type LineProps = { name: string; amount: string; note?: string; isSum?: boolean };

function Line({ name, amount, note, isSum = false }: LineProps) {
  return (
    <tr data-sum={isSum || undefined}>
      <th scope="row">
        {name}
        {note !== undefined && <small>{note}</small>}
      </th>
      <td>{amount}</td>
    </tr>
  );
}
