import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../client.ts';
import { fastest } from '../fastest.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type DevServer, postmasterOf } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const startMs = 10_000;
const children = new Children();
const home = children.directory("My Shop's data ");
/** The directory of another server, which has stopped. */
const elsewhere = children.directory();
const dataDir = join(home, '.tollgate');
const devFile = join(dataDir, 'dev.json');

/** A Node that is too old, where there is one. */
const oldNode = found('node').find((node) => {
  const [, major] = /^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) < 24;
});

let server: (DevServer & { startedBy: string }) | undefined;

/** The server of this file's data directory: the tests below stop it, kill it and start it again. */
async function running(node = process.execPath): Promise<DevServer> {
  if (server === undefined || server.child.ending !== undefined)
    server = { ...(await children.dev({ cwd: home, node })), startedBy: node };
  return server;
}

async function stopped(): Promise<void> {
  if (server !== undefined && server.child.ending === undefined) await server.child.stop('SIGINT');
}

/** The printed line to paste. */
function printedCurl(stdout: string): string {
  const [, text] = /Try it:\n\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  if (text === undefined) throw new Error(`no line to try in:\n${stdout}`);
  return text;
}

async function paste(line: string, cwd: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = children.spawn('bash', ['-c', line], { cwd, environment: children.environment() });
  const { code } = await child.ends();
  return { code, stdout: child.stdout, stderr: child.stderr };
}

function found(program: string): string[] {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program));
  return places.filter((place) => existsSync(place));
}

const withoutCurl = 'curl is not on this machine, so the printed line cannot be tried';

afterAll(() => children.cleanUp());

describe('the first start', () => {
  test('is ready within 10 s and prints the address, a key and a curl line', async () => {
    const { child, file } = await running();
    console.log(`measured: first start on an empty directory ready in ${server!.readyMs} ms`);
    const firsts = [server!];
    const start = async () => (firsts.pop() ?? (await children.dev({ cwd: children.directory() }))).readyMs;
    expect(await fastest(startMs, start)).toBeLessThan(startMs);
    expect(file.base_url).toMatch(/^https:\/\/localhost:\d+$/);
    expect(file.test_secret_key).toMatch(/^sk_test_tg_[0-9A-Za-z]{38}$/);
    expect(file.live_secret_key).toMatch(/^sk_live_tg_[0-9A-Za-z]{38}$/);
    expect(child.stdout).toContain(`API       ${file.base_url}\n`);
    expect(child.stdout).toContain(`Test key  ${file.test_secret_key}\n`);
    expect(printedCurl(child.stdout)).toMatch(/^\s*curl /);
    expect(child.stderr).toBe('');
    expect(child.stdout).not.toContain(file.live_secret_key);
  });

  test('stores its details in dev.json, readable by its owner only', async () => {
    const { file } = await running();
    expect(Object.keys(file).sort()).toEqual([
      'account',
      'base_url',
      'ca_file',
      'checkout_url',
      'dashboard',
      'live_secret_key',
      'payment_link',
      'test_secret_key',
    ]);
    expect(statSync(devFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'vault.key')).mode & 0o777).toBe(0o600);
    expect(file.ca_file).toBe(join(dataDir, 'tls', 'ca.pem'));
  });

  test('both keys work, each in its own mode', async () => {
    const { client, file } = await running();
    const test = await client(file.test_secret_key).post('/v1/customers', { name: 'Test' });
    const live = await client(file.live_secret_key).post('/v1/customers', { name: 'Live' });
    expect([test.status, live.status]).toEqual([200, 200]);
    expect((await client(file.live_secret_key).get(`/v1/customers/${test.json.id}`)).status).toBe(404);
  });

  test('a request works as it is copied from the log in the dashboard: by curl, and as a program', async ({ skip }) => {
    skip(found('curl').length === 0, withoutCurl);
    const { client, file } = await running();
    const api = client(file.test_secret_key);
    const sent = { name: `Ada O'Brien`, metadata: { order: '1 $(id)', note: 'a\nb' } };
    const { headers } = await api.post('/v1/customers', sent);
    const logged = () => api.get(`/v1/request_logs/${headers['request-id']}`);
    const { json: request } = await until('the request is logged', patienceMs, async () => {
      const answer = await logged();
      return answer.json.answer !== undefined && answer;
    });
    // By its address: the program that checks these types knows no JSX.
    const { codeOf } = await import(new URL('../../../dashboard/src/pages/request_log/sent.ts', import.meta.url).href);
    const { curl, typescript } = codeOf(request, { origin: file.base_url, caFile: file.ca_file });
    const pasted = await paste(`export TOLLGATE_KEY=${file.test_secret_key}\n${curl}`, elsewhere);
    expect(pasted).toMatchObject({ code: 0 });
    expect(JSON.parse(pasted.stdout)).toMatchObject({ object: 'customer', ...sent });
    const program = join(elsewhere, 'copied.mts');
    writeFileSync(program, typescript);
    const source = `--import=${join(import.meta.dirname, '..', 'sdk_source.fixture.ts')}`;
    const environment = { ...children.environment(), TOLLGATE_KEY: file.test_secret_key };
    const child = children.spawn(process.execPath, [source, program], { cwd: elsewhere, environment });
    const { code } = await child.ends();
    expect([code, child.stderr]).toEqual([0, '']);
    expect(child.stdout).toContain(`name: "Ada O'Brien"`);
  });

  test('the printed curl line creates a customer', async ({ skip }) => {
    skip(found('curl').length === 0, withoutCurl);
    const { child, client, file } = await running();
    const pasted = await paste(printedCurl(child.stdout), home);
    expect(pasted).toMatchObject({ code: 0 });
    const customer = JSON.parse(pasted.stdout);
    expect(customer).toMatchObject({ object: 'customer', name: 'Ada Lovelace', email: 'ada@example.com' });
    expect((await client(file.test_secret_key).get(`/v1/customers/${customer.id}`)).json).toEqual(customer);
  });

  test.runIf(isTorture)(
    'is completed by the next start when it was killed at any step; SIGTERM stops that one cleanly',
    async () => {
      const cwd = elsewhere;
      const below = (...names: string[]) => join(cwd, '.tollgate', ...names);
      const steps = [
        below('postgres.password'),
        below('postgres'),
        below('vault.key'),
        below('tls', 'server.pem'),
        below('dev.json'),
      ];
      for (const step of isTorture ? steps : [below('postgres')]) {
        const child = children.tollgate(['dev'], { cwd, environment: { PORT: '0' } });
        await until(`${step} is there`, patienceMs, () => existsSync(step) || child.ending);
        expect({ step, ending: child.ending, said: child.stderr }).toMatchObject({ ending: undefined, said: '' });
        await child.stop('SIGKILL');
      }
      // Under nohup it also outlives its terminal.
      const hasNohup = found('nohup').length > 0;
      const { child, client, file } = await children.dev({ cwd, prefix: hasNohup ? ['nohup'] : [] });
      expect((await client(file.test_secret_key).post('/v1/customers', { name: 'A' })).status).toBe(200);
      if (hasNohup) child.signal('SIGHUP');
      expect((await client(file.live_secret_key).post('/v1/customers', { name: 'A' })).status).toBe(200);
      expect(await child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    },
  );
});

describe('a start is refused', () => {
  test('on a data directory that another server uses, which keeps running', async () => {
    const first = await running();
    const second = await children.run(['dev'], { cwd: home, environment: { PORT: '0' } });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    const sentence = `The data directory ${dataDir} is in use by another Tollgate (process ${first.child.pid}). Stop that one, or choose another TOLLGATE_DATA_DIR.`;
    expect(second.stderr.trim()).toBe(sentence);
    expect(JSON.parse(readFileSync(devFile, 'utf8'))).toEqual(first.file);
    expect((await first.client(first.file.test_secret_key).get('/v1/customers')).status).toBe(200);
    expect(first.child.ending).toBeUndefined();
  });

  test('on a port that is in use, and the process ends', async () => {
    const first = await running();
    const port = new URL(first.baseUrl).port;
    const second = await children.run(['dev'], { cwd: elsewhere, environment: { PORT: port } });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^The port.* is in use by another program\. .*PORT.*\n$/);
  });
});

/** Two signals within 100 ms count as one: a clean stop, exit code 0. */
async function stopsByTwoSignals({ child }: DevServer): Promise<void> {
  const postmaster = postmasterOf(dataDir);
  const before = performance.now();
  child.signal('SIGINT');
  child.signal('SIGINT');
  const apart = performance.now() - before;
  expect(await child.ends()).toEqual({ code: 0, signal: null });
  expect(apart).toBeLessThan(100);
  expect(child.stderr).toBe('');
  expect(postmaster).toBeDefined();
  expect(postmasterOf(dataDir)).toBeUndefined();
  const lines = readFileSync(join(dataDir, 'postgres.log'), 'utf8').trim().split('\n');
  expect(lines.at(-1)).toContain('database system is shut down');
}

describe('a restart', () => {
  test('in another directory, after a stop by two signals in a row, keeps the data and the keys, and its curl line works there', async () => {
    const before = await running();
    const made = await before.client(before.file.test_secret_key).post('/v1/customers', { name: 'Kept' });
    await stopsByTwoSignals(before);
    const outside = children.directory();
    const after = await children.dev({ cwd: outside, environment: { TOLLGATE_DATA_DIR: dataDir } });
    server = { ...after, startedBy: process.execPath };
    console.log(`measured: restart after a clean stop ready in ${after.readyMs} ms`);
    expect(after.file.test_secret_key).toBe(before.file.test_secret_key);
    expect(after.file.live_secret_key).toBe(before.file.live_secret_key);
    expect(after.child.stdout).toContain(`API       ${after.file.base_url}\n`);
    const again = await after.client(after.file.test_secret_key).get(`/v1/customers/${made.json.id}`);
    expect(again).toMatchObject({ status: 200, text: made.text });

    expect(dataDir).toMatch(/ .*'|'.* /);
    if (found('curl').length === 0) return console.log(`skipped: ${withoutCurl}`);
    const pasted = await paste(printedCurl(after.child.stdout), outside);
    expect(pasted).toMatchObject({ code: 0, stdout: expect.stringContaining('"object":"customer"') });
  });

  test.runIf(isTorture)(
    'after a stop that hung, and that a second signal cut short, is ready within 10 s; without dev.json it has new keys',
    async () => {
      let before: DevServer | undefined;
      let made: Answer | undefined;
      const hangAndEnd = async () => {
        before = await running();
        const { child, baseUrl, ca, file, client } = before;
        // An incomplete request delays a stop until its time limit of 15 s.
        const socket = await halfRequest(baseUrl, ca, file.test_secret_key);
        made = await client(file.test_secret_key).post('/v1/customers', { name: 'Kept' });
        expect(made.status).toBe(200);
        child.signal('SIGINT');
        await until('it stops', patienceMs, async () => !(await accepts(baseUrl)));
        await sleep(600);
        expect(child.ending).toBeUndefined();
        const secondAt = performance.now();
        child.signal('SIGINT');
        const ending = await child.ends();
        const tookMs = Math.round(performance.now() - secondAt);
        socket.destroy();
        console.log(`measured: a second signal ends a hanging stop in ${tookMs} ms`);
        expect(ending).toEqual({ code: 1, signal: null });
        return tookMs;
      };
      expect(await fastest(2_000, hangAndEnd)).toBeLessThan(2_000);
      rmSync(devFile);
      // Started for the test of an old Node, too. Under torture, those in between start it in other ways.
      const after = await running(isTorture ? undefined : oldNode);
      expect(after.child.stdout).toMatch(
        /^dev\.json was missing.*new keys were made, and the old ones are revoked\.$/m,
      );
      expect(statSync(devFile).mode & 0o777).toBe(0o600);
      for (const name of ['test_secret_key', 'live_secret_key'] as const) {
        expect(after.file[name]).not.toBe(before!.file[name]);
        const refused = await after.client(before!.file[name]).get('/v1/customers');
        expect(refused).toMatchObject({ status: 401, json: { error: { code: 'api_key_revoked' } } });
      }
      const same = await after.client(after.file.test_secret_key).get(`/v1/customers/${made!.json.id}`);
      expect(same.status).toBe(200);
      const starts = [after];
      const start = async () => {
        const started = starts.pop();
        if (started === undefined) await stopped();
        return (started ?? (await running())).readyMs;
      };
      expect(await fastest(startMs, start)).toBeLessThan(startMs);
    },
  );

  // Of serve, crash.test.ts tests the same in every run.
  test.runIf(isTorture)('after a kill -9 has everything that was acknowledged', async () => {
    const before = await running();
    const made = await before.client(before.file.test_secret_key).post('/v1/customers', { name: 'Survivor' });
    const killedAt = performance.now();
    expect(await before.child.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    const after = await running();
    const again = await after.client(after.file.test_secret_key).get(`/v1/customers/${made.json.id}`);
    const downMs = Math.round(performance.now() - killedAt);
    console.log(`measured: kill -9, restart ready in ${after.readyMs} ms, first answer ${downMs} ms after the kill`);
    expect(again).toMatchObject({ status: 200, text: made.text });
    expect(after.file.test_secret_key).toBe(before.file.test_secret_key);
  });

  test.runIf(isTorture)('is stopped by a signal that comes as soon as it prints that it runs', async () => {
    await stopped();
    const atOnce = join(elsewhere, 'at_once.mjs'); // a space in the path would split the option
    writeFileSync(
      atOnce,
      `const write = process.stdout.write;
       process.stdout.write = function (text, ...rest) {
         const result = write.call(this, text, ...rest);
         if (String(text).includes('Tollgate is running')) process.kill(process.pid, 'SIGTERM');
         return result;
       };`,
    );
    const environment = { PORT: '0', NODE_OPTIONS: `--import=${atOnce}` };
    const { code, signal } = await children.run(['dev'], { cwd: home, environment });
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});

describe('an old Node', () => {
  const withoutOldNode = 'no Node older than 24 is on PATH';

  test('starts the right one instead: output, signals and the exit code pass through', async ({ skip }) => {
    skip(oldNode === undefined, withoutOldNode);
    if (server?.startedBy !== oldNode) await stopped();
    const { child, client, file } = await running(oldNode);
    expect(readlinkSync(`/proc/${child.pid}/exe`)).toBe(realpathSync(oldNode!));
    expect((await client(file.test_secret_key).get('/v1/customers')).status).toBe(200);
    // Like Ctrl-C in a terminal: the old process forwards its signal.
    expect(await child.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(child.stderr).toBe('');
    expect(postmasterOf(dataDir)).toBeUndefined();
  });

  test('passes failures through as well', async ({ skip }) => {
    skip(oldNode === undefined, withoutOldNode);
    const failed = await children.run(['accounts', 'create'], { cwd: home, node: oldNode! });
    expect(failed).toMatchObject({ code: 2, stderr: "error: required option '--name <name>' not specified\n" });
  });
});

/** Whether the port still accepts connections. */
function accepts(baseUrl: string): Promise<boolean> {
  const socket = connectTcp({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

async function halfRequest(baseUrl: string, ca: string, key: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port), servername: 'localhost', ca });
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve));
  const head = [
    'POST /v1/customers HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ];
  await new Promise<void>((resolve, reject) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n{"name":`, (error) => (error ? reject(error) : resolve()));
  });
  return socket;
}
