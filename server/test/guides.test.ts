import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../base/clock.ts';
import { abouts, errorTable, operations } from '../catalog.ts';
import { program } from '../commands/cli.ts';
import { welcome } from '../commands/fake_stripe.ts';
import { type FakeStripe, startFakeStripe } from '../fakes/stripe/index.ts';
import { share } from '../resources/billing/arithmetic/proration.ts';
import { raiseLimitCommand } from '../resources/people/accounts/account.ts';
import { runShell } from './answering_shell.ts';
import { alike, type Example, examplesOf, hasTools, setup, withoutIds } from './guide_examples.ts';
import { startServer, type TestServer, testMasterKey } from './harness.ts';
import { testMs } from './processes/child.ts';
import { Resident } from './processes/resident.ts';
import { quickCurl, quickJq } from './quick_programs.ts';
import { isTorture } from './torture.ts';

/**
 * Runs the shell examples of the guides, as a reader would: each guide from top to bottom in one shell, with the names that Getting
 * started sets up. Where a guide shows the answer of an example, it must be that answer. Commands of Tollgate are run in the guide that
 * needs their effect. In the others they are not, because that costs time; their options are looked up.
 *
 * Under torture, curl and jq run wherever an example names them. Otherwise they run in the guides that come first, and in each example
 * that has an option for the first time; elsewhere this process does the same (`quick_programs.ts`).
 */

const root = join(import.meta.dirname, '..', '..');
const documents = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const guides = ['README.md', ...documents.map((name) => join('docs', name))].filter(
  (path) => examplesOf(path).length > 0,
);
/** It walks through live mode, with a fake of Stripe. */
const liveGuide = join('docs', 'fake-stripe.md');
/** Their commands are run. */
const moveGuide = join('docs', 'move-from-stripe.md');
const commandGuides = [liveGuide, moveGuide, join('docs', 'invoices-by-mail.md')];

/** Stands for programs that are not run here. The two lists are what later examples read. */
const stubs = `
npm() { :; }; node() { :; }; pg_dump() { :; }
npx() { case "$*" in
  *'accounts list --json') echo '[{"id":"acct_1"}]' ;;
  *'keys list'*--json) echo '[{"id":"key_1","name":"reporting"}]' ;;
esac; }
sleep() { ask sleep "$1"; }
set -u
`;

/** Commands are run, by a process that runs one after the other. */
const realCommands = 'npx() { shift; ask tollgate "$@"; }';

const realPrograms = 'unset -f curl jq';
const quickPrograms = `
curl() { ask curl "$@" || command curl "$@"; }
jq() { local input; IFS= read -r -d '' input; ask jq "$input" "$@" || printf '%s' "$input" | command jq "$@"; }`;

/** Where a reader begins. */
const firstGuides = ['README.md', join('docs', 'getting-started.md')];
const optionsRun = new Set<string>();

/** Whether the example is run by curl and jq themselves. Asked once for each example, in their order. */
function isRunForReal(path: string, { shell }: Example): boolean {
  const options = shell.match(/(?<=\s)--?[A-Za-z][\w-]*/g) ?? [];
  const isNew = options.some((option) => !optionsRun.has(option));
  for (const option of options) optionsRun.add(option);
  return isTorture || isNew || firstGuides.includes(path);
}

let server: TestServer;
let fake: FakeStripe;
/** An account in test mode, which moves. */
let movingFake: FakeStripe;
let receiver: Server;
let agent: Agent;
let directory: string;
let aheadMs = 0;
/** Of commands that did not succeed. */
const complaints: string[] = [];

beforeAll(async () => {
  const clock: Clock = {
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
    ahead: () => aheadMs,
  };
  server = await startServer({ clock, purpose: 'dev', environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  fake = await startFakeStripe({ port: 0, clock, livemode: true });
  movingFake = await startFakeStripe({ port: 0, clock });
  directory = mkdtempSync(join(tmpdir(), 'tollgate-guides-'));
  agent = new Agent({ keepAlive: true, ca: server.ca });
  // Takes the webhooks that examples have sent.
  receiver = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
});

async function letPass(milliseconds: number): Promise<void> {
  aheadMs += milliseconds;
  fake.world.catchUp(); // what is due by now; otherwise it is done a moment later
  await fake.webhooks.settled();
  await server.settled();
}

/** As in the directory of `tollgate dev`, which has the key of the vault in its data directory. */
async function runCommand(args: string[]): Promise<string> {
  const environment = { PATH: process.env.PATH!, DATABASE_URL: server.databaseUrl };
  const { code, stdout, stderr } = await Resident.shared.run({ args, cwd: directory, environment });
  if (code !== 0 || stderr !== '') complaints.push(`tollgate ${args.join(' ')}: ${code} ${stderr}`);
  return stdout;
}

afterAll(async () => {
  receiver.close();
  agent.destroy();
  await fake.close();
  await movingFake.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const separator = '--- example ---';
const guideSeparator = '--- guide ---';

/** Lets time pass where an example sleeps, and does what curl, jq and Tollgate would do. */
async function answer(program: string, args: string[]): Promise<string | undefined> {
  if (program === 'sleep') {
    await letPass(1_000 * Number(args[0]));
    return '';
  }
  if (program === 'tollgate') return runCommand(args);
  return program === 'curl' ? quickCurl(args, agent) : quickJq(args[0]!, args.slice(1));
}

/** All guides together send more than the demo account may in a minute. `tollgate status` says what to do about it. */
async function raiseLimit(): Promise<void> {
  const status = await Resident.shared.run({
    args: ['status', '--json'],
    cwd: directory,
    environment: { PATH: process.env.PATH!, DATABASE_URL: server.databaseUrl },
  });
  const { requests_per_minute, raised_by } = JSON.parse(status.stdout).demo_limit;
  expect(requests_per_minute).toBe(100);
  await runCommand(raised_by.split(' ').slice(2));
}

/** All guides in one run, each in a separate shell that knows the setup alone. */
async function play(): Promise<{ outputs: string[][]; stderr: string }> {
  const { id: account, testKey, liveKey } = await server.account({ tier: 'standard' });
  mkdirSync(join(directory, '.tollgate', 'tls'), { recursive: true });
  const caFile = join(directory, '.tollgate', 'tls', 'ca.pem');
  writeFileSync(caFile, server.ca);
  writeFileSync(join(directory, '.tollgate', 'vault.key'), testMasterKey);
  const keys = { test_secret_key: testKey, live_secret_key: liveKey };
  const dev = { base_url: server.baseUrl, ca_file: caFile, account, ...keys };
  writeFileSync(join(directory, '.tollgate', 'dev.json'), JSON.stringify(dev));
  writeFileSync(join(directory, 'fake-stripe.txt'), welcome(fake));
  await raiseLimit();
  writeFileSync(join(directory, 'my-stripe.txt'), welcome(movingFake));

  const shells = guides.map((path) => {
    const examples = examplesOf(path).map((example) => {
      const programs = isRunForReal(path, example) ? realPrograms : quickPrograms;
      return `echo '${separator}'\n${programs}\n${example.shell}`;
    });
    const commands = commandGuides.includes(path) ? realCommands : '';
    return `echo '${guideSeparator}'\n(\n${commands}\n${examples.join('\n')}\n)\n`;
  });
  const { port } = receiver.address() as AddressInfo;
  const script = [stubs, setup, ...shells, 'true'].join('\n').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  const env = { PATH: process.env.PATH!, DATABASE_URL: '' };
  const { stdout, stderr } = await runShell(script, { cwd: directory, env, answer });
  const played = stdout.split(`${guideSeparator}\n`).slice(1);
  return { outputs: played.map((output) => output.split(`${separator}\n`).slice(1)), stderr };
}

describe.skipIf(!hasTools)('the examples of the guides work in order, and give what is shown', () => {
  let played: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    played = await play();
  }, testMs);

  test.each(guides)('%s', (path) => {
    const examples = examplesOf(path);
    const outputs = played.outputs[guides.indexOf(path)]!;
    for (const [at, { shell, shown }] of examples.entries()) {
      const lines = outputs[at]?.split('\n').filter((line) => line !== '') ?? [];
      if (shown !== undefined) expect(alike(lines.at(-1) ?? 'null'), shell).toEqual(alike(shown));
      if (shown?.startsWith('{"error"') !== true) expect(outputs[at], shell).not.toContain('{"error"');
    }
    expect(outputs).toHaveLength(examples.length);
  });

  test('none of them complains', () => {
    expect(played.stderr).toBe('');
    expect(complaints).toEqual([]);
  });

  test('the walk through live mode ends with books that agree, and with the payout', () => {
    const output = played.outputs[guides.indexOf(liveGuide)]!.find((shown) =>
      shown.includes('Our ledger and the statement'),
    );
    const [, shown] = /```text\n(There is no difference[\s\S]*?)```/.exec(readFileSync(join(root, liveGuide), 'utf8'))!;
    expect(withoutIds(output!)).toContain(withoutIds(shown!));
  });

  test('the move from Stripe begins with the report that is shown', () => {
    const [, shown] = /```text\n( +read[\s\S]*?)```/.exec(readFileSync(join(root, moveGuide), 'utf8'))!;
    const outputs = played.outputs[guides.indexOf(moveGuide)]!;
    expect(outputs.some((output) => output.includes(shown!))).toBe(true);
  });
});

test('in development, a request over the limit is refused with the command that raises it', async () => {
  const { id, test: client } = await server.account({ rateLimit: 1 });
  const answers = [await client.get('/v1/events'), await client.get('/v1/events'), await client.get('/v1/events')];
  const refused = answers.find(({ status }) => status === 429)!; // a new minute may begin in between
  expect(refused.json.error.message).toMatch(
    /^Too many requests: the limit is 1 per minute\. Try again in \d+ s\. To raise it on this machine: /,
  );
  expect(refused.json.error.message).toContain(`: ${raiseLimitCommand(id)}`);
  const serving = await startServer({ databaseUrl: server.databaseUrl });
  onTestFinished(() => serving.stop());
  const inProduction = serving.client((await server.account({ rateLimit: 1 })).testKey);
  await inProduction.get('/v1/events');
  expect((await inProduction.get('/v1/events')).json.error?.message ?? '').not.toContain('npx');
});

test('the help on an invalid body says what is refused, and what is not', async () => {
  const client = (await server.account()).test;
  const claims: [claim: string, body: string, status: number][] = [
    ['Send one JSON object', '[]', 400],
    ['Duplicate keys', '{"name":"a","name":"b"}', 400],
    ['integers that a double cannot hold exactly', '{"metadata":{"n":9007199254740993}}', 400],
    ['NUL characters', '{"name":"a\\u0000"}', 400],
    ['unpaired surrogates', '{"name":"\\ud800"}', 400],
    ['Fractions are read as doubles', '{"metadata":{"n":0.1000000000000000000001}}', 200],
    ['Fractions are read as doubles', '{"metadata":{"n":0.3}}', 200],
  ];
  for (const [claim, body, status] of claims) {
    expect(errorTable.body_invalid!.help).toContain(claim);
    const answer = await client.post('/v1/customers', body, { 'Content-Type': 'application/json' });
    expect(answer.status, body).toBe(status);
  }
});

test('the options of all commands in the guides exist', () => {
  const optionsOf = (command: Command): string[] => [
    ...command.options.flatMap(({ long }) => long ?? []),
    ...command.commands.flatMap(optionsOf),
  ];
  const known = new Set(['--help', ...optionsOf(program({ operations, abouts }))]);
  const unknown = guides.flatMap((path) => {
    const commands = readFileSync(join(root, path), 'utf8').match(/npx tollgate [^\n`|]+/g) ?? [];
    const options = commands.flatMap((command) => command.match(/--[a-z][a-z0-9.-]*/g) ?? []);
    return options.filter((option) => !known.has(option)).map((option) => `${path}: ${option}`);
  });
  expect(unknown).toEqual([]);
});

test('the sums in the billing rules are right', () => {
  const rules = readFileSync(join(root, 'docs', 'billing-rules.md'), 'utf8');
  const sums = [...rules.matchAll(/(-?)round\((\d+) × (\d+) ÷ (\d+)\) = (-?\d+)/g)];
  expect(sums).toHaveLength(7);
  for (const [sum, sign, amount, part, whole, result] of sums)
    expect(share(Number(`${sign}${amount}`), Number(part), Number(whole)), sum).toBe(Number(result));
});

test('going live has a webhook endpoint at Stripe subscribe to the events that the connector acts on', () => {
  const guide = readFileSync(join(root, 'docs', 'going-live.md'), 'utf8');
  const [, shown] = /```text\n(payment_intent\.[\s\S]*?)```/.exec(guide)!;
  const code = readFileSync(join(root, 'server', 'connectors', 'stripe', 'notices.ts'), 'utf8');
  const [, types] = /const noticeTypes = \[([^\]]*)\]/.exec(code)!;
  expect(shown!.trim().split('\n')).toEqual([...types!.matchAll(/'([^']+)'/g)].map(([, type]) => type));
});

test('the log lines in the operations guide are those of the code', () => {
  const sources = globSync('server/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const code = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const guide = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const messages = [...guide.matchAll(/^\| (?:error|warn) \| `([^`]+)`/gm)].map(([, message]) => message!);
  expect(messages.length).toBeGreaterThan(20);
  // A guide leaves out the rest of a long message.
  expect(messages.filter((message) => !code.includes(message.split('…')[0]!.trim()))).toEqual([]);
});
