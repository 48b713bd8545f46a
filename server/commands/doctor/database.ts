import { findRunningPostgres, hasEmbeddedDatabase } from '../../base/embedded_postgres/index.ts';
import { MasterKeyError } from '../../base/keyring.ts';
import { MigrationError } from '../../base/migration.ts';
import { usualPatience } from '../../base/patient_client.ts';
import { findKeyring } from '../../base/root_key.ts';
import { type Connection, connect, type DatabaseAddress } from '../../base/sql.ts';
import { distributionState } from '../../citus/distribute.ts';
import { isDistributed } from '../../citus/shards.ts';
import { requireConnections } from '../../cluster/needed_connections.ts';
import type { Config } from '../../config.ts';
import {
  databaseInWords,
  pendingOf,
  readDevelopmentKey,
  requireOwnSession,
  requireVersion,
  StartError,
} from '../../database.ts';
import { isRestored } from '../../ledger/restored.ts';
import type { ClusterAddress } from '../../places/cluster.ts';
import { connectionsAt, connectToDirectory } from '../context.ts';
import { databaseTrouble } from '../database_trouble.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { checkNodes } from './nodes.ts';
import { type CheckedPlaces, checkProcessors } from './processors.ts';
import { checkSearch } from './search.ts';

export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { database, dataDir } = config;
  const address = database.kind === 'url' ? { connectionString: database.url } : await findRunningPostgres(dataDir);
  if (address === undefined)
    return [
      (await hasEmbeddedDatabase(dataDir))
        ? fine('database', 'embedded PostgreSQL is not running; a start will run it')
        : fine('database', `no embedded database in ${dataDir}; a start creates it`),
    ];
  const findings: Finding[] = [];
  try {
    await using opened = new AsyncDisposableStack();
    const client = await connect(address, 'doctor');
    opened.defer(() => client.end());
    for await (const finding of inspectSchema(client, config, address)) findings.push(finding);
    if (hasProblem(findings)) return findings;
    const places = await placesOf(client, address, opened);
    for await (const finding of inspectUse(places, config)) findings.push(finding);
    if (!hasProblem(findings) && config.purpose === 'serve') findings.push(...(await checkProcessors(places, config)));
  } catch (error) {
    findings.push(troubleOf(error));
  }
  return findings;
}

const hasProblem = (findings: readonly Finding[]) => findings.some(({ state }) => state !== 'ok');

/** The tables are found there by the names that they have on one PostgreSQL. */
async function placesOf(
  client: Connection,
  address: DatabaseAddress,
  opened: AsyncDisposableStack,
): Promise<CheckedPlaces> {
  const isCluster = await isDistributed(client);
  const directory = isCluster
    ? await connectToDirectory(address as ClusterAddress, 'doctor')
    : { address, client, isCluster };
  if (isCluster) opened.defer(() => directory.client.end());
  const at = connectionsAt(directory, usualPatience);
  opened.defer(() => at.close());
  return { ...directory, at };
}

/** Each finding is a step: after the first one that is wrong, the next ones would only repeat it. */
async function* inspectSchema(client: Connection, config: Config, address: DatabaseAddress): AsyncGenerator<Finding> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await requireVersion(client);
  await requireOwnSession(client, address);
  yield fine('database', `PostgreSQL ${rows[0]!.server_version} answers: ${databaseInWords(config)}`);
  const forbidden = [
    ...(await readOnly(client)).map((message) => wrong('database', message)),
    ...(await lackingRights(client)).map((message) => wrong('role', message)),
  ];
  yield* forbidden;
  if (forbidden.length > 0) return;
  yield fine('role', 'the role may write, and owns the tables');
  const pending = await pendingOf(client);
  if (pending.length > 0)
    return yield wrong('schema', `migrations are missing: ${pending.join(', ')}. Run: tollgate migrate`);
  const distribution = await distributionState(client);
  if (distribution === 'unfinished')
    return yield wrong(
      'schema',
      'the tables are not distributed to the end. With all servers stopped, run: tollgate places distribute',
    );
  // On a cluster, each place has a ledger, which its connections check.
  if (distribution === 'plain' && (await isRestored(client)))
    return yield wrong('schema', 'the database was restored on another server. Run: tollgate migrate');
  yield fine('schema', 'the schema is up to date');
}

async function* inspectUse({ client, address, isCluster, at }: CheckedPlaces, config: Config): AsyncGenerator<Finding> {
  let isWhole = true;
  if (isCluster) {
    const findings = await checkNodes(client, address, config);
    yield* findings;
    isWhole = !hasProblem(findings);
  } else if (config.processes > 1 && config.database.kind === 'url') {
    await requireConnections(client, address, config);
    yield fine('connections', `PostgreSQL has enough connections for ${config.processes} processes`);
  }
  yield await checkVaultKey(client, config);
  if (isWhole) yield await checkSearch(at);
}

async function readOnly(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ standby: boolean; read_only: boolean }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::bool as read_only`,
  );
  const { standby, read_only } = rows[0]!;
  if (standby) return ['the database is a standby, which accepts no changes: set DATABASE_URL to the primary.'];
  if (!read_only) return [];
  return [
    'transactions are read-only (default_transaction_read_only): remove that setting from the role, the database, DATABASE_URL or postgresql.conf.',
  ];
}

/** The server changes rows, and creates and drops partitions of the request log, which only the owner may do. */
async function lackingRights(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ role: string; schema: string | null; may_create: boolean; foreign: string[] }>(
    `select current_user as role, current_schema() as schema,
            coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
            array(select relname::text from pg_class
                   where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
                     and not relispartition and not pg_has_role(relowner, 'usage')
                   order by relname) as foreign`,
  );
  const { role, schema, may_create, foreign } = rows[0]!;
  if (schema === null) return [`the role ${role} has no schema: grant usage, create on schema public to ${role}.`];
  return [
    ...(may_create ? [] : [`the role ${role} may not create tables: grant create on schema ${schema} to ${role}.`]),
    ...(foreign.length === 0
      ? []
      : [
          `the role ${role} does not own the tables (${foreign.length}, such as ${foreign[0]}): use the role that ran tollgate migrate, or grant that role to ${role}.`,
        ]),
  ];
}

async function checkVaultKey(client: Connection, config: Config): Promise<Finding> {
  const master = config.masterKey ?? readDevelopmentKey(config.dataDir);
  if (master === undefined) return fine('vault_key', 'no vault key yet; a start makes one for a new database');
  const keyring = await findKeyring(client, { current: master, previous: config.previousMasterKey });
  return fine(
    'vault_key',
    keyring === undefined ? 'the database has no root key yet; a start makes it' : 'the vault key opens this database',
  );
}

function troubleOf(error: unknown): Finding {
  if (error instanceof MasterKeyError)
    return wrong(
      'vault_key',
      `the vault key: ${error.message}. Set TOLLGATE_VAULT_KEY to the key of this database; during a change, set TOLLGATE_VAULT_KEY_PREVIOUS too.`,
    );
  if (error instanceof MigrationError) return wrong('schema', error.message.replace(/\.?$/, '.'));
  if (error instanceof StartError) return wrong('database', error.message.replace(/\.?$/, '.'));
  return wrong('database', `the database: ${databaseTrouble(error)}`);
}
