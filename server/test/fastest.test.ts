import { expect, test } from 'vitest';
import { fastest } from './fastest.ts';

const after = (...times: number[]) => {
  let tries = 0;
  return { work: async () => times[tries++]!, tries: () => tries };
};

test('work within the limit is tried once', async () => {
  const { work, tries } = after(99, 1);
  expect([await fastest(100, work), tries()]).toEqual([99, 1]);
});

test('work that was slow because the machine was busy keeps the limit in a later try', async () => {
  const { work, tries } = after(1_000_000, 1_000_000, 98);
  expect([await fastest(100, work), tries()]).toEqual([98, 3]);
});

test('slow work misses the limit in every try, however busy the machine is', async () => {
  const { work, tries } = after(1_000_000, 1_000_000, 1_000_000, 1);
  expect(await fastest(100, work)).toBeGreaterThan(100);
  expect(tries()).toBe(3);
});
