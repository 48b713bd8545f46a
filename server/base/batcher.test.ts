import { expect, test, vi } from 'vitest';
import { Batcher } from './batcher.ts';

/** Doubles numbers, and records the batches that it was given. */
function doubling(itemsMax: number) {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    itemsMax,
    async run(items) {
      batches.push(items);
      return items.map((item) => item * 2);
    },
  });
  return { batcher, batches };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls of the same turn of the event loop become one, and each gets its own result', async () => {
  const { batcher, batches } = doubling(10);
  const results = await Promise.all([batcher.add(1), batcher.add(2), Promise.resolve().then(() => batcher.add(3))]);
  expect(results).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('calls that arrive while a batch is in flight become the next batch', async () => {
  const gates: (() => void)[] = [];
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    itemsMax: 10,
    async run(items) {
      batches.push(items);
      await new Promise<void>((open) => gates.push(open));
      return items;
    },
  });
  const first = batcher.add(1);
  await turn();
  const others = [batcher.add(2), batcher.add(3)];
  await turn();
  expect(batches).toEqual([[1]]);
  gates[0]!();
  await first;
  await turn();
  expect(batches).toEqual([[1], [2, 3]]);
  gates[1]!();
  expect(await Promise.all(others)).toEqual([2, 3]);
});

test('more calls than a batch may hold are served in order, in full batches', async () => {
  const { batcher, batches } = doubling(4);
  const items = Array.from({ length: 10 }, (_, at) => at);
  expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items.map((item) => item * 2));
  expect(batches).toEqual([
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 9],
  ]);
});

test('a batch that fails rejects its own calls and no others', async () => {
  const batcher = new Batcher<number, number>({
    itemsMax: 2,
    async run(items) {
      if (items.includes(1)) throw new Error('one is not welcome');
      return items;
    },
  });
  const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
  expect(settled.map((each) => each.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  expect(await batcher.add(5)).toBe(5);
});

test('where batches are spaced, the first call goes immediately, and those of the next milliseconds go together', async () => {
  vi.useFakeTimers();
  const batches: number[][] = [];
  const run = async (items: number[]) => {
    batches.push(items);
    return items;
  };
  const batcher = new Batcher<number, number>({ itemsMax: 3, run, spacedMs: 10 });
  expect(await sent(batcher, [1])).toEqual([1]);
  const next = [sent(batcher, [2])];
  await vi.advanceTimersByTimeAsync(9);
  next.push(sent(batcher, [3]));
  expect(batches).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect([await Promise.all(next), batches]).toEqual([
    [[2], [3]],
    [[1], [2, 3]],
  ]);
  const many = sent(batcher, [4, 5, 6, 7, 8, 9, 10]);
  await vi.advanceTimersByTimeAsync(10);
  expect(batches.slice(2)).toEqual([
    [4, 5, 6],
    [7, 8, 9],
  ]); // full ones follow each other
  await vi.advanceTimersByTimeAsync(10);
  expect([await many, batches.at(-1)]).toEqual([[4, 5, 6, 7, 8, 9, 10], [10]]);
  await vi.advanceTimersByTimeAsync(10);
  expect([await sent(batcher, [11]), batches.at(-1)]).toEqual([[11], [11]]);
  vi.useRealTimers();
});

/** The results of some calls of one turn, which is over. */
async function sent(batcher: Batcher<number, number>, items: number[]): Promise<number[]> {
  const results = Promise.all(items.map((item) => batcher.add(item)));
  await vi.advanceTimersByTimeAsync(0);
  return results;
}

test('a batch weighs no more than the limit, and what is heavier goes alone', async () => {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>({
    itemsMax: 3,
    weight: { of: (item) => item, max: 10 },
    async run(items) {
      batches.push(items);
      return items;
    },
  });
  const items = [4, 6, 1, 1, 1, 1, 50, 10];
  expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items);
  expect(batches).toEqual([[4, 6], [1, 1, 1], [1], [50], [10]]);
  expect(batcher.isIdle).toBe(true);
});
