import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { catalog } from '../../../catalog.ts';
import type { Answer } from '../../../test/client.ts';
import type { TestAccount, TestServer } from '../../../test/harness.ts';
import { expectRefused, makeEndpoint, newUrl, path, startWebhookServer } from './endpoints.fixture.ts';
import { endpointsMax } from './operations.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startWebhookServer({ isAlone: true });
  second = await startWebhookServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const post = (to: string, body: object = {}) => account.test.post(to, body);
const make = (body: object = {}) => makeEndpoint(account.test, body);
const get = async (id: string) => (await account.test.get(`${path}/${id}`)).json;
const inDatabase = async (id: string) =>
  (await server.sql.query('select * from webhook_endpoints where id = $1', [id])).rows[0];

describe('creating', () => {
  test('answers the endpoint with its secret, which is never shown again', async () => {
    const url = newUrl();
    const before = Math.floor(Date.now() / 1_000);
    const answer = await post(path, { url, enabled_events: ['payment.succeeded', 'customer.*'] });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual([
      ...['id', 'object', 'url', 'enabled_events', 'status', 'metadata', 'created', 'secret'],
    ]);
    const { secret, ...shown } = answer.json;
    expect(shown).toEqual({
      id: expect.stringMatching(/^we_[0-9A-Za-z]{22}$/),
      object: 'webhook_endpoint',
      url,
      enabled_events: ['customer.*', 'payment.succeeded'],
      status: 'enabled',
      metadata: {},
      created: expect.any(Number),
    });
    expect(shown.created).toBeGreaterThanOrEqual(before);
    expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(33);
    expect(await get(shown.id)).toEqual(shown);
    expect((await account.test.get(`${path}?limit=1`)).json.data).toEqual([shown]);
  });

  test('keeps what else is supplied', async () => {
    const more = { description: 'orders', metadata: { team: 'shop', tries: 3 } };
    const id = await make(more);
    expect(await get(id)).toMatchObject(more);
    expect(Object.keys(await get(id))).toEqual([
      ...['id', 'object', 'url', 'enabled_events', 'status', 'description', 'metadata', 'created'],
    ]);
  });

  test('by a form is the same as by JSON', async () => {
    const url = newUrl();
    const list = 'enabled_events[]=payment.*&enabled_events[]=customer.created';
    const form = `url=${encodeURIComponent(url)}&${list}&metadata[team]=shop&description=x`;
    const answer = await account.test.form(path, form);
    const { url: _url, ...rest } = { ...answer.json, id: '', created: 0, secret: '' };
    const enabled_events = ['payment.*', 'customer.created'];
    const json = await post(path, { url: newUrl(), enabled_events, metadata: { team: 'shop' }, description: 'x' });
    const { url: _other, ...same } = { ...json.json, id: '', created: 0, secret: '' };
    expect(rest).toEqual(same);
    const numbered = `url=${encodeURIComponent(newUrl())}&enabled_events[0]=refund.*&enabled_events[1]=payment.*`;
    expect((await account.test.form(path, numbered)).json.enabled_events).toEqual(['payment.*', 'refund.*']);
  });

  test('takes every type, every family and all', async () => {
    const families = [...new Set(catalog.eventTypes.map((type) => `${type.split('.')[0]}.*`))];
    for (const names of [['*'], families, [...catalog.eventTypes]])
      expect((await get(await make({ enabled_events: names }))).enabled_events).toEqual(names.sort());
  });

  const invalidEvents = ['parameter_invalid', 'enabled_events'] as const;
  const refused: [string, object, string, string, RegExp?][] = [
    ['no url', { url: undefined }, 'parameter_missing', 'url'],
    ['no events', { enabled_events: undefined }, 'parameter_missing', 'enabled_events'],
    ['an empty list', { enabled_events: [] }, 'parameter_invalid', 'enabled_events', /at least one/],
    [
      'an unknown type',
      { enabled_events: ['payment.gone'] },
      ...invalidEvents,
      /: it takes event types, .*; "payment\.gone" is none of these; docs\/events\.md lists them all\.$/,
    ],
    ['a misspelt type', { enabled_events: ['payment.suceeded'] }, ...invalidEvents, /mean payment\.succeeded\?/],
    ['another separator', { enabled_events: ['payment_succeeded'] }, ...invalidEvents, /mean payment\.succeeded\?/],
    ['an unknown family', { enabled_events: ['*', 'pay.*'] }, 'parameter_invalid', 'enabled_events', /"pay\.\*"/],
    ['half a family', { enabled_events: ['payment.succ*'] }, 'parameter_invalid', 'enabled_events'],
    ['a family of nothing', { enabled_events: ['.*'] }, 'parameter_invalid', 'enabled_events'],
    ['another case', { enabled_events: ['Payment.Succeeded'] }, ...invalidEvents, /mean payment\.succeeded\?/],
    ['all and a family', { enabled_events: ['*', 'payment.*'] }, ...invalidEvents, /payment\.\* beside \*, which/],
    ['all and a type', { enabled_events: ['refund.failed', '*'] }, ...invalidEvents, /refund\.failed beside \*, which/],
    [
      'a family and a type of it',
      { enabled_events: ['customer.*', 'payment.failed', 'payment.*'] },
      ...invalidEvents,
      /it names payment\.failed beside payment\.\*, which stands for it already/,
    ],
    ['a type twice', { enabled_events: ['*', 'payment.*', '*'] }, 'parameter_invalid', 'enabled_events', /\* twice/],
    ['101 events', { enabled_events: Array(101).fill('*') }, 'parameter_invalid', 'enabled_events', /at most 100/],
    ['a card number', { enabled_events: ['4242424242424242'] }, 'parameter_invalid', 'enabled_events', /one of them/],
    ['a text for the list', { enabled_events: 'payment.*' }, 'parameter_invalid', 'enabled_events'],
    ['a number in the list', { enabled_events: [7] }, 'parameter_invalid', 'enabled_events.0'],
    ['null in the list', { enabled_events: [null] }, 'parameter_invalid', 'enabled_events.0'],
    ['a status', { status: 'disabled' }, 'parameter_unknown', 'status'],
    ['a secret', { secret: 'whsec_x' }, 'parameter_unknown', 'secret'],
    ['what is no url', { url: 'example' }, 'endpoint_url_not_allowed', 'url', /not a URL/],
    ['another scheme', { url: 'ftp://example.com/' }, 'endpoint_url_not_allowed', 'url'],
    ['a port that there is not', { url: 'https://a.com:99999/' }, 'endpoint_url_not_allowed', 'url', /from 1 to 65535/],
    ['a password', { url: 'https://a:b@example.com/' }, 'endpoint_url_not_allowed', 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'endpoint_url_not_allowed', 'url', /public/],
    ['the metadata service', { url: 'http://169.254.169.254/' }, 'endpoint_url_not_allowed', 'url', /public/],
    ['a url that is too long', { url: `http://127.0.0.1/${'a'.repeat(2_048)}` }, 'parameter_invalid', 'url'],
    ['too long a description', { description: 'a'.repeat(1_001) }, 'parameter_invalid', 'description'],
    ['a nested value in metadata', { metadata: { a: {} } }, 'metadata_value_invalid', 'metadata.a'],
  ];
  test.each(refused)('is refused with %s', async (_, body, code, param, message = /./) => {
    const answer = await post(path, { url: newUrl(), enabled_events: ['*'], ...body });
    expectRefused(answer, code, param);
    expect(answer.json.error.message).toMatch(message);
    expect(answer.text).not.toContain('4242');
  });

  test('in live mode requires https', async () => {
    const answer = await account.live.post(path, { url: 'http://127.0.0.1:9/', enabled_events: ['*'] });
    expectRefused(answer, 'endpoint_url_not_allowed', 'url');
    await makeEndpoint(account.live, { url: 'https://127.0.0.1:9/' });
  });

  test('is refused for this machine too, unless the operator allows it', async () => {
    const strict = await startWebhookServer({
      databaseUrl: server.databaseUrl,
      environment: { WEBHOOK_ALLOWED_RANGES: '' },
    });
    const client = strict.client(account.testKey);
    for (const url of ['http://127.0.0.1:9/', 'http://localhost/', 'http://[::1]/', 'http://0x7f.1/'])
      expectRefused(await client.post(path, { url, enabled_events: ['*'] }), 'endpoint_url_not_allowed', 'url');
    const id = await make();
    expect((await client.post(`${path}/${id}`, { description: 'still mine' })).status).toBe(200);
    await strict.stop();
  });
});

describe('the limit', () => {
  test('is 50 in an account and mode, disabled ones too, also for many concurrent requests', async () => {
    const owner = await server.account();
    const ids: string[] = [];
    while (ids.length < endpointsMax - 1) ids.push(await makeEndpoint(owner.test));
    await owner.test.post(`${path}/${ids[0]}`, { status: 'disabled' });
    const create = () => owner.test.post(path, { url: newUrl(), enabled_events: ['*'] });
    // With connections that are open already they do arrive together.
    await Promise.all(Array.from({ length: 8 }, () => owner.test.get(path)));
    const answers = await Promise.all(Array.from({ length: 8 }, create));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = await create();
    expect(refused.status).toBe(400);
    expect(refused.json.error).toEqual({
      code: 'endpoint_limit_reached',
      message: 'An account can have 50 webhook endpoints in each mode. Delete one, or use one for more events.',
      type: 'invalid_request_error',
    });
    await makeEndpoint(owner.live, { url: 'https://127.0.0.1:9/' });
    expect((await owner.test.post(`${path}/${ids[1]}`, { url: newUrl(), status: 'enabled' })).status).toBe(200);
    await owner.test.delete(`${path}/${ids[2]}`);
    expect((await create()).status).toBe(200);
  });
});

describe('the same url with the same events', () => {
  test('is refused, and the message names the endpoint that has them', async () => {
    const url = newUrl();
    const id = await make({ url, enabled_events: ['payment.*', 'customer.created'] });
    const again = await post(path, { url, enabled_events: ['customer.created', 'payment.*'], description: 'other' });
    expectRefused(again, 'endpoint_exists', 'url');
    expect(again.json.error.message).toMatch(new RegExp(`${id} .* Use that one, or update it\\.$`));
    await post(`${path}/${id}`, { status: 'disabled' });
    expectRefused(
      await post(path, { url, enabled_events: ['customer.created', 'payment.*'] }),
      'endpoint_exists',
      'url',
    );
    await make({ url, enabled_events: ['payment.*'] });
    await makeEndpoint((await server.account()).test, { url, enabled_events: ['customer.created', 'payment.*'] });
    await account.test.delete(`${path}/${id}`);
    await make({ url, enabled_events: ['customer.created', 'payment.*'] });
  });

  test('in another spelling is the same, and each shows the spelling it was sent in', async () => {
    const { test: client } = await server.account();
    const spellings = ['http://localhost', 'http://localhost/', 'HTTP://LocalHost:80', 'http://localhost/./a/..'];
    for (const url of spellings) {
      const id = await makeEndpoint(client, { url });
      expect((await client.get(`${path}/${id}`)).json.url).toBe(url);
      for (const other of spellings) {
        const again = await client.post(path, { url: other, enabled_events: ['*'] });
        expectRefused(again, 'endpoint_exists', 'url');
        expect(again.json.error.message).toContain(id);
      }
      const moving = await makeEndpoint(client, { url: newUrl() });
      for (const other of spellings)
        expectRefused(await client.post(`${path}/${moving}`, { url: other }), 'endpoint_exists', 'url');
      expect((await client.post(`${path}/${id}`, { url: spellings[0] })).json.url).toBe(spellings[0]);
      for (const one of [id, moving]) await client.delete(`${path}/${one}`);
    }
    for (const url of ['http://localhost/a', 'http://localhost/A', 'http://localhost:81/', 'http://localhost/?'])
      await makeEndpoint(client, { url });
  });

  test('in another spelling is refused by the database too, when two servers make them concurrently', async () => {
    const clients = [account.test, second.client(account.testKey)];
    for (let round = 0; round < 5; round++) {
      const urls = [`http://localhost:9/${round}`, `http://LOCALHOST:9/${round}`];
      const answers = await Promise.all(
        urls.map((url, at) => clients[at]!.post(path, { url, enabled_events: ['payment.*'] })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      for (const { status, json } of answers) if (status === 200) await account.test.delete(`${path}/${json.id}`);
    }
  });

  test('is found among those from before spellings were compared', async () => {
    const { test: client } = await server.account();
    const id = await makeEndpoint(client, { url: 'http://localhost/' });
    await server.sql.query('update webhook_endpoints set href = null where id = $1', [id]);
    expectRefused(
      await client.post(path, { url: 'http://LOCALHOST', enabled_events: ['*'] }),
      'endpoint_exists',
      'url',
    );
  });

  test('cannot come about by an update either', async () => {
    const [url, other] = [newUrl(), newUrl()];
    const [first, moving] = [await make({ url }), await make({ url: other })];
    const answer = await post(`${path}/${moving}`, { url });
    expectRefused(answer, 'endpoint_exists', 'url');
    expect(answer.json.error.message).toContain(first);
    expect((await get(moving)).url).toBe(other);
    expect((await post(`${path}/${first}`, { url, enabled_events: ['*'] })).status).toBe(200);
  });

  test('requested many times concurrently, on two servers, is created once', async () => {
    const clients = [account.test, second.client(account.testKey)];
    for (let round = 0; round < 5; round++) {
      const url = newUrl();
      const bodies = Array.from({ length: 12 }, (_, at) => clients[at % 2]!.post(path, { url, enabled_events: ['*'] }));
      const answers = await Promise.all(bodies);
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      for (const answer of answers.filter((one) => one !== good[0])) {
        expectRefused(answer, 'endpoint_exists', 'url');
        expect(answer.json.error.message).toContain(good[0]!.json.id);
      }
    }
    const { rows } = await server.sql.query(
      `select s.id from vault_secrets s where not exists
         (select from webhook_endpoints e where e.tenant = s.tenant and s.id like e.id || '/%')`,
    );
    expect(rows).toEqual([]); // nor did a loser leave its secret behind
  });

  test('made by concurrent updates on two servers has one winner too', async () => {
    const url = newUrl();
    const ids = await Promise.all([make(), make()]);
    const answers = await Promise.all([
      account.test.post(`${path}/${ids[0]}`, { url }),
      second.client(account.testKey).post(`${path}/${ids[1]}`, { url }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('an update', () => {
  test('changes what it names, and shows in what is read', async () => {
    const id = await make({ description: 'a', metadata: { a: 1, b: 2 } });
    const before = await get(id);
    const url = newUrl();
    const answer = await post(`${path}/${id}`, {
      url,
      enabled_events: ['payment.*', 'customer.created'],
      metadata: { a: null, c: 3 },
    });
    const enabled_events = ['customer.created', 'payment.*'];
    expect(answer.json).toEqual({ ...before, url, enabled_events, metadata: { b: 2, c: 3 } });
    expect(await get(id)).toEqual(answer.json);
    const cleared = await account.test.form(`${path}/${id}`, 'description=&metadata=');
    const { description: _description, ...rest } = answer.json;
    expect(cleared.json).toEqual({ ...rest, metadata: {} });
  });

  test('of one whose list names something twice over, from before that was refused, is as of any other', async () => {
    const id = await make();
    const enabled_events = ['*', 'payment.*'];
    await server.sql.query('update webhook_endpoints set enabled_events = $2 where id = $1', [
      id,
      JSON.stringify(enabled_events),
    ]);
    expect((await post(`${path}/${id}`, { description: 'old' })).json).toMatchObject({ enabled_events });
    expect((await post(`${path}/${id}`, { enabled_events: ['*'] })).json).toMatchObject({ enabled_events: ['*'] });
  });

  test('that changes nothing writes nothing', async () => {
    const id = await make();
    const { version } = await inDatabase(id);
    const { url, enabled_events, status } = await get(id);
    await post(`${path}/${id}`, { url, enabled_events, status });
    await post(`${path}/${id}`, {});
    expect((await inDatabase(id)).version).toBe(version);
  });

  test('disables and enables; enabling it, or changing its URL, resets its failures', async () => {
    const id = await make();
    const { tenant } = await inDatabase(id);
    const fail = () => server.sql.query('insert into webhook_health values ($1, $2, now())', [tenant, id]);
    const fails = async () =>
      (await server.sql.query('select from webhook_health where endpoint = $1', [id])).rowCount === 1;
    expect((await post(`${path}/${id}`, { status: 'disabled' })).json.status).toBe('disabled');
    await fail();
    await post(`${path}/${id}`, { description: 'x' });
    expect(await fails()).toBe(true);
    expect((await post(`${path}/${id}`, { status: 'enabled' })).json.status).toBe('enabled');
    expect(await fails()).toBe(false);
    await fail();
    await post(`${path}/${id}`, { status: 'enabled' });
    expect(await fails()).toBe(false);
    await fail();
    await post(`${path}/${id}`, { url: newUrl() });
    expect(await fails()).toBe(false);
  });

  test('is no event', async () => {
    const id = await make();
    await post(`${path}/${id}`, { status: 'disabled' });
    await account.test.delete(`${path}/${id}`);
    expect((await server.sql.query('select 1 from events where object_id = $1', [id])).rows).toEqual([]);
  });

  const refused: [string, object, string, string][] = [
    ['null for the url', { url: null }, 'parameter_invalid', 'url'],
    ['an empty url', { url: '' }, 'parameter_invalid', 'url'],
    ['null for the events', { enabled_events: null }, 'parameter_invalid', 'enabled_events'],
    ['no events', { enabled_events: [] }, 'parameter_invalid', 'enabled_events'],
    ['an unknown type', { enabled_events: ['x.y'] }, 'parameter_invalid', 'enabled_events'],
    ['all and a type', { enabled_events: ['*', 'payment.failed'] }, 'parameter_invalid', 'enabled_events'],
    ['null for the status', { status: null }, 'parameter_invalid', 'status'],
    ['an unknown status', { status: 'paused' }, 'parameter_invalid', 'status'],
    ['a private address', { url: 'https://192.168.0.1/' }, 'endpoint_url_not_allowed', 'url'],
    ['a secret', { secret: 'whsec_x' }, 'parameter_unknown', 'secret'],
  ];
  test.each(refused)('is refused with %s, and changes nothing', async (_, body, code, param) => {
    const id = await make();
    const before = await get(id);
    expectRefused(await post(`${path}/${id}`, { description: 'changed', ...body }), code, param);
    expect(await get(id)).toEqual(before);
  });
});

describe('deleting', () => {
  test('removes the endpoint; deleting it again finds none', async () => {
    const id = await make();
    const answer = await account.test.delete(`${path}/${id}`);
    expect([answer.status, answer.json]).toEqual([200, { id, object: 'webhook_endpoint', deleted: true }]);
    expectRefused(await account.test.get(`${path}/${id}`), 'resource_missing', 'id');
    expectRefused(await account.test.delete(`${path}/${id}`), 'resource_missing', 'id');
    expect(await inDatabase(id)).toBeUndefined();
  });
});

describe('an endpoint of somebody else', () => {
  const ways: [string, (id: string, client: TestAccount['test']) => Promise<Answer>][] = [
    ['retrieve', (id, client) => client.get(`${path}/${id}`)],
    ['update', (id, client) => client.post(`${path}/${id}`, { status: 'disabled' })],
    ['delete', (id, client) => client.delete(`${path}/${id}`)],
    ['rotate_secret', (id, client) => client.post(`${path}/${id}/rotate_secret`)],
    ['deliveries', (id, client) => client.get(`${path}/${id}/deliveries`)],
    ['test', (id, client) => client.post(`${path}/${id}/test`)],
    ['recover', (id, client) => client.post(`${path}/${id}/recover`, { since: Math.floor(Date.now() / 1_000) - 60 })],
  ];
  test.each(ways)('is to %s the same as one that does not exist', async (_, way) => {
    const id = await makeEndpoint(account.live, { url: newUrl().replace('http:', 'https:') });
    const before = await inDatabase(id);
    const stranger = await server.account();
    const nobodys = await way(newId('we', Date.now()), account.test);
    expectRefused(nobodys, 'resource_missing', 'id');
    for (const client of [stranger.test, stranger.live]) expect((await way(id, client)).text).toBe(nobodys.text);
    // To its own account the message says that it exists in the other mode, and nothing else differs.
    const own = await way(id, account.test);
    expect(own.text).toBe(nobodys.text.replace(' endpoint.', ' endpoint in test mode; it exists in live mode.'));
    expect((await way('we_x', account.test)).text).toBe(nobodys.text);
    expect(await inDatabase(id)).toEqual(before);
    expect((await server.sql.query('select 1 from deliveries where endpoint = $1', [id])).rows).toEqual([]);
  });
});

describe('a restricted key', () => {
  test('needs the scope of what it does', async () => {
    const reader = (await server.key(account.id, { scopes: ['webhook_endpoints:read'] })).client;
    const writer = (await server.key(account.id, { scopes: ['webhook_endpoints:write'] })).client;
    const other = (await server.key(account.id, { scopes: ['events:write', 'payments:write'] })).client;
    const id = await make();
    const reads = ['', `/${id}`, `/${id}/deliveries`];
    for (const read of reads) {
      expect((await reader.get(path + read)).status).toBe(200);
      expect((await writer.get(path + read)).status).toBe(200);
      expect((await other.get(path + read)).json.error).toMatchObject({ code: 'scope_missing' });
    }
    for (const verb of ['', '/rotate_secret', '/test'])
      for (const client of [reader, other]) {
        const answer = await client.post(`${path}/${id}${verb}`, {});
        expect([answer.status, answer.json.error.code]).toEqual([403, 'scope_missing']);
      }
    expect((await writer.post(`${path}/${id}/rotate_secret`)).status).toBe(200);
    expect((await reader.post('/v1/events/evt_x/resend')).json.error.code).toBe('scope_missing');
    expect((await other.post('/v1/events/evt_x/resend')).json.error.code).toBe('resource_missing');
    expect((await reader.delete(`${path}/${id}`)).status).toBe(403);
    expect((await writer.delete(`${path}/${id}`)).status).toBe(200);
  });
});

test('a list is newest first, and has pages', async () => {
  const { test: client } = await server.account();
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.unshift(await makeEndpoint(client));
  const first = (await client.get(`${path}?limit=2`)).json;
  expect(first).toMatchObject({ object: 'list', url: path, has_more: true });
  expect(first.data.map(({ id }: { id: string }) => id).sort()).toEqual(ids.slice(0, 2).sort());
  const rest = (await client.get(`${path}?limit=2&starting_after=${first.data[1].id}`)).json;
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([ids[2]]);
});
