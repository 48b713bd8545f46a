import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../test/eventually.ts';
import { CuttingProxy } from './commit/cutting_proxy.fixture.ts';
import { Committer } from './commit/index.ts';
import { openWorld, remark, type World } from './commit/units.fixture.ts';
import { DatabaseWatch } from './database_watch.ts';
import { Unavailable } from './errors.ts';
import type { OnFailure, PatientPool } from './patient_client.ts';
import {
  connect,
  cursorPages,
  type DatabaseAddress,
  inPages,
  inTransaction,
  openPool,
  query,
  type Sql,
} from './sql.ts';

/** On a busy machine a new connection takes longer than half a second. */
const patience = { connectMs: 2_000, statementMs: 300 };
const uses = ['reads', 'durable', 'relaxed'] as const;

let world: World;
let proxy: CuttingProxy;
let address: DatabaseAddress;
const opened: { end(): Promise<unknown> }[] = [];

beforeAll(async () => {
  world = await openWorld();
  proxy = new CuttingProxy(world.address);
  await proxy.listen();
  address = proxy.through(world.address);
});
beforeEach(() => proxy.comeBack());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.end()));
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

function poolFor(use: (typeof uses)[number], connectionsMax = 1) {
  const pool = openPool(address, { use, connectionsMax, patience, onError: () => {} });
  opened.push(pool);
  return pool;
}

/** Everything that is waited for in these tests has to end by itself. */
const limit = { timeout: 15_000 };

describe('a database that no longer sends anything', () => {
  test.each(uses)(
    'makes a statement of the pool for %s unavailable, and its connection is not used again',
    limit,
    async (use) => {
      const pool = poolFor(use);
      const [before] = await query<{ pid: number }>(pool, 'select pg_backend_pid() as pid', []);
      proxy.goSilent();
      await expect(query(pool, 'select 1', [])).rejects.toThrow(Unavailable);
      proxy.comeBack();
      const [after] = await query<{ pid: number }>(pool, 'select pg_backend_pid() as pid', []);
      expect(after!.pid).not.toBe(before!.pid);
    },
  );

  test('makes a transaction unavailable, at its beginning and in its middle', limit, async () => {
    const pool = poolFor('durable');
    const work = inTransaction(pool, async (client) => {
      proxy.goSilent();
      return { isKept: true, result: await client.query('select 1') };
    });
    await expect(work).rejects.toThrow(Unavailable);
    const begun = inTransaction(pool, async () => ({ isKept: true, result: 1 }));
    await expect(begun).rejects.toThrow(Unavailable);
  });

  test('makes the pages of a cursor unavailable, without waiting again for the cursor to close', limit, async () => {
    const client = await connect(address, 'test', patience);
    opened.push(client);
    await client.query('begin');
    const series = 'select generate_series(1, 4) as n';
    const pages = cursorPages(client, 'slow', series, [], 2);
    expect((await pages.next()).value).toHaveLength(2);
    proxy.goSilent();
    await expect(pages.next()).rejects.toThrow(Unavailable);
    await expect(client.query('rollback')).rejects.toThrow(/not queryable/);
    await expect(inPages(poolFor('reads'), series, [], 2).next()).rejects.toThrow(Unavailable);
  });

  test('leaves the outcome of a commit unknown, and the next commit opens a new connection', limit, async () => {
    const committer = new Committer(address, {
      patience: { commitMs: 300, connectMs: 300, reconnectMs: 300, lookupMs: 300 },
    });
    opened.push({ end: () => committer.close() });
    expect(await committer.commit({ writes: [remark('1')] })).toBe('committed');
    proxy.goSilent();
    await expect(committer.commit({ writes: [remark('2')] })).rejects.toThrow(Unavailable);
    proxy.comeBack();
    expect(await committer.commit({ writes: [remark('3')] })).toBe('committed');
  });

  const checked: [string, (check: (client: Sql) => Promise<void>) => Promise<unknown>][] = [
    [
      'a commit',
      (check) => {
        const committer = new Committer(address, { patience: { connectMs: 500, reconnectMs: 500 }, check });
        opened.push({ end: () => committer.close() });
        return committer.commit({ writes: [remark('unchecked')] });
      },
    ],
    [
      'a read',
      (check) => {
        const long = { connectMs: 500, statementMs: 60_000 };
        const pool = openPool(address, { use: 'reads', connectionsMax: 1, patience: long, onError: () => {}, check });
        opened.push(pool);
        return query(pool, 'select 1', []);
      },
    ],
  ];
  test.each(checked)('is given up during the check of a new connection: %s fails soon', limit, async (_, run) => {
    const running = run(async (client) => {
      proxy.goSilent();
      await client.query('select 1');
    });
    await expect(running).rejects.toThrow(Unavailable);
  });

  test('is given up during the lookup of a commit, in the check of its connection', limit, async () => {
    const patience = { commitMs: 20_000, connectMs: 20_000, reconnectMs: 500 };
    let checks = 0;
    const check = async (client: Sql) => {
      if (++checks > 1) proxy.goSilent();
      await client.query('select 1');
    };
    const committer = new Committer(address, { patience, check });
    opened.push({ end: () => committer.close() });
    expect(await committer.commit({ writes: [remark('8')] })).toBe('committed');
    proxy.plan('cut before', 'needle');
    await expect(committer.commit({ writes: [remark('needle')] })).rejects.toThrow(Unavailable);
    expect(checks).toBe(2);
  });

  test('also loses the idle connections of a pool when they are in doubt', limit, async () => {
    const pool = poolFor('reads', 3);
    await Promise.all([1, 2, 3].map(() => query(pool, 'select pg_sleep(0.05)', [])));
    expect(pool.idleCount).toBe(3);
    proxy.goSilent();
    pool.dropIdle();
    proxy.comeBack();
    expect(await query(pool, 'select 1 as one', [])).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
  });

  test('is closed without its goodbye: a pool, a connection, a committer', limit, async () => {
    const [pool, client] = [poolFor('durable', 2), await connect(address, 'test', patience)];
    const committer = new Committer(address);
    await Promise.all([query(pool, 'select 1', []), committer.commit({ writes: [remark('4')] })]);
    proxy.goSilent();
    opened.length = 0;
    await Promise.all([pool.end(), client.end(), committer.close()]);
    await eventually(() => expect(proxy.open).toBe(0));
  });

  test('is abandoned with all that waits for it', limit, async () => {
    const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} });
    const committer = new Committer(address);
    await Promise.all([query(pool, 'select 1', []), committer.commit({ writes: [remark('5')] })]);
    proxy.goSilent();
    const waiting = [
      query(pool, 'select 1', []),
      query(pool, 'select 1', []),
      committer.commit({ writes: [remark('6')] }),
    ];
    pool.abandon();
    committer.abandon();
    const ended = await Promise.allSettled([
      ...waiting,
      query(pool, 'select 1', []),
      committer.commit({ writes: [remark('7')] }),
    ]);
    expect(ended.map((one) => one.status === 'rejected' && one.reason instanceof Unavailable)).toEqual(
      ended.map(() => true),
    );
    await eventually(() => expect(proxy.open).toBe(0));
  });
});

describe('a watch', () => {
  const long = { connectMs: 10_000, statementMs: 60_000 };
  let watch: DatabaseWatch;
  let logged: { msg: string }[];
  let pool: PatientPool;
  let committer: Committer;

  beforeEach(() => {
    logged = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const watching = new DatabaseWatch(address, {
      log,
      patience: long,
      check: async () => {},
      onSilent(refusal) {
        for (const user of [pool, committer]) user.refuseWaiting(refusal);
      },
    });
    watch = watching;
    const onError: OnFailure = (error, since) => watching.report(error, since);
    pool = openPool(address, { use: 'durable', connectionsMax: 1, patience: long, onError, watch });
    committer = new Committer(address, { patience: { commitMs: 60_000 }, onError, watch });
  });
  afterEach(() => {
    watch.stop();
    pool.abandon();
    committer.abandon();
  });

  const messages = () => logged.map(({ msg }) => msg);

  test('refuses what waits for a silent database, but not what is in flight', limit, async () => {
    await Promise.all([query(pool, 'select 1', []), committer.commit({ writes: [remark('9')] })]);
    proxy.goSilent();
    const ended: string[] = [];
    const noteEnd = (name: string, running: Promise<unknown>) =>
      running.then(
        () => ended.push(name),
        (error) => ended.push(`${name}: ${error.message}`),
      );
    const inFlight = Promise.all([
      noteEnd('in flight', query(pool, 'select 1', [])),
      noteEnd('in flight', committer.commit({ writes: [remark('10')] })),
    ]);
    await eventually(() => expect(pool.idleCount).toBe(0));
    const waiting = [
      noteEnd('waiting', query(pool, 'select 1', [])),
      noteEnd('waiting', committer.commit({ writes: [remark('11')] })),
    ];
    await Promise.all(waiting);
    expect(watch.trouble()).toBe('database unreachable');
    await noteEnd('new', query(pool, 'select 1', []));
    await noteEnd('new', committer.commit({ writes: [remark('12')] }));
    const refused = (name: string) => `${name}: the database is silent`;
    expect(ended).toEqual(['waiting', 'waiting', 'new', 'new'].map(refused));

    proxy.comeBack();
    await eventually(() => expect(watch.refusal()).toBeUndefined());
    const outage = [expect.stringMatching(/^the database is down;/), 'the database is back'];
    expect(messages()).toEqual(outage);

    // A failure of what was in flight belongs to the outage, however late it is. Another one does not.
    await eventually(() => expect(watch.isSure()).toBe(true));
    pool.abandon();
    committer.abandon();
    await inFlight;
    expect(watch.isSure()).toBe(false);
    await eventually(() => expect(watch.isSure()).toBe(true));
    expect(messages()).toEqual(outage);
    watch.report(new Error('Connection terminated unexpectedly'));
    await eventually(() => expect(messages()).toEqual([...outage, 'a database connection broke']));
  });

  test('does not take a slow statement for silence', limit, async () => {
    const slow = query(pool, 'select pg_sleep(2)', []);
    await eventually(() => expect(watch.isSure()).toBe(false));
    await watch.decided();
    expect(watch.trouble()).toBeUndefined();
    await slow;
    await eventually(() => expect(watch.isSure()).toBe(true));
    expect(logged).toEqual([]);
  });

  test('does not take a process that stands still for silence', limit, async () => {
    const asked = query(pool, 'select 1', []);
    await eventually(() => expect(pool.totalCount).toBe(1));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    await asked;
    await eventually(() => expect(watch.isSure()).toBe(true));
    expect(logged).toEqual([]);
  });
});

test('a pool whose connections are all in use makes callers unavailable after a bounded wait', limit, async () => {
  const pool = poolFor('durable');
  const holder = await pool.connect();
  const refused = await Promise.allSettled([
    query(pool, 'select 1', []),
    inTransaction(pool, async () => ({ isKept: true, result: 1 })),
    inPages(pool, 'select 1', [], 1).next(),
  ]);
  const inUse = new Unavailable('all database connections for this work are in use');
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: inUse })));
  holder.release();
  expect(await query(pool, 'select 1 as one', [])).toEqual([{ one: 1 }]);
});
