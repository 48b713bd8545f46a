import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createdSeconds, firstIdAt, newId } from '../base/id.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { openPool, type Pool } from '../base/sql.ts';
import { type EventRow, eventsTable } from '../outbox/event.ts';
import type { Customer } from '../resources/payments/customers/customer.ts';
import { customersTable } from '../resources/payments/customers/store.ts';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';
import { listPage } from './list.ts';
import type { Context } from './operation.ts';
import type { ListInput } from './schemas.ts';

let server: TestServer;
let pool: Pool;
let tenants = 1_000_000; // rows of tenants that no account has: each test has its own

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  pool = openPool({ connectionString: server.databaseUrl }, { use: 'reads', connectionsMax: 2, onError: () => {} });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

async function addCustomers(tenant: number, ids: readonly string[]): Promise<void> {
  await server.sql.query(
    `insert into customers (tenant, id, version, metadata) select $1, id, 1, '{}' from unnest($2::text[]) id`,
    [tenant, ids],
  );
}

async function tenantOf(account: TestAccount): Promise<number> {
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  return rows[0].tenant;
}

const contextOf = (tenant: number, reads: Reads): Context => ({
  tenant: tenant as Tenant,
  requestId: 'req',
  id: '',
  now: 0,
  reads,
  ...({} as Omit<Context, 'tenant' | 'requestId' | 'id' | 'now' | 'reads'>), // a list asks nobody else
});
const customers = { table: customersTable, prefix: 'cus', url: '/v1/customers', serialize: (row: Customer) => row };

describe('walking through pages', () => {
  const second = 1_700_000_000;
  const bound = fc.option(fc.integer({ min: second - 1, max: second + 4 }), { nil: undefined });

  async function pageOf(tenant: number, input: ListInput) {
    const page = await listPage(contextOf(tenant, new Reads(pool)), input, customers);
    return { ids: page.data.map((row) => (row as Customer).id as string), more: page.has_more };
  }

  /** All pages in one direction, each with how many rows it had. */
  async function walkPages(tenant: number, input: ListInput, backwards: boolean) {
    let walked: string[] = [];
    const sizes: number[] = [];
    let cursor = backwards ? firstIdAt('cus', 0) : undefined;
    for (;;) {
      const position = cursor === undefined ? {} : backwards ? { ending_before: cursor } : { starting_after: cursor };
      const { ids, more } = await pageOf(tenant, { ...input, ...position });
      sizes.push(ids.length);
      walked = backwards ? [...ids, ...walked] : [...walked, ...ids];
      if (!more) return { walked, sizes };
      cursor = backwards ? ids[0]! : ids.at(-1)!;
    }
  }

  test('with any limit, in either direction, gives exactly the rows, newest first', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3_000 }), { maxLength: 24 }),
        fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
        fc.boolean(),
        fc.record({ gt: bound, gte: bound, lt: bound, lte: bound }),
        async (offsets, limit, backwards, { gt, gte, lt, lte }) => {
          const tenant = ++tenants;
          const ids = offsets.map((offset) => newId('cus', second * 1_000 + offset));
          await addCustomers(tenant, ids);
          const expected = ids
            .filter((id) => gt === undefined || createdSeconds(id) > gt)
            .filter((id) => gte === undefined || createdSeconds(id) >= gte)
            .filter((id) => lt === undefined || createdSeconds(id) < lt)
            .filter((id) => lte === undefined || createdSeconds(id) <= lte)
            .sort()
            .reverse();
          const created = Object.fromEntries(Object.entries({ gt, gte, lt, lte }).filter(([, at]) => at !== undefined));
          const { walked, sizes } = await walkPages(tenant, { limit, created }, backwards);
          expect(walked).toEqual(expected);
          expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
          expect(sizes).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('is not affected by rows that are added or deleted between two pages', async () => {
    const tenant = ++tenants;
    const ids = Array.from({ length: 6 }, (_, at) => newId('cus', 1_000 + at));
    await addCustomers(tenant, ids);
    const first = await pageOf(tenant, { limit: 3 });
    expect(first).toEqual({ ids: [ids[5], ids[4], ids[3]], more: true });
    await addCustomers(tenant, [newId('cus', 2_000)]);
    await server.sql.query('delete from customers where tenant = $1 and id = any($2)', [tenant, [ids[3], ids[1]]]);
    expect(await pageOf(tenant, { limit: 3, starting_after: ids[3]! })).toEqual({ ids: [ids[2], ids[0]], more: false });
  });
});

describe('a list over HTTPS', () => {
  let account: TestAccount;
  let ids: string[];
  const second = 1_600_000_000;
  /** The last and the first milliseconds of three seconds, oldest first. */
  const moments = [second * 1_000 - 1, second * 1_000, second * 1_000 + 999, (second + 1) * 1_000];

  beforeAll(async () => {
    account = await server.account();
    const old = moments.map((at) => newId('cus', at));
    const young = Array.from({ length: 106 }, (_, at) => newId('cus', 1_700_000_000_000 + at));
    ids = [...old, ...young].reverse();
    await addCustomers(await tenantOf(account), ids);
  });

  const list = async (query: string) => account.test.get(`/v1/customers${query}`);
  const idsOf = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map((each) => each.id);

  test('has exactly the shape of a list, also when it is empty', async () => {
    const empty = await (await server.account()).test.get('/v1/customers');
    expect([empty.status, empty.text]).toEqual([
      200,
      '{"object":"list","url":"/v1/customers","has_more":false,"data":[]}',
    ]);
    const one = await list('?limit=1');
    expect(Object.keys(one.json)).toEqual(['object', 'url', 'has_more', 'data']);
    const whole = await account.test.get(`/v1/customers/${ids[0]}`);
    expect(one.text).toBe(`{"object":"list","url":"/v1/customers","has_more":true,"data":[${whole.text}]}`);
  });

  const pages: [string, string, () => [string[], boolean]][] = [
    ['ten when no limit is given', '', () => [ids.slice(0, 10), true]],
    ['one', '?limit=1', () => [ids.slice(0, 1), true]],
    ['a hundred', '?limit=100', () => [ids.slice(0, 100), true]],
    ['the next older ones', '?limit=3&starting_after={5}', () => [ids.slice(6, 9), true]],
    ['the next newer ones', '?limit=3&ending_before={5}', () => [ids.slice(2, 5), true]],
    ['the rest at the old end', '?limit=20&starting_after={100}', () => [ids.slice(101), false]],
    ['the rest at the new end', '?limit=20&ending_before={5}', () => [ids.slice(0, 5), false]],
    ['exactly the rest: there is no more', '?limit=5&ending_before={5}', () => [ids.slice(0, 5), false]],
    ['exactly the rest, the other way', '?limit=9&starting_after={100}', () => [ids.slice(101), false]],
    ['nothing after the last', '?starting_after={109}', () => [[], false]],
    ['nothing before the first', '?ending_before={0}', () => [[], false]],
    [
      'a page between two moments',
      `?created[gte]=${second}&created[lt]=${second + 1}&limit=1`,
      () => [ids.slice(107, 108), true],
    ],
  ];
  test.each(pages)('shows %s', async (_, query, expected) => {
    const answer = await list(query.replaceAll(/\{(\d+)\}/g, (_whole, at) => ids[Number(at)]!));
    expect(answer.status).toBe(200);
    expect([idsOf(answer), answer.json.has_more]).toEqual(expected());
  });

  const [before, start, end, after] = [109, 108, 107, 106]; // the places of the four moments in the list
  const filters: [string, number[]][] = [
    [`created[lt]=${second}`, [before]],
    [`created[lte]=${second}`, [end, start, before]],
    [`created[gt]=${second - 1}&created[lt]=${second + 1}`, [end, start]],
    [`created[gte]=${second}&created[lte]=${second}`, [end, start]],
    [`created[gt]=${second}&created[lte]=${second + 1}`, [after]],
    [`created[gte]=${second + 1}&created[lt]=${second + 2}`, [after]],
    [`created[gt]=${second}&created[lt]=${second}`, []],
    [`created[lte]=${second}&starting_after={${end}}`, [start, before]],
    [`created[lte]=${second}&ending_before={${before}}`, [end, start]],
    ['created[gt]=99999999999', []],
    ['created[lt]=0', []],
  ];
  test.each(filters)('%s: whole seconds, both ends exact', async (query, places) => {
    const answer = await list(`?${query.replaceAll(/\{(\d+)\}/g, (_, at) => ids[Number(at)]!)}`);
    expect(answer.status).toBe(200);
    expect(idsOf(answer)).toEqual(places.map((at) => ids[at]));
  });

  test('accepts any well-formed id as a cursor: deleted, never created, or of another account', async () => {
    const stranger = await (await server.account()).test.post('/v1/customers', {});
    const gone = await account.test.post('/v1/customers', {});
    await account.test.delete(`/v1/customers/${gone.json.id}`);
    for (const cursor of [stranger.json.id, gone.json.id, newId('cus', Date.now())]) {
      expect(idsOf(await list(`?limit=2&starting_after=${cursor}`))).toEqual(ids.slice(0, 2));
      expect(idsOf(await list(`?limit=2&ending_before=${cursor}`))).toEqual([]);
    }
    expect(idsOf(await list(`?limit=2&starting_after=${firstIdAt('cus', moments[2]!)}`))).toEqual([
      ids[start],
      ids[before],
    ]);
  });

  const refused: [string, string, string][] = [
    ['starting_after={0}&ending_before={1}', 'parameters_exclusive', 'starting_after'],
    ['starting_after=x', 'parameter_invalid', 'starting_after'],
    ['ending_before=cus_', 'parameter_invalid', 'ending_before'],
    ['starting_after={0}0', 'parameter_invalid', 'starting_after'],
    ['starting_after=evt_0000000000000000000000', 'parameter_invalid', 'starting_after'],
    ['starting_after=cus_000000000000000000000%0a', 'parameter_invalid', 'starting_after'],
    ["ending_before=cus_'%20or%20true%20--%20xxxxxx", 'parameter_invalid', 'ending_before'],
    ['limit=', 'parameter_invalid', 'limit'],
    ['starting_after=', 'parameter_invalid', 'starting_after'],
    ['limit=0', 'parameter_invalid', 'limit'],
    ['limit=101', 'parameter_invalid', 'limit'],
    ['limit=-1', 'parameter_invalid', 'limit'],
    ['limit=1.5', 'parameter_invalid', 'limit'],
    ['limit=ten', 'parameter_invalid', 'limit'],
    ['limit=1&limit=2', 'parameter_invalid', 'limit'],
    ['created=5', 'parameter_invalid', 'created'],
    ['created[gt]=yesterday', 'parameter_invalid', 'created.gt'],
    ['created[gt]=-1', 'parameter_invalid', 'created.gt'],
    ['created[lt]=100000000000', 'parameter_invalid', 'created.lt'],
    ['created[eq]=5', 'parameter_unknown', 'created.eq'],
    ['metadata[plan]=gold', 'parameter_unknown', 'metadata'],
    ['offset=5', 'parameter_unknown', 'offset'],
    ['limt=5', 'parameter_unknown', 'limt'],
  ];
  test.each(refused)('refuses %s', async (query, code, param) => {
    const answer = await list(`?${query.replaceAll(/\{(\d+)\}/g, (_, at) => ids[Number(at)]!)}`);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code, param, type: 'invalid_request_error' });
  });

  test('keeps accounts and modes apart', async () => {
    const other = await server.account();
    const made = await other.test.post('/v1/customers', {});
    expect(idsOf(await other.test.get('/v1/customers'))).toEqual([made.json.id]);
    expect(idsOf(await other.live.get('/v1/customers'))).toEqual([]);
    expect(idsOf(await list('?limit=1'))).toEqual([ids[0]]);
  });

  test('of events can be filtered by type', async () => {
    const other = await server.account();
    const made = [await other.test.post('/v1/customers', {}), await other.test.post('/v1/customers', {})];
    await other.test.post(`/v1/customers/${made[0]!.json.id}`, { name: 'Eve' });
    await other.test.delete(`/v1/customers/${made[1]!.json.id}`);
    const types = async (query: string) => {
      const answer = await other.test.get(`/v1/events${query}`);
      expect([answer.status, answer.json.url]).toEqual([200, '/v1/events']);
      return answer.json.data.map((event: { type: string }) => event.type).sort();
    };
    expect(await types('')).toEqual(['customer.created', 'customer.created', 'customer.deleted', 'customer.updated']);
    expect(await types('?type=customer.created')).toEqual(['customer.created', 'customer.created']);
    expect(await types('?type=customer.deleted')).toEqual(['customer.deleted']);
    expect((await other.test.get('/v1/events?type=customer.created&limit=1')).json.has_more).toBe(true);
    expect((await other.test.get('/v1/events?type=customer.updated&limit=1')).json.has_more).toBe(false);
    expect((await other.test.get('/v1/events?type=customer.exploded')).json.error).toEqual({
      code: 'parameter_invalid',
      message: expect.stringContaining('it must be one of test_clock.ready, customer.created, customer.updated, '),
      param: 'type',
      type: 'invalid_request_error',
    });
    expect((await other.test.get('/v1/events?starting_after=cus_0000000000000000000000')).status).toBe(400);
  });
});

describe('a page costs the same however many rows there are', () => {
  type Plan = { 'Node Type': string; 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

  /** Reads that explain every statement in place of running it. */
  class Explaining extends Reads {
    plan: Plan[] = [];
    override async run<T>(_: unknown, text: string, values: unknown[]): Promise<T[]> {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
      this.plan = nodes(rows[0]['QUERY PLAN'][0].Plan);
      return [];
    }
  }

  const count = 3_000;
  let tenant: number;
  let middle: (prefix: string) => string;

  beforeAll(async () => {
    tenant = ++tenants;
    const at = (place: number) => 1_700_000_000_000 + place * 1_000;
    middle = (prefix) => firstIdAt(prefix, at(count / 2));
    const places = Array.from({ length: count }, (_, place) => place);
    for (const owner of [tenant, ++tenants]) {
      await addCustomers(
        owner,
        places.map((place) => newId('cus', at(place))),
      );
      await server.sql.query(
        `insert into events (tenant, id, type, object_id, object_version, payload)
         select $1, id, case when n % 1000 = 1 then 'customer.deleted' else 'customer.created' end, 'x', 1, ''
           from unnest($2::text[]) with ordinality x (id, n)`,
        [owner, places.map((place) => newId('evt', at(place)))],
      );
    }
    await server.sql.query('analyze customers, events');
  });

  const events = {
    table: eventsTable,
    prefix: 'evt',
    url: '/v1/events',
    columns: ['type'],
    serialize: (row: EventRow) => row,
  };
  const queries: [string, 'cus' | 'evt', string | undefined, (m: string) => ListInput][] = [
    ['the first page of customers', 'cus', undefined, () => ({})],
    ['a hundred in the middle', 'cus', undefined, (m) => ({ limit: 100, starting_after: m })],
    ['a page backwards', 'cus', undefined, (m) => ({ ending_before: m })],
    ['a span of time', 'cus', undefined, () => ({ created: { gte: 1_700_001_000, lt: 1_700_002_000 } })],
    [
      'a span of time, from a position',
      'cus',
      undefined,
      (m) => ({ starting_after: m, created: { gt: 1_700_000_100 } }),
    ],
    ['all events', 'evt', undefined, (m) => ({ starting_after: m })],
    ['events of a common type', 'evt', 'customer.created', (m) => ({ starting_after: m })],
    ['events of a rare type', 'evt', 'customer.deleted', (m) => ({ starting_after: m })],
    ['events of a rare type, backwards', 'evt', 'customer.deleted', (m) => ({ ending_before: m, limit: 1 })],
    ['events of a type that never happened', 'evt', 'customer.updated', () => ({ limit: 100 })],
  ];
  test.each(queries)(
    '%s: reads a range of an index, without sorting or skipping rows',
    async (_, prefix, type, input) => {
      const reads = new Explaining(pool);
      const wanted = input(middle(prefix));
      if (prefix === 'cus') await listPage(contextOf(tenant, reads), wanted, customers);
      else await listPage(contextOf(tenant, reads), wanted, events, { type });
      const kinds = reads.plan.map((node) => node['Node Type']);
      // For each of the pages that are wanted.
      const page = ['Limit', expect.stringMatching(/^Index (Only )?Scan$/)];
      expect(kinds).toEqual(['Nested Loop', 'Function Scan', ...page]);
      const read = reads.plan.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
      expect(Math.max(...read)).toBeLessThanOrEqual((wanted.limit ?? 10) + 2);
    },
  );
});
