import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog, describedBy, operations } from '../../catalog.ts';
import type { Json } from '../../http/pages/openapi/components.ts';
import { openApi } from '../../http/pages/openapi/document.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Answer, Client } from '../client.ts';
import { startServer, type TestServer } from '../harness.ts';
import { bodyFor, connectorsWithAccounts, makeFor, makers } from '../http/objects.ts';
import { seed, shareOf } from '../torture.ts';
import { contractOf } from './contract.ts';
import { plainRequestTo, requestsOf, type Sketch } from './requests.ts';

/** `npm run fuzz -- <requests>` sets how many requests are sent. */
const requests = Number(process.env.FUZZ_REQUESTS ?? shareOf(100_000, 2_000));
const atOnce = 32;
const idsMax = 40; // of one kind
/** Ends a hang, on a busy machine too. */
const timeLimitMs = 120_000 + 100 * requests;

const document = openApi(describedBy(catalog));

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

const known = (id: string) => remember({ status: 200, json: { id } } as Answer);

/** Valid requests, with objects that are in the state for it. Chance seldom brings them together. */
async function plainRequests(operation: AnyOperation): Promise<Sketch[]> {
  if (operation.route.includes(':id')) known(await makeFor(operation, client, server));
  const body = await bodyFor(operation.name, client);
  for (const [id] of JSON.stringify(body).matchAll(/\b[a-z]+_\w{22}\b/g)) known(id);
  const sketches = fc.sample(plainRequestTo(document, operation.name), { numRuns: 20, seed });
  return sketches.map((sketch) => {
    // A schema does not say that one of several parameters is needed.
    const parameters = { ...body, ...sketch.parameters };
    return JSON.parse(JSON.stringify({ ...sketch, parameters }).replaceAll(/(@[a-z]+):\d/g, '$1:0'));
  });
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
function objectionTo({ operation, method, path, parameters, raw, isForm }: Sketch, answer: Answer) {
  const { status } = answer;
  if (status === 500) return 'the server has failed';
  if (path.includes('?')) return undefined; // a made-up id that begins a query
  if (method !== 'POST' || isForm || raw !== undefined || parameters === undefined) return undefined;
  // Null and an empty text count as not sent, which a schema cannot say.
  if (/null|""/.test(JSON.stringify(parameters))) return undefined;
  const fits = contractOf().takes(operation, parameters as Json);
  if (!fits && status === 200) return 'the document does not allow what the server has accepted';
  // Members of an object that takes any, such as credentials, are for the connector to know.
  const { code, param } = answer.json.error ?? {};
  if (fits && code === 'parameter_unknown' && !param.includes('.'))
    return 'the server does not know a documented parameter';
  return undefined;
}

test(
  `${requests} generated requests and more get documented answers, at least one of each operation succeeds, and none fails the server`,
  async () => {
    for (const { prefix, make } of Object.values(makers)) pool.set(prefix, [await make(client, server)]);
    const sketches = fc.sample(requestsOf(document), { numRuns: requests, seed });
    const succeeded = new Set<string>();
    const failures: string[] = [];
    const attempt = async (sketch: Sketch): Promise<Answer | undefined> => {
      const note = (what: string) => void failures.push(`${what}\n${JSON.stringify(sketch).slice(0, 2_000)}`);
      const answer = await send(sketch).catch((error) => note(String(error)));
      if (!answer) return undefined;
      const objection = objectionTo(sketch, answer);
      if (objection !== undefined) note(`${objection}: ${answer.text.slice(0, 1_000)}`);
      if (answer.headers['content-type'] === 'application/json') remember(answer);
      if (answer.status === 200) succeeded.add(sketch.operation);
      return answer;
    };
    const work = sketches.values();
    const sendAll = async () => {
      for (const sketch of work) await attempt(sketch);
    };
    await Promise.all(Array.from({ length: atOnce }, sendAll));
    expect(failures.slice(0, 10), `${failures.length} failures with TEST_SEED=${seed}`).toEqual([]);

    const others = operations.filter(({ name }) => !succeeded.has(name));
    // Requests that are all refused would show little.
    expect(others.length, 'have not succeeded by chance').toBeLessThan(operations.length / 2);
    const rules = { rules: [] }; // those of before may lead to accounts that take no payments
    for (const operation of others) {
      await client.post('/v1/routing', rules);
      const sketches = (await plainRequests(operation)).values();
      for (const sketch of sketches) if ((await attempt(sketch))?.status === 200) break;
    }
    const never = operations.filter(({ name }) => !succeeded.has(name));
    expect(
      never.map(({ name }) => name),
      `have never succeeded with TEST_SEED=${seed}`,
    ).toEqual([]);
    expect(failures, `with TEST_SEED=${seed}`).toEqual([]);
  },
  timeLimitMs,
);
