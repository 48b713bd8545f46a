import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import type { Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../harness.ts';
import { isTorture, shareOf, shareOfCases } from '../torture.ts';
import { type Child, type Environment, type Finished, patienceMs, testMs, until } from './child.ts';
import { Children } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const home = children.directory();
let server: TestServer;
let environment: Environment;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ onePostgres: true, environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey };
});
afterAll(async () => {
  await children.cleanUp();
  await server.stop();
});
// Every test has its own account, so that no events of other tests are forwarded.
beforeEach(async () => {
  account = await server.account();
});

const tollgate = (...args: string[]): Promise<Finished> => children.run(args, { cwd: home, environment });
const customer = async (client = account.test) => (await client.post('/v1/customers', { name: 'Ada' })).json.id;
const customers = (count: number) => Promise.all(Array.from({ length: count }, () => customer()));

/** Many events of one moment, inserted directly. */
async function events(count: number, moment = Date.now()): Promise<void> {
  const ids = Array.from({ length: count }, () => newId('evt', moment));
  await server.sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select t.tenant, x.id, 'customer.created', 'cus_many', 1,
            convert_to('{"id":"' || x.id || '","type":"customer.created","data":{"object":{"id":"cus_many"}}}', 'UTF8')
       from tenants t, unnest($2::text[]) as x (id) where t.account = $1 and t.mode = 'test'`,
    [account.id, ids],
  );
}

describe('tollgate listen', () => {
  let program: WebhookReceiver;
  let listening: Child | undefined;

  beforeEach(async () => {
    program = new WebhookReceiver();
    await program.listen();
  });
  afterEach(async () => {
    if (listening !== undefined && listening.ending === undefined) await listening.stop('SIGKILL');
    await program.close().catch(() => {});
  });

  async function listen(...args: string[]): Promise<Child> {
    const all = ['listen', '--forward-to', program.url, '--account', account.id, ...args];
    const child = children.tollgate(all, { cwd: home, environment });
    listening = child;
    await child.prints(/Ctrl-C ends it\.\n/, patienceMs);
    program.secret = /^Signing secret: (whsec_\S+)$/m.exec(child.stdout)![1]!;
    return child;
  }

  /** The objects of the forwarded events, in the order of arrival. */
  const toldOf = () => [...program.arrived.values()].map((one) => one.object);
  const came = (count: number) => until(`${count} came`, patienceMs, () => program.arrived.size >= count);
  /** Waits until it has polled again, which it does every 250 ms. */
  async function aLook(): Promise<void> {
    const { rows } = await server.sql.query('select clock_timestamp() as now');
    const looks = `select from pg_stat_activity
      where application_name = 'tollgate command' and datname = current_database() and query_start > $1::timestamptz + interval '300 ms'`;
    await until('it has looked again', patienceMs, async () => (await server.sql.query(looks, [rows[0].now])).rowCount);
  }

  test('forwards new events, signed, and prints the answers; after SIGINT the next start repeats nothing, and outlives the program and its connections', async () => {
    await customer();
    const first = await listen();
    await forwardsAndPrints(first);
    const { secret } = program;
    expect(await first.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
    expect(first.stderr).toBe('');
    const again = await listen();
    expect(program.secret).toBe(secret);
    await aLook();
    expect(program.requests).toBe(4);
    await outlivesProgram(again);
    await outlivesConnections(again);
  });

  async function forwardsAndPrints(child: Child): Promise<void> {
    expect(child.stdout).toMatch(
      new RegExp(
        `^Forwarding events to ${program.url}\nSigning secret: whsec_[A-Za-z0-9+/]{43}=\nCtrl-C ends it\\.\n$`,
      ),
    );
    const made = await customers(3);
    await came(3);
    program.status = 503;
    made.push(await customer());
    await came(4);
    await child.prints(/ 503 {2}/, patienceMs);
    await aLook();
    expect(program.violations).toEqual([]);
    expect(toldOf().sort()).toEqual(made.sort());
    expect(program.requests).toBe(4); // a failure is printed, not retried
    const lines = child.stdout.split('\n').filter((line) => line.includes('evt_'));
    expect(lines).toHaveLength(4);
    for (const line of lines)
      expect(line).toMatch(/^\d\d:\d\d:\d\d {2}customer\.created {14}evt_\w{22} {2}(200|503) {2}\d+ ms$/);
    expect(lines.filter((line) => line.includes('  503  '))).toHaveLength(1);
  }

  /** A program that is down, and one that is up again at the same address. */
  async function outlivesProgram(child: Child): Promise<void> {
    const { secret } = program;
    const port = Number(new URL(program.url).port);
    await program.close();
    await customer();
    await child.prints(/customer\.created .* no answer \(.*ECONNREFUSED.*\) {2}\d+ ms/, patienceMs);
    program = new WebhookReceiver();
    program.secret = secret;
    await program.listen(port);
    const id = await customer();
    await came(1);
    expect(toldOf()).toEqual([id]);
  }

  /** A lost connection to the database loses and repeats nothing. */
  async function outlivesConnections(child: Child): Promise<void> {
    const made = [...toldOf(), ...(await customers(shareOf(50, 10)))];
    const cuts = shareOf(3, 2);
    for (let cut = 1; cut <= cuts; cut += 1) {
      const making = customers(shareOf(40, 15));
      const { rows } = await server.sql.query(
        `select pg_terminate_backend(pid) as done from pg_stat_activity
          where application_name = 'tollgate command' and datname = current_database()`,
      );
      expect(rows).toEqual([{ done: true }]);
      await until('it has noticed', patienceMs, () => child.stderr.match(/Trying again\./g)?.length === cut);
      made.push(...(await making), ...(await customers(shareOf(10, 5))));
      await came(made.length);
    }
    await aLook();
    const told = 'The connection to the database was lost. Trying again.\nConnected to the database again.\n';
    expect(child.stderr).toBe(told.repeat(cuts));
    expect(child.stdout.match(/Signing secret/g)).toHaveLength(1);
    expect(program.violations).toEqual([]);
    expect(toldOf().sort()).toEqual(made.sort());
    expect(program.requests).toBe(made.length);
    expect(child.ending).toBeUndefined();
  }

  test('--events takes types and families; --live takes live mode alone', async () => {
    await listen('--live', '--events', 'payment_method.*, customer.deleted');
    const change = async (client: Client) => {
      const id = await customer(client);
      const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
      const method = (await client.post('/v1/payment_methods', { type: 'card', card })).json.id;
      await client.post(`/v1/payment_methods/${method}/attach`, { customer: id });
      await client.delete(`/v1/customers/${id}`);
      return [id, method];
    };
    await change(account.test);
    const changed = await change(account.live);
    await until('the last came', patienceMs, () =>
      [...program.arrived.values()].some((one) => one.type === 'customer.deleted'),
    );
    await aLook();
    const types = new Set([...program.arrived.values()].map((one) => one.type));
    expect(types).toContain('customer.deleted');
    expect(types).not.toContain('customer.created');
    for (const type of types) expect(type).toMatch(/^(payment_method\..*|customer\.deleted)$/);
    for (const object of toldOf()) expect(changed).toContain(object);
  });

  const tries: [string, string[], boolean][] = [
    ['without --events', [], true],
    ['with its family', ['--events', 'webhook_endpoint.*'], true],
    ['with its name', ['--events', 'webhook_endpoint.test,customer.created'], true],
    ['with others', ['--events', 'customer.*'], false],
  ];
  // Which types an option chooses, commands/listen.test.ts tests without a process; how the test event comes, the next one does.
  test.runIf(isTorture).each(tries)('the test event of an endpoint, %s', async (_, args, comes) => {
    await listen(...args);
    await sendTestEvent();
    if (!comes) await customer(); // a later event to wait for
    await came(1);
    await aLook();
    const types = [...program.arrived.values()].map((one) => one.type);
    expect(types).toEqual([comes ? 'webhook_endpoint.test' : 'customer.created']);
  });

  async function sendTestEvent(): Promise<void> {
    const endpoint = { url: 'http://127.0.0.1:9/hook', enabled_events: ['customer.deleted'] };
    const { id } = (await account.test.post('/v1/webhook_endpoints', endpoint)).json;
    expect((await account.test.post(`/v1/webhook_endpoints/${id}/test`)).status).toBe(200);
  }

  test('--since starts in the past, each event once and in order; the test event of an endpoint is one of them', async () => {
    const made = shareOf(1_050, 50); // pages have 500; outbox/tail.test.ts reads several in every run
    await events(made);
    await listen('--since', '10m');
    await came(made);
    const late = await customer();
    await came(made + 1);
    await sendTestEvent();
    await came(made + 2);
    await aLook();
    expect(program.requests).toBe(made + 2);
    expect(toldOf().at(-2)).toBe(late);
    expect([...program.arrived.values()].at(-1)!.type).toBe('webhook_endpoint.test');
    const ids = [...program.arrived.keys()];
    expect(ids).toEqual([...ids].sort());
  });

  test.runIf(isTorture)('without --since, earlier events are not forwarded, however many there are', async () => {
    await events(550); // more than it reads at a time
    await listen();
    const id = await customer();
    await came(1);
    await aLook();
    expect(toldOf()).toEqual([id]);
  });

  test.runIf(isTorture)('--since forwards nothing from before that moment', async () => {
    const hourMs = 3_600_000;
    await events(5, Date.now() - hourMs - 30_000); // it reads somewhat more than that, for what is committed late
    const made = await customer();
    await listen('--since', '1h');
    await came(1);
    await aLook();
    expect(toldOf()).toEqual([made]);
  });
});

// In every run, a connection that is cut off stands for it.
describe.runIf(isTorture)('tollgate listen, beside a database that is restarted', () => {
  test('reconnects by itself', async () => {
    const program = new WebhookReceiver();
    await program.listen();
    const embedded = children.embeddedEnvironment();
    let running = await children.serve(embedded);
    const { account: id, test_secret_key: key } = await children.account(embedded);
    const args = ['listen', '--forward-to', program.url, '--account', id];
    const child = children.tollgate(args, { cwd: home, environment: embedded });
    await child.prints(/Ctrl-C ends it\.\n/, patienceMs);
    const made: string[] = [];
    const make = async () => {
      const client = running.client(key);
      made.push((await client.post('/v1/customers', { name: 'Ada' })).json.id);
    };
    await make();
    await until('the first came', patienceMs, () => program.arrived.size === 1);
    await running.child.stop('SIGTERM'); // its PostgreSQL stops with it
    await until('it has noticed', patienceMs, () => child.stderr.includes('Trying again.'));
    running = await children.serve(embedded);
    await make();
    await until('the second came', patienceMs, () => program.arrived.size === 2);
    expect([...program.arrived.values()].map((one) => one.object)).toEqual(made);
    expect(program.requests).toBe(2);
    const lines = child.stderr.split('\n').slice(0, -1);
    expect(lines[0]).toMatch(/^Using the embedded database in /);
    expect(lines[1]).toBe('The connection to the database was lost. Trying again.');
    expect(lines.at(-1)).toBe('Connected to the database again.');
    // The reason may change while the server stops and starts; no line is printed twice in a row.
    for (const [at, line] of lines.entries()) expect(line).not.toBe(lines[at - 1]);
    expect(child.ending).toBeUndefined();
    await child.stop('SIGINT');
    await program.close();
  });
});

describe('wrong usage of tollgate listen', () => {
  const url = 'http://127.0.0.1:9/hook';
  const unknownEvent =
    /^--events: it takes event types, families .*; "payment\.lost" is none of these; docs\/events\.md lists them all\.\n$/;
  const cases: [string, string[], RegExp][] = [
    ['without an address', [], /required option '--forward-to <address>' not specified/],
    ['with something that is no address', ['--forward-to', 'localhost'], /^--forward-to takes an address such as http/],
    ['with another scheme', ['--forward-to', 'ftp://localhost/x'], /^--forward-to takes an address such as http/],
    [
      'with no moment',
      ['--forward-to', url, '--account', 'ACCOUNT', '--since', '5'],
      /^--since takes a span such as 15m, 2h or 7d, or a time such as .*\.\n$/,
    ],
    [
      'with a moment to come',
      ['--forward-to', url, '--account', 'ACCOUNT', '--since', '9999-12-31'],
      /^--since lies in the future\.\n$/,
    ],
    ['with an event that is not there', ['--forward-to', url, '--events', 'payment.lost'], unknownEvent],
    [
      'with an event twice',
      ['--forward-to', url, '--events', 'payment.*,payment.*'],
      /^--events: it names payment\.\* twice\.\n$/,
    ],
    ['with an account that is not there', ['--forward-to', url, '--account', 'acct_no'], /there is no account acct_no/],
    [
      'without an account and without a key',
      ['--forward-to', url],
      /^There is no key: give --api-key or TOLLGATE_API_KEY/,
    ],
    ['with a secret that is none', ['--forward-to', url, '--secret', 'sesame'], /^--secret takes a signing secret/],
    ['with an option that is not there', ['--forward-to', url, '--nonsense'], /unknown option '--nonsense'/],
  ];
  test.each(shareOfCases(cases, 2))('%s prints one sentence', async (_, args, message) => {
    const { code, stdout, stderr } = await tollgate('listen', ...args.map((one) => one.replace('ACCOUNT', account.id)));
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, stdout]).toEqual([stderr.startsWith('there is no account') ? 3 : 2, '']);
  });
});

test('tollgate logs tail --follow shows requests as they come, until Ctrl-C ends it', async () => {
  const before = [await customer(), await customer()];
  const logged = () => server.sql.query('select from requests where object_id = any($1)', [before]);
  await until('they are logged', patienceMs, async () => (await logged()).rowCount === 2);
  const tail = ['logs', 'tail', '--account', account.id, '--limit', '1', '--follow'];
  const child = children.tollgate(tail, { cwd: home, environment });
  await child.prints(new RegExp(before[1]), patienceMs);
  const made = await customer();
  await child.prints(new RegExp(made), patienceMs);
  const line = (id: string) => `20\\S+Z  200  POST   /v1/customers  \\d+ ms  ${id}  req_\\w{22}\n`;
  expect(child.stdout).toMatch(new RegExp(`^${line(before[1])}${line(made)}$`));
  expect(await child.stop('SIGINT')).toEqual({ code: null, signal: 'SIGINT' });
  expect(child.stderr).toBe('');
});

describe('tollgate listen at its start', () => {
  const args = ['listen', '--forward-to', 'http://127.0.0.1:9/hook', '--account', 'acct_1'];
  const withDatabase = (url: string) => ({ cwd: home, environment: { ...environment, DATABASE_URL: url } });

  const wrong: [string, (address: URL) => void, RegExp][] = [
    [
      'a wrong user or password',
      (address) => {
        address.username = 'nobody';
      },
      /^The database cannot be used: password authentication failed for .*\. .*DATABASE_URL.*\n$/,
    ],
    [
      'a database that is not there',
      (address) => {
        address.pathname = '/nowhere';
      },
      /^The database cannot be used: database "nowhere" does not exist\. .*DATABASE_URL.*\n$/,
    ],
  ];
  test.each(shareOfCases(wrong, 1))('%s prints one sentence and ends', async (_, change, message) => {
    const address = new URL(server.databaseUrl);
    change(address);
    const { code, stdout, stderr } = await children.run(args, withDatabase(address.href));
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([5, '']);
  });

  test.runIf(isTorture)('waits for a server that does not respond yet', async () => {
    const nobody = 'postgres://tollgate:tollgate@127.0.0.1:1/tollgate';
    const child = children.tollgate(args, withDatabase(nobody));
    await until('it says so', patienceMs, () => child.stderr.includes('\n'));
    expect(child.ending).toBeUndefined();
    await child.stop('SIGKILL');
    expect(child.stderr).toMatch(/^The database cannot be reached \(.*ECONNREFUSED.*\)\. Trying again\.\n$/);
  });

  test.runIf(isTorture)('keeps retrying, and prints each reason once', async () => {
    const starting = await decliningDatabase('57P03', 'the database system is starting up');
    const child = children.tollgate(args, withDatabase(starting.url));
    await until('three tries', patienceMs, () => starting.tries() >= 3);
    starting.decline('53300', 'sorry, too many clients already');
    await until('it says the other', patienceMs, () => child.stderr.includes('too many clients'));
    const tries = starting.tries();
    await until('two more', patienceMs, () => starting.tries() >= tries + 2);
    await child.stop('SIGKILL');
    expect(child.stderr).toBe(
      'The database cannot be reached (the database system is starting up). Trying again.\n' +
        'The database cannot be reached (sorry, too many clients already). Trying again.\n',
    );
  });
});

/** Answers every connection with an error, as PostgreSQL does when it accepts none. */
async function decliningDatabase(state: string, message: string) {
  let [answer, tries] = [errorOf(state, message), 0];
  const listener = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      tries += 1;
      socket.end(answer);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  return {
    url: `postgres://tollgate:tollgate@127.0.0.1:${(listener.address() as AddressInfo).port}/tollgate`,
    tries: () => tries,
    decline: (otherState: string, other: string) => {
      answer = errorOf(otherState, other);
    },
  };
}

/** An ErrorResponse of PostgreSQL's protocol. */
function errorOf(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${message}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
}

describe('tollgate events resend', () => {
  async function endpoint(events: string[]): Promise<{ id: string; receiver: WebhookReceiver }> {
    const receiver = new WebhookReceiver();
    await receiver.listen();
    receivers.push(receiver);
    const made = await account.test.post('/v1/webhook_endpoints', { url: receiver.url, enabled_events: events });
    receiver.secret = made.json.secret;
    return { id: made.json.id, receiver };
  }
  const receivers: WebhookReceiver[] = [];
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  const cameTo = ({ receiver }: { receiver: WebhookReceiver }, count: number) =>
    until(`${count} came`, patienceMs, () => receiver.requests === count);

  test('sends to one endpoint or to all, with the same bytes under the same id', async () => {
    const one = await endpoint(['customer.*']);
    const other = await endpoint(['*']);
    const stranger = await endpoint(['payment.*']);
    await customer();
    await Promise.all([cameTo(one, 1), cameTo(other, 1)]);
    const [event] = [...one.receiver.arrived.keys()] as [string];

    const single = await tollgate('events', 'resend', event, '--account', account.id, '--endpoint', one.id);
    expect(single).toMatchObject({ code: 0, stdout: `${event} is sent again to ${one.id}\n`, stderr: '' });
    await cameTo(one, 2);

    const args = ['events', 'resend', event, '--account', account.id];
    const all = await children.json(args, { cwd: home, environment });
    expect(all).toMatchObject({ id: event, object: 'event', webhook_endpoints: expect.any(Array) });
    expect(all.webhook_endpoints.sort()).toEqual([one.id, other.id].sort());
    await Promise.all([cameTo(one, 3), cameTo(other, 2)]);

    // A named endpoint gets it even when it is not subscribed.
    await tollgate(...args, '--endpoint', stranger.id);
    await cameTo(stranger, 1);
    await server.settled();
    expect([one, other, stranger].map(({ receiver }) => receiver.requests)).toEqual([3, 2, 1]);
    for (const { receiver } of [one, other, stranger]) {
      expect(receiver.violations).toEqual([]);
      expect([...receiver.arrived.keys()]).toEqual([event]);
    }
  });

  test('prints one sentence when nothing can be sent', async () => {
    const there = await endpoint(['*']);
    const { id: disabled } = await endpoint(['customer.created']);
    await customer();
    await cameTo(there, 1);
    await account.test.post(`/v1/webhook_endpoints/${disabled}`, { status: 'disabled' });
    const [event] = [...there.receiver.arrived.keys()] as [string];
    const of = (...args: string[]) => tollgate('events', 'resend', ...args);
    const mine = ['--account', account.id];
    const other = await server.account();

    const missing = `There is no event evt_no in this account and mode, or no enabled endpoint that is subscribed to it.\n`;
    expect(await of('evt_no', ...mine)).toMatchObject({ code: 3, stdout: '', stderr: missing });
    for (const endpointId of ['we_no', disabled])
      expect(await of(event, ...mine, '--endpoint', endpointId)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: `There is no event ${event} in this account and mode, or no enabled endpoint ${endpointId}.\n`,
      });
    expect(await of(event, ...mine, '--live')).toMatchObject({ code: 3, stdout: '' });
    expect(await of(event, '--account', other.id)).toMatchObject({ code: 3, stdout: '' });
    expect(await of(event, ...mine, '--endpoint', '')).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: '--endpoint is empty: leave it out to send to all endpoints that are enabled and subscribed.\n',
    });
    expect((await of(event, '--account', 'acct_no')).stderr).toMatch(/there is no account acct_no/);
    expect((await of(event)).stderr).toMatch(/^There is no key: /); // of the API
    expect((await of(event, '--endpoint', 'we_no')).stderr).toMatch(/^--endpoint needs --account/);
    expect((await of(...mine)).stderr).toMatch(/missing required argument 'event'/);
    await server.settled();
    expect(there.receiver.requests).toBe(1);
  });
});
