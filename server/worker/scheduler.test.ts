import pino from 'pino';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { systemClock } from '../base/clock.ts';
import { freeOf } from '../base/fair_lease.ts';
import { InFlight } from '../base/in_flight.ts';
import type { Tenant } from '../base/reads.ts';
import { noTracing, type SpanStart, type Tracing, unrecorded } from '../base/tracing/tracing.ts';
import type { BackgroundLoop, DueRow, Job } from '../operations/job.ts';
import { Scheduler } from './scheduler.ts';

const everyMs = 500;

/** Waits until all pending promises have run. */
const quiet = () => new Promise((resolve) => setImmediate(resolve));

function recordingLog(logged: string[]) {
  return pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
}
const silent = pino({ level: 'silent' });

afterEach(() => void vi.useRealTimers());

/** A loop whose runs last until the test ends them. */
class Scene {
  readonly logged: string[] = [];
  readonly scheduler: Scheduler;
  runs = 0;
  end: (failure?: Error) => void = () => {};
  stopping: AbortSignal | undefined;

  constructor(more: Partial<BackgroundLoop> = {}) {
    const run = (stopping: AbortSignal) => this.#run(stopping);
    const loop = { name: 'scene', everyMs, isWoken: true, run, ...more };
    this.scheduler = new Scheduler({ clock: systemClock, log: recordingLog(this.logged), loops: [loop] });
  }

  #run(stopping: AbortSignal): Promise<void> {
    this.runs++;
    this.stopping = stopping;
    return new Promise((resolve, reject) => {
      this.end = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
  }
}

describe('a loop that can be woken', () => {
  test('runs once more after the run during which it was woken', async () => {
    const scene = new Scene();
    for (let wakes = 0; wakes < 3; wakes++) scene.scheduler.wake();
    await quiet();
    expect(scene.runs).toBe(1);
    scene.end();
    await quiet();
    expect(scene.runs).toBe(2);
    scene.end();
    await quiet();
    expect(scene.runs).toBe(2);
  });

  describe.each([
    { how: 'ended', failure: undefined },
    { how: 'failed', failure: new Error('no database') },
  ])('after a run that $how', ({ failure }) => {
    // A few microtasks lie between the end of a run and the moment it counts as over: none may lose a wake-up.
    test.each(Array.from({ length: 11 }, (_, turns) => turns))(
      'runs again when woken %i turns later',
      async (turns) => {
        const scene = new Scene();
        scene.scheduler.wake();
        scene.end(failure);
        for (let turn = 0; turn < turns; turn++) await undefined;
        scene.scheduler.wake();
        await quiet();
        expect(scene.runs).toBe(2);
        scene.end();
        await quiet();
        expect(scene.runs).toBe(2);
        expect(scene.logged).toHaveLength(failure === undefined ? 0 : 1);
      },
    );
  });

  test('is waited for when the scheduler stops, and no longer woken', async () => {
    const scene = new Scene();
    scene.scheduler.wake();
    scene.scheduler.wake();
    let isOver = false;
    const stopping = scene.scheduler.stop().then(() => {
      isOver = true;
    });
    await quiet();
    expect(isOver).toBe(false);
    expect(scene.stopping?.aborted).toBe(true);
    scene.end();
    await stopping;
    scene.scheduler.wake();
    await quiet();
    expect(scene.runs).toBe(1);
  });

  test('is woken by its name, and not by that of another', async () => {
    const scene = new Scene();
    scene.scheduler.wake('another');
    expect(scene.runs).toBe(0);
    scene.scheduler.wake('scene');
    expect(scene.runs).toBe(1);
    scene.end();
  });

  test('runs at the start, and at its interval', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const scene = new Scene();
    scene.scheduler.start();
    expect(scene.runs).toBe(1);
    scene.end();
    await quiet();
    vi.advanceTimersByTime(everyMs - 1);
    expect(scene.runs).toBe(1);
    vi.advanceTimersByTime(1);
    expect(scene.runs).toBe(2);
    scene.end();
    await scene.scheduler.stop();
    vi.advanceTimersByTime(10 * everyMs);
    expect(scene.runs).toBe(2);
  });
});

describe('a loop that cannot be woken', () => {
  test('skips runs while one is in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const scene = new Scene({ isWoken: false });
    scene.scheduler.start();
    scene.scheduler.wake();
    vi.advanceTimersByTime(10 * everyMs);
    scene.end();
    await quiet();
    expect(scene.runs).toBe(1);
    vi.advanceTimersByTime(everyMs);
    expect(scene.runs).toBe(2);
    scene.end();
    await scene.scheduler.stop();
  });

  test('runs until the requests are drained, and then finishes once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let finished = 0;
    const scene = new Scene({ isWoken: false, finish: async () => void finished++ });
    scene.scheduler.start();
    scene.end();
    await quiet();
    const drained = Promise.withResolvers<void>();
    const stopping = scene.scheduler.stop(drained.promise);
    await quiet();
    vi.advanceTimersByTime(everyMs);
    expect([scene.runs, finished]).toEqual([2, 0]);
    drained.resolve();
    await quiet();
    expect([scene.stopping?.aborted, finished]).toEqual([true, 0]);
    scene.end();
    await stopping;
    await scene.scheduler.stop();
    expect([scene.runs, finished]).toEqual([2, 1]);
  });
});

describe('a moment', () => {
  const scheduled = () => {
    vi.useFakeTimers();
    const clock = virtualClock(1_000_000);
    let runs = 0;
    const run = async () => void runs++;
    const loops = ['one', 'two'].map((name) => ({ name, everyMs, isWoken: true, run }));
    const scheduler = new Scheduler({ clock, log: silent, loops });
    return { scheduler, now: clock.now(), runs: () => runs };
  };

  test('wakes all loops, and moments within 25 ms share a wake-up', async () => {
    const { scheduler, now, runs } = scheduled();
    for (const moment of [now + 101, now + 110, now + 125]) scheduler.wakeAt(moment);
    await vi.advanceTimersByTimeAsync(124);
    expect(runs()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs()).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs()).toBe(2);
  });

  test('wakes only the loop that it names', async () => {
    const { scheduler, now, runs } = scheduled();
    scheduler.wakeAt(now, 'one');
    await vi.advanceTimersByTimeAsync(25);
    expect(runs()).toBe(1);
  });

  test('more than a minute ahead is left to polling, and a stopped scheduler keeps none', async () => {
    const { scheduler, now, runs } = scheduled();
    scheduler.wakeAt(now + 60_001);
    expect(vi.getTimerCount()).toBe(0);
    scheduler.wakeAt(now + 60_000);
    expect(vi.getTimerCount()).toBe(1);
    await scheduler.stop();
    scheduler.wakeAt(now);
    expect(vi.getTimerCount()).toBe(0);
    expect(runs()).toBe(0);
  });
});

describe('a job', () => {
  /** Due rows of each tenant, the first one's first, and the state of each. */
  function scene(rows: number | number[], concurrency?: number, tracing = noTracing) {
    const logged: string[] = [];
    const limits: number[] = [];
    const ends: ((failure?: Error) => void)[] = [];
    let renewals = 0;
    const dueRow = (tenant: Tenant): DueRow => ({
      tenant,
      run: () =>
        new Promise((resolve, reject) => {
          ends.push((failure) => (failure === undefined ? resolve() : reject(failure)));
        }),
      renew: async () => void renewals++,
    });
    const due = [rows].flat();
    const job: Job = {
      name: 'things',
      ...(concurrency && { concurrency }),
      async lease(limit, shares) {
        limits.push(limit);
        const leased: DueRow[] = [];
        for (const [at, left] of due.entries()) {
          const count = Math.min(limit - leased.length, left, freeOf(shares!, at as Tenant));
          due[at]! -= count;
          leased.push(...Array.from({ length: count }, () => dueRow(at as Tenant)));
        }
        return leased;
      },
    };
    const scheduler = new Scheduler({ clock: systemClock, log: recordingLog(logged), jobs: [job], tracing });
    return { scheduler, logged, limits, ends, renewals: () => renewals };
  }

  test('has at most 64 jobs at a time, half of them for one tenant, and leases as many as there are free slots', async () => {
    const { scheduler, limits, ends } = scene([40, 40]);
    scheduler.wake();
    await quiet();
    expect([limits, ends.length]).toEqual([[64], 64]);
    scheduler.wake();
    await quiet();
    expect(limits).toEqual([64]); // full
    for (const end of ends.splice(0, 5)) end();
    await quiet();
    scheduler.wake();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 5], 64]);
    for (const end of ends.splice(0)) end();
    expect(await scheduler.idle()).toBe(64);
  });

  test('leaves half of the places to the others while the jobs of one tenant last', async () => {
    const { scheduler, limits, ends } = scene([100, 1]);
    scheduler.wake();
    await quiet();
    expect([limits, ends.length]).toEqual([[64], 33]);
    ends.pop()!(); // of the other tenant
    await quiet();
    scheduler.wake();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 32], 32]);
    for (const end of ends.splice(0, 16)) end();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 32, 48], 32]);
  });

  test('goes on with the others when half of their jobs have ended, whatever the jobs of one tenant do', async () => {
    const { scheduler, limits, ends } = scene([32, 20, 20]);
    scheduler.wake();
    await quiet();
    for (const end of ends.splice(32, 15)) end();
    await quiet();
    expect(limits).toEqual([64]);
    for (const end of ends.splice(32, 1)) end();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 16], 56]);
  });

  test('has a span for each job, which is part of no other', async () => {
    const spans: SpanStart[] = [];
    const record: Tracing['span'] = (start, work) => {
      spans.push(start);
      return work(unrecorded);
    };
    const { scheduler, ends } = scene(2, undefined, { span: record });
    scheduler.wake();
    await quiet();
    for (const end of ends.splice(0)) end();
    await scheduler.idle();
    expect(spans).toEqual(Array(2).fill({ name: 'duty things', kind: 'internal', place: 'root' }));
  });

  test('leases the rest of a backlog when half of its jobs have ended, without being woken', async () => {
    const { scheduler, limits, ends } = scene(60);
    scheduler.wake();
    await quiet();
    for (const end of ends.splice(0, 15)) end();
    await quiet();
    expect(limits).toEqual([64]);
    for (const end of ends.splice(0, 1)) end();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 48], 32]);
    for (const end of ends.splice(0)) end();
    await quiet();
    expect([limits, ends.length]).toEqual([[64, 48, 48], 12]);
    for (const end of ends.splice(0)) end();
    await quiet();
    expect(limits).toHaveLength(3); // no backlog left
  });

  test('has as many jobs as it says', async () => {
    const { scheduler, limits } = scene(200, 100);
    scheduler.wake();
    await quiet();
    expect(limits).toEqual([100]);
  });

  test('renews the leases of its jobs every four seconds while they run', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { scheduler, ends, renewals } = scene(2);
    scheduler.wake();
    await quiet();
    vi.advanceTimersByTime(8_000);
    expect(renewals()).toBe(4);
    ends[0]!();
    await quiet();
    vi.advanceTimersByTime(4_000);
    expect(renewals()).toBe(5);
    ends[1]!();
  });

  test('logs a failed job, and continues with the others', async () => {
    const { scheduler, logged, ends } = scene(1);
    scheduler.wake();
    await quiet();
    ends[0]!(new Error('no answer'));
    expect(await scheduler.idle()).toBe(1);
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        kind: 'things',
        error: 'Error: no answer',
        msg: 'job failed; it will be retried',
      }),
    ]);
  });

  test('starts nothing once the scheduler stops, which waits for its jobs', async () => {
    const { scheduler, limits, ends } = scene(1);
    scheduler.wake();
    await quiet();
    let isOver = false;
    const stopping = scheduler.stop().then(() => {
      isOver = true;
    });
    await quiet();
    expect(isOver).toBe(false);
    ends[0]!();
    await stopping;
    scheduler.wake();
    await quiet();
    expect(limits).toHaveLength(1);
  });
});

test('jobs that a loop has started are waited for, after it was asked to finish', async () => {
  const inFlight = new InFlight();
  const job = Promise.withResolvers<void>();
  const steps: string[] = [];
  const loop: BackgroundLoop = {
    name: 'loop',
    everyMs,
    isWoken: true,
    inFlight,
    run: async () => void inFlight.add(job.promise),
    finish: async () => void steps.push('finish'),
  };
  const scheduler = new Scheduler({ clock: systemClock, log: silent, loops: [loop] });
  onTestFinished(() => scheduler.stop());
  scheduler.wake();
  const stopping = scheduler.stop().then(() => steps.push('stopped'));
  await quiet();
  expect(steps).toEqual(['finish']);
  job.resolve();
  await stopping;
  expect(steps).toEqual(['finish', 'stopped']);
});
