import { createHash, createHmac } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { loadKeyring } from '../../base/root_key.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { Operator, openServices } from '../../commands/operator.ts';
import { readConfig } from '../../config.ts';
import type { AccountWithKeys } from '../../resources/people/accounts/schema.ts';
import { packageVersion } from '../../version.ts';
import type { Answer } from '../client.ts';
import { copyDirectory } from '../data_directories.ts';
import { onFreeMachine } from '../fastest.ts';
import { createDatabase, testMasterKey } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { type Environment, type Finished, patienceMs, testMs, until } from './child.ts';
import { Children, type DevServer, type NewAccount, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const home = children.directory();
const databases: { drop: () => Promise<void> }[] = [];

/** The server beside which most commands run. */
let server: Running;
let environment: Environment;
let query: Query;
let makeUnlimitedAccount: () => Promise<NewAccount>;

beforeAll(async () => {
  const database = await newDatabase();
  ({ environment, query } = database);
  server = await children.serve(environment);
  makeUnlimitedAccount = () => database.use((sql) => newAccountIn(sql, environment.DATABASE_URL!));
});

afterAll(async () => {
  await children.cleanUp();
  for (const database of databases) await database.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
type Query = (text: string, values?: unknown[]) => Promise<any[]>;
type TestDatabase = {
  environment: Environment;
  query: Query;
  use: <T>(work: (sql: Connection) => Promise<T>) => Promise<T>;
};

async function newDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  databases.push(database);
  // A connection for each use, because some tests run at the same time.
  const use = async <T>(work: (sql: Connection) => Promise<T>): Promise<T> => {
    const sql = await connect(database.address, 'test');
    return work(sql).finally(() => sql.end());
  };
  return {
    environment: children.serveEnvironment({ DATABASE_URL: database.url, TOLLGATE_DATA_DIR: join(home, 'data') }),
    query: (text, values) => use(async (sql) => (await sql.query(text, values)).rows),
    use,
  };
}

function tollgate(...args: string[]): Promise<Finished> {
  return children.run(args, { cwd: home, environment });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
function json(...args: string[]): Promise<any> {
  return children.json(args, { cwd: home, environment });
}

/** An account without a tight rate limit, made without a process, where its creation is not under test. */
async function newAccountIn(sql: Connection, databaseUrl: string): Promise<NewAccount> {
  const config = readConfig('command', { DATABASE_URL: databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey });
  const masters = { current: config.masterKey!, previous: undefined };
  const keyring = await loadKeyring(sql, masters);
  const { services, close } = await openServices({
    address: { connectionString: databaseUrl },
    config,
    keyring,
    masters,
  });
  const parameters = { name: 'Shop', tier: 'enterprise', rate_limit: 1_000_000 };
  const made = await new Operator(services, 'test').run<AccountWithKeys>('accounts.create', { parameters });
  await close();
  return { account: made.id, test_secret_key: made.test_secret_key, live_secret_key: made.live_secret_key };
}

async function auditOf(
  account: string,
): Promise<{ actor: string; action: string; subject: string; details: object }[]> {
  return query('select actor, action, subject, details from audit where account = $1 order by at, id', [account]);
}

async function auditedActions(account: string): Promise<string[]> {
  return (await auditOf(account)).map((entry) => entry.action);
}

type Change = { to: number; code?: string };

/**
 * Sends requests all the time, during a change and after it, until the answer changes. No request that begins more than a second after
 * `effective`, the moment of the change, may get the old answer.
 */
async function changesWithinASecond<T>(
  ask: () => Promise<Answer>,
  change: Change,
  act: () => Promise<T>,
  effective: (result: T) => number = () => Date.now(),
): Promise<T> {
  const doing = act().then((result) => ({ result, at: effective(result) }));
  let lastAsBefore = 0;
  const answer = await until(`the answer changes to ${change.to}`, patienceMs, async () => {
    const began = Date.now();
    const given = await ask();
    if (given.status === change.to) return given;
    lastAsBefore = began;
    return undefined;
  });
  const { result, at } = await doing;
  expect(onFreeMachine(1_000, lastAsBefore - at)).toBeLessThan(1_000);
  if (change.code !== undefined) expect(answer.json.error.code).toBe(change.code);
  return result;
}

/** The two keys of a new account are made at the same moment: their order in a list is random. */
async function firstTestKey(account: string): Promise<{ id: string }> {
  const keys: { id: string; mode: string }[] = await json('keys', 'list', '--account', account);
  return keys.find((key) => key.mode === 'test')!;
}

/** Moves the expiry of a key closer, so that the test need not wait; returns the moment. */
async function endSoon(column: 'expires_at' | 'revoked_at', id: string): Promise<number> {
  const change = `update api_keys set ${column} = now() + interval '1 second' where id = $1 returning ${column} as at`;
  return (await query(change, [id]))[0].at.getTime();
}

function wrong({ stdout }: Finished): string[] {
  return stdout.split('\n').filter((line) => line.startsWith('WRONG'));
}

const keyPattern = { test: /^sk_test_tg_[0-9A-Za-z]{38}$/, live: /^sk_live_tg_[0-9A-Za-z]{38}$/ };

function expectAccountShape({ code, stdout, stderr }: Finished): NewAccount {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  const { id, object, test_secret_key, live_secret_key } = JSON.parse(stdout) as AccountWithKeys;
  expect([id, object]).toEqual([expect.stringMatching(/^acct_\w+$/), 'account']);
  expect(test_secret_key).toMatch(keyPattern.test);
  expect(live_secret_key).toMatch(keyPattern.live);
  return { account: id, test_secret_key, live_secret_key };
}

describe('in development', () => {
  const cwd = children.directory();
  const dataDir = join(cwd, '.tollgate');
  const create = () => children.run(['accounts', 'create', '--name', 'Shop', '--json'], { cwd });
  const doctor = () => children.run(['doctor'], { cwd, environment: { PORT: '0' } });
  const made: NewAccount[] = [];
  let dev: DevServer;

  test('before the first start, commands say that there is no database, and create none', async () => {
    const healthy = await doctor();
    expect(healthy).toMatchObject({ code: 0, stderr: '' });
    expect(healthy.stdout).toContain(`no embedded database in ${dataDir}; a start creates it`);
    for (const args of [['ledger', 'verify'], ['migrate']]) {
      const refused = await children.run(args, { cwd });
      expect(refused, args.join(' ')).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toBe(
        `There is no database: DATABASE_URL is not set, and ${dataDir} holds no embedded database. ` +
          'Set DATABASE_URL, or set TOLLGATE_DATA_DIR to the data directory of the server. Only tollgate dev and serve create a database.\n',
      );
    }
    const preview = await children.run(['mails', 'preview', 'receipt'], { cwd });
    expect(preview).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Subject: Receipt – Your shop\n/),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  test('commands work beside a running server', async () => {
    copyDirectory(inject('dataDirs').migrated, dataDir);
    dev = await children.dev({ cwd });
    made.push(expectAccountShape(await create()));
    for (const { test_secret_key, live_secret_key } of made)
      for (const key of [test_secret_key, live_secret_key])
        expect((await dev.client(key).post('/v1/customers', { name: 'A' })).status).toBe(200);
    const healthy = await doctor();
    expect(healthy).toMatchObject({ code: 0, stderr: '' });
    expect(healthy.stdout).toContain('the vault key opens this database');
  });

  test('commands name the database that they use', async () => {
    const inCwd = { cwd, environment: { DATABASE_URL: '' } };
    const verified = await children.run(['ledger', 'verify'], inCwd);
    expect(verified).toMatchObject({ code: 0, stderr: `Using the embedded database in ${dataDir}.\n` });
    expect(verified.stdout).toContain(`The embedded database in ${dataDir}\n`);
    const { database } = await children.json(['ledger', 'verify'], inCwd);
    expect(database).toBe(`the embedded database in ${dataDir}`);
  });

  test('commands work after it has stopped', async () => {
    expect(await dev.child.stop('SIGINT')).toEqual({ code: 0, signal: null });
    made.push(expectAccountShape(await create()));
    const accounts: { id: string; name: string }[] = await children.json(['accounts', 'list'], { cwd });
    expect(accounts.filter(({ name }) => name === 'Shop').map(({ id }) => id)).toEqual(
      made.map(({ account }) => account),
    );
    expect(await doctor()).toMatchObject({ code: 0, stderr: '' });
  });

  test('doctor reports a vault key that other users can read', async () => {
    chmodSync(join(cwd, '.tollgate', 'vault.key'), 0o644);
    const found = await doctor();
    expect(found.code).toBe(1);
    expect(wrong(found)).toEqual([expect.stringMatching(/vault\.key can be read by others: chmod 600 it\.$/)]);
  });
});

test('--version prints the version', async () => {
  const { code, stdout, stderr } = await tollgate('--version');
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${packageVersion}\n`, stderr: '' });
});

describe('accounts create', () => {
  const create = (...options: string[]) => tollgate('accounts', 'create', '--name', 'Shop', ...options);

  test('writes an audit row for the account and for each key', async () => {
    const { account } = expectAccountShape(await create('--tier', 'enterprise', '--rate-limit', '250', '--json'));
    const audit = await auditOf(account);
    expect(audit.map((entry) => entry.action)).toEqual(['account.created', 'key.created', 'key.created']);
    expect(audit[0]).toMatchObject({
      subject: account,
      details: { name: 'Shop', tier: 'enterprise', rate_limit: 250 },
    });
    for (const entry of audit) expect(entry.actor).toMatch(/^command line \(.+\)$/);
    expect(JSON.stringify(audit)).not.toMatch(/[sr]k_(test|live)_tg_/);
  });

  test('prints the same in words', async () => {
    const { code, stdout } = await create();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Account {3}acct_\w+\nTest key {2}sk_test_tg_\w+\nLive key {2}sk_live_tg_\w+\n\n.*shown this once/,
    );
  });

  test.each([
    [[], '100'],
    [['--tier', 'premium'], '500'],
    [['--tier', 'enterprise', '--rate-limit', '7'], '7'],
  ])('%j is limited to %s requests a minute', async (options, limit) => {
    const { test_secret_key } = expectAccountShape(await create(...options, '--json'));
    const answer = await server.client(test_secret_key).get('/v1/customers');
    expect(answer).toMatchObject({ status: 200, headers: { 'x-ratelimit-limit': limit } });
  });
});

describe('accounts', () => {
  test.runIf(isTorture)('suspend and resume work within a second on a running server, and are audited', async () => {
    const { account, test_secret_key, live_secret_key } = await makeUnlimitedAccount();
    const [inTest, inLive] = [server.client(test_secret_key), server.client(live_secret_key)];
    const suspended = await changesWithinASecond(
      () => inTest.get('/v1/customers'),
      { to: 403, code: 'account_suspended' },
      () => tollgate('accounts', 'suspend', account),
    );
    expect(suspended).toMatchObject({ code: 0, stdout: `${account} is suspended.\n` });
    expect((await inLive.get('/v1/customers')).json.error.code).toBe('account_suspended');
    const again = await tollgate('accounts', 'suspend', account);
    expect(again).toMatchObject({ code: 0, stdout: `${account} was already suspended.\n` });
    expect(await json('accounts', 'suspend', account)).toMatchObject({
      id: account,
      object: 'account',
      status: 'suspended',
    });
    expect(await json('accounts', 'list')).toContainEqual({
      id: account,
      object: 'account',
      name: 'Shop',
      tier: 'enterprise',
      rate_limit: 1_000_000,
      status: 'suspended',
      ...{ fee_percent: '0', fee_fixed: {}, settlement_days: 2, test_settlement: 'delayed' },
      ...{ dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' },
      created: expect.any(Number),
    });

    const resumed = await changesWithinASecond(
      () => inTest.get('/v1/customers'),
      { to: 200 },
      () => tollgate('accounts', 'resume', account),
    );
    expect(resumed).toMatchObject({ code: 0, stdout: `${account} is active.\n` });
    expect((await auditedActions(account)).slice(3)).toEqual(['account.suspended', 'account.active']);
  });

  test('list prints a table', async () => {
    const { account } = await makeUnlimitedAccount();
    const { stdout } = await tollgate('accounts', 'list');
    expect(stdout).toMatch(/^account +name +tier +status +fee +settlement +dunning\n/);
    expect(stdout).toMatch(
      new RegExp(`^${account} +Shop +enterprise +active +0% +2 days +after 1, 3, 5, 7 days, then canceled$`, 'm'),
    );
  });
});

describe('keys', () => {
  test('create makes keys of every kind, list shows them without the keys, and each is audited', async () => {
    const { account } = await makeUnlimitedAccount();
    const create = (...options: string[]) => json('keys', 'create', '--account', account, ...options);
    const plain = await create();
    const live = await create('--live', '--name', 'till');
    const restricted = await create('--scopes', 'customers:read, events:write', '--expires', '30d');
    const [inTest, inLive, scoped] = [plain, live, restricted].map(({ key }) => server.client(key));
    expect(plain).toMatchObject({
      id: expect.stringMatching(/^key_/),
      mode: 'test',
      key: expect.stringMatching(keyPattern.test),
    });
    expect(live).toMatchObject({
      id: expect.stringMatching(/^key_/),
      mode: 'live',
      key: expect.stringMatching(keyPattern.live),
    });
    expect(restricted.key).toMatch(/^rk_test_tg_[0-9A-Za-z]{38}$/);

    const made = await inTest!.post('/v1/customers', { name: 'A' });
    expect(made.status).toBe(200);
    expect((await inLive!.get(`/v1/customers/${made.json.id}`)).status).toBe(404);
    expect((await scoped!.get(`/v1/customers/${made.json.id}`)).status).toBe(200);
    expect((await scoped!.get('/v1/events')).status).toBe(200);
    const refused = await scoped!.post('/v1/customers', { name: 'A' });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'scope_missing' } } });
    expect(refused.json.error.message).toContain('customers:write');

    const listed = await json('keys', 'list', '--account', account);
    expect(listed).toHaveLength(5);
    const first = { object: 'api_key', signature_required: false, status: 'active' };
    const unlimited = { ...first, kind: 'secret', created: expect.any(Number) };
    expect(listed.slice(2)).toEqual([
      expect.objectContaining({ ...unlimited, id: plain.id, mode: 'test', name: 'key' }),
      expect.objectContaining({ ...unlimited, id: live.id, mode: 'live', name: 'till', hint: live.key.slice(-4) }),
      expect.objectContaining({ ...first, id: restricted.id, kind: 'restricted' }),
    ]);
    expect(listed[4].scopes).toEqual(['customers:read', 'events:write']);
    for (const member of ['scopes', 'allowed_ips', 'expires_at', 'revoked_at', 'rolled_to'])
      for (const key of listed.slice(2, 4)) expect(key).not.toHaveProperty(member);
    const days = (listed[4].expires_at * 1_000 - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    expect(JSON.stringify(listed)).not.toMatch(/[sr]k_(test|live)_tg_/);
    const table = await tollgate('keys', 'list', '--account', account);
    expect(table.stdout).toMatch(/^id +mode +name +ends in +scopes +allowed from +last used +state\n/);
    expect(table.stdout).not.toMatch(/[sr]k_(test|live)_tg_/);
    expect((await auditOf(account)).slice(3)).toMatchObject([
      { action: 'key.created', subject: plain.id, details: { mode: 'test', name: 'key', scopes: null } },
      { action: 'key.created', subject: live.id, details: { mode: 'live', name: 'till', scopes: null } },
      { action: 'key.created', subject: restricted.id, details: { scopes: ['customers:read', 'events:write'] } },
    ]);
  });

  test.concurrent('create --allowed-ips limits a key to its addresses', async () => {
    const { account } = await makeUnlimitedAccount();
    const create = (ips: string) => json('keys', 'create', '--account', account, '--allowed-ips', ips);
    const elsewhere = await create('203.0.113.0/24,2001:db8::/32');
    const here = await create('203.0.113.7 127.0.0.0/8 ::1');
    const refused = await server.client(elsewhere.key).get('/v1/customers');
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'ip_not_allowed' } } });
    expect((await server.client(here.key).get('/v1/customers')).status).toBe(200);
    const { stdout } = await tollgate('keys', 'list', '--account', account);
    const shownFrom = (id: string) => new RegExp(`^${id} +test +key +\\w{4} +all +(\\S+) `, 'm').exec(stdout)?.[1];
    expect([elsewhere.id, here.id].map(shownFrom)).toEqual([
      '2001:db8::/32,203.0.113.0/24',
      '127.0.0.0/8,203.0.113.7,::1',
    ]);
    expect(stdout.match(/ anywhere /g)).toHaveLength(2); // the keys that came with the account
  });

  test.concurrent('create --require-signature makes a key that accepts only signed requests', async () => {
    const { account } = await makeUnlimitedAccount();
    const { key } = await json('keys', 'create', '--account', account, '--require-signature');
    const client = server.client(key);
    const body = JSON.stringify({ name: 'Signed' });
    const unsigned = await client.post('/v1/customers', body, { 'Content-Type': 'application/json' });
    expect(unsigned).toMatchObject({ status: 401, json: { error: { code: 'signature_missing' } } });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const digest = createHash('sha256').update(body).digest('hex');
    const signed = [timestamp, 'POST', '/v1/customers', '', digest].join('\n');
    const accepted = await client.post('/v1/customers', body, {
      'Content-Type': 'application/json',
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': `sha256=${createHmac('sha256', key).update(signed).digest('hex')}`,
    });
    expect(accepted.status).toBe(200);
  });

  test.concurrent('create --expires makes a key that stops working at that time', async () => {
    const { account } = await makeUnlimitedAccount();
    const expires = '2099-12-31T23:59:59Z';
    const { id, key } = await json('keys', 'create', '--account', account, '--expires', expires);
    expect(await json('keys', 'list', '--account', account)).toContainEqual(
      expect.objectContaining({ id, expires_at: Date.parse(expires) / 1_000, status: 'active' }),
    );
    const client = server.client(key);
    await changesWithinASecond(
      () => client.get('/v1/customers'),
      { to: 401, code: 'api_key_expired' },
      () => endSoon('expires_at', id),
      (end) => end,
    );
    expect(await json('keys', 'list', '--account', account)).toContainEqual(
      expect.objectContaining({ id, status: 'expired' }),
    );
  });

  test.concurrent('roll does not give out a key that has already expired', async () => {
    const { account } = await makeUnlimitedAccount();
    const { id } = await firstTestKey(account);
    await query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [id]);
    const rolled = await tollgate('keys', 'roll', id, '--account', account, '--json');
    if (rolled.code === 0)
      expect((await server.client(JSON.parse(rolled.stdout).key).get('/v1/customers')).status).toBe(200);
    else expect(rolled).toMatchObject({ code: 3, stderr: expect.stringContaining('expired') });
  });

  test.concurrent('roll makes a key with the same rights; the old one works for the overlap and no longer', async () => {
    const { account } = await makeUnlimitedAccount();
    const old = await json('keys', 'create', '--account', account, '--name', 'till', '--scopes', 'customers:read');
    const before = server.client(old.key);
    const made = await json('keys', 'roll', old.id, '--account', account, '--overlap', '2h');
    expect(made).toMatchObject({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^rk_test_tg_/) });
    const after = server.client(made.key);
    expect((await before.get('/v1/customers')).status).toBe(200);
    expect((await after.get('/v1/customers')).status).toBe(200);
    expect((await after.post('/v1/customers', {})).json.error.code).toBe('scope_missing');
    const listed = await json('keys', 'list', '--account', account);
    expect(listed[2]).toMatchObject({ id: old.id, rolled_to: made.id, status: 'active' });
    expect(listed[3]).toMatchObject({ id: made.id, name: 'till', scopes: ['customers:read'], status: 'active' });
    const { stdout } = await tollgate('keys', 'list', '--account', account);
    expect(stdout).toContain(`works until ${new Date(listed[2].revoked_at * 1_000).toISOString()}\n`);

    const hours = (listed[2].revoked_at * 1_000 - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2);
    await changesWithinASecond(
      () => before.get('/v1/customers'),
      { to: 401, code: 'api_key_revoked' },
      () => endSoon('revoked_at', old.id),
      (end) => end,
    );
    expect((await after.get('/v1/customers')).status).toBe(200);
    const [rolled] = (await auditOf(account)).slice(-1);
    expect(rolled).toMatchObject({
      action: 'key.rolled',
      subject: old.id,
      details: { to: made.id, overlap_seconds: 7_200 },
    });
  });

  test.concurrent('a key of another account cannot be rolled or revoked', async () => {
    const [mine, theirs] = [await makeUnlimitedAccount(), await makeUnlimitedAccount()];
    const { id } = await firstTestKey(theirs.account);
    for (const verb of ['roll', 'revoke']) {
      const refused = await tollgate('keys', verb, id, '--account', mine.account);
      expect(refused).toMatchObject({ code: 3, stdout: '' });
      expect(refused.stderr).toContain(`account ${mine.account} has no key ${id}`);
    }
    expect((await server.client(theirs.test_secret_key).get('/v1/customers')).status).toBe(200);
  });

  test.concurrent('revoke shows no key, and revokes once however often it is asked to', async () => {
    const { account, test_secret_key } = await makeUnlimitedAccount();
    const { id } = await firstTestKey(account);
    const client = server.client(test_secret_key);
    const first = await tollgate('keys', 'revoke', id, '--account', account);
    const revoked = `${id} is revoked: every instance refuses it within a second.\n`;
    expect(first).toMatchObject({ code: 0, stdout: revoked, stderr: '' });
    await until('the key is refused', patienceMs, async () => (await client.get('/v1/customers')).status === 401);
    const again = await tollgate('keys', 'revoke', id, '--account', account);
    expect(again).toMatchObject({ code: 0, stdout: `${id} was already revoked.\n`, stderr: '' });
    const shown = await json('keys', 'revoke', id, '--account', account);
    expect(shown).toMatchObject({ id, object: 'api_key', status: 'revoked' });
    expect(JSON.stringify(shown)).not.toMatch(/[sr]k_(test|live)_tg_/);
    expect((await auditedActions(account)).slice(3)).toEqual(['key.revoked']);
  });

  test.runIf(isTorture)('roll --overlap 0s and revoke end a key within a second on a running server', async () => {
    const { account, test_secret_key } = await makeUnlimitedAccount();
    const first = server.client(test_secret_key);
    const { id } = await firstTestKey(account);
    const revoked = { to: 401, code: 'api_key_revoked' };
    const made = await changesWithinASecond(
      () => first.get('/v1/customers'),
      revoked,
      () => json('keys', 'roll', id, '--account', account, '--overlap', '0s'),
    );

    const second = server.client(made.key);
    expect((await second.get('/v1/customers')).status).toBe(200);
    const said = await changesWithinASecond(
      () => second.get('/v1/customers'),
      revoked,
      () => json('keys', 'revoke', made.id, '--account', account),
    );
    expect(said).toMatchObject({ id: made.id, object: 'api_key', status: 'revoked' });
    expect((await auditedActions(account)).slice(3)).toEqual(['key.created', 'key.rolled', 'key.revoked']);
    const listed: { id: string; status: string }[] = await json('keys', 'list', '--account', account);
    const statusOf = (wanted: string) => listed.find((key) => key.id === wanted)?.status;
    expect([listed.length, statusOf(id), statusOf(made.id)]).toEqual([3, 'revoked', 'revoked']);
  });
});

describe('a command that fails prints one clear sentence and says how in its exit status', () => {
  const on = ['--account', 'acct_nope'];
  const wrong: [args: string[], sentence: RegExp][] = [
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['accounts', 'create'], /--name/],
    [['accounts', 'create', '--name', 'x'.repeat(201)], /--name takes 1 to 200 characters/],
    [['accounts', 'create', '--name', 'A', '--tier', 'gold'], /standard, premium, enterprise/],
    [['accounts', 'create', '--name', 'A', '--tier', 'enterprise', '--rate-limit', '1e12'], /whole number above zero/],
    [['accounts', 'create', '--name', 'A', '--tier', 'enterprise'], /--tier enterprise needs --rate-limit/],
    [['accounts', 'create', '--name', 'A', '--tier', 'enterprise', '--rate-limit', '0'], /whole number above zero/],
    [['keys', 'create'], /--account/],
    [['keys', 'create', ...on, '--expires', 'tomorrow'], /--expires takes a time such as/],
    [['keys', 'create', ...on, '--expires', '2099'], /--expires takes a time such as/],
    [['keys', 'create', ...on, '--expires', '2001-01-01T00:00:00Z'], /--expires lies in the past/],
    [['keys', 'roll', 'key_nope', ...on, '--overlap', 'soon'], /--overlap takes a number and a unit/],
    [['doctor', '--for', 'lunch'], /dev, serve/],
  ];
  const refusedByOperation: typeof wrong = [
    [['accounts', 'suspend', 'acct_nope'], /there is no account acct_nope/],
    [['accounts', 'resume', 'acct_nope'], /there is no account acct_nope/],
    [['keys', 'create', ...on], /there is no account acct_nope/],
    [['keys', 'create', ...on, '--scopes', 'customers:fly'], /no scope "customers:fly"; the scopes are/],
    [['keys', 'create', ...on, '--allowed-ips', '::ffff:10.0.0.1'], /as an IPv4 address/],
    [['keys', 'create', ...on, '--allowed-ips', '10.0.0.0/40'], /"10\.0\.0\.0\/40" is not an address/],
    [['keys', 'list', ...on], /there is no account acct_nope/],
    [['keys', 'roll', 'key_nope', ...on], /acct_nope/],
    [['keys', 'revoke', 'key_nope', ...on], /acct_nope/],
    [['accounts', 'create', '--name', 'A', '--tier', 'premium', '--rate-limit', '5'], /--rate-limit belongs to/],
  ];
  const cases = [
    ...wrong.map(([args, sentence]) => ({ args, code: 2, sentence })),
    ...refusedByOperation.map(([args, sentence]) => ({ args, code: 3, sentence })),
  ];
  test.concurrent.each(cases)('$args exits with $code', async ({ args, code, sentence }) => {
    const refused = await tollgate(...args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toMatch(sentence);
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  });

  describe('and does not repeat a secret key', () => {
    const secret = `sk_live_tg_${'a'.repeat(38)}`;
    test.concurrent.each([
      { args: ['accounts', 'show', secret], code: 3, sentence: /no account/ },
      { args: ['accounts', 'set', secret, '--tier', secret], code: 2, sentence: /--tier/ },
      { args: ['accounts', secret], code: 2, sentence: /unknown command/ },
      { args: [secret], code: 2, sentence: /unknown command/ },
      { args: ['accounts', 'list', `--${secret}`], code: 2, sentence: /unknown option/ },
      { args: ['doctor', '--for', secret], code: 2, sentence: /dev, serve/ },
      { args: ['keys', 'revoke', secret, ...on], code: 2, sentence: /not the id of a key/ },
      { args: ['keys', 'roll', secret, ...on], code: 2, sentence: /not the id of a key/ },
      { args: ['keys', 'revoke', 'acct_nope', '--account', secret], code: 2, sentence: /not the id of a key/ },
      { args: ['keys', 'roll', 'key_nope', '--account', secret], code: 3, sentence: /no account/ },
      { args: ['keys', 'create', ...on, '--scopes', secret], code: 3, sentence: /no scope/ },
      { args: ['keys', 'create', ...on, '--allowed-ips', secret], code: 3, sentence: /not an address/ },
      { args: ['users', 'remove', secret, ...on], code: 3, sentence: /no account/ },
      { args: ['users', 'verify', secret], code: 3, sentence: /no user/ },
      { args: ['payments', 'settle', secret, '--as', 'failed'], code: 3, sentence: /no payment/ },
      { args: ['notices', 'retry', secret], code: 3, sentence: /no notice/ },
      { args: ['processors', 'verify', secret], code: 3, sentence: /no such processor account/ },
      { args: ['events', 'resend', secret, ...on], code: 3, sentence: /no account/ },
      { args: ['reconcile', '--connector', secret, '--date', '2024-01-31'], code: 2, sentence: /no connector/ },
      { args: ['reconcile', '--processor-account', secret, '--date', secret], code: 2, sentence: /--date/ },
      { args: ['customers', secret], code: 2, sentence: /unknown command/ },
    ])('$args', async ({ args, code, sentence }) => {
      const refused = await tollgate(...args);
      expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) });
      expect(refused.stderr).not.toContain(secret.slice(11));
    });
  });

  test('a database that cannot be reached', async () => {
    const unreachable = { ...environment, DATABASE_URL: 'postgres://tollgate:secret-password@localhost:1/tollgate' };
    const refused = await children.run(['accounts', 'list'], { cwd: home, environment: unreachable });
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).not.toContain('secret-password');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('an operator’s database without its vault key: no command creates a key for it', async () => {
    const fresh = await newDatabase();
    const { TOLLGATE_VAULT_KEY: _, ...keyless } = fresh.environment;
    const cwd = children.directory();
    const args = ['accounts', 'create', '--name', 'Shop', '--json'];
    const refused = await children.run(args, {
      cwd,
      environment: { ...keyless, TOLLGATE_DATA_DIR: join(cwd, 'data') },
    });
    expect(existsSync(join(cwd, 'data', 'vault.key'))).toBe(false);
    expect(await fresh.query('select 1 from root_keys')).toEqual([]);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('TOLLGATE_VAULT_KEY') });
  });
});

describe('doctor', () => {
  function doctor(own: Environment, options: string[] = ['--for', 'serve']): Promise<Finished> {
    return children.run(['doctor', ...options], {
      cwd: home,
      environment: { PUBLIC_URL: 'https://localhost', ...own },
    });
  }

  test('finds nothing wrong beside a running server', async () => {
    const healthy = await doctor({ ...environment, PORT: new URL(server.baseUrl).port });
    expect(wrong(healthy)).toEqual([]);
    expect(healthy).toMatchObject({ code: 0, stderr: '' });
    for (const text of [
      'settings for tollgate serve',
      'PostgreSQL 18',
      'the schema is up to date',
      'the vault key opens',
    ])
      expect(healthy.stdout).toContain(text);
    expect(healthy.stdout).toContain('is in use by Tollgate, which is running');
  });

  test('names every missing setting', async () => {
    const found = await doctor({});
    expect(found.code).toBe(1);
    expect(wrong(found)).toHaveLength(3);
    for (const name of ['DATABASE_URL', 'TLS_CERT_FILE', 'TOLLGATE_VAULT_KEY'])
      expect(found.stdout).toContain(`WRONG  ${name}`);
  });

  test('names a database that cannot be reached, without its password', async () => {
    const found = await doctor({
      ...environment,
      DATABASE_URL: 'postgres://tollgate:secret-password@127.0.0.1:1/tollgate',
    });
    expect(found.code).toBe(1);
    expect(wrong(found)).toEqual([expect.stringMatching(/database: .*ECONNREFUSED.*DATABASE_URL/)]);
    expect(found.stdout + found.stderr).not.toContain('secret-password');
  });

  test('names missing migrations, and a wrong vault key', async () => {
    const fresh = await newDatabase();
    await fresh.query('drop schema public cascade');
    await fresh.query('create schema public');
    const unmigrated = await doctor(fresh.environment);
    expect(unmigrated.code).toBe(1);
    expect(wrong(unmigrated)).toEqual([
      expect.stringMatching(/migrations are missing: 0001_accounts\.sql.*Run: tollgate migrate$/),
    ]);

    const otherKey = await doctor({ ...environment, TOLLGATE_VAULT_KEY: 'cd'.repeat(32) });
    expect(otherKey.code).toBe(1);
    expect(wrong(otherKey)).toEqual([expect.stringMatching(/not the key this database was set up with/)]);
  });

  test('names a data directory that cannot be used', async () => {
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    const found = await doctor({ DATABASE_URL: '', TOLLGATE_DATA_DIR: join(file, 'data') }, []);
    expect(found.code).toBe(1);
    expect(wrong(found)).toEqual([expect.stringMatching(/cannot be used \(E\w+\).*TOLLGATE_DATA_DIR/)]);
  });

  test('changes nothing: it creates no directory, and seals no database with an unused key', async () => {
    const fresh = await newDatabase();
    const missing = join(children.directory(), 'data');
    await doctor({ ...fresh.environment, TOLLGATE_DATA_DIR: missing });
    expect(await fresh.query('select 1 from root_keys')).toEqual([]);
    expect(existsSync(missing)).toBe(false);
  });
});
