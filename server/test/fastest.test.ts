import { expect, test } from 'vitest';
import { fastest } from './fastest.ts';

const after = (...times: number[]) => {
  let tries = 0;
  return { work: async () => times[tries++]!, tries: () => tries };
};

test('what keeps the limit is tried once', async () => {
  const { work, tries } = after(99, 1);
  expect([await fastest(100, work), tries()]).toEqual([99, 1]);
});

test('what was slow because of something else keeps it later', async () => {
  const { work, tries } = after(1_000_000, 1_000_000, 98);
  expect([await fastest(100, work), tries()]).toEqual([98, 3]);
});

test('what is slow is slow every time, however busy the machine is', async () => {
  const { work, tries } = after(1_000_000, 1_000_000, 1_000_000, 1);
  expect(await fastest(100, work)).toBeGreaterThan(100);
  expect(tries()).toBe(3);
});
