import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';
import { isTorture, shareOf } from '../../../test/torture.ts';
import type { RequestFilter } from './filter.ts';
import { groupRefused } from './grouped.ts';
import { findChangesOf, findRequests } from './store.ts';

let server: TestServer;
let account: TestAccount;
let tenant: number;
let person: TestPerson;
let keyId: string;
let customer: string;

const get = (query: string) => account.test.get(`/v1/request_logs${query}`);
const found = async (query: string) => (await get(query)).json.data;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  person = await server.person(account.id, 'support');
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada', email: 'ada@example.com' })).json;
  customer = id;
  await account.test.get(`/v1/customers/${customer}`);
  await account.test.post('/v1/refunds', { payment: newId('py', 0) });
  await account.test.post('/v1/customers', { nme: 1 });
  await person.client.get(`/v1/customers/${customer}`);
  await account.live.get('/v1/customers');
  const { rows } = await server.sql.query('select tenant from customers where id = $1', [customer]);
  tenant = rows[0].tenant;
  await eventually(async () => expect(await found(`?user=${person.id}`)).toHaveLength(1));
  keyId = (await found('?error_code=parameter_unknown'))[0].api_key;
});
afterAll(() => server.stop());

/** Rows of another tenant, or of this one, as the server would have written them; `at` in milliseconds before now. */
async function addRows(count: number, facts: string): Promise<void> {
  await server.sql.query(
    `insert into requests (tenant, at, id, api_key, operation, method, path, status, duration_us, address, object_id, code)
     select $1, now() - interval '1 hour', 'req_' || $2 || lpad(n::text, 14, '0'), ${facts} from generate_series(1, $3) n`,
    [tenant, newId('req', Date.now() - 3_600_000).slice(4, 12), count],
  );
}

describe('a request in the log', () => {
  test('has who sent it, what was sent without personal data, and how it was answered', async () => {
    const [created] = await found('?operation=customers.create&status=200');
    expect(created).toEqual({
      id: expect.stringMatching(/^req_/),
      object: 'request_log',
      method: 'POST',
      path: '/v1/customers',
      operation: 'customers.create',
      status: 200,
      duration_ms: expect.any(Number),
      api_key: keyId,
      address: expect.any(String),
      object_id: customer,
      parameters: { name: '[redacted]', email: '[redacted]' },
      created: expect.any(Number),
      created_ms: expect.any(Number),
    });
    expect(Math.floor(created.created_ms / 1_000)).toBe(created.created);
    expect((await get(`/${created.id}`)).json).toEqual({
      ...created,
      url: '/v1/customers',
      parameters: { name: 'Ada', email: 'ada@example.com' },
      answer: expect.objectContaining({ id: customer }),
    });
    expect((await found(`?user=${person.id}`))[0]).toMatchObject({ user: person.id, path: '/v1/customers/:id' });
  });

  test('says why it was refused, and what was sent', async () => {
    const [refused] = await found('?error_code=parameter_unknown');
    expect(refused).toMatchObject({
      error_code: 'parameter_unknown',
      error_param: 'nme',
      error_message: 'Unknown parameter nme. Did you mean name?',
      parameters: { nme: '[redacted]' },
    });
    const [missing] = await found('?status=404');
    expect(missing).toMatchObject({
      error_param: 'payment',
      error_message: expect.stringContaining('No such payment'),
    });
  });

  test('has no copy of refused parameters that are large: every value costs a digest', async () => {
    const other = (await server.account()).test;
    const { headers } = await other.post('/v1/customers', { nme: 'x'.repeat(16_384) });
    const path = `/v1/request_logs/${headers['request-id']}`;
    await eventually(async () => expect((await other.get(path)).json.error_param).toBe('nme'));
    expect((await other.get(path)).json).not.toHaveProperty('parameters');
  });

  describe('of test mode', () => {
    const logged = async (client: Client, { headers }: Answer, reader = client) => {
      const path = `/v1/request_logs/${headers['request-id']}`;
      await eventually(async () => expect((await client.get(path)).status).toBe(200));
      return (await reader.get(path)).json;
    };
    const key = (name: string) => ({ 'Idempotency-Key': name });
    const sent = { name: 'Grace', email: 'grace@example.com', metadata: { order: 7 } };
    let other: TestAccount;
    beforeAll(async () => {
      other = await server.account();
    });

    test('shows what was sent and answered: of changes, replays, reads and refusals', async () => {
      const { test: client, live } = other;
      const made = await client.post('/v1/customers', sent, key('answer-1'));
      const path = `/v1/customers/${made.json.id}`;
      const replayed = await client.post('/v1/customers', sent, key('answer-1'));
      const reused = await client.post('/v1/customers', { name: 'Ada' }, key('answer-1'));
      for (const answer of [made, replayed])
        expect(await logged(client, answer)).toMatchObject({
          url: '/v1/customers',
          parameters: sent,
          answer: made.json,
        });
      expect(await logged(client, reused)).toMatchObject({ parameters: { name: 'Ada' }, answer: reused.json });
      const read = await client.get(`${path}?expand[]=default_payment_method`);
      expect(await logged(client, read)).toMatchObject({
        path: '/v1/customers/:id',
        url: path,
        parameters: { expand: ['default_payment_method'] },
        answer: read.json,
      });
      const nothing = await client.get('/v1/nothing');
      expect((await logged(client, nothing)).answer).toEqual(nothing.json);
      const inLive = await live.post('/v1/customers', sent, key('answer-1'));
      const { parameters, ...facts } = await logged(live, inLive);
      expect(parameters).toEqual({ name: '[redacted]', email: '[redacted]', metadata: '[redacted]' });
      expect(facts).not.toHaveProperty('answer');
      expect(facts).not.toHaveProperty('url');
      const [listed] = (await client.get('/v1/request_logs?operation=customers.create&status=200')).json.data;
      expect(listed.parameters).toEqual(parameters);
      expect(listed).not.toHaveProperty('answer');
    });

    test('leaves out what is confidential, also in the wrong place', async () => {
      const { test: client } = other;
      const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
      const method = await client.post('/v1/payment_methods', { type: 'card', card });
      expect((await logged(client, method)).parameters).toEqual({
        type: 'card',
        card: { ...card, number: '[redacted]', cvc: '[redacted]' },
      });
      const hooks = { url: 'http://127.0.0.1:9/', enabled_events: ['*'] };
      const create = () => client.post('/v1/webhook_endpoints', hooks, key('answer-3'));
      const [endpoint, again] = [await create(), await create()];
      expect(again.json.secret).toMatch(/^whsec_/);
      for (const answer of [endpoint, again])
        expect((await logged(client, answer)).answer).toEqual({ ...endpoint.json, secret: '[redacted]' });
      const wrong = await client.post('/v1/customers', { pasword: 'hunter2', name: '4242 4242 4242 4242' });
      expect((await logged(client, wrong)).parameters).toEqual({ pasword: '[redacted]', name: '[redacted]' });
    });

    test('shows the beginning of more than 8 KiB', async () => {
      const { test: client } = other;
      const metadata = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`key_${at}`, 'x'.repeat(400)]));
      const made = await client.post('/v1/customers', { name: 'Ada', metadata });
      const { parameters_start, answer_start, answer, parameters } = await logged(client, made);
      expect(answer_start).toBe(made.text.slice(0, 8_192));
      expect(parameters_start).toBe(JSON.stringify({ name: 'Ada', metadata }).slice(0, 8_192));
      expect(answer).toBeUndefined();
      expect(parameters).toEqual({ name: '[redacted]', metadata: '[redacted]' });
    });

    test('shows them to those who may read such objects', async () => {
      const { test: client } = other;
      const made = await client.post('/v1/customers', sent);
      const { client: developer } = await server.person(other.id, 'developer');
      const { client: support } = await server.person(other.id, 'support');
      const restricted = { name: 'log', kind: 'restricted', scopes: ['request_logs:read', 'payments:read'] };
      const issued = await developer.post('/v1/api_keys', restricted, key('answer-2'));
      expect(issued.status).toBe(200);
      const narrow = server.client(issued.json.key);
      expect((await logged(client, issued, developer)).answer).toEqual({ ...issued.json, key: '[redacted]' });
      for (const reader of [client, support]) expect(await logged(client, issued, reader)).not.toHaveProperty('answer');
      expect((await logged(client, made, support)).answer).toEqual(made.json);
      const hidden = await logged(client, made, narrow);
      expect(hidden).not.toHaveProperty('answer');
      expect(hidden.parameters).toEqual({ name: '[redacted]', email: '[redacted]', metadata: '[redacted]' });
      const gone = await client.post('/v1/customers', sent);
      await logged(client, gone);
      await server.sql.query(`update requests set operation = 'customers.gone' where id = $1`, [
        gone.headers['request-id'],
      ]);
      expect(await logged(client, gone)).not.toHaveProperty('answer'); // of which nobody knows who may read it
      const [plain, expanded] = [await client.get('/v1/payments'), await client.get('/v1/payments?expand[]=customer')];
      expect(await logged(client, plain, narrow)).toHaveProperty('answer');
      expect(await logged(client, expanded, narrow)).not.toHaveProperty('answer');
      // What depends on who asks is not kept, nor what people do for themselves.
      for (const path of ['/v1/request_logs', `/v1/timeline/${made.json.id}`, '/v1/needs_attention', '/v1/saved_views'])
        expect(await logged(client, await developer.get(path), developer), path).not.toHaveProperty('answer');
      const id = (await developer.get('/v1/me')).headers['request-id'];
      const settled = await client.get('/v1/customers?limit=1');
      await logged(client, settled);
      expect((await server.sql.query('select from request_bodies where id = $1', [id])).rowCount).toBe(0);
    });
  });

  test('is found by each filter, and by several', async () => {
    const paths = async (query: string) =>
      (await found(query)).map(({ method, path, status }: Record<string, unknown>) => `${method} ${path} ${status}`);
    const refused = ['POST /v1/customers 400', 'POST /v1/refunds 404'];
    const cases: [string, string[]][] = [
      ['status=404', ['POST /v1/refunds 404']],
      ['status=4xx', refused],
      ['status=5xx', []],
      ['status=418', []],
      ['error_code=parameter_unknown', ['POST /v1/customers 400']],
      [`object_id=${customer}`, ['GET /v1/customers/:id 200', 'GET /v1/customers/:id 200', 'POST /v1/customers 200']],
      [`object_id=${customer}&method=post`, ['POST /v1/customers 200']],
      ['path=/v1/customers', ['POST /v1/customers 400', 'POST /v1/customers 200']],
      ['path=/v1/customers&operation=customers.list', []],
      ['path=/v1/refunds&status=200', []],
      [`api_key=${keyId}&status=4xx`, refused],
      [`api_key=${keyId}&operation=refunds.create`, ['POST /v1/refunds 404']],
      [`user=${person.id}&status=2xx`, ['GET /v1/customers/:id 200']],
      [`user=${newId('usr', 0)}`, []],
      ['sent_by=person', ['GET /v1/customers/:id 200']],
      ['sent_by=key&status=4xx', refused],
      ['dashboard_reads=true&sent_by=person', ['GET /v1/customers/:id 200']],
      ['dashboard_reads=false&sent_by=person', []],
      [`dashboard_reads=false&object_id=${customer}`, ['GET /v1/customers/:id 200', 'POST /v1/customers 200']],
      [`sent_by=key&object_id=${customer}`, ['GET /v1/customers/:id 200', 'POST /v1/customers 200']],
      [`sent_by=person&api_key=${keyId}`, []],
      ['path=/v1/nothing', []],
      ['created[lt]=1000', []],
    ];
    for (const [query, expected] of cases) expect(await paths(`?${query}`), query).toEqual(expected);
  });

  test('can be paged through in both directions, with and without filters', async () => {
    for (const query of [
      '?limit=1',
      '?limit=1&status=4xx',
      '?limit=1&status=4xx&method=POST',
      '?limit=1&sent_by=key',
    ]) {
      const [first] = await found(query);
      const [second] = await found(`${query}&starting_after=${first.id}`);
      expect(second.id < first.id).toBe(true);
      const back = (await get(`${query}&ending_before=${second.id}`)).json;
      expect(
        back.data.map(({ id }: { id: string }) => id),
        query,
      ).toEqual([first.id]);
    }
  });

  test('is refused where a parameter makes no sense', async () => {
    const wrong: [string, string][] = [
      ['?status=40', 'status'],
      ["?status=4xx' or true --", 'status'],
      ['?starting_after=evt_1', 'starting_after'],
      ['?nothing=1', 'nothing'],
      ['?sent_by=robot', 'sent_by'],
      ['?dashboard_reads=maybe', 'dashboard_reads'],
    ];
    for (const [query, param] of wrong) {
      const { status, json } = await get(encodeURI(query));
      expect([status, json.error.param], query).toEqual([400, param]);
    }
    for (const text of ["' or 1=1 --", '%', '\\', '🧾', '/v1/customers/']) {
      const query = ['path', 'operation', 'error_code', 'api_key', 'object_id'].map((name) => `${name}=${text}`);
      expect(await found(`?${encodeURI(query.join('&'))}`)).toEqual([]);
    }
  });
});

test('a key with the scope and a person with a role see the log of their account and mode, and nobody else does', async () => {
  const [request] = await found('?operation=refunds.create');
  const other = await server.account();
  for (const client of [account.live, other.test]) {
    expect((await client.get('/v1/request_logs/errors')).json.data).toEqual([]);
    expect((await client.get(`/v1/request_logs/${request.id}`)).json.error.code).toBe('resource_missing');
    expect((await client.get('/v1/request_logs?operation=refunds.create')).json.data).toEqual([]);
  }
  const reader = await server.key(account.id, { scopes: ['request_logs:read'] });
  const stranger = await server.key(account.id, { scopes: ['payments:write', 'events:read'] });
  for (const path of ['', `/${request.id}`, '/errors']) {
    expect((await reader.client.get(`/v1/request_logs${path}`)).status).toBe(200);
    expect((await stranger.client.get(`/v1/request_logs${path}`)).json.error.code).toBe('scope_missing');
  }
  const { client } = await server.person(account.id, 'support');
  expect((await client.get(`/v1/request_logs/${request.id}`)).json.id).toBe(request.id);
});

test('refusals are counted by code and route', async () => {
  const { is_complete, data } = (await get('/errors')).json;
  expect(is_complete).toBe(true);
  const byCode = Object.fromEntries(data.map((group: { error_code: string }) => [group.error_code, group]));
  expect(byCode.resource_missing).toEqual({
    error_code: 'resource_missing',
    status: 404,
    method: 'POST',
    path: '/v1/refunds',
    operation: 'refunds.create',
    count: 1,
    first_created: expect.any(Number),
    latest_created: expect.any(Number),
    latest_request: expect.stringMatching(/^req_/),
  });
  expect((await get('/errors?created[lt]=1000')).json.data).toEqual([]);
});

describe('with many requests', () => {
  const rare = "'key_rare', 'payments.retrieve', 'GET', '/v1/payments/:id', 200, 900, '::1', 'py_busy', null";

  beforeAll(async () => {
    await addRows(shareOf(120_000, 10_000), rare);
    await server.sql.query('analyze requests');
  });

  test.runIf(isTorture)('a search that finds nothing stops, and says where to go on', async () => {
    const stopped = (await get('?api_key=key_rare&method=DELETE')).json;
    expect(stopped).toMatchObject({ has_more: true, data: [], searched_to: expect.stringMatching(/^req_/) });
    const ended = (await get(`?api_key=key_rare&method=DELETE&starting_after=${stopped.searched_to}`)).json;
    expect(ended).toMatchObject({ has_more: false, data: [] });
    expect(ended).not.toHaveProperty('searched_to');
  });

  test('each filter alone reads its own index, and the timeline of an object only its changes', async () => {
    const range = { bounds: [], limit: 10, backwards: false };
    const filters: RequestFilter[] = [
      { classes: [5] },
      { statuses: [404] },
      { code: 'x' },
      { key: 'key_2' },
      { operations: ['x.y', 'y.z'] },
      { object: 'py_quiet' },
      { user: 'usr_1' },
      { path: '/v1/nothing' },
      {},
    ];
    for (const filter of filters)
      expect(
        await rowsRead((reads) => findRequests(reads, tenant as Tenant, filter, range)),
        JSON.stringify(filter),
      ).toBeLessThan(100);
    const before = `req_${'z'.repeat(22)}`;
    const wanted = { ids: ['py_busy', customer], before, limit: 10 };
    expect(await rowsRead((reads) => findChangesOf(reads, tenant as Tenant, wanted))).toBeLessThan(100);
    expect(await rowsRead((reads) => groupRefused(reads, tenant as Tenant, range))).toBeLessThan(200);
  });
});

type Plan = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
  [name: string]: unknown;
};

/** How many rows the scans of a plan have read, those that did not match included. */
function scanned(plan: Plan): number {
  const removed = Number(plan['Rows Removed by Filter'] ?? 0) + Number(plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Node Type'].includes('Scan') ? (plan['Actual Rows'] + removed) * plan['Actual Loops'] : 0;
  return own + (plan.Plans ?? []).reduce((sum, one) => sum + scanned(one), 0);
}

async function rowsRead(read: (reads: Reads) => Promise<unknown>): Promise<number> {
  let sum = 0;
  const rows = async (text: string, values: unknown[]) => {
    const { rows: plans } = await server.sql.query(`explain (analyze, format json) ${text}`, values);
    sum += scanned(plans[0]['QUERY PLAN'][0].Plan);
    return [{ id: null, step_end: null, groups: [] }];
  };
  await read({ rows } as unknown as Reads);
  return sum;
}
