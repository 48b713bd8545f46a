import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';
import { ifThere } from '../files.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError, explainingFailure } from './errors.ts';
import { currentUser, giveTo, type Launcher, nobody, type SystemUser } from './launcher.ts';
import { ensurePassword, readPassword } from './password.ts';
import type { ClusterPaths } from './paths.ts';
import { runProgram } from './programs.ts';
import { databaseName, databaseUser, roleStatements, superuser } from './roles.ts';

const initLimitMs = 120_000;
const draftPrefix = 'postgres.init-';

/** Drafts that this process is filling, which its own clean-up must not remove. */
const draftsInWork = new Set<string>();

/** The user that PostgreSQL has to run as: the owner of the cluster, if we may choose. */
export async function clusterUser(paths: ClusterPaths): Promise<SystemUser> {
  const self = currentUser();
  if (self.uid !== 0) return self;
  if ((await clusterFiles(paths.cluster)).length === 0) return nobody;
  const { uid, gid } = await stat(paths.cluster);
  return uid === 0 ? nobody : { uid, gid };
}

/** Makes the cluster on the first start, checks it on every later one, and returns its password. */
export async function ensureCluster(paths: ClusterPaths, binaries: Binaries, launcher: Launcher): Promise<string> {
  await explainingFailure(
    `The data directory ${paths.dataDir} cannot be tidied up`,
    'Run Tollgate as the user who made it, or choose another TOLLGATE_DATA_DIR.',
    () => removeAbandonedDrafts(paths.dataDir),
  );
  if ((await clusterFiles(paths.cluster)).length === 0) await makeCluster(paths, binaries, launcher);
  await checkCluster(paths, launcher);
  const password = await readPassword(paths.passwordFile);
  if (password !== undefined) return password;
  throw new EmbeddedPostgresError(
    `The file ${paths.passwordFile} with the password of the existing database is missing. Restore it from a backup of the data directory, or choose another TOLLGATE_DATA_DIR.`,
  );
}

async function clusterFiles(cluster: string): Promise<string[]> {
  return (await readCluster(cluster, readdir(cluster))) ?? [];
}

async function readCluster<T>(cluster: string, reading: Promise<T>): Promise<T | undefined> {
  return explainingFailure(
    `The database directory ${cluster} cannot be read`,
    'Run Tollgate as the user who made it, or choose another TOLLGATE_DATA_DIR.',
    () => ifThere(reading),
  );
}

async function checkCluster({ cluster }: ClusterPaths, launcher: Launcher): Promise<void> {
  const version = await readCluster(cluster, readFile(join(cluster, 'PG_VERSION'), 'utf8'));
  if (version === undefined) {
    throw new EmbeddedPostgresError(
      `${cluster} holds files but no PostgreSQL database. Move them away, or choose another TOLLGATE_DATA_DIR.`,
    );
  }
  if (version.trim() !== launcher.majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} was made by PostgreSQL ${version.trim()}, but this Tollgate brings PostgreSQL ${launcher.majorVersion}. Run the Tollgate version that made it, or move the data over with pg_dump and restore it into a new TOLLGATE_DATA_DIR.`,
    );
  }
  const { uid } = await stat(cluster);
  if (uid !== launcher.user.uid) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to the user with uid ${uid}, but PostgreSQL would run with uid ${launcher.user.uid}. Run Tollgate as the owner, or change the owner: chown -R ${launcher.user.uid}:${launcher.user.gid} '${cluster}'`,
    );
  }
}

/**
 * The cluster is made in a draft directory and renamed when it is complete, database included. A crash before that leaves only a
 * draft, and of two first starts at the same moment one wins and the other finds a complete cluster.
 */
async function makeCluster(paths: ClusterPaths, binaries: Binaries, launcher: Launcher): Promise<void> {
  await explainingFailure(
    `The database directory ${paths.cluster} cannot be made`,
    'Give the user that runs Tollgate the right to write there, or choose another TOLLGATE_DATA_DIR.',
    async () => {
      const password = await withDraft(paths, (draft) => ensurePassword(paths.passwordFile, draft));
      await withDraft(paths, (draft) =>
        withDraft(paths, async (passwordDraft) => {
          await mkdir(draft, { mode: 0o700 });
          // A copy, because the user that PostgreSQL runs as may not be allowed to read ours.
          await writeFile(passwordDraft, `${password}\n`, { mode: 0o600, flag: 'wx' });
          for (const path of [draft, passwordDraft]) await giveTo(launcher.user, path);
          await fillDraft(draft, { passwordFile: passwordDraft, password, binaries, launcher });
          await moveIntoPlace(draft, paths);
        }),
      );
    },
  );
}

/** Gives `work` a name for something unfinished, and removes whatever is left under that name afterwards. */
async function withDraft<T>(paths: ClusterPaths, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = join(paths.dataDir, `${draftPrefix}${process.pid}-${randomBytes(6).toString('hex')}`);
  draftsInWork.add(draft);
  try {
    return await work(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
    draftsInWork.delete(draft);
  }
}

type DraftParts = { passwordFile: string; password: string; binaries: Binaries; launcher: Launcher };

async function fillDraft(draft: string, { passwordFile, password, binaries, launcher }: DraftParts): Promise<void> {
  const initdb = [
    ...[binaries.initdb, '-D', draft, `--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'],
  ];
  await runStep(launcher, initdb, '');
  const database = `create database ${databaseName} owner ${databaseUser} strategy file_copy`;
  await runAlone(draft, binaries, launcher, [...roleStatements(password), database]);
}

/** Runs statements as the superuser, without a server: each is a separate line. */
export async function runAlone(
  cluster: string,
  binaries: Binaries,
  launcher: Launcher,
  statements: readonly string[],
): Promise<void> {
  const command = [binaries.postgres, '--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres'];
  await runStep(launcher, command, `${statements.join('\n')}\n`);
}

async function runStep(launcher: Launcher, command: string[], input: string): Promise<void> {
  const result = await runProgram([...launcher.prefix, ...command], { limitMs: initLimitMs, input });
  if (result.ok) return;
  if (/could not look up effective user ID/.test(result.output)) {
    throw new EmbeddedPostgresError(
      `The user with uid ${launcher.user.uid} has no entry in /etc/passwd, and PostgreSQL cannot make a database without one. Add an entry, run Tollgate as a user who has one, or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  throw new EmbeddedPostgresError(
    `The built-in PostgreSQL could not make its database. Correct what its output names (mostly disk space or file permissions), or choose another TOLLGATE_DATA_DIR. The end of its output:\n${result.output}`,
  );
}

async function moveIntoPlace(draft: string, paths: ClusterPaths): Promise<void> {
  try {
    await rename(draft, paths.cluster);
  } catch (error) {
    // Another process was faster, with the same password.
    if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'EEXIST') return;
    throw error;
  }
  // The new name survives a power failure only once its directory is on disk.
  const directory = await open(paths.dataDir, 'r');
  await directory.sync().finally(() => directory.close());
}

async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!name.startsWith(draftPrefix) || draftsInWork.has(path)) continue;
    const maker = Number.parseInt(name.slice(draftPrefix.length), 10);
    // In a container, an abandoned draft often has our own process id, from the previous start.
    if (maker === process.pid || !processExists(maker)) await rm(path, { recursive: true, force: true });
  }
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
