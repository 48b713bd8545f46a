import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../../base/page.ts';
import { catalog, describedBy, operations } from '../../../../catalog.ts';
import { startServer } from '../../../../test/harness.ts';
import { documentationPages } from '../../documentation.ts';
import { openApi } from '../../openapi/document.ts';
import { guideNames, readGuides } from '../guides.ts';
import { apiModel } from '../model.ts';
import { GuideSamples } from './guide_samples.ts';
import { typescriptClient } from './typescript.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const described = describedBy(catalog);
const document = openApi(described);
const called = {
  document,
  operations: apiModel(document).resources.flatMap((resource) => resource.operations),
  inputs: new Map(described.operations.map(({ name, input }) => [name, input])),
};
const pages = new Map(documentationPages(described, 'dev').map((page) => [page.path, page]));

/** The samples of a page in one language, as they would be copied. */
async function samplesOn(path: string, label: string, host = 'localhost:8443'): Promise<string[]> {
  const { body } = await pages.get(path)!.render({ headers: { host } } as PageRequest);
  const blocks = body.matchAll(new RegExp(`<figcaption>${label}</figcaption>\\s*<pre[^>]*><code>([^<]*)</code>`, 'g'));
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return [...blocks].map(([, code]) => code!.replaceAll(/&\w+;/g, (entity) => entities[entity]!));
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('an example of a guide', () => {
  const sampleOf = (...blocks: string[]) => {
    const samples = new GuideSamples(called);
    return blocks.map((block) => samples.next(block)).at(-1);
  };
  const store =
    "pm=$(api $base/v1/payment_methods -d type=card -d 'card[number]=4242424242424242' \\\n  -d 'card[exp_month]=12' -d 'card[exp_year]=2030' | jq -r .id)";

  test('is the same in TypeScript and in Python, with the types of its parameters', () => {
    expect(sampleOf(`${store}\napi $base/v1/payments -d amount=2000 -d currency=eur -d payment_method=$pm`)).toEqual({
      typescript: `const paymentMethod = await tollgate.paymentMethods.create({
  type: 'card',
  card: { number: '4242424242424242', exp_month: 12, exp_year: 2030 },
});
await tollgate.payments.create({
  amount: 2000,
  currency: 'eur',
  payment_method: paymentMethod.id,
});`,
      python: `payment_method = tollgate.payment_methods.create(
    type="card",
    card={"number": "4242424242424242", "exp_month": 12, "exp_year": 2030},
)
tollgate.payments.create(
    amount=2000,
    currency="eur",
    payment_method=payment_method["id"],
)`,
    });
  });

  test('knows the variables of earlier examples, the path, the query, JSON, a key and a comment', () => {
    expect(sampleOf(store, 'api $base/v1/payment_methods/$pm')!.typescript).toBe(
      'console.log(await tollgate.paymentMethods.retrieve(paymentMethod.id));',
    );
    const list =
      'id=$(api "$base/v1/payments?status=failed&limit=1" | jq -r \'.data[0].id\')\napi -X POST $base/v1/payments/$id/capture';
    expect(sampleOf(list)).toEqual({
      typescript: `const payments = await tollgate.payments.list({ status: 'failed', limit: 1 });
await tollgate.payments.capture(payments.data[0]!.id);`,
      python: `payments = tollgate.payments.list(status="failed", limit=1).page()
tollgate.payments.capture(payments.data[0]["id"])`,
    });
    const json = `${store}\napi $base/v1/customers --json '{"name": "Ada", "metadata": {"card": "the '$pm'", "vip": true}}'`;
    expect(sampleOf(json)!.python).toContain(`metadata={"card": f"the {payment_method['id']}", "vip": True}`);
    expect(sampleOf(json)!.typescript).toContain(`metadata: { card: \`the \${paymentMethod.id}\`, vip: true }`);
    const key = 'api $base/v1/customers -H "Idempotency-Key: order-7" -d name=Ada';
    expect(sampleOf(key)).toEqual({
      typescript: "await tollgate.customers.create({ name: 'Ada' }, { idempotencyKey: 'order-7' });",
      python: 'tollgate.customers.create(name="Ada", idempotency_key="order-7")',
    });
    expect(sampleOf('# A reader:\napi $base/v1/balance')).toEqual({
      typescript: '// A reader:\nconsole.log(await tollgate.balance.retrieve());',
      python: '# A reader:\nprint(tollgate.balance.retrieve())',
    });
  });

  test.each([
    ['another program', 'npx tollgate status'],
    ['a loop', 'until api $base/v1/balance; do sleep 1; done'],
    ['a variable that is no answer', 'api $base/v1/payments/$other'],
    ['a variable that something else has set since', 'api $base/v1/payment_methods/$pm', store, 'pm=$(cat pm.txt)'],
    ['another header', "api $base/v1/balance -H 'Accept: text/csv'"],
    ['a file', 'api $base/v1/balance > balance.json'],
    ['a path that is no operation', 'api $base/v1/nothing'],
    ['a parameter that does not exist', 'api $base/v1/customers -d emial=ada@example.com'],
    ['more than a member of an answer', "id=$(api $base/v1/payments | jq -r '.data[].id')"],
  ])('stays as it is if it has %s', (_, block, ...before) => {
    expect(sampleOf(...before, block)).toBeUndefined();
  });
});

/** Every sample in TypeScript as a file: those of the reference, and each guide as one program. */
function typescriptPrograms(samples: readonly string[]): Map<string, string> {
  const guides = readGuides(guideNames()).guides.map(({ name, text }): [string, string] => {
    const translated = new GuideSamples(called);
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => translated.next(block!.trimEnd()));
    return [`guide-${name}.ts`, typescriptClient() + blocks.flatMap((one) => one?.typescript ?? []).join('\n')];
  });
  return new Map([...samples.map((code, at): [string, string] => [`sample-${at}.ts`, code]), ...guides]);
}

const resourcePaths = [...new Set(operations.map(({ name }) => `/docs/${name.split('.')[0]}`))];
const allSamples = async (label: string) =>
  (await Promise.all([...resourcePaths, '/docs'].map((path) => samplesOn(path, label)))).flat();

test('every sample in TypeScript is one that the compiler accepts, with the types of the client', async () => {
  const samples = (await allSamples('TypeScript')).filter((code) => !code.startsWith('npm'));
  expect(samples.length).toBe(operations.length + 1);
  for (const [name, code] of typescriptPrograms(samples)) writeFileSync(join(folder, name), code);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = {
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      types: ['node'],
    },
    ...{ target: 'es2024', module: 'nodenext', lib: ['es2024'], skipLibCheck: true, allowImportingTsExtensions: true },
    paths: { '@tollgate/node': [join(root, 'sdk', 'src', 'index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, code = 0 } = await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(
    (error) => error,
  );
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
});

test.skipIf(!hasPython)('every sample in Python is one that Python can read', async () => {
  const guides = (await Promise.all(guideNames().map((name) => samplesOn(`/docs/guides/${name}`, 'Python')))).flat();
  const programs = [...(await allSamples('Python')).filter((code) => !code.startsWith('pip')), ...guides];
  expect(programs.length).toBeGreaterThan(operations.length + 40);
  const check = 'import ast, json, sys\nfor program in json.load(sys.stdin): ast.parse(program)';
  const { status, stderr } = spawnSync('python3', ['-c', check], { input: JSON.stringify(programs), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test.skipIf(!hasPython)('the first payment of the first page is made by each of its programs', async () => {
  const server = await startServer();
  try {
    const { testKey, test: client } = await server.account();
    mkdirSync(join(folder, '.tollgate', 'tls'), { recursive: true });
    const ca = join(folder, '.tollgate', 'tls', 'ca.pem');
    writeFileSync(ca, server.ca);
    const env = {
      ...process.env,
      TOLLGATE_API_KEY: testKey,
      NODE_EXTRA_CA_CERTS: ca,
      PYTHONPATH: join(root, 'sdk-python'),
    };
    const { host } = new URL(server.baseUrl);
    const last = async (label: string) => (await samplesOn('/docs', label, host)).at(-1)!;
    const options = { cwd: folder, env };
    const byCurl = await run('bash', ['-c', await last('curl')], options);
    expect(JSON.parse(byCurl.stdout).status).toBe('succeeded');
    const program = (await last('TypeScript')).replace("'@tollgate/node'", `'${join(root, 'sdk', 'src', 'index.ts')}'`);
    writeFileSync(join(folder, 'first.ts'), program);
    const byNode = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'first.ts'], options);
    const byPython = await run('python3', ['-c', await last('Python')], options);
    expect([byNode.stdout, byPython.stdout]).toEqual(['succeeded\n', 'succeeded\n']);
    const { data } = (await client.get('/v1/payments')).json;
    expect(data).toHaveLength(3);
    for (const { amount, description } of data) expect([amount, description]).toEqual([2000, 'Order 7']);
  } finally {
    await server.stop();
  }
});
