import { expect, test } from 'vitest';
import { inOneTurn, inSlices } from './slices.ts';

/** Each step takes longer than a slice may. */
function* longSteps(count: number, onStep: () => void): Generator<void, string> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 10;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return 'done';
}

test('everything else has a turn between the slices of a computation', async () => {
  let [turns, isDone] = [0, false];
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const stepsAt: number[] = [];
  expect(await inSlices(longSteps(3, () => stepsAt.push(turns)))).toBe('done');
  isDone = true;
  expect(stepsAt).toEqual([0, 1, 2]);
});

test('in one turn, nothing else has', () => {
  let steps = 0;
  expect(inOneTurn(longSteps(2, () => steps++))).toBe('done');
  expect(steps).toBe(2);
});

test('what a step throws is what the computation throws', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first step
  const failing = function* (): Generator<void, void> {
    throw new Error('broken');
  };
  await expect(inSlices(failing())).rejects.toThrow('broken');
  expect(() => inOneTurn(failing())).toThrow('broken');
});
