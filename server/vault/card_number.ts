import { Secret } from '../base/secret.ts';

export const brands = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'unknown'] as const;
export type Brand = (typeof brands)[number];

/** A checked number, digits only, and the parts of it that may be shown. */
export type CardNumber = { ok: true; number: Secret; brand: Brand; last4: string };

const charsMax = 64; // 19 digits and separators
const digitsMin = 13; // of the brands that are known here
const digitsMax = 19;

/** Ranges of first digits, and the brand of each. No two ranges overlap. */
const ranges: readonly [from: string, to: string, brand: Brand][] = [
  ['4', '4', 'visa'],
  ['51', '55', 'mastercard'],
  ['2221', '2720', 'mastercard'],
  ['34', '34', 'amex'],
  ['37', '37', 'amex'],
  ['6011', '6011', 'discover'],
  ['644', '649', 'discover'],
  ['65', '65', 'discover'],
  ['300', '305', 'diners'],
  ['3095', '3095', 'diners'],
  ['36', '36', 'diners'],
  ['38', '39', 'diners'],
  ['3528', '3589', 'jcb'],
  ['62', '62', 'unionpay'], // 622126 to 622925 are Discover's as well; they are UnionPay cards
  ['81', '81', 'unionpay'],
];

/** A number as people type it, without its spaces and dashes. Text that is too long for a number is left as it is. */
export function withoutSeparators(typed: string): string {
  return typed.length > charsMax ? typed : typed.replaceAll(/[ -]/g, '');
}

/**
 * Reads a card number as people type it: spaces and dashes are ignored. A wrong length or check digit is refused. The lengths of single
 * brands are not checked, because issuers do not keep to them.
 */
export function readCardNumber(text: Secret): CardNumber | { ok: false } {
  const digits = withoutSeparators(text.open());
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) return { ok: false };
  return { ok: true, number: new Secret(digits), brand: brandOf(digits), last4: digits.slice(-4) };
}

/** Digits with anything but letters between them, if there are enough for a card number. */
const digitsTogether = /\d(?:[^A-Za-z\d]*\d){12,}/g;

/**
 * Whether a text may contain a card number of a known brand, with any other digits beside it. Between the digits of a number may be
 * anything but letters.
 */
export function mayContainCardNumber(text: string): boolean {
  const runs = text.match(digitsTogether) ?? [];
  return runs.some((run) => hasCardNumberAnywhere(run.replaceAll(/\D/g, '')));
}

function hasCardNumberAnywhere(digits: string): boolean {
  for (let from = 0; from + digitsMin <= digits.length; from++) {
    const candidate = digits.slice(from, from + digitsMax);
    if (brandOf(candidate) === 'unknown') continue;
    for (let length = digitsMin; length <= candidate.length; length++)
      if (passesLuhn(candidate.slice(0, length))) return true;
  }
  return false;
}

/** Whether this can be the security code of a card of this brand. */
export function isCvcOf(brand: Brand, cvc: Secret): boolean {
  const lengths = brand === 'amex' ? /^\d{4}$/ : brand === 'unknown' ? /^\d{3,4}$/ : /^\d{3}$/;
  return lengths.test(cvc.open());
}

function brandOf(digits: string): Brand {
  // Strings of digits of the same length compare like numbers.
  const found = ranges.find(([from, to]) => {
    const prefix = digits.slice(0, from.length);
    return from <= prefix && prefix <= to;
  });
  return found?.[2] ?? 'unknown';
}

/** Every second digit from the right counts twice; the sum of all digits ends in zero. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const counted = at % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
