import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { expect, inject } from 'vitest';
import { newId } from '../../base/id.ts';
import { errorTable } from '../../catalog.ts';
import { close, host, say } from '../../http/transport/harness.ts';
import type { Answer } from '../client.ts';
import { createDatabase, type TestServer } from '../harness.ts';

/** All statuses of the API. A page may also redirect. */
export const statuses = [200, 400, 401, 402, 403, 404, 429, 500];

/** The headers of every response. */
export function expectCommonHeaders({ headers }: Answer): void {
  expect(headers).toMatchObject({
    'request-id': expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
    'x-ratelimit-limit': expect.stringMatching(/^[1-9]\d*$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
    'x-service-version': '1',
    'strict-transport-security': expect.stringMatching(/^max-age=[1-9]\d{6,}/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'ratelimit-policy': expect.stringMatching(/^"[\w.]+";q=\d+;w=60$/),
    ratelimit: expect.stringMatching(/^"[\w.]+";r=\d+;t=\d+$/),
    'content-type': expect.stringMatching(/^(application\/json|text\/html; charset=utf-8)$/),
    'content-length': expect.stringMatching(/^\d+$/),
  });
  const rate = rateOf({ headers });
  expect(headers['ratelimit-policy']).toBe(`"${rate.policy}";q=${rate.limit};w=60`);
  expect(headers.ratelimit).toMatch(new RegExp(`^"${rate.policy}";r=${rate.remaining};t=`));
  expect(rate.remaining).toBeLessThanOrEqual(rate.limit);
  expect(rate.reset % 60).toBe(0);
  expect(rate.secondsLeft).toBeGreaterThanOrEqual(1);
  expect(rate.secondsLeft).toBeLessThanOrEqual(60);
}

export function rateOf({ headers }: Pick<Answer, 'headers'>) {
  const [, policy = '', secondsLeft = ''] = /^"([\w.]+)";r=\d+;t=(\d+)$/.exec(String(headers.ratelimit)) ?? [];
  return {
    policy,
    limit: Number(headers['x-ratelimit-limit']),
    remaining: Number(headers['x-ratelimit-remaining']),
    reset: Number(headers['x-ratelimit-reset']),
    secondsLeft: Number(secondsLeft),
  };
}

/** An error in the shape of the interface: at most four fields, in order, with its help link and all headers. */
export function expectErrorShape(answer: Answer): void {
  expectCommonHeaders(answer);
  expect(statuses).toContain(answer.status);
  expect(answer.headers['content-type']).toBe('application/json');
  const { error, ...others } = answer.json;
  expect(others).toEqual({});
  expect(Object.keys(error)).toEqual(['code', 'message', ...('param' in error ? ['param'] : []), 'type']);
  for (const value of Object.values(error)) expect(value).toEqual(expect.stringMatching(/./));
  const row = errorTable[error.code];
  expect(row, `${error.code} is a row of the error table`).toBeDefined();
  expect({ status: answer.status, type: error.type }).toEqual({ status: row?.status, type: row?.type });
  expect(answer.headers.link).toContain(`</docs/errors#${error.code}>; rel="help"`);
  expect(answer.headers['www-authenticate']).toBe(answer.status === 401 ? 'Bearer' : undefined);
}

/** What a message shows where a blank was not filled in. Within a word, NaN may be part of a random id. */
export const unfilledBlank = /\{\w+\}|undefined|\bNaN|\[object/;

/** Exactly this refusal. Without `param` it must name none. */
export function expectRefusal(answer: Answer, code: string, param?: string): void {
  expect({ code: answer.json.error?.code, param: answer.json.error?.param }).toEqual({ code, param });
  expectErrorShape(answer);
  // Every blank of the message is filled in. (Not for any input: a caller may have sent such words.)
  expect(answer.json.error.message).not.toMatch(unfilledBlank);
}

/** A well-formed id of no object, later than every id of the server even if its clock is slightly ahead. */
export function unusedId(prefix: string): string {
  return newId(prefix, Date.now() + 1_000);
}

/** Sends a raw request on its own connection, which is closed afterwards. */
export async function sendRaw(
  server: Pick<TestServer, 'gateway' | 'ca'>,
  bytes: string | Buffer,
  { tls = true } = {},
): Promise<Answer> {
  const { text } = await say({ port: server.gateway.port, ca: tls ? server.ca : undefined }, bytes);
  const [answer, ...others] = parseAnswers(text, String(bytes).startsWith('HEAD '));
  if (answer === undefined) throw new Error('the server sent no response');
  expect(others).toEqual([]);
  return answer;
}

/** The start of a raw request that is answered and then closes its connection. */
export function rawHead(requestLine: string, key?: string): string {
  return `${requestLine} HTTP/1.1\r\n${host}${close}${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}`;
}

/** The answers on one connection, from bytes that were read as latin1. */
export function parseAnswers(text: string, head = false): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    const headers: IncomingHttpHeaders = {};
    for (const line of lines) {
      const colon = line.indexOf(': ');
      const name = line.slice(0, colon).toLowerCase();
      const before = headers[name] === undefined ? '' : `${headers[name]}, `;
      headers[name] = before + line.slice(colon + 2);
    }
    const length = head || status < 200 ? 0 : Number(headers['content-length']);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
    expect(Buffer.byteLength(body), `the whole body of: ${rest.slice(0, 200)}`).toBe(length);
    answers.push({
      status,
      headers,
      text: body,
      bytes: Buffer.from(body),
      get json() {
        return JSON.parse(body);
      },
    });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/**
 * Runs an attempt that depends on request counts. If a minute of the clock, and with it the window, ends during the attempt,
 * it is retried. Each attempt must create anew what it counts.
 */
export async function inOneMinute<T>(attempt: () => Promise<T>): Promise<T> {
  const marginMs = 250; // the server's clock may differ by some milliseconds
  const minute = (milliseconds: number) => Math.floor(milliseconds / 60_000);
  for (;;) {
    const start = minute(Date.now() - marginMs);
    const ended = () => minute(Date.now() + marginMs) !== start;
    try {
      const result = await attempt();
      if (!ended()) return result;
    } catch (error) {
      if (!ended()) throw error;
    }
  }
}

/** Repeats a request until its answer is as wanted or the deadline has passed. Returns the last answer. */
export async function askUntil<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  deadlineMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer) || performance.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export type Cable = {
  databaseUrl: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Keeps the connections open but forwards nothing. */
  freeze(): void;
  repair(): Promise<void>;
  remove(): Promise<void>;
};

/** A database behind a proxy that a test can interrupt. */
export async function databaseOnCable(): Promise<Cable> {
  const database = await createDatabase();
  const postgres = inject('postgres');
  const lines = new Set<net.Socket>();
  let frozen = false;
  const relay = net.createServer((inner) => {
    const outer = net.connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      lines.add(from);
      from.on('data', (chunk) => {
        if (!frozen) to.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        lines.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = relay.address() as net.AddressInfo;
  const cut = () => {
    relay.close();
    for (const line of lines) line.destroy();
  };
  const name = new URL(database.url).pathname;
  return {
    databaseUrl: `postgres://${postgres.user}:${postgres.password}@127.0.0.1:${port}${name}`,
    cut,
    freeze() {
      frozen = true;
    },
    async repair() {
      frozen = false;
      if (!relay.listening) await listen(port);
    },
    async remove() {
      cut();
      await database.drop();
    },
  };
}
