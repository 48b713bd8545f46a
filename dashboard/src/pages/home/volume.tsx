import { Skeleton } from '@mantine/core';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { Chart, type PartWords } from './chart.tsx';
import { Figure, FourFigures } from './figure_row.tsx';
import type { Figures } from './figures.ts';
import style from './home.module.css';
import { succeededPayments, useOpen } from './lists.tsx';
import { firstDay, isUnderWay, partName, shortName, spanName } from './range.ts';
import { compactMoney, wholeUnits } from './scale.ts';
import type { Compared } from './statistics.ts';

const chartHeight = 256;

/** How it goes: four figures against the period before, and over time what came in, what went back, and what came in before. */
export function Volume({ compared, isStale }: { compared: Compared; isStale: boolean }) {
  return (
    <section className={style.volume} aria-label="Volume" data-stale={isStale || undefined}>
      <FourFigures compared={compared} />
      <VolumeChart compared={compared} />
    </section>
  );
}

function VolumeChart({ compared: { span, figures, before } }: { compared: Compared }) {
  const { currency, parts } = figures;
  const open = useOpen(succeededPayments, { span, currency });
  const note = useNote({ span, figures, before });
  const units = (of: (one: Figures) => number, all = parts) => all.map((part) => wholeUnits(of(part), currency));
  const earlier = before.figures.parts;
  const hasBefore = before.figures.total.payments > 0;
  const [refunds, disputes] = [units(({ refunded }) => refunded), units(({ withdrawn }) => withdrawn)];
  return (
    <Chart
      label={`Volume in ${currency.toUpperCase()}`}
      minHeight={chartHeight}
      series={[
        { name: 'Gross', tone: 'gross', values: units(({ volume }) => volume) },
        { name: 'Refunds', tone: 'refunds', values: refunds },
        { name: 'Disputes', tone: 'disputes', values: disputes },
        ...(hasBefore
          ? [
              {
                name: `Gross in ${spanName(before.span)}`,
                tone: 'before' as const,
                values: units(({ volume }) => volume, earlier),
              },
            ]
          : []),
      ]}
      scale={(value) => compactMoney(value, currency)}
      below={(part) => shortName(span, part)}
      words={(part) => wordsOf({ span, figures, before }, part, hasBefore)}
      onOpen={open}
      note={note}
      empty={
        figures.total.payments + figures.total.refunds + figures.total.disputes === 0
          ? `No payments in ${spanName(span)}`
          : undefined
      }
    />
  );
}

function wordsOf({ span, figures: { currency, parts }, before }: Compared, at: number, hasBefore: boolean): PartWords {
  const part = parts[at]!;
  const money = (amount: number) => formatMoney(amount, currency);
  const earlier = { name: 'Gross before', value: money(before.figures.parts[at]!.volume), tone: 'before' as const };
  return {
    name: partName(span, at),
    values: [
      { name: 'Gross', value: money(part.volume), tone: 'gross' },
      ...(hasBefore ? [earlier] : []),
      { name: 'Refunds', value: money(part.refunded), tone: 'refunds' },
      { name: 'Disputes', value: money(part.withdrawn), tone: 'disputes' },
      { name: 'Fees', value: money(part.fees) },
      { name: 'Net', value: money(part.net) },
      {
        name: 'Payments',
        value: `${part.succeeded.toLocaleString()} succeeded, ${part.failed.toLocaleString()} failed`,
      },
    ],
  };
}

/** Why there is nothing to compare with: there was nothing in the period before, or nothing before at all. */
function useNote({ span, figures: { currency, parts }, before }: Compared): string | undefined {
  const isAlone = before.figures.total.payments === 0;
  const { data } = useRead(
    ['payments', 'list', { before: span.edges[0], currency }],
    (api, options) => api.payments.list({ created: { lt: span.edges[0]! }, currency, limit: 1 }, options),
    { isEnabled: isAlone },
  );
  if (!isAlone || data === undefined) return undefined;
  if (data.data.length > 0)
    return `No ${currency.toUpperCase()} payments in ${spanName(before.span)}${isUnderWay(span, new Date()) ? ' until this hour' : ''}`;
  const first = parts.findIndex(({ payments }) => payments > 0);
  return first === -1 ? undefined : `No ${currency.toUpperCase()} payments before ${firstDay(span, first)}`;
}

/** Of the same height as what comes. */
export function VolumeSkeleton() {
  return (
    <section className={style.volume} role="status" aria-busy="true" aria-label="Loading">
      <div className={style.figures}>
        {['Net volume', 'Gross volume', 'Success rate', 'Refunds and disputes'].map((title) => (
          <Figure
            key={title}
            title={title}
            value={<Skeleton height={22} width={110} mt={6} />}
            detail={<Skeleton height={12} width={90} mt={4} />}
          />
        ))}
      </div>
      <Skeleton height={chartHeight + 24} />
    </section>
  );
}
