import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postOn } from '../../ledger/ledger.fixture.ts';
import type { Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../harness.ts';
import type { Finished } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: 60_000 });

const children = new Children();
const home = children.directory();
let server: TestServer;
let account: TestAccount;
let tenant: number;

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
     values ($1, 'py_1', 1, 100, 100, 'eur', 'pm_1', 'succeeded', 0)`,
    [tenant],
  );
  await postOn(server.sql, { tenant: tenant as never, id: 'txn_1', source: 'py_1', amount: 100 });
  await vi.waitFor(async () => expect((await server.sql.query('select from ledger_blocks')).rowCount).toBe(1), {
    timeout: 10_000,
  });
});
afterAll(async () => {
  await children.cleanUp();
  await server.stop();
});

function tollgate(...args: string[]): Promise<Finished> {
  const environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey };
  return children.run(args, { cwd: home, environment });
}

test('verify prints the heads of intact books while a server is running', async () => {
  const { rows } = await server.sql.query(`select encode(seal, 'hex') as seal from ledger_blocks`);
  const done = await tollgate('ledger', 'verify');
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(new RegExp(`${account.id} +test +1 +0 +1 +${rows[0].seal}\n\nAll checks passed\\.\n`));
  const json = JSON.parse((await tollgate('ledger', 'verify', '--account', account.id, '--json')).stdout);
  expect(json).toMatchObject({ ok: true, differences: [] });
  const { pathname, searchParams } = new URL(server.databaseUrl);
  const named = `the database ${pathname.slice(1)} on ${searchParams.get('host')}:${searchParams.get('port')}`;
  expect([json.database, done.stdout.split('\n')[0]]).toEqual([named, named.replace('the', 'The')]);
  expect(json.chains).toContainEqual({
    ...{ account: account.id, mode: 'test', tenant, blocks: 1, head: rows[0].seal, postings: 1, unsealed: 0 },
  });
});

test('verify refuses an account that does not exist', async () => {
  expect(await tollgate('ledger', 'verify', '--account', 'acct_x')).toMatchObject({
    code: 3,
    stderr: 'there is no account acct_x; "tollgate accounts list" shows them.\n',
  });
});

/** Payments that were taken without postings, as by a server from before the ledger. Nothing is sealed meanwhile. */
async function takeUnposted(client: Client, count: number): Promise<string[]> {
  await server.sql.query('begin; select from ledger_sealer for update');
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035, cvc: '123' };
  const method = (await client.post('/v1/payment_methods', { type: 'card', card })).json.id;
  const body = { amount: 1000, currency: 'eur', payment_method: method };
  const paid = await Promise.all(Array.from({ length: count }, () => client.post('/v1/payments', body)));
  expect(paid.map(({ json }) => json.status)).toEqual(paid.map(() => 'succeeded'));
  const ids = paid.map(({ json }) => json.id as string);
  await server.sql.query('delete from postings where source = any($1)', [ids]);
  await server.sql.query('commit');
  return ids;
}

test('repair lists the postings that are missing, posts them once, and leaves a broken ledger alone', async () => {
  const shop = await server.account();
  await server.operator.run('accounts.update', { id: shop.id, parameters: { fee_ppm: 29_000 } });
  const ids = await takeUnposted(shop.test, 2);
  const run = (...args: string[]) => tollgate('ledger', 'repair', '--account', shop.id, ...args);
  expect((await tollgate('ledger', 'verify', '--account', shop.id)).stdout).toContain('2 problems:');

  const dry = await run();
  expect([dry.code, dry.stderr]).toEqual([1, '']);
  for (const id of ids) expect(dry.stdout).toMatch(new RegExp(`${shop.id} +test +payment +${id} +1000 eur +\\d{4}-`));
  expect(dry.stdout).toContain('\n\n4 postings missing. Nothing was changed; --apply posts what is missing.\n');
  expect((await tollgate('ledger', 'verify', '--account', shop.id)).code).toBe(1);

  const applied = await run('--apply', '--json');
  expect(applied.code).toBe(0);
  const { postings, ...rest } = JSON.parse(applied.stdout);
  expect(rest).toEqual({ ok: true, applied: true, has_more: false, broken: [], left: [] });
  expect(postings).toHaveLength(4);
  expect(postings).toContainEqual(expect.objectContaining({ account: shop.id, mode: 'test', kind: 'fee', amount: 29 }));
  expect((await tollgate('ledger', 'verify', '--account', shop.id)).stdout).toContain('All checks passed.');
  expect(await run('--apply')).toMatchObject({ code: 0, stdout: 'No posting is missing.\n' });
  const { rows } = await server.sql.query(
    `select count(*)::int as count, min(actor) as actor from audit where action = 'posting.repaired' and account = $1`,
    [shop.id],
  );
  expect(rows).toEqual([{ count: 4, actor: expect.stringMatching(/^command line \(/) }]);

  // A posting that was sealed is in the balances: posted again it would count twice.
  const blocks = () =>
    server.sql.query('select from ledger_blocks b join tenants t using (tenant) where t.account = $1', [shop.id]);
  await vi.waitFor(async () => expect((await blocks()).rowCount).toBe(1), { timeout: 10_000 });
  await server.sql.query(`delete from postings where source = $1 and kind = 'payment'`, [ids[0]]);
  const refused = await run('--apply');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(
    /^- acct_\w+, test mode: left alone, because a check of the ledger itself fails: in block 1, a posting is missing/,
  );
  expect((await server.sql.query('select from postings where source = $1', [ids[0]])).rowCount).toBe(1);
});

test('verify names every violation, and fails', async () => {
  await server.sql.query(`update postings set amount = 99 where id = 'txn_1'`);
  const done = await tollgate('ledger', 'verify');
  expect(done.code).toBe(1);
  const altered = 'in block 1, the posting txn_1 was altered after it was sealed (rule: the chain holds)';
  expect(done.stdout).toContain(`- ${account.id}, test mode: ${altered}.\n`);
  expect(done.stdout).toContain('py_1 should be 100 eur for py_1 and is 99 eur for py_1');
  const json = JSON.parse((await tollgate('ledger', 'verify', '--json')).stdout);
  expect(json).toMatchObject({ ok: false });
  expect(json.differences[0]).toMatchObject({ account: account.id, mode: 'test', id: 'txn_1' });
});

test('a server does not start on a database that was restored elsewhere; migrate lets the ledger continue', async () => {
  await server.sql.query('update ledger_sealer set sealed_to = sealed_to + 1000000000');
  await expect(startServer({ databaseUrl: server.databaseUrl })).rejects.toThrow(
    'The database was restored on another server, and the ledger does not know yet where to go on. Run: tollgate migrate',
  );
  const migrated = await tollgate('migrate');
  expect(migrated).toMatchObject({
    code: 0,
    stdout: 'The database is up to date.\nThe database was restored on this server: its ledger goes on from here.\n',
  });
  const again = await startServer({ databaseUrl: server.databaseUrl });
  await again.stop();
  expect((await tollgate('migrate')).stdout).toBe('The database is up to date.\n');
});
