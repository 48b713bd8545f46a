import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { tester } from '../base/embedded_postgres/superuser.fixture.ts';
import { connect } from '../base/sql.ts';
import { dockAnswers } from '../connectors/dock.fixture.ts';
import { openKeeper } from '../resources/payments/payment_methods/keeper.fixture.ts';
import { addAccount } from '../resources/payments/payments/pier.fixture.ts';
import {
  digits,
  type Form,
  formsFound,
  formsOf,
  joined,
  luhn,
  searchTables as searchTablesOf,
} from './canary_search.ts';
import type { Answer, Client, RequestOptions } from './client.ts';
import { eventually } from './eventually.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { connectorsWithAccounts } from './http/objects.ts';

/**
 * The canary: a unique card number, security code, token and key, used in every way, right and wrong. Afterwards everything that is stored
 * anywhere is searched for them, in every encoding.
 */

const visa = luhn(`4539${digits(11)}`);
const amex = luhn(`37${digits(12)}`);
const planted = luhn(`4716${digits(11)}`);
const cvc = `9${digits(2)}7`; // four digits, of the amex
const token = `tok_${digits(24)}`;
const longCvc = `9${digits(17)}7`; // too long to be a real code, so that it is unique

const credential = `test_${digits(24)}`; // of a processor account

/** A security code has four digits, which occur by chance: it counts only next to its name. */
const nearCvc = new RegExp(`(cvc|cvv|security.?code)[^0-9A-Za-z]{0,12}${cvc}(?![0-9])`, 'i');

function formsIn(bytes: Buffer, forms: readonly Form[]): string[] {
  const found = formsFound(bytes, forms);
  return nearCvc.test(bytes.toString('latin1')) ? [...found, 'the CVC beside its name'] : found;
}

const keeper = openKeeper();
/** The first file of the write-ahead log that the servers here can have written to. */
let firstLogFile: string;
let server: TestServer;
let account: TestAccount;
let secrets: Form[];
/** Of servers that have stopped. */
const loggedBefore: string[] = [];
/** Everything that came back, with headers. */
const answers: Told[] = [];

/** Tollgate's own role may not use replication slots. */
async function asTester(sql: string): Promise<void> {
  const client = await connect({ ...inject('postgres'), ...tester }, 'test');
  await client.query(sql);
  await client.end();
}

beforeAll(async () => {
  server = await startServer({ onePostgres: true, connectors: [...connectorsWithAccounts, keeper.registration] });
  // Other tests share the write-ahead log: the searched part must not be recycled meanwhile.
  await asTester(`select pg_create_physical_replication_slot('canary', true)`);
  firstLogFile = await logFile();
  account = await server.account();
  secrets = [
    ...formsOf('the visa', visa),
    ...formsOf('the amex', amex),
    ...formsOf('the long CVC', longCvc),
    ...formsOf('the token', token),
    ...formsOf('the test key', account.testKey),
    ...formsOf('the live key', account.liveKey),
    ...formsOf('the credential', credential),
  ];
});
afterAll(async () => {
  await asTester(`select pg_drop_replication_slot('canary')`);
  await server.stop();
});

async function logFile(): Promise<string> {
  return (await server.sql.query('select pg_walfile_name(pg_current_wal_insert_lsn()) as name')).rows[0].name;
}

async function send(client: Client, method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const answer = await client.request(method, path, options);
  answers.push({ request: `${method} ${path}`, text: `${JSON.stringify(answer.headers)}\n${answer.text}` });
  return answer;
}

const post = (client: Client, path: string, body?: object, headers: Record<string, string> = {}) =>
  send(client, 'POST', path, { headers, ...(body === undefined ? {} : { body }) });

const form = (client: Client, path: string, body: string) =>
  send(client, 'POST', path, { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });

const visaCard = { number: visa, exp_month: 12, exp_year: 2040, cvc: '123' };
const amexCard = { number: amex, exp_month: 12, exp_year: 2040, cvc };
const inFours = (number: string, gap: string) => number.match(/.{1,4}/g)!.join(gap);

const searchTables = (forms: readonly Form[]) => searchTablesOf(server.sql, (bytes) => formsIn(bytes, forms));

const cluster = () => join(dirname(inject('certificateDir')), 'shared', 'postgres');

function* filesBelow(path: string): Generator<string> {
  for (const item of readdirSync(path, { withFileTypes: true })) {
    if (item.isDirectory()) yield* filesBelow(join(path, item.name));
    else if (item.isFile()) yield join(path, item.name);
  }
}

/** The files of this database, the write-ahead log, and what PostgreSQL itself has logged. */
async function searchDisk(forms: readonly Form[]): Promise<Record<string, string[]>> {
  const { sql } = server;
  await sql.query('checkpoint'); // the log is written up to it, although its writer is asynchronous in tests
  const { rows } = await sql.query('select oid from pg_database where datname = current_database()');
  const places = [join(cluster(), 'base', String(rows[0].oid)), join(cluster(), 'pg_wal')];
  const lastLogFile = await logFile();
  const isOlderOrUnused = (file: string) =>
    /\/pg_wal\/[0-9A-F]{24}$/.test(file) && (basename(file) < firstLogFile || basename(file) > lastLogFile);
  const files = [...places.flatMap((place) => [...filesBelow(place)]), join(dirname(cluster()), 'postgres.log')];
  const found: Record<string, string[]> = {};
  for (const file of files.filter((one) => !isOlderOrUnused(one))) {
    let bytes: Buffer;
    try {
      if (statSync(file).size === 0) continue;
      bytes = readFileSync(file);
    } catch {
      continue; // recycled in the meantime
    }
    const hits = forms.filter((one) => bytes.includes(one.bytes)).map(({ name }) => name);
    if (hits.length > 0) found[file.slice(dirname(cluster()).length)] = hits;
  }
  return found;
}

type Told = { request: string; text: string };

/** The texts that contain a form, with its name. */
function tellingOf(texts: readonly Told[], forms: readonly Form[]): string[] {
  if (formsIn(joined(texts.map(({ text }) => text)), forms).length === 0) return [];
  return texts.flatMap(({ request, text }) => {
    const hits = formsIn(Buffer.from(text), forms);
    return hits.length === 0 ? [] : [`${hits.join(', ')}: ${request}: ${text}`];
  });
}

/** What the servers have logged, and what they have answered. */
function toldSoFar(): Told[] {
  return [...[...server.logged, ...loggedBefore].map((text) => ({ request: 'a line of the log', text })), ...answers];
}

/** The request log is written asynchronously, in order: when this last request is in it, all earlier ones are. */
async function requestsLogged(): Promise<void> {
  const { headers } = await account.test.get('/v1/events?limit=1');
  const last = () => server.sql.query('select from requests where id = $1', [headers['request-id']]);
  await eventually(async () => expect((await last()).rowCount).toBe(1));
}

async function expectNowhere(): Promise<void> {
  await requestsLogged();
  expect(tellingOf(toldSoFar(), secrets)).toEqual([]);
  expect(await searchTables(secrets)).toEqual({});
}

describe('the search', () => {
  test('finds a planted number in each of its forms, in tables and on disk', async () => {
    const forms = formsOf('planted', planted);
    expect(forms.length).toBeGreaterThan(15);
    await server.sql.query('create table scratch (id int4, text text, bytes bytea)');
    // Three of each: one may span two pages of the log, with a page header in its middle.
    for (const [at, { bytes }] of [...forms.entries(), ...forms.entries(), ...forms.entries()]) {
      const isText = !bytes.includes(0) && bytes.toString('utf8') === bytes.toString('latin1');
      const clear = Buffer.concat([Buffer.from('before '), bytes, Buffer.from(' after')]);
      await server.sql.query('insert into scratch values ($1, $2, $3)', [at, isText ? clear.toString() : null, clear]);
    }
    const names = forms.map(({ name }) => name).sort();
    expect((await searchTables(forms))['public.scratch']!.sort()).toEqual(names);
    const onDisk = await searchDisk(forms);
    const places = Object.entries(onDisk);
    const inLog = new Set(places.filter(([file]) => file.includes('/pg_wal/')).flatMap(([, hits]) => hits));
    const inHeap = new Set(places.filter(([file]) => file.includes('/base/')).flatMap(([, hits]) => hits));
    expect([...inLog].sort()).toEqual(names);
    expect([...inHeap].sort()).toEqual(names);
    await server.sql.query('drop table scratch');
  });

  test('finds a number at any position of a longer text that was encoded as a whole', () => {
    for (const before of ['', 'a', 'ab', 'abc', '{"number":"'])
      for (const encoding of ['base64', 'base64url', 'hex', 'utf16le'] as const) {
        const text = `${before}${visa}","cvc":1}`;
        const encoded =
          encoding === 'utf16le' ? Buffer.from(text, encoding) : Buffer.from(Buffer.from(text).toString(encoding));
        expect(formsIn(encoded, secrets).length, `${encoding} after "${before}"`).toBeGreaterThan(0);
      }
  });

  test('finds what one of many texts tells, and nothing that only two of them together say', () => {
    const texts = ['one', `before ${visa} after`, visa.slice(0, 8), visa.slice(8), '"cvc"', cvc];
    const told = texts.map((text, at) => ({ request: `the request ${at}`, text }));
    expect(tellingOf(told, secrets)).toEqual([`the visa raw: the request 1: before ${visa} after`]);
    expect(tellingOf(told.toSpliced(1, 1), secrets)).toEqual([]);
    expect(formsIn(joined(told.toSpliced(1, 1).map(({ text }) => text)), secrets)).toEqual([]);
  });

  test('finds the CVC beside its name, and no other digits', () => {
    for (const text of [`"cvc":"${cvc}"`, `card[cvc]=${cvc}`, `"cvc": ${cvc}`, `\\"cvc\\":\\"${cvc}\\"`, `cvc ${cvc}`])
      expect(formsIn(Buffer.from(text), [])).toEqual(['the CVC beside its name']);
    expect(formsIn(Buffer.from(`"amount":${cvc},"cvc":"pass"`), [])).toEqual([]);
  });
});

describe('the number, the code and the key', () => {
  test('are not stored in clear when a card is saved and charged', async () => {
    const { test: client, live } = account;
    const made: string[] = [];
    for (const card of [visaCard, amexCard]) {
      for (const gap of ['', ' ', '-']) {
        const number = gap === '' ? card.number : inFours(card.number, gap);
        const answer = await post(client, '/v1/payment_methods', { type: 'card', card: { ...card, number } });
        expect(answer.status).toBe(200);
        made.push(answer.json.id);
      }
      const fields = Object.entries({ ...card, number: inFours(card.number, ' ') });
      const body = fields.map(([name, value]) => `card[${name}]=${encodeURIComponent(value)}`).join('&');
      const answer = await form(client, '/v1/payment_methods', `type=card&${body}`);
      expect(answer.status).toBe(200);
      made.push(answer.json.id);
    }
    // The code is encrypted while it is stored.
    const { rows } = await server.sql.query('select sealed from vault_cvcs');
    expect(rows).toHaveLength(made.length);
    for (const { sealed } of rows) expect(sealed.includes(Buffer.from(cvc))).toBe(false);
    await expectNowhere();

    const key = { 'Idempotency-Key': 'canary-1' };
    const body = { type: 'card', card: amexCard };
    const first = await post(client, '/v1/payment_methods', body, key);
    expect((await post(client, '/v1/payment_methods', body, key)).text).toBe(first.text);
    const other = { type: 'card', card: { ...amexCard, exp_month: 11 } };
    expect((await post(client, '/v1/payment_methods', other, key)).status).toBe(400);
    for (const payment_method of made) {
      const payment = await post(client, '/v1/payments', { amount: 100, currency: 'usd', payment_method });
      expect(payment.json.status).toBe('succeeded');
      await send(client, 'GET', `/v1/payments/${payment.json.id}`);
    }
    await send(client, 'GET', '/v1/payments');
    await send(client, 'GET', '/v1/events?limit=100');
    expect((await server.sql.query('select 1 from vault_cvcs where id = any($1)', [made])).rows).toEqual([]);
    // In live mode there is no processor: the payment is declined.
    const liveMethod = await post(live, '/v1/payment_methods', { type: 'card', card: amexCard });
    const declined = { amount: 100, currency: 'usd', payment_method: liveMethod.json.id };
    expect((await post(live, '/v1/payments', declined)).status).toBe(402);
    await post(client, `/v1/payment_methods/${made[0]}/detach`);
    await expectNowhere();
  });

  test('are not stored in clear when a remote processor fails', async () => {
    // It stands still: on a busy machine the deadline would pass before a call has begun, and the processor would never get the call that it
    // is to fail. It is ahead: the other server, whose clock is real, would otherwise inquire about payments whose call is in flight. For the
    // same reason this server stops before the other one pays again.
    const clock = virtualClock(Date.now() + 3_600_000);
    const remote = await startServer({
      connectors: [...connectorsWithAccounts, keeper.registration],
      environment: { SIMULATOR: 'remote' },
      processorDeadlineMs: 200,
      clock,
      databaseUrl: server.databaseUrl,
    });
    const client = remote.client(account.testKey);
    let last = '';
    for (const kind of ['lose_reply', 'lose_request', 'hang', 'malformed', 'wrong_attempt', 'down', 'twice', 'delay']) {
      await server.sql.query('insert into simulator_faults (kind, milliseconds) values ($1, 300)', [kind]);
      const method = await post(client, '/v1/payment_methods', { type: 'card', card: amexCard });
      const body = { amount: 100, currency: 'usd', payment_method: method.json.id };
      const key = { 'Idempotency-Key': `canary-${kind}` };
      const first = await post(client, '/v1/payments', body, key);
      expect(first.status).toBe(200);
      expect((await post(client, '/v1/payments', body, key)).text).toBe(first.text);
      last = first.json.id;
    }
    // The last one is answered after its deadline; the late answer is logged too.
    await eventually(async () => expect(remote.logged.join('')).toContain('late answer from a processor'));
    // It decides nothing: an inquiry does, which may get a fault that was meant for a call that never began.
    await eventually(async () => {
      clock.advance(60_000);
      await remote.settled();
      expect((await client.get(`/v1/payments/${last}`)).json.status).toBe('succeeded');
    });
    await remote.stop();
    loggedBefore.push(...remote.logged);
    await expectNowhere();
  });

  test('nor is a token, however it is used and whatever its processor answers', async () => {
    const owner = await server.account();
    const { test: client } = owner;
    const path = '/v1/payment_methods';
    const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
      owner.id,
    ]);
    const kept = await addAccount(server.gateway, rows[0].tenant, true, 'keeper');
    const body = { type: 'card', processor_token: { processor_account: kept, token } };
    expect((await post(client, path, body)).json.error.param).toBe('processor_token.token'); // it is not known yet
    keeper.cards.set(token, { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, customer: undefined });
    const key = { 'Idempotency-Key': 'canary-token' };
    const method = (await post(client, path, body, key)).json.id;
    expect((await post(client, path, body, key)).json.id).toBe(method);
    const wrongs = [
      { ...body, card: amexCard },
      { ...body, processor_token: token },
      { ...body, processor_token: { processor_account: token, token } },
      { ...body, processor_token: { processor_account: kept, token: [token] } },
      { ...body, processor_token: { processor_account: kept, tokem: token } },
      { ...body, processor_token: { ...body.processor_token, token: `${token}${token}${token}`.repeat(4) } },
    ];
    for (const wrong of wrongs) expect([400, 404]).toContain((await post(client, path, wrong)).status);
    expect((await post(client, path, { ...body, type: 'sepa' }, key)).status).toBe(400);
    await form(client, path, `type=card&processor_token[processor_account]=${kept}&processor_token[token]=${token}`);
    const payment = { amount: 100, currency: 'usd', payment_method: method };
    expect((await post(client, '/v1/payments', payment)).json.status).toBe('succeeded');
    expect((await post(client, '/v1/payments', payment)).status).toBe(400);
    keeper.after = () => Promise.reject(new Error(`no such token: ${token}`));
    expect((await post(client, path, body)).status).toBe(500);
    keeper.after = async () => {};
    const { json: customer } = await post(client, '/v1/customers', { name: 'x' });
    expect((await post(client, path, { ...body, customer: customer.id })).status).toBe(400); // it was charged
    keeper.used.clear();
    expect((await post(client, path, { ...body, customer: customer.id })).json.customer).toBe(customer.id);
    await post(client, `${path}/${method}/detach`);
    // The other tests pay by the simulator.
    expect((await post(client, `/v1/processor_accounts/${kept}`, { enabled: false })).status).toBe(200);
    await expectNowhere();
  });

  test('are not stored in clear when a request is refused', async () => {
    const { test: client } = account;
    const { anonymous } = server;
    const path = '/v1/payment_methods';
    const wrongs: object[] = [
      { type: 'card', card: { ...amexCard, exp_year: 1999 } },
      { type: 'card', card: { ...amexCard, exp_month: 13 } },
      { type: 'card', card: { ...amexCard, exp_year: amex } },
      { type: 'card', card: { ...amexCard, exp_month: cvc } },
      { type: 'card', card: { ...amexCard, cvc: longCvc } },
      { type: 'card', card: { ...amexCard, cvc: amex } },
      { type: 'card', card: { ...amexCard, cvc: Number(cvc) } },
      { type: 'card', card: { ...amexCard, number: Number(visa) } },
      { type: 'card', card: { ...amexCard, number: `${visa}${visa}` } },
      { type: 'card', card: { ...amexCard, number: `${visa}x` } },
      { type: 'card', card: { ...amexCard, number: [visa] } },
      { type: 'card', card: { ...amexCard, number: { number: visa } } },
      { type: 'card', card: { ...amexCard, nunber: visa } },
      { type: 'card', card: visa },
      { type: visa, card: amexCard },
      { type: 'card', card: amexCard, number: visa },
      { type: 'card', card: amexCard, metadata: visa },
      { type: 'card', card: amexCard, customer: visa },
      { type: 'card', card: amexCard, billing_details: visa },
      { type: 'card', card: amexCard, billing_details: { number: visa } },
      { number: visa, cvc },
      { card: { number: visa, cvc } },
    ];
    for (const body of wrongs) {
      const answer = await post(client, path, body);
      expect([400, 404], `${wrongs.indexOf(body)}`).toContain(answer.status);
    }
    for (const body of [{ type: 'card', card: amexCard }, { number: visa }]) {
      await post(anonymous, path, body);
      await post(server.client(account.testKey.slice(0, -1)), path, body);
      await post(client, path, body, { 'X-Service-Signature': 'sha256=00' });
      await post(client, path, body, { 'Idempotency-Key': account.testKey });
      await send(client, 'POST', path, {
        body: JSON.stringify(body).slice(0, -3),
        headers: { 'Content-Type': 'application/json' },
      });
      await send(client, 'POST', path, { body: JSON.stringify(body), headers: { 'Content-Type': 'text/plain' } });
      await send(client, 'POST', path, {
        body: `${JSON.stringify(body)}${JSON.stringify(body)}`,
        headers: { 'Content-Type': 'application/json' },
      });
      await send(client, 'PUT', path, { body });
    }
    await form(client, path, `type=card&card[number]=${visa}&card[number]=${visa}`);
    await form(client, path, `type=card&card=${visa}&cvc=${cvc}`);
    await form(client, path, `card%5Bnumber%5D=${visa}%ZZ`);
    await expectNowhere();
  });

  test('are not stored in clear when they are in a path or a query', async () => {
    const { test: client } = account;
    for (const secret of [visa, amex, inFours(visa, '-'), inFours(visa, '%20'), account.testKey]) {
      await send(client, 'GET', `/v1/payments/${secret}`);
      await send(client, 'GET', `/v1/payment_methods/${secret}`);
      await post(client, `/v1/payments/${secret}/capture`);
      await send(client, 'GET', `/v1/${secret}`);
      await send(client, 'GET', `/${secret}/x`);
      await send(client, 'GET', `/v1/payments?number=${secret}`);
      await send(client, 'GET', `/v1/payments?starting_after=${secret}`);
      await send(server.anonymous, 'GET', `/v1/payments?key=${secret}`);
      await send(server.anonymous, 'GET', `/simulator/challenge/${secret}`);
    }
    await expectNowhere();
  });

  test('are not stored in clear when a card is declined or challenged', async () => {
    const { test: client } = account;
    // Other tests use these numbers too, so only the rows of this test are searched.
    const known = ['4000000000000002', '4000000000003220', '4000000000000127', '4000000000000408'];
    for (const number of known) {
      const card = { number, exp_month: 12, exp_year: 2040, cvc: '987' };
      const { json } = await post(client, '/v1/payment_methods', { type: 'card', card });
      const payment = await post(client, '/v1/payments', { amount: 100, currency: 'usd', payment_method: json.id });
      const url: string | undefined = payment.json.next_action?.redirect_to_url.url;
      if (url === undefined) continue;
      await send(server.anonymous, 'GET', new URL(url).pathname);
      await form(server.anonymous, new URL(url).pathname, 'decision=approve');
    }
    const forms = known.flatMap((number) => formsOf(number, number));
    await expectNowhere();
    expect(await searchTables(forms)).toEqual({});
    expect(tellingOf(toldSoFar(), forms)).toEqual([]);
  });

  test('are not stored in clear when they are credentials of a processor account', async () => {
    const { test: client } = account;
    const path = '/v1/processor_accounts';
    const credentials = { api_key: credential, webhook_secret: credential };
    const body = { connector: 'dock', name: 'Dock', enabled: false, credentials };
    const key = { 'Idempotency-Key': 'canary-credentials' };
    const made = await post(client, path, body, key);
    expect((await post(client, path, body, key)).text).toBe(made.text);
    await post(client, path, { ...body, credentials: { api_key: `${credential}1` } }, key);
    await form(client, path, `connector=dock&name=Dock&enabled=false&credentials[api_key]=${credential}`);
    const one = `${path}/${made.json.id}`;
    expect((await post(client, `${one}/verify`)).json.ok).toBe(true);
    dockAnswers.set(`${credential}x`, () => Promise.reject(new Error(`bad key ${credential}`)));
    const silent = { credentials: { api_key: `${credential}x` } };
    expect((await post(client, one, silent)).status).toBe(500);
    expect((await post(client, one, { credentials: { webhook_secret: `${credential}2` } })).status).toBe(200);
    const operator = { account: account.id, mode: 'test' as const, id: made.json.id };
    await server.operator.run('processor_accounts.update', { ...operator, parameters: { credentials } });
    const wrongs: object[] = [
      { ...body, credentials: credential },
      { ...body, credentials: [credential] },
      { ...body, credentials: { ...credentials, [credential]: 'x' } },
      { ...body, credentials: { api_kye: credential } },
      { ...body, credentials: { api_key: [credential] } },
      { ...body, credentials: { api_key: { key: credential } } },
      { ...body, credentials: { api_key: ` ${credential}` } },
      { ...body, credentials: { api_key: `live_${credential}` } },
      { ...body, connector: credential },
      { ...body, connector: 'simulator' },
      { ...body, api_key: credential },
    ];
    for (const wrong of wrongs) expect((await post(client, path, wrong)).status).toBe(400);
    await send(client, 'GET', path);
    await send(client, 'GET', '/v1/events?limit=100');
    await server.sql.query('alter table vault_secrets rename to hidden');
    expect((await post(client, path, body)).status).toBe(500);
    await server.sql.query('alter table hidden rename to vault_secrets');
    await expectNowhere();
  });

  describe('where they do not belong', () => {
    const toPost = (path: string, body: object, headers: Record<string, string> = {}) =>
      post(account.test, path, body, headers);
    const misplaced: { name: string; send: (secret: string) => Promise<Answer> }[] = [
      {
        name: 'as the payment method of a payment',
        send: (secret) => toPost('/v1/payments', { amount: 100, currency: 'usd', payment_method: secret }),
      },
      {
        name: 'as the payment method of a payment, under a key',
        send: (secret) =>
          toPost(
            '/v1/payments',
            { amount: 100, currency: 'usd', payment_method: secret },
            { 'Idempotency-Key': `misplaced-${answers.length}` },
          ),
      },
      {
        name: 'as the customer of a payment',
        send: (secret) =>
          toPost('/v1/payments', { amount: 100, currency: 'usd', payment_method: 'pm_x', customer: secret }),
      },
      {
        name: 'as the currency',
        send: (secret) => toPost('/v1/payments', { amount: 100, currency: secret, payment_method: 'pm_x' }),
      },
      {
        name: 'as the amount',
        send: (secret) => toPost('/v1/payments', { amount: secret, currency: 'usd', payment_method: 'pm_x' }),
      },
      {
        name: 'as a number for an amount',
        send: (secret) =>
          toPost('/v1/payments', { amount: Number(secret) || 0, currency: 'usd', payment_method: 'pm_x' }),
      },
      { name: 'as the name of a parameter', send: (secret) => toPost('/v1/payment_methods', { [secret]: 'x' }) },
      {
        name: 'as the name of a parameter of the card',
        send: (secret) => toPost('/v1/payment_methods', { type: 'card', card: { ...amexCard, [secret]: 'x' } }),
      },
      {
        name: 'as the idempotency key',
        send: (secret) => toPost('/v1/customers', { name: 'x' }, { 'Idempotency-Key': secret }),
      },
      {
        name: 'as the idempotency key, in fours',
        send: (secret) => toPost('/v1/customers', { name: 'x' }, { 'Idempotency-Key': inFours(secret, ' ') }),
      },
      {
        name: 'in the idempotency key, before an amount',
        send: (secret) => toPost('/v1/customers', { name: 'x' }, { 'Idempotency-Key': `${secret}-2000` }),
      },
      {
        name: 'in the idempotency key, in fours after a word',
        send: (secret) =>
          toPost('/v1/customers', { name: 'x' }, { 'Idempotency-Key': `order ${inFours(secret, '-')}` }),
      },
      {
        name: 'as a position in a list',
        send: (secret) => send(account.test, 'GET', `/v1/customers?starting_after=${secret}`),
      },
      { name: 'as a filter of a list', send: (secret) => send(account.test, 'GET', `/v1/payments?customer=${secret}`) },
      {
        name: 'as the customer to attach to',
        send: async (secret) => {
          const { json } = await toPost('/v1/payment_methods', { type: 'card', card: amexCard });
          return toPost(`/v1/payment_methods/${json.id}/attach`, { customer: secret });
        },
      },
      {
        name: 'as the default payment method of a customer',
        send: async (secret) => {
          const { json } = await toPost('/v1/customers', { name: 'x' });
          return toPost(`/v1/customers/${json.id}`, { default_payment_method: secret });
        },
      },
      {
        name: 'as the reason of a cancellation',
        send: (secret) => toPost('/v1/payments/py_0000000000000000000000/cancel', { reason: secret }),
      },
      {
        name: 'as a version',
        send: (secret) => toPost('/v1/customers', { name: 'x' }, { 'X-Service-Version': secret }),
      },
      {
        name: 'as a type of content',
        send: (secret) => toPost('/v1/customers', { name: 'x' }, { 'Content-Type': secret }),
      },
    ];

    test('are not stored in clear', async () => {
      // Each has its own number, so that one search distinguishes all of them.
      const forms: Form[] = [];
      for (const { name, send: place } of misplaced) {
        const number = luhn(`4556${digits(11)}`);
        forms.push(...formsOf(`the number ${name}`, number));
        for (const secret of [number, account.testKey]) await place(secret);
      }
      await expectNowhere();
      expect(tellingOf(toldSoFar(), forms)).toEqual([]);
      expect(await searchTables(forms)).toEqual({});
    });
  });

  test('are not stored in clear when the server fails', async () => {
    const { test: client } = account;
    const { sql } = server;
    await sql.query('alter table payment_methods add constraint broken check (exp_month <> 7) not valid');
    const card = { ...amexCard, exp_month: 7 };
    expect((await post(client, '/v1/payment_methods', { type: 'card', card })).status).toBe(500);
    await sql.query('alter table payment_methods drop constraint broken');
    for (const table of ['vault_cards', 'vault_cvcs', 'vault_keys']) {
      await sql.query(`alter table ${table} rename to hidden`);
      await post(
        client,
        '/v1/payment_methods',
        { type: 'card', card: amexCard },
        { 'Idempotency-Key': `hidden-${table}` },
      );
      await sql.query(`alter table hidden rename to ${table}`);
    }
    const { json } = await post(client, '/v1/payment_methods', { type: 'card', card: amexCard });
    await sql.query(`alter table attempts add constraint broken check (amount <> 777) not valid`);
    const body = { amount: 777, currency: 'usd', payment_method: json.id };
    expect((await post(client, '/v1/payments', body)).status).toBe(500);
    await sql.query('alter table attempts drop constraint broken');
    await expectNowhere();
  });

  test('were in requests of which test mode keeps copies', async () => {
    const { rows } = await server.sql.query(
      `select count(parameters)::int4 as sent, count(answer)::int4 as got,
              count(*) filter (where convert_from(parameters, 'utf8') like '%"number":"[redacted]"%')::int4 as cards
         from request_bodies`,
    );
    expect(Math.min(rows[0].sent, rows[0].got, rows[0].cards)).toBeGreaterThan(20);
  });

  test('are not on disk in clear: not in the files, the write-ahead log, or the log of PostgreSQL', async () => {
    expect(await searchDisk(secrets)).toEqual({});
  });
});
