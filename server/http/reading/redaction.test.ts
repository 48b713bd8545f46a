import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../test/client.ts';
import { eventually } from '../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';

let server: TestServer;
let account: TestAccount;

const person = { email: 'augusta.ada@example.com', name: 'Augusta Ada King', phone: '+44 20 7946 0815' };
const wrong = { email: 'not-an-address-of-ada', name: 'Ada the Second', phone: '+44 20 7946 4711' };
const metadata = { title: 'Countess of Lovelace' };
const key = randomUUID();
let requests: string[];

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  const { live: client } = account; // test mode keeps what was sent, for a week
  const headers = { 'Idempotency-Key': key };
  const made = await client.post('/v1/customers', { ...person, metadata }, headers);
  const path = `/v1/customers/${made.json.id}`;
  const answers: Answer[] = [
    made,
    await client.post('/v1/customers', { ...person, metadata }, headers),
    await client.form('/v1/customers', `email=${encodeURIComponent(person.email)}&name=${person.name}`, headers),
    await client.post(path, { name: person.name, email: null }),
    await client.post('/v1/customers', wrong),
    await client.post('/v1/customers', { nickname: person.name }),
    await client.get(`/v1/customers?email=${encodeURIComponent(person.email)}`),
    await client.get(`/v1/customers/${account.testKey}`),
    await client.get(`/v1/customers?key=${account.testKey}`),
    await client.get(`/v1/${account.liveKey}/x`),
    await server.client(`${account.testKey.slice(0, -1)}_`).get('/v1/customers'),
  ];
  requests = answers.map((answer) => String(answer.headers['request-id']));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 400, 200, 400, 400, 400, 404, 400, 404, 401]);
  await eventually(async () => {
    const { rows } = await server.sql.query(
      'select id from requests where id = any($1) union all select id from anonymous_requests where id = any($1)',
      [requests],
    );
    expect(rows).toHaveLength(requests.length);
  });
});
afterAll(() => server.stop());

/** Every row of a table as text, with bytes decoded to characters. */
async function dump(table: string): Promise<string> {
  const { rows } = await server.sql.query(`select t.* from ${table} t`);
  return JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  );
}

async function tables(): Promise<string[]> {
  const { rows } = await server.sql.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  return rows.map((row) => row.name);
}

const personal = [
  ...Object.values(person),
  ...Object.values(wrong),
  encodeURIComponent(person.email),
  'Augusta',
  metadata.title,
];

describe('personal data', () => {
  test('is replaced by digests in the request log', async () => {
    const log = await dump('requests');
    for (const text of personal) expect(log).not.toContain(text);
    const { rows } = await server.sql.query('select parameters, idempotency_key from requests where id = $1', [
      requests[0],
    ]);
    const digest = expect.stringMatching(/^digest:[0-9a-f]{12}$/);
    expect(rows).toEqual([
      { parameters: { email: digest, name: digest, phone: digest, metadata: digest }, idempotency_key: key },
    ]);
  });

  test('has equal digests for equal values, which reveal nothing else', async () => {
    const { rows } = await server.sql.query('select parameters from requests where id = any($1) order by id', [
      [requests[0], requests[2]],
    ]);
    expect(rows[1].parameters.email).toBe(rows[0].parameters.email);
    expect(rows[0].parameters.email).not.toBe(rows[0].parameters.name);
  });

  test('is in no log line', () => {
    for (const text of personal) expect(server.logged.join('')).not.toContain(text);
  });

  test('is stored only in the record itself, its events and saved answers', async () => {
    const holders = [];
    for (const table of await tables()) if ((await dump(table)).includes(person.email)) holders.push(table);
    expect(holders.sort()).toEqual(['events', 'idempotency']); // the record's own address was cleared above
  });
});

describe('API keys', () => {
  test('are in no table, whole or in part', async () => {
    let all = '';
    for (const table of await tables()) all += await dump(table);
    expect(all).toContain(key);
    for (const secret of [account.testKey, account.liveKey]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(secret.slice(0, 20));
      expect(all).not.toContain(secret.slice(-20));
    }
  });

  test('are in no log line, whole or in part', () => {
    const lines = server.logged.join('');
    expect(lines).toContain(requests[0]);
    for (const secret of [account.testKey, account.liveKey]) {
      expect(lines).not.toContain(secret.slice(0, 20));
      expect(lines).not.toContain(secret.slice(-20));
    }
  });

  test('are identified by their id and their last four characters', async () => {
    const { rows } = await server.sql.query(
      'select hint from api_keys where id = (select api_key from requests where id = $1)',
      [requests[0]],
    );
    expect(rows).toEqual([{ hint: account.liveKey.slice(-4) }]);
  });
});
