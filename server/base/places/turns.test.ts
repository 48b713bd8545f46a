import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '../errors.ts';
import { PlacedBatcher } from './batchers.ts';
import type { PlaceSql, SqlAt } from './sql_at.ts';
import { PlaceTurns, readPlaces } from './turns.ts';

const placesOf = (names: readonly string[]) => names.map((name) => ({ name, sql: { name } })) as unknown as PlaceSql[];
const moved = Object.assign(new DatabaseError('moved', 0, 'error'), { code: 'TG001' });
const nameOf = (sql: unknown) => (sql as { name: string }).name;

describe('rows that are taken at several places', () => {
  const due = (counts: Record<string, number>) => async (sql: unknown, most: number) =>
    Array.from({ length: Math.min(most, counts[nameOf(sql)]!) }, () => nameOf(sql));
  const counted = (taken: readonly string[]) =>
    Object.fromEntries([...Map.groupBy(taken, (name) => name)].map(([name, rows]) => [name, rows.length]));

  test('are a share of each where all have more than enough', async () => {
    const turns = new PlaceTurns();
    const taken = await turns.take(placesOf(['a', 'b', 'c', 'd']), 8, due({ a: 99, b: 99, c: 99, d: 99 }));
    expect(counted(taken)).toEqual({ a: 2, b: 2, c: 2, d: 2 });
  });

  test('are what one has where the others have nothing', async () => {
    const turns = new PlaceTurns();
    for (let times = 0; times < 3; times++)
      expect(counted(await turns.take(placesOf(['a', 'b', 'c']), 9, due({ a: 99, b: 0, c: 0 })))).toEqual({ a: 9 });
  });

  test('are never more than were asked for, and each place is first in its turn', async () => {
    const turns = new PlaceTurns();
    const first = [];
    for (let times = 0; times < 3; times++)
      first.push(await turns.take(placesOf(['a', 'b', 'c']), 1, due({ a: 9, b: 9, c: 9 })));
    expect(first).toEqual([['a'], ['b'], ['c']]);
  });

  test('are those of the others while one is away', async () => {
    const take = async (sql: unknown, most: number) => {
      if (nameOf(sql) === 'a') throw new Unavailable('away');
      return due({ b: 99 })(sql, most);
    };
    expect(counted(await new PlaceTurns().take(placesOf(['a', 'b']), 4, take))).toEqual({ b: 4 });
    await expect(new PlaceTurns().take(placesOf(['a', 'a']), 4, take)).rejects.toThrow('away');
  });

  test('are those of the others while one is moving, and its own the next time', async () => {
    let tries = 0;
    const take = async (sql: unknown, most: number) => {
      if (nameOf(sql) === 'a' && tries++ === 0) throw moved;
      return due({ a: 99, b: 99 })(sql, most);
    };
    const turns = new PlaceTurns();
    expect(counted(await turns.take(placesOf(['a', 'b']), 4, take))).toEqual({ b: 4 });
    expect(counted(await turns.take(placesOf(['a', 'b']), 4, take))).toEqual({ a: 2, b: 2 });
  });

  test('are taken side by side, so that one place that takes long has the others wait once', async () => {
    const answer = Promise.withResolvers<void>();
    const asked: string[] = [];
    const take = async (sql: unknown, most: number) => {
      asked.push(nameOf(sql));
      if (nameOf(sql) === 'a') await answer.promise;
      return due({ a: 9, b: 9, c: 9 })(sql, most);
    };
    const taken = new PlaceTurns().take(placesOf(['a', 'b', 'c']), 3, take);
    expect(asked).toEqual(['a', 'b', 'c']);
    answer.resolve();
    expect(counted(await taken)).toEqual({ a: 1, b: 1, c: 1 });
  });

  test('are not lost where a statement is wrong at one place, which is reported by the next call', async () => {
    const take = async (sql: unknown, most: number) => {
      if (nameOf(sql) === 'a') throw new Error('a bug');
      return due({ b: 99 })(sql, most);
    };
    const turns = new PlaceTurns();
    for (let times = 0; times < 2; times++) {
      expect(counted(await turns.take(placesOf(['a', 'b']), 4, take))).toEqual({ b: 4 });
      await expect(turns.take(placesOf(['a', 'b']), 4, take)).rejects.toThrow('a bug');
    }
  });

  test('are those of another place where the first of a single turn has none', async () => {
    expect(counted(await new PlaceTurns().take(placesOf(['a', 'b']), 1, due({ a: 0, b: 9 })))).toEqual({ b: 1 });
  });

  test('are not passed over where a statement is wrong', async () => {
    const take = async () => Promise.reject(new Error('a bug'));
    await expect(new PlaceTurns().take(placesOf(['a', 'b']), 4, take)).rejects.toThrow('a bug');
  });
});

test('what is read at all places lacks only those that are away', async () => {
  const read = async (sql: unknown) => {
    if (nameOf(sql) === 'away') throw new Unavailable('away');
    if (nameOf(sql) === 'moved') throw moved;
    if (nameOf(sql) === 'wrong') throw new Error('a bug');
    return [nameOf(sql)];
  };
  expect(await readPlaces(placesOf(['a', 'away', 'moved', 'b']), read)).toEqual(['a', 'b']);
  await expect(readPlaces(placesOf(['away', 'away']), read)).rejects.toThrow('away');
  await expect(readPlaces(placesOf(['a', 'away', 'wrong']), read)).rejects.toThrow('a bug');
});

test('a place that does not answer keeps the batches of no other waiting', async () => {
  const answers = Promise.withResolvers<void>();
  const each = async (
    items: readonly unknown[],
    _: unknown,
    work: (sql: never, items: readonly unknown[]) => unknown,
  ) => work(undefined as never, items);
  const sqlAt = { placeOf: (tenant: number) => (tenant < 10 ? 'slow' : 'quick'), each } as unknown as SqlAt;
  const batches: number[][] = [];
  const batcher = new PlacedBatcher<number, number>(sqlAt, {
    itemsMax: 100,
    tenantOf: (tenant) => tenant as never,
    async run(_, tenants) {
      batches.push([...tenants]);
      if (tenants[0]! < 10) await answers.promise;
      return tenants.map((tenant) => tenant * 2);
    },
  });
  const slow = [1, 2].map((tenant) => batcher.add(tenant));
  expect(await Promise.all([11, 12].map((tenant) => batcher.add(tenant)))).toEqual([22, 24]);
  answers.resolve();
  expect(await Promise.all(slow)).toEqual([2, 4]);
  expect(batches.toSorted()).toEqual([
    [1, 2],
    [11, 12],
  ]);
});
