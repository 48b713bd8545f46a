import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { Connector, Notice } from '../../connectors/contract.ts';
import type { NoticeSource } from '../../connectors/index.ts';
import { eventually } from '../../test/eventually.ts';
import { Scheduler } from '../../worker/scheduler.ts';
import type { Duty } from '../duty.ts';
import { pollNotices } from './poll.ts';

const log = pino({ level: 'silent' });
const noticeOf = (id: string) =>
  ({ id, tenant: 1, kind: 'dispute_closed', dispute: id, result: 'won' }) as unknown as Notice;

/** A processor that reports notices until they are acknowledged. */
function processor(told: Notice[]) {
  const acknowledged: string[] = [];
  const asked: number[] = [];
  const connector = {
    name: 'teller',
    async notices({ limit }: { limit: number }) {
      asked.push(limit);
      return told.filter(({ id }) => !acknowledged.includes(id)).slice(0, limit);
    },
    async acknowledge(notices: Notice[]) {
      acknowledged.push(...notices.map(({ id }) => id));
    },
  } as unknown as Connector;
  return { connector, acknowledged, asked };
}

const kept: [connector: string, id: string, reason: string][] = [];
const keep = async (connector: string, { id }: Notice, error: unknown) =>
  void kept.push([connector, id, String(error)]);

const kindOf = (connector: Connector, take: (notice: Notice) => Promise<void>) =>
  pollNotices({ connectors: [connector], clock: systemClock, log, handle: take, keep });

const run = async (kind: Duty, limit: number) => {
  const jobs = await kind.lease(limit);
  const results = await Promise.allSettled(jobs.map((job) => job.run()));
  return results.map(({ status }) => status);
};

test('a notice is acknowledged after it was handled, and not before', async () => {
  const { connector, acknowledged } = processor([noticeOf('a')]);
  const seen: string[][] = [];
  const kind = kindOf(connector, async () => void seen.push([...acknowledged]));
  expect(await run(kind, 5)).toEqual(['fulfilled']);
  expect([seen, acknowledged]).toEqual([[[]], ['a']]);
  expect(await run(kind, 5)).toEqual([]);
});

test('a notice comes from the account that it names, or from the processor itself', async () => {
  const { connector } = processor([{ ...noticeOf('a'), account: 'pa_1' } as Notice, noticeOf('b')]);
  const sources: NoticeSource[] = [];
  const handle = async (_: Notice, source: NoticeSource) => void sources.push(source);
  await run(pollNotices({ connectors: [connector], clock: systemClock, log, handle, keep }), 5);
  expect(sources).toEqual([
    { connector: 'teller', processor_account: 'pa_1' },
    { connector: 'teller', processor_account: null },
  ]);
});

test('a notice in progress is not handled a second time', async () => {
  const { connector } = processor([noticeOf('a')]);
  const gate = Promise.withResolvers<void>();
  const kind = kindOf(connector, () => gate.promise);
  const [job] = await kind.lease(5);
  const running = job!.run();
  expect(await kind.lease(5)).toEqual([]);
  gate.resolve();
  await running;
});

test('notices that cannot be handled are retried later, and do not delay newer ones', async () => {
  vi.useFakeTimers();
  const { connector, acknowledged } = processor(['a', 'b', 'c', 'd'].map(noticeOf));
  let isBad = true;
  const kind = kindOf(connector, async ({ id }) => {
    if (isBad && (id === 'a' || id === 'b')) throw new Error('not now');
  });
  expect(await run(kind, 2)).toEqual(['rejected', 'rejected']);
  expect(await run(kind, 2)).toEqual(['fulfilled', 'fulfilled']);
  expect(acknowledged).toEqual(['c', 'd']);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(await run(kind, 2)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await run(kind, 2)).toEqual(['rejected', 'rejected']);
  await vi.advanceTimersByTimeAsync(19_999); // twice as long
  expect(await run(kind, 2)).toEqual([]);
  isBad = false;
  await vi.advanceTimersByTimeAsync(1);
  expect(await run(kind, 2)).toEqual(['fulfilled', 'fulfilled']);
  expect(acknowledged).toEqual(['c', 'd', 'a', 'b']);
  vi.useRealTimers();
});

test('after three failures a notice is kept, and only then acknowledged', async () => {
  vi.useFakeTimers();
  const { connector, acknowledged, asked } = processor([noticeOf('bad'), noticeOf('good')]);
  const kind = kindOf(connector, async ({ id }) => {
    if (id === 'bad') throw new Error('never');
  });
  kept.length = 0;
  for (const [pauseMs, results, stored] of [
    [0, ['rejected', 'fulfilled'], 0],
    [10_000, ['rejected'], 0],
    [20_000, ['fulfilled'], 1],
    [3_600_000, [], 1],
  ] as const) {
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(await run(kind, 2)).toEqual(results);
    expect(kept).toHaveLength(stored);
  }
  expect(kept).toEqual([['teller', 'bad', 'Error: never']]);
  expect(acknowledged).toEqual(['good', 'bad']);
  expect(asked.at(-1)).toBe(2); // nothing waits any more
  vi.useRealTimers();
});

test('a notice that cannot be kept is not acknowledged', async () => {
  vi.useFakeTimers();
  const { connector, acknowledged } = processor([noticeOf('bad')]);
  const fail = async () => {
    throw new Error('the database is down');
  };
  const kind = pollNotices({ connectors: [connector], clock: systemClock, log, handle: fail, keep: fail });
  for (const pauseMs of [0, 10_000, 20_000, 40_000, 80_000]) {
    await vi.advanceTimersByTimeAsync(pauseMs);
    expect(await run(kind, 2)).toEqual(['rejected']);
  }
  expect(acknowledged).toEqual([]);
  vi.useRealTimers();
});

test('a processor that does not answer delays no other work, and is not asked again while its answer may come', async () => {
  let asked = 0;
  const silent = {
    name: 'silent',
    notices: () => {
      asked++;
      return new Promise<Notice[]>(() => {});
    },
  } as unknown as Connector;
  let looks = 0;
  const lease = async () => {
    looks++;
    return [];
  };
  const other: Duty = { name: 'other', lease };
  const worker = new Scheduler({ clock: systemClock, log, duties: [kindOf(silent, async () => {}), other] });
  worker.start();
  for (let wakes = 0; wakes < 5; wakes++) {
    worker.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(looks).toBeGreaterThan(3));
  expect(asked).toBe(1);
});
