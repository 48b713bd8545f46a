import { describe, expect, test } from 'vitest';
import { previousAttributes } from './previous.ts';

describe('previous attributes', () => {
  const cases: [string, object, object, object | undefined][] = [
    ['nothing', { a: 1, b: 'x', c: null }, { a: 1, b: 'x', c: null }, undefined],
    ['nothing, of nothing', {}, {}, undefined],
    ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }],
    ['a value that came', { a: 1 }, { a: 1, b: 2 }, { b: null }],
    ['a value that went', { a: 1, b: 2 }, { a: 1 }, { b: 2 }],
    ['a value that became null', { a: 1 }, { a: null }, { a: 1 }],
    ['null that was never there', {}, { a: null }, undefined],
    [
      'false, zero and the empty string',
      { a: false, b: 0, c: '' },
      { a: true, b: 1, c: 'c' },
      { a: false, b: 0, c: '' },
    ],
    ['another type', { a: 1 }, { a: '1' }, { a: 1 }],
    ['a member of an object', { m: { a: 1, b: 2 } }, { m: { a: 1, b: 3 } }, { m: { b: 2 } }],
    ['members that came and went', { m: { a: 1, b: 2 } }, { m: { b: 2, c: 3 } }, { m: { a: 1, c: null } }],
    ['no member of an object', { m: { a: 1 } }, { m: { a: 1 } }, undefined],
    ['an object that came', { a: 1 }, { a: 1, m: { b: 2 } }, { m: null }],
    ['an object that went', { m: { b: 2 } }, {}, { m: { b: 2 } }],
    ['an object that was emptied', { m: { b: 2 } }, { m: {} }, { m: { b: 2 } }],
    ['an object in an object', { m: { n: { a: 1, b: 2 } } }, { m: { n: { a: 1, b: 0 } } }, { m: { n: { b: 2 } } }],
    ['a list, as a whole', { l: [{ a: 1 }, { b: 2 }] }, { l: [{ a: 1 }, { b: 3 }] }, { l: [{ a: 1 }, { b: 2 }] }],
    ['a list that grew', { l: [1] }, { l: [1, 2] }, { l: [1] }],
    ['a list that was emptied', { l: [1] }, { l: [] }, { l: [1] }],
    ['no entry of a list', { l: [{ a: 1 }] }, { l: [{ a: 1 }] }, undefined],
    ['the order of members, which means nothing', { a: 1, b: 2 }, { b: 2, a: 1 }, undefined],
    [
      'names that every object answers to',
      {},
      { constructor: 'x', toString: 'y' },
      { constructor: null, toString: null },
    ],
    ['such names in metadata', { m: { valueOf: 'x' } }, { m: {} }, { m: { valueOf: 'x' } }],
  ];
  test.each(cases)('%s', (_, before, after, previous) => {
    expect(previousAttributes(before, after)).toEqual(previous);
  });

  test('the compared objects are not mutated', () => {
    const before = Object.freeze({ m: Object.freeze({ a: 1 }) });
    const after = Object.freeze({ m: Object.freeze({ a: 2 }) });
    expect(previousAttributes(before, after)).toEqual({ m: { a: 1 } });
  });
});
