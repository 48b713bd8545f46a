import { NativeSelect, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Search } from '../../kit/filters.ts';
import { formatMoney } from '../../kit/money.ts';
import { changeOf } from './change.ts';
import { Changed } from './changed.tsx';
import style from './home.module.css';
import type { Compared } from './statistics.ts';

/** So many stand side by side; the others are in a list. */
const besideMax = 6;

type StripProps = { all: readonly Compared[]; currency: string; search: Search; onChange(currency: string): void };

/** What came in, in each currency, over time: side by side, because amounts of several currencies have no sum. One is shown below. */
export function CurrencyStrip({ all, currency, search, onChange }: StripProps) {
  if (all.length < 2) return null;
  // The list of the others takes a place too.
  const count = all.length > besideMax ? besideMax - 1 : besideMax;
  const at = all.findIndex(({ figures }) => figures.currency === currency);
  const beside = at < count ? all.slice(0, count) : [...all.slice(0, count - 1), all[at]!];
  const others = all.filter((one) => !beside.includes(one)).map(({ figures }) => figures.currency);
  return (
    <nav className={style.strip} aria-label="Currencies">
      {beside.map((one) => (
        <Currency
          key={one.figures.currency}
          compared={one}
          isShown={one.figures.currency === currency}
          search={search}
        />
      ))}
      {others.length > 0 && (
        <NativeSelect
          aria-label="Other currencies"
          className={style.others!}
          value=""
          data={[
            { value: '', label: `${others.length} more` },
            ...others.map((value) => ({ value, label: value.toUpperCase() })),
          ]}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </nav>
  );
}

/** As many as the newest payments have: about what comes. */
export function StripSkeleton({ count }: { count: number }) {
  if (count < 2) return null;
  return (
    <div className={style.strip} aria-hidden>
      {Array.from({ length: Math.min(count, besideMax) }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stand in for others
        <div key={at} className={style.currency}>
          <Skeleton height={12} width={40} my={4} mx={12} />
          <Skeleton height={14} width={90} my={4} mx={12} className={style.amount!} />
          <div className={style.spark} />
        </div>
      ))}
    </div>
  );
}

/** `IDR 20,027,593,999.98` has smaller letters, and so stays whole. */
const lengthMax = 16;

type CurrencyProps = { compared: Compared; isShown: boolean; search: Search };

function Currency({ compared: { figures, before }, isShown, search }: CurrencyProps) {
  const { currency, total, parts } = figures;
  const amount = formatMoney(total.volume, currency);
  return (
    <Link
      to="."
      search={{ ...search, currency } as never}
      className={style.currency}
      activeProps={{}}
      aria-current={isShown || undefined}
      replace
    >
      <span className={style.code}>{currency.toUpperCase()}</span>
      <Changed change={changeOf(total.volume, before.figures.total.volume)} better="up" />
      <span className={`truncated ${style.amount}`} data-long={amount.length > lengthMax || undefined} title={amount}>
        {amount}
      </span>
      <Sparkline values={parts.map(({ volume }) => volume)} />
    </Link>
  );
}

const [width, height] = [100, 24];

/** The course of values without a scale: the numbers are beside it. */
function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  const points = values.map((value, at) => `${(at * step).toFixed(2)},${(height - (value / top) * height).toFixed(2)}`);
  return (
    <svg className={style.spark} viewBox={`0 -1 ${width} ${height + 2}`} preserveAspectRatio="none" aria-hidden>
      <path d={`M0,${height} L${points.join(' ')} L${width},${height} Z`} data-area />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
