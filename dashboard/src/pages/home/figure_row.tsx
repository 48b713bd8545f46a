import type { ReactNode } from 'react';
import { counted } from '../../kit/counted.ts';
import { formatMoney } from '../../kit/money.ts';
import { changeOf, rateChangeOf } from './change.ts';
import { Changed } from './changed.tsx';
import { type Figures, shownRate, successRate } from './figures.ts';
import style from './home.module.css';
import {
  allDisputes,
  allPayments,
  failedPayments,
  type List,
  ListLink,
  succeededPayments,
  succeededRefunds,
} from './lists.tsx';
import type { Compared } from './statistics.ts';

/** Four figures of a range, against the period before. */
export function FourFigures({ compared }: { compared: Compared }) {
  return (
    <div className={style.figures}>
      <NetFigure compared={compared} />
      <GrossFigure compared={compared} />
      <SuccessFigure compared={compared} />
      <GivenBackFigure compared={compared} />
    </div>
  );
}

/** `KWD 100,652.698` has smaller letters than `€6,124.36`, and `IDR 20,027,593,999.98` twice the room: a number is not broken. */
function sizeOf(amount: string): Size | undefined {
  if (amount.length > 16) return 'very long';
  return amount.length > 12 ? 'long' : undefined;
}

type Size = 'long' | 'very long';

/** An amount, how it has changed, and what it was in the period before, if that had payments. */
function amountOf({ figures, before }: Compared, of: (one: Figures) => number, better: 'up' | 'down') {
  const [now, earlier] = [of(figures.total), of(before.figures.total)];
  const money = (amount: number) => formatMoney(amount, figures.currency);
  return {
    amount: money(now),
    compared: {
      size: sizeOf(money(now)),
      change: <Changed change={changeOf(now, earlier)} better={better} />,
      before: before.figures.total.payments === 0 ? undefined : money(earlier),
    },
  };
}

/** Words that lead to a list of the same range and currency. */
const linkOf =
  ({ span, figures: { currency } }: Compared) =>
  (list: List, words: string) => (
    <ListLink list={list} span={span} currency={currency}>
      {words}
    </ListLink>
  );

function NetFigure({ compared }: { compared: Compared }) {
  const { currency, total } = compared.figures;
  const net = amountOf(compared, (one) => one.net, 'up');
  return (
    <Figure
      title="Net volume"
      about="What succeeded payments have received, less fees, refunds, and disputes that are not won"
      value={net.amount}
      {...net.compared}
      detail={`after ${formatMoney(total.fees, currency)} in fees`}
    />
  );
}

function GrossFigure({ compared }: { compared: Compared }) {
  const { total } = compared.figures;
  const gross = amountOf(compared, (one) => one.volume, 'up');
  const link = linkOf(compared);
  return (
    <Figure
      title="Gross volume"
      about="What succeeded payments have received"
      value={link(succeededPayments, gross.amount)}
      {...gross.compared}
      detail={link(succeededPayments, `${total.succeeded.toLocaleString()} succeeded`)}
    />
  );
}

function SuccessFigure({ compared }: { compared: Compared }) {
  const { total } = compared.figures;
  const earlier = compared.before.figures.total;
  const link = linkOf(compared);
  return (
    <Figure
      title="Success rate"
      about="Succeeded payments, of those that have succeeded or failed"
      value={link(allPayments, shownRate(total))}
      change={<Changed change={rateChangeOf(successRate(total), successRate(earlier))} better="up" />}
      before={earlier.payments === 0 ? undefined : shownRate(earlier)}
      detail={
        <>
          {link(failedPayments, `${total.failed.toLocaleString()} failed`)} of{' '}
          {link(allPayments, total.payments.toLocaleString())}
        </>
      }
    />
  );
}

function GivenBackFigure({ compared }: { compared: Compared }) {
  const { total } = compared.figures;
  const given = amountOf(compared, givenBack, 'down');
  const link = linkOf(compared);
  return (
    <Figure
      title="Refunds and disputes"
      about="Succeeded refunds, and disputes that are not won"
      value={given.amount}
      {...given.compared}
      detail={
        <>
          {link(succeededRefunds, counted(total.refunds, 'refund'))},{' '}
          {link(allDisputes, counted(total.disputes, 'dispute'))}
        </>
      }
    />
  );
}

const givenBack = ({ refunded, withdrawn }: Figures) => refunded + withdrawn;

type FigureProps = {
  title: string;
  about?: string;
  value: ReactNode;
  size?: Size | undefined;
  change?: ReactNode;
  /** The same figure of the period before. */
  before?: string | undefined;
  detail: ReactNode;
};

/** A number in large letters, how it has changed, and what it is made of. */
export function Figure({ title, about, value, size, change, before, detail }: FigureProps) {
  return (
    <div className={style.figure}>
      <h2 className="truncated" title={about}>
        {title}
      </h2>
      <div className={style.value} data-size={size}>
        {value}
      </div>
      {before !== undefined && (
        <div className={style.changeLine}>
          {change} from {before}
        </div>
      )}
      <div className={style.detail}>{detail}</div>
    </div>
  );
}
