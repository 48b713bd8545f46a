import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { findRunningPostgres } from '../server/base/embedded_postgres/index.ts';
import { newId } from '../server/base/id.ts';
import { type Connection, connect } from '../server/base/sql.ts';

const rowsPerStep = 10_000;

/** Connects to the PostgreSQL that a gateway with this data directory has started. */
export async function openDatabase(dataDir: string): Promise<Connection> {
  return connect((await findRunningPostgres(dataDir))!, 'bench');
}

/** Creates cards to charge over the API; returns the file with their ids. */
export function createPaymentMethods(dataDir: string, port: number, key: string, count: number): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = { type: 'card', card };
  return createMany(dataDir, {
    port,
    key,
    name: 'methods',
    path: '/v1/payment_methods',
    count,
    parametersAt: () => method,
  });
}

/** Pays with each of these cards; returns the file with the ids of the payments. */
export function createPayments(dataDir: string, port: number, key: string, methods: string): Promise<string> {
  const ids = readFileSync(methods, 'utf8').trim().split('\n');
  const parametersAt = (at: number) => ({ amount: 2_000, currency: 'eur', payment_method: ids[at] });
  return createMany(dataDir, { port, key, name: 'payments', path: '/v1/payments', count: ids.length, parametersAt });
}

/** Creates checkout sessions of one line; returns the paths of their pages. */
export async function createSessions(dataDir: string, port: number, key: string, count: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
  const sold = { line_items: [{ name: 'Teapot', unit_amount: 2_000, currency: 'eur' }] };
  const paths: string[] = [];
  while (paths.length < count) {
    const { url } = await createObject<{ url: string }>(agent, port, key, '/v1/checkout_sessions', sold);
    paths.push(new URL(url).pathname);
  }
  agent.destroy();
  return paths;
}

type Many = {
  port: number;
  key: string;
  name: string;
  path: string;
  count: number;
  parametersAt: (at: number) => object;
};

async function createMany(dataDir: string, { port, key, name, path, count, parametersAt }: Many): Promise<string> {
  const ca = readFileSync(join(dataDir, 'tls', 'ca.pem'));
  const agent = new Agent({ keepAlive: true, ca });
  const file = join(dataDir, `${name}-${key.slice(-6)}`);
  const ids: string[] = [];
  while (ids.length < count) ids.push(await create(agent, port, key, path, parametersAt(ids.length)));
  agent.destroy();
  writeFileSync(file, `${ids.join('\n')}\n`);
  return file;
}

/** Creates an object over the API; returns its id. */
export async function create(agent: Agent, port: number, key: string, path: string, parameters: object) {
  return (await createObject<{ id: string }>(agent, port, key, path, parameters)).id;
}

function createObject<Shape>(
  agent: Agent,
  port: number,
  key: string,
  path: string,
  parameters: object,
): Promise<Shape> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request({ agent, port, host: 'localhost', path, method: 'POST', headers }, async (answer) => {
      const text = await answer.setEncoding('utf8').reduce((all: string, chunk: string) => all + chunk, '');
      if (answer.statusCode === 200) resolve(JSON.parse(text));
      else reject(new Error(`POST ${path} was refused: ${text}`));
    });
    call.on('error', reject);
    call.end(JSON.stringify(parameters));
  });
}

/** Inserts payments of the past month, each with its attempt, its event and its entry in the simulator's ledger. */
export async function fillPayments(sql: Connection, account: string, count: number): Promise<void> {
  const found = await sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [account]);
  const { tenant } = found.rows[0];
  const start = Date.now() - 30 * 86_400_000;
  const entries = await entriesTable(sql);
  for (let done = 0; done < count; done += rowsPerStep) {
    const rows = Math.min(rowsPerStep, count - done);
    const times = Array.from({ length: rows }, (_, at) => start + Math.floor(((done + at) / count) * 29 * 86_400_000));
    const ids = (prefix: string) => times.map((time) => newId(prefix, time));
    await sql.query(insertPayments(entries), [tenant, ids('py'), ids('att'), ids('evt'), newId('pm', start)]);
  }
  await sql.query(`vacuum analyze payments, attempts, events, ${entries}`);
  await sql.query('checkpoint');
}

/** Versions to compare with may have it in a schema of its own. */
async function entriesTable(sql: Connection): Promise<string> {
  const text = `select coalesce(to_regclass('simulator_entries'), to_regclass('simulator.entries'))::text as name`;
  return (await sql.query<{ name: string }>(text)).rows[0]!.name;
}

const insertPayments = (entries: string) => `
  with source as materialized (
    select * from unnest($2::text[], $3::text[], $4::text[]) as x (payment, attempt, event)),
  made as (
    insert into payments (tenant, id, version, amount, amount_received, currency, description, payment_method, status,
                          authorization_attempt, inquiries)
    select $1, payment, 1, 2000, 2000, 'eur', 'An order of the past', $5, 'succeeded', attempt, 0 from source),
  tried as (
    insert into attempts (tenant, id, version, payment, verb, state, amount, connector, deadline_at, reference, exchange)
    select $1, attempt, 1, payment, 'authorize', 'approved', 2000, 'simulator', now(), 'sim_' || attempt, '{}' from source),
  charged as (
    insert into ${entries} (tenant, attempt, authorization_attempt, verb, payment, amount, currency, result, last4,
                                   reference, sequence, captures, at)
    select $1, attempt, attempt, 'authorize', payment, 2000, 'eur', 'approved', '4242', 'sim_' || attempt, 0, true, now() from source)
  insert into events (tenant, id, type, object_id, object_version, payload)
  select $1, event, 'payment.succeeded', payment, 1, convert_to('{"id":"' || event || '","object":"event"}', 'UTF8') from source`;
