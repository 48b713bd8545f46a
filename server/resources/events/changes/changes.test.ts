import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Client } from '../../../test/client.ts';
import { becomes, eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { TestPerson } from '../../../test/person.ts';
import { TestStream } from './stream.fixture.ts';

let first: TestServer;
let second: TestServer;
let account: TestAccount;
let support: TestPerson;
/** The same person at the other instance. */
let elsewhere: Client;

beforeAll(async () => {
  first = await startServer({ isAlone: true });
  second = await startServer({ databaseUrl: first.databaseUrl });
  account = await first.account();
  support = await first.person(account.id, 'support');
  elsewhere = second.anonymous.with(support.client.headers);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

async function open(client: Client = support.client, lastEventId?: string, query = ''): Promise<TestStream> {
  const stream = await TestStream.open(client, lastEventId, query);
  onTestFinished(() => stream.close());
  expect(stream.status).toBe(200);
  await becomes(() => stream.lastEventId).toBeDefined();
  return stream;
}

const makeCustomer = async (client: Client = account.test): Promise<string> =>
  (await client.post('/v1/customers', { name: 'Ada' })).json.id;

const subjectsIn = (stream: TestStream) => stream.messages.map(({ data }) => data.subject);

test('tells of an event that either instance commits', async () => {
  const stream = await open();
  expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const here = await makeCustomer();
  const there = await makeCustomer(second.client(account.testKey));
  await becomes(() => subjectsIn(stream)).toEqual([here, there]);
  const [{ data }] = stream.messages as [TestStream['messages'][0]];
  expect(data).toEqual({
    object: 'change',
    type: 'customer.created',
    subject: here,
    event: expect.stringMatching(/^evt_/),
  });
});

test('tells of each attempt to deliver an event', async () => {
  const other = await first.account();
  const owner = await first.person(other.id, 'owner');
  const stream = await open(owner.client);
  const withKey = await open(other.test);
  const { rows } = await first.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [other.id]);
  await first.sql.query(
    `with d as (insert into deliveries (tenant, id, version, event, endpoint, state, attempts)
                values ($1, 'whd_one', 1, 'evt_one', 'we_one', 'delivered', 1))
     insert into delivery_attempts (tenant, delivery, id, at, duration_ms, status)
     values ($1, 'whd_one', $2, now(), 5, 200)`,
    [rows[0].tenant, `wha_${(await makeCustomer(other.test)).slice(4)}`],
  );
  const told = {
    ...{ object: 'change', type: 'webhook_delivery.attempted', subject: 'whd_one' },
    ...{ event: 'evt_one', webhook_endpoint: 'we_one', status: 200 },
  };
  await becomes(() => stream.messages.map(({ data }) => data)).toContainEqual(told);
  const last = await makeCustomer(other.test);
  await becomes(() => subjectsIn(withKey).at(-1)).toBe(last);
  expect(new Set(withKey.messages.map(({ data }) => data.type))).toEqual(new Set(['customer.created']));
});

test.each([
  ['a person', '', () => [support.client, elsewhere] as const],
  ['a key', '', () => [account.test, second.client(account.testKey)] as const],
  ['a key that takes payloads', '?payload=true', () => [account.test, second.client(account.testKey)] as const],
])(
  'misses nothing and repeats nothing, wherever %s comes back, and to whichever instance',
  async (_, query, readers) => {
    const from = (await open()).lastEventId!;
    const commits = Array.from({ length: 200 }, (_, at) => at % 2);
    const clients = [account.test, second.client(account.testKey)] as const;
    const made = Promise.all(commits.map((at) => makeCustomer(clients[at])));
    const read = async (breaks: number[]) => {
      const heard: string[] = [];
      let at: string | undefined = from;
      for (const [turn, count] of [...breaks, 1_000].entries()) {
        const stream = await open(readers()[turn % 2]!, at, query);
        const isLast = turn === breaks.length;
        const enough = isLast ? (await made).length - heard.length : Math.min(count, 200 - heard.length);
        await eventually(() => expect(stream.messages.length).toBeGreaterThanOrEqual(enough));
        const kept = isLast ? stream.messages : stream.messages.slice(0, enough);
        stream.close();
        heard.push(...kept.map(({ data }) => data.subject));
        at = kept.at(-1)?.id ?? at;
      }
      return heard;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }), async (breaks) => {
        const heard = await read(breaks);
        expect(heard).toHaveLength(200);
        expect(heard.toSorted()).toEqual((await made).toSorted());
      }),
      { numRuns: 4 },
    );
  },
);

test('tells a client whose position is too old to load anew, and goes on', async () => {
  const stream = await open(support.client, `1-${Date.now() - 7_200_000}`);
  await becomes(() => stream.messages.map(({ data }) => data)).toEqual([{ object: 'change', type: 'reload' }]);
  const customer = await makeCustomer();
  await becomes(() => subjectsIn(stream)).toEqual([undefined, customer]);
  const fromTheFuture = await open(support.client, `9000000000000000-${Date.now()}`);
  await becomes(() => fromTheFuture.messages.map(({ data }) => data.type)).toEqual(['reload']);
});

test('a position that is none, and a request without an account are refused', async () => {
  const refused = await support.client.get('/v1/changes', { headers: { 'Last-Event-ID': 'yesterday' } });
  expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([
    ...[400, 'parameter_invalid', 'Last-Event-ID'],
  ]);
  expect((await support.alone.get('/v1/changes')).json.error).toMatchObject({
    ...{ code: 'parameter_missing', param: 'X-Tollgate-Account' },
  });
});

test('ends when the person signs out, and when the role is lost or changed', async () => {
  const leaving = await first.person(account.id, 'support');
  const [here, there] = [await open(leaving.client), await open(second.anonymous.with(leaving.client.headers))];
  expect((await leaving.alone.delete('/v1/sessions/current')).status).toBe(200);
  await becomes(() => [here.isOver, there.isOver]).toEqual([true, true]);
  const dismissed = await first.person(account.id, 'support');
  const stream = await open(dismissed.client);
  await first.sql.query('delete from memberships where user_id = $1', [dismissed.id]);
  const demoted = await first.person(account.id, 'support');
  const fuller = await open(demoted.client);
  await first.sql.query(`update memberships set role = 'viewer' where user_id = $1`, [demoted.id]);
  await becomes(() => [stream.isOver, fuller.isOver]).toEqual([true, true]);
  expect(stream.response.complete).toBe(true);
});

test('a person has ten streams; nothing is read when nobody is left', async () => {
  const busy = await first.person(account.id, 'support');
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(busy.client)));
  const refused = await busy.client.get('/v1/changes');
  expect([refused.status, refused.json.error.code]).toEqual([429, 'too_many_exports']);
  const { changes } = first.gateway.services;
  expect(changes.size).toBe(1);
  for (const stream of streams) stream.close();
  await becomes(() => changes.size).toBe(0);
  await eventually(async () => void (await open(busy.client)));
});

test('with payload=true a message has the event, byte for byte as it is stored', async () => {
  const stream = await open(account.test, undefined, '?payload=true');
  const metadata = { b: 'line\nbreak \u2028 é 𝄞', '7': '"seven"', __proto: '\\' };
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada', metadata })).json;
  await becomes(() => subjectsIn(stream)).toEqual([id]);
  const [{ data }] = stream.messages as [TestStream['messages'][0]];
  const { rows } = await first.sql.query('select payload from events where id = $1', [data.event]);
  expect(Buffer.from(data.payload)).toEqual(rows[0].payload);
  expect(JSON.parse(data.payload)).toMatchObject({
    id: data.event,
    type: 'customer.created',
    data: { object: { id } },
  });
});

test('a stream with payloads catches up, however much there is to read, and one event larger than what may be unread', async () => {
  const other = await first.account();
  const from = (await open(other.test)).lastEventId!;
  const { rows } = await first.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [other.id]);
  const now = Date.now();
  const ids = Array.from({ length: 600 }, (_, at) => newId('evt', now + Math.floor(at / 10)));
  await first.sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload)
     select $1, x.id, 'customer.created', 'cus_x', 1,
            convert_to('{"pad":"' || repeat('x', case x.at when 300 then 400000 else 4000 end) || '"}', 'UTF8')
       from unnest($2::text[]) with ordinality as x (id, at)`,
    [rows[0].tenant, ids],
  );
  const stream = await open(other.test, from, '?payload=true');
  await becomes(() => stream.messages.length).toBe(600);
  expect(stream.messages.map(({ data }) => data.event).toSorted()).toEqual(ids.toSorted());
  const last = await makeCustomer(other.test);
  await becomes(() => subjectsIn(stream).at(-1)).toBe(last);
});

test('a key needs the scope of events, and the refusal names it', async () => {
  const { client: without } = await first.key(account.id, { scopes: ['customers:write'] });
  const refused = await without.get('/v1/changes');
  expect([refused.status, refused.json.error.code]).toEqual([403, 'scope_missing']);
  expect(refused.json.error.message).toContain('events:read');
  const stream = await open((await first.key(account.id, { scopes: ['events:read'] })).client);
  const customer = await makeCustomer();
  await becomes(() => subjectsIn(stream)).toEqual([customer]);
});

test('a stream with a key counts as one request, and the keys of an account have ten in each mode', async () => {
  const busy = await first.account();
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(busy.test)));
  const refused = await busy.test.get('/v1/changes');
  expect([refused.status, refused.json.error.code]).toEqual([429, 'too_many_exports']);
  expect(refused.json.error.message).toBe(
    '10 streams with API keys of this account in test mode are already open, which is the limit. Try again when one has ended.',
  );
  expect(refused.headers['retry-after']).toBe('10');
  await open(busy.live);
  streams[0]!.close();
  await eventually(async () => void (await open(busy.test)));
});

const endings: [string, (account: TestAccount, key: string) => Promise<unknown>][] = [
  ['the key is revoked', (_, key) => first.sql.query('update api_keys set revoked_at = now() where id = $1', [key])],
  ['the key expires', (_, key) => first.sql.query('update api_keys set expires_at = now() where id = $1', [key])],
  [
    'the account is suspended',
    ({ id }) => first.sql.query(`update accounts set status = 'suspended' where id = $1`, [id]),
  ],
];
test.each(endings)('a stream with a key ends when %s', async (_, end) => {
  const ended = await first.account();
  const { id, key, client } = await first.key(ended.id, { scopes: ['events:read'] });
  const streams = [await open(client), await open(second.client(key), undefined, '?payload=true')];
  await end(ended, id);
  await becomes(() => streams.map(({ isOver }) => isOver)).toEqual([true, true]);
  expect(streams.map(({ response }) => response.complete)).toEqual([true, true]);
});

test('a server that stops ends the streams immediately, and does not wait for them', async () => {
  const third = await startServer({ databaseUrl: first.databaseUrl });
  const stream = await open(third.anonymous.with(support.client.headers));
  await third.stop();
  await becomes(() => stream.isOver).toBe(true);
  expect(stream.response.complete).toBe(true);
});
