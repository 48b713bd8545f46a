import https from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findRunningPostgres } from '../../base/embedded_postgres/index.ts';
import { type Connection, connect } from '../../base/sql.ts';
import type { Client } from '../client.ts';
import { fastest } from '../fastest.ts';
import { createDatabase } from '../harness.ts';
import { numbers } from '../numbers.ts';
import { seed, shareOf } from '../torture.ts';
import { type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, postmasterOf, type Running } from './children.ts';
import { atSomeMoment, expectReplays, Load, readFacts, verify, wanting } from './customer_load.ts';
import { SearchLoad, verifyIndex } from './search_load.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
console.log(`crash tests with TEST_SEED=${seed}`);

const kills = shareOf(20, 1);
const postgresKills = shareOf(20, 1);
/** A busy machine is not busy after every kill. */
const postgresKillsMax = postgresKills + 2;
const servingAgainMs = 2_000;
/** Of a server that is stopped. */
const clients = 20;
type Sent = { kind: 'answered'; status: number; text: string } | { kind: 'refused' | 'broken'; reason: string };

let dropDatabase = async () => {};
afterAll(async () => {
  await children.cleanUp();
  await dropDatabase();
});

describe('a server with its own PostgreSQL', () => {
  let environment: Environment;
  let dataDir: string;
  let server: Running;
  let key: string;

  beforeAll(async () => {
    environment = children.embeddedEnvironment();
    dataDir = environment.TOLLGATE_DATA_DIR!;
    server = await children.serve(environment);
    key = (await children.account(environment)).test_secret_key;
  }, testMs);

  test('kill -9 of the server under load loses nothing and does nothing twice', async () => {
    const random = numbers(seed);
    let client: Client | undefined = server.client(key);
    const load = new Load('kill', random, () => client);
    const measured: string[] = [];
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        await atSomeMoment(load, random);
        // A PostgreSQL whose gateway is gone stops cleanly. Every second time it is killed too, as by a power failure.
        const both = kill % 2 === 0;
        const killedAt = performance.now();
        if (both) process.kill(postmasterOf(dataDir)!, 'SIGKILL');
        await server.child.stop('SIGKILL');
        client = undefined;
        server = await children.serve(environment);
        client = server.client(key);
        await until('an answer after the kill', patienceMs, () => load.lastBegan > killedAt);
        const servingAfter = Math.round(performance.now() - killedAt);
        measured.push(`${both ? 'with PostgreSQL, ' : ''}ready ${server.readyMs} ms, first answer ${servingAfter} ms`);
      }
    } finally {
      await load.end();
    }
    console.log(`measured: kill -9 of the server: ${measured.join('; ')}; ${JSON.stringify(load.counts)}`);
    await expectReplays(load, client!, random);
    await verify(load, await children.sql(dataDir), 'kill', kills * 50);
  });

  test('kill -9 of PostgreSQL under load loses nothing, and the only error is "unavailable"', async () => {
    const random = numbers(seed + 1);
    const client = server.client(key);
    const address = (await findRunningPostgres(dataDir))!;
    const load = new Load('postgres', random, () => client);
    const measured: string[] = [];
    let least = Number.POSITIVE_INFINITY;
    try {
      while (measured.length < postgresKills || (least >= servingAgainMs && measured.length < postgresKillsMax)) {
        await atSomeMoment(load, random);
        const postmaster = postmasterOf(dataDir)!;
        const killedAt = performance.now();
        process.kill(postmaster, 'SIGKILL');
        const back = await until('PostgreSQL is back', patienceMs, async () => {
          const connection = await connect(address, 'test').catch(() => undefined);
          await connection?.end();
          return connection !== undefined && postmasterOf(dataDir) !== postmaster && performance.now();
        });
        // A request that began later: for some milliseconds, processes of the dead PostgreSQL may still commit.
        const serving = await until('an answer', patienceMs, () => load.lastBegan > back && performance.now());
        measured.push(`back ${Math.round(back - killedAt)} ms, first answer ${Math.round(serving - killedAt)} ms`);
        least = Math.min(least, serving - back);
      }
    } finally {
      await load.end();
    }
    console.log(`measured: kill -9 of PostgreSQL: ${measured.join('; ')}; ${JSON.stringify(load.counts)}`);
    expect(least).toBeLessThan(servingAgainMs);
    expect(server.child.ending).toBeUndefined();
    await expectReplays(load, client, random);
    await verify(load, await children.sql(dataDir), 'postgres', postgresKills * 50);
    const { child } = server;
    const again = () => child.stdout.match(/serves again after \d+ ms/g) ?? [];
    await until('the log says that it serves again', patienceMs, () => again().length === measured.length);
    expect(child.stdout.match(/making it serve again/g)).toHaveLength(measured.length);
    console.log(`measured by the supervisor: ${again().join(', ')}`);
  });

  test('SIGTERM: connections that were made but not yet accepted are served', async () => {
    const agents = Array.from({ length: clients }, () => new https.Agent({ ca: server.ca }));
    // The process is paused; when it continues, it finds all these connections and the signal together.
    server.child.signal('SIGSTOP');
    const sockets = new Set<Socket>();
    const answers = agents.map((agent, at) => send(server, key, agent, `door-${at}`, (socket) => sockets.add(socket)));
    await until('all connections are made', patienceMs, () => sockets.size === clients && [...sockets].every(isOpen));
    server.child.signal('SIGTERM');
    server.child.signal('SIGCONT');
    const sent = await Promise.all(answers);
    expect(await server.child.ends()).toEqual({ code: 0, signal: null });
    expect(sent.filter((one) => one.kind !== 'answered')).toEqual([]);
    expect(new Set(sent.map((one) => one.kind === 'answered' && one.status))).toEqual(new Set([200]));
  });

  /** The kernel establishes TCP, whatever the process does. */
  function isOpen(socket: Socket): boolean {
    return socket.readyState === 'open';
  }
});

describe('two servers on one database', () => {
  let sql: Connection;
  let servers: Running[];
  let environment: Environment;

  beforeAll(async () => {
    const database = await createDatabase();
    dropDatabase = database.drop;
    sql = children.keep(await connect(database.address, 'test'));
    environment = children.serveEnvironment({ DATABASE_URL: database.url, DRAIN_SECONDS: '1' });
    servers = await Promise.all([children.serve(environment), children.serve(environment)]);
  });

  test('fifty equal requests with one key, spread over both: one customer, one event, fifty equal answers', async () => {
    const { test_secret_key } = await children.account(environment);
    const clients = servers.map((server) => server.client(test_secret_key));
    const key = `race-${seed}-0`;
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => wanting(clients[at % 2]!, key)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const facts = await readFacts(sql, 'race');
    expect([...facts.names]).toEqual([[key, [answers[0]!.json.id]]]);
    expect([...facts.events]).toEqual([[answers[0]!.json.id, 1]]);
    expect([...facts.keys]).toEqual([[key, answers[0]!.text]]);
  });

  test('one rate limit holds over both: exactly 100 of 150 requests', async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      const { test_secret_key } = await children.account(environment, { tier: 'standard' });
      const clients = servers.map((server) => server.client(test_secret_key));
      const answers = await Promise.all(Array.from({ length: 150 }, (_, at) => clients[at % 2]!.get('/v1/customers')));
      // A new minute began in between: this try proves nothing, and the next one is far from the turn of a minute.
      if (new Set(answers.map((answer) => answer.headers['x-ratelimit-reset'])).size > 1) continue;
      const statuses = answers.map((answer) => answer.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(100);
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused).toHaveLength(50);
      for (const answer of refused) {
        expect(answer.json.error.code).toBe('rate_limited');
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      const remaining = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 100 }, (_, at) => 99 - at));
      return;
    }
    throw new Error('no try was within one minute');
  });

  test('when one is killed, the other continues without errors, and goes on with the search index', async () => {
    const { test_secret_key } = await children.account(environment);
    const [first, second] = servers.map((server) => server.client(test_secret_key));
    const made = await wanting(first!, `survivor-${seed}`);
    const random = numbers(seed + 2);
    let isKilled = false;
    const load = new SearchLoad('indexed', random, () => (isKilled || random(2) === 0 ? second : first));
    await load.after(6);
    isKilled = true;
    await servers[0]!.child.stop('SIGKILL');
    await load.end();
    const again = await wanting(second!, `survivor-${seed}`);
    expect(again).toMatchObject({ status: 200, text: made.text, headers: { 'idempotent-replayed': 'true' } });
    expect((await wanting(second!, `next-${seed}`)).status).toBe(200);
    await verifyIndex(sql, second!, load.expected);
  });

  test('SIGTERM of the other under load: every request that was sent is answered, no client is cut off, and it ends with 0', async () => {
    let left: Running | undefined = servers[1];
    const tried = async () => {
      const server = left ?? (await children.serve(environment));
      left = undefined;
      return drain(server);
    };
    expect(await fastest(1_000, tried)).toBeLessThan(1_000);
  });

  /** How long after the signal the readiness check still succeeded. */
  async function drain(server: Running): Promise<number> {
    const account = await children.account(environment);
    const key = account.test_secret_key;
    const made: string[] = [];
    const refused: string[] = [];
    const wrong: string[] = [];
    const agents: https.Agent[] = [];
    const name = `drain-${account.account}`;

    async function client(number: number): Promise<void> {
      const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: server.ca });
      agents.push(agent);
      for (let count = 0; count < 100_000; count += 1) {
        const sent = await send(server, key, agent, `${name}-${number}-${count}`);
        if (sent.kind === 'answered' && sent.status === 200) made.push(sent.text);
        else if (sent.kind === 'refused') return void refused.push(sent.reason);
        else return void wrong.push(JSON.stringify(sent));
      }
    }

    const running = Array.from({ length: clients }, (_, number) => client(number));
    await until('the load is on', patienceMs, () => made.length > 200);
    const slow = await openRequest(server, key, `${name}-slow`);
    expect(await readiness(server)).toBe(200);

    const signalledAt = performance.now();
    const before = made.length;
    server.child.signal('SIGTERM');
    let lastGreenMs = 0;
    const red = await until('readiness is red', patienceMs, async () => {
      const askedAt = performance.now();
      const status = await readiness(server);
      if (status !== 200) return status;
      lastGreenMs = Math.round(askedAt - signalledAt);
      return undefined;
    });
    expect([500, 'refused']).toContain(red);
    const during = made.length;
    const finished = await slow.finish();
    expect(finished).toMatch(/^HTTP\/1\.1 200 /);
    expect(finished).toMatch(/^Connection: close\r$/im);

    expect(await server.child.ends()).toEqual({ code: 0, signal: null });
    const tookMs = Math.round(performance.now() - signalledAt);
    await Promise.all(running);
    for (const agent of agents) agent.destroy();
    const resets = refused.filter((reason) => !reason.startsWith('ECONNREFUSED'));
    console.log(
      `measured: SIGTERM under load: green for ${lastGreenMs} ms, ${made.length - before} more requests answered (${made.length - during} while red), ended after ${tookMs} ms; connections turned away other than by ECONNREFUSED: ${JSON.stringify(resets)}`,
    );
    expect(tookMs).toBeLessThan(25_000);
    expect(wrong).toEqual([]);
    expect(refused).toHaveLength(clients);
    expect(made.length - before).toBeGreaterThan(clients);
    const stored = await sql.query('select id from customers where name like $1', [`${name}-%`]);
    const ids = new Set(stored.rows.map((row) => row.id));
    expect(made.filter((text) => !ids.has(JSON.parse(text).id))).toEqual([]);
    expect(ids.size).toBe(made.length + 1);
    return lastGreenMs;
  }

  /** On a new connection, as a load balancer checks. */
  async function readiness(server: Running): Promise<number | 'refused'> {
    const client = server.client();
    try {
      return (await client.get('/readyz')).status;
    } catch {
      return 'refused';
    } finally {
      client.close();
    }
  }
});

/** Distinguishes a request that was never sent, because no connection was made, from one without an answer. */
function send(
  server: Running,
  key: string,
  agent: https.Agent,
  name: string,
  onSocket: (socket: Socket) => void = () => {},
): Promise<Sent> {
  const body = JSON.stringify({ name });
  return new Promise((resolve) => {
    let connected = false;
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const request = https.request(`${server.baseUrl}/v1/customers`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ kind: 'answered', status: response.statusCode!, text }));
      response.on('error', (error) => resolve({ kind: 'broken', reason: String(error) }));
    });
    request.on('socket', (socket) => {
      onSocket(socket);
      if (request.reusedSocket) connected = true;
      else
        socket.once('secureConnect', () => {
          connected = true;
        });
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: connected ? 'broken' : 'refused', reason: `${error.code} ${error.message}` }),
    );
    request.end(body);
  });
}

/** A request whose last byte has not been sent yet. */
async function openRequest(server: Running, key: string, name: string): Promise<{ finish: () => Promise<string> }> {
  const port = Number(new URL(server.baseUrl).port);
  const socket: TLSSocket = connectTls({ host: '127.0.0.1', port, servername: 'localhost', ca: server.ca });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const ended = new Promise<void>((resolve, reject) => socket.once('end', resolve).once('error', reject));
  ended.catch(() => {});
  await new Promise<void>((resolve) => socket.once('secureConnect', resolve));
  const body = JSON.stringify({ name });
  const head = [
    'POST /v1/customers HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  return {
    async finish() {
      socket.write(body.slice(-1));
      await ended;
      socket.destroy();
      return received;
    },
  };
}
