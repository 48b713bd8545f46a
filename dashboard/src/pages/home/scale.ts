import { decimalOf, formatMoney } from '../../kit/money.ts';

/** For drawing, where the last digit does not count. */
export function wholeUnits(amount: number, currency: string): number {
  return Number(decimalOf(amount, currency));
}

/** `€1.2K`, beside a scale. */
export function compactMoney(units: number, currency: string): string {
  if (units === 0) return formatMoney(0, currency).replace(/([.,]0+)/, '');
  const format = {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: units < 1 ? 2 : 1,
  } as const;
  return new Intl.NumberFormat(undefined, { ...format, minimumFractionDigits: 0 }).format(units);
}

/** The next number that is round: 1, 2, 3, 4, 5, 6, 8, 10, 20 … */
export function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((times) => times * unit).find((round) => round >= value) ?? 10 * unit;
}
