import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import { Executor } from '../../../operations/executor.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { executorHooks } from '../../hooks.ts';
import { Advance } from './advance.ts';
import { addTestClock, testClocksTable } from './store.ts';
import type { TestClock } from './test_clock.ts';
import type { ClockWork } from './work.ts';

/** One lease of an advance, with a contributor whose moments are in memory. */

let server: TestServer;
const tenant = 1 as Tenant;
const start = Date.UTC(2030, 0, 1);
const minute = 60_000;

let clock: TestClock;
/** Minutes after the start at which something is due. */
let due: number[];
let visited: number[];
/** Called at each moment, before its work is done. */
let during: (minutes: number) => Promise<void> | void;

beforeAll(async () => {
  server = await startServer();
  await server.account(); // whose tenant is the first
});
afterAll(() => server.stop());
beforeEach(async () => {
  due = [1, 2, 3, 4];
  visited = [];
  during = () => {};
  clock = {
    ...{ tenant, id: newId('clock', Date.now()), version: 1, name: null, status: 'advancing' },
    ...{ frozen_time: new Date(start), target: new Date(start + 10 * minute) },
    ...{ due_at: null, lease_until: null }, // the worker of the server does not see it
  };
  await server.gateway.services.committer.commit({ tenant, writes: [addTestClock(clock)] });
});

const work: ClockWork = {
  async earliest(_services, _tenant, _clock, upTo) {
    const next = Math.min(...due);
    return start + next * minute <= upTo.getTime() ? new Date(start + next * minute) : undefined;
  },
  async run(_services, _declared, _clock, at) {
    const now = (at.getTime() - start) / minute;
    await during(now);
    for (const moment of due.filter((one) => one <= now)) visited.push(moment);
    due = due.filter((moment) => moment > now);
  },
};

function leased(contributor = work): Advance {
  const { services } = server.gateway;
  return new Advance(
    { ...services, executor: new Executor(services, executorHooks(catalog)) },
    catalog,
    [contributor],
    clock,
  );
}
const stored = async () => (await server.gateway.services.reads.one(testClocksTable, tenant, clock.id))!;
const sql = (text: string) => server.sql.query(text, [clock.id]);
const minutesOf = ({ frozen_time }: TestClock) => (frozen_time.getTime() - start) / minute;

describe('an advance', () => {
  test('moves the clock to each moment before its work, and to the target at the end', async () => {
    const shown: number[] = [];
    during = async () => void shown.push(minutesOf(await stored()));
    await leased().run();
    expect([visited, shown]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    expect(await stored()).toMatchObject({ status: 'ready', target: null, due_at: null, lease_until: null });
    expect(minutesOf(await stored())).toBe(10);
  });

  test('does immediately what was due before the clock began to move', async () => {
    due = [-5, 2];
    await leased().run();
    expect(visited).toEqual([-5, 2]);
  });

  test('does what becomes due at the same moment before it moves on', async () => {
    during = (now) => {
      if (now === 2 && !visited.includes(2)) due.push(2.5, 2);
    };
    await leased().run();
    expect(visited).toEqual([1, 2, 2, 2.5, 3, 4]);
  });

  test('keeps its lease by every move, and by renewals in between', async () => {
    const advance = leased();
    const lease = async () => (await stored()).lease_until!.getTime() - Date.now();
    const leases: number[] = [];
    during = async (now) => {
      if (now !== 3) return;
      leases.push(await lease());
      await sql(`update test_clocks set lease_until = now() where id = $1`);
      await advance.renew();
      leases.push(await lease());
    };
    await advance.run();
    for (const left of leases) expect(left).toBeGreaterThan(5_000);
    expect(leases).toHaveLength(2);
  });

  test('that has lost its lease stops, and a renewal does not take it back', async () => {
    const advance = leased();
    during = async (now) => {
      if (now === 2) await sql('update test_clocks set version = version + 1, lease_until = null where id = $1');
    };
    await advance.run();
    await advance.renew();
    expect([visited, (await stored()).lease_until, minutesOf(await stored())]).toEqual([[1, 2], null, 2]);
  });

  test('stops when the server does, and leaves the rest due', async () => {
    const stopping = new AbortController();
    during = (now) => void (now === 2 && stopping.abort());
    await leased().run(stopping.signal);
    const left = await stored();
    expect([visited, left.status, minutesOf(left), left.lease_until]).toEqual([[1, 2], 'advancing', 2, null]);
    expect(left.due_at!.getTime()).toBeLessThanOrEqual(Date.now());
    await server.settled(); // by the job of the server, which knows nothing that is due
    expect(await stored()).toMatchObject({ status: 'ready' });
  });

  test('that cannot get past a moment is reported, paused for a minute, and goes on', async () => {
    let isJammed = true;
    const jammed: ClockWork = {
      ...work,
      async run(services, declared, about, at, stopping) {
        await work.run(services, declared, about, at, stopping);
        if (isJammed && !due.includes(3) && visited.includes(3)) due.push(3);
      },
    };
    await leased(jammed).run();
    const left = await stored();
    expect([minutesOf(left), left.status, left.lease_until]).toEqual([3, 'advancing', null]);
    expect(left.due_at!.getTime()).toBeGreaterThan(Date.now() + 30_000);
    const incidents = server.logged.filter((line) => line.includes('does not get past'));
    expect(incidents.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', clock: clock.id }]);
    isJammed = false;
    clock = left;
    await leased().run();
    expect([minutesOf(await stored()), (await stored()).status]).toEqual([10, 'ready']);
  });

  test('that fails keeps its place', async () => {
    during = (now) => {
      if (now === 2) throw new Error('a processor is on fire');
    };
    await expect(leased().run()).rejects.toThrow('on fire');
    expect([visited, (await stored()).status, minutesOf(await stored())]).toEqual([[1], 'advancing', 2]);
  });
});
