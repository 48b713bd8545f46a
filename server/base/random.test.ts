import { expect, test } from 'vitest';
import { fewRandomBytes, randomByte } from './random.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('no bytes are given twice, and those that were given stay as they are', () => {
  const given = Array.from({ length: 3_000 }, () => fewRandomBytes(12)); // of several pools
  const seen = given.map(hex);
  for (let more = 0; more < 10_000; more++) randomByte();
  expect(new Set(seen).size).toBe(given.length);
  expect(given.map(hex)).toEqual(seen);
  expect(given.every((bytes) => bytes.length === 12)).toBe(true);
});

test('every value of a byte occurs', () => {
  expect(new Set(Array.from({ length: 20_000 }, randomByte)).size).toBe(256);
});
