import { expect, test } from 'vitest';
import { isolated, oneLine, oneSentence, shortened } from './one_line.ts';

test.each([
  ['Ada\r\nBcc: eve@example.com', 'Ada Bcc: eve@example.com'],
  ['a\u2028b\u2029c\u0085d\te', 'a b c d e'],
  ['\u202eevil\u2066 \x00\x1b[31mred\u2069\ufeff ', 'evil [31mred'],
  ['\ud800x', '\ufffdx'],
  ['Zoë · نوردلیخت\u200cها 👩‍👩‍👧', 'Zoë · نوردلیخت\u200cها 👩‍👩‍👧'],
])('%j is %j in one line', (text, line) => {
  expect(oneLine(text)).toBe(line);
});

test.each([
  ['Ada', 'ltr', 'Ada'],
  ['עדה', 'ltr', '\u2068עדה\u2069'],
  ['Ada\u2069', 'rtl', '\u2068Ada\u2069'],
  ['', 'rtl', ''],
] as const)('%j is isolated in a text from %s: %j', (text, direction, expected) => {
  expect(isolated(text, direction)).toBe(expected);
});

test('a sentence keeps its isolated values, and nothing else that has an effect', () => {
  expect(oneSentence('From\r\n\u2068עדה\u2069\u202e: \u2067hi')).toBe('From \u2068עדה\u2069: hi');
});

test('a text is shortened by characters as people count them, however long it is', () => {
  const family = '👩‍👩‍👧';
  expect([shortened('abc', 3), shortened('abcd', 3), shortened(family.repeat(3), 2)]).toEqual([
    ...['abc', 'ab…', `${family}…`],
  ]);
  expect(shortened('e\u0301'.repeat(1_000_000), 5)).toBe(`${'e\u0301'.repeat(4)}…`);
});
