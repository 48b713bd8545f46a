import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyedQueue, settlesAwake, settlesWithin } from './keyed_queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const patience = 20_000;

/** Waits for a key and records when it was granted. */
async function take(queue: KeyedQueue, key: string, name: string, taken: string[], patienceMs = patience) {
  const release = await queue.acquire(key, patienceMs);
  taken.push(release === undefined ? `${name} gave up` : name);
  return release;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a keyed queue', () => {
  test('grants a free key immediately', async () => {
    const queue = new KeyedQueue();
    expect(await queue.acquire('a', 0)).toBeTypeOf('function');
  });

  test('grants a key to its waiters in the order of their calls', async () => {
    const queue = new KeyedQueue();
    const taken: string[] = [];
    const waiting = ['1', '2', '3'].map((name) => take(queue, 'a', name, taken));
    for (const [at, one] of waiting.entries()) {
      const release = await one;
      await settle();
      expect(taken).toHaveLength(at + 1);
      release!();
    }
    expect(taken).toEqual(['1', '2', '3']);
  });

  test('grants different keys independently', async () => {
    const queue = new KeyedQueue();
    await queue.acquire('a', patience);
    expect(await queue.acquire('b', 0)).toBeTypeOf('function');
  });

  test('returns undefined to a waiter whose patience runs out, and grants the key to the next one when it is free', async () => {
    const queue = new KeyedQueue();
    const taken: string[] = [];
    const release = await take(queue, 'a', 'holder', taken);
    const hasty = take(queue, 'a', 'hasty', taken, 100);
    const calm = take(queue, 'a', 'calm', taken, 1_000);
    await vi.advanceTimersByTimeAsync(99);
    expect(taken).toEqual(['holder']);
    await vi.advanceTimersByTimeAsync(1);
    expect(await hasty).toBeUndefined();
    // Waiters behind the one that gave up still wait for the holder.
    await vi.advanceTimersByTimeAsync(500);
    expect(taken).toEqual(['holder', 'hasty gave up']);
    release!();
    expect(await calm).toBeTypeOf('function');
    expect(taken).toEqual(['holder', 'hasty gave up', 'calm']);
  });

  test('is empty again after all waiters are gone, whether they were granted the key or gave up', async () => {
    const queue = new KeyedQueue();
    const release = await queue.acquire('a', patience);
    const impatient = queue.acquire('a', 10);
    await vi.advanceTimersByTimeAsync(10);
    await impatient;
    release!();
    await settle();
    expect(await queue.acquire('a', 0)).toBeTypeOf('function');
  });

  test('never has two holders of one key, and keeps the order of each key, whatever the order of releases', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 }), fc.scheduler(), async (keys, s) => {
        const queue = new KeyedQueue();
        const holders = new Map<string, number>();
        const order = new Map<string, number[]>();
        const work = keys.map(async (key, at) => {
          const release = await queue.acquire(key, patience);
          expect(holders.has(key)).toBe(false);
          holders.set(key, at);
          order.set(key, [...(order.get(key) ?? []), at]);
          await s.schedule(Promise.resolve());
          holders.delete(key);
          release!();
        });
        await s.waitFor(Promise.all(work));
        for (const [key, served] of order) expect(served).toEqual([...keys.keys()].filter((at) => keys[at] === key));
      }),
      { numRuns: 50 },
    );
  });
});

describe('settlesWithin', () => {
  test('is true for a promise that resolves or rejects in time', async () => {
    expect(await settlesWithin(Promise.resolve(), 10)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error('no')), 10)).toBe(true);
  });

  test('is false once the time has passed, and does not cancel the promise', async () => {
    const late = Promise.withResolvers<string>();
    const verdict = settlesWithin(late.promise, 10);
    await vi.advanceTimersByTimeAsync(10);
    expect(await verdict).toBe(false);
    late.resolve('done');
    expect(await late.promise).toBe('done');
  });

  test('leaves no timer behind', async () => {
    await settlesWithin(Promise.resolve(), 60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('settlesAwake', () => {
  test('is true for what arrives while the process stands still, and is read after the time has passed', async () => {
    vi.useRealTimers();
    const read = Promise.withResolvers<void>();
    setTimeout(() => setImmediate(() => setImmediate(read.resolve)), 150);
    const verdict = settlesAwake(read.promise, 200);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(await verdict).toBe(true);
  });

  test('is false once the time has passed', async () => {
    const verdict = settlesAwake(new Promise(() => {}), 80);
    await vi.advanceTimersByTimeAsync(80);
    expect(await verdict).toBe(false);
  });
});
