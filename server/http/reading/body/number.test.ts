import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExact } from './number.ts';

test('a whole number is exact when its double is the same and is written the same', () => {
  const whole = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }),
  );
  fc.assert(
    fc.property(whole, (n) => {
      const value = Number(n);
      expect(isExact(String(n))).toBe(BigInt(value) === n && String(value) === String(n));
    }),
  );
});

test('the spelling of a number does not matter', () => {
  const whole = fc.oneof(fc.maxSafeInteger().map(BigInt), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }));
  fc.assert(
    fc.property(whole, fc.nat(30), (n, zeros) => {
      const exact = isExact(String(n));
      expect(isExact(`${n}.${'0'.repeat(zeros + 1)}`)).toBe(exact);
      expect(isExact(`${n}${'0'.repeat(zeros)}e-${zeros}`)).toBe(exact);
      expect(isExact(`${n}${'0'.repeat(zeros)}.0E-0${zeros}`)).toBe(exact);
      expect(isExact(`${n / 10n ** BigInt(zeros)}e+${zeros}`)).toBe(
        isExact(String((n / 10n ** BigInt(zeros)) * 10n ** BigInt(zeros))),
      );
    }),
  );
});

test('what JSON.stringify writes for a fraction or a safe integer is exact', () => {
  const number = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n));
  fc.assert(fc.property(number, (n) => isExact(JSON.stringify(n))));
});
