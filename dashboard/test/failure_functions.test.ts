import { expect, test } from 'vitest';
import { ChunkError, chunk } from '../src/kit/chunk.ts';
import { mayReload } from '../src/shell/reloads.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('a tab reloads by itself once in ten minutes, whatever fails after the reload', () => {
  const tab = storage();
  const minute = 60_000;
  const now = Date.parse('2026-11-18T10:00:00Z');
  const tries = [0, 0, 1, 9, 10, 19, 20].map((minutes) => mayReload(tab, now + minutes * minute));
  expect(tries).toEqual([true, false, false, false, true, false, true]);
});

test('a part that has failed to load fails with words for people, and is not asked for again in this page', async () => {
  let asked = 0;
  const load = chunk(async () => {
    asked += 1;
    throw new TypeError('Failed to fetch dynamically imported module: https://localhost/dashboard/assets/list-1.js');
  });
  await expect(load()).rejects.toThrow(ChunkError);
  await expect(load()).rejects.toThrow('A part of the dashboard could not be loaded.');
  expect(asked).toBe(1);
});
