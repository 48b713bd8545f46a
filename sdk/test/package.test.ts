import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
// By its path: by its name, Vitest would import its source.
import { checkPackage, createPackageFromTarballData } from '../../node_modules/@arethetypeswrong/core/dist/index.js';
import { clientTarball } from '../../server/http/pages/sdk/built.ts';
import { startServer, type TestServer } from '../../server/test/harness.ts';
import { isTorture, shareOf } from '../../server/test/torture.ts';

/** The package as a user gets it: packed, installed into an empty project, with its manual played from top to bottom. */

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');
const modules = join(sdk, '..', 'node_modules');
const readme = readFileSync(join(sdk, 'README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block!);

const gzippedMax = 15 * 1_024;
/** The Node of this machine, which may be older than that of the checkout. */
const olderNode = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((path) => existsSync(path));

let server: TestServer;
let project: string;
let tarball: string;
let played: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tollgate-sdk-'));
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: sdk });
  tarball = globSync('*.tgz', { cwd: project }).map((name) => join(project, name))[0]!;
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  server = await startServer();
  played = await play();
});

afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

/** Runs the shell blocks of the manual. The others are one program, which the shell blocks run. */
async function play(): Promise<string> {
  const { testKey } = await server.account();
  mkdirSync(join(project, '.tollgate', 'tls'), { recursive: true });
  writeFileSync(join(project, '.tollgate', 'tls', 'ca.pem'), server.ca);
  const dev = { base_url: server.baseUrl, test_secret_key: testKey };
  writeFileSync(join(project, '.tollgate', 'dev.json'), JSON.stringify(dev));
  const program = blocks('ts')
    .join('\n')
    .replace('listen(3000)', `listen(${await freePort()})`);
  writeFileSync(join(project, 'pay.ts'), `${program}\nreceiver.close();\n`);
  // It needs no registry, and Node is the one that runs this test.
  const npm = `npm() { command npm "$@" --silent --offline --no-audit --no-fund; }`;
  const script = ['set -eu', npm, `node() { "$NODE" "$@"; }`, ...blocks('sh')].join('\n');
  const env = { ...process.env, NODE: process.execPath };
  const { stdout, stderr } = await run('bash', ['--norc', '-c', script], { cwd: project, env });
  expect(stderr.replaceAll(/^npm warn.*\n/gm, '')).toBe('');
  return stdout;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test('every block of the manual runs, and prints what its comments say', () => {
  const languages = [...readme.matchAll(/```(\w*)\n/g)].map(([, language]) => language).filter(Boolean);
  expect(new Set(languages)).toEqual(new Set(['sh', 'text', 'ts']));
  const shown = [...readme.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text!);
  const lines = played.split('\n');
  const texts = shown.filter((text) => !text.startsWith('a '));
  expect(texts.length).toBeGreaterThan(4);
  for (const text of texts) {
    const pattern = new RegExp(`^${text.replaceAll('…', '\\w+')}$`);
    expect(
      lines.some((line) => pattern.test(line)),
      text,
    ).toBe(true);
  }
});

test('a gateway serves the same package: npm installs it from there, without another server', async () => {
  const served = await server.anonymous.get('/sdk/tollgate-node.tgz');
  const bytes = (await clientTarball())!;
  expect(served.headers).toMatchObject({ 'content-type': 'application/gzip', 'content-length': String(bytes.length) });
  const shop = mkdtempSync(join(tmpdir(), 'tollgate-shop-'));
  const unpacked = (file: string) => {
    const folder = mkdtempSync(join(shop, 'unpacked-'));
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    const paths = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
    const files = paths.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return files.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]);
  };
  writeFileSync(join(shop, 'served.tgz'), bytes);
  expect(unpacked(join(shop, 'served.tgz'))).toEqual(unpacked(tarball));
  const ca = join(project, '.tollgate', 'tls', 'ca.pem');
  // As the guides say it. With NODE_EXTRA_CA_CERTS it would fail wherever npm has a `cafile` already: npm then trusts that file alone.
  const trust = ['--cafile', ca];
  const options = ['--prefix', shop, '--no-audit', '--no-fund', '--registry', server.baseUrl];
  await run('npm', ['install', ...trust, ...options, `${server.baseUrl}/sdk/tollgate-node.tgz`], { cwd: shop });
  const installed = join(shop, 'node_modules', '@tollgate', 'node');
  expect(readFileSync(join(installed, 'dist', 'index.js'), 'utf8')).toContain('Tollgate');
  rmSync(shop, { recursive: true });
});

test('the package has what it needs, and nothing else', () => {
  const installed = join(project, 'node_modules', '@tollgate', 'node');
  const files = globSync('**/*', { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile());
  const kinds = new Set(files.map(({ name }) => name.replace(/^.*?(\.d)?\.(?=\w+$)/, '$1.')));
  expect([...kinds].sort()).toEqual(['.d.ts', '.js', '.json', '.md', 'LICENSE']);
  const { dependencies, ...manifest } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(manifest).toMatchObject({ name: '@tollgate/node', type: 'module', engines: { node: '>=20' } });
  const code = globSync('**/*.js', { cwd: installed }).map((path) => readFileSync(join(installed, path), 'utf8'));
  expect(gzipSync(code.join('\n')).length).toBeLessThan(gzippedMax);
  expect(code.join('\n')).not.toMatch(/from '(?!\.)|\bprocess\b|\bBuffer\b|\brequire\(/);
});

test.runIf(isTorture)('publint and "are the types wrong" find nothing', async () => {
  const bytes = readFileSync(tarball);
  const data = new Uint8Array(bytes).buffer;
  const { messages } = await publint({ pack: { tarball: data } });
  expect(messages).toEqual([]);
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));
  // It is an ES module alone: CommonJS imports it dynamically, or has a Node whose `require` takes ES modules (20.19, 22.12).
  const isOfModules = (kind: string) => kind === 'node10' || kind === 'node16-cjs';
  const relevant = ({ kind, ...problem }: { kind: string }) =>
    kind === 'NoResolution' || !('resolutionKind' in problem && isOfModules(String(problem.resolutionKind)));
  expect(analysis.types && 'problems' in analysis && analysis.problems.filter(relevant)).toEqual([]);
});

test('its types are right for users of Node, of a browser and of an edge runtime', async () => {
  const fixture = readFileSync(join(sdk, 'test', 'types.fixture.ts'), 'utf8');
  writeFileSync(join(project, 'types.ts'), fixture.replaceAll('../src/index.ts', '@tollgate/node'));
  mkdirSync(join(project, 'node_modules', '@types'), { recursive: true });
  symlinkSync(join(modules, '@types', 'node'), join(project, 'node_modules', '@types', 'node'));
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true };
  const common = { ...strict, target: 'es2022', module: 'nodenext', skipLibCheck: false };
  const projects = {
    node: { options: { lib: ['es2022'], types: ['node'], skipLibCheck: true }, files: ['types.ts', 'pay.ts'] },
    browser: { options: { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }, files: ['types.ts'] },
    edge: { options: { lib: ['es2022', 'webworker'], types: [] }, files: ['types.ts'] },
  };
  for (const [name, { options, files }] of Object.entries(projects).slice(0, shareOf(3, 1))) {
    const config = { compilerOptions: { ...common, ...options }, files };
    writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify(config));
    const tsc = join(modules, 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: project }).catch(
      (error) => error,
    );
    expect(stdout, name).toBe('');
  }
});

test('its types are found by the module resolution of old projects', async () => {
  writeFileSync(
    join(project, 'old.ts'),
    `import { Tollgate, type Payment } from '@tollgate/node';
     export const paid = ({ amount }: Payment): number => amount;
     export const wrong: Tollgate = 7;`,
  );
  // The compiler of the checkout no longer has this resolution; the one that comes with "are the types wrong" does.
  const tsc = join(modules, '@arethetypeswrong', 'core', 'node_modules', 'typescript', 'bin', 'tsc');
  const options = {
    moduleResolution: 'node10',
    module: 'commonjs',
    target: 'es2020',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
  };
  const config = { compilerOptions: { ...options, strict: true, noEmit: true }, files: ['old.ts'] };
  writeFileSync(join(project, 'tsconfig.old.json'), JSON.stringify(config));
  const { stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.old.json'], { cwd: project }).catch(
    (error) => error,
  );
  expect(stdout.trim()).toMatch(
    /^old\.ts\(3,19\): error TS2322: Type 'number' is not assignable to type 'Tollgate'\.$/,
  );
});

// The manual was played by the Node of the checkout.
test.skipIf(olderNode === undefined)('it is imported and used by the Node of this machine', async () => {
  const program = `
    import { Tollgate, webhooks } from '@tollgate/node';
    import { readFileSync } from 'node:fs';
    const { base_url: baseUrl, test_secret_key: apiKey } = JSON.parse(readFileSync('.tollgate/dev.json', 'utf8'));
    const { id } = await new Tollgate({ baseUrl, apiKey, sign: true }).customers.create({ name: 'Ada' });
    const secret = 'whsec_eOeN6EXokIQmuAqnMQe2Pw7hv05Z5FANbcITQhC98zjK';
    const body = JSON.stringify({ id: 'evt_1', type: 'customer.created' });
    const event = await webhooks.verify(body, await webhooks.sign(body, secret), secret);
    console.log(id.slice(0, 4), event.type);`;
  writeFileSync(join(project, 'use.mjs'), program);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(project, '.tollgate', 'tls', 'ca.pem') };
  const { stdout } = await run(olderNode!, ['use.mjs'], { cwd: project, env });
  expect(stdout).toBe('cus_ customer.created\n');
});
