import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { postOn } from '../../ledger/ledger.fixture.ts';
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
  server = await startServer();
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
  expect(done.stdout).toMatch(new RegExp(`${account.id} +test +1 +0 +1 +${rows[0].seal}\n\nEverything holds\\.\n`));
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
    code: 1,
    stderr: 'there is no account acct_x; "tollgate accounts list" shows them.\n',
  });
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
