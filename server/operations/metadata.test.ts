import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../base/errors.ts';
import { checkMetadata, type Metadata, type MetadataPatch, mergeMetadata } from './metadata.ts';

const emoji = '🧾'; // one character, two UTF-16 units, four bytes
const keys = (count: number, start = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${start + at}`, at]));

function errorOf(run: () => unknown): { code: string; param: string | undefined; message: string } | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, param: error.param, message: error.message };
  }
}

describe('metadata that is accepted', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['nothing', {}],
    ['a string, a number and a boolean', { text: 'gold', number: -1.5, yes: true, no: false }],
    ['null and the empty string, which remove', { a: null, b: '' }],
    ['a key of 40 characters', { ['k'.repeat(40)]: 1 }],
    ['a key of 40 emoji', { [emoji.repeat(40)]: 1 }],
    ['a value of 500 characters', { key: 'v'.repeat(500) }],
    ['a value of 500 emoji', { key: emoji.repeat(500) }],
    ['names of properties that every object has', { constructor: 'a', toString: 'b', hasOwnProperty: 'c' }],
    ['a key of one space', { ' ': 'x' }],
  ];
  test.each(cases)('%s', (_, patch) => {
    expect(errorOf(() => checkMetadata(patch))).toBeUndefined();
  });
});

describe('metadata that is refused', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['an empty key', { '': 'x' }, 'parameter_invalid', 'metadata'],
    ['a key of 41 characters', { ['k'.repeat(41)]: 1 }, 'metadata_key_too_long', 'metadata'],
    ['a key of 41 emoji', { [emoji.repeat(41)]: 1 }, 'metadata_key_too_long', 'metadata'],
    ['a key of 41 characters that is to be removed', { ['k'.repeat(41)]: null }, 'metadata_key_too_long', 'metadata'],
    ['a value of 501 characters', { key: 'v'.repeat(501) }, 'metadata_value_too_long', 'metadata.key'],
    ['a value of 501 emoji', { key: emoji.repeat(501) }, 'metadata_value_too_long', 'metadata.key'],
    ['an object as a value', { key: { a: 1 } }, 'metadata_value_invalid', 'metadata.key'],
    ['an empty object as a value', { key: {} }, 'metadata_value_invalid', 'metadata.key'],
    ['a list as a value', { key: [] }, 'metadata_value_invalid', 'metadata.key'],
  ];
  test.each(cases)('%s', (_, patch, code, param) => {
    expect(errorOf(() => checkMetadata(patch))).toMatchObject({ code, param });
  });

  test('the message counts code points, not UTF-16 units', () => {
    expect(errorOf(() => checkMetadata({ key: emoji.repeat(501) }))!.message).toContain('501 characters');
  });
});

describe('a merge', () => {
  const before: Metadata = { a: 1, b: 'two', c: true };
  const cases: [string, MetadataPatch | null | undefined, Metadata][] = [
    ['leaves everything when nothing was sent', undefined, before],
    ['leaves everything when no key was sent', {}, before],
    ['empties everything when null was sent', null, {}],
    ['adds a key at the end', { d: 4 }, { a: 1, b: 'two', c: true, d: 4 }],
    ['replaces a value in its place', { a: 'one' }, { a: 'one', b: 'two', c: true }],
    ['removes by null', { b: null }, { a: 1, c: true }],
    ['removes by the empty string', { b: '' }, { a: 1, c: true }],
    ['keeps zero and false, which are values', { a: 0, c: false }, { a: 0, b: 'two', c: false }],
    ['removes what is not there', { z: null }, before],
  ];
  test.each(cases)('%s', (_, patch, after) => {
    const merged = mergeMetadata(before, patch);
    expect(merged).toEqual(after);
    expect(Object.keys(merged)).toEqual(Object.keys(after));
  });

  test('may have 50 keys and not 51, counted after the merge', () => {
    expect(errorOf(() => mergeMetadata(keys(49), { one: 1 }))).toBeUndefined();
    expect(errorOf(() => mergeMetadata(keys(50), { one: 1 }))).toEqual({
      code: 'metadata_too_many_keys',
      param: 'metadata',
      message: 'metadata would have 51 keys; an object can have up to 50.',
    });
    expect(errorOf(() => mergeMetadata(keys(50), { one: 1, 'key 0': null }))).toBeUndefined();
    expect(errorOf(() => mergeMetadata(keys(50), { 'key 0': 'other' }))).toBeUndefined();
    expect(errorOf(() => mergeMetadata({}, { ...keys(50), gone: '', none: null }))).toBeUndefined();
  });

  test('holds for any keys and values: named keys change, others stay, and nothing is mutated', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString', '0', '10');
    const value = fc.oneof(fc.string({ minLength: 1 }), fc.double({ noNaN: true }), fc.boolean());
    const removal = fc.constantFrom(null, '');
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.dictionary(key, fc.oneof(value, removal)), (current, patch) => {
        const copy = structuredClone(current);
        const merged = mergeMetadata(current, patch);
        for (const name of new Set([...Object.keys(current), ...Object.keys(patch)])) {
          const wanted = Object.hasOwn(patch, name) ? patch[name] : current[name];
          const removed = wanted === null || wanted === '';
          expect(Object.hasOwn(merged, name)).toBe(!removed);
          if (!removed) expect(merged[name]).toBe(wanted);
        }
        expect(Object.keys(merged).length).toBeLessThanOrEqual(
          new Set([...Object.keys(current), ...Object.keys(patch)]).size,
        );
        expect(current).toEqual(copy);
      }),
    );
  });
});
