import { lstatSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { binariesIn, locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { Belongings, runsAsRoot } from './harness.fixture.ts';
import { chooseLauncher, currentUser, nobody } from './launcher.ts';
import { openLogFile, readLogTail } from './log_file.ts';
import { chooseSocketDirectory, isPrivateDirectory } from './socket_directory.ts';

const belongings = new Belongings();
afterAll(() => belongings.cleanUp());

describe('the package with the binaries', () => {
  test('missing library links are made, and its programs run, also below a directory that others may not enter', {
    timeout: 180_000,
  }, async () => {
    const copy = join(await belongings.directory(), 'package');
    const isLink = (path: string) => lstatSync(path).isSymbolicLink();
    await cp(locateBinaries().packageDir, copy, { recursive: true, filter: (path) => !isLink(path) });
    await Promise.all([restoreLibraryLinks(copy), restoreLibraryLinks(copy)]);
    const links = JSON.parse(await readFile(join(copy, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) expect(await readlink(join(copy, target))).not.toContain('/');
    const user = runsAsRoot ? nobody : currentUser();
    expect((await chooseLauncher(binariesIn(copy).postgres, user)).majorVersion).toBe('18');
  });

  test('a link that cannot be made is reported with the remedy', async () => {
    const broken = await belongings.directory();
    await mkdir(join(broken, 'native'));
    const links = [{ source: 'native/lib/a.so.1', target: 'native/lib/a.so' }];
    await writeFile(join(broken, 'native', 'pg-symlinks.json'), JSON.stringify(links));
    await expect(restoreLibraryLinks(broken)).rejects.toThrow(/lacks the library link .*hydrate-symlinks\.js/);
  });

  test.each([
    ['win32', 'x64'],
    ['linux', 'riscv64'],
  ])('%s %s has no package, and the error names DATABASE_URL', (platform, architecture) => {
    expect(() => locateBinaries(platform, architecture)).toThrow(/no built-in PostgreSQL.*Set DATABASE_URL/);
  });

  test('a package for another system counts as not installed', () => {
    const other = process.platform === 'darwin' ? 'linux' : 'darwin';
    expect(() => locateBinaries(other, 'x64')).toThrow(/is not installed\. Run "npm ci"/);
  });
});

describe('the launcher', () => {
  const missing = '/nowhere/setpriv';
  const root = { uid: 0, gid: 0 };

  test('an ordinary user without setpriv starts programs directly', async () => {
    await restoreLibraryLinks(locateBinaries().packageDir);
    const self = { uid: 1_000, gid: 1_000 };
    expect((await chooseLauncher(locateBinaries().postgres, self, missing, self)).prefix).toEqual([]);
  });

  test('root without setpriv gets an error that says what to do', async () => {
    const chosen = chooseLauncher(locateBinaries().postgres, nobody, missing, root);
    await expect(chosen).rejects.toThrow(/does not run as root.*Run Tollgate as an ordinary user.*DATABASE_URL/);
  });

  test('a program that does not run on this system, such as Alpine, is reported with the remedy', async () => {
    const chosen = chooseLauncher('/nowhere/postgres', currentUser(), 'setpriv', { uid: 1_000, gid: 1_000 });
    await expect(chosen).rejects.toThrow(/does not run on this system.*not Alpine.*DATABASE_URL/);
  });
});

describe('the socket directory', () => {
  const identity = () => `test${process.pid}${Math.round(performance.now() * 1_000)}`;

  test('is the same each time and accessible to its owner only', async () => {
    const name = identity();
    const directory = await chooseSocketDirectory(name, currentUser());
    expect(await chooseSocketDirectory(name, currentUser())).toBe(directory);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    await rm(directory, { recursive: true });
  });

  test.each(['mode', 'owner'])('is another directory when the usual one has a foreign %s', async (what) => {
    if (what === 'owner' && !runsAsRoot) return;
    const name = identity();
    const usual = await chooseSocketDirectory(name, currentUser());
    if (what === 'mode') await chmod(usual, 0o777);
    else await chown(usual, 1, 1);
    const other = await chooseSocketDirectory(name, currentUser());
    expect(other).not.toBe(usual);
    expect(await isPrivateDirectory(usual, [currentUser()])).toBe(false);
    expect(await isPrivateDirectory(other, [currentUser()])).toBe(true);
    for (const directory of [usual, other]) await rm(directory, { recursive: true });
  });

  test('stays short enough for a socket when the temporary directory is deep', async () => {
    const deep = join(await belongings.directory(), 'd'.repeat(100));
    await mkdir(deep);
    vi.stubEnv('TMPDIR', deep);
    expect(tmpdir()).toBe(deep);
    const directory = await chooseSocketDirectory(identity(), currentUser());
    vi.unstubAllEnvs();
    expect(directory.startsWith('/tmp/tollgate-')).toBe(true);
    await rm(directory, { recursive: true });
  });
});

describe('the log of the server', () => {
  test('is rotated at a start when it is too large, and its tail begins with the last process', async () => {
    const path = join(await belongings.directory(), 'postgres.log');
    await writeFile(path, 'x'.repeat(10_485_761));
    const { file, position } = await openLogFile(path);
    await file.write('output of the new process\n');
    await file.close();
    expect(await readLogTail(path, position)).toBe('output of the new process');
    expect((await stat(`${path}.1`)).size).toBe(10_485_761);
    const again = await openLogFile(path);
    await again.file.write('once more\n');
    await again.file.close();
    expect(await readLogTail(path, again.position)).toBe('once more');
  });
});
