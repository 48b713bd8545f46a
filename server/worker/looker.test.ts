import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { Looker } from './looker.ts';

/** A looker whose looks last until the test ends them. */
class Scene {
  readonly logged: string[] = [];
  readonly looker: Looker;
  looks = 0;
  end: (failure?: Error) => void = () => {};

  constructor() {
    const log = pino({ level: 'debug' }, { write: (line: string) => void this.logged.push(line) });
    this.looker = new Looker(() => this.#look(), systemClock, log);
  }

  #look(): Promise<void> {
    this.looks++;
    return new Promise((resolve, reject) => {
      this.end = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
  }
}

/** Everything that promises have set going has happened. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

test('whoever wakes it during a look gets one more look, after that one', async () => {
  const scene = new Scene();
  for (let wakes = 0; wakes < 3; wakes++) scene.looker.wake();
  await quiet();
  expect(scene.looks).toBe(1);
  scene.end();
  await quiet();
  expect(scene.looks).toBe(2);
  scene.end();
  await quiet();
  expect(scene.looks).toBe(2);
});

describe.each([
  { how: 'ended', failure: undefined },
  { how: 'failed', failure: new Error('no database') },
])('after a look that $how', ({ failure }) => {
  // Between its end and the moment in which it counts as over lie a few turns of promises: none may lose a wake.
  test.each(Array.from({ length: 11 }, (_, turns) => turns))('a wake %i turns later brings another', async (turns) => {
    const scene = new Scene();
    scene.looker.wake();
    scene.end(failure);
    for (let turn = 0; turn < turns; turn++) await undefined;
    scene.looker.wake();
    await quiet();
    expect(scene.looks).toBe(2);
    scene.end();
    await quiet();
    expect(scene.looks).toBe(2);
    expect(scene.logged).toHaveLength(failure === undefined ? 0 : 1);
  });
});

test('once it is stopped it waits for the look that is under way, and nobody wakes it any more', async () => {
  const scene = new Scene();
  scene.looker.wake();
  scene.looker.wake();
  let isOver = false;
  const stopping = scene.looker.stop().then(() => {
    isOver = true;
  });
  await quiet();
  expect(isOver).toBe(false);
  scene.end();
  await stopping;
  scene.looker.wake();
  await quiet();
  expect(scene.looks).toBe(1);
});
