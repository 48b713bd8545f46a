import type { Binaries } from './binaries.ts';
import type { Launcher } from './launcher.ts';
import type { ClusterPaths } from './paths.ts';

/** Where a PostgreSQL listens: the directory of its socket, and the port that the socket's name ends with. */
export type SocketAddress = { host: string; port: number };

/** Never opened on the network; each cluster has a separate socket directory, so the number is always free. */
export const usualPort = 5_432;

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '128MB',
  // Under load a smaller one forces checkpoints in quick succession, each with its own burst of full page writes.
  max_wal_size: '4GB',
  wal_level: 'replica',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A failed statement is reported to the client that sent it. In this log its text could quote a value that must not be in any
  // log, and a client that provokes conflicts could fill the disk. The server's own reports are kept: LOG, FATAL, PANIC.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export type ServerOptions = {
  paths: ClusterPaths;
  binaries: Binaries;
  launcher: Launcher;
  settings: Readonly<Record<string, string>>;
};

export function serverCommand(
  { paths, binaries, launcher, settings }: ServerOptions,
  address: SocketAddress,
): string[] {
  const all = {
    ...defaultSettings,
    ...settings,
    // The rest of this folder relies on these, so `settings` cannot change them.
    unix_socket_directories: address.host,
    unix_socket_permissions: '0700',
    port: String(address.port),
    cluster_name: paths.clusterName,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [...launcher.prefix, binaries.postgres, '-D', paths.cluster, ...flags];
}
