/**
 * Whether a decimal literal can be read as a double without changing what it says.
 *
 * The rule: where the double is a whole number, the literal must be exactly that number, and so must the number as
 * JSON.stringify would write it; where it is not, the literal is a decimal fraction and means its nearest double, as
 * it does in every JSON reader. So 0.1, 2^53 and 1e21 pass. 9007199254740993 and 1e23 (no such double), 1e400
 * (infinite), 1e-400 (zero), 4.99999999999999999999 (five) and 2^60 (a double, but written as …847000) do not.
 *
 * `literal` has JSON's number syntax; leading zeros are allowed besides.
 */
export function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (!Number.isInteger(value)) return true;
  // The safe integers end where rounding begins, so a whole literal that was rounded is not among them.
  if (Number.isSafeInteger(value) && !/[.eE]/.test(literal)) return true;

  const written = significant(literal);
  return written === significant(String(value)) && written === significant(String(BigInt(value)));
}

/** One spelling for each absolute value: 0.50e3, 500 and 5e2 are all `5e2`. */
function significant(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '');
  const point = mantissa.indexOf('.');
  const fraction = point < 0 ? 0 : mantissa.length - point - 1;

  // Not by a regular expression: /0+$/ takes quadratic time on many zeros before another digit.
  let start = 0;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  while (start < end && digits[start] === '0') start += 1;
  return start === end ? '0' : `${digits.slice(start, end)}e${Number(exponent) - fraction + digits.length - end}`;
}
