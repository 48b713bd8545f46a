import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { systemClock } from '../../base/clock.ts';
import { tester } from '../../base/embedded_postgres/superuser.fixture.ts';
import { firstIdAt } from '../../base/id.ts';
import { oneConnection } from '../../base/places/connections.ts';
import { connect, type DatabaseAddress } from '../../base/sql.ts';
import { readConfig } from '../../config.ts';
import { dock, dockAnswers } from '../../connectors/dock.fixture.ts';
import { registrations } from '../../connectors/index.ts';
import type { ConnectorRegistration } from '../../connectors/registration.ts';
import { createDatabase, startServer, type TestServer, testMasterKey } from '../../test/harness.ts';
import type { Finding } from './finding.ts';
import { checkFonts } from './fonts.ts';
import { findingsFor } from './index.ts';
import { checkSearch } from './search.ts';

// Commands know the processors of this list alone.
const known = registrations as ConnectorRegistration[];

type Environment = Record<string, string>;

const dir = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'));
let server: TestServer;
let healthy: Environment;
let stranger: Server;
const usedPort = () => String((stranger.address() as AddressInfo).port);

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  for (const name of ['server.pem', 'server-key.pem'])
    copyFileSync(join(inject('certificateDir'), name), join(dir, name));
  chmodSync(join(dir, 'server-key.pem'), 0o640);
  healthy = {
    DATABASE_URL: server.databaseUrl,
    TLS_CERT_FILE: join(dir, 'server.pem'),
    TLS_KEY_FILE: join(dir, 'server-key.pem'),
    TOLLGATE_VAULT_KEY: testMasterKey,
    PUBLIC_URL: 'https://localhost',
    HOST: '127.0.0.1',
    PORT: '0',
  };
  stranger = createServer((_, response) => response.end('another program'));
  await new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  stranger.close();
  await server.stop();
  rmSync(dir, { recursive: true });
});

async function doctor(own: Environment = {}, without: string[] = []): Promise<{ wrong: string[]; fine: string[] }> {
  const all = Object.entries({ ...healthy, ...own }).filter(([name]) => !without.includes(name));
  const found = await findingsFor(readConfig('serve', Object.fromEntries(all)), systemClock.now());
  const messages = (state: Finding['state']) =>
    found.filter((one) => one.state === state).map(({ message }) => message);
  return { wrong: messages('wrong'), fine: messages('ok') };
}

test('finds nothing wrong beside a running server', async () => {
  const { wrong, fine } = await doctor({ PORT: new URL(server.baseUrl).port });
  expect(wrong).toEqual([]);
  expect(fine).toEqual([
    expect.stringMatching(/^the certificate matches its key, and is valid until \d{4}-\d\d-\d\d/),
    'browsers reach this gateway at https://localhost',
    expect.stringMatching(/^PostgreSQL 18\S* answers: the database test_\w+ on /),
    'the role may write, and owns the tables',
    'the schema is up to date',
    'the vault key opens this database',
    expect.stringMatching(/^the search index (has every change|is \d+ s behind)$/),
    'no processor account takes live payments; they are refused until there is one: tollgate processors add',
    expect.stringMatching(/^port \d+ is in use by Tollgate, which is running$/),
    'invoices and receipts print names in all scripts that have a font',
    'no mails are sent: SMTP_URL is not set',
  ]);
});

test('says which scripts documents cannot print, and what to install', () => {
  expect(checkFonts(['hebrew', 'jp'])).toEqual({
    name: 'fonts',
    state: 'ok',
    message:
      'invoices and receipts print boxes in place of Hebrew and Japanese: to print them, install @fontsource-variable/noto-sans-hebrew @fontsource-variable/noto-sans-jp beside Tollgate',
  });
});

test('a data directory that is not needed may be unusable', async () => {
  writeFileSync(join(dir, 'a-file'), '');
  const unusable = { TOLLGATE_DATA_DIR: join(dir, 'a-file', 'data') };
  expect((await doctor(unusable)).wrong).toEqual([]);
  const embedded = await doctor({ ...unusable, TOLLGATE_EMBEDDED_POSTGRES: 'yes' }, ['DATABASE_URL']);
  expect(embedded.wrong).toEqual([expect.stringMatching(/cannot be used \(E\w+\): .*TOLLGATE_DATA_DIR\.$/)]);
});

describe('of the settings, it reports', () => {
  test('an expired certificate, and one for another name', async () => {
    const folder = join(dir, 'expired');
    const { certFile, keyFile } = await ensureLocalCertificate(folder, new Date('2020-01-01'));
    const old = await doctor({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
    expect(old.wrong).toEqual([
      expect.stringMatching(/^the certificate in TLS_CERT_FILE expired on 202\d-.*: renew it/),
    ]);
    const other = await doctor({ PUBLIC_URL: 'https://pay.example.com' });
    expect(other.wrong).toEqual([expect.stringMatching(/is not for pay\.example\.com, the name in PUBLIC_URL: /)]);
    const pair = await doctor({ TLS_CERT_FILE: certFile });
    expect(pair.wrong).toEqual([
      expect.stringMatching(/^TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE: /),
    ]);
  });

  test('keys that every user can read', async () => {
    mkdirSync(join(dir, 'open'));
    const [tls, vault] = ['tls.pem', 'vault.key'].map((name) => join(dir, 'open', name)) as [string, string];
    copyFileSync(healthy.TLS_KEY_FILE!, tls);
    writeFileSync(vault, testMasterKey);
    for (const file of [tls, vault]) chmodSync(file, 0o644);
    const { wrong } = await doctor({ TLS_KEY_FILE: tls, TOLLGATE_VAULT_KEY_FILE: vault }, ['TOLLGATE_VAULT_KEY']);
    expect(wrong).toEqual([tls, vault].map((file) => `${file} holds a key, and every user can read it: chmod 600 it.`));
  });

  test.each([
    ['0.0.0.0/0', ['0.0.0.0/0']],
    ['10.0.0.0/8,::/0,fd00::/8,128.0.0.0/1', ['::/0', '128.0.0.0/1']],
    ['10.0.0.0/8 fc00::/7 127.0.0.1', []],
  ])('of TRUSTED_PROXIES=%s the ranges %j', async (ranges, wide) => {
    const { wrong } = await doctor({ TLS: 'proxy', TRUSTED_PROXIES: ranges });
    expect(wrong.map((text) => /^TRUSTED_PROXIES has (\S+): every client in it can pretend/.exec(text)?.[1])).toEqual(
      wide,
    );
  });

  test('a missing PUBLIC_URL', async () => {
    const { wrong } = await doctor({ PORT: '0' }, ['PUBLIC_URL']);
    expect(wrong).toEqual([expect.stringMatching(/^PUBLIC_URL is missing: .* Set it to the address/)]);
  });

  test('ports that another program uses', async () => {
    expect((await doctor({ PORT: usedPort() })).wrong).toEqual([
      `port ${usedPort()} is in use by another program: stop that program, or set PORT to another number.`,
    ]);
    expect((await doctor({ METRICS_PORT: usedPort() })).wrong).toEqual([
      `port ${usedPort()} for metrics is in use by another program: stop that program, or set METRICS_PORT to another number.`,
    ]);
    expect((await doctor({ PORT: '1', HOST: '192.0.2.1' })).wrong).toEqual([
      expect.stringMatching(
        /^port 1 cannot be opened at 192\.0\.2\.1 \(\w+\): set HOST to an address of this machine\.$/,
      ),
    ]);
  });
});

test('asks the processors of live accounts, and those that are enabled alone', async () => {
  known.push(dock);
  const other = await startServer({ onePostgres: true });
  onTestFinished(async () => {
    known.pop();
    await other.stop();
  });
  const { id: account } = await other.account();
  const make = async (mode: 'test' | 'live', api_key: string, more: object = {}) => {
    const parameters = { connector: 'dock', name: 'Dock', credentials: { api_key: `${mode}_${api_key}` }, ...more };
    const { id } = await other.operator.run<{ id: string }>('processor_accounts.create', { account, mode, parameters });
    return id;
  };
  const signed = (api_key: string) => ({ credentials: { api_key: `live_${api_key}`, webhook_secret: 'x' } });
  dockAnswers.set('live_down', () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })));
  const [good, down, unsigned] = [
    await make('live', '', signed('good')),
    await make('live', '', signed('down')),
    await make('live', 'unsigned'),
  ];
  await make('live', '', { ...signed('down'), enabled: false });
  await make('test', 'down');
  const { wrong, fine } = await doctor({ DATABASE_URL: other.databaseUrl });
  const about = (id: string) => `the processor account ${id} (dock, Dock)`;
  expect(fine.filter((text) => text.includes('processor'))).toEqual([
    `${about(good)} works: It works.`,
    `${about(unsigned)} works: It works.`,
  ]);
  expect(wrong).toEqual([
    `${about(down)} does not work: dock did not answer: ECONNREFUSED. Correct it: tollgate processors set ${down}`,
    expect.stringMatching(`has no webhook_secret, so its notices are refused: .* set ${unsigned} --credential`),
  ]);
  await other.sql.query('delete from vault_secrets where id like $1', [`${good}/%`]);
  expect((await doctor({ DATABASE_URL: other.databaseUrl })).wrong[0]).toMatch(
    `${about(good)} cannot be opened: assertion failed: the credentials of ${good} are missing`,
  );
});

describe('of the search index, it says', () => {
  /** In a transaction that no server sees. */
  async function foundAfter(address: DatabaseAddress, statements: string): Promise<Pick<Finding, 'state' | 'message'>> {
    await using opened = new AsyncDisposableStack();
    const client = await connect(address, 'test');
    opened.defer(() => client.end());
    await client.query(`begin; delete from search_walks; ${statements}`);
    // A later transaction has ended, as on every server that works: until then its own rows are from the future to the snapshot.
    await server.sql.query('select pg_current_xact_id()');
    const { name, ...found } = await checkSearch(oneConnection(client));
    expect(name).toBe('search_index');
    return found;
  }
  const walk = `insert into search_walks (tenant, kind, after) values (1, 'cus', '')`;
  const place = 'delete from search_position; insert into search_position (xact, id, since) values';
  const current = `${place} (pg_snapshot_xmax(pg_current_snapshot())::text::int8 - 1, 'z', 0)`;
  const rebuilt = 'it is being rebuilt (kinds of objects left: 1), and searches find what is there';

  test('how far it is behind, what is left of a rebuild, and what to do', async () => {
    const { test: client } = await server.account();
    const { json: customer } = await client.post('/v1/customers', { name: 'Ada' });
    const address = { connectionString: server.databaseUrl };
    const behind = (seconds: number) => `${place} (0, '', 0); delete from events where object_id <> '${customer.id}';
      update events set id = '${firstIdAt('evt', Date.now() - seconds * 1_000)}'`;
    expect(await foundAfter(address, current)).toEqual({ state: 'ok', message: 'the search index has every change' });
    expect(await foundAfter(address, `${current}; ${walk}`)).toEqual({
      state: 'ok',
      message: `the search index has every change; ${rebuilt}`,
    });
    expect(await foundAfter(address, behind(20))).toEqual({
      state: 'ok',
      message: expect.stringMatching(/^the search index is (19|20|21) s behind$/),
    });
    expect(await foundAfter(address, behind(400))).toEqual({
      state: 'wrong',
      message: expect.stringMatching(/^the search index is (399|400|401) s behind: .*pg_stat_activity; or the log/),
    });
  });

  test('that a server will go on, where none runs', async () => {
    const { address, drop } = await createDatabase();
    onTestFinished(drop);
    expect(await foundAfter(address, current)).toEqual({ state: 'ok', message: 'the search index has every change' });
    expect(await foundAfter(address, `${current}; ${walk}`)).toEqual({
      state: 'ok',
      message: `the search index has every change; ${rebuilt}; a running server goes on with it`,
    });
  });
});

describe('of the database, it reports', () => {
  const at = (change: (url: URL) => void): Environment => {
    const url = new URL(server.databaseUrl);
    change(url);
    return { DATABASE_URL: url.href };
  };

  test('a role that may only read', async () => {
    const role = `reader_${server.databaseUrl.match(/test_(\w+)/)![1]}`;
    const admin = await connect({ ...inject('postgres'), ...tester }, 'test');
    await admin.query(`create role ${role} login password 'reading'; grant pg_read_all_data to ${role}`);
    const { wrong } = await doctor(at((url) => Object.assign(url, { username: role, password: 'reading' })));
    expect(wrong).toEqual([
      `the role ${role} may not create tables: grant create on schema public to ${role}.`,
      expect.stringMatching(/does not own the tables \(\d+, such as \w+\): use the role that ran tollgate migrate/),
    ]);
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  test('default_transaction_read_only', async () => {
    const readOnly = at((url) => url.searchParams.set('options', '-c default_transaction_read_only=on'));
    expect((await doctor(readOnly)).wrong).toEqual([
      expect.stringMatching(/^transactions are read-only .*: remove that/),
    ]);
  });

  test.each<[string, (url: URL) => void, RegExp]>([
    [
      'a wrong user or password',
      (url) => Object.assign(url, { username: 'nobody' }),
      /password authentication failed.*\. Correct the user or the/,
    ],
    [
      'an unknown database',
      (url) => Object.assign(url, { pathname: '/nowhere' }),
      /"nowhere" does not exist\. Create that database/,
    ],
    ['no PostgreSQL', (url) => url.searchParams.set('host', '/nowhere'), /ENOENT.*\. Start PostgreSQL, or correct/],
  ])('%s, with a special advice', async (_, change, sentence) => {
    expect((await doctor(at(change))).wrong).toEqual([expect.stringMatching(sentence)]);
  });

  test('another vault key', async () => {
    const { wrong } = await doctor({ TOLLGATE_VAULT_KEY: 'cd'.repeat(32) });
    expect(wrong).toEqual([
      expect.stringMatching(/^the vault key: .*\. Set TOLLGATE_VAULT_KEY to the key of this database/),
    ]);
  });
});
