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
    maximumFractionDigits: Math.abs(units) < 1 ? 2 : 1,
  } as const;
  return new Intl.NumberFormat(undefined, { ...format, minimumFractionDigits: 0 }).format(units);
}

/** Where a scale begins and ends, and its lines: round numbers at equal distances, zero among them. */
export type Scale = { range: [low: number, high: number]; lines: number[] };

/** As many steps as an eye can distinguish. */
const stepsMax = 4;
/** Below the lowest value, of all that is shown. */
const roomBelow = 0.04;

/** For values from a lowest to a highest one. It ends with a line above; below zero there is only as much as is needed. */
export function scaleBetween(lowest: number, highest: number): Scale {
  const [below, above] = [Math.max(0, -lowest), Math.max(0, highest)];
  if (below + above === 0) return { range: [0, 1], lines: [0, 1] };
  const step = roundSteps(below + above).find((one) => Math.ceil(above / one) + below / one <= stepsMax)!;
  const high = Math.ceil(above / step) * step;
  const low = below === 0 ? 0 : -below - roomBelow * (high + below);
  const first = Math.ceil(low / step);
  const lines = Array.from({ length: Math.round(high / step) - first + 1 }, (_, at) => (first + at) * step);
  return { range: [low, high], lines };
}

/** 1, 2, 2.5 and 5 times a power of ten, up to more than a value. */
function roundSteps(value: number): number[] {
  const unit = 10 ** Math.floor(Math.log10(value) - 1);
  return [1, 10, 100].flatMap((power) => [1, 2, 2.5, 5].map((times) => times * power * unit));
}
