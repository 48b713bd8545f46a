import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodAt, type Recurring } from './calendar.ts';
import { discountsOf } from './discount.ts';
import { chargeFor, creditFor, share } from './proration.ts';

const day = 86_400;
const year = 365 * day;
const at = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1_000;
const monthly: Recurring = { interval: 'month', interval_count: 1 };
const quarterly: Recurring = { interval: 'month', interval_count: 3 };
const yearly: Recurring = { interval: 'year', interval_count: 1 };

describe('share', () => {
  test.each<[string, number, number, number, number]>([
    ['half a unit', 1, 1, 2, 1],
    ['half a unit, negative', -1, 1, 2, -1],
    ['one and a half', 3, 1, 2, 2],
    ['one and a half, negative', -3, 1, 2, -2],
    ['two and a half: not to the even number', 5, 1, 2, 3],
    ['two and a half, negative: away from zero, not up', -5, 1, 2, -3],
    ['just below half', 1, 1_339_199, 2_678_400, 0],
    ['just below half, negative: 0, not -0', -1, 1_339_199, 2_678_400, 0],
    ['just above half', 1, 1_339_201, 2_678_400, 1],
    ['nothing of something', 1_000, 0, 31 * day, 0],
    ['something of nothing', 0, 5, 31 * day, 0],
    ['all of it', 1_999, 31 * day, 31 * day, 1_999],
    ['Stripe, documentation of prorations: half of 20 USD', 2_000, 15 * day, 30 * day, 1_000],
    ['Stripe, list api-discuss, May 2017: 15 of 30 days of 100 USD', 10_000, 15 * day, 30 * day, 5_000],
    ['Lago, upgrade_proration_spec: 32 of 91 days of a quarter', 91_000, 32 * day, 91 * day, 32_000],
    ['yen, without decimals: 10 of 31 days of 500', 500, 10 * day, 31 * day, 161],
    ['yen: half of 1,001', 1_001, 14 * day, 28 * day, 501],
    ['dinars of Kuwait, three decimals: half of 10.001', 10_001, 15 * day, 30 * day, 5_001],
    ['dinars of Kuwait: half of -10.001', -10_001, 15 * day, 30 * day, -5_001],
    ['the largest amount, half a year', 999_999_999_999, year / 2, year, 500_000_000_000],
    ['the largest amount, all but a second of a year', 999_999_999_999, year - 1, year, 999_999_968_289],
    ['the largest amount, a second of a leap year', 999_999_999_999, 1, year + day, 31_623],
    ['the largest amount, negative, a third of a year', -999_999_999_999, year / 3, year, -333_333_333_333],
    ['exactly half a unit, where floating point is too coarse', 977_631_768_000, year - 1, year, 977_631_737_000],
    ['a little less than half a unit, likewise', 977_631_768_001, year - 1, year, 977_631_737_000],
    ['the largest amount, half of three years and a second', 999_999_999_999, 47_347_201, 94_694_401, 500_000_005_280],
  ])('%s: %s × %s ÷ %s = %s', (_, amount, part, whole, expected) => {
    expect(share(amount, part, whole)).toBe(expected);
  });

  test('refuses what has no exact answer', () => {
    expect(() => share(1, 1, 0)).toThrow(RangeError);
    expect(() => share(1, 1, -1)).toThrow(RangeError);
    expect(() => share(0.5, 1, 2)).toThrow(RangeError);
    expect(() => share(Number.MAX_SAFE_INTEGER, 2, 1)).toThrow(RangeError);
  });
});

/** Kill Bill states parts of a period as fractions with nine decimals; `parts` is that fraction of 1,000,000,000. */
describe('a part of the period of the calendar, as Kill Bill has it', () => {
  const dates = 'TestInvoiceDateUtilsWithoutFixedProration';
  test.each<[string, Recurring, string, string, string, number]>([
    [dates, monthly, '2023-05-15', '2023-05-23', '2023-06-15', 741_935_484],
    [dates, monthly, '2023-05-15', '2023-06-23', '2023-07-15', 733_333_333],
    [`${dates}, February`, monthly, '2023-01-15', '2023-02-23', '2023-03-15', 714_285_714],
    [`${dates}, February of a leap year`, monthly, '2024-01-15', '2024-02-23', '2024-03-15', 724_137_931],
    ['monthly TestLeadingProRation, 12/31', monthly, '2011-01-13', '2011-02-01', '2011-02-13', 387_096_774],
    ['monthly TestProRation, 1/2', monthly, '2011-02-10', '2011-02-24', '2011-03-10', 500_000_000],
    ['monthly TestProRation, 13/28', monthly, '2011-02-01', '2011-02-01', '2011-02-14', 464_285_714],
    ['monthly TestProRation, 14/29', monthly, '2012-02-01', '2012-02-01', '2012-02-15', 482_758_621],
    ['monthly TestProRation, 13/31', monthly, '2011-01-27', '2011-02-14', '2011-02-27', 419_354_839],
    ['monthly TestProRation, 5/28', monthly, '2011-01-15', '2011-03-10', '2011-03-15', 178_571_429],
    ['monthly TestProRation, 3/31', monthly, '2011-02-07', '2011-03-07', '2011-03-10', 96_774_194],
    ['quarterly TestLeadingProRation, 12/92', quarterly, '2011-02-13', '2011-02-01', '2011-02-13', 130_434_783],
    ['quarterly TestProRation, 14/89', quarterly, '2011-02-10', '2011-02-10', '2011-02-24', 157_303_371],
    ['quarterly TestProRation, 75/89', quarterly, '2011-02-10', '2011-02-24', '2011-05-10', 842_696_629],
    ['quarterly TestTrailingProRation, 8/91', quarterly, '2010-06-17', '2010-09-17', '2010-09-25', 87_912_088],
    ['annual TestLeadingProRation, 12/365', yearly, '2011-02-13', '2011-02-01', '2011-02-13', 32_876_712],
    ['annual TestProRation, 349/365', yearly, '2011-01-15', '2011-01-31', '2012-01-15', 956_164_384],
    ['annual TestProRation, 354/365', yearly, '2010-12-04', '2010-12-15', '2011-12-04', 969_863_014],
    ['annual TestDoubleProRation, 12/366', yearly, '2011-01-15', '2012-01-15', '2012-01-27', 32_786_885],
    ['annual TestTrailingProRation, 8/366', yearly, '2010-06-17', '2011-06-17', '2011-06-25', 21_857_923],
  ])('%s: every %j from %s, %s to %s: %s', (_, every, anchor, from, to, parts) => {
    const { start, end } = periodAt(at(anchor), every, at(from));
    expect(share(1_000_000_000, at(to) - at(from), end - start)).toBe(parts);
  });
});

describe('chargeFor', () => {
  test.each<[string, number, number, number, number, number]>([
    ['Stripe, documentation of prorations: 20 USD, half a period', 2_000, 1, 15 * day, 30 * day, 1_000],
    ['Stripe, list api-discuss: 100 USD from the start of the period', 10_000, 1, 2_678_400, 2_678_400, 10_000],
    ['Kill Bill, repair logic: 9.95 from 7 May', 995, 1, 25 * day, 31 * day, 802],
    ['Kill Bill, repair logic: 29.95 from 8 May', 2_995, 1, 24 * day, 31 * day, 2_319],
    ['Kill Bill, TestIntegration: 599.95 from 2 to 31 March', 59_995, 1, 29 * day, 31 * day, 56_124],
    ['Kill Bill, TestIntegration: 249.95 from 5 April, half a cent', 24_995, 1, 27 * day, 30 * day, 22_496],
    ['rounded once, after the multiplication', 333, 3, 15 * day, 30 * day, 500],
    ['quantity 0', 1_999, 0, 15 * day, 30 * day, 0],
    ['unit amount 0', 0, 7, 15 * day, 30 * day, 0],
    ['no time left', 1_999, 7, 0, 30 * day, 0],
    ['a million of the largest that a period allows', 999_999, 1_000_000, 10 * day, 30 * day, 333_333_000_000],
    ['a product beyond 2^53', 999_999_999_999, 1_000_000, 1, year, 31_709_791_984],
  ])('%s', (_, unitAmount, quantity, left, whole, expected) => {
    expect(chargeFor(unitAmount, quantity, left, whole)).toBe(expected);
  });

  test('refuses a result that a number cannot hold exactly', () => {
    expect(() => chargeFor(999_999_999_999, 1_000_000, year, year)).toThrow(RangeError);
  });
});

describe('creditFor', () => {
  const line = (net: number, start: string, end: string) => ({ net, start: at(start), end: at(end) });
  test.each<[string, ReturnType<typeof line>, number, number]>([
    [
      'Stripe, documentation of prorations: 10 USD, half',
      line(1_000, '2023-04-01', '2023-05-01'),
      at('2023-04-16'),
      -500,
    ],
    [
      'Stripe, recorded event invoiceitem.created: 15 USD, a second later',
      { net: 1_500, start: 1_648_320_096, end: 1_650_998_496 },
      1_648_320_097,
      -1_500,
    ],
    ['Kill Bill, repair logic: 599.95', line(59_995, '2012-05-01', '2012-06-01'), at('2012-05-07'), -48_383],
    ['Kill Bill, repair logic: of a part, 8.02', line(802, '2012-05-07', '2012-06-01'), at('2012-05-08'), -770],
    ['Kill Bill, TestIntegration: 249.95', line(24_995, '2012-03-02', '2012-04-02'), at('2012-03-04'), -23_382],
    ['Kill Bill, TestIntegration: 249.95', line(24_995, '2012-03-02', '2012-04-02'), at('2012-03-05'), -22_576],
    ['Kill Bill, TestInvoiceFixedProration, 30 days', line(1_995, '2023-04-23', '2023-05-23'), at('2023-05-15'), -532],
    // With a setting that counts every month as 30 days Kill Bill has -14.63. The seconds of the period are the rule here.
    ['the same in a period of 31 days', line(1_995, '2023-05-15', '2023-06-15'), at('2023-05-23'), -1_480],
    ['Lago, create_from_termination_spec: 16 days', line(3_100, '2022-10-01', '2022-11-01'), at('2022-10-16'), -1_600],
    ['Lago, the same after an upgrade', line(3_100, '2022-10-01', '2022-11-01'), at('2022-10-15'), -1_700],
    ['Lago, the same of 62.00', line(6_200, '2022-10-01', '2022-11-01'), at('2022-10-16'), -3_200],
    ['Lago, the same with a coupon of 10.00', line(2_100, '2022-10-01', '2022-11-01'), at('2022-10-16'), -1_084],
    ['Lago, the same with a coupon of everything', line(0, '2022-10-01', '2022-11-01'), at('2022-10-16'), 0],
    // Lago has -4.99 here, because 15/30 of 9.99 is a float below 4.995. Exactly half a cent is rounded away from zero.
    ['Lago, half a cent', line(999, '2023-02-28', '2023-03-30'), at('2023-03-15'), -500],
    ['half a unit', line(1, '2023-04-01', '2023-05-01'), at('2023-04-16'), -1],
    ['too little to credit', line(1, '2023-04-01', '2023-05-01'), at('2023-04-16') + 1, 0],
    ['the whole line', line(1_999, '2023-04-01', '2023-05-01'), at('2023-04-01'), -1_999],
    ['from before the line: no more than the line', line(1_999, '2023-04-16', '2023-05-01'), at('2023-04-01'), -1_999],
    ['from the end of the line', line(1_999, '2023-04-01', '2023-05-01'), at('2023-05-01'), 0],
    ['from after the line', line(1_999, '2023-04-01', '2023-05-01'), at('2023-05-02'), 0],
    ['of a line without duration', line(1_999, '2023-04-01', '2023-04-01'), at('2023-04-01'), 0],
    [
      'the largest amount, a year',
      line(999_999_999_999, '2023-01-01', '2024-01-01'),
      at('2023-01-01') + 1,
      -999_999_968_289,
    ],
  ])('%s', (_, of, from, expected) => {
    expect(creditFor(of, from)).toBe(expected);
  });
});

// ── Against the definition ───────────────────────────────────────────────────────────────────────────────────────────

/**
 * The definition of rounding half away from zero, without a division: no other whole number satisfies it. The distance
 * is at most half; where it is half, the result is the farther one from zero.
 */
function isRounded(result: number, product: bigint, whole: bigint): boolean {
  const of = BigInt(result) * whole;
  const twice = 2n * (product - of);
  const distance = twice < 0n ? -twice : twice;
  return distance < whole || (distance === whole && of * of > product * product);
}

const amount = fc.oneof(
  fc.integer({ min: -100, max: 100 }),
  fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }),
);
const price = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 999_999_999_999 }));
const length = fc.oneof(
  fc.integer({ min: 2, max: 100 }),
  fc.constantFrom(28, 29, 30, 31, 90, 365, 366).map((days) => days * day),
  fc.integer({ min: day, max: 1_096 * day }),
);
/** A period of so many seconds, and a second in it. */
const split = length.chain((whole) =>
  fc.record({ whole: fc.constant(whole), left: fc.integer({ min: 0, max: whole }) }),
);

describe('for every amount and period', () => {
  test('a share is the nearest unit, halves away from zero, and has no negative zero', () => {
    fc.assert(
      fc.property(amount, split, (of, { whole, left }) => {
        const result = share(of, left, whole);
        expect(isRounded(result, BigInt(of) * BigInt(left), BigInt(whole))).toBe(true);
        expect(share(-of, left, whole)).toBe(result === 0 ? 0 : -result);
      }),
      { numRuns: 500 },
    );
  });

  test('a share next to half a unit of a large amount is exact', () => {
    const halves = fc.record({ units: fc.integer({ min: 1, max: 10_000 }), beside: fc.integer({ min: -2, max: 2 }) });
    fc.assert(
      fc.property(fc.constantFrom(30, 31, 365, 366), halves, (days, { units, beside }) => {
        const whole = days * day;
        // All but a second of this amount is a whole number and a half, and `beside` parts of the period less.
        const of = units * whole + whole / 2 + beside;
        expect(isRounded(share(of, whole - 1, whole), BigInt(of) * BigInt(whole - 1), BigInt(whole))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('a charge is rounded once, and never exceeds the whole period', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 1_000 }), split, (unit, quantity, { whole, left }) => {
        const result = chargeFor(unit, quantity, left, whole);
        expect(isRounded(result, BigInt(unit) * BigInt(quantity) * BigInt(left), BigInt(whole))).toBe(true);
        expect(result).toBeLessThanOrEqual(unit * quantity);
      }),
      { numRuns: 300 },
    );
  });

  test('a credit is the negative of that share of the line, and never exceeds the line', () => {
    fc.assert(
      fc.property(price, split, fc.integer({ min: 0, max: 4_000_000_000 }), (net, { whole, left }, start) => {
        const credit = creditFor({ net, start, end: start + whole }, start + whole - left);
        expect(isRounded(credit, -BigInt(net) * BigInt(left), BigInt(whole))).toBe(true);
        expect(Object.is(credit, -0)).toBe(false);
        expect(credit).toBeGreaterThanOrEqual(-net);
      }),
      { numRuns: 300 },
    );
  });

  test('the pieces of a period differ from the whole by at most half a unit a piece', () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(amount, length, cuts, (of, whole, at) => {
        const ends = [...at.map((part) => Math.floor(part * whole)), whole].sort((one, other) => one - other);
        const pieces = ends.map((end, n) => share(of, end - (ends[n - 1] ?? 0), whole));
        const sum = pieces.reduce((all, piece) => all + piece, 0);
        expect(Math.abs(sum - of)).toBeLessThanOrEqual(pieces.length / 2);
      }),
      { numRuns: 500 },
    );
    // No smaller bound holds: four quarters of two units are four units.
    expect(4 * share(2, 1, 4)).toBe(2 + 4 / 2);
  });
});

describe('a change that is undone immediately', () => {
  const item = fc.record({ unit: fc.integer({ min: 0, max: 999_999 }), quantity: fc.integer({ min: 0, max: 1_000 }) });
  const percent = fc.integer({ min: 1, max: 10_000 });

  /** The nets of the four lines of a change from one item to another and back, at the same second. */
  function thereAndBack(
    one: { unit: number; quantity: number },
    other: { unit: number; quantity: number },
    { whole, left }: { whole: number; left: number },
    netOf: (amount: number) => number,
  ): number[] {
    const from = whole - left;
    const charge = (item: typeof one) => netOf(chargeFor(item.unit, item.quantity, left, whole));
    const paid = { net: netOf(one.unit * one.quantity), start: 0, end: whole };
    const changed = { net: charge(other), start: from, end: whole };
    return [creditFor(paid, from), changed.net, creditFor(changed, from), charge(one)];
  }
  const sum = (nets: number[]) => nets.reduce((all, net) => all + net, 0);

  test('nets to 0', () => {
    fc.assert(
      fc.property(item, item, split, (one, other, period) => {
        expect(sum(thereAndBack(one, other, period, (amount) => amount))).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test('nets to at most one unit while a percentage is in force, because each line rounds its own discount', () => {
    fc.assert(
      fc.property(item, item, split, percent, (one, other, period, percentOff) => {
        const netOf = (amount: number) => amount - discountsOf([amount], { percentOff })[0]!;
        expect(Math.abs(sum(thereAndBack(one, other, period, netOf)))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
    const third = (amount: number) => amount - discountsOf([amount], { percentOff: 3_300 })[0]!;
    const [one, other] = [
      { unit: 100, quantity: 1 },
      { unit: 200, quantity: 1 },
    ];
    expect(thereAndBack(one, other, { whole: 8, left: 1 }, third)).toEqual([-8, 17, -17, 9]);
  });
});
