import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pause } from '../../base/timers.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { type Child, type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, entry } from './children.ts';

/** Real chains of processes: a server ends with the npx, npm or old Node that it was started by, and with nothing else. */

vi.setConfig({ testTimeout: testMs });

const root = join(import.meta.dirname, '..', '..', '..');
const children = new Children();
const home = children.directory();
const servers: number[] = [];
let environment: Environment;
let database: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  database = await createDatabase();
  // npx finds the command as it does in a checkout.
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  environment = children.environment(children.serveEnvironment({ DATABASE_URL: database.url }));
});
afterAll(async () => {
  for (const pid of servers.filter(isAlive)) process.kill(pid, 'SIGKILL');
  await children.cleanUp();
  await database.drop();
});

function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const parentOf = (pid: number) => Number(statOf(pid)[1]);

function isAlive(pid: number): boolean {
  try {
    return statOf(pid)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** The last process of the chain that begins here. */
function lastBelow(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return child === undefined ? pid : lastBelow(child);
}

type Chain = { first: Child; server: number };

async function started(program: string, args: string[]): Promise<Chain> {
  const first = children.spawn(program, args, { cwd: home, environment });
  await first.prints(/"port":\d+,"msg":"serving"/);
  const server = lastBelow(first.pid);
  servers.push(server);
  return { first, server };
}

/** The output stays open until the last process that writes to it has ended. */
async function endsByItself({ first }: Chain): Promise<void> {
  await first.ends();
  expect(first.stdout).toMatch(/"msg":"the process that started this server has ended: stopping"/);
  expect(first.stdout).toMatch(/"msg":"stopped"\}\n$/);
}

async function losesItsParent({ first, server }: Chain): Promise<void> {
  const parent = parentOf(server);
  for (let pid = server; pid !== first.pid; ) {
    pid = parentOf(pid);
    process.kill(pid, 'SIGKILL');
  }
  await until(`server ${server} has a new parent`, patienceMs, () => parentOf(server) !== parent);
}

/** Called when a server that lost its wrapper at the same time has ended. */
async function isStillServing({ first, server }: Chain): Promise<void> {
  process.kill(server, 'SIGTERM');
  await first.ends();
  expect(first.stdout).not.toContain('the process that started this server has ended');
  expect(first.stdout).toMatch(/"signal":"SIGTERM","msg":"stopping"\}\n(?:.*\n)*.*"msg":"stopped"\}\n$/);
}

/** SIGTERM ends npx and its shell, SIGKILL only npx. A process costs a second, so the second one is left to torture. */
const signals: NodeJS.Signals[] = isTorture ? ['SIGTERM', 'SIGKILL'] : ['SIGTERM'];

const inShell = (text: string) => started('sh', ['-c', text]);

describe.runIf(process.platform === 'linux')('a server', () => {
  test('ends with npx, however that ends; in the background it ends with no parent', async () => {
    const background = await inShell(`nohup '${process.execPath}' '${entry}' serve & wait`);
    const wrapped = await Promise.all(signals.map(() => started('npx', ['tollgate', 'serve'])));
    await losesItsParent(background);
    for (const [at, signal] of signals.entries()) wrapped[at]!.first.signal(signal);
    await Promise.all(wrapped.map(endsByItself));
    await isStillServing(background);
  });

  test.runIf(isTorture)('that was sent a SIGHUP, to reload, still ends with npx', async () => {
    const wrapped = await started('npx', ['tollgate', 'serve']);
    process.kill(wrapped.server, 'SIGHUP');
    await pause(5_000); // wrappers that end within three seconds of it are taken to have ended with their terminal
    wrapped.first.signal('SIGTERM');
    await endsByItself(wrapped);
  });

  test.runIf(isTorture)('of an old Node ends with it', async ({ skip }) => {
    const nodes = execFileSync('which', ['-a', 'node'], { encoding: 'utf8' }).split('\n').filter(Boolean);
    const old = nodes.find(
      (node) => !/^v(2[4-9]|[3-9]\d)/.test(execFileSync(node, ['--version'], { encoding: 'utf8' })),
    );
    skip(old === undefined, 'no Node older than 24 is on PATH');
    const chain = await started(old!, [entry, 'serve']);
    chain.first.signal('SIGKILL');
    await endsByItself(chain);
  });

  test.runIf(isTorture)('of npm start ends with npm', async () => {
    const own = children.environment({ PORT: '0', TOLLGATE_DATA_DIR: join(home, 'data'), LOG_LEVEL: 'info' });
    const first = children.spawn('npm', ['start'], { cwd: root, environment: own });
    await first.prints(/Ctrl-C stops it/);
    first.signal('SIGKILL');
    await first.ends();
    expect(first.stdout).toMatch(/"msg":"the process that started this server has ended: stopping"/);
  });

  test.runIf(isTorture)('in the background of an npm script, or under nohup, is not stopped', async () => {
    const chains = await Promise.all([
      started('npx', ['-c', 'tollgate serve & wait']),
      started('npx', ['-c', 'setsid tollgate serve & wait']),
      inShell(`setsid '${process.execPath}' '${entry}' serve & wait`),
    ]);
    const hungUp = await started('setsid', ['nohup', 'npx', 'tollgate', 'serve']);
    const wrapped = await started('npx', ['tollgate', 'serve']);
    for (const chain of chains) await losesItsParent(chain);
    // A terminal that closes sends its signal to the whole group. npm does not survive it, not even under nohup.
    process.kill(-hungUp.first.pid, 'SIGHUP');
    await until('npm has ended', patienceMs, () => !isAlive(hungUp.first.pid));
    wrapped.first.signal('SIGKILL');
    await endsByItself(wrapped);
    for (const chain of [...chains, hungUp]) await isStillServing(chain);
  });
});
