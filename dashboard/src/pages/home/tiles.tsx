import { SimpleGrid, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Search } from '../../kit/filters.ts';
import { formatMoney } from '../../kit/money.ts';
import { Chart } from './chart.tsx';
import { chartHeight } from './chart_options.ts';
import { type CurrencyFigures, type Figures, shownRate, successRate } from './figures.ts';
import style from './home.module.css';
import { filtersOf, partName, type Span, shortName } from './range.ts';
import { compactMoney, wholeUnits } from './scale.ts';

type TilesProps = { span: Span; figures: CurrencyFigures };

/** What the lists behind the numbers of a tile have in common. */
type Shown = { span: Span; currency: string };

type Amounts = { title: string; count: keyof Figures; sum: keyof Figures; one: string; list: List };
type List = { path: 'payments' | 'refunds' | 'disputes'; status?: string };

const all: List = { path: 'payments' };
const succeeded: List = { ...all, status: 'succeeded' };
const failed: List = { ...all, status: 'failed' };
const amounts: readonly Amounts[] = [
  { title: 'Volume', count: 'succeeded', sum: 'volume', one: 'succeeded payment', list: succeeded },
  {
    title: 'Refunds',
    count: 'refunds',
    sum: 'refunded',
    one: 'refund',
    list: { path: 'refunds', status: 'succeeded' },
  },
  { title: 'Disputes', count: 'disputes', sum: 'disputed', one: 'dispute', list: { path: 'disputes' } },
];

const tileColumns = { base: 1, md: 2 };

export function Tiles({ isStale, ...props }: TilesProps & { isStale: boolean }) {
  const [volume, ...others] = amounts.map((about) => <AmountTile key={about.title} about={about} {...props} />);
  return (
    <SimpleGrid cols={tileColumns} opacity={isStale ? 0.6 : 1}>
      {volume}
      <RateTile {...props} />
      {others}
    </SimpleGrid>
  );
}

/** An amount in large letters, how many it is made of, and both over time. */
function AmountTile({ about: { title, count, sum, one, list }, span, figures }: TilesProps & { about: Amounts }) {
  const { currency, total, parts } = figures;
  const shown = { span, currency };
  const open = useOpen(list, shown);
  return (
    <Tile
      title={title}
      figure={
        <ListLink list={list} {...shown}>
          {formatMoney(total[sum], currency)}
        </ListLink>
      }
      detail={
        <ListLink list={list} {...shown}>
          {counted(total[count], one)}
        </ListLink>
      }
    >
      <Chart
        kind="bars"
        label={`${title} in ${currency.toUpperCase()}`}
        values={parts.map((part) => wholeUnits(part[sum], currency))}
        scale={(value) => compactMoney(value, currency)}
        below={(part) => shortName(span, part)}
        words={(part) => ({
          name: partName(span, part),
          value: formatMoney(parts[part]![sum], currency),
          more: counted(parts[part]![count], one),
        })}
        onOpen={open}
      />
    </Tile>
  );
}

function RateTile({ span, figures: { currency, total, parts } }: TilesProps) {
  const shown = { span, currency };
  const open = useOpen(all, shown);
  return (
    <Tile
      title="Success rate"
      figure={
        <ListLink list={all} {...shown}>
          {shownRate(total)}
        </ListLink>
      }
      detail={
        <>
          <ListLink list={succeeded} {...shown}>
            {total.succeeded.toLocaleString()} succeeded
          </ListLink>
          {', '}
          <ListLink list={failed} {...shown}>
            {total.failed.toLocaleString()} failed
          </ListLink>
          {' of '}
          <ListLink list={all} {...shown}>
            {counted(total.payments, 'payment')}
          </ListLink>
        </>
      }
    >
      <Chart
        kind="line"
        label={`Success rate of payments in ${currency.toUpperCase()}`}
        values={parts.map((part) => successRate(part) ?? null)}
        top={1}
        scale={(value) => `${Math.round(value * 100)}%`}
        below={(part) => shortName(span, part)}
        words={(part) => ({
          name: partName(span, part),
          value: shownRate(parts[part]!),
          more: `${parts[part]!.succeeded.toLocaleString()} succeeded, ${parts[part]!.failed.toLocaleString()} failed`,
        })}
        onOpen={open}
      />
    </Tile>
  );
}

type TileProps = { title: string; figure: ReactNode; detail: ReactNode; children: ReactNode };

function Tile({ title, figure, detail, children }: TileProps) {
  return (
    <section className={style.tile}>
      <h2>{title}</h2>
      <div className={`truncated ${style.figure}`}>{figure}</div>
      <div className={`truncated ${style.detail}`}>{detail}</div>
      {children}
    </section>
  );
}

/** Of the same height as the tiles that come. */
export function TilesSkeleton() {
  return (
    <SimpleGrid cols={tileColumns} role="status" aria-busy="true" aria-label="Loading">
      {['Volume', 'Success rate', 'Refunds', 'Disputes'].map((title) => (
        <Tile
          key={title}
          title={title}
          figure={<Skeleton height={22} width={130} mt={6} />}
          detail={<Skeleton height={12} width={110} mt={4} />}
        >
          <Skeleton height={chartHeight} />
        </Tile>
      ))}
    </SimpleGrid>
  );
}

function searchOf({ status }: List, { span, currency }: Shown, part?: number): Search {
  return { ...(status !== undefined && { status }), currency, ...filtersOf(span, part) };
}

/** A number that leads to the list behind it. */
function ListLink({ list, children, ...shown }: Shown & { list: List; children: ReactNode }) {
  return (
    <Link to={`/${list.path}` as string} search={searchOf(list, shown) as never}>
      {children}
    </Link>
  );
}

function useOpen(list: List, shown: Shown): (part: number) => void {
  const navigate = useNavigate();
  return (part) => void navigate({ to: `/${list.path}` as string, search: searchOf(list, shown, part) as never });
}

function counted(count: number, one: string): string {
  return `${count.toLocaleString()} ${one}${count === 1 ? '' : 's'}`;
}
