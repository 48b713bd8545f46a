import { Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { counted } from '../../kit/counted.ts';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import type { Search } from '../../kit/filters.ts';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { changeOf } from './change.ts';
import { Changed } from './changed.tsx';
import { Chart } from './chart.tsx';
import { Figure } from './figure_row.tsx';
import { type Span, spanName } from './range.ts';
import { daysAround, type Recurring, recurringOf } from './recurring.ts';
import { compactMoney, wholeUnits } from './scale.ts';
import style from './subscriptions.module.css';

const chartHeight = 168;
const words = (format: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...format, timeZone: 'UTC' });
const short = words({ day: 'numeric', month: 'short' });
const long = words({ weekday: 'short', day: 'numeric', month: 'short' });

type Props = { span: Span; currency: string; search: Search };

/** Of the same height as what comes, so that nothing below it moves. */
const Loading = () => <Skeleton height={chartHeight + 24} role="status" aria-busy="true" aria-label="Loading" />;

export function SubscriptionsSkeleton() {
  return (
    <Section title="Subscriptions">
      <Loading />
    </Section>
  );
}

/** What comes in every month, who came and left, and what dunning has saved. Its days are those of UTC. */
export function Subscriptions({ span, currency, search }: Props) {
  const { from, to } = daysAround(span.edges, new Date());
  const { data, error, refetch } = useRead(
    ['subscription_statistics', from, to],
    (api, options) => api.statistics.subscriptions({ from, to }, options),
    { keeps: true },
  );
  const all = data && recurringOf(data);
  const shown = all?.find((one) => one.currency === currency);
  return (
    <Section title="Subscriptions" aside={<Link to={'/subscriptions' as string}>All subscriptions</Link>}>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading />}
      {all !== undefined && shown === undefined && (
        <Nothing others={all} currency={currency} search={search} span={span} />
      )}
      {shown !== undefined && (
        <div className={style.beside}>
          <Figures recurring={shown} />
          <RevenueChart recurring={shown} since={data?.since} />
        </div>
      )}
    </Section>
  );
}

function Figures({ recurring: { currency, mrr, active, total } }: { recurring: Recurring }) {
  const money = (amount: number) => formatMoney(amount, currency);
  const invoices = (count: number) => counted(count, 'invoice');
  return (
    <div className={style.figures}>
      <Figure
        title="Recurring revenue"
        about="What active and past due subscriptions come to in a month, after coupons that go on"
        value={money(mrr.now)}
        change={mrr.before !== undefined && <Changed change={changeOf(mrr.now, mrr.before)} better="up" />}
        before={mrr.before === undefined ? undefined : money(mrr.before)}
        detail="per month"
      />
      <Figure
        title="Active subscriptions"
        about="Active and past due"
        value={active.now.toLocaleString()}
        change={active.before !== undefined && <Changed change={changeOf(active.now, active.before)} better="up" />}
        before={active.before?.toLocaleString()}
        detail={`${total.new.toLocaleString()} new, ${total.lost.toLocaleString()} lost`}
      />
      <Figure
        title="Recovered by dunning"
        about="Invoices that were paid after a charge had failed"
        value={money(total.recovered_amount)}
        detail={invoices(total.recovered)}
      />
      <Figure
        title="Lost in dunning"
        about="Invoices that became uncollectible"
        value={money(total.lost_amount)}
        detail={invoices(total.lost_invoices)}
      />
    </div>
  );
}

function RevenueChart({ recurring: { currency, days }, since }: { recurring: Recurring; since: number | undefined }) {
  const navigate = useNavigate();
  const name = (part: number, format: Intl.DateTimeFormat) => format.format(days[part]!.start * 1_000);
  return (
    <Chart
      label={`Monthly recurring revenue in ${currency.toUpperCase()}`}
      minHeight={chartHeight}
      series={[
        {
          name: 'Monthly recurring revenue',
          tone: 'recurring',
          values: days.map(({ mrr }) => (mrr === null ? null : wholeUnits(mrr, currency))),
        },
      ]}
      scale={(value) => compactMoney(value, currency)}
      below={(part) => name(part, short)}
      words={(part) => {
        const { mrr, active, new: came, lost } = days[part]!;
        return {
          name: name(part, long),
          values: [
            { name: 'Recurring', value: mrr === null ? 'Not known' : formatMoney(mrr, currency), tone: 'recurring' },
            { name: 'Active', value: active === null ? 'Not known' : active.toLocaleString() },
            { name: 'New', value: came.toLocaleString() },
            { name: 'Lost', value: lost.toLocaleString() },
          ],
        };
      }}
      onOpen={() => void navigate({ to: '/subscriptions' as string })}
      note={since !== undefined && since > days[0]!.start && `No history before ${short.format(since * 1_000)}`}
    />
  );
}

type NothingProps = Props & { others: readonly Recurring[] };

/** There are none, or in other currencies. */
function Nothing({ others, currency, search, span }: NothingProps) {
  const { may } = useWorkspace();
  const links = others.map((one, at) => (
    <Fragment key={one.currency}>
      {at > 0 && ', '}
      <Link to="." search={{ ...search, currency: one.currency } as never}>
        {one.currency.toUpperCase()}
      </Link>
    </Fragment>
  ));
  if (links.length > 0)
    return (
      <p className={style.nothing}>
        No subscriptions in {currency.toUpperCase()}. There are some in {links}.
      </p>
    );
  return (
    <p className={style.nothing}>
      No subscriptions in {spanName(span)}
      {may('prices.create') ? (
        <>
          : <Link to={'/prices' as string}>create a price</Link>, and subscribe a customer to it.
        </>
      ) : (
        '.'
      )}
    </p>
  );
}
