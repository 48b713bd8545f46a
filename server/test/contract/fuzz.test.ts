import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog, describedBy } from '../../catalog.ts';
import type { Json } from '../../http/pages/openapi/components.ts';
import { openApi } from '../../http/pages/openapi/document.ts';
import type { Answer, Client } from '../client.ts';
import { startServer, type TestServer } from '../harness.ts';
import { connectorsWithAccounts, makers } from '../http/objects.ts';
import { seed, shareOf } from '../torture.ts';
import { contractOf } from './contract.ts';
import { requestsOf, type Sketch } from './requests.ts';

/** `npm run fuzz -- <requests>` sets how many requests are sent. */
const requests = Number(process.env.FUZZ_REQUESTS ?? shareOf(100_000, 2_000));
const atOnce = 32;
const idsMax = 40; // of one kind
/** Ends a hang, on a busy machine too. */
const timeLimitMs = 120_000 + 100 * requests;

let server: TestServer;
let client: Client;
const pool = new Map<string, string[]>();

beforeAll(async () => {
  const environment = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
  server = await startServer({ environment, connectors: connectorsWithAccounts });
  client = (await server.account()).test;
});
afterAll(() => server?.stop());

const isGone = ({ deleted, status }: { deleted?: boolean; status?: string }) => deleted || status === 'canceled';

/** Objects that answers show can be named by later requests. */
function remember({ status, json }: Answer): void {
  if (status !== 200) return;
  for (const { id } of [json, ...(Array.isArray(json.data) ? json.data : []), ...(json.items ?? [])]) {
    if (typeof id !== 'string') continue;
    const prefix = id.split('_', 1)[0]!;
    const others = (pool.get(prefix) ?? []).filter((one) => one !== id);
    pool.set(prefix, isGone(json) ? others : [id, ...others].slice(0, idsMax));
  }
}

/** The text with ids in place of what stands for them. */
function withIds(text: string): string {
  return text.replaceAll(/@(\w+):(\d)/g, (_, kind: string, at: string) => {
    const known = pool.get(kind) ?? [];
    return known[Number(at) % Math.max(known.length, 1)] ?? `${kind}_0000000000000000000000`;
  });
}

/** In bracket notation. */
function formOf(value: unknown, name = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, value === null ? '' : String(value)]];
  return Object.entries(value).flatMap(([key, member]) => formOf(member, name === '' ? key : `${name}[${key}]`));
}

function send({ method, path, parameters = {}, raw, headers, isForm, isAnonymous }: Sketch): Promise<Answer> {
  const as = isAnonymous ? server.anonymous : client;
  const filled = JSON.parse(withIds(JSON.stringify(parameters)));
  const form = new URLSearchParams(formOf(filled)).toString();
  const target = withIds(path);
  if (method === 'GET') return as.get(form === '' ? target : `${target}?${form}`, { headers });
  if (method === 'DELETE') return as.delete(target, headers);
  if (raw !== undefined) return as.post(target, raw, { 'Content-Type': 'application/json', ...headers });
  return isForm ? as.form(target, form, headers) : as.post(target, filled, headers);
}

/** What is wrong with an answer, beside what the client finds. */
function objectionTo({ operation, method, parameters, raw, isForm }: Sketch, { status, json }: Answer) {
  if (status === 500) return 'the server has failed';
  if (method !== 'POST' || isForm || raw !== undefined || parameters === undefined) return undefined;
  // Null and an empty text count as not sent, which a schema cannot say.
  if (/null|""/.test(JSON.stringify(parameters))) return undefined;
  const fits = contractOf().takes(operation, parameters as Json);
  if (!fits && status === 200) return 'the document does not allow what the server has accepted';
  // Members of an object that takes any, such as credentials, are for the connector to know.
  const { code, param } = json.error ?? {};
  if (fits && code === 'parameter_unknown' && !param.includes('.'))
    return 'the server does not know a documented parameter';
  return undefined;
}

test(
  `${requests} generated requests get documented answers, and none fails the server`,
  async () => {
    for (const { prefix, make } of Object.values(makers)) pool.set(prefix, [await make(client, server)]);
    const sketches = fc.sample(requestsOf(openApi(describedBy(catalog))), { numRuns: requests, seed });
    const succeeded = new Set<string>();
    const failures: string[] = [];
    const work = sketches.values();
    const sendAll = async () => {
      for (const sketch of work) {
        const note = (what: string) => void failures.push(`${what}\n${JSON.stringify(sketch).slice(0, 2_000)}`);
        const answer = await send(sketch).catch((error) => note(String(error)));
        if (answer === undefined) continue;
        const objection = objectionTo(sketch, answer);
        if (objection !== undefined) note(`${objection}: ${answer.text.slice(0, 1_000)}`);
        if (answer.headers['content-type'] === 'application/json') remember(answer);
        if (answer.status === 200) succeeded.add(sketch.operation);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendAll));
    expect(failures.slice(0, 10), `${failures.length} failures with TEST_SEED=${seed}`).toEqual([]);
    // Requests that are all refused would show little.
    const operations = describedBy(catalog).operations.map(({ name }) => name);
    expect(succeeded.size, `only ${[...succeeded].join(', ')} have succeeded`).toBeGreaterThan(operations.length / 2);
    if (process.env.FUZZ_REQUESTS)
      console.log(
        'Never succeeded:',
        operations.filter((one) => !succeeded.has(one)),
      );
  },
  timeLimitMs,
);
