import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, connect as openSocket, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { tester } from '../../base/embedded_postgres/superuser.fixture.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { copyDirectory } from '../data_directories.ts';
import { createDatabase, startServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { unusedPort } from '../unused_port.ts';
import { type Environment, type Finished, patienceMs, testMs, until } from './child.ts';
import { Children, type NewAccount, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const home = children.directory();
const databases: { drop: () => Promise<void> }[] = [];

afterAll(async () => {
  await children.cleanUp();
  for (const database of databases) await database.drop();
});

/** A new migrated database, and the settings of a server on it. */
async function settings(own: Environment = {}): Promise<{ environment: Environment; sql: Connection }> {
  const database = await createDatabase();
  databases.push(database);
  const sql = children.keep(await connect(database.address, 'test'));
  return { sql, environment: children.serveEnvironment({ DATABASE_URL: database.url, ...own }) };
}

function refusedStart(environment: Environment): Promise<Finished> {
  return children.run(['serve'], { cwd: home, environment });
}

const stack = /^\s+at /m;

describe('settings', () => {
  test('with an empty environment, all missing settings are reported together', async () => {
    const child = children.spawn(
      process.execPath,
      [join(import.meta.dirname, '..', '..', 'bin', 'tollgate.js'), 'serve'],
      {
        cwd: home,
        environment: {},
      },
    );
    expect(await child.ends()).toEqual({ code: 1, signal: null });
    expect(child.stdout).toBe('');
    const problems = child.stderr.split('\n').filter((line) => line.startsWith('  - '));
    expect(problems).toHaveLength(3);
    expect(problems[0]).toMatch(/DATABASE_URL is missing: .*TOLLGATE_EMBEDDED_POSTGRES=yes/);
    expect(problems[1]).toMatch(/TLS_CERT_FILE and TLS_KEY_FILE are missing: .*TLS=proxy/);
    expect(problems[2]).toMatch(/TOLLGATE_VAULT_KEY is missing: .*openssl rand -base64 32/);
    expect(child.stderr).not.toMatch(stack);
  });

  test('wrong settings are named in the same message as missing ones', async () => {
    const refused = await refusedStart({
      TOLLGATE_DATADIR: '/somewhere',
      TOLLGATE_VAULT_KEY: 'short',
      TLS_CERT_FILE: '/nowhere/cert.pem',
      DATABASE_URL: 'mysql://localhost/db',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      DRAIN_SECONDS: '-1',
      TRUSTED_PROXIES: '10.0.0.0/8',
      ENDPOINT_RATE_LIMITS: 'customers.create=0',
    });
    expect(refused.code).toBe(1);
    const named = [
      'PORT must be',
      'DATABASE_URL must begin',
      'TRUSTED_PROXIES is set but TLS is not proxy',
      'TLS_CERT_FILE names /nowhere/cert.pem, which cannot be read (ENOENT)',
      'TLS_CERT_FILE and TLS_KEY_FILE belong together',
      'TOLLGATE_VAULT_KEY is not a key',
      'LOG_LEVEL must be one of',
      'ENDPOINT_RATE_LIMITS has "customers.create=0"',
      'DRAIN_SECONDS must be',
      'TOLLGATE_DATADIR is not a setting. Check its spelling.',
    ];
    for (const text of named) expect(refused.stderr).toContain(text);
    expect(refused.stderr.split('\n').filter((line) => line.startsWith('  - '))).toHaveLength(named.length);
    expect(refused.stderr).not.toMatch(stack);
  });

  test.runIf(isTorture)('an unknown TOLLGATE_ variable alone prevents the start', async () => {
    const { environment } = await settings({ TOLLGATE_VAULTKEY_FILE: '/run/secrets/key' });
    const refused = await refusedStart(environment);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('  - TOLLGATE_VAULTKEY_FILE is not a setting. Check its spelling.\n');
  });
});

test('a certificate that does not belong to its key ends the process with one sentence', async () => {
  const { environment } = await settings();
  const { key } = await ensureLocalCertificate(join(home, 'tls'), new Date());
  writeFileSync(join(home, 'another-key.pem'), key);
  const refused = await refusedStart({ ...environment, TLS_KEY_FILE: join(home, 'another-key.pem') });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE');
  expect(refused.stderr).not.toMatch(stack);
});

describe('the database', () => {
  test('one that lacks migrations is not changed: the message names `tollgate migrate`, which then works', async () => {
    const { environment, sql } = await settings();
    await sql.query('drop schema public, simulator cascade');
    await sql.query('create schema public');
    const tables = async () =>
      (await sql.query(`select count(*) as n from pg_tables where schemaname = 'public'`)).rows[0].n;

    const refused = await refusedStart(environment);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^The database lacks \d+ migration\(s\) of this version\. Run: tollgate migrate\.?\n$/,
    );
    expect(await tables()).toBe(0);

    const migrated = await children.run(['migrate'], { cwd: home, environment });
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^Applied: 0001_accounts\.sql, .*\.\n$/);
    const again = await children.run(['migrate'], { cwd: home, environment });
    expect(again).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });

    await (await startServer({ databaseUrl: environment.DATABASE_URL! })).stop();
  });

  test('two concurrent migrates on an empty database: one waits, and finds nothing to do', async () => {
    const { environment, sql } = await settings();
    await sql.query('drop schema public, simulator cascade');
    await sql.query('create schema public');
    const both = [1, 2].map(() => children.tollgate(['migrate'], { cwd: home, environment }));
    const endings = await Promise.all(both.map((child) => child.ends()));
    const said = both.map(({ stdout, stderr }) => `${stdout}${stderr}`).sort();
    expect({ endings, said }).toEqual({
      endings: [
        { code: 0, signal: null },
        { code: 0, signal: null },
      ],
      said: [
        expect.stringMatching(/^Applied: 0001_accounts\.sql, [^\n]*\.\n/),
        expect.stringMatching(/^The database is up to date\.\n(Another migrate is running\. Waiting for it\.\n)?$/),
      ],
    });
  });

  test('one that was set up with another vault key is refused before anything listens', async () => {
    const { environment, sql } = await settings();
    await children.account(environment);
    const sealed = async () => (await sql.query('select * from root_keys')).rows;
    const before = await sealed();

    const port = await unusedPort();
    const other = { ...environment, TOLLGATE_VAULT_KEY: randomBytes(32).toString('base64'), PORT: String(port) };
    const { refused, opened } = await listenedBeforeItsEnd(refusedStart(other), port);
    expect(refused).toMatchObject({ code: 1, signal: null, stdout: '' });
    expect(opened).toBe(false);
    expect(refused.stderr).toMatch(/^The vault key cannot be used: .*not the key this database was set up with\.\n$/);
    expect(await sealed()).toEqual(before);
  });

  test('one that cannot be reached is reported in one sentence without a stack', async () => {
    const address = `postgres://tollgate:secret-password@127.0.0.1:${await unusedPort()}/tollgate`;
    const refused = await refusedStart(children.serveEnvironment({ DATABASE_URL: address }));
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).not.toMatch(stack);
    expect(refused.stderr).not.toContain('secret-password');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    expect(refused.stderr).toMatch(/database/i);
  });

  test.runIf(isTorture)('one that refuses the password is reported in one sentence without a stack', async () => {
    const { environment } = await settings();
    const address = new URL(environment.DATABASE_URL!);
    // A separate role: those of the tests are trusted without a password.
    const role = `stranger_${address.pathname.slice(1)}`;
    const admin = children.keep(await connect({ ...inject('postgres'), ...tester }, 'test'));
    await admin.query(`create role ${role} login password 'the-password'`);
    Object.assign(address, { username: role, password: 'another-password' });
    const refused = await refusedStart({ ...environment, DATABASE_URL: address.href });
    await admin.query(`drop role ${role}`);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).not.toMatch(stack);
    expect(refused.stderr).not.toContain('another-password');
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('one whose role may only read is reported in one sentence without a stack', async () => {
    const { environment } = await settings();
    const address = new URL(environment.DATABASE_URL!);
    const role = `reader_${address.pathname.slice(1)}`;
    const admin = children.keep(await connect({ ...inject('postgres'), ...tester }, 'test'));
    await admin.query(`create role ${role} login password 'reading'; grant pg_read_all_data to ${role}`);
    Object.assign(address, { username: role, password: 'reading' });
    const refused = await refusedStart({ ...environment, DATABASE_URL: address.href });
    await admin.query(`drop role ${role}`);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^The database cannot be used: permission denied .*\. Use the role that ran tollgate migrate/,
    );
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('TOLLGATE_EMBEDDED_POSTGRES=yes runs one in the data directory, which keeps its data over a restart', async () => {
    const dataDir = join(children.directory(), 'data');
    // dev.test.ts has an empty directory in every run.
    if (!isTorture) copyDirectory(inject('dataDirs').empty, dataDir);
    const environment = children.embeddedEnvironment({ TOLLGATE_DATA_DIR: dataDir });
    const first = await children.serve(environment);
    const account = await children.account(environment);
    const made = await first.client(account.test_secret_key).post('/v1/customers', { name: 'Kept' });
    expect(await first.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const second = await children.serve(environment);
    console.log(
      `measured: serve with an embedded database ready in ${first.readyMs} ms, again in ${second.readyMs} ms`,
    );
    const again = await second.client(account.test_secret_key).get(`/v1/customers/${made.json.id}`);
    expect(again).toMatchObject({ status: 200, text: made.text });
    expect(await second.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('a port that is in use ends the process with one sentence', () => {
  test('PORT', async () => {
    const taken = await occupied();
    const { environment } = await settings({ PORT: String(taken.port) });
    const refused = await refusedStart(environment).finally(() => taken.server.close());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The port.* is in use by another program\. .*\bPORT\b.*\n$/);
  });

  test.runIf(isTorture)('PORT, when the one for metrics is already open', async () => {
    const taken = await occupied();
    const { environment } = await settings({ PORT: String(taken.port), METRICS_PORT: String(await unusedPort()) });
    const refused = await refusedStart(environment).finally(() => taken.server.close());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^The port.* is in use by another program\. .*\bPORT\b.*\n$/);
  });

  test('METRICS_PORT, which the sentence names', async () => {
    const taken = await occupied();
    const { environment } = await settings({ METRICS_PORT: String(taken.port) });
    const refused = await refusedStart(environment).finally(() => taken.server.close());
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^(?=.*METRICS_PORT).*in use.*\n$/);
  });
});

test('METRICS_PORT serves Prometheus text, and the port of the API does not', async () => {
  const metricsPort = await unusedPort();
  const { environment, sql } = await settings({ METRICS_PORT: String(metricsPort) });
  await sql.query(
    `insert into notices (tenant, id, version, connector, event_id, reported, reason, failures, flagged_at, due_at)
     values (1, 'ntc_1', 1, 'simulator', '1', '[]', 'none', 6, now(), now() + interval '1 hour')`,
  );
  const server = await children.serve(environment);
  const account = await children.account(environment);
  const client = server.client(account.test_secret_key);
  for (const name of ['A', 'B', 'C']) expect((await client.post('/v1/customers', { name })).status).toBe(200);
  expect((await client.get('/v1/customers/cus_nope')).status).toBe(404);

  const scrape = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  await until('notices are counted', patienceMs, async () =>
    (await (await scrape()).text()).includes('notices_failed 1\n'),
  );
  const response = await scrape();
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain('tollgate_requests_total{operation="customers.create",status="200"} 3\n');
  expect(text).toContain('tollgate_requests_total{operation="customers.retrieve",status="404"} 1\n');
  expect(text).toMatch(/^tollgate_request_seconds_bucket\{le="[^"]+",operation="customers\.create"\} \d+$/m);
  expect(text).toMatch(/^tollgate_commit_units_total 3$/m);
  expect(text).toMatch(/^tollgate_commit_batches_total\{form="plain"\} \d$/m);
  expect(text).toMatch(/^tollgate_connections [1-9]\d*$/m);
  expect(text).toMatch(/^tollgate_notices_failed 1$/m);
  expect(text).toMatch(/^tollgate_request_log_dropped_total 0$/m);
  expect(text).toMatch(/^tollgate_process_resident_memory_bytes \d+$/m);
  for (const line of text.split('\n').filter(Boolean))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? \S+)$/);
  expect((await fetch(`http://127.0.0.1:${metricsPort}/v1/customers`)).status).toBe(404);

  expect((await client.get('/metrics')).status).toBe(404);
  expect((await server.client().get('/metrics')).status).toBe(401);
  await server.child.stop('SIGTERM');
});

test.runIf(isTorture)('a log that nobody reads blocks neither the gateway nor its stop', async () => {
  const { child, client } = await children.serve((await settings()).environment);
  // More than the pipe and its buffers can hold.
  const requests = 1_500;
  const path = `/${'x'.repeat(199)}`;
  let answered = 0;
  child.process.stdout!.pause();
  const ask = async (asking = client()) => {
    for (let count = 0; count < requests / 10; count += 1) {
      await asking.get(path);
      answered += 1;
    }
  };
  const asked = Promise.allSettled(Array.from({ length: 10 }, () => ask()));
  try {
    await until('all requests are answered', patienceMs, () => answered === requests).catch((error: Error) => {
      throw new Error(`${error.message}; ${answered} of ${requests} were`);
    });
    child.signal('SIGTERM');
    await until('the process ends', patienceMs, () => child.process.exitCode !== null);
    expect(child.process.exitCode).toBe(0);
  } finally {
    child.process.stdout!.resume();
    if (child.process.exitCode === null) child.signal('SIGTERM');
    await child.ends();
    await asked;
  }
});

describe('the log', () => {
  type Traffic = {
    server: Running;
    account: NewAccount;
    requestIds: Map<string, { operation?: string; status: number }>;
    other: string;
  };

  /** A server that has had good and bad requests, and has stopped. */
  async function traffic(): Promise<Traffic> {
    const { environment } = await settings({ LOG_LEVEL: 'trace' });
    const server = await children.serve(environment);
    const account = await children.account(environment);
    const client = server.client(account.test_secret_key);
    const email = 'private.person@example.com';
    const made = await client.post('/v1/customers', { email, name: 'Private Person' }, { 'Idempotency-Key': 'log-1' });
    const path = `/v1/customers/${made.json.id}`;
    const other = `${account.test_secret_key.slice(0, -1)}!`;
    const answers = [
      ['customers.create', made],
      [
        'customers.create',
        await client.post('/v1/customers', { email, name: 'Private Person' }, { 'Idempotency-Key': 'log-1' }),
      ],
      [
        'customers.create',
        await client.post('/v1/customers', { email: 'x@example.org' }, { 'Idempotency-Key': 'log-1' }),
      ],
      ['customers.create', await client.form('/v1/customers', `email=${encodeURIComponent(email)}`)],
      ['customers.create', await client.post('/v1/customers', { e_mail: email })],
      [
        'customers.create',
        await client.post('/v1/customers', `{"email":"${email}"`, { 'Content-Type': 'application/json' }),
      ],
      ['customers.retrieve', await client.get(path)],
      ['customers.list', await client.get(`/v1/customers?limit=3&email=${encodeURIComponent(email)}`)],
      ['customers.retrieve', await client.get(`/v1/customers/${account.live_secret_key}`)],
      [undefined, await client.get('/v1/nothing')],
      [undefined, await server.client().get('/healthz')],
      ['customers.list', await server.client().get('/v1/customers')],
      ['customers.list', await server.client(other).get('/v1/customers')],
      ['customers.delete', await client.delete(path)],
      ['customers.retrieve', await client.get('/v1/customers/private.person@example.com')],
      ['customers.retrieve', await client.get('/v1/customers/private.person%40example.com')],
      [undefined, await client.get('/v1/customer/private.person@example.com')],
      [undefined, await client.get('/v1/customer/private.person%40example.com')],
    ] as const;
    await plainHttp(server, account.test_secret_key);
    expect(await server.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const requestIds = new Map(
      answers.map(([operation, { headers, status }]) => [
        String(headers['request-id']),
        { ...(operation && { operation }), status },
      ]),
    );
    return { server, account, requestIds, other };
  }

  test('has one line of JSON a request, with its id, operation and status, and no secret or email anywhere', async () => {
    const { server, account, requestIds, other } = await traffic();
    const { stdout, stderr } = server.child;
    expect(stderr).toBe('');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [atItsStart, ...logged] = lines.filter((line) => line.msg === 'request');
    expect(atItsStart).toMatchObject({ path: '/healthz', status: 200 });
    expect(requestIds.size).toBe(18);
    expect(logged.map((line) => line.requestId)).toEqual([...requestIds.keys()]);
    for (const line of logged) {
      expect(line).toMatchObject(requestIds.get(line.requestId)!);
      expect(line).toMatchObject({ method: expect.any(String), path: expect.any(String), ms: expect.any(Number) });
    }
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });

    for (const secret of [
      account.test_secret_key,
      account.live_secret_key,
      other,
      'example.com',
      'example.org',
      'Private',
      'Person',
    ])
      expect(stdout).not.toContain(secret);
    expect(stdout).not.toMatch(/[sr]k_(test|live)_tg_\w/);
    expect(stdout).not.toMatch(/authorization|bearer/i);

    // Nor an email in a path.
    expect(logged.slice(-4).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(stdout).not.toMatch(/private\.person/);
  });
});

/** Whether the port accepted a connection before this start was refused. */
async function listenedBeforeItsEnd(start: Promise<Finished>, port: number) {
  let refused: Finished | undefined;
  const ended = start.then((finished) => {
    refused = finished;
  });
  let opened = false;
  await until('the start is refused', patienceMs, async () => {
    opened ||= await accepts(port);
    return refused !== undefined;
  });
  await ended;
  return { refused: refused!, opened };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** A port that another program listens on. */
async function occupied(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as { port: number }).port };
}

/** A key that came in clear must not be in the log either. */
async function plainHttp(server: Running, key: string): Promise<void> {
  const port = new URL(server.baseUrl).port;
  const response = await fetch(`http://127.0.0.1:${port}/v1/customers`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'https_required' } });
}
