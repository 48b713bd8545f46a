import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../base/id.ts';
import { catalog } from '../catalog.ts';
import { type FakeStripe, startFakeStripe } from '../fakes/stripe/index.ts';
import { type Receiver, startReceiver } from '../mail/smtp/receiver.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { testPassword } from '../test/person.ts';
import { connectCommands } from './cli.fixture.ts';
import { main, program } from './cli.ts';
import { checkNames } from './doctor/finding.ts';

/** Every command that prints a result prints JSON with `--json`: an object or a list as an operation shows it, or a report with `ok`. */

let server: TestServer;
let account: TestAccount;
let fake: FakeStripe | undefined;
let receiver: Receiver | undefined;

beforeAll(async () => {
  server = await startServer({
    onePostgres: true,
    environment: { SIMULATOR: 'remote', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' },
  });
  await server.gateway.worker.stop(); // it would settle by itself what a command is to settle
  account = await server.account();
});
beforeEach(() => connectCommands(server, account));
afterAll(async () => {
  vi.unstubAllEnvs();
  await fake?.close();
  await receiver?.close();
  await server.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: commands print every shape
type Printed = { code: number; value: any };

/** Runs a command in this process. With `--json` it prints one line, and nothing beside it. */
async function run(...args: string[]): Promise<Printed> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const complained = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await main([...args, '--json']);
    expect(complained.mock.calls).toEqual([]);
    expect(printed.mock.calls).toHaveLength(1);
    return { code: Number(process.exitCode ?? 0), value: JSON.parse(printed.mock.calls[0]![0]) };
  } finally {
    process.exitCode = undefined;
    printed.mockRestore();
    complained.mockRestore();
  }
}

/** The command sends to a mail server of its own. */
async function mailServer(): Promise<string[]> {
  receiver = await startReceiver();
  vi.stubEnv('SMTP_URL', receiver.url);
  vi.stubEnv('MAIL_FROM', 'billing@shop.example');
  return ['--to', 'ada@example.com'];
}

async function newKey(): Promise<string> {
  return (await server.key(account.id, {})).id;
}

async function member(): Promise<string> {
  const email = `${newId('usr', Date.now()).toLowerCase()}@example.com`;
  const parameters = { email, password: testPassword, role: 'viewer' };
  await server.operator.run('users.create', { account: account.id, parameters });
  return email;
}

async function unsettledPayment(): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { json: method } = await account.test.post('/v1/payment_methods', { type: 'card', card });
  await server.sql.query(`insert into simulator_faults (verb, kind, remaining) values ('authorize', 'lose_reply', 1)`);
  const wish = { amount: 700, currency: 'eur', payment_method: method.id };
  const { id } = (await account.test.post('/v1/payments', wish)).json;
  await server.sql.query(`update attempts set deadline_at = now() - interval '1 second' where payment = $1`, [id]);
  await server.sql.query('update payments set due_at = null, flagged_at = now() where id = $1', [id]);
  return id;
}

async function suspended(): Promise<string[]> {
  const { id } = await server.account();
  await server.operator.run('accounts.suspend', { id });
  return [id];
}

async function refundable(): Promise<string[]> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { json: method } = await account.test.post('/v1/payment_methods', { type: 'card', card });
  const wish = { amount: 700, currency: 'eur', payment_method: method.id };
  const { json: payment } = await account.test.post('/v1/payments', wish);
  return ['--account', account.id, '--payment', payment.id];
}

async function disputeToReview(): Promise<string> {
  const payment = await unsettledPayment();
  const id = newId('dp', Date.now());
  await server.sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count, connector,
                           reference, inquiries, review)
     select tenant, $1, 1, id, 900, 'usd', 'general', 'needs_response', '{}', now(), 0, 'simulator', $1, 0, 'currency'
       from payments where id = $2`,
    [id, payment],
  );
  return id;
}

/** A detached card of which a processor still has the customer. */
async function leftover(): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id } = (await account.test.post('/v1/payment_methods', { type: 'card', card })).json;
  const left = `update payment_methods set detached = true, processor_account = $2, processor_customer = 'cus_1', left_since = now()`;
  await server.sql.query(`${left} where id = $1`, [id, await processorAccount()]);
  return id;
}

async function failedNotice(tenant?: number): Promise<string> {
  const id = newId('ntc', Date.now());
  await server.sql.query(
    `insert into notices (tenant, id, version, connector, event_id, reported, reason, failures, flagged_at, due_at)
     select coalesce($2, tenant), $1, 1, 'simulator', $1, '[{"kind":"dispute_closed"}]', 'it cannot be', 6,
            now(), now() + interval '1 hour' from tenants where account = $3 and mode = 'test'`,
    [id, tenant ?? null, account.id],
  );
  return id;
}

const simulatorAccount = () => ['--account', account.id, '--connector', 'simulator', '--name', 'A'];

async function processorAccount(): Promise<string> {
  return (await run('processors', 'add', ...simulatorAccount())).value.id;
}

/** A processor account at a Stripe that has nothing to import. */
async function emptyStripe(): Promise<string[]> {
  fake = await startFakeStripe({ port: 0 });
  vi.stubEnv('STRIPE_KEY', fake.secretKey);
  const wish = ['--account', account.id, '--connector', 'stripe', '--name', 'A', '--disabled'];
  const { id } = (await run('processors', 'add', ...wish, '--credential', 'secret_key=env:STRIPE_KEY')).value;
  const settings = JSON.stringify({ api_base: fake.url });
  await server.sql.query('update processor_accounts set settings = $2 where id = $1', [id, settings]);
  vi.stubEnv('TOLLGATE_VAULT_KEY', ''); // as on a developer's machine, where a fake may be asked without TLS
  return ['--processor-account', id, '--stripe-key', 'env:STRIPE_KEY'];
}

function rulesFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tollgate-rules-')), 'rules.json');
  writeFileSync(path, '[]');
  return path;
}

async function sentEvent(): Promise<string> {
  const url = 'http://127.0.0.1:9/hook';
  await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
  const { json: customer } = await account.test.post('/v1/customers', { name: 'A' });
  const { rows } = await server.sql.query('select id from events where object_id = $1', [customer.id]);
  return rows[0].id;
}

/** The log is written a moment after the answer. */
async function loggedRequest(): Promise<string[]> {
  const { json: customer } = await account.test.post('/v1/customers', { name: 'A' });
  const logged = () => server.sql.query('select from requests where object_id = $1', [customer.id]);
  await expect.poll(async () => (await logged()).rowCount).toBe(1);
  return ['--account', account.id, '--operation', 'customers.create'];
}

/** The owner that dev.json names. */
async function demoOwner(): Promise<string[]> {
  const parameters = { email: 'owner@example.com', password: testPassword, role: 'owner' };
  await server.operator.run('users.create', { account: account.id, parameters });
  return [];
}

const strangerTenant = 999_999;
const nothing = (): string[] => [];
const today = () => new Date().toISOString().slice(0, 10);

/** `shows`: the operation whose result is printed, with `more` members that the command adds. `members`: all members, in their order. */
type Shape = { list?: true } & ({ shows: string; more?: string[] } | { members: string[] });
type Case = [command: string, args: () => Promise<string[]> | string[], Shape];

const owned = { more: ['account', 'mode'] };
const unsettledMembers = ['id', 'object', 'account', 'mode', 'amount', 'currency', 'since', 'action'];
const rotated = ['keys_rewrapped', 'tenants', 'cards', 'cvcs', 'secrets', 'keys_destroyed', 'tenants_unfinished'];
const reconciled = ['differences', 'matched', 'matched_on_another_day', 'sums', 'processor_totals'];

const statusMembers = [
  ...[
    'ok',
    'version',
    'mode',
    'server',
    'database',
    'migrations_pending',
    'last_sealed',
    'work',
    'demo_limit',
    'actions',
  ],
];
const requestMembers = [
  ...['id', 'method', 'path', 'operation', 'status', 'duration_ms', 'api_key', 'object_id', 'created'],
];

const cases: Case[] = [
  // First, while there is nothing in the vault: it would wait for a minute.
  ['vault rotate', () => [], { members: ['ok', 'resumed', 'root_resealed', ...rotated, 'unreadable'] }],
  ['migrate', () => [], { members: ['ok', 'applied', 'restored'] }],
  ['doctor', () => [], { members: ['ok', 'checks'] }],
  ['dashboard', demoOwner, { members: ['ok', 'url', 'expires_at'] }],
  ['accounts create', () => ['--name', 'Shop'], { shows: 'accounts.create' }],
  ['accounts list', () => [], { shows: 'accounts.retrieve', list: true }],
  ['accounts show', () => [account.id], { shows: 'accounts.retrieve' }],
  ['accounts set', () => [account.id, '--fee-percent', '1'], { shows: 'accounts.update' }],
  ['accounts suspend', async () => [(await server.account()).id], { shows: 'accounts.suspend' }],
  ['accounts resume', () => [account.id], { shows: 'accounts.resume' }],
  ['accounts wind-down', () => suspended(), { members: ['ok', 'account', 'applied', 'modes'] }],
  ['keys create', () => ['--account', account.id], { shows: 'api_keys.create' }],
  ['keys list', () => ['--account', account.id], { shows: 'api_keys.revoke', list: true }],
  ['keys roll', async () => [await newKey(), '--account', account.id], { shows: 'api_keys.roll' }],
  ['keys revoke', async () => [await newKey(), '--account', account.id], { shows: 'api_keys.revoke' }],
  ['users create', () => ['--account', account.id, '--email', 'ada@example.com'], { shows: 'invitations.create' }],
  ['users list', () => member().then(() => ['--account', account.id]), { shows: 'users.retrieve', list: true }],
  ['users remove', async () => [await member(), '--account', account.id], { shows: 'users.remove' }],
  ['users verify', async () => [await member()], { shows: 'users.verify' }],
  ['users reset', async () => [await member()], { shows: 'me.create_reset_link' }],
  ['processors add', () => simulatorAccount(), { shows: 'processor_accounts.create', ...owned }],
  ['processors list', () => [], { shows: 'processor_accounts.retrieve', ...owned, list: true }],
  [
    'processors set',
    async () => [await processorAccount(), '--name', 'B'],
    { shows: 'processor_accounts.update', ...owned },
  ],
  ['processors enable', async () => [await processorAccount()], { shows: 'processor_accounts.update', ...owned }],
  ['processors disable', async () => [await processorAccount()], { shows: 'processor_accounts.update', ...owned }],
  ['processors verify', async () => [await processorAccount()], { members: ['ok', 'message'] }],
  ['processors remove', async () => [await processorAccount()], { shows: 'processor_accounts.delete' }],
  [
    'processors leftovers',
    () => leftover().then(nothing),
    { shows: 'payment_methods.dismiss_leftover', ...owned, list: true },
  ],
  ['processors replay', async () => [await processorAccount()], { members: ['ok', 'processor_account', 'replayed'] }],
  ['routing show', () => ['--account', account.id], { members: ['object', 'rules'] }],
  ['routing set', () => ['--account', account.id, '--rules', rulesFile()], { members: ['object', 'rules'] }],
  ['payments unsettled', () => unsettledPayment().then(nothing), { members: unsettledMembers, list: true }],
  ['payments settle', async () => [await unsettledPayment(), '--as', 'succeeded'], { shows: 'payments.settle' }],
  ['payments review', async () => [await disputeToReview(), '--amount', '700'], { shows: 'disputes.review' }],
  ['refunds create', () => refundable(), { shows: 'refunds.create' }],
  ['notices list', () => failedNotice().then(nothing), { shows: 'notices.retry', ...owned, list: true }],
  ['notices retry', async () => [await failedNotice()], { shows: 'notices.retry', ...owned }],
  ['notices dismiss', async () => [await failedNotice()], { shows: 'notices.dismiss', ...owned }],
  ['ledger verify', () => [], { members: ['ok', 'database', 'chains', 'differences'] }],
  ['ledger repair', () => [], { members: ['ok', 'applied', 'postings', 'has_more', 'broken', 'left'] }],
  [
    'places list',
    () => [],
    { members: ['place', 'node', 'shards', 'tenants', 'bytes', 'events_per_second', 'state'], list: true },
  ],
  ['places prepare', () => [], { members: ['ok', 'nodes', 'places'] }],
  ['places distribute', () => [], { members: ['ok', 'checks', 'rows'] }],
  ['places isolate', () => [account.id], { members: ['ok', 'account', 'before', 'after'] }],
  ['mails test', mailServer, { members: ['ok', 'to', 'reason'] }],
  ['mails preview', () => ['receipt'], { members: ['kind', 'locale', 'subject', 'text', 'html'] }],
  ['search rebuild', () => [], { members: ['walks_left'] }],
  ['search status', () => [], { members: ['lag_seconds', 'walks_left'] }],
  [
    'reconcile',
    () => ['--connector', 'simulator', '--date', today()],
    { members: ['ok', 'database', 'connector', 'date', ...reconciled] },
  ],
  ['status', () => [], { members: statusMembers }],
  ['logs tail', () => loggedRequest(), { members: requestMembers, list: true }],
  ['trigger', () => ['customer.created'], { shows: 'events.retrieve' }],
  ['completion', () => ['bash'], { members: ['ok', 'shell', 'script'] }],
  [
    'events resend',
    async () => [await sentEvent(), '--account', account.id],
    { shows: 'events.resend', more: ['webhook_endpoints'] },
  ],
  ['import stripe', emptyStripe, { members: ['ok', 'applied', 'counts', 'left', 'notes', 'attention'] }],
];

type Schema = { properties: Record<string, { const?: string }>; required: string[] };
const shownBy = (operation: string) => catalog.operation(operation).output as unknown as Schema;

function expectShape(value: Record<string, unknown>, shape: Shape): void {
  const members = Object.keys(value);
  if ('members' in shape) {
    expect(members).toEqual(shape.members);
    return;
  }
  const { properties, required } = shownBy(shape.shows);
  expect(value.object).toBe(properties.object!.const);
  expect(members).toEqual(expect.arrayContaining(required));
  expect(members.filter((member) => !Object.hasOwn(properties, member))).toEqual(shape.more ?? []);
}

describe('with --json', () => {
  test.each(cases)('tollgate %s prints the shape that the guide names', async (command, args, shape) => {
    const { code, value } = await run(...command.split(' '), ...(await args()));
    expect(Array.isArray(value)).toBe(shape.list === true);
    if (shape.list) expect(value).not.toEqual([]);
    for (const one of shape.list ? value : [value]) expectShape(one, shape);
    if ('ok' in value) expect(value.ok).toBe(code === 0);
    else expect(code).toBe(0);
    // Times are numbers, as in the API; a day is a text.
    expect(JSON.stringify(value)).not.toMatch(/"\d{4}-\d\d-\d\dT/);
  });

  test('what a thing does not have is left out, as in the API', async () => {
    const notice = await failedNotice(strangerTenant);
    const { value: kept } = await run('notices', 'list');
    const { value: unsettled } = await run('payments', 'unsettled');
    const find = (list: { id: string }[]) => list.find(({ id }) => id === notice);
    expectShape(find(kept) as never, { shows: 'notices.retry' });
    expect(Object.keys(find(unsettled)!)).toEqual(['id', 'object', 'since', 'action']);
  });

  test('doctor says of each check how it went, and exits with 1 if one is wrong', async () => {
    const healthy = await run('doctor');
    expect(healthy).toMatchObject({ code: 0, value: { ok: true } });
    expect(healthy.value.checks).toContainEqual({
      name: 'vault_key',
      state: 'ok',
      message: 'the vault key opens this database',
    });
    vi.stubEnv('TOLLGATE_VAULT_KEY', 'cd'.repeat(32));
    const found = await run('doctor');
    expect(found).toMatchObject({ code: 1, value: { ok: false } });
    expect(found.value.checks.filter(({ state }: { state: string }) => state !== 'ok')).toEqual([
      {
        name: 'vault_key',
        state: 'wrong',
        message: expect.stringMatching(/Set TOLLGATE_VAULT_KEY to the key of this/),
      },
    ]);
  });

  test('ledger repair is not ok while a posting is missing', async () => {
    await server.sql.query('begin; select from ledger_sealer for update');
    const { id, test: client } = await server.account();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
    const { json: method } = await client.post('/v1/payment_methods', { type: 'card', card });
    const wish = { amount: 700, currency: 'eur', payment_method: method.id };
    const { json: payment } = await client.post('/v1/payments', wish);
    await server.sql.query('delete from postings where source = $1', [payment.id]);
    await server.sql.query('commit');
    const repair = (...args: string[]) => run('ledger', 'repair', '--account', id, ...args);
    expect(await repair()).toMatchObject({ code: 1, value: { ok: false, applied: false } });
    expect(await repair('--apply')).toMatchObject({ code: 0, value: { ok: true, applied: true } });
  });
});

describe('of all commands,', () => {
  const leaves = (command: Command, path: string[] = []): [name: string, command: Command][] =>
    command.commands.flatMap((one): [string, Command][] => {
      const name = [...path, one.name()];
      return one.commands.length > 0 ? leaves(one, name) : [[name.join(' '), one]];
    });
  const all = leaves(program());
  const takesJson = (command: Command) => command.options.some(({ long }) => long === '--json');

  test('only those that run until they are stopped have no --json', () => {
    const without = all.filter(([, command]) => !takesJson(command)).map(([name]) => name);
    expect(without.sort()).toEqual(['dev', 'fake-stripe', 'listen', 'serve']);
  });

  test('each that has it is tried here', () => {
    const tried = cases.map(([name]) => name).sort();
    expect(tried).toEqual(
      all
        .filter(([, command]) => takesJson(command))
        .map(([name]) => name)
        .sort(),
    );
  });

  test('each that has it is in the guide, with the object or the members that it prints', () => {
    const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'commands.md'), 'utf8');
    expect([...guide.match(/The names are [^.]*/)![0].matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(
      checkNames,
    );
    const [, printed] = guide.split('## What each command prints') as [string, string];
    const rows = new Map(
      [...printed.matchAll(/^\| `([a-z -]+)` \| (.*) \|$/gm)].map(([, name, cell]) => [name!, cell!]),
    );
    expect([...rows.keys()].sort()).toEqual(cases.map(([name]) => name).sort());
    const wordsOf = (name: string) => [...rows.get(name)!.matchAll(/`(\w+)`/g)].map(([, word]) => word);
    for (const [name, , shape] of cases) {
      const words =
        'members' in shape ? shape.members : [shownBy(shape.shows).properties.object!.const, ...(shape.more ?? [])];
      expect({ name, words: wordsOf(name) }).toEqual({ name, words });
    }
  });
});
