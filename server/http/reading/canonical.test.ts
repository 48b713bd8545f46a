import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

describe('canonical JSON', () => {
  const cases: [string, unknown, string][] = [
    ['sorts keys', { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ['sorts keys at every depth', { x: { b: 1, a: [{ d: 1, c: 2 }] } }, '{"x":{"a":[{"c":2,"d":1}],"b":1}}'],
    ['keeps the order of lists', [3, 1, 2], '[3,1,2]'],
    ['leaves out what is undefined', { a: undefined, b: null }, '{"b":null}'],
    ['tells text from numbers', { a: '1', b: 1 }, '{"a":"1","b":1}'],
    ['takes minus zero as zero', -0, '0'],
    ['escapes names', { 'a"\n': 1 }, '{"a\\"\\n":1}'],
    ['knows nothing but objects', {}, '{}'],
  ];
  test.each(cases)('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  /** The same value with the keys of every object in reverse order. */
  function reordered(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(reordered);
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([name, member]) => [name, reordered(member)]));
  }

  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

  test('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('differs for different values', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(JSON.parse(canonicalJson(a))).toEqual(a);
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });
});
