import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import type { Search } from '../../kit/filters.ts';
import { useRead } from '../../kit/read.ts';
import { wordsOf } from '../../kit/status.tsx';
import { brandName } from '../../nouns/payment_method_words.ts';
import { nameIn, useProcessorAccounts } from '../../nouns/processor_accounts.ts';
import type { Mode } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { type BreakdownRow, freshness, rowsOf } from './breakdown_rows.ts';
import style from './breakdowns.module.css';
import { shownRate } from './figures.ts';
import type { Shown } from './lists.tsx';
import { filtersOf, spanName } from './range.ts';
import type { Compared } from './statistics.ts';

/** Each is also the name of a filter of the list of payments. */
type By = 'decline_code' | 'processor' | 'brand' | 'country';

type Breakdown = {
  by: By;
  title: string;
  /** Of payments without a value, in test and in live mode. */
  unknown: string | Record<Mode, string>;
  name(value: string): string;
  /** Where no payment has a value: why. Absent: that is worth a row. */
  missing?: ReactNode;
};

const countries = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'code' });

const breakdowns: readonly Breakdown[] = [
  {
    by: 'decline_code',
    title: 'Reasons for declines',
    unknown: 'No reason given',
    name: wordsOf,
    missing: 'No payment has failed',
  },
  {
    by: 'brand',
    title: 'Success by card brand',
    unknown: 'Not a card',
    name: brandName,
    missing: 'No payment by card',
  },
  {
    by: 'processor',
    title: 'Success by processor',
    // The simulator of test mode needs no account.
    unknown: { test: 'Simulator', live: 'No processor' },
    name: (value) => value,
  },
  {
    by: 'country',
    title: 'Success by country',
    unknown: 'Unknown',
    name: (value) => countries.of(value) ?? value,
    missing: (
      <>
        No billing addresses: send <code>billing_details.address.country</code> with payment methods
      </>
    ),
  },
];

/** Why payments fail, and where they succeed, in one currency. Undefined: it is not known which. */
export function Breakdowns({ compared }: { compared: Compared | undefined }) {
  return (
    <div className={style.breakdowns}>
      {[breakdowns.slice(0, 2), breakdowns.slice(2)].map((pair) => (
        <div key={pair[0]!.by} className={style.pair}>
          {pair.map((breakdown) =>
            compared === undefined ? (
              <Section key={breakdown.by} title={breakdown.title}>
                <RowsSkeleton />
              </Section>
            ) : (
              <BreakdownSection key={breakdown.by} breakdown={breakdown} compared={compared} />
            ),
          )}
        </div>
      ))}
    </div>
  );
}

const RowsSkeleton = () => (
  <div className={style.rows} data-waiting>
    <Skeleton height={144} role="status" aria-busy="true" aria-label="Loading" />
  </div>
);

function BreakdownSection({ breakdown, compared }: { breakdown: Breakdown; compared: Compared }) {
  const { by, title, missing } = breakdown;
  const { span, figures } = compared;
  const { currency, total } = figures;
  const [from, to] = [span.edges[0]!, span.edges.at(-1)!];
  const { key, ...again } = freshness(total);
  const { data, error, refetch } = useRead(
    ['breakdowns', by, from, to, key],
    (api, options) => api.statistics.breakdown({ from, to, by }, options),
    { keeps: true, ...again },
  );
  const rows = data && rowsOf(data, currency);
  const isEmpty = rows?.length === 0 || (missing !== undefined && rows?.every(({ value }) => value === undefined));
  return (
    <Section title={title}>
      {error !== null && data === undefined && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && rows === undefined && <RowsSkeleton />}
      {isEmpty && (
        <p className="quiet">
          {total.payments === 0 || missing === undefined ? 'No payments' : missing} in {spanName(span)}.
        </p>
      )}
      {rows !== undefined && !isEmpty && (
        <ul className={style.rows} data-stale={data?.from !== from || data?.to !== to || undefined}>
          {rows.map((row) => (
            <Row
              key={row.value ?? `others ${row.others}`}
              row={row}
              most={mostOf(rows)}
              breakdown={breakdown}
              shown={{ span, currency }}
            />
          ))}
        </ul>
      )}
      {data?.is_complete === false && <p className={style.note}>Of the newest payments only: there are too many.</p>}
    </Section>
  );
}

type RowProps = { breakdown: Breakdown; shown: Shown; row: BreakdownRow; most: number };

const mostOf = (rows: readonly BreakdownRow[]) => Math.max(1, ...rows.map(({ payments }) => payments));

/** A name, its numbers, and a bar: as long as it has payments, in two colours where some of them have failed. */
function Row({ breakdown, row, most, shown }: RowProps) {
  const { payments, succeeded, failed } = row;
  const isDeclines = breakdown.by === 'decline_code';
  const share = (count: number) => `${(100 * count) / most}%`;
  return (
    <li>
      <span className="truncated">
        <Name breakdown={breakdown} row={row} shown={shown} />
      </span>
      <span className={style.number}>{isDeclines ? failed.toLocaleString() : shownRate(row)}</span>
      {!isDeclines && (
        <span className={style.of}>
          of {payments.toLocaleString()}
          <span className="visually-hidden"> {payments === 1 ? 'payment' : 'payments'}</span>
        </span>
      )}
      <span className={style.bar} aria-hidden>
        {!isDeclines && <i style={{ width: share(succeeded) }} />}
        <i data-failed style={{ width: share(failed) }} />
      </span>
    </li>
  );
}

function Name({ breakdown: { by, name, unknown }, row: { value, others }, shown }: Omit<RowProps, 'most'>) {
  const { mode } = useWorkspace();
  const accounts = useProcessorAccounts({ isUsed: by === 'processor' });
  if (others !== undefined) return `${others.toLocaleString()} others`;
  if (value === undefined) return typeof unknown === 'string' ? unknown : unknown[mode];
  const words = name(by === 'processor' ? nameIn(accounts, value) : value);
  const search: Search = {
    currency: shown.currency,
    ...filtersOf(shown.span),
    [by]: value,
    ...(by === 'decline_code' && { status: 'failed' }),
  };
  return (
    <Link to={'/payments' as string} search={search as never}>
      {words}
    </Link>
  );
}
