import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Discount, discountsOf } from './discount.ts';

const most = 999_999_999_999;
const lagoCoupon = 'Lago, applied_coupon_service_spec';
const lagoBreakdown = 'Lago, coupons_breakdown_spec';

describe('discountsOf', () => {
  test.each<[string, number[], Discount, number[]]>([
    ['Stripe, coupons: 200 off 100', [10_000], { amountOff: 20_000 }, [10_000]],
    ['Stripe, coupons: 200 off 300', [30_000], { amountOff: 20_000 }, [20_000]],
    [lagoCoupon, [200, 100], { amountOff: 12 }, [8, 4]],
    [`${lagoCoupon}, more than the lines`, [4, 2], { amountOff: 12 }, [4, 2]],
    [`${lagoCoupon}, a percentage`, [200, 100], { percentOff: 2_000 }, [40, 20]],
    [`${lagoCoupon}, nothing to discount`, [0, 0], { amountOff: 12 }, [0, 0]],
    // Lago has 666.67 and 1,333.33 and rounds the invoice; here each line has whole units.
    [`${lagoBreakdown}, coupon 1`, [1_000, 2_000], { amountOff: 2_000 }, [667, 1_333]],
    [`${lagoBreakdown}, coupon 2`, [1_000, 2_000, 3_000, 4_000], { amountOff: 1_000 }, [100, 200, 300, 400]],
    [
      `${lagoBreakdown}, coupon 3`,
      [333, 667, 3_000, 4_000, 900, 1_800, 2_700, 3_600],
      { amountOff: 500 },
      [10, 20, 88, 118, 26, 53, 79, 106],
    ],
    ['equal remainders: the earlier line', [1, 1, 1], { amountOff: 1 }, [1, 0, 0]],
    ['equal remainders: the two earlier lines', [1, 1, 1], { amountOff: 2 }, [1, 1, 0]],
    ['equal remainders, a third of 100', [500, 500, 500], { amountOff: 100 }, [34, 33, 33]],
    ['the larger remainder, though it is later', [1, 2], { amountOff: 1 }, [0, 1]],
    ['the larger remainder, though the line is smaller', [10, 3], { amountOff: 3 }, [2, 1]],
    ['lines of 0 and below are left alone', [-500, 1_000, 0, 500], { amountOff: 300 }, [0, 200, 0, 100]],
    ['a negative line does not reduce what the others get', [-900, 1_000], { amountOff: 1_000 }, [0, 1_000]],
    ['only negative lines', [-1, -2], { amountOff: 5 }, [0, 0]],
    ['no lines', [], { amountOff: 5 }, []],
    ['no lines, a percentage', [], { percentOff: 5_000 }, []],
    ['everything', [999, 0, -5], { percentOff: 10_000 }, [999, 0, 0]],
    ['half a unit a line', [1, 3, 5], { percentOff: 5_000 }, [1, 2, 3]],
    ['two decimals: 33.33 %', [10_000, 300], { percentOff: 3_333 }, [3_333, 100]],
    ['the smallest percentage', [4_999, 5_000], { percentOff: 1 }, [0, 1]],
    ['yen: 15 % of 500 and of 1,010', [500, 1_010], { percentOff: 1_500 }, [75, 152]],
    ['the largest lines, a percentage', [most, most], { percentOff: 9_999 }, [999_899_999_999, 999_899_999_999]],
    ['the largest lines, an amount', [most, most], { amountOff: most }, [500_000_000_000, 499_999_999_999]],
    ['the fraction counts, not the line', [most, most, 1], { amountOff: most }, [499_999_999_999, 499_999_999_999, 1]],
  ])('%s: %j less %j: %j', (_, amounts, discount, expected) => {
    expect(discountsOf(amounts, discount)).toEqual(expected);
  });
});

const amounts = fc.array(
  fc.oneof(
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -5_000, max: 5_000 }),
    fc.integer({ min: 0, max: most }),
  ),
  { maxLength: 20 },
);

describe('for all lines', () => {
  test('a percentage is rounded in each line, half away from zero, and no line is discounted by more than its amount', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 10_000 }), (lines, percentOff) => {
        const discounts = discountsOf(lines, { percentOff });
        expect(discounts).toHaveLength(lines.length);
        for (const [n, line] of lines.entries()) {
          const twice = 2n * BigInt(discounts[n]!) * 10_000n;
          const exact = 2n * BigInt(Math.max(line, 0)) * BigInt(percentOff);
          expect(exact - twice < 10_000n && twice - exact <= 10_000n).toBe(true);
          expect(discounts[n]).toBeLessThanOrEqual(Math.max(line, 0));
        }
      }),
      { numRuns: 300 },
    );
  });

  /** Largest remainder by its definition: each line has its quota or a unit more, and none was passed over for a unit. */
  test('an amount is spread to the unit, by largest remainder, and no line is discounted by more than its amount', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: most })),
        (lines, amountOff) => {
          const discounts = discountsOf(lines, { amountOff });
          const positive = lines.map((line) => BigInt(Math.max(line, 0)));
          const sum = positive.reduce((all, line) => all + line, 0n);
          const taken = sum < BigInt(amountOff) ? sum : BigInt(amountOff);
          expect(discounts.reduce((all, discount) => all + BigInt(discount), 0n)).toBe(taken);

          /** What the line has beyond its quota, times the sum: 0 or less without a further unit, above 0 with one. */
          const beyond = discounts.map((discount, n) => BigInt(discount) * sum - taken * positive[n]!);
          for (const [n, more] of beyond.entries()) {
            expect(discounts[n]).toBeLessThanOrEqual(Number(positive[n]));
            expect(sum === 0n || (-sum < more && more < sum)).toBe(true);
            // The smaller the excess, the larger the remainder. A line that got a unit had the larger one, or came first.
            for (const [other, less] of beyond.entries())
              if (more > 0n && less < 0n) expect(more - sum < less || (more - sum === less && n < other)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
