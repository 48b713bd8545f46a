import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { inject } from 'vitest';
import { databaseName } from '../base/embedded_postgres/roles.ts';
import { tester } from '../base/embedded_postgres/superuser.fixture.ts';
import { type Log, lineFormat } from '../base/log.ts';
import type { Mode } from '../base/reads.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { Operator } from '../commands/operator.ts';
import { type Config, type Purpose, readConfig } from '../config.ts';
import { type Gateway, type Overrides, startGateway } from '../main.ts';
import type { Role } from '../operations/role.ts';
import type { Tier } from '../resources/people/accounts/account.ts';
import type { AccountWithKeys } from '../resources/people/accounts/schema.ts';
import type { NewKeyShown } from '../resources/people/api_keys/schema.ts';
import { Client } from './client.ts';
import { contractOf } from './contract/contract.ts';
import { connectToAll, copyDistributed, isCopy } from './distributed_databases.ts';
import { signedIn, type TestPerson } from './person.ts';

let connected: Promise<Connection> | undefined;

/** The connection that makes and drops databases. The test files of a process share it, and it lives as long as the process. */
function administrator(): Promise<Connection> {
  // Patient, because its end would fail all files that follow.
  const patience = { connectMs: 60_000, statementMs: Number.POSITIVE_INFINITY };
  connected ??= connect({ ...inject('postgres'), ...tester }, 'test', patience);
  return connected;
}

/** A database of one test file's own. */
export async function createDatabase(): Promise<{ url: string; address: DatabaseAddress; drop: () => Promise<void> }> {
  const postgres = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = await administrator();
  // The default, wal_log, writes each page of the copy to the write-ahead log: six times the processor time.
  await admin.query(`create database ${name} owner ${postgres.user} template ${databaseName} strategy file_copy`);
  const host = encodeURIComponent(postgres.host);
  return {
    url: `postgres://${postgres.user}:${postgres.password}@localhost/${name}?host=${host}&port=${postgres.port}`,
    address: { ...postgres, database: name },
    async drop() {
      await admin.query(`drop database ${name} with (force)`);
    },
  };
}

export const testMasterKey = 'ab'.repeat(32);

export type TestAccount = {
  id: string;
  testKey: string;
  liveKey: string;
  /** Requests with the test key. */
  test: Client;
  /** Requests with the live key. */
  live: Client;
};

export type KeyWish = {
  mode: Mode;
  name: string;
  scopes: string[] | null;
  allowedIps: string[] | null;
  signatureRequired: boolean;
  expiresAt: Date | null;
};

export type TestServer = {
  gateway: Gateway;
  config: Config;
  baseUrl: string;
  ca: string;
  /** Every line that was logged so far. */
  logged: string[];
  databaseUrl: string;
  sql: Connection;
  /** Runs operations as the command line does. */
  operator: Operator;
  /** Requests without a key. */
  anonymous: Client;
  client(key: string): Client;
  /** An account that is not slowed down unless asked for. */
  account(options?: { tier?: Tier; rateLimit?: number | null }): Promise<TestAccount>;
  key(account: string, wish: Partial<KeyWish>): Promise<{ id: string; key: string; client: Client }>;
  /** A user with this role in the account, who has signed in. */
  person(account: string, role: Role, wish?: { mode?: Mode }): Promise<TestPerson>;
  /**
   * Runs everything that is due until nothing is, in every instance on this database: for a test that has moved its clock. One job may
   * make work for another, and an instance may have taken by itself what another is asked for.
   */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

export type ServerOptions = Overrides & {
  environment?: Record<string, string>;
  /** Share the database of another server. */
  databaseUrl?: string;
  /** On one PostgreSQL, also in a distributed run: for a test that has statements of its own. */
  onePostgres?: boolean;
  /** One instance, also in a distributed run: for what each has by itself. */
  isAlone?: boolean;
  /** `serve` unless it is said. In development a processor may be a fake on this machine. */
  purpose?: Purpose;
};

/** The gateways that run in this process, by the database they share: each of them may have taken what is due. */
const running = new Map<string, Set<Gateway>>();

/** A database for a gateway alone: distributed where the run is. */
async function databaseOfServer({ onePostgres }: ServerOptions): Promise<{ url: string; drop: () => Promise<void> }> {
  const distributed = inject('distributed');
  if (distributed === null || onePostgres) return createDatabase();
  return copyDistributed(distributed, `test_${randomBytes(8).toString('hex')}`);
}

/** A whole gateway in this process: real TLS, real PostgreSQL, its own port. In a distributed run there are two, which take requests in turns. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const database = options.databaseUrl === undefined ? await databaseOfServer(options) : undefined;
  const databaseUrl = options.databaseUrl ?? database!.url;
  const certificateDir = inject('certificateDir');
  const environment = {
    DATABASE_URL: databaseUrl,
    TLS_CERT_FILE: join(certificateDir, 'server.pem'),
    TLS_KEY_FILE: join(certificateDir, 'server-key.pem'),
    TOLLGATE_VAULT_KEY: testMasterKey,
    PORT: '0',
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
    ...options.environment,
  };
  const purpose = options.purpose ?? 'serve';
  const config = readConfig(purpose, environment, options.connectors);
  const logged: string[] = [];
  const log: Log = pino({ level: 'debug', ...lineFormat }, { write: (line: string) => void logged.push(line) });
  const gateway = await startGateway(config, log, options);
  const scheme = config.tls.kind === 'proxy' ? 'http' : 'https';
  const urlOf = ({ port }: Gateway) => `${scheme}://localhost:${port}`;
  const gateways = [gateway];
  if (database !== undefined && !options.isAlone && isCopy(inject('distributed'), database.url)) {
    const other = readConfig(
      purpose,
      { ...(scheme === 'https' && { PUBLIC_URL: urlOf(gateway) }), ...environment },
      options.connectors,
    );
    // By one clock, so that what is made one after the other is listed so: two clocks differ by milliseconds.
    const { clock } = gateway.services;
    gateways.push(await startGateway(other, log, { ...options, clock }));
  }
  const instances = running.get(databaseUrl) ?? new Set();
  for (const one of gateways) instances.add(one);
  running.set(databaseUrl, instances);
  const sql = await (isCopy(inject('distributed'), databaseUrl)
    ? connectToAll(databaseUrl)
    : connect({ connectionString: databaseUrl }, 'test'));
  const baseUrl = urlOf(gateway);
  const ca = readFileSync(join(certificateDir, 'ca.pem'), 'utf8');
  const anonymous = new Client(gateways.map(urlOf), ca, undefined, contractOf(options.resources));
  const client = (key: string) => anonymous.as(key);
  const operator = new Operator(gateway.services, 'test');
  return {
    gateway,
    config,
    baseUrl,
    ca,
    logged,
    databaseUrl,
    sql,
    operator,
    anonymous,
    client,
    async account({ tier = 'enterprise', rateLimit = tier === 'enterprise' ? 1_000_000 : null } = {}) {
      const made = await operator.run<AccountWithKeys>('accounts.create', {
        parameters: { name: 'Test', tier, rate_limit: rateLimit },
      });
      const [testKey, liveKey] = [made.test_secret_key, made.live_secret_key];
      return { id: made.id, testKey, liveKey, test: client(testKey), live: client(liveKey) };
    },
    async key(account, { mode = 'test', name = 'key', ...limits }) {
      const kind = limits.scopes ? 'restricted' : 'secret';
      const scopes = limits.scopes ? ['events:read'] : null;
      const parameters = { name, kind, scopes, signature_required: limits.signatureRequired };
      const { id, key } = await operator.run<NewKeyShown>('api_keys.create', { account, mode, parameters });
      // Afterwards, because tests also want what the operation refuses: a key without any scope, or one that has expired.
      if (limits.scopes || limits.allowedIps || limits.expiresAt)
        await sql.query(
          'update api_keys set scopes = $2::json, allowed_ips = $3::json, expires_at = $4 where id = $1',
          [id, jsonOf(limits.scopes), jsonOf(limits.allowedIps), limits.expiresAt],
        );
      return { id, key, client: client(key) };
    },
    person: (account, role, wish) => signedIn({ operator, anonymous, baseUrl }, account, role, wish),
    async settled() {
      for (let ended = 1; ended > 0; ) {
        const workers = Array.from(instances, ({ worker }) => worker);
        for (const worker of workers) worker.wake();
        const counts = await Promise.all(workers.map((worker) => worker.idle()));
        ended = counts.reduce((sum, count) => sum + count, 0);
      }
    },
    async stop() {
      anonymous.close();
      await sql.end();
      for (const one of gateways) instances.delete(one);
      await Promise.all(gateways.map((one) => one.stop()));
      await database?.drop();
    },
  };
}

function jsonOf(value: unknown): string | null {
  return value ? JSON.stringify(value) : null;
}
