import { locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { clusterUser, ensureCluster, runAlone } from './cluster.ts';
import { chooseLauncher } from './launcher.ts';
import { makePaths } from './paths.ts';

/** A role of the tests, which make databases and roles. Tollgate's own role may not. */
export const tester = { user: 'tester', password: 'tester' };

/** Makes the cluster of a data directory, as a first start does; `statements` are run in it by the superuser. Not while its PostgreSQL runs. */
export async function makeCluster(dataDir: string, statements: readonly string[] = []): Promise<void> {
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  const paths = await makePaths(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(paths));
  await ensureCluster(paths, binaries, launcher);
  if (statements.length > 0) await runAlone(paths.cluster, binaries, launcher, statements);
}

/** The role of the tests, as a second superuser. */
export const testerStatements = [
  'set scram_iterations = 1', // thousands of connections are made
  `create role ${tester.user} superuser login password '${tester.password}'`,
];
