import pino from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import type { Connector, Notice } from '../../../connectors/contract.ts';
import type { Job } from '../../../operations/job.ts';
import { eventually } from '../../../test/eventually.ts';
import { Scheduler } from '../../../worker/scheduler.ts';
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

type Inbox = Parameters<typeof pollNotices>[0]['inbox'];
const asking = (connector: Connector, storeReported: Inbox['storeReported']) =>
  pollNotices({ connectors: [connector], clock: systemClock, log, inbox: { storeReported } });

const run = async (job: Job, limit: number) => {
  const rows = await job.lease(limit);
  const results = await Promise.allSettled(rows.map((row) => row.run()));
  return results.map(({ status }) => status);
};

test('notices are acknowledged after they were stored, and not before', async () => {
  const { connector, acknowledged } = processor([noticeOf('a'), noticeOf('b')]);
  const seen: [source: object, ids: string[], acknowledged: string[]][] = [];
  const job = asking(connector, async (source, notices) => {
    seen.push([source, notices.map(({ id }) => id), [...acknowledged]]);
  });
  expect(await run(job, 5)).toEqual(['fulfilled']);
  expect(seen).toEqual([[{ connector: 'teller', processor_account: null }, ['a', 'b'], []]]);
  expect(acknowledged).toEqual(['a', 'b']);
  expect(await run(job, 5)).toEqual([]);
});

test('while notices are being stored, the processor is not asked for them again', async () => {
  const { connector, asked } = processor([noticeOf('a')]);
  const gate = Promise.withResolvers<void>();
  const job = asking(connector, () => gate.promise);
  const [row] = await job.lease(5);
  const running = row!.run();
  expect(await job.lease(5)).toEqual([]);
  gate.resolve();
  await running;
  expect([await job.lease(5), asked]).toEqual([[], [5, 5]]);
});

test('notices that cannot be stored are not acknowledged, and asked for again', async () => {
  const { connector, acknowledged } = processor([noticeOf('a')]);
  let isDown = true;
  const job = asking(connector, async () => {
    if (isDown) throw new Error('the database is down');
  });
  expect([await run(job, 5), acknowledged]).toEqual([['rejected'], []]);
  isDown = false;
  expect([await run(job, 5), acknowledged]).toEqual([['fulfilled'], ['a']]);
});

test('a processor that cannot be asked is asked again', async () => {
  const { connector, acknowledged } = processor([noticeOf('a')]);
  const { notices } = connector;
  connector.notices = () => Promise.reject(new Error('no connection'));
  const job = asking(connector, async () => {});
  expect([await run(job, 5), acknowledged]).toEqual([[], []]);
  connector.notices = notices!;
  expect([await run(job, 5), acknowledged]).toEqual([['fulfilled'], ['a']]);
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
  const other: Job = { name: 'other', lease };
  const worker = new Scheduler({ clock: systemClock, log, jobs: [asking(silent, async () => {}), other] });
  worker.start();
  for (let wakes = 0; wakes < 5; wakes++) {
    worker.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(looks).toBeGreaterThan(3));
  expect(asked).toBe(1);
});
