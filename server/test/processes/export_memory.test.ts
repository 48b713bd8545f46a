import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorPatience } from '../../base/patient_client.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { addManyPostings } from '../../resources/payments/balance/postings.fixture.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, testMs, until } from './child.ts';
import { Children, type Running } from './children.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

const shown = 1_000_000;
const postings = Math.floor((shown * 200) / 199); // each two-hundredth only settles a refund, which does not touch the balance
const warmBytes = 40_000_000;
const growthMaxMb = 60; // a server that kept the sent rows would grow by twice that
const path = '/v1/balance/transactions';

const children = new Children();
let drop: () => Promise<void>;
let sql: Connection;
let server: Running;
let key: string;

beforeAll(async () => {
  if (!isTorture) return;
  const database = await createDatabase();
  drop = database.drop;
  const environment = children.serveEnvironment({ DATABASE_URL: database.url });
  const account = await children.account(environment);
  key = account.test_secret_key;
  sql = await connect(database.address, 'test', operatorPatience); // a million rows in one statement
  const { rows } = await sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.account,
  ]);
  await addManyPostings(sql, rows[0].tenant, postings);
  server = await children.serve(environment, []);
});
afterAll(async () => {
  if (!isTorture) return;
  await sql.end();
  await children.cleanUp();
  await drop();
});

function residentMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))![1]) / 1_024;
}

/** An export of which nothing has been read yet. */
async function begin(query = ''): Promise<IncomingMessage> {
  const headers = { Accept: 'text/csv', Authorization: `Bearer ${key}` };
  const request = https.get(`${server.baseUrl}${path}${query}`, { headers, agent: false, ca: server.ca });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

// In every run, http/answering/streams.test.ts tests that a stream waits for its client.
test.runIf(isTorture)(
  'an export takes no memory, however many transactions it has, and clients that stop reading or disconnect do no harm',
  async () => {
    const leaving = await begin(); // this one leaves in the middle
    await once(leaving, 'data');
    leaving.destroy();
    const idle = await begin(); // this one never reads

    const began = performance.now();
    let [lines, bytes, nextLook, before, most] = [0, 0, 0, 0, 0];
    let last = '';
    for await (const chunk of (await begin()) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
      bytes += chunk.length;
      if (bytes > nextLook) {
        most = Math.max(most, residentMb());
        // Until then Node compiles hot code, and its heap grows to its working size.
        if (bytes < warmBytes) before = most;
        nextLook += 1_000_000;
      }
      last = chunk.toString('latin1').slice(-200);
    }
    const seconds = (performance.now() - began) / 1_000;
    console.log(
      `measured: ${before.toFixed(0)} MB after ${warmBytes / 1e6} MB were sent, ${most.toFixed(0)} MB at most, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
    );
    expect(lines).toBe(1 + shown);
    expect(last).toMatch(/\r\ntxn_0{21}1,.*\r\n$/);
    expect(most - before).toBeLessThan(growthMaxMb);

    // The disconnected export has ended; the idle one is still open, and holds no database connection.
    const over = () =>
      server.child.stdout.split('\n').filter((line) => line.includes('balance.list_transactions')).length;
    await until('the exports are logged', patienceMs, () => over() === 2);
    // Queries of the worker end in a moment; a query of the idle export would stay.
    await until('no transaction is open', patienceMs, async () => {
      const { rows } = await sql.query(
        `select 1 from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
      );
      return rows.length === 0;
    });
    expect(idle.complete).toBe(false);
    expect((await server.client(key).get(`${path}?limit=1`)).status).toBe(200);
    idle.destroy();
    await until('the last one is logged', patienceMs, () => over() === 4);
    expect(await server.child.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);
