import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Answer, Client } from '../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { settlesWithin } from './keyed_queue.ts';
import { onePlace } from './places/places.ts';
import { type KeyedRead, type PageRead, type ReadOwner, Reads, sharedReads, type Tenant } from './reads.ts';
import { connect, type Pool } from './sql.ts';

let server: TestServer;
let accounts: [TestAccount, TestAccount, TestAccount];

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  accounts = [await server.account(), await server.account(), await server.account()];
});
afterAll(() => server.stop());

const hangMs = 20_000;

/** Lists of payments do not end until the returned function is called; everything else goes on. */
async function holdPayments(): Promise<() => Promise<unknown>> {
  const holder = await connect({ connectionString: server.databaseUrl }, 'test');
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table payments in access exclusive mode');
  return () => holder.query('rollback');
}

async function reading(): Promise<number> {
  const { rows } = await server.sql.query(
    `select count(*) from pg_stat_activity where datname = current_database()
        and application_name = 'tollgate reads' and wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

const listPayments = (client: Client) =>
  Promise.all(Array.from({ length: 8 }, () => client.get('/v1/payments?currency=eur')));

/** Answers, or the word that they did not come. */
async function unlessHung(requests: Promise<Answer>[]): Promise<(number | string)[]> {
  return Promise.all(
    requests.map(async (request) => ((await settlesWithin(request, hangMs)) ? (await request).status : 'hung')),
  );
}

test('slow reads of an account hold two of the four connections, and no read of another waits for them', async () => {
  const [slow, other] = accounts;
  const customer = (await other.test.post('/v1/customers', {})).json.id;
  const release = await holdPayments();
  const held = listPayments(slow.test);
  await expect.poll(reading).toBeGreaterThanOrEqual(2);
  const requests = ['/v1/customers', `/v1/customers/${customer}`, '/v1/events', '/v1/refunds', '/v1/balance'];
  expect(await unlessHung(requests.map((path) => other.test.get(path)))).toEqual(requests.map(() => 200));
  expect(await reading()).toBe(2);
  await release();
  await held; // those that waited for 20 s are refused
  expect((await listPayments(slow.test)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

test('slow reads of several accounts leave a connection for reads by id and for health checks', async () => {
  const [one, two, other] = accounts;
  const customer = (await other.test.post('/v1/customers', {})).json.id;
  const release = await holdPayments();
  const held = [listPayments(one.test), listPayments(two.test)];
  await expect.poll(reading).toBeGreaterThanOrEqual(3);
  const requests = [other.test.get(`/v1/customers/${customer}`), server.anonymous.get('/readyz')];
  expect(await unlessHung(requests)).toEqual([200, 200]);
  expect(await reading()).toBe(3);
  await release();
  await Promise.all(held);
  expect((await other.test.get('/v1/payments')).status).toBe(200);
});

test('visitors hold half of the connections at most, those of one network one, and nobody else waits for them', async () => {
  const held = Promise.withResolvers<void>();
  const running: string[] = [];
  const query = async ({ text }: { text: string }) => {
    running.push(text);
    await held.promise;
    return { rows: [] };
  };
  const reads = new Reads(onePlace({ reads: { query } as unknown as Pool, sharedReads: sharedReads(4) }));
  const read = (owner: ReadOwner, name: string) => reads.of(owner).directory.rows(name, []);
  const visit = (network: string) => read({ visitor: network }, network);
  const all = ['flood', 'flood', 'flood', 'other', 'third', 'fourth'].map(visit);
  expect(running).toEqual(['flood', 'other']);
  all.push(read({ person: 'usr_1' }, 'person'));
  expect(running).toEqual(['flood', 'other', 'person']);
  held.resolve();
  await Promise.all(all);
  expect(running).toHaveLength(all.length);
});

/** A pool that keeps what it was asked. */
function recordingPool(): { pool: Pool; statements: { values: unknown[] }[] } {
  const statements: { values: unknown[] }[] = [];
  const query = (statement: { text: string; values: unknown[] }) => {
    statements.push(statement);
    return server.sql.query(statement);
  };
  return { pool: { query } as unknown as Pool, statements };
}

test('pages of one list and account at the same moment share a statement, and each gets its own rows in its order', async () => {
  const { pool, statements } = recordingPool();
  const reads = new Reads(pool);
  const read: PageRead = {
    text: `select $1 as tenant, n from generate_series(1, 1000) n where n > x.v1 and (x.v2 or n % 2 = 0) order by n limit x.row_limit`,
    types: ['int4', 'bool'],
  };
  const [one, other] = [1, 2] as [Tenant, Tenant];
  const page = async (tenant: Tenant, limit: number, ...values: [after: number, odd: boolean]) => {
    const rows = await reads.page<{ tenant: number; n: number }>(read, tenant, { limit, values });
    return rows.map((row) => [row.tenant, row.n].join());
  };
  const found = [page(one, 3, 5, true), page(one, 2, 990, false), page(other, 2, 0, true), page(one, 4, 998, true)];
  expect(await Promise.all(found)).toEqual([
    ['1,6', '1,7', '1,8'],
    ['1,992', '1,994'],
    ['2,1', '2,2'],
    ['1,999', '1,1000'],
  ]);
  expect(statements.map(({ values }) => values[0])).toEqual([one, other]);
  // A statement has 200 rows at most.
  statements.length = 0;
  const long = await Promise.all([1, 2, 3, 4].map(() => page(one, 101, 0, true)));
  expect(long.map((rows) => rows.length)).toEqual([101, 101, 101, 101]);
  expect(statements).toHaveLength(4);
});

test('reads by the same keys at the same moment share a statement, and each gets its own row', async () => {
  const { pool, statements } = recordingPool();
  const joined: KeyedRead = {
    name: 'joined',
    keys: ['one', 'two'],
    text: `select x.tenant, x.one, x.two, x.tenant || x.one || x.two as all
             from unnest($1::int4[], $2::text[], $3::text[]) as x (tenant, one, two) where x.one <> ''`,
  };
  const [first, second] = [1, 2] as Tenant[];
  const reads = new Reads(pool);
  const wanted: [Tenant, string, string][] = [
    [first!, 'a', 'b'],
    [second!, 'a', 'b'],
    [first!, '', 'b'],
    [first!, 'b', 'a'],
    [first!, 'a', 'b'],
  ];
  const found = await Promise.all(wanted.map(([tenant, ...keys]) => reads.of(tenant).keyed(joined, tenant, ...keys)));
  expect(found.map((row) => row?.all)).toEqual(['1ab', '2ab', undefined, '1ba', '1ab']);
  expect(statements).toHaveLength(1);
});
