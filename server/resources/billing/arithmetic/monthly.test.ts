import { expect, test } from 'vitest';
import { monthlyAmount } from './monthly.ts';

test.each([
  [999, 'month', 1, 999],
  [1_000, 'month', 3, 333], // 333.33
  [12_345, 'year', 1, 1_029], // 1,028.75
  [12_345, 'year', 2, 514], // 514.375
  [799, 'week', 1, 3_462], // 3,462.33
  [100, 'week', 2, 217], // 216.67
  [33, 'day', 1, 1_004], // 1,003.75
  [33, 'day', 3, 335], // 334.58
  [6, 'year', 1, 1], // half away from zero
  [0, 'day', 7, 0],
  [999_999_999_999, 'day', 1, 30_416_666_666_636], // 30,416,666,666,636.25
] as const)('%i every %s × %i is %i a month', (amount, interval, interval_count, monthly) => {
  expect(monthlyAmount(amount, { interval, interval_count })).toBe(monthly);
});
