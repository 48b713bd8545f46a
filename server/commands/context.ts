import { userInfo } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { operatorPatience, type Patience } from '../base/patient_client.ts';
import { type ConnectionsAt, oneConnection } from '../base/places/connections.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Reads } from '../base/reads.ts';
import type { Masters } from '../base/root_key.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { directorySession } from '../citus/nodes.ts';
import { isDistributed } from '../citus/shards.ts';
import { type Config, readConfig } from '../config.ts';
import { processorDeadlineMs } from '../connectors/ask.ts';
import { type Connectors, createConnectors, registrations } from '../connectors/index.ts';
import { joinDatabase, masterKeys, openKeyring, prepareSchema } from '../database.ts';
import type { ClusterAddress } from '../places/cluster.ts';
import { ClusterConnections } from '../places/connections.ts';
import type { ProcessorAccounts } from '../resources/payments/processor_accounts/processors.ts';
import type { CommandDatabase } from './pools.ts';

export type CommandContext = {
  config: Config;
  address: DatabaseAddress;
  /** Whether the tables of tenants are on several servers. The address is then that of the directory. */
  isCluster: boolean;
  /** The connection to the directory: to everything, where there is one database. */
  client: Connection;
  /** Where tenants are. */
  at: ConnectionsAt;
  keyring: Keyring;
  masters: Masters;
  /** The operator, as the audit log names them, and the database's time, in epoch milliseconds. */
  actor: { readonly name: string; readonly now: number };
};

type CommandConnection = {
  mayStart?: boolean;
  patience?: Patience;
  /** The command changes nothing, so that a standby can serve it: `target_session_attrs` says which. */
  isReadOnly?: boolean;
};

/** Opens the database for the duration of a command, whether a server is running or not. Every statement commits by itself. */
export async function withConnection<T>(
  work: (context: CommandContext) => Promise<T>,
  options: CommandConnection = {},
): Promise<T> {
  const config = readConfig('command');
  await using opened = new AsyncDisposableStack();
  const { address: joined, stop } = await joinDatabase(config, options.mayStart ?? true);
  const address = options.isReadOnly && 'connectionString' in joined ? { ...joined, isReadOnly: true } : joined;
  opened.defer(stop);
  const patience = options.patience ?? operatorPatience;
  const directory = await openDirectory(address, 'command', patience);
  const { client, isCluster } = directory;
  opened.defer(() => client.end());
  await prepareSchema(client, { config, address });
  const at = connectionsAt(directory, patience);
  opened.defer(() => at.close());
  const keyring = await openKeyring(client, config);
  const masters = await masterKeys(client, config);
  const actor = await actorOf(client);
  return await work({ config, address: directory.address, isCluster, client, at, keyring, masters, actor });
}

/** A connection to the directory, and where that is. */
export type Directory = CommandDatabase & { client: Connection; isCluster: boolean };

/** Of one database, or of a cluster. */
export async function openDirectory(address: DatabaseAddress, name: string, patience?: Patience): Promise<Directory> {
  const client = await connect(address, name, patience);
  try {
    if (!('connectionString' in address) || !(await isDistributed(client)))
      return { address, client, isCluster: false };
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
  await client.end();
  return connectToDirectory(address, name, patience);
}

/** On a cluster, the directory is a schema of its own: `public` there has Citus' tables, which are planned over all servers. */
export async function connectToDirectory(
  address: ClusterAddress,
  name: string,
  patience?: Patience,
): Promise<Directory> {
  const directory = { ...address, session: directorySession };
  return { address: directory, client: await connect(directory, name, patience), isCluster: true };
}

/** Where tenants are, for as long as a command runs. */
export function connectionsAt({ address, client, isCluster }: Directory, patience: Patience) {
  if (isCluster) return new ClusterConnections({ address: address as ClusterAddress, directory: client, patience });
  return { ...oneConnection(client), close: async () => {} };
}

/** Where browsers and processors reach the gateway that a command belongs to. */
export function publicUrlOf({ publicUrl, port }: Config): string {
  return publicUrl ?? `https://localhost:${port}`;
}

/** The configured processors. Commands verify credentials, read statements, cancel and refund; they charge nothing. */
export function connectorsOf(
  config: Config,
  { durable, reads }: { durable: SqlAt; reads: Reads },
  clock: Clock,
  processorAccounts: ProcessorAccounts,
): Connectors {
  return createConnectors({
    registrations,
    settings: config.connectorSettings,
    modes: config.connectors,
    tools: { durable, reads, clock, publicUrl: () => publicUrlOf(config) },
    report: async () => {},
    openAccount: processorAccounts.open,
    limits: { clock, deadlineMs: processorDeadlineMs, onLate: () => {} },
  });
}

/** Due times and ids are compared with the database's clock; the clock of the operator's machine may differ. */
async function actorOf(client: Connection): Promise<CommandContext['actor']> {
  const began = performance.now();
  const result = await client.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
  return {
    name: operatorName(),
    // It goes on: what is recorded at the end of a command comes after what the command has made.
    get now() {
      return Math.floor(result.rows[0]!.ms + performance.now() - began);
    },
  };
}

export function operatorName(): string {
  return `command line (${userName()})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // containers often run as a user without a name
  }
}
