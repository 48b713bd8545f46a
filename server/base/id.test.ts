import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62, createdSeconds, firstIdAt, idTime, isId, laterId, newId, newIds, randomBase62 } from './id.ts';

const moment = fc.integer({ min: 0, max: 62 ** 8 - 1 });
const id = newId('cus', 1_700_000_000_123);

describe('an id', () => {
  test('has its prefix, 8 characters of time and at least 80 random bits', () => {
    const [prefix, body] = id.split('_') as [string, string];
    expect(prefix).toBe('cus');
    expect(body).toMatch(/^[0-9A-Za-z]{22}$/);
    expect((body.length - 8) * Math.log2(62)).toBeGreaterThan(80);
  });

  test('sorts by the time at which it was made', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        fc.pre(a !== b);
        expect(newId('cus', a) < newId('cus', b)).toBe(a < b);
      }),
    );
  });

  test('sorts by its place among those that are made together', () => {
    const ids = newIds('evt', 1_700_000_000_000, 20);
    expect(new Set(ids).size).toBe(20);
    expect(ids).toEqual(ids.toSorted());
    expect(ids.map(idTime)).toEqual(Array(20).fill(1_700_000_000_000));
  });

  test('sorts after those of the same millisecond, if it is made as a later one', () => {
    const at = 1_700_000_000_000;
    const ids = Array.from({ length: 5_000 }, () => laterId('txn', at));
    expect(ids.slice(1).every((id, before) => id > ids[before]!)).toBe(true);
    expect(ids.every((id) => isId('txn', id) && idTime(id) === at)).toBe(true);
    expect(laterId('txn', at + 1).slice(-14, -4)).not.toBe(ids.at(-1)!.slice(-14, -4)); // random again
  });

  test('contains its time to the millisecond, whatever its prefix', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom('cus', 'evt', 'acct', 'req'), (at, prefix) => {
        expect(idTime(newId(prefix, at))).toBe(at);
        expect(createdSeconds(newId(prefix, at))).toBe(Math.floor(at / 1_000));
      }),
    );
  });

  test('is not made twice, even within one millisecond', () => {
    const made = Array.from({ length: 50_000 }, () => newId('cus', 1_700_000_000_000));
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('the first id of a millisecond', () => {
  test('separates the ids made before it from those made then or later', () => {
    const near = fc.tuple(moment, fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(near, ([at, distance]) => {
        const other = at + distance;
        fc.pre(other >= 0 && other < 62 ** 8);
        expect(newId('cus', other) >= firstIdAt('cus', at)).toBe(other >= at);
      }),
    );
  });

  test('is itself a well-formed id', () => {
    expect(isId('cus', firstIdAt('cus', 0))).toBe(true);
    expect(isId('cus', firstIdAt('cus', 99_999_999_999_999))).toBe(true);
  });
});

describe('isId', () => {
  const cases: [string, string, boolean][] = [
    ['an id of the kind', id, true],
    ['an id of another kind', id.replace('cus_', 'evt_'), false],
    ['a kind that only begins the same', id.replace('cus_', 'cust_'), false],
    ['no prefix', id.slice(4), false],
    ['one character too few', id.slice(0, -1), false],
    ['one character too many', `${id}0`, false],
    ['a hyphen inside', `${id.slice(0, -1)}-`, false],
    ['an underscore inside', `${id.slice(0, -1)}_`, false],
    ['a letter that only looks like one of ours', `${id.slice(0, -1)}а`, false],
    ['a newline at the end', `${id.slice(0, -1)}\n`, false],
    ['a newline behind', `${id}\n`, false],
    ['a NUL inside', `${id.slice(0, -1)}\u0000`, false],
    ['the other case of the prefix', id.replace('cus_', 'CUS_'), false],
    ['nothing', '', false],
  ];
  test.each(cases)('%s', (_, text, expected) => {
    expect(isId('cus', text)).toBe(expected);
  });
});

describe('base62', () => {
  const cases: [number, number, string][] = [
    [0, 1, '0'],
    [0, 4, '0000'],
    [9, 1, '9'],
    [10, 1, 'A'],
    [35, 1, 'Z'],
    [36, 1, 'a'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [2 ** 32 - 1, 6, '4gfFC3'],
    [62 ** 8 - 1, 8, 'zzzzzzzz'],
  ];
  test.each(cases)('%d in %d characters is %s', (value, length, text) => {
    expect(base62(value, length)).toBe(text);
  });
});

test('random characters are all equally likely', () => {
  const draws = 124_000;
  const counts = new Map<string, number>();
  for (const char of randomBase62(draws)) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 2,000 of each are expected, with a standard deviation of 44: eight of those never happen by chance.
  for (const count of counts.values()) expect(Math.abs(count - draws / 62)).toBeLessThan(360);
});
