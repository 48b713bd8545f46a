import { type Scale, scaleBetween } from './scale.ts';

/** What a value means: its colour, and how it is drawn. Refunds and disputes are stacked below zero, in this order. */
export type Tone = 'gross' | 'refunds' | 'disputes' | 'before' | 'recurring';

/** Values of the same meaning, of part after part; null where there is none. */
export type Series = { name: string; tone: Tone; values: readonly (number | null)[] };

export type Bar = { tone: Tone; part: number; from: number; to: number };
export type Line = { tone: Tone; points: readonly { part: number; value: number }[] };

const kinds: Record<Tone, 'above' | 'below' | 'line'> = {
  gross: 'above',
  refunds: 'below',
  disputes: 'below',
  before: 'line',
  recurring: 'line',
};

/** From where to where the bars go, those below zero one below the other. */
export function barsOf(series: readonly Series[]): Bar[] {
  const depths = new Map<number, number>();
  return series.flatMap(({ tone, values }) =>
    kinds[tone] === 'line'
      ? []
      : values.flatMap((value, part) => {
          if (!value) return [];
          if (kinds[tone] === 'above') return [{ tone, part, from: 0, to: value }];
          const from = depths.get(part) ?? 0;
          depths.set(part, from - value);
          return [{ tone, part, from, to: from - value }];
        }),
  );
}

/** The lines, through every part that has a value. */
export function linesOf(series: readonly Series[]): Line[] {
  return series
    .filter(({ tone }) => kinds[tone] === 'line')
    .map(({ tone, values }) => ({
      tone,
      points: values.flatMap((value, part) => (value === null ? [] : [{ part, value }])),
    }));
}

/** With room for everything that is drawn. */
export function scaleOf(series: readonly Series[]): Scale {
  const values = [
    ...barsOf(series).map(({ to }) => to),
    ...linesOf(series).flatMap(({ points }) => points.map(({ value }) => value)),
  ];
  return scaleBetween(Math.min(0, ...values), Math.max(0, ...values));
}
