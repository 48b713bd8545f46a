import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openLog } from '../base/log.ts';
import { readConfig } from '../config.ts';
import { startGateway } from '../main.ts';
import { startServer, type TestServer, testMasterKey } from '../test/harness.ts';
import { cookieOf } from '../test/person.ts';
import { say } from './cli.fixture.ts';
import { provideDevFile } from './dev.ts';
import { type DevFile, readDevFile, writeDevFile } from './dev_file.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await startServer();
  path = join(mkdtempSync(join(tmpdir(), 'tollgate-dev-')), 'dev.json');
});
afterAll(() => server.stop());

const visitor = () => server.anonymous.with({ Origin: server.baseUrl });
const signIn = (fields: object) => visitor().post('/v1/sessions', fields);

/** As at a start: what dev.json says about the owner afterwards, and the link that is printed. */
async function start(announce?: (step: string) => void) {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  const { signIn: url } = await provideDevFile(server.gateway, path, announce);
  said.mockRestore();
  return { ...readDevFile(path).dashboard!, link: url.split('#link=')[1]! };
}

test('the owner of a development server keeps a password that they have chosen, and dev.json is true', async () => {
  const steps: string[] = [];
  const first = await start((step) => steps.push(step));
  expect(steps).toEqual(['Creating a demo account, its keys and its owner']);
  const { email } = first;
  const signedIn = await signIn({ link: first.link });
  expect(signedIn.json).toMatchObject({ user: { email }, accounts: [{ role: 'owner' }] });
  expect((await signIn({ email, password: first.password })).status).toBe(200);
  expect((await start((step) => steps.push(step))).password).toBe(first.password);
  expect(steps).toHaveLength(1);

  rmSync(path); // the password is lost, and nobody has chosen it
  const second = await start();
  expect(second.password).not.toBe(first.password);
  expect((await signIn({ email, password: second.password })).status).toBe(200);

  const chosen = 'what the owner has chosen';
  const owner = visitor().with({ Cookie: cookieOf(signedIn), 'X-Tollgate-CSRF': signedIn.json.csrf_token });
  const changed = await owner.post('/v1/me/password', { password: second.password, new_password: chosen });
  expect(changed.status).toBe(200);
  const third = await start();
  expect(third.password).toBeNull();
  expect((await signIn({ email, password: chosen })).status).toBe(200);
  expect((await signIn({ link: third.link })).status).toBe(200);

  rmSync(path);
  expect((await start()).password).toBeNull();
  expect((await signIn({ email, password: chosen })).status).toBe(200);
});

test('the page to pay on is made once, and again when its database is gone', async () => {
  await start();
  const first = readDevFile(path);
  await start();
  expect(readDevFile(path)).toMatchObject({ payment_link: first.payment_link, checkout_url: first.checkout_url });
  const page = await server.anonymous.get(new URL(first.checkout_url!).pathname);
  expect([page.status, page.text]).toEqual([200, expect.stringMatching(/Demo shop[\s\S]*Teapot/)]);
  writeDevFile(path, { ...first, payment_link: 'plink_0' } as DevFile);
  await start();
  expect(readDevFile(path).payment_link).not.toBe(first.payment_link);
});

test('tollgate dashboard prints another link, and says where to run it', async () => {
  await start();
  vi.stubEnv('TOLLGATE_DATA_DIR', dirname(path));
  vi.stubEnv('DATABASE_URL', server.databaseUrl);
  vi.stubEnv('TOLLGATE_VAULT_KEY', testMasterKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = await say('dashboard');
  const [, link] = /^https:\/\/localhost:\d+\/dashboard#link=(\S+)\n\(signs you in once, until .*Z\)\n$/.exec(
    said.stdout,
  )!;
  expect((await signIn({ link })).json.user.email).toBe(readDevFile(path).dashboard!.email);
  vi.stubEnv('TOLLGATE_DATA_DIR', '/nowhere');
  const elsewhere = await say('dashboard');
  expect(elsewhere).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no server of "tollgate dev" here/),
  });
});

test('a start says what it is doing before it does it, and the next start no longer creates anything', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-first-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const config = readConfig('dev', { TOLLGATE_DATA_DIR: dataDir, PORT: '0' });
  const steps: string[] = [];
  const first = await startGateway(config, openLog('silent').log, { announce: (step) => steps.push(step) });
  await first.stop();
  expect(steps).toEqual([
    `Creating a PostgreSQL database in ${dataDir}`,
    expect.stringMatching(/^Applying \d+ migrations$/),
    'Creating a certificate authority, and a certificate for localhost',
  ]);
  const again = await startGateway(config, openLog('silent').log, { announce: (step) => steps.push(step) });
  await again.stop();
  expect(steps.slice(3)).toEqual(['Starting PostgreSQL']);
});
