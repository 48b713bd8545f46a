import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { packagedFiles, toJavaScript } from '../../scripts/package.ts';
import { patienceMs, testMs, until } from './processes/child.ts';
import { Children, postmasterOf } from './processes/children.ts';
import { importsOf } from './repository.ts';
import { isTorture } from './torture.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const server = join(root, 'server');
const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
const files = packagedFiles();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-package-'));
const children = new Children();

afterAll(async () => {
  await children.cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** `@scope/name/file` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('the files of the package', () => {
  test('are the server as JavaScript, its migrations and the guides, without tests', () => {
    expect(files.has('server/commands/cli.js')).toBe(true);
    expect(files.has('server/migrations/0001_accounts.sql')).toBe(true);
    expect(files.has('docs/getting-started.md')).toBe(true);
    expect(files.has('LICENSE')).toBe(true);
    expect(files.get('docs/images/home.png')).toEqual(readFileSync(join(root, 'docs', 'images', 'home.png')));
    expect(
      [...files.keys()].filter((path) => /^dashboard\/dist\/\w+\/(index\.html|assets\/index-.*\.js\.gz)$/.test(path)),
    ).toHaveLength(2);
    expect(
      [...files.keys()].filter((path) => /\.ts$|test\/|\.test\.|\.fixture\.|harness|README\.md$/.test(path)),
    ).toEqual(['docs/README.md', 'sdk-python/README.md']);
    expect(files.has('sdk-python/tollgate/py.typed')).toBe(true);
  });

  test('import each other, Node, and dependencies of the package alone', () => {
    const known = new Set([...builtinModules.map((name) => `node:${name}`), ...dependencies]);
    const scripts = [...files].filter(([path]) => /^server.*\.js$/.test(path));
    const imports = scripts.flatMap(([path, text]) =>
      importsOf({ path, text: String(text), lines: [], isTest: false }),
    );
    expect(imports.length).toBeGreaterThan(1_000);
    const wrong = imports.filter(({ target }) => !files.has(target) && !known.has(packageOf(target)));
    expect(wrong.map(({ at, target }) => `${at} imports ${target}`)).toEqual([]);
  });

  test('have every line and column where the source has it', () => {
    const source = readFileSync(join(server, 'commands', 'cli.ts'), 'utf8');
    const widths = (text: string) => text.split('\n').map((line) => line.length);
    expect(widths(toJavaScript(source))).toEqual(widths(source));
  });
});

/** As npm installs it, with the dependencies of the checkout. */
function unpackInto(modules: string): string {
  const home = join(modules, 'tollgate');
  for (const [path, text] of files) {
    mkdirSync(dirname(join(home, 'dist', path)), { recursive: true });
    writeFileSync(join(home, 'dist', path), text);
  }
  cpSync(join(server, 'bin'), join(home, 'bin'), { recursive: true });
  cpSync(join(server, 'package.json'), join(home, 'package.json'));
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return join(home, 'bin', 'tollgate.js');
}

test('runs below node_modules, where Node strips no types', async () => {
  const entry = unpackInto(join(folder, 'node_modules'));
  const { stdout, stderr } = await run(process.execPath, [entry, '--version'], { cwd: folder });
  expect({ stdout, stderr }).toEqual({ stdout: `${manifest.version}\n`, stderr: '' });
  const options = { cwd: folder, env: children.environment({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }) };
  // Everything that a server needs has been imported by the time it finds no database.
  const failed = await run(process.execPath, [entry, 'dev'], options).catch((error) => error);
  expect(failed.stderr).toContain('127.0.0.1:1');
});

test('no package of the workspace refuses a Node that can install it', () => {
  for (const name of ['.', 'server', 'sdk', 'dashboard']) {
    const { engines } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
    // A checkout installs on Node 20 and brings the Node that it runs on; where it does not, bin/tollgate.js says so.
    const [, least] = /^>= ?(\d+)/.exec(engines?.node ?? '>=20') ?? [];
    expect(Number(least), `${name}: ${engines?.node}`).toBeLessThanOrEqual(20);
  }
});

function registryAnswers(): boolean {
  try {
    execFileSync('npm', ['ping'], { cwd: root, stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isTorture)('npm pack', () => {
  test('makes a package that runs in an empty folder with npx tollgate dev', { timeout: testMs }, async ({ skip }) => {
    skip(!registryAnswers(), 'no package registry answers, so the dependencies cannot be installed');
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: server });
    const [{ filename }] = JSON.parse(packed.stdout);
    expect(existsSync(join(server, 'dist')), 'the checkout is as it was').toBe(false);
    const home = children.directory('shop');
    await run('npm', ['install', '--no-save', join(folder, filename)], { cwd: home });
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const environment = children.environment({ PORT: '0', PATH: path });
    const dev = children.spawn('npx', ['tollgate', 'dev'], { cwd: home, environment });
    const [, line] = await dev.prints(/Try it:\n\n([\s\S]*?)\n\n/);
    const pasted = children.spawn('bash', ['-c', line!], { cwd: home, environment });
    await pasted.ends();
    expect(JSON.parse(pasted.stdout)).toMatchObject({ object: expect.any(String) });
    // npx passes no signal on, but ends, and the server ends with it.
    await dev.stop('SIGTERM');
    await until('PostgreSQL has stopped', patienceMs, () => postmasterOf(join(home, '.tollgate')) === undefined);
  });
});
