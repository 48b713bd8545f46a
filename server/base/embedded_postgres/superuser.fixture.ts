import { locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { clusterUser, ensureCluster, runAlone } from './cluster.ts';
import { chooseLauncher } from './launcher.ts';
import { makePlaces } from './places.ts';

/** A role of the tests, which make databases and roles. Tollgate's own role may not. */
export const tester = { user: 'tester', password: 'tester' };

/** Makes the cluster of a data directory, with the role of the tests as a second superuser. Not while its PostgreSQL runs. */
export async function addTester(dataDir: string): Promise<void> {
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  const places = await makePlaces(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(places));
  await ensureCluster(places, binaries, launcher);
  const { user, password } = tester;
  await runAlone(places.cluster, binaries, launcher, [
    'set scram_iterations = 1', // thousands of connections are made
    `create role ${user} superuser login password '${password}'`,
  ]);
}
