import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDatabaseUrl } from './base/database_url.ts';
import { findRunningPostgres, hasEmbeddedDatabase, startEmbeddedPostgres } from './base/embedded_postgres/index.ts';
import { errorCode, Unavailable } from './base/errors.ts';
import { nameOf } from './base/hosts.ts';
import { type Keyring, parseMasterKey } from './base/keyring.ts';
import type { LockOptions } from './base/lock_wait.ts';
import { migrate, pendingMigrations } from './base/migrate.ts';
import { readMigrations } from './base/migration.ts';
import { operatorPatience, type Patience } from './base/patient_client.ts';
import { findSealedRoot, loadKeyring, type Masters } from './base/root_key.ts';
import { joinSchema } from './base/schema_lock.ts';
import type { Secret } from './base/secret.ts';
import { requireOwnBackend } from './base/session.ts';
import { type Connection, connect, type DatabaseAddress, type Sql } from './base/sql.ts';
import { distributionState } from './citus/distribute.ts';
import { adoptPlaces, type ClusterSessions, migratedCluster, openSessions } from './citus/migrate.ts';
import { nodeAddress, type UrlAddress } from './citus/nodes.ts';
import { type Config, hasKeyFile, keyFileOf } from './config.ts';
import { adoptRestored, isRestored } from './ledger/restored.ts';

const migrationsFolder = join(import.meta.dirname, 'migrations');
/** Read with the code that belongs to it: an upgrade replaces the files under a running server. */
const ownMigrations = readMigrations(migrationsFolder);
/** A pooler may keep a connection waiting for long, if all are in use. */
const sessionPatience: Patience = { connectMs: 2_000, statementMs: 2_000 };
const oldestPostgres = 150_000; // server_version_num

/** A problem that the operator has to solve; printed without a stack trace. */
export class StartError extends Error {}

export type Database = { address: DatabaseAddress; stop: () => Promise<void> };

/** Called with a description of each step of a start that takes time, before the step. */
export type Announce = (step: string) => void;

/** The database of this configuration, started when it is the embedded one; the settings are for that one. */
export async function openDatabase(
  config: Config,
  log: (message: string) => void,
  settings: Record<string, string> = {},
  announce: Announce = () => {},
): Promise<Database> {
  if (config.database.kind === 'url')
    return { address: { connectionString: config.database.url }, stop: async () => {} };
  const isNew = !(await hasEmbeddedDatabase(config.dataDir));
  announce(isNew ? `Creating a PostgreSQL database in ${config.dataDir}` : 'Starting PostgreSQL');
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, settings });
  return { address: postgres.connection, stop: () => postgres.stop() };
}

/** The database in words, without its password. */
export function databaseInWords({ database, dataDir }: Config): string {
  if (database.kind === 'embedded') return `the embedded database in ${dataDir}`;
  const { hosts, forDriver } = parseDatabaseUrl(database.url);
  const name = decodeURIComponent(new URL(forDriver.replace('@/', '@localhost/')).pathname.slice(1));
  const named = hosts.map((host) => nameOf({ ...host, host: host.host || 'localhost' }));
  return `the database ${name} on ${named.join(' or ')}`;
}

/** A mistyped directory must not become an empty database, about which every check would then say that it is in order. */
export async function requireDatabase({ database, dataDir }: Config): Promise<void> {
  if (database.kind === 'url' || (await hasEmbeddedDatabase(dataDir))) return;
  throw new StartError(
    `There is no database: DATABASE_URL is not set, and ${dataDir} holds no embedded database. Set DATABASE_URL, or set TOLLGATE_DATA_DIR to the data directory of the server. Only tollgate dev and serve create a database`,
  );
}

/** For commands that run beside a server: the server's PostgreSQL if it is running; else, if `mayStart`, one for the command alone. */
export async function joinDatabase(config: Config, mayStart = true): Promise<Database> {
  if (config.database.kind === 'url') return openDatabase(config, () => {});
  await requireDatabase(config);
  const found = await findRunning(config);
  if (found !== undefined) return found;
  if (!mayStart) throw new Unavailable('no server is running');
  try {
    return await openDatabase(config, () => {});
  } catch (error) {
    // A server that started in the meantime owns the data directory: the command then uses its PostgreSQL.
    const started = await findRunning(config);
    if (started === undefined) throw error;
    return started;
  }
}

async function findRunning(config: Config): Promise<Database | undefined> {
  const address = await findRunningPostgres(config.dataDir);
  return address && { address, stop: async () => {} };
}

/** What a server does before anything else: sees to the schema, and reads the keys. */
export async function prepareDatabase(address: DatabaseAddress, config: Config, announce: Announce = () => {}) {
  await using opened = new AsyncDisposableStack();
  const client = await connect(address, 'start', operatorPatience);
  opened.defer(() => client.end());
  const { length: pending } = config.database.kind === 'embedded' ? await pendingOf(client) : [];
  if (pending > 0) announce(pending === 1 ? 'Applying a migration' : `Applying ${pending} migrations`);
  await prepareSchema(client, { config, address });
  return { keyring: await openKeyring(client, config), masters: await masterKeys(client, config) };
}

/**
 * Brings the schema to this version, and keeps it from being migrated away while the connection lives. A database of the operator's own
 * is changed only by `tollgate migrate`.
 */
export async function prepareSchema(
  client: Connection,
  { config, address }: { config: Config; address: DatabaseAddress },
): Promise<void> {
  await requireVersion(client);
  await requireOwnSession(client, address);
  if (config.database.kind === 'embedded') {
    await migrateOwn(client, address, () => {});
    await adoptLedger(client, address, () => {});
  } else {
    await requireSchema(client);
  }
  await joinOwnSchema(client);
}

async function requireSchema(client: Connection): Promise<void> {
  const isDistributed = await isCluster(client);
  const pending = await pendingOf(client);
  if (pending.length > 0)
    throw new StartError(`The database lacks ${pending.length} migration(s) of this version. Run: tollgate migrate`);
  // Each place sees to its own ledger.
  if (!isDistributed && (await isRestored(client)))
    throw new StartError(
      'The database was restored on another server, and the ledger does not know yet where to go on. Run: tollgate migrate',
    );
}

/** For every connection of a server or a command: rejects when this version cannot write to the schema. */
export function joinOwnSchema(client: Sql): Promise<void> {
  return joinSchema(client, ownMigrations);
}

export async function runMigrations(
  client: Connection,
  address: DatabaseAddress,
  report: (line: string) => void,
): Promise<string[]> {
  await requireVersion(client);
  await requireOwnSession(client, address);
  return migrateOwn(client, address, report);
}

/** Rejects what is between this process and the database, and would share or change its session. */
export function requireOwnSession(client: Connection, address: DatabaseAddress): Promise<void> {
  return requireOwnBackend(client, () => connect(address, 'session', sessionPatience));
}

/** `folder` is another one in tests. */
export async function migrateOwn(
  client: Connection,
  address: DatabaseAddress,
  report: (line: string) => void,
  folder = migrationsFolder,
): Promise<string[]> {
  const options = lockOptions(address, report);
  const sessions = await clusterSessions(client, address);
  if (sessions === undefined) return migrate(client, folder, options);
  try {
    return await migrate(client, folder, { ...options, cluster: await migratedCluster(client, sessions) });
  } finally {
    await sessions.end();
  }
}

/** Undefined on one PostgreSQL. */
async function clusterSessions(client: Connection, address: DatabaseAddress): Promise<ClusterSessions | undefined> {
  if (!('connectionString' in address)) return undefined;
  return (await isCluster(client)) ? openSessions(client, address) : undefined;
}

/** Refuses a database whose tables are only in part where they are to be. */
async function isCluster(client: Connection): Promise<boolean> {
  const state = await distributionState(client);
  if (state === 'unfinished')
    throw new StartError(
      'The tables of the database are being distributed over the servers of a cluster, which is not finished. Run: tollgate places distribute',
    );
  return state === 'distributed';
}

/** Continues the ledger of a restored database, or those of the places of a restored server; false when nothing was restored. */
export async function adoptLedger(
  client: Connection,
  address: DatabaseAddress,
  report: (line: string) => void,
): Promise<boolean> {
  const sessions = await clusterSessions(client, address);
  if (sessions === undefined) return adoptRestored(client, lockOptions(address, report));
  try {
    return await adoptPlaces(sessions, (node) => lockOptions(nodeAddress(address as UrlAddress, node), report));
  } finally {
    await sessions.end();
  }
}

function lockOptions(address: DatabaseAddress, report: (line: string) => void): LockOptions {
  return { watch: () => connect(address, 'migrate watch'), report };
}

export async function pendingOf(client: Connection): Promise<string[]> {
  return (await pendingMigrations(client, ownMigrations)).map((migration) => migration.name);
}

export async function requireVersion(client: Connection): Promise<void> {
  const result = await client.query<{ server_version_num: string }>('show server_version_num');
  if (Number(result.rows[0]!.server_version_num) < oldestPostgres)
    throw new StartError(
      'Tollgate needs PostgreSQL 15 or newer. Upgrade the database server, or use the embedded one.',
    );
}

export async function openKeyring(client: Connection, config: Config): Promise<Keyring> {
  return loadKeyring(client, await masterKeys(client, config));
}

/** The master keys of this configuration; development makes one for a new database. */
export async function masterKeys(client: Connection, config: Config): Promise<Masters> {
  return {
    current: config.masterKey ?? (await developmentKey(client, config)),
    previous: config.previousMasterKey,
  };
}

/**
 * Development keeps its master key beside its data, so that one command is enough. The key is made once, for a new database: a lost key
 * cannot be replaced by another, and a database of the operator's own never gets a key that nobody chose.
 */
async function developmentKey(client: Connection, config: Config): Promise<Secret<Buffer>> {
  const known = readDevelopmentKey(config.dataDir);
  if (known !== undefined) return known;
  if (config.purpose === 'command' && config.database.kind === 'url')
    throw new StartError('TOLLGATE_VAULT_KEY is missing: set it to the key of the server that uses this database');
  const file = keyFileOf(config.dataDir);
  if ((await findSealedRoot(client)) !== undefined)
    throw new StartError(
      `The vault key of this database is missing: ${file} does not exist. Restore it, or set TOLLGATE_VAULT_KEY`,
    );
  mkdirSync(config.dataDir, { recursive: true });
  writeOnce(file, `${randomBytes(32).toString('base64')}\n`);
  return readDevelopmentKey(config.dataDir)!;
}

export function readDevelopmentKey(dataDir: string): Secret<Buffer> | undefined {
  return hasKeyFile(dataDir) ? parseMasterKey(readFileSync(keyFileOf(dataDir), 'utf8')) : undefined;
}

/**
 * Writes the whole file or nothing, and never replaces an existing one: half a key, or a key that a second first start has written over
 * the key that sealed the database, would make the data unreadable. A link, unlike a rename, fails if the file exists. Where there are
 * no hard links, the file is created exclusively: a crash could leave half a key, but nothing is sealed before the file is complete.
 */
export function writeOnce(file: string, text: string, link = linkSync): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  try {
    try {
      link(draft, file);
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error)!)) throw error;
      writeFileSync(file, text, { mode: 0o600, flush: true, flag: 'wx' });
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
