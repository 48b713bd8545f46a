import { chown } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { type ProgramResult, runProgram } from './programs.ts';

export type SystemUser = { uid: number; gid: number };

/** How PostgreSQL's programs are started on this machine. */
export type Launcher = {
  /** Precedes the program on its command line. It ends in an exec, so the process id is that of the program. */
  prefix: readonly string[];
  /** The user that PostgreSQL runs as. The cluster must belong to it. */
  user: SystemUser;
  /** The owner of the socket directory. */
  socketOwner: SystemUser;
  /** For example "18". */
  majorVersion: string;
};

/** PostgreSQL refuses to run as root. Started by root, it runs as "nobody", the one other user that every system has. */
export const nobody: SystemUser = { uid: 65_534, gid: 65_534 };

const probeLimitMs = 10_000;

/** When our process dies, the kernel sends PostgreSQL the signal for a fast shutdown, so that no orphan keeps running. */
const endWithUs = ['--pdeathsig', 'INT'];

type LauncherCandidate = { prefix: string[]; socketOwner: SystemUser };

/** Tries the ways to start PostgreSQL, best first, and returns the first that works here. */
export async function chooseLauncher(
  postgres: string,
  user: SystemUser,
  setpriv = 'setpriv',
  self: SystemUser = currentUser(),
): Promise<Launcher> {
  const refusals: ProgramResult[] = [];
  for (const { prefix, socketOwner } of self.uid === 0 ? asRoot(user, setpriv) : asOrdinaryUser(self, setpriv)) {
    const probe = await runProgram([...prefix, postgres, '--version'], { limitMs: probeLimitMs });
    const [, majorVersion] = /PostgreSQL\) (\d+)/.exec(probe.output) ?? [];
    if (probe.ok && majorVersion !== undefined) return { prefix, user, socketOwner, majorVersion };
    refusals.push(probe);
  }
  throw self.uid === 0 ? refusalAsRoot(refusals, setpriv) : refusalAsOrdinaryUser(postgres, refusals);
}

export function currentUser(): SystemUser {
  // Both exist on every platform that there is a package for.
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

export async function giveTo(user: SystemUser, path: string): Promise<void> {
  if (user.uid !== currentUser().uid) await chown(path, user.uid, user.gid);
}

function asRoot(user: SystemUser, setpriv: string): LauncherCandidate[] {
  const changeUser = [setpriv, '--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
  // The one privilege that is kept overrides file permissions: checkout and data may be below directories that only root may enter.
  const keepAccess = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    { prefix: [...changeUser, ...keepAccess, ...endWithUs], socketOwner: { uid: 0, gid: 0 } },
    // Some containers grant root too few capabilities for that. There, the user itself needs access to everything.
    { prefix: [...changeUser, ...endWithUs], socketOwner: user },
  ];
}

function asOrdinaryUser(self: SystemUser, setpriv: string): LauncherCandidate[] {
  return [
    { prefix: [setpriv, ...endWithUs], socketOwner: self },
    // macOS and small images have no setpriv. There, the next start takes an orphan over.
    { prefix: [], socketOwner: self },
  ];
}

function refusalAsRoot(refusals: ProgramResult[], setpriv: string): EmbeddedPostgresError {
  if (refusals.every((refusal) => refusal.missing)) {
    return new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the program ${setpriv} (package util-linux), which would change the user, is missing. Run Tollgate as an ordinary user, install util-linux, or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  return new EmbeddedPostgresError(
    `The built-in PostgreSQL cannot be started from root (${lastLine(refusals)}). Run Tollgate as an ordinary user who can read its installation, or set DATABASE_URL to a PostgreSQL server of your own.`,
  );
}

function refusalAsOrdinaryUser(postgres: string, refusals: ProgramResult[]): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The built-in PostgreSQL does not run on this system (${lastLine(refusals)}). It needs a Linux with glibc, such as Debian or Ubuntu but not Alpine, or macOS, and the right to execute ${postgres}. Otherwise set DATABASE_URL to a PostgreSQL server of your own.`,
  );
}

function lastLine(refusals: ProgramResult[]): string {
  return refusals.at(-1)?.output.split('\n').at(-1) ?? 'no reason given';
}
