import { expect, test } from 'vitest';
import { chargeFee } from './balance.ts';

test.each([
  [1_000, 59],
  [50, 31],
  [500, 45], // 14.5 is rounded up
  [2_017, 88], // 58.493 is not
  [99_999_999, 2_900_030],
])('the fee of %i is %i', (amount, fee) => {
  expect(chargeFee(amount)).toBe(fee);
});
