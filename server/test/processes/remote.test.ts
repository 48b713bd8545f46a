import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { devFileOf, writeDevFile } from '../../commands/dev_file.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { shareOf } from '../torture.ts';
import { type Child, patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

/** Commands that have the address of a server, a key and a certificate authority, and nothing else: no database, no data directory. */

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const elsewhere = children.directory();
const caFile = join(elsewhere, 'ca.pem');
let server: TestServer;
/** Makes what happens while the other server is away. */
let other: TestServer;
let line: Line;

/** The network between a command and the server, which can be cut. */
class Line {
  port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(listener: (socket: Socket) => Socket) {
    this.#server = createServer((near) => {
      const far = listener(near);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket
          .on('error', () => {})
          .on('close', () => {
            this.#sockets.delete(socket);
            near.destroy();
            far.destroy();
          });
      }
      near.pipe(far).pipe(near);
    });
  }

  static async to(port: () => number): Promise<Line> {
    const line = new Line(() => connect(port(), '127.0.0.1'));
    await once(line.#server.listen(0, '127.0.0.1'), 'listening');
    line.port = (line.#server.address() as AddressInfo).port;
    return line;
  }

  get baseUrl(): string {
    return `https://localhost:${this.port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}

beforeAll(async () => {
  server = await startServer();
  other = await startServer({ databaseUrl: server.databaseUrl });
  line = await Line.to(() => server.gateway.port);
  writeFileSync(caFile, server.ca);
});
afterAll(async () => {
  line.close();
  await children.cleanUp();
  await other.stop();
  await server.stop();
});

const customer = async (account: TestAccount, at = other): Promise<string> =>
  (await at.client(account.testKey).post('/v1/customers', { name: 'Ada' })).json.id;
const customers = (account: TestAccount, count: number, at = other) =>
  Promise.all(Array.from({ length: count }, () => customer(account, at)));

async function receive(): Promise<WebhookReceiver> {
  const program = new WebhookReceiver();
  await program.listen();
  onTestFinished(() => program.close());
  return program;
}

async function listening(child: Child, program: WebhookReceiver): Promise<Child> {
  await child.prints(/Ctrl-C ends it\.\n/, patienceMs);
  program.secret = /^Signing secret: (whsec_\S+)$/m.exec(child.stdout)![1]!;
  return child;
}

const toldOf = (program: WebhookReceiver) => [...program.arrived.values()].map((one) => one.object);
const came = (program: WebhookReceiver, count: number) =>
  until(`${count} came`, patienceMs, () => program.arrived.size >= count);

describe('tollgate listen with an address, a key and a certificate authority', () => {
  test('loses and repeats nothing while connections break and the server restarts, and ends when its key is revoked', async () => {
    const account = await server.account();
    const { id, key } = await server.key(account.id, { scopes: ['events:read'] });
    const program = await receive();
    await customer(account); // before it listens
    const args = ['listen', '--forward-to', program.url, '--api-base', line.baseUrl, '--api-ca', caFile];
    const child = children.tollgate(args, { cwd: elsewhere, environment: { TOLLGATE_API_KEY: key } });
    await listening(child, program);
    expect(child.stdout.split('\n')[0]).toBe(`Forwarding test events of ${line.baseUrl} to ${program.url}`);
    const made = await customers(account, 5, server);
    await came(program, 5);
    for (let cut = 0; cut < shareOf(10, 2); cut++) {
      const making = customers(account, 20);
      line.cut();
      made.push(...(await making), ...(await customers(account, 5)));
      await came(program, made.length);
    }
    await restart(() => customers(account, 20).then((more) => void made.push(...more)));
    made.push(await customer(account));
    await came(program, made.length);
    expect(toldOf(program).toSorted()).toEqual(made.toSorted());
    expect([program.requests, program.violations]).toEqual([made.length, []]);
    expect(child.stderr).toContain(`The connection to ${line.baseUrl} was lost. Trying again.\n`);
    expect(child.stderr).toContain(`Connected to ${line.baseUrl} again.\n`);
    await server.operator.run('api_keys.revoke', { account: account.id, mode: 'test', id });
    expect((await child.ends()).code).toBe(3);
    expect(child.stderr).toMatch(/\nThis API key was revoked at \S+\.\n\(api_key_revoked, --api-key, req_\w+\)\n$/);
  });

  /** Another server in the place of the first, on the same database; something happens in between. */
  async function restart(between: () => Promise<void>): Promise<void> {
    await server.gateway.stop();
    await between();
    const next = await startServer({ databaseUrl: server.databaseUrl });
    const { gateway, stop } = server;
    server = {
      ...next,
      async stop() {
        await next.stop();
        Object.assign(gateway, { stop: async () => {} });
        await stop();
      },
    };
  }

  test('starts in the past with --since, with the account of the key in dev.json, and its own secret on every run', async () => {
    const account = await server.account();
    const made = await customers(account, shareOf(230, 120)); // a page has 100
    const dataDir = children.directory();
    const dashboard = { url: `${line.baseUrl}/dashboard`, email: 'owner@example.com', password: null };
    const [test_secret_key, live_secret_key] = [account.testKey, account.liveKey];
    const file = {
      base_url: line.baseUrl,
      ca_file: caFile,
      account: account.id,
      test_secret_key,
      live_secret_key,
      payment_link: 'plink_0',
      checkout_url: `${line.baseUrl}/l/0`,
      dashboard,
    };
    writeDevFile(devFileOf(dataDir), file);
    const start = async (...more: string[]) => {
      const program = await receive();
      const args = ['listen', '--forward-to', program.url, ...more];
      const child = children.tollgate(args, { cwd: elsewhere, environment: { TOLLGATE_DATA_DIR: dataDir } });
      return { program, child: await listening(child, program) };
    };
    const first = await start('--since', '10m');
    made.push(await customer(account));
    await came(first.program, made.length);
    expect(toldOf(first.program).at(-1)).toBe(made.at(-1));
    const ids = [...first.program.arrived.keys()];
    expect(ids).toEqual(ids.toSorted());
    expect([first.program.requests, first.program.violations]).toEqual([made.length, []]);
    expect(await first.child.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
    expect(first.child.stderr).toBe('');
    const again = await start();
    expect(again.program.secret).toBe(first.program.secret);
    expect(again.program.secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/);
    const chosen = await start('--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '--events', 'customer.deleted');
    expect(chosen.program.secret).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    await account.test.delete(`/v1/customers/${made[0]}`);
    await came(chosen.program, 1);
    expect([chosen.program.requests, chosen.program.violations]).toEqual([1, []]);
  });

  test('counts --since back from the time of the server, as logs tail does, where the clock of this machine is wrong', async () => {
    const account = await server.account();
    const made = await customer(account);
    const logged = () => server.sql.query('select from requests where object_id = $1', [made]);
    await until('it is logged', patienceMs, async () => (await logged()).rowCount === 1);
    const isAhead = 'const { now } = Date; Date.now = () => now() + 18_000_000;';
    const environment = {
      ...{ TOLLGATE_API_KEY: account.testKey, TOLLGATE_API_BASE: server.baseUrl, TOLLGATE_API_CA: caFile },
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(isAhead)}`,
    };
    // No program verifies it: the signature has the time of this machine.
    const args = ['listen', '--forward-to', 'http://127.0.0.1:9/hook', '--since', '1h'];
    const child = children.tollgate(args, { cwd: elsewhere, environment });
    await child.prints(/ {2}customer\.created +evt_\w+ {2}no answer/, patienceMs);
    const shown = await children.json(['logs', 'tail', '--since', '1h'], { cwd: elsewhere, environment });
    expect(shown.map((one: { object_id?: string }) => one.object_id)).toContain(made);
  });

  const forward = ['--forward-to', 'http://127.0.0.1:9/hook'];
  const refusals: [string, string[], number, RegExp][] = [
    [
      'a key without the scope',
      ['RESTRICTED'],
      3,
      /^This API key does not have the scope events:read[\s\S]*\(scope_missing, req_/,
    ],
    [
      'no authority',
      ['--api-key', 'KEY'],
      5,
      /^The certificate of \S+ is not trusted \(.*\)\. Name the file of .* --api-ca/,
    ],
    ['an authority that is not there', ['--api-ca', 'no.pem'], 2, /^--api-ca: no\.pem does not exist\.\n$/],
    ['no certificate', ['--api-ca', '/dev/null'], 2, /^--api-ca takes the file of a certificate in PEM/],
    ['a live key without --live', ['--api-key', 'LIVE'], 2, /^This is a live key: add --live/],
  ];
  test.each(refusals)('%s is refused with what to do', async (_, given, code, message) => {
    const account = await server.account();
    const restricted = await server.key(account.id, { scopes: ['customers:read'] });
    const words: Record<string, string[]> = {
      RESTRICTED: ['--api-key', restricted.key, '--api-ca', caFile],
      KEY: [account.testKey],
      LIVE: [account.liveKey],
    };
    const args = ['listen', ...forward, '--api-base', server.baseUrl, ...given.flatMap((one) => words[one] ?? [one])];
    const said = await children.run(args, { cwd: elsewhere, environment: { TOLLGATE_API_KEY: account.testKey } });
    expect(said.stderr).toMatch(message);
    expect([said.code, said.stdout]).toEqual([code, '']);
  });
});

describe('tollgate logs tail with an address and a key', () => {
  test('shows the newest, and with --follow those to come; not its own requests', async () => {
    const account = await server.account();
    const { key } = await server.key(account.id, { scopes: ['request_logs:read'] });
    const environment = { TOLLGATE_API_KEY: key, TOLLGATE_API_BASE: server.baseUrl, TOLLGATE_API_CA: caFile };
    const before = await customers(account, 3);
    const missing = `py_${before[0]!.slice(4)}`;
    // At the instance that took those before it: the clocks of two may differ by more than lies between two requests.
    await other.client(account.testKey).get(`/v1/payments/${missing}`);
    const logged = () => server.sql.query('select from requests where object_id = any($1)', [[...before, missing]]);
    await until('they are logged', patienceMs, async () => (await logged()).rowCount === 4);
    const tail = (...more: string[]) => children.json(['logs', 'tail', ...more], { cwd: elsewhere, environment });
    const posted = await tail('--method', 'POST,DELETE', '--path', '/v1/customers');
    expect(posted.map((one: { object_id: string }) => one.object_id).toSorted()).toEqual(before.toSorted());
    expect(await tail('--status', '404,5xx')).toMatchObject([
      { status: 404, code: 'resource_missing', object_id: missing },
    ]);
    expect(await tail('--status', '4xx', '--limit', '1')).toHaveLength(1);
    const child = children.tollgate(
      ['logs', 'tail', '--limit', '1', '--follow', '--operation', 'customers.create,payments.retrieve'],
      {
        ...{ cwd: elsewhere, environment },
      },
    );
    await child.prints(new RegExp(missing), patienceMs);
    const made = await customers(account, 2);
    for (const id of made) await child.prints(new RegExp(id), patienceMs);
    const lines = child.stdout.trimEnd().split('\n');
    expect(lines.map((one) => /(cus|py)_\w+/.exec(one)?.[0]).toSorted()).toEqual([missing, ...made].toSorted());
    expect(await child.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
    expect(child.stderr).toBe('');
  });

  test('needs the scope of request logs', async () => {
    const account = await server.account();
    const { key } = await server.key(account.id, { scopes: ['events:read'] });
    const environment = { TOLLGATE_API_KEY: key, TOLLGATE_API_BASE: server.baseUrl, TOLLGATE_API_CA: caFile };
    const said = await children.run(['logs', 'tail'], { cwd: elsewhere, environment });
    expect(said.stderr).toContain('request_logs:read');
    expect(said.code).toBe(3);
  });
});
