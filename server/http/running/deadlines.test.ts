import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { Unavailable } from '../../base/errors.ts';
import { Deadlines } from './deadlines.ts';

const clock = virtualClock(0);
let deadlines: Deadlines;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  deadlines = new Deadlines(clock);
});
afterEach(() => {
  deadlines.stop();
  vi.useRealTimers();
});

function pass(milliseconds: number): void {
  clock.advance(milliseconds);
  vi.advanceTimersByTime(milliseconds);
}

test('work that is done in time gives its result, or its own error', async () => {
  const due = clock.monotonic() + 1_000;
  expect(await deadlines.wait(Promise.resolve('done'), due)).toBe('done');
  await expect(deadlines.wait(Promise.reject(new Error('its own')), due)).rejects.toThrow('its own');
  pass(5_000);
});

test('work that misses its deadline is unavailable shortly after it, and goes on', async () => {
  const work = Promise.withResolvers<string>();
  let fate = 'waiting';
  const waiting = deadlines.wait(work.promise, clock.monotonic() + 1_000).catch((error: unknown) => {
    fate = error instanceof Unavailable ? 'unavailable' : String(error);
  });
  pass(999);
  await Promise.resolve();
  expect(fate).toBe('waiting');
  pass(500);
  await waiting;
  expect(fate).toBe('unavailable');
  work.resolve('done after all');
  expect(await work.promise).toBe('done after all');
});

test('work that fails after its deadline causes no unhandled rejection', async () => {
  const work = Promise.withResolvers<string>();
  const waiting = deadlines.wait(work.promise, clock.monotonic() + 1_000);
  pass(2_000);
  await expect(waiting).rejects.toThrow(Unavailable);
  work.reject(new Error('too late to matter'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('each wait has its own deadline', async () => {
  const never = new Promise<string>(() => {});
  const start = clock.monotonic();
  const fates = [3_000, 1_000, 2_000].map((due) => deadlines.wait(never, start + due).catch(() => `late at ${due}`));
  pass(1_500);
  expect(await Promise.race(fates)).toBe('late at 1000');
  pass(1_000);
  expect(await Promise.race([fates[0], fates[2]])).toBe('late at 2000');
});
