import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../test/harness.ts';

const bad = 100;
const events = 100;
const p99Ms = 1_000;

let server: TestServer;
let account: TestAccount;
const closers: (() => void)[] = [];

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
});
afterAll(async () => {
  for (const close of closers) close(); // first: what hangs would hold up the stop
  await server.stop();
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const receiver = createServer(answer);
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  closers.push(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}

async function endpoint(url: string): Promise<string> {
  const made = await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
  expect(made.json.error).toBeUndefined();
  return made.json.id;
}

test('100 receivers that hang, 100 events: the healthy one has its first attempts within a second', async () => {
  // One origin of its own for every second, the others share one: neither must hold up anybody else.
  let hanging = 0;
  const hang = () => void hanging++;
  const shared = await listen(hang);
  for (let at = 0; at < bad; at++) await endpoint(at % 2 === 0 ? `${await listen(hang)}/hook` : `${shared}/hook/${at}`);
  const arrived = new Map<string, number>();
  const healthy = await listen((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id } = JSON.parse(body).data.object;
      if (!arrived.has(id)) arrived.set(id, performance.now());
      response.writeHead(200).end();
    });
  });
  const good = await endpoint(`${healthy}/hook`);

  const committed = new Map<string, number>();
  for (let at = 0; at < events; at++) {
    const { id } = (await account.test.post('/v1/customers', { name: `Ada ${at}` })).json;
    committed.set(id, performance.now());
    if (at % 10 === 9) await expect.poll(() => arrived.size, { interval: 2, timeout: 5_000 }).toBe(at + 1);
  }
  await expect.poll(() => arrived.size, { timeout: 5_000 }).toBe(events);
  const delays = [...committed].map(([id, at]) => arrived.get(id)! - at).sort((a, b) => a - b);
  const [p50, p99] = [delays[Math.floor(events * 0.5)]!, delays[Math.ceil(events * 0.99) - 1]!];
  console.log(
    `measured: beside ${bad} that hang (${hanging} requests): p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
  expect(p99).toBeLessThan(p99Ms);
  expect(hanging).toBeGreaterThanOrEqual(bad); // otherwise nothing was put to the test
  const { rows } = await server.sql.query(
    `select endpoint = $1 as good, state, count(*)::int as count from deliveries group by 1, 2 order by 1`,
    [good],
  );
  expect(rows.filter((row) => !row.good)).toEqual([{ good: false, state: 'pending', count: bad * events }]);
});
