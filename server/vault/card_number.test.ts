import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { type Brand, isCvcOf, readCardNumber } from './card_number.ts';

const read = (text: string) => readCardNumber(new Secret(text));

/** Appends the check digit; another implementation than the one under test. */
function withCheckDigit(digits: number[]): string {
  const sum = [...digits]
    .reverse()
    .flatMap((digit, at) => [...String(at % 2 === 0 ? digit * 2 : digit)].map(Number))
    .reduce((total, digit) => total + digit, 0);
  return digits.join('') + String((10 - (sum % 10)) % 10);
}

const bodies = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 });

describe('a card number', () => {
  const cards: [string, Brand][] = [
    ['4242424242424242', 'visa'],
    ['4222222222222', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['5105105105105100', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['378282246310005', 'amex'],
    ['341111111111111', 'amex'],
    ['6011111111111117', 'discover'],
    ['6011000990139424', 'discover'],
    ['3056930009020004', 'diners'],
    ['36227206271667', 'diners'],
    ['3566002020360505', 'jcb'],
    ['6200000000000005', 'unionpay'],
    ['6205500000000000004', 'unionpay'],
  ];
  test.each(cards)('%s is of the brand %s', (digits, brand) => {
    const card = read(digits);
    expect(card).toMatchObject({ ok: true, brand, last4: digits.slice(-4) });
    expect(card.ok && card.number.open()).toBe(digits);
  });

  const edges: [string, Brand][] = [
    ['2220', 'unknown'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['2721', 'unknown'],
    ['50', 'unknown'],
    ['51', 'mastercard'],
    ['55', 'mastercard'],
    ['56', 'unknown'],
    ['300', 'diners'],
    ['305', 'diners'],
    ['306', 'unknown'],
    ['3094', 'unknown'],
    ['3095', 'diners'],
    ['38', 'diners'],
    ['39', 'diners'],
    ['3527', 'unknown'],
    ['3528', 'jcb'],
    ['3589', 'jcb'],
    ['3590', 'unknown'],
    ['6010', 'unknown'],
    ['643', 'unknown'],
    ['644', 'discover'],
    ['649', 'discover'],
    ['65', 'discover'],
    ['622126', 'unionpay'],
    ['622925', 'unionpay'],
    ['81', 'unionpay'],
    ['9', 'unknown'],
  ];
  test.each(edges)('that begins with %s is of the brand %s', (prefix, brand) => {
    const digits = [...prefix.padEnd(15, '7')].map(Number);
    expect(read(withCheckDigit(digits))).toMatchObject({ ok: true, brand });
  });

  const typed = ['4242 4242 4242 4242', '4242-4242-4242-4242', ' 4242424242424242 ', '42 42-42 42-42 42-42 42'];
  test.each(typed)('may be typed as "%s"', (text) => {
    const card = read(text);
    expect(card.ok && card.number.open()).toBe('4242424242424242');
  });

  const refused: [string, string][] = [
    ['nothing', ''],
    ['one wrong digit', '4242424242424241'],
    ['11 digits', withCheckDigit([4, 2, 4, 2, 4, 2, 4, 2, 4, 2])],
    ['20 digits', withCheckDigit(Array.from({ length: 19 }, () => 4))],
    ['a letter', '424242424242424a'],
    ['digits of another script', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢'],
    ['a line break', '4242424242424242\n'],
    ['a dot', '4242.4242.4242.4242'],
    ['too many separators', `4242424242424242${' '.repeat(60)}`],
  ];
  test.each(refused)('is refused with %s', (_, text) => expect(read(text)).toEqual({ ok: false }));

  test('of any issuer is accepted with its check digit, and refused with every other', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 9 }), (digits, off) => {
        const good = withCheckDigit(digits);
        const bad = good.slice(0, -1) + String((Number(good.at(-1)) + off) % 10);
        expect([read(good).ok, read(bad).ok]).toEqual([true, false]);
      }),
    );
  });

  test('is not printed with the result of reading it', () => {
    const card = read('4242424242424242');
    for (const shown of [JSON.stringify(card), inspect(card, { depth: 9, showHidden: true })])
      expect(shown).not.toContain('42424242');
  });
});

describe('a security code', () => {
  const codes: [Brand, string, boolean][] = [
    ['visa', '123', true],
    ['visa', '000', true],
    ['visa', '1234', false],
    ['visa', '12', false],
    ['amex', '1234', true],
    ['amex', '123', false],
    ['unknown', '123', true],
    ['unknown', '1234', true],
    ['unknown', '12345', false],
    ['mastercard', '12a', false],
    ['mastercard', ' 123', false],
    ['mastercard', '', false],
  ];
  test.each(codes)('of %s: "%s" is one: %s', (brand, cvc, is) => expect(isCvcOf(brand, new Secret(cvc))).toBe(is));
});
