import { describe, expect, test } from 'vitest';
import { SingleFlight } from './single_flight.ts';

/** Work whose runs last until the test finishes them. */
class Scene {
  readonly flight = new SingleFlight(() => this.#work());
  runs = 0;
  end: (failure?: Error) => void = () => {};

  #work(): Promise<number> {
    const run = ++this.runs;
    return new Promise((resolve, reject) => {
      this.end = (failure) => (failure === undefined ? resolve(run) : reject(failure));
    });
  }
}

/** Until all pending microtasks have run. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

describe('run', () => {
  test('joins the running run, and all callers get its result', async () => {
    const scene = new Scene();
    const joined = [scene.flight.run(), scene.flight.run(), scene.flight.run()];
    expect(scene.runs).toBe(1);
    scene.end();
    expect(await Promise.all(joined)).toEqual([1, 1, 1]);
    const next = scene.flight.run();
    expect(scene.runs).toBe(2);
    scene.end();
    expect(await next).toBe(2);
  });

  test('fails for all callers that joined it, and the next call starts a new run', async () => {
    const scene = new Scene();
    const joined = [scene.flight.run(), scene.flight.run()];
    scene.end(new Error('no database'));
    for (const run of joined) await expect(run).rejects.toThrow('no database');
    const next = scene.flight.run();
    scene.end();
    expect(await next).toBe(2);
  });
});

describe('request', () => {
  test('starts a run when none is in progress', async () => {
    const scene = new Scene();
    scene.flight.request();
    expect(scene.runs).toBe(1);
    scene.end();
    await scene.flight.idle();
    expect(scene.runs).toBe(1);
  });

  test('during a run causes one more run, however often it is called', async () => {
    const scene = new Scene();
    for (let requests = 0; requests < 3; requests++) scene.flight.request();
    await quiet();
    expect(scene.runs).toBe(1);
    scene.end();
    await quiet();
    expect(scene.runs).toBe(2);
    scene.end();
    await quiet();
    expect(scene.runs).toBe(2);
  });

  test('during a run that fails causes one more run', async () => {
    const scene = new Scene();
    const failing = scene.flight.run();
    scene.flight.request();
    scene.end(new Error('no database'));
    await expect(failing).rejects.toThrow('no database');
    await quiet();
    expect(scene.runs).toBe(2);
    scene.end();
  });
});

describe('idle', () => {
  test('waits for the running run and for the requested one, and ignores failures', async () => {
    const scene = new Scene();
    const failing = scene.flight.run();
    scene.flight.request();
    let isIdle = false;
    const idle = scene.flight.idle().then(() => {
      isIdle = true;
    });
    scene.end(new Error('no database'));
    await expect(failing).rejects.toThrow();
    await quiet();
    expect([scene.runs, isIdle]).toEqual([2, false]);
    scene.end();
    await idle;
  });

  test('resolves immediately when no run is in progress', async () => {
    await new Scene().flight.idle();
  });
});
