import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import type { Answer, Client } from '../../test/client.ts';
import { eventually } from '../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { storedForms } from './stored_keys.fixture.ts';

let server: TestServer;
let account: TestAccount;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  client = account.test;
});
afterAll(() => server.stop());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const ada = { email: 'ada@example.com', name: 'Ada', metadata: { plan: 'gold', seats: 3 } };

async function makeCustomer(body: object = ada): Promise<string> {
  return (await client.post('/v1/customers', body)).json.id;
}

async function rowOf(key: string) {
  const { rows } = await server.sql.query(
    `select fingerprint, operation, request_id, status, convert_from(body, 'utf8') as body, replays, expires_at
       from idempotency where key = any($1)`,
    [await storedForms(server, key)],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
}

async function customersNamed(name: string): Promise<number> {
  const { rows } = await server.sql.query('select count(*) from customers where name = $1', [name]);
  return rows[0].count;
}

describe('a repeated request', () => {
  test('gets the first answer byte for byte, marked as a replay, and has no effect', async () => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', { name: key }, keyed(key));
    const second = await client.post('/v1/customers', { name: key }, keyed(key));
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['request-id']).not.toBe(first.headers['request-id']);
    expect(await customersNamed(key)).toBe(1);
    const events = await server.sql.query('select 1 from events where object_id = $1', [first.json.id]);
    expect(events.rows).toHaveLength(1);
  });

  type Way = [string, (key: string) => Promise<{ status: number; text: string; headers: object }>];
  const form = 'email=ada%40example.com&name=Ada&metadata[plan]=gold&metadata[n]=x';
  const body = { email: 'ada@example.com', name: 'Ada', metadata: { plan: 'gold', n: 'x' } };
  const ways: Way[] = [
    ['as a form', (key) => client.form('/v1/customers', form, keyed(key))],
    [
      'as a form in another order',
      (key) => client.form('/v1/customers', form.split('&').reverse().join('&'), keyed(key)),
    ],
    ['without the version in the path', (key) => client.post('/customers', body, keyed(key))],
    [
      'with the version in a header',
      (key) => client.post('/customers', body, { ...keyed(key), 'X-Service-Version': '1' }),
    ],
    [
      'with its keys in another order',
      (key) =>
        client.post(
          '/v1/customers',
          { metadata: { n: 'x', plan: 'gold' }, name: body.name, email: body.email },
          keyed(key),
        ),
    ],
    [
      'with other white space and escapes',
      (key) =>
        client.post('/v1/customers', JSON.stringify(body, null, 2).replace('"Ada"', '"\\u0041da"'), {
          ...keyed(key),
          'Content-Type': 'application/json; charset=utf-8',
        }),
    ],
    ['with what is nothing on create', (key) => client.post('/v1/customers', { ...body, phone: null }, keyed(key))],
    [
      'with another key of the same account and mode',
      async (key) => {
        const other = await server.key(account.id, { scopes: ['customers:write'] });
        return other.client.post('/v1/customers', body, keyed(key));
      },
    ],
  ];
  test.each(ways)('is the same request %s', async (_, repeat) => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', body, keyed(key));
    const second = await repeat(key);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  });

  test('of an update or a deletion gets its answer, whatever happened since', async () => {
    const id = await makeCustomer();
    const [update, deletion] = [randomUUID(), randomUUID()];
    const updated = await client.post(`/v1/customers/${id}`, { name: 'Eve' }, keyed(update));
    await client.post(`/v1/customers/${id}`, { name: 'Bob' });
    const again = await client.post(`/v1/customers/${id}`, { name: 'Eve' }, keyed(update));
    expect([again.status, again.text]).toEqual([200, updated.text]);
    expect((await client.get(`/v1/customers/${id}`)).json.name).toBe('Bob');
    const deleted = await client.delete(`/v1/customers/${id}`, keyed(deletion));
    const deletedAgain = await client.delete(`/v1/customers/${id}`, keyed(deletion));
    expect([deletedAgain.status, deletedAgain.text]).toEqual([200, deleted.text]);
    expect(deletedAgain.headers['idempotent-replayed']).toBe('true');
  });

  test('is counted on the row, whose lifetime is 24 hours from the first use', async () => {
    const key = randomUUID();
    const answer = await client.post('/v1/customers', ada, keyed(key));
    const first = await rowOf(key);
    expect(first).toMatchObject({
      operation: 'customers.create',
      request_id: answer.headers['request-id'],
      status: 200,
      replays: 0,
    });
    expect(first.body).toBe(answer.text);
    expect(first.fingerprint).toHaveLength(32);
    expect(Math.abs(first.expires_at.getTime() - Date.now() - 86_400_000)).toBeLessThan(10_000);
    for (let i = 0; i < 3; i++) await client.post('/v1/customers', ada, keyed(key));
    expect(await rowOf(key)).toEqual({ ...first, replays: 3 });
  });
});

describe('a key reused for a different request is refused, without effect', () => {
  const reused = (difference: string) => ({
    code: 'idempotency_key_reused',
    message: `This Idempotency-Key was already used for a different request${difference}. Use a new key for a new intent.`,
    param: 'Idempotency-Key',
    type: 'idempotency_error',
  });
  const others: [string, object | string, string][] = [
    ['another value', { ...ada, name: 'Eve' }, ' (different: name)'],
    ['several others, named in order', { ...ada, name: 'Eve', email: 'eve@example.com' }, ' (different: email, name)'],
    ['one more', { ...ada, phone: '112' }, ' (different: phone)'],
    ['fewer', {}, ' (different: email, metadata, name)'],
    ['other metadata', { ...ada, metadata: { plan: 'gold', seats: 4 } }, ' (different: metadata)'],
    ['a number that is now text', { ...ada, metadata: { plan: 'gold', seats: '3' } }, ' (different: metadata)'],
    [
      'another name, and metadata in another order',
      { ...ada, name: 'Eve', metadata: { seats: 3, plan: 'gold' } },
      ' (different: name)',
    ],
    ['a form with another value', 'name=Ada&email=ada@example.com', ' (different: metadata)'],
  ];
  let firsts: Map<string, { key: string; answer: Answer }>;

  beforeAll(async () => {
    firsts = new Map();
    for (const [name] of others) {
      const key = randomUUID();
      firsts.set(name, { key, answer: await client.post('/v1/customers', ada, keyed(key)) });
    }
    // The names come from the request log, which is written asynchronously.
    const ids = [...firsts.values()].map(({ answer }) => answer.headers['request-id']);
    await eventually(async () => {
      const { rows } = await server.sql.query('select 1 from requests where id = any($1)', [ids]);
      expect(rows).toHaveLength(ids.length);
    });
  });

  test.each(others)('parameters: %s', async (name, body, difference) => {
    const { key, answer: first } = firsts.get(name)!;
    const before = await server.sql.query('select count(*) from customers');
    const second = await (typeof body === 'string'
      ? client.form('/v1/customers', body, keyed(key))
      : client.post('/v1/customers', body, keyed(key)));
    expect([second.status, second.json.error]).toEqual([400, reused(difference)]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect((await server.sql.query('select count(*) from customers')).rows).toEqual(before.rows);
    expect((await client.post('/v1/customers', ada, keyed(key))).text).toBe(first.text);
  });

  test('another object in the path', async () => {
    const [one, other] = [await makeCustomer(), await makeCustomer()];
    const key = randomUUID();
    await client.post(`/v1/customers/${one}`, { name: 'Eve' }, keyed(key));
    const refused = await client.post(`/v1/customers/${other}`, { name: 'Eve' }, keyed(key));
    expect([refused.status, refused.json.error.code]).toEqual([400, 'idempotency_key_reused']);
    expect((await client.get(`/v1/customers/${other}`)).json.name).toBe('Ada');
  });

  test('another operation, on the same path or on another', async () => {
    const id = await makeCustomer();
    const [create, update] = [randomUUID(), randomUUID()];
    await client.post('/v1/customers', {}, keyed(create));
    const updated = await client.post(`/v1/customers/${id}`, {}, keyed(create));
    expect([updated.status, updated.json.error]).toEqual([400, reused(', customers.create')]);
    await client.post(`/v1/customers/${id}`, {}, keyed(update));
    const deleted = await client.delete(`/v1/customers/${id}`, keyed(update));
    expect([deleted.status, deleted.json.error]).toEqual([400, reused(', customers.update')]);
    expect((await client.get(`/v1/customers/${id}`)).status).toBe(200);
  });

  test('names no parameters when the log no longer has the first request', async () => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', ada, keyed(key));
    await expect
      .poll(
        async () =>
          (await server.sql.query('delete from requests where id = $1', [first.headers['request-id']])).rowCount,
      )
      .toBe(1);
    const second = await client.post('/v1/customers', { name: 'Eve' }, keyed(key));
    expect(second.json.error).toEqual(reused(''));
  });
});

describe('a key', () => {
  const accepted: [string, string][] = [
    ['one character', '~'],
    ['255 characters', 'k'.repeat(255)],
    ['a UUID', randomUUID()],
    [
      'every printable ASCII character',
      Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
        .join('')
        .trim(),
    ],
  ];
  test.each(accepted)('may have %s', async (_, key) => {
    const first = await client.post('/v1/customers', { name: key.slice(0, 100) }, keyed(key));
    expect(first.status).toBe(200);
    const second = await client.post('/v1/customers', { name: key.slice(0, 100) }, keyed(key));
    expect(second.text).toBe(first.text);
  });

  const refused: [string, string][] = [
    ['no character', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a character beyond ASCII', 'clé'],
    ['a byte that is no character', 'k\x80'],
    ['a tab', 'a\tb'],
  ];
  test.each(refused)('is refused with %s, without effect', async (_, key) => {
    const name = randomUUID();
    const answer = await client.post('/v1/customers', { name }, keyed(key));
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: 'idempotency_key_invalid', param: 'Idempotency-Key' });
    expect(await customersNamed(name)).toBe(0);
  });

  test('sent twice is refused', async () => {
    const answer = await client.post('/v1/customers', {}, { 'Idempotency-Key': ['a', 'b'] });
    expect(answer.json.error).toMatchObject({ code: 'header_repeated', param: 'Idempotency-Key' });
  });

  test('is ignored on GET, whatever it looks like', async () => {
    const id = await makeCustomer();
    const key = randomUUID();
    await client.post('/v1/customers', {}, keyed(key));
    for (const header of [key, 'k'.repeat(300), 'clé', '']) {
      const answer = await client.get(`/v1/customers/${id}`, { headers: keyed(header) });
      expect(answer.status).toBe(200);
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
    }
    expect((await rowOf(key)).replays).toBe(0);
  });

  test('belongs to one account in one mode', async () => {
    const key = randomUUID();
    const other = await server.account();
    const answers = [];
    for (const one of [account.test, account.live, other.test, other.live])
      answers.push(await one.post('/v1/customers', { name: key }, keyed(key)));
    expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(4);
    for (const answer of answers) expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a key that has expired by the clock of the database', () => {
  const expire = async (key: string, interval: string) =>
    server.sql.query(`update idempotency set expires_at = now() + $2::interval where key = any($1)`, [
      await storedForms(server, key),
      interval,
    ]);

  test('can be used again for any request, and its row is replaced', async () => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', ada, keyed(key));
    await client.post('/v1/customers', ada, keyed(key));
    await expire(key, '-1 second');
    const second = await client.post('/v1/customers', { name: 'Eve' }, keyed(key));
    expect(second.status).toBe(200);
    expect(second.json.id).not.toBe(first.json.id);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    const row = await rowOf(key);
    expect(row).toMatchObject({ request_id: second.headers['request-id'], body: second.text });
    expect(Math.abs(row.expires_at.getTime() - Date.now() - 86_400_000)).toBeLessThan(10_000);
    expect((await client.post('/v1/customers', { name: 'Eve' }, keyed(key))).text).toBe(second.text);
  });

  test('counts its replays from zero', async () => {
    const key = randomUUID();
    for (let i = 0; i < 3; i++) await client.post('/v1/customers', ada, keyed(key));
    await expire(key, '-1 second');
    await client.post('/v1/customers', ada, keyed(key));
    expect((await rowOf(key)).replays).toBe(0);
  });

  test('and not a moment earlier', async () => {
    const key = randomUUID();
    const first = await client.post('/v1/customers', ada, keyed(key));
    await expire(key, '1 minute');
    expect((await client.post('/v1/customers', ada, keyed(key))).text).toBe(first.text);
    expect((await client.post('/v1/customers', {}, keyed(key))).json.error.code).toBe('idempotency_key_reused');
  });

  test('is free for a deletion that found nothing before', async () => {
    const key = randomUUID();
    const id = newId('cus', Date.now());
    expect((await client.delete(`/v1/customers/${id}`, keyed(key))).status).toBe(404);
    await expire(key, '-1 hour');
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      account.id,
    ]);
    await server.sql.query(`insert into customers (tenant, id, version, metadata) values ($1, $2, 1, '{}')`, [
      rows[0].tenant,
      id,
    ]);
    expect((await client.delete(`/v1/customers/${id}`, keyed(key))).status).toBe(200);
  });
});
