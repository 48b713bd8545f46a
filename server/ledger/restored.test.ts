import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LockPatience, LockWaitError } from '../base/lock_wait.ts';
import { type Connection, Unfit } from '../base/sql.ts';
import { startServer } from '../test/harness.ts';
import { balanceOf } from './balance.ts';
import { ledgerWorld, postOn, shop, type World } from './ledger.fixture.ts';
import { adoptRestored, isRestored, refuseRestored } from './restored.ts';

let world: World;
beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());

function adopt(client: Connection, patience?: LockPatience): Promise<boolean> {
  return adoptRestored(client, { watch: () => world.connection(), report: () => {}, ...(patience && { patience }) });
}

const today = '2027-01-10';
const far = 1_000_000_000;

/** As if everything had been written on a server whose transaction ids are far ahead of this one's. */
async function moveAhead(by: number): Promise<void> {
  await world.sql.query(`update postings set position = position + ${by}`);
  await world.sql.query(
    `update ledger_blocks set from_position = from_position + ${by}, to_position = to_position + ${by}`,
  );
  await world.sql.query(`update ledger_sealer set sealed_to = sealed_to + ${by}`);
}

async function positions(): Promise<{ id: string; position: number }[]> {
  return (await world.sql.query('select id, position from postings order by position')).rows;
}

describe('a database that was restored on another server', () => {
  test('is detected by positions that this server has not reached', async () => {
    expect(await isRestored(world.sql)).toBe(false);
    await world.post({ id: 'txn_sealed', amount: 10 });
    expect(await isRestored(world.sql)).toBe(false); // although the last transaction is a posting
    expect(await adopt(world.sql)).toBe(false);
    await world.sealAll();
    expect(await isRestored(world.sql)).toBe(false);
    await world.sql.query('update ledger_sealer set sealed_to = sealed_to + $1', [far]);
    expect(await isRestored(world.sql)).toBe(true);
    await expect(refuseRestored(world.sql)).rejects.toBeInstanceOf(Unfit);
    await world.sql.query('update ledger_sealer set sealed_to = sealed_to - $1', [far]);
    await refuseRestored(world.sql);
    await world.post({ id: 'txn_open', amount: 200 });
    await world.sql.query(`update postings set position = position + ${far} where id = 'txn_open'`);
    expect(await isRestored(world.sql)).toBe(true); // nothing is sealed, and still the postings are ahead
    await world.sql.query(`update postings set position = position - ${far} where id = 'txn_open'`);
    expect(await isRestored(world.sql)).toBe(false);
  });

  test('would lose new postings; once adopted, it continues above all existing ones', async () => {
    await moveAhead(far);
    const [, last] = await positions();
    const older = await world.connection();
    await older.query('begin');
    await older.query('select pg_current_xact_id()'); // it began before the adoption, and posts after it
    for (let n = 0; n < 3; n++) await world.sql.query('select pg_current_xact_id()'); // other transactions run meanwhile
    const adopting = await world.connection();
    expect(await adopt(adopting)).toBe(true);
    expect(await isRestored(world.sql)).toBe(false);
    expect(await adopt(adopting)).toBe(false);
    await postOn(older, { id: 'txn_older', amount: 3_000 });
    await older.query('commit');
    await world.post({ id: 'txn_new', amount: 40_000 });

    const after = await positions();
    expect(after.map(({ id }) => id)).toEqual(['txn_sealed', 'txn_open', 'txn_older', 'txn_new']);
    expect(after[2]!.position).toBeGreaterThan(last!.position);
    const expected = [{ currency: 'eur', available: '43210', pending: '0', disputed: '0' }];
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toEqual(expected);
    const { rows } = await world.sql.query('select sum(length(leaves) / 16)::int8 as sealed from ledger_blocks');
    expect(rows[0].sealed).toBe(4);
  });

  test('can be restored again, on a server that is further behind', async () => {
    await moveAhead(far);
    expect(await isRestored(world.sql)).toBe(true);
    expect(await adopt(world.sql)).toBe(true);
    await world.post({ id: 'txn_again', amount: 500_000 });
    expect((await positions()).at(-1)!.id).toBe('txn_again');
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toMatchObject([{ available: '543210' }]);
  });

  test('is not waited for without end: who holds its lock is named, and nobody waits behind the adoption', async () => {
    await moveAhead(far);
    const holder = await world.connection();
    await holder.query('begin; lock table postings in access share mode');
    const adopting = adopt(await world.connection(), { timeoutMs: 300, pauseMs: 10, triesMax: 2 });
    await expect(adopting).rejects.toThrow(
      /^the ledger of a restored database needs a lock that process \d+ \(tollgate test.*\) holds\. Nothing was changed/,
    );
    await expect(adopting).rejects.toBeInstanceOf(LockWaitError);
    expect((await world.sql.query('select count(*) > 0 as found from postings')).rows).toEqual([{ found: true }]);
    await holder.query('rollback');
    expect(await adopt(world.sql)).toBe(true);
  });

  test('is adopted once when several servers try at the same moment', async () => {
    await moveAhead(far);
    const servers = await Promise.all(Array.from({ length: 4 }, () => world.connection()));
    const outcomes = await Promise.all(servers.map((client) => adopt(client)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    await world.post({ id: 'txn_end', amount: 6_000_000 });
    await world.sealAll();
    expect(await balanceOf(world.reads, shop, today)).toMatchObject([{ available: '6543210' }]);
  });
});

test('a server whose database is restored elsewhere meanwhile posts nothing to it and is not ready, until it is adopted', async () => {
  const server = await startServer({ onePostgres: true });
  const { test: client } = await server.account();
  const create = async () => (await client.post('/v1/customers', { name: 'Ada' })).json.error?.code;
  const readiness = async () => (await server.anonymous.get('/readyz')).json;
  const cutOff = () =>
    server.sql.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'tollgate commit'`,
    );
  expect(await create()).toBeUndefined();
  await server.sql.query('update ledger_sealer set sealed_to = sealed_to + $1', [far]);
  await cutOff(); // it reconnects by itself, to another server
  await expect.poll(create).toBe('unavailable');
  await expect.poll(readiness).toEqual({ status: 'unavailable', reason: 'database was restored' });
  const { rows } = await server.sql.query('select count(*)::int as count from customers');
  expect(rows).toEqual([{ count: 1 }]);
  expect(await adopt(server.sql)).toBe(true);
  await expect.poll(create).toBeUndefined();
  await expect.poll(readiness).toEqual({ status: 'ready' });
  const loud = server.logged
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'error' || level === 'warn');
  expect(loud.map(({ msg }) => msg)).toEqual([
    'the database was restored on another server, so nothing can be changed; stop all servers, run tollgate migrate, and start them again',
  ]);
  await server.stop();
});
