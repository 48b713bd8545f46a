import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CuttingProxy } from '../../base/commit/cutting_proxy.fixture.ts';
import type { Committer, Write } from '../../base/commit/index.ts';
import {
  add,
  claimExpiring,
  fates,
  openWorld,
  put,
  remark,
  tenant,
  type World,
} from '../../base/commit/units.fixture.ts';
import { Unavailable } from '../../base/errors.ts';
import { connect, inTransaction, openPool, query, type Sql, transaction } from '../../base/sql.ts';
import { eventually } from '../eventually.ts';
import { type Cluster, Clusters } from '../postgres_cluster.ts';

const clusters = new Clusters();
let primary: Cluster;
let standby: Cluster;
let world: World;
/** Lets a paused standby go on. */
let resume = () => {};

beforeAll(async () => {
  primary = await clusters.make();
  world = await openWorld(primary.address());
  // Warnings must arrive, and commits must wait, all the same.
  await world.sql.query(`alter role tollgate set client_min_messages = error`);
  await world.sql.query(`alter role tollgate set synchronous_commit = local`);
  standby = await clusters.addStandby(primary);
});
beforeEach(() => world.reset('a', 'b', 'c'));
afterEach(() => {
  vi.useRealTimers();
  resume();
  resume = () => {};
});
afterAll(async () => {
  await world?.stop();
  await clusters.cleanUp();
});

const endings = ['pg_cancel_backend', 'pg_terminate_backend'] as const;
type Ending = (typeof endings)[number];

/** Resolves with the process that waits for the standby, other than a given one. */
async function waitingCommit(except = 0): Promise<number> {
  return eventually(async () => {
    const { rows } = await world.sql.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event = 'SyncRep' and pid <> $1 and application_name like 'tollgate %'`,
      [except],
    );
    if (rows.length === 0) throw new Error('no commit waits for the standby');
    return rows[0]!.pid;
  });
}

async function endWait(how: Ending): Promise<void> {
  await world.sql.query(`select ${how}($1)`, [await waitingCommit()]);
}

describe('a commit whose wait for the standby is ended', () => {
  const forms: [string, Write<'both'>[][]][] = [
    ['plain', [[remark('1'), put('a', 2)], [claimExpiring('key', 'me')]]],
    [
      'claims',
      [
        [remark('1'), put('a', 2)],
        [remark('2'), put('b', 9)],
      ],
    ],
    ['single', [[remark('1'), add('d', 'poison')], [remark('2')]]],
  ];
  const cases = endings.flatMap((how) => forms.map(([form, units]) => ({ how, form, units })));
  test.each(cases)('by $how is not acknowledged, in the $form form', async ({ how, form, units }) => {
    const { committer, batches } = world.committer();
    expect(await committer.commit({ writes: [remark('before')] })).toBe('committed');
    resume = await standby.pauseReceiving();
    const ended = endWait(how);
    const verdicts = await fates(units.map((writes) => committer.commit({ writes })));
    await ended;
    expect(verdicts.filter((verdict) => verdict === 'committed')).toEqual([]);
    expect(batches.at(-1)).toMatchObject({ form });
    resume();
    expect(await committer.commit({ writes: [remark('after')] })).toBe('committed');
    expect(await world.remarks()).toContain('after');
  });
});

describe('a commit whose reply is lost while it waits for the standby', () => {
  let proxy: CuttingProxy;
  let committer: Committer;
  beforeAll(async () => {
    proxy = new CuttingProxy(primary.address());
    await proxy.listen();
  });
  afterAll(() => proxy.close());

  /** The commit is visible on the primary, its connection is lost, and the lookup has found it. */
  async function loseReply(): Promise<Promise<string[]>[]> {
    vi.useFakeTimers({ toFake: ['performance'] }); // the time limit of the lookup does not pass
    ({ committer } = world.committer(proxy.through(primary.address())));
    expect(await committer.commit({ writes: [remark('before')] })).toBe('committed');
    resume = await standby.pauseReceiving();
    const verdict = fates([committer.commit({ writes: [remark('lost')] })]);
    const waiting = await waitingCommit();
    proxy.goDown();
    await world.sql.query('select pg_terminate_backend($1, 10000)', [waiting]);
    expect(await world.remarks()).toContain('lost');
    proxy.comeBack();
    const lookup = waitingCommit(waiting).then(() => ['waits']);
    expect(await Promise.race([verdict, lookup])).toEqual(['waits']);
    return [verdict];
  }

  test('is acknowledged when the standby has it', async () => {
    const [verdict] = await loseReply();
    resume();
    expect(await verdict).toEqual(['committed']);
  });

  test.each(endings)('is unknown when the wait of the lookup is ended as well, by %s', async (how) => {
    const [verdict] = await loseReply();
    await endWait(how);
    expect(await verdict).toEqual(['Unavailable']);
    resume();
    expect(await committer.commit({ writes: [remark('after')] })).toBe('committed');
  });
});

describe('a statement beside the committer whose wait for the standby is ended', () => {
  const text = 'insert into remarks values ($1, $2)';
  const insert = (sql: Sql) => sql.query(text, [tenant, 'beside']);
  const open = () => openPool(primary.address(), { use: 'durable', connectionsMax: 1, onError: () => {} });
  type Pool = ReturnType<typeof open>;
  const ways: [string, (pool: Pool) => Promise<unknown>][] = [
    ['of a pool', (pool) => query(pool, text, [tenant, 'beside'])],
    ['of a transaction in a pool', (pool) => inTransaction(pool, async (sql) => kept(await insert(sql)))],
    ['of a transaction on a connection', async () => onConnection((sql) => transaction(sql, () => insert(sql)))],
  ];
  const kept = (result: unknown) => ({ isKept: true, result });
  async function onConnection(work: (sql: Sql) => Promise<unknown>): Promise<unknown> {
    const client = await connect(primary.address(), 'test');
    return work(client).finally(() => client.end());
  }

  const cases = endings.flatMap((how) => ways.map(([way, write]) => ({ how, way, write })));
  test.each(cases)('by $how fails: $way', async ({ how, write }) => {
    const pool = open();
    resume = await standby.pauseReceiving();
    const failed = expect(write(pool)).rejects.toThrow(Unavailable);
    await endWait(how);
    await failed;
    resume();
    await query(pool, text, [tenant, 'after']);
    await pool.end();
    expect(await world.remarks()).toEqual(['after', 'beside']);
  });
});

describe('a change is not acknowledged although the address has', () => {
  test.each([
    'options=-c%20client_min_messages%3Derror',
    'options=-c%20synchronous_commit%3Doff%20--client_min_messages=error',
    'statement_timeout=1&options=-cclient_min_messages%3Derror',
  ])('%s', async (search) => {
    const address = { connectionString: `${primary.url()}&${search}` };
    const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} });
    resume = await standby.pauseReceiving();
    const failed = expect(query(pool, 'insert into remarks values ($1, $2)', [tenant, 'own'])).rejects.toThrow(
      Unavailable,
    );
    await endWait('pg_cancel_backend');
    await failed;
    resume();
    await pool.end();
  });
});
