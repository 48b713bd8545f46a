import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'uqr';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { RequestTail } from '../../resources/views/request_logs/tail.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { rotateVault } from '../../vault/index.ts';
import { connectCommands, type Said, say, sayAtTerminal, wordsOf } from '../cli.fixture.ts';
import { withConnection } from '../context.ts';

/** Commands of the API, against a running server. */

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
});
beforeEach(() => connectCommands(server, account));
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const run = (line: string): Promise<Said> => say(...wordsOf(line));
// biome-ignore lint/suspicious/noExplicitAny: the API answers with every shape
async function made(line: string): Promise<any> {
  const { code, stdout, stderr } = await run(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}
const card = (number: string) =>
  made(`payment_methods create --type card --card.number ${number} --card.exp-month 12 --card.exp-year 2040`);

describe('a command', () => {
  test('asks the server of "tollgate dev" with its test key, and prints what the API answers', async () => {
    const method = await card('4242424242424242');
    const line = `payments create --amount 2000 --currency eur --payment-method ${method.id} --metadata order=7`;
    const payment = await made(line);
    expect(payment).toMatchObject({ amount: 2_000, status: 'succeeded', metadata: { order: '7' } });
    expect((await account.test.get(`/v1/payments/${payment.id}`)).json).toEqual(payment);
  });

  test('shows an object as names and values, with times that can be read', async () => {
    const { id, created } = await made('customers create --name "Ada Lovelace" --metadata plan=gold');
    const { stdout, stderr } = await run(`customers retrieve ${id}`);
    const time = new Date(created * 1_000).toISOString().replace('.000', '');
    expect(stdout.trimEnd().split('\n')).toEqual([
      `id             ${id}`,
      'name           Ada Lovelace',
      'metadata.plan  gold',
      `created        ${time}`,
    ]);
    expect(stderr).toBe('');
  });

  test('shows a list as a table, and says how to go on', async () => {
    const [first, second] = [
      await made('coupons create --percent-off 5 --duration once'),
      await made('coupons create --percent-off 7 --duration once'),
    ];
    const { stdout, stderr } = await run('coupons list --limit 1');
    const [head, row, ...rest] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^id {2,}.*percent_off.*created$/);
    expect(row).toMatch(new RegExp(`^${second.id} .*7.*Z$`));
    expect(rest).toEqual([]);
    expect(stderr).toBe(`There are more: --starting-after ${second.id}\n`);
    expect((await run(`coupons list --limit 1 --starting-after ${second.id}`)).stdout).toContain(first.id);
  });

  test('can be repeated with its idempotency key', async () => {
    const line = 'customers create --name Once --idempotency-key cli-test-1';
    expect(await made(line)).toEqual(await made(line));
  });

  test('uses live mode only if it is asked to', async () => {
    expect(await made('balance retrieve --live')).toMatchObject({ object: 'balance' });
    const refused = { code: 2, stdout: '' };
    expect(await run(`balance retrieve --api-key ${account.liveKey}`)).toMatchObject({
      ...refused,
      stderr: 'This is a live key: add --live, or give a test key.\n',
    });
    expect(await run(`balance retrieve --live --api-key ${account.testKey}`)).toMatchObject({
      ...refused,
      stderr: '--live needs a live key, and this is a test key.\n',
    });
  });

  test('takes server and key from the environment; the demo keys are for their own server alone', async () => {
    vi.stubEnv('TOLLGATE_API_BASE', 'https://localhost:1');
    expect(await run('balance retrieve')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^There is no key: /),
    });
    vi.stubEnv('TOLLGATE_API_KEY', account.testKey);
    expect(await run('balance retrieve')).toMatchObject({
      code: 5,
      stderr:
        'No server answers at https://localhost:1. Start it with "tollgate dev", or name another with --api-base.\n',
    });
    expect((await run(`balance retrieve --api-base ${server.baseUrl}`)).code).toBe(0);
    expect(await run('balance retrieve --api-base http://pay.example.com')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--api-base takes an address such as https:/),
    });
  });

  test('prints an export as it comes', async () => {
    const { stdout, code } = await run('balance list_transactions --csv');
    expect(code).toBe(0);
    expect(stdout).toBe((await account.test.get('/v1/balance/transactions', { headers: { Accept: 'text/csv' } })).text);
  });

  test('writes a document to a file', async () => {
    const method = await card('4242424242424242');
    const { id } = await made(`payments create --amount 2000 --currency eur --payment-method ${method.id}`);
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-documents-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const output = join(folder, 'receipt.pdf');
    expect(await run(`payments receipt ${id} --output ${output}`)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(output).subarray(0, 8).toString()).toBe('%PDF-1.7');
    const missing = await run(`payments receipt ${id} --output ${join(folder, 'none', 'receipt.pdf')}`);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') });
  });

  test('reads secrets from a source: an argument can be seen by others', async () => {
    const line = 'processor_accounts create --connector simulator --name A --credentials webhook_secret=';
    const { code, stderr } = await run(`${line}canary`);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--credentials: other users/) });
    expect(stderr).not.toContain('canary');
    vi.stubEnv('HOOK_SECRET', 'a-secret-of-the-simulator-1234567890');
    expect(await made(`${line}env:HOOK_SECRET`)).toMatchObject({ object: 'processor_account' });
    const live = await run('payment_methods create --live --type card --card.number 4242424242424242');
    expect(live).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--card.number: other users/) });
  });
});

describe('a refusal', () => {
  test('names the flag in place of the parameter', async () => {
    const { code, stderr } = await run(
      'payment_methods create --type card --card.number 4242424242424242 --card.exp-month 13 --card.exp-year 2040',
    );
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The expiry month must .*\n\(invalid_expiry_month, --card\.exp-month, req_\w{22}\)\n$/);
    const lines: [line: string, stderr: RegExp][] = [
      ['payments create --currency eur', /^--amount is required\.\n\(parameter_missing, req_\w{22}\)\n$/],
      ['refunds create --amount 1', /^--payment is required\./],
      ['customers update cus_1 --email nobody', /^--email must /],
      [
        'subscriptions create --customer cus_1 --items.0.price a --items.0.quantity many',
        /^--items\.0\.quantity must /,
      ],
    ];
    for (const [line, sentence] of lines) expect((await run(line)).stderr).toMatch(sentence);
  });

  test('of a file that does not exist calls it by its name', async () => {
    const said = await run('payment_methods create --type card --card.number @no-card.txt');
    expect(said).toMatchObject({ code: 2, stdout: '', stderr: '--card.number: no-card.txt does not exist.\n' });
  });

  test('names the option that was given, where it has another name than the parameter', async () => {
    const { id } = JSON.parse((await run('test_clocks create --frozen-time 2035-01-31 --json')).stdout);
    expect((await run(`clocks advance ${id} --to 2034-01-31`)).stderr).toMatch(
      /^--to must be later than the clock, which/,
    );
    expect((await run(`clocks advance ${id}`)).stderr).toMatch(/--to/);
    const by = await run(`clocks advance ${id} --frozen-time 2034-01-31`);
    expect(by.stderr).toMatch(/^--frozen-time must be later than the clock, which/);
  });

  test('is the JSON of the API with --json, on standard error', async () => {
    const { code, stdout, stderr } = await run('customers retrieve cus_none --json');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'resource_missing', param: 'id' } });
  });

  test('by the bank has its own exit code', async () => {
    const method = await card('4000000000000002');
    const { code, stderr } = await run(`payments create --amount 2000 --currency eur --payment-method ${method.id}`);
    expect(code).toBe(4);
    expect(stderr).toMatch(/\n\(card_declined, generic_decline, py_\w{22}, req_\w{22}\)\n$/);
    const setup = await run(`setups create --payment-method ${method.id}`);
    expect(setup.code).toBe(4);
    expect(setup.stderr).toMatch(/\n\(card_declined, generic_decline, set_\w{22}, req_\w{22}\)\n$/);
  });

  test('of the command line has another', async () => {
    expect((await run('payments create --amont 2000')).code).toBe(2);
    expect((await run('payments creat')).code).toBe(2);
    expect((await run('customers update')).code).toBe(2);
  });

  test('that never came says with which key the command can be repeated', async () => {
    const broken = createServer((socket) => socket.destroy());
    await new Promise<void>((listening) => broken.listen(0, '127.0.0.1', listening));
    const { port } = broken.address() as { port: number };
    const base = `--api-base http://127.0.0.1:${port} --api-key ${account.testKey}`;
    const { code, stderr } = await run(`customers create --name A ${base}`);
    broken.close();
    expect(code).toBe(5);
    expect(stderr).toMatch(/Whether it took effect is unknown: repeat it with --idempotency-key cli_[\w-]{36}\.\n$/);
  });
});

describe('made by hand,', () => {
  test('clocks advance waits until the clock has arrived', async () => {
    const { id } = await made('clocks create --frozen-time 2035-01-01');
    const clock = await made(`clocks advance ${id} --to 2035-01-31 --wait`);
    expect(clock).toMatchObject({ id, status: 'ready', frozen_time: Date.UTC(2035, 0, 31) / 1_000 });
    expect(await made(`test_clocks advance ${id} --frozen-time 2035-02-01`)).toMatchObject({ status: 'advancing' });
    expect((await run(`clocks advance ${id} --to tomorrow`)).code).toBe(2);
  });

  test('events resend uses the API without an account, and the database with one', async () => {
    const hook = await made("webhook_endpoints create --url http://127.0.0.1:9/h --enabled-events 'price.*'");
    const price = await made('prices create --currency eur --unit-amount 1 --product-name P --recurring.interval day');
    const { data } = await made('events list --type price.created --limit 1');
    expect(data[0].data.object.id).toBe(price.id);
    expect(await made(`events resend ${data[0].id} --webhook-endpoint ${hook.id}`)).toMatchObject({ id: data[0].id });
    const byOperator = await made(`events resend ${data[0].id} --account ${account.id}`);
    expect(byOperator).toMatchObject({ id: data[0].id, webhook_endpoints: [hook.id] });
  });

  test('logs tail shows the requests that pass its filters', async () => {
    const { id } = await made('customers create --name Logged');
    await run('customers retrieve cus_none');
    const find = async (filters: string) => {
      const found: { object_id?: string; status: number }[] = await made(
        `logs tail --account ${account.id} --limit 200 ${filters}`,
      );
      return found;
    };
    await expect.poll(async () => (await find('--operation customers.create')).at(-1)?.object_id).toBe(id);
    expect((await find('--status 404')).map(({ status }) => status)).toContain(404);
    expect((await find('--status 4xx,200 --method GET')).map(({ status }) => status)).toContain(200);
    expect((await find('--method DELETE --path /v1/customers')).length).toBe(0);
    expect((await find('--key key_none')).length).toBe(0);
    const { stdout } = await run(`logs tail --account ${account.id} --limit 1 --operation customers.create`);
    expect(stdout).toMatch(new RegExp(`^20\\S+Z  200  POST   /v1/customers  \\d+ ms  ${id}  req_\\w{22}\n$`));
    expect((await run('logs tail --status many')).code).toBe(2);
  });

  test('logs tail --follow goes on with each request once, also one that is logged late', async () => {
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      account.id,
    ]);
    const tail = new RequestTail(rows[0].tenant, Date.now() - 60_000, { operations: ['refunds.list'] });
    const seen = (await tail.last(server.sql, 10)).length;
    await run('refunds list');
    const news: string[] = [];
    await expect.poll(async () => news.push(...(await tail.news(server.sql, 10)).map(({ id }) => id))).toBe(1);
    await server.sql.query(
      `insert into requests (at, id, tenant, operation, method, path, status, duration_us, address)
       values (now() - interval '20 seconds', $1, $2, 'refunds.list', 'GET', '/v1/refunds', 200, 20000000, '')`,
      [newId('req', Date.now() - 20_000), rows[0].tenant],
    );
    expect((await tail.news(server.sql, 10)).map(({ duration_ms }) => duration_ms)).toEqual([20_000]);
    expect([seen, await tail.news(server.sql, 10)]).toEqual([0, []]);

    const one = new RequestTail(rows[0].tenant, Date.now() - 60_000, { operations: ['refunds.list'] });
    expect((await one.last(server.sql, 1)).map(({ id }) => id)).toEqual(news);
    expect(await one.news(server.sql, 10)).toEqual([]); // the other one is older
  });

  test('status says that the server runs, and what there is to do', async () => {
    const { value, code } = await statusNow();
    expect(value).toMatchObject({
      server: { address: server.baseUrl, running: true, ready: true },
      migrations_pending: [],
      work: { needs_person: 0 },
      demo_limit: { account: account.id, requests_per_minute: 1_000_000 },
    });
    expect((await run('status')).stdout).toContain('\nLimit       1000000 requests per minute for the demo account\n');
    await server.operator.run('accounts.update', {
      id: account.id,
      parameters: { tier: 'standard', rate_limit: null },
    });
    const { raised_by } = (await statusNow()).value.demo_limit;
    expect((await run('status')).stdout).toContain(
      `\nLimit       100 requests per minute for the demo account; to raise it: ${raised_by}\n`,
    );
    expect(raised_by).toMatch(/^npx tollgate accounts set acct_/);
    expect((await run(raised_by.replace('npx tollgate ', ''))).code).toBe(0);
    expect((await statusNow()).value.demo_limit.requests_per_minute).toBe(10_000);
    expect({ code, actions: value.actions }).toEqual({ code: 0, actions: [] });
    // The payments above are in the ledger, which is sealed within a second.
    await expect.poll(async () => (await statusNow()).value.last_sealed).toBeGreaterThan(Date.now() / 1_000 - 3_600);
    vi.stubEnv('TOLLGATE_DATA_DIR', '/nowhere');
    vi.stubEnv('PUBLIC_URL', 'https://localhost:1');
    const without = await statusNow();
    expect(without).toMatchObject({ code: 1, value: { ok: false, server: { running: false, version: null } } });
    expect(without.value.actions[0]).toMatch(/^No server answers/);
  });
});

describe('a page to pay on', () => {
  const lines: [line: string, path: string][] = [
    ['checkout create --amount 2000 --currency eur --reference A-17', '/pay/'],
    ['links create --line-items.0.name Teapot --line-items.0.unit-amount 2000 --line-items.0.currency eur', '/l/'],
  ];
  test.each(lines)('is an address, and on a terminal a code beside it: %s', async (line, path) => {
    const piped = await run(line);
    const atTerminal = await sayAtTerminal(...wordsOf(line));
    const asJson = await sayAtTerminal(...wordsOf(line), '--json');
    for (const { code, stdout } of [piped, atTerminal, asJson]) {
      expect(code).toBe(0);
      expect(stdout).toContain(`${server.baseUrl}${path}`);
      expect(stdout).not.toMatch(/[▀▄█]/);
    }
    expect([piped.stderr, asJson.stderr]).toEqual(['', '']);
    expect(JSON.parse(asJson.stdout).url).toContain(path);
    const [, url] = /^url +(\S+)$/m.exec(atTerminal.stdout)!;
    const { data, size } = encode(url!, { ecc: 'L', border: 2 });
    expect(codeIn(atTerminal.stderr).slice(0, size)).toEqual(data);
  });

  test('has a code only when it is created, and says what is wrong by the flag', async () => {
    const { id } = await made(lines[0]![0]);
    expect((await sayAtTerminal('checkout', 'retrieve', id)).stderr).toBe('');
    const wrong = await run('checkout create --amount 2000');
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringMatching(/^--currency is required with amount\.\n/) });
    expect((await run(`checkout expire ${id}`)).stdout).toMatch(/^expired_reason +requested$/m);
  });
});

/** What a camera sees: two rows of the code are one line of text, and a block is light. */
function codeIn(text: string): boolean[][] {
  const rows = text
    .trimEnd()
    .replaceAll(/\x1b\[\d+(;\d+)*m/g, '')
    .split('\n');
  return rows.flatMap((row) => [
    [...row].map((char) => char !== '█' && char !== '▀'),
    [...row].map((char) => char !== '█' && char !== '▄'),
  ]);
}

describe('on a terminal, long work shows how far it is, and nothing is left of it:', () => {
  const long: [line: string, shows: string][] = [
    ['vault rotate', '0%  tenants, '],
    ['ledger verify', '%  verified'],
    [`reconcile --connector simulator --date ${new Date().toISOString().slice(0, 10)}`, ' lines read'],
    ['balance list_transactions --csv', ' rows'],
    ['clocks advance CLOCK --to 2035-01-31 --wait', '100%  advanced, at 2035-01-31'],
  ];
  beforeAll(async () => {
    connectCommands(server, account);
    const method = await card('4242424242424242');
    await made(`payments create --amount 2000 --currency eur --payment-method ${method.id}`);
    // A rotation that was killed while it waited for a minute, as if that minute had passed. It is the last thing here, because the
    // server may still use the old keys.
    const pause = () => Promise.reject(new Error('killed'));
    const killed = withConnection(({ at, masters }) => rotateVault({ at, masters, pause }));
    await expect(killed).rejects.toThrow('killed');
    await server.sql.query(`update vault_keys set created_at = created_at - interval '1 hour'`);
  });

  test.each(long)('%s', async (line, shows) => {
    const clock = line.includes('CLOCK') ? await made('clocks create --frozen-time 2035-01-01') : { id: '' };
    const { code, stderr } = await sayAtTerminal(...wordsOf(line.replace('CLOCK', clock.id)));
    const drawn = stderr.split('\r\x1b[K');
    expect(code).toBe(0);
    expect(drawn.filter((one) => one.includes(shows))).not.toEqual([]);
    expect(drawn.at(-1)).toBe('');
  });
});

async function statusNow() {
  const { code, stdout } = await run('status --json');
  return { code, value: JSON.parse(stdout) };
}
