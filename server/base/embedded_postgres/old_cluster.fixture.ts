import { mkdir, writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import { locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { clusterUser } from './cluster.ts';
import { waitFor } from './harness.fixture.ts';
import type { PostgresConnection } from './index.ts';
import { chooseLauncher, giveTo } from './launcher.ts';
import { makePlaces } from './places.ts';
import { endPostmaster, startPostmaster } from './postmaster.ts';
import { runProgram } from './programs.ts';
import { usualPort } from './server_command.ts';
import { chooseSocketDirectory, makePrivateDirectory } from './socket_directory.ts';

export type OldCluster = { connection: PostgresConnection; pid: number; stop(): Promise<void> };

const password = 'the password of an earlier version';

async function partsOf(dataDir: string) {
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  const places = await makePlaces(dataDir);
  return { binaries, places, launcher: await chooseLauncher(binaries.postgres, await clusterUser(places)) };
}

/** A data directory as earlier versions made it: the role that Tollgate connects as is the superuser. */
export async function makeOldCluster(dataDir: string): Promise<void> {
  const { binaries, places, launcher } = await partsOf(dataDir);
  const passwordCopy = `${places.passwordFile}.copy`;
  await mkdir(places.cluster, { mode: 0o700 });
  for (const file of [places.passwordFile, passwordCopy]) await writeFile(file, `${password}\n`, { mode: 0o600 });
  for (const path of [places.cluster, passwordCopy]) await giveTo(launcher.user, path);
  const steps = [
    [
      ...[binaries.initdb, '-D', places.cluster, '--username=tollgate', `--pwfile=${passwordCopy}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin'],
      ...['--builtin-locale=C.UTF-8', '--data-checksums'],
    ],
    [binaries.postgres, '--single', '-D', places.cluster, '-c', 'exit_on_error=on', 'postgres'],
  ];
  const inputs = ['', 'create database tollgate strategy file_copy\n'];
  for (const [at, command] of steps.entries()) {
    const step = await runProgram([...launcher.prefix, ...command], { limitMs: 120_000, input: inputs[at]! });
    if (!step.ok) throw new Error(step.output);
  }
}

/** Its PostgreSQL, which has no owner. */
export async function startOldCluster(dataDir: string): Promise<OldCluster> {
  const { binaries, places, launcher } = await partsOf(dataDir);
  const host = await chooseSocketDirectory(places.identity, launcher.socketOwner);
  await makePrivateDirectory(host, launcher.socketOwner);
  const connection = { host, port: usualPort, user: 'tollgate', password, database: 'tollgate' };
  const child = await startPostmaster({ places, binaries, launcher, settings: { fsync: 'off' } }, connection);
  await waitFor('the old cluster serves', 60_000, () => connects(connection));
  return {
    connection,
    pid: child.pid,
    stop: () =>
      endPostmaster(
        child.pid,
        async () => child.ending() !== undefined,
        () => {},
      ),
  };
}

async function connects(connection: PostgresConnection): Promise<boolean> {
  const client = new Client(connection);
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
