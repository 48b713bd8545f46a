import type { Statistics } from '@tollgate/node';
import type { Span } from './range.ts';

const names = [
  'payments',
  'succeeded',
  'failed',
  'volume',
  'refunds',
  'refunded',
  'disputes',
  'withdrawn',
  'fees',
  'net',
] as const;
export type Figures = Record<(typeof names)[number], number>;

/** The numbers of one currency: of the whole range, and of each part of it. */
export type CurrencyFigures = { currency: string; total: Figures; parts: readonly Figures[] };

const noFigures: Figures = Object.fromEntries(names.map((name) => [name, 0])) as Figures;

/** The answers to the questions of a range, by currency: the one with the most payments first. */
export function gathered({ edges }: Span, answers: readonly Statistics[]): CurrencyFigures[] {
  const found = new Map<string, { total: Figures; parts: Figures[] }>();
  for (const bucket of answers.flatMap(({ data }) => data)) {
    const figures = found.get(bucket.currency) ?? {
      total: { ...noFigures },
      parts: edges.slice(1).map(() => ({ ...noFigures })),
    };
    found.set(bucket.currency, figures);
    const part = figures.parts[edges.findLastIndex((edge) => edge <= bucket.start)];
    for (const name of names) {
      figures.total[name] += bucket[name];
      if (part) part[name] += bucket[name];
    }
  }
  return [...found]
    .map(([currency, figures]) => ({ currency, ...figures }))
    .sort((one, other) => other.total.payments - one.total.payments || (one.currency < other.currency ? -1 : 1));
}

/** Of a currency in which nothing was created. */
export function emptyFigures({ edges }: Span, currency: string): CurrencyFigures {
  return { currency, total: noFigures, parts: edges.slice(1).map(() => noFigures) };
}

type Decided = Pick<Figures, 'succeeded' | 'failed'>;

/** Of the payments that have an outcome, the part that succeeded; undefined without any. */
export function successRate({ succeeded, failed }: Decided): number | undefined {
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed);
}

/** `93.8%`. Never 100% where something failed. */
export function shownRate(figures: Decided): string {
  const rate = successRate(figures);
  if (rate === undefined) return '–';
  const shown = figures.failed > 0 ? Math.min(rate, 0.999) : rate;
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(shown);
}
