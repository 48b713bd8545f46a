import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SilentDatabase, usualPatience } from './patient_client.ts';
import { connect, type DatabaseAddress, openPool, query, type Sql, sqlState, Unreplicated } from './sql.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test.each(['prefer', 'require', 'verify-ca'])('sslmode=%s is strict, without a warning of the driver', async (mode) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const address = { connectionString: `postgres://user@127.0.0.1:1/tollgate?sslmode=${mode}&application_name=x` };
  await expect(connect(address, 'test')).rejects.toThrow('ECONNREFUSED');
  const pool = openPool(address, { use: 'reads', connectionsMax: 1, onError: () => {} });
  await expect(pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
  await pool.end();
  expect(warned).not.toHaveBeenCalled();
});

/** A message of PostgreSQL: its kind, its length, and its parts, of which texts end with a zero. */
function message(kind: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));

const tooMany = message('E', 'SFATAL', 'VFATAL', 'C53300', 'Msorry, too many clients already', '');

/**
 * A server that admits everybody until it is full, and answers each statement with the same messages. Notes how its clients introduce
 * themselves.
 */
async function fakePostgres(...answer: Buffer[] | ['nothing']) {
  const state = { isFull: false };
  const greetings: string[] = [];
  const asked = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', (greeting) => {
      greetings.push(greeting.toString());
      if (state.isFull) return void socket.end(tooMany);
      socket.write(Buffer.concat([authenticated, ready]));
      socket.on('data', () => {
        asked.resolve();
        if (answer[0] !== 'nothing')
          socket.write(Buffer.concat([...(answer as Buffer[]), message('C', 'COMMIT'), ready]));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = (search: string): DatabaseAddress => ({
    connectionString: `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/tollgate${search}`,
  });
  return { address, greetings, asked: asked.promise, state };
}

function poolOn(address: DatabaseAddress) {
  const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} });
  onTestFinished(() => pool.end());
  return pool;
}

describe('a client that chooses among hosts', () => {
  const patience = { connectMs: 200, statementMs: 200 };

  test('and reaches none is reported, and closing the pool finds nothing to close', async () => {
    const failures: Error[] = [];
    const onError = (error: Error) => failures.push(error);
    const address = { connectionString: 'postgres://user@127.0.0.1:1,127.0.0.1:2/tollgate' };
    const pool = openPool(address, { use: 'reads', connectionsMax: 1, onError });
    await expect(pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
    pool.abandon();
    await setImmediate();
    expect(failures).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });

  test('can be closed while a host is silent', async () => {
    const { address, asked } = await fakePostgres('nothing');
    const readWrite = address('?target_session_attrs=read-write');
    const pool = openPool(readWrite, { use: 'reads', connectionsMax: 1, patience, onError: () => {} });
    const asking = pool.query('select 1');
    await asked;
    pool.abandon();
    await expect(asking).rejects.toThrow();
  });
});

test.each([
  '',
  '?application_name=mine',
  '?application_name=mine&client_encoding=utf8',
  '?client_encoding=utf8&application_name=my%20own',
])('connections have their own names, with "%s" in the address as well', async (search) => {
  const { address, greetings } = await fakePostgres();
  const client = await connect(address(search), 'commit');
  await query(poolOn(address(search)), 'commit', []);
  await client.end();
  const names = greetings.map((greeting) => /application_name\0([^\0]*)/.exec(greeting)?.[1]);
  expect(names).toEqual(['tollgate commit', 'tollgate durable']);
});

test.each([
  ['options=endpoint%3Dep-cool-1', 'endpoint=ep-cool-1 -c client_min_messages=warning '],
  [
    'options=-c%20search_path%3Dshop%20-c%20client_min_messages%3Derror',
    '-c search_path=shop -c client_min_messages=error -c ',
  ],
  [
    'option%73=-c+work_mem%3D8MB&replication=database&query_timeout=1',
    '-c work_mem=8MB -c client_min_messages=warning ',
  ],
])('options in the address come before those of Tollgate: %s', async (search, beginning) => {
  const { address, greetings } = await fakePostgres();
  await query(poolOn(address(`?${search}&statement_timeout=1&lock_timeout=1`)), 'commit', []);
  const [, options = ''] = /\0options\0([^\0]*)/.exec(greetings[0]!) ?? [];
  expect(options.slice(0, beginning.length)).toBe(beginning);
  expect(options).toMatch(/ -c client_min_messages=warning .* -c statement_timeout=0 -c synchronous_commit=on$/);
  expect(greetings[0]).not.toMatch(/\0(statement_timeout|lock_timeout|replication)\0/);
});

test('a pool for which nothing else is said waits for a reply as long as usual, and longer than the server works on a read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { address, greetings, asked } = await fakePostgres('nothing');
  const pool = openPool(address(''), { use: 'reads', connectionsMax: 1, onError: () => {} });
  onTestFinished(() => pool.end());
  const running = Promise.allSettled([query(pool, 'select 1', [])]);
  await asked;
  const { connectMs, statementMs } = usualPatience;
  expect(pool.options.connectionTimeoutMillis).toBe(connectMs);
  await vi.advanceTimersByTimeAsync(statementMs - 1);
  expect(await Promise.race([running, Promise.resolve('still waiting')])).toBe('still waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject([{ status: 'rejected', reason: { cause: new SilentDatabase(statementMs) } }]);
  const [, limitSeconds] = /statement_timeout=(\d+)s/.exec(greetings[0]!)!;
  expect(Number(limitSeconds) * 1_000).toBeLessThan(statementMs);
});

describe('a wait for a connection of a pool ends in time', () => {
  const { connectMs } = usualPatience;
  const isSettled = async (running: Promise<unknown>) =>
    (await Promise.race([running, Promise.resolve('still waiting')])) !== 'still waiting';

  test('when it is slow to be made, and the database is silent during its check', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { address, asked } = await fakePostgres('nothing');
    const check = async (client: Sql) => void (await client.query('select 1'));
    const pool = openPool(address(''), { use: 'durable', connectionsMax: 1, onError: () => {}, check });
    onTestFinished(() => pool.end());
    const running = Promise.allSettled([pool.connect()]);
    vi.advanceTimersByTime(connectMs - 1_000); // before the server has answered
    await asked;
    await vi.advanceTimersByTimeAsync(999);
    expect(await isSettled(running)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject([{ status: 'rejected', reason: new SilentDatabase(connectMs) }]);
  });

  test('when the database refuses one more, and the others stay in use', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { address, state } = await fakePostgres();
    const refused = Promise.withResolvers<Error>();
    const pool = openPool(address(''), { use: 'durable', connectionsMax: 2, onError: refused.resolve });
    onTestFinished(() => pool.end());
    const held = await pool.connect();
    state.isFull = true;
    const running = Promise.allSettled([pool.connect()]);
    vi.advanceTimersByTime(connectMs - 1_000); // before the server has answered
    expect(sqlState(await refused.promise)).toBe('53300');
    await setImmediate(); // the pool hears it after the connection
    await vi.advanceTimersByTimeAsync(999);
    expect(await isSettled(running)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject([{ status: 'rejected', reason: await refused.promise }]);
    held.release();
    (await pool.connect()).release(); // who came too late has not kept it
  });

  test('and with a connection, when the database accepts connections again and the others stay in use', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { address, state } = await fakePostgres();
    const refused = Promise.withResolvers<void>();
    let refusals = 0;
    const onError = (error: Error) => {
      if (sqlState(error) === '53300' && ++refusals === 2) refused.resolve();
    };
    const pool = openPool(address(''), { use: 'durable', connectionsMax: 3, onError });
    onTestFinished(() => pool.end());
    const held = await pool.connect();
    state.isFull = true;
    const running = Promise.all([pool.connect(), pool.connect()]);
    await refused.promise;
    await setImmediate(); // the pool hears it after the connection
    state.isFull = false;
    await vi.advanceTimersByTimeAsync(1_000); // then the pool asks again
    for (const client of [held, ...(await running)]) client.release();
    expect(pool.totalCount).toBe(3);
  });
});

describe('a commit of which the standby does not have the change', () => {
  const warning = (routine: string) =>
    message(
      'N',
      'SWARNUNG',
      'VWARNING',
      'C01000',
      'Mstorniere Warten auf synchrone Replikation wegen Benutzeraufforderung',
      'DDie Transaktion wurde lokal bereits committet, aber möglicherweise nicht zum Standby repliziert.',
      `R${routine}`,
      '',
    );

  test('fails in any language of the server', async () => {
    const { address } = await fakePostgres(warning('SyncRepWaitForLSN'));
    const client = await connect(address(''), 'commit');
    await expect(client.query('commit')).rejects.toBeInstanceOf(Unreplicated);
    await expect(query(poolOn(address('')), 'commit', [])).rejects.toBeInstanceOf(Unreplicated);
  });

  test('is not taken for one with another warning', async () => {
    const { address } = await fakePostgres(warning('EndTransactionBlock'));
    expect(await query(poolOn(address('')), 'commit', [])).toEqual([]);
  });
});
