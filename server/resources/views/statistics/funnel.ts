import { rateOf } from '../../../base/rate.ts';
import type { Figure } from './figures.ts';

/** How far what was created in a range has come. `currency`: null for what names none. */
export type Funnel = {
  currency: string | null;
  created: number;
  under_way: number;
  completed: number;
  expired: number;
  amount: number;
};

/** By currency, in order; those without one come last. `amount` is that of what was completed. */
export function funnelsOf(figures: readonly (Omit<Figure, 'currency'> & { currency: string | null })[]): Funnel[] {
  const byCurrency = Map.groupBy(figures, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, all]) => {
      const of = (...values: string[]) =>
        all.reduce((sum, { value, count }) => (values.includes(value) ? sum + count : sum), 0);
      const [completed, expired, under_way] = [of('complete'), of('expired'), of('open', 'processing')];
      const amount = all.reduce((sum, one) => (one.value === 'complete' ? sum + Number(one.amount) : sum), 0);
      return { currency, created: completed + expired + under_way, under_way, completed, expired, amount };
    })
    .sort((one, other) => ((one.currency ?? '~') < (other.currency ?? '~') ? -1 : 1));
}

/** The part of what is over that was completed, to four digits; undefined while nothing is over. */
export function conversionOf({ completed, expired }: Pick<Funnel, 'completed' | 'expired'>): number | undefined {
  return rateOf(completed, completed + expired);
}
