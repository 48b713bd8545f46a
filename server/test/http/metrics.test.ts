import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { connect } from '../../base/sql.ts';
import { packageVersion } from '../../version.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { until } from '../processes/child.ts';
import { unusedPort } from '../unused_port.ts';

let server: TestServer;
let account: TestAccount;
let port: number;
const loudLines = { warn: 0, error: 0, fatal: 0 };

beforeAll(async () => {
  port = await unusedPort();
  server = await startServer({
    onePostgres: true,
    isAlone: true,
    environment: { METRICS_PORT: String(port), SIMULATOR: 'remote' },
    loudLines,
  });
  account = await server.account();
});
afterAll(() => server.stop());

const root = join(import.meta.dirname, '..', '..', '..');

function deployed(file: string): string {
  return readFileSync(join(root, 'deploy', file), 'utf8');
}

async function scrape(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** The value of a metric with these labels, as they are written; undefined without such a line. */
async function metric(name: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

describe('the metrics', () => {
  test('are all in the guide for operators, and the guide names no other', async () => {
    const text = await scrape();
    const exported = [...text.matchAll(/^# TYPE (tollgate_\w+)/gm)].map(([, name]) => name!);
    const own = exported.filter((name) => !/^tollgate_(process|nodejs)_/.test(name));
    const guide = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const table = guide.slice(guide.indexOf('## Metrics'), guide.indexOf('## Logs'));
    const described = [...table.matchAll(/^\| `(tollgate_\w+)/gm)].map(([, name]) => name!);
    expect(described.sort()).toEqual(own.sort());
  });

  test('are answered to GET and HEAD alone', async () => {
    const status = async (method: string) => (await fetch(`http://127.0.0.1:${port}/metrics`, { method })).status;
    expect(await Promise.all(['GET', 'HEAD', 'POST', 'DELETE'].map(status))).toEqual([200, 200, 404, 404]);
  });

  test('are counters exactly if their name ends in _total, as Prometheus has it', async () => {
    const types = [...(await scrape()).matchAll(/^# TYPE (tollgate_\w+) (\w+)/gm)];
    expect(types.length).toBeGreaterThan(40);
    const odd = types.filter(([, name, type]) => name!.endsWith('_total') !== (type === 'counter'));
    expect(odd.map(([line]) => line)).toEqual([]);
    expect(await scrape()).toMatch(/^tollgate_nodejs_active_handles\{type="\w+"\} /m);
  });

  test('are those that the dashboard and the alerts in deploy/ name', async () => {
    const text = await scrape();
    const exported = new Set([...text.matchAll(/^# TYPE (tollgate_\w+)/gm)].map(([, name]) => name!));
    for (const file of ['dashboard.json', 'alerts.yaml']) {
      const named = [...deployed(file).matchAll(/\btollgate_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
      expect(named.length).toBeGreaterThan(15);
      expect(
        named.filter((name) => !exported.has(name)),
        file,
      ).toEqual([]);
    }
    const own = [...exported].filter((name) => !/^tollgate_(process|nodejs)_/.test(name));
    expect(own.filter((name) => !deployed('dashboard.json').includes(name))).toEqual([]);
  });

  test('have the alerts in deploy/ that the guide for operators lists', () => {
    const guide = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
    const tables = guide.slice(guide.indexOf('## What to alert on'), guide.indexOf('## Logs'));
    const listed = [...tables.matchAll(/^\| ([^|]+) \| /gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'alert');
    const rules = [...deployed('alerts.yaml').matchAll(/summary: '?(.*?)'?$/gm)].map(([, name]) => name!);
    expect(rules).toEqual(listed);
  });

  test('name the version, and when the certificate expires', async () => {
    expect(await metric(`tollgate_build_info{version="${packageVersion}",node="${process.version}"}`)).toBe(1);
    expect(await metric('tollgate_certificate_expiry_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000);
  });

  test('count health checks apart from requests, which the log does too', async () => {
    server.logged.length = 0;
    await server.anonymous.get('/healthz');
    await server.anonymous.get('/readyz');
    await server.anonymous.get('/version');
    expect(await metric('tollgate_probes_total{path="/healthz",status="200"}')).toBe(1);
    expect(await metric('tollgate_probes_total{path="/readyz",status="200"}')).toBe(1);
    expect(await metric('tollgate_requests_total{operation="none",status="200"}')).toBe(1);
    const lines = server.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(lines.map(({ level, path }) => [level, path])).toEqual([
      ['debug', '/healthz'],
      ['debug', '/readyz'],
      ['info', '/version'],
    ]);
  });

  test('show the connections of each pool, and lines logged as warnings and errors', async () => {
    const busy = async () => (await metric('tollgate_database_connections{pool="reads",state="busy"}')) ?? 0;
    await server.sql.query('begin; lock table customers in access exclusive mode');
    const stuck = [
      account.test.get('/v1/customers'),
      account.test.get('/v1/customers?ending_before=cus_0000000000000000000001'),
    ];
    await until('two reads are busy', 60_000, async () => (await busy()) >= 2);
    await server.sql.query('rollback');
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual([200, 200]);
    await until('they are done', 60_000, async () => (await busy()) === 0);
    expect(await metric('tollgate_database_connections{pool="durable",state="waiting"}')).toBeDefined();
    loudLines.error += 2;
    expect(await metric('tollgate_log_lines_total{level="error"}')).toBe(2);
    expect(await metric('tollgate_log_lines_total{level="warn"}')).toBe(0);
  });

  test('show calls whose outcome is unknown, and since when', async () => {
    const unknown = 'tollgate_unknown_outcomes{kind="payment"}';
    const oldest = 'tollgate_unknown_outcome_oldest_seconds{kind="payment"}';
    expect([await metric(unknown), await metric(oldest)]).toEqual([0, 0]);
    const card = { number: '4000000000000408', exp_month: 12, exp_year: 2040 };
    const method = await account.test.post('/v1/payment_methods', { type: 'card', card });
    const body = { amount: 2000, currency: 'usd', payment_method: method.json.id };
    const { json: payment } = await account.test.post('/v1/payments', body);
    expect(payment.status).toBe('processing');
    expect(await metric(unknown)).toBe(0); // the deadline of the call has not passed
    await server.sql.query(`update payments set due_at = now() + interval '1 hour' where id = $1`, [payment.id]);
    await server.sql.query(`update attempts set deadline_at = now() - interval '100 s' where payment = $1`, [
      payment.id,
    ]);
    expect(await metric(unknown)).toBe(1);
    expect(await metric(oldest)).toBeGreaterThanOrEqual(100);
    expect(await metric('tollgate_unknown_outcomes{kind="refund"}')).toBe(0);
    await server.sql.query('update payments set due_at = now() where id = $1', [payment.id]);
    await until('the payment is settled', 60_000, async () => (await metric(unknown)) === 0);
  });

  test('count the calls to each processor, by verb and outcome, and their durations', async () => {
    const labels = 'connector="simulator",processor_account="",verb="authorize"';
    const calls = (outcome: string) => metric(`tollgate_processor_calls_total{${labels},outcome="${outcome}"}`);
    const times = () => metric(`tollgate_processor_call_seconds_count{${labels}}`);
    const [approved = 0, unknown = 0, timed = 0] = [await calls('approved'), await calls('unknown'), await times()];
    await server.sql.query(`insert into simulator_faults (kind) values ('malformed')`);
    for (let again = 0; again < 2; again++) {
      const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
      const method = await account.test.post('/v1/payment_methods', { type: 'card', card });
      await account.test.post('/v1/payments', { amount: 2000, currency: 'usd', payment_method: method.json.id });
    }
    expect([await calls('approved'), await calls('unknown'), await times()]).toEqual([
      approved + 1,
      unknown + 1,
      timed + 2,
    ]);
  });

  test('count what becomes of payments, by mode', async () => {
    const before = (await metric('tollgate_events_total{type="payment.failed",mode="test"}')) ?? 0;
    const card = { number: '4000000000000002', exp_month: 12, exp_year: 2040 };
    const method = await account.test.post('/v1/payment_methods', { type: 'card', card });
    const body = { amount: 2000, currency: 'usd', payment_method: method.json.id };
    expect((await account.test.post('/v1/payments', body)).status).toBe(402);
    expect(await metric('tollgate_events_total{type="payment.failed",mode="test"}')).toBe(before + 1);
    expect(await metric('tollgate_events_total{type="payment.failed",mode="live"}')).toBeUndefined();
  });

  test('show postings that wait to be sealed', async () => {
    await until(
      'all postings are sealed',
      60_000,
      async () => (await metric('tollgate_ledger_unsealed_seconds')) === 0,
    );
  });

  test('show how large the database and its tables are, a partitioned one as a whole', async () => {
    const { sql } = server;
    const size = async (of: string) => Number((await sql.query(`select ${of}::float8 as bytes`)).rows[0].bytes);
    const partitions = `(select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'requests'::regclass)`;
    const sizes = [
      ['tollgate_table_bytes{table="payments"}', `pg_total_relation_size('payments')`],
      ['tollgate_table_bytes{table="requests"}', partitions],
      ['tollgate_database_bytes', 'pg_database_size(current_database())'],
    ] as const;
    // The server's loops write meanwhile: a comparison counts if nothing grew during it.
    for (const [name, of] of sizes)
      await until(`${name} is the size of ${of}`, 60_000, async () => {
        const before = await size(of);
        const shown = await metric(name);
        return shown === before && before === (await size(of));
      });
  });

  test('show that the database is down, and no number that depends on it', async () => {
    expect([await metric('tollgate_database_up'), await metric('tollgate_ready')]).toEqual([1, 1]);
    const other = await connect({ connectionString: server.databaseUrl.replace(/\/test_\w+\?/, '/postgres?') }, 'test');
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const set = (allowed: boolean) => other.query(`alter database ${name} allow_connections ${allowed}`);
    await set(false);
    const backends = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> $2`;
    await other.query(backends, [name, 'tollgate test']);
    await until('it is down', 60_000, async () => (await metric('tollgate_database_up')) === 0);
    await until('it is not ready', 60_000, async () => (await metric('tollgate_ready')) === 0);
    expect(await metric('tollgate_ledger_unsealed_seconds')).toBeUndefined();
    expect(await metric('tollgate_database_bytes')).toBeUndefined();
    expect(await metric('tollgate_table_bytes{table="payments"}')).toBeUndefined();
    expect(await metric('tollgate_unknown_outcomes{kind="payment"}')).toBeUndefined();
    await set(true);
    await until('it is up again', 60_000, async () => (await metric('tollgate_database_up')) === 1);
    await until('it is ready again', 60_000, async () => (await metric('tollgate_ready')) === 1);
    await other.end();
  });
});

test('the metrics show what waits: webhooks, mails, postings, and what only a person can settle', async () => {
  const names = [
    'tollgate_webhooks_due',
    'tollgate_mails_failing',
    ...['payment', 'refund', 'dispute'].map((kind) => `tollgate_needs_person{kind="${kind}"}`),
  ];
  const oldest = ['webhooks_due_oldest', 'mails_due_oldest', 'ledger_unsealed'].map(
    (what) => `tollgate_${what}_seconds`,
  );
  const values = () => Promise.all([...names, ...oldest].map(metric));
  await server.gateway.worker.stop(); // it would see to all of it
  expect(await values()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  await addWaiting();
  const [webhooks, mails, payments, refunds, disputes, ...ages] = await values();
  expect([webhooks, mails, payments, refunds, disputes]).toEqual([2, 3, 1, 2, 3]);
  for (const seconds of ages) {
    expect(seconds).toBeGreaterThanOrEqual(100);
    expect(seconds).toBeLessThan(1_000);
  }
});

/**
 * Two webhooks that are due, of which one for 100 s; three mails that wait for another attempt, of which one is due for as long; a posting
 * that has waited for as long; objects that wait for a person.
 */
async function addWaiting(): Promise<void> {
  const idBefore = (prefix: string) => newId(prefix, Date.now() - 100_000);
  const { sql } = server;
  await sql.query(
    `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
     select 1, 'whd_' || n, 1, 'evt_x', 'we_x', 'pending', 0, now() - make_interval(secs => x.age)
       from unnest($1::int4[]) with ordinality as x (age, n)`,
    [[0, 100, -100]],
  );
  await sql.query(
    `insert into mails (tenant, id, version, kind, cause, status, subject, language, attempts, due_at)
     select 1, 'mail_' || n, 1, 'receipt', n::text, 'queued', 'x', 'en', x.attempts, now() - make_interval(secs => x.age)
       from unnest($1::int4[], $2::int4[]) with ordinality as x (age, attempts, n)`,
    [
      [0, 100, -100],
      [0, 1, 2],
    ],
  );
  await sql.query(
    `insert into person_mails (tenant, id, version, kind, cause, address, status, message, attempts, due_at)
     values (1, 'mail_1', 1, 'invitation', 'inv_1', 'x', 'queued', '', 3, now() + interval '1 hour')`,
  );
  await sql.query(
    `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on, position)
     select 1, $1, 'payment', 'processor', 'balance', 1, 'eur', $1, $1, current_date, sealed_to from ledger_sealer`,
    [idBefore('txn')],
  );
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     values (1, $1, 1, 1, 0, 'eur', 'pm_x', 'processing', 1, now())`,
    [idBefore('py')],
  );
  await sql.query(
    `insert into refunds (tenant, id, version, payment, amount, currency, status, attempt, inquiries, flagged_at)
     select 1, 're_' || n, 1, 'py_x', 1, 'eur', 'pending', 'att_x', 1, now() from generate_series(1, 2) n`,
  );
  await sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
            connector, reference, inquiries, flagged_at)
     select 1, 'dp_' || n, 1, 'py_x', 1, 'usd', 'general', 'under_review', '{}', now(), 0, 'simulator', n::text, 0, now()
       from generate_series(1, 3) n`,
  );
}

test('the health check of the container image asks the server for itself', async () => {
  const check = (...args: string[]) =>
    new Promise<number>((resolve) => {
      const child = execFile(process.execPath, [join(root, 'deploy', 'healthcheck.mjs'), ...args]);
      child.once('exit', (code) => resolve(code ?? -1));
    });
  const serving = String(server.gateway.port);
  expect(await Promise.all([check('direct', serving), check('direct', String(port)), check('proxy', serving)])).toEqual(
    [0, 1, 0],
  );
});
