import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiDocument } from '../../sdk/scripts/generator/document.ts';
import { startServer, type TestServer } from '../../server/test/harness.ts';
import { pythonIsMissing } from '../../server/test/python.ts';
import { isTorture } from '../../server/test/torture.ts';
import { generatePythonClient, readPythonClient } from '../scripts/generate.ts';
import { generatedFiles } from '../scripts/generator/files.ts';
import { classOf, docstring, typeOf } from '../scripts/generator/python.ts';

/** The Python client: its generated part, and the tests in Python beside this file, run by the Python of this machine. */

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

const whyNot = pythonIsMissing('The Python client');
const canInstall = spawnSync('python3', ['-c', 'import setuptools, wheel, pip']).status === 0;

test('the generated part is what `npm run generate` makes', () => {
  const [there, made] = [readPythonClient(), generatePythonClient()];
  const stale = [...new Set([...there.keys(), ...made.keys()])].filter((path) => there.get(path) !== made.get(path));
  expect(stale, 'Run: npm run generate').toEqual([]);
});

const { version } = JSON.parse(readFileSync(join(folder, '..', 'sdk', 'package.json'), 'utf8'));

test('both clients have the same version', () => {
  expect(generatePythonClient().get('version.py')).toContain(`version = "${version}"`);
});

test.each([
  [{ type: 'string' }, 'str'],
  [{ type: 'integer', format: 'int64' }, 'int'],
  [{ type: ['string', 'null'] }, 'Optional[str]'],
  [{ type: ['string', 'null'], enum: ['a', 'b"c', null] }, 'Literal["a", "b\\"c", None]'],
  [{ const: true }, 'Literal[True]'],
  [{ $ref: '#/components/schemas/Payment' }, 'Payment'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, 'List[Union[str, float]]'],
  [{ allOf: [{ $ref: '#/components/schemas/Payment' }], description: 'Why' }, 'Payment'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Dict[str, int]'],
  [{ description: 'Anything' }, 'Any'],
  [
    {
      anyOf: [
        { type: 'object', properties: { a: {} } },
        { type: 'object', properties: { b: {} } },
      ],
    },
    'Union[X, X2]',
  ],
])('%o is a type', (schema, type) => {
  expect(typeOf(schema, { name: 'X', classes: [] })).toBe(type);
});

test('an object is a class, after the classes of its members', () => {
  const inner = { type: 'object', required: ['gt'], properties: { gt: { type: 'integer', description: 'After.' } } };
  expect(classOf({ name: 'Filter', schema: { description: 'Which.', properties: { created_at: inner } } })).toBe(
    [
      'class FilterCreatedAt(TypedDict):\n    gt: int\n    """After."""\n\n',
      '\nclass Filter(TypedDict):\n    """Which."""\n\n    created_at: NotRequired[FilterCreatedAt]\n',
    ].join(''),
  );
});

test('what the generator cannot write is an error', () => {
  expect(() => typeOf({ type: 'tuple' }, { name: 'X', classes: [] })).toThrow('no type');
  expect(() => classOf({ name: 'X', schema: { properties: { from: {} } } })).toThrow('from is no name in Python');
  const parameters = [{ name: 'options', in: 'query', schema: { type: 'string' } }];
  const get = {
    ...{ operationId: 'a.list', summary: 'List', 'x-scope': 'a:read', parameters },
    responses: { '200': { content: { 'application/json': { schema: { type: 'object' } } } } },
  };
  const document: ApiDocument = {
    ...{ tags: [], webhooks: {}, components: { schemas: {} }, 'x-error-codes': {} },
    paths: { '/v1/a': { get } },
  };
  expect(() => generatedFiles(document, '1')).toThrow('already has a parameter options');
});

test('a text that documents is wrapped, and cannot end early', () => {
  expect(docstring(0, 'say "hello"')).toBe('"""say "hello" """\n');
  expect(docstring(0, 'a """ b \\ c')).toBe('"""a \'\'\' b \\\\ c"""\n');
  const lines = docstring(4, 'word '.repeat(60)).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
});

let server: TestServer;
let project: string;

beforeAll(async () => {
  if (whyNot !== undefined) return;
  server = await startServer({ purpose: 'dev', environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  const account = await server.account();
  project = mkdtempSync(join(tmpdir(), 'tollgate-python-'));
  mkdirSync(join(project, '.tollgate', 'tls'), { recursive: true });
  const ca_file = join(project, '.tollgate', 'tls', 'ca.pem');
  writeFileSync(ca_file, server.ca);
  const { key } = await server.key(account.id, { signatureRequired: true });
  const dev = { base_url: server.baseUrl, ca_file, test_secret_key: account.testKey, signing_key: key };
  writeFileSync(join(project, '.tollgate', 'dev.json'), JSON.stringify(dev));
});

afterAll(async () => {
  if (whyNot !== undefined) return;
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

const environment = (more: Record<string, string>) => ({ ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...more });

test.skipIf(whyNot !== undefined)(
  'the tests in Python pass, against answers of every kind and a whole gateway',
  async () => {
    const env = environment({ TOLLGATE_DEV: join(project, '.tollgate', 'dev.json') });
    const { stderr } = await run('python3', ['-W', 'error', '-m', 'unittest', 'discover', '-t', '.', '-s', 'test'], {
      cwd: folder,
      env,
    });
    expect(stderr).toMatch(/\nRan 2\d tests in .*\n\nOK\n$/);
  },
);

test.skipIf(whyNot !== undefined)('the manual runs from top to bottom, and prints what its comments say', async () => {
  const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, block]) => block!);
  writeFileSync(join(project, 'pay.py'), blocks.join('\n'));
  const env = environment({ PYTHONPATH: folder });
  const { stdout } = await run('python3', ['-W', 'error', 'pay.py'], { cwd: project, env });
  const shown = [...readme.matchAll(/print\(.*\) {2}# (.*)$/gm)].map(([, text]) => text!);
  expect(shown.length).toBeGreaterThan(5);
  for (const text of shown)
    expect(stdout.split('\n')).toContainEqual(
      expect.stringMatching(new RegExp(`^${text.replaceAll('…', '\\w+').replaceAll(/[()]/g, '\\$&')}$`)),
    );
});

test.skipIf(whyNot !== undefined)('a gateway serves its source', async () => {
  const archive = join(project, 'served.tar.gz');
  const program = `
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[2])
open(sys.argv[3], "wb").write(urllib.request.urlopen(sys.argv[1], context=context).read())`;
  const url = `${server.baseUrl}/sdk/tollgate-python.tar.gz`;
  await run('python3', ['-c', program, url, join(project, '.tollgate', 'tls', 'ca.pem'), archive]);
  const look = 'import tarfile; print(*sorted(tarfile.open("served.tar.gz").getnames()), sep="\\n")';
  const { stdout } = await run('python3', ['-c', look], { cwd: project });
  const served = stdout.trim().split('\n');
  const inside = globSync('tollgate/**/*.py', { cwd: folder });
  const top = ['LICENSE', 'README.md', 'pyproject.toml', 'tollgate/py.typed'];
  expect(served).toEqual([...top, ...inside].map((path) => `tollgate-${version}/${path}`).sort());
});

/** Where pip needs nothing from elsewhere. */
test.skipIf(whyNot !== undefined || !canInstall || !isTorture)('pip installs it from a gateway', async () => {
  const target = join(project, 'installed');
  const ca = join(project, '.tollgate', 'tls', 'ca.pem');
  const options = ['--quiet', '--no-build-isolation', '--no-index', '--no-deps', '--disable-pip-version-check'];
  const url = `${server.baseUrl}/sdk/tollgate-python.tar.gz`;
  // Certificates that a machine names for pip would count more than the option.
  const others = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_CA_BUNDLE$|^PIP_/.test(name)));
  const command = ['-m', 'pip', 'install', ...options, '--cert', ca, '--target', target, url];
  await run('python3', command, { cwd: project, env: others });
  const { stdout } = await run('python3', ['-c', 'import tollgate; print(tollgate.__version__)'], {
    cwd: project,
    env: environment({ PYTHONPATH: target }),
  });
  expect(stdout).toBe(`${version}\n`);
  expect(existsSync(join(target, 'tollgate', 'py.typed'))).toBe(true);
});
