import { describe, expect, test } from 'vitest';
import { BriefCache, type BriefCacheOptions } from './brief_cache.ts';
import { virtualClock } from './clock.fixture.ts';
import { Unavailable } from './errors.ts';

const keptMs = 1_000;

/** A cache in front of a source that counts how often each key was read. */
function scene(options: Partial<BriefCacheOptions<string | undefined>> = {}) {
  const clock = virtualClock(0);
  const reads: string[] = [];
  const source = new Map<string, string>();
  const cache = new BriefCache<string, string | undefined>({ clock, keptMs, entriesMax: 3, ...options });
  const get = (key: string) =>
    cache.get(key, async () => {
      reads.push(key);
      return source.get(key);
    });
  return { clock, reads, source, cache, get };
}

describe('a value', () => {
  test('is read once for all callers while it is cached, and again afterwards', async () => {
    const { clock, reads, source, get } = scene();
    source.set('a', 'first');
    expect(await Promise.all([get('a'), get('a')])).toEqual(['first', 'first']);
    source.set('a', 'second');
    clock.advance(keptMs - 1);
    expect(await get('a')).toBe('first');
    expect(reads).toEqual(['a']);
    clock.advance(1);
    expect(await get('a')).toBe('second');
    expect(reads).toEqual(['a', 'a']);
  });

  test('is cached from the start of its read, not from its end', async () => {
    const { clock, cache } = scene();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = cache.get('a', () => promise);
    clock.advance(keptMs - 1);
    resolve('slow');
    expect(await first).toBe('slow');
    clock.advance(1);
    expect(await cache.get('a', async () => 'fresh')).toBe('fresh');
  });

  test('that was deleted is read again', async () => {
    const { reads, cache, get } = scene();
    await get('a');
    cache.delete('a');
    await get('a');
    expect(reads).toEqual(['a', 'a']);
  });

  test('that is undefined is cached, unless the options say otherwise', async () => {
    const keeping = scene();
    await keeping.get('a');
    await keeping.get('a');
    expect(keeping.reads).toEqual(['a']);
    const forgetting = scene({ isKept: (value) => value !== undefined });
    expect(await forgetting.get('a')).toBeUndefined();
    forgetting.source.set('a', 'there');
    expect(await forgetting.get('a')).toBe('there');
    expect(await forgetting.get('a')).toBe('there');
    expect(forgetting.reads).toEqual(['a', 'a']);
  });
});

test('a failed read fails for all callers that shared it, and is not cached', async () => {
  const { cache, get } = scene();
  const failing = () => cache.get('a', async () => Promise.reject(new Error('no database')));
  const shared = [failing(), get('a')];
  for (const one of shared) await expect(one).rejects.toThrow('no database');
  expect(await get('a')).toBeUndefined();
});

test('a read that fails late does not remove the value that replaced it', async () => {
  const { clock, reads, source, cache, get } = scene();
  const { promise, reject } = Promise.withResolvers<string>();
  const late = cache.get('a', () => promise);
  clock.advance(keptMs);
  source.set('a', 'newer');
  await get('a');
  reject(new Error('no database'));
  await expect(late).rejects.toThrow('no database');
  expect(await get('a')).toBe('newer');
  expect(reads).toEqual(['a']);
});

test('the number of entries is bounded', async () => {
  const { reads, get } = scene();
  for (const key of ['a', 'b', 'c', 'd']) await get(key);
  await get('d');
  expect(reads).toEqual(['a', 'b', 'c', 'd']);
  await get('a'); // everything was dropped to free space
  expect(reads).toEqual(['a', 'b', 'c', 'd', 'a']);
});

describe('a value whose source is unavailable', () => {
  const staleMs = 5_000;

  function interrupted(options: Partial<BriefCacheOptions<string | undefined>>) {
    const { clock, reads, cache } = scene(options);
    let failure: Error | undefined;
    const get = () =>
      cache.get('a', async () => {
        reads.push('a');
        if (failure !== undefined) throw failure;
        return 'known';
      });
    const fail = (error?: Error) => {
      failure = error;
    };
    return { clock, reads, get, fail };
  }

  test('is the earlier one for a while, and is asked for again each time', async () => {
    const { clock, reads, get, fail } = interrupted({ staleMs });
    expect(await get()).toBe('known');
    fail(new Unavailable('the database is away'));
    for (let at = keptMs; at < staleMs; at += keptMs) {
      clock.advance(keptMs);
      expect(await get()).toBe('known');
    }
    expect(reads).toHaveLength(staleMs / keptMs);
    clock.advance(keptMs);
    await expect(get()).rejects.toThrow('away');
    fail();
    expect(await get()).toBe('known');
  });

  test('fails where nothing was known, where nothing is to be kept, and for any other error', async () => {
    const unknown = interrupted({ staleMs });
    unknown.fail(new Unavailable('the database is away'));
    await expect(unknown.get()).rejects.toThrow('away');
    for (const [options, error] of [
      [{}, new Unavailable('away')],
      [{ staleMs }, new Error('a bug')],
    ] as const) {
      const { clock, get, fail } = interrupted(options);
      await get();
      fail(error);
      clock.advance(keptMs);
      await expect(get()).rejects.toThrow(error.message);
    }
  });
});
