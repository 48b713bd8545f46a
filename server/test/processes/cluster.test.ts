import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findProcess } from '../../base/processes.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { pause } from '../../base/timers.ts';
import { eventually } from '../eventually.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { unusedPort } from '../unused_port.ts';
import { type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';
import { readFacts, wanting } from './customer_load.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let environment: Environment;
let metricsPort: number;

beforeAll(async () => {
  database = await createDatabase();
  sql = children.keep(await connect(database.address, 'test'));
  metricsPort = await unusedPort();
  const own = {
    DATABASE_URL: database.url,
    WEB_CONCURRENCY: '2',
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'info',
  };
  environment = children.serveEnvironment(own);
});
afterAll(async () => {
  await children.cleanUp();
  await database.drop();
});

type Line = { process: number; msg: string; pid?: number; started?: number; ended?: number };

const linesOf = ({ child }: Running): Line[] =>
  child.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The process ids of those that have served, by their numbers. */
const servedBy = (server: Running) =>
  new Map(
    linesOf(server).flatMap(({ msg, started, pid }) => (msg === 'server process ready' ? [[started!, pid!]] : [])),
  );

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

const created = 'tollgate_requests_total{operation="customers.create",status="200"}';
const eventsMade = 'tollgate_events_total{type="customer.created",mode="test"}';
/** A new connection each time: they are handed round. */
const oneRequest = { connection: 'close' };

describe('two processes on one port', () => {
  let server: Running;

  beforeAll(async () => {
    server = await children.serve(environment);
  });

  test('both answer, and the metrics are their sum', async () => {
    const { test_secret_key } = await children.account(environment);
    const client = server.client(test_secret_key).with(oneRequest);
    for (let count = 0; count < 6; count++)
      expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
    await eventually(() => {
      const answered = linesOf(server).filter(({ msg }) => msg === 'request');
      expect([...new Set(answered.map((line) => line.process))].sort()).toEqual([1, 2]);
    });
    expect(await metric(created)).toBe(6);
    expect(await metric('tollgate_processes')).toBe(2);
    expect(await metric('tollgate_database_up')).toBe(1);
    expect(await metric('tollgate_ready')).toBe(1);
    expect(await metric('tollgate_log_lines_total{level="error"}')).toBe(0);
    expect(await metric('tollgate_notices_failed')).toBe(0);
  });

  test('SIGHUP while shops ask replaces one after the other: no request fails, the server stays ready, and no count is lost', async () => {
    const { test_secret_key } = await children.account(environment);
    const client = server.client(test_secret_key);
    const before = [await metric(created), await metric(eventsMade)];
    const seen: string[] = [];
    let isOver = false;
    const shop = async (number: number) => {
      while (!isOver) {
        const name = `rolling-${number}-${seen.length}`;
        const failure = await wanting(client, name).then(
          ({ status, text }) => (status === 200 ? '' : text),
          (error: Error) => error.message,
        );
        seen.push(failure);
        await pause(40);
      }
    };
    const shops = Array.from({ length: 4 }, (_, number) => shop(number));
    await until('the shops are open', patienceMs, () => seen.length > 20);
    const probe = server.client();
    server.child.signal('SIGHUP');
    await until('all are replaced', patienceMs, async () => {
      expect((await probe.get('/readyz')).status).toBe(200);
      return server.child.stdout.includes('all server processes were restarted');
    });
    isOver = true;
    await Promise.all(shops);
    expect(seen.filter((failure) => failure !== '')).toEqual([]);
    expect([...servedBy(server).keys()]).toEqual([1, 2, 3, 4]);
    const after = [await metric(created), await metric(eventsMade)];
    expect(after.map((count, at) => count - before[at]!)).toEqual([seen.length, seen.length]);
    const { names, events } = await readFacts(sql, 'rolling');
    expect(names.size).toBe(seen.length);
    expect([...events.values()].every((count) => count === 1)).toBe(true);
  });

  test('one that is killed is replaced, and the other answers meanwhile', async () => {
    const { test_secret_key } = await children.account(environment);
    process.kill(servedBy(server).get(3)!, 'SIGKILL');
    const client = server.client(test_secret_key).with(oneRequest);
    await until('it is noticed', patienceMs, () => linesOf(server).some(({ ended }) => ended === 3));
    expect((await client.post('/v1/customers', { name: 'Ada' })).status).toBe(200);
    await until('it is replaced', patienceMs, () => servedBy(server).has(5));
    expect(await metric('tollgate_process_crashes_total')).toBe(1);
    expect(await metric('tollgate_log_lines_total{level="error"}')).toBe(1);
    expect(await metric('tollgate_processes')).toBe(2);
  });

  test('guesses of one address are counted by both', async () => {
    const stranger = server.client().with(oneRequest);
    for (let tries = 0; tries < 3; tries++) {
      const resets = new Set<string | undefined>();
      const ask = async (path: string) => {
        const answer = await stranger.get(path);
        resets.add(answer.headers['x-ratelimit-reset'] as string);
        return answer;
      };
      for (let count = 0; count < 100; count++) await ask('/v1/customers');
      const told = await eventually(async () => {
        const remaining = [];
        for (let count = 0; count < 4; count++)
          remaining.push((await ask('/healthz')).headers['x-ratelimit-remaining']);
        if (resets.size === 1) expect(remaining).toEqual(['0', '0', '0', '0']);
        return resets.size === 1;
      });
      if (!told) continue; // a new minute began in between
      expect((await ask('/v1/customers')).status).toBe(429);
      if (resets.size === 1) return;
    }
    throw new Error('no try was within one minute');
  });

  test('SIGTERM ends all of them, with 0', async () => {
    expect(await server.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const pid of servedBy(server).values()) expect(await findProcess(pid)).toBeUndefined();
    expect(server.child.stderr).toBe('');
  });
});

test.runIf(isTorture)(
  'all are replaced when all are killed; when the supervisor is killed, the others finish and end',
  async () => {
    const { METRICS_PORT: _, ...quiet } = environment;
    const server = await children.serve(quiet);
    const serve = (count: number) =>
      until(
        `${count} have served`,
        patienceMs,
        () => servedBy(server).size === count && [...servedBy(server).values()],
      );
    for (const pid of await serve(2)) process.kill(pid, 'SIGKILL');
    const pids = (await serve(4)).slice(2);
    expect((await server.client().get('/readyz')).status).toBe(200);
    process.kill(server.child.pid, 'SIGKILL');
    for (const pid of pids)
      await until('a process ends', patienceMs, async () => (await findProcess(pid)) === undefined);
  },
);

describe('a start that is refused', () => {
  test('when PostgreSQL has too few connections', async () => {
    const refused = await children.run(['serve'], {
      cwd: children.directory(),
      environment: { ...environment, WEB_CONCURRENCY: '64' },
    });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^WEB_CONCURRENCY=64 needs 855 connections/),
    });
  });

  test.runIf(isTorture)('when the port is in use: one message, and nothing is left running', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const child = children.tollgate(['serve'], {
      cwd: children.directory(),
      environment: { ...environment, PORT: String(port) },
    });
    expect(await child.ends()).toEqual({ code: 1, signal: null });
    other.close();
    expect(child.stderr.match(/in use/g)).toHaveLength(1);
    expect(child.stderr).not.toMatch(/^\s+at /m);
  });
});
