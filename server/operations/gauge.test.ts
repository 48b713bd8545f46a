import { expect, test } from 'vitest';
import { Unavailable } from '../base/errors.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import { readGauge } from './gauge.ts';

const at = (...values: (number | Error)[]) =>
  ({ places: () => values.map((value) => ({ name: '', sql: value })) }) as unknown as SqlAt;
const gauge = (name: string) => ({
  name,
  help: '',
  read: async (value: unknown) => {
    if (value instanceof Error) throw value;
    return value as number;
  },
});
const away = new Unavailable('away');

test('a gauge counts the rows of all places that answer', async () => {
  expect(await readGauge(at(2, 3), gauge('rows'))).toBe(5);
  expect(await readGauge(at(2, away, 3), gauge('rows'))).toBe(5);
  expect(await readGauge(at(2, away, 3), gauge('oldest_seconds'))).toBe(3);
  await expect(readGauge(at(away, away), gauge('rows'))).rejects.toBe(away);
  await expect(readGauge(at(2, new Error('a bug')), gauge('rows'))).rejects.toThrow('a bug');
});
