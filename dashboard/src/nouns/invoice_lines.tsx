import type { InvoiceLine, UpcomingInvoice } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Moment } from '../kit/moment.tsx';
import { formatMoney } from '../kit/money.ts';
import style from './invoice_lines.module.css';

type Shown = Pick<UpcomingInvoice, 'currency' | 'lines' | 'subtotal' | 'discount' | 'total' | 'credit_applied'> & {
  amount_due: number;
  amount_paid?: number;
  amount_remaining?: number;
};

/** What an invoice is made of, and what it comes to: one that exists, or a preview. */
export function InvoiceLines({ invoice }: { invoice: Shown }) {
  const { currency, lines } = invoice;
  return (
    <div className={style.sized}>
      <table className={style.lines}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col" className={style.period}>
              Period
            </th>
            <th scope="col" className={style.amount}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <Line key={line.id ?? index} line={line} currency={currency} />
          ))}
        </tbody>
        <tfoot>
          {totalsOf(invoice).map(([title, amount, isLast]) => (
            <tr key={title} data-last={isLast || undefined}>
              <td className={style.period} />
              <th scope="row">{title}</th>
              <td className={style.amount}>{formatMoney(amount, currency)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  );
}

function Line({ line, currency }: { line: InvoiceLine; currency: string }) {
  const { amount, discount, description, period } = line;
  return (
    <tr>
      <td>
        {description}
        {discount > 0 && <small>Discount {formatMoney(-discount, currency)}</small>}
        <small className={style.narrow}>
          <PeriodOf period={period} />
        </small>
      </td>
      <td className={style.period}>
        <PeriodOf period={period} />
      </td>
      <td className={style.amount}>{formatMoney(amount, currency)}</td>
    </tr>
  );
}

/** A one-off item is for no time. */
export function PeriodOf({ period: { start, end } }: { period: InvoiceLine['period'] }): ReactNode {
  if (start === end) return <Moment seconds={start} />;
  return (
    <span className={style.range}>
      <Moment seconds={start} /> – <Moment seconds={end} />
    </span>
  );
}

type Total = readonly [title: string, amount: number, isLast: boolean];

/** Only what says more than the row above it. */
function totalsOf(invoice: Shown): Total[] {
  const { subtotal, discount, total, credit_applied, amount_due, amount_paid = 0, amount_remaining = 0 } = invoice;
  const rows: [string, number, boolean][] = [
    ['Subtotal', subtotal, discount > 0],
    ['Discount', -discount, discount > 0],
    ['Total', total, true],
    ['Customer credit', -credit_applied, credit_applied > 0],
    ['Added to customer credit', -total, total < 0],
    ['Due', amount_due, credit_applied > 0],
    ['Paid', amount_paid, amount_paid > 0],
    ['Remaining', amount_remaining, amount_remaining > 0 && amount_remaining < amount_due],
  ];
  const shown = rows.filter(([, , isShown]) => isShown);
  return shown.map(([title, amount], index) => [title, amount, index === shown.length - 1]);
}
