import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fastest } from '../../../../test/fastest.ts';
import { startServer, type TestAccount, type TestServer } from '../../../../test/harness.ts';
import { shareOf, shareOfCases } from '../../../../test/torture.ts';

const accountsOfBad = 4;
const badPerAccount = shareOf(25, 5);
const bad = accountsOfBad * badPerAccount;
const events = shareOf(100, 50);
const p99Ms = 1_000;
const patience = { interval: 2 };

let server: TestServer;
const closers: (() => void)[] = [];

beforeEach(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
});
afterEach(async () => {
  for (const close of closers.splice(0)) close(); // first: what hangs would hold up the stop
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

async function endpoint(account: TestAccount, url: string): Promise<string> {
  const made = await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
  expect(made.json.error).toBeUndefined();
  return made.json.id;
}

const ok = (response: ServerResponse) => void response.writeHead(200).end();

/** Each of these is a way to be slow that ends with the deadline alone. */
const hangs: { name: string; quickAnswers: number; hang: (response: ServerResponse) => void }[] = [
  { name: 'never answer', quickAnswers: 0, hang: () => {} },
  { name: 'answered well, and then no more', quickAnswers: 3, hang: () => {} },
  {
    name: 'begin an answer and do not end it',
    quickAnswers: 0,
    hang: (response) => void response.writeHead(200).write('x'),
  },
];

test.each(shareOfCases(hangs, 1))(
  `beside ${bad} receivers that $name, a healthy one has its first attempts within a second`,
  async (how) => {
    const accounts: TestAccount[] = [];
    for (let at = 0; at < accountsOfBad; at++) accounts.push(await server.account());
    let hanging = 0;
    const badly = () => {
      let answers = 0;
      return (_: IncomingMessage, response: ServerResponse) => {
        if (++answers <= how.quickAnswers) return ok(response);
        hanging++;
        how.hang(response);
      };
    };
    // Every second has its own origin, the others share one: neither must delay anybody else.
    const shared = await listen(badly());
    for (const account of accounts)
      for (let at = 0; at < badPerAccount; at++)
        await endpoint(account, at % 2 === 0 ? `${await listen(badly())}/hook` : `${shared}/hook/${at}`);

    const arrived = new Map<string, number>();
    const healthy = await listen((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { id } = JSON.parse(body).data.object;
        if (!arrived.has(id)) arrived.set(id, performance.now());
        ok(response);
      });
    });
    const account = await server.account();
    await endpoint(account, `${healthy}/hook`);

    const round = async () => {
      const committed = new Map<string, number>();
      for (let at = 0; at < events; at++) {
        await Promise.all(accounts.map((one) => one.test.post('/v1/customers', { name: `Bob ${at}` })));
        const { id } = (await account.test.post('/v1/customers', { name: `Ada ${at}` })).json;
        committed.set(id, performance.now());
        if (at % 10 === 9)
          await expect.poll(() => [...committed.keys()].every((one) => arrived.has(one)), patience).toBe(true);
      }
      return [...committed].map(([id, at]) => arrived.get(id)! - at).sort((a, b) => a - b);
    };
    const least = await fastest(p99Ms, async () => {
      const delays = await round();
      const [p50, p99] = [delays[events / 2]!, delays[Math.ceil(events * 0.99) - 1]!];
      console.log(
        `measured: beside ${bad} that ${how.name} (${hanging} requests): p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      );
      return p99;
    });
    expect(least).toBeLessThan(p99Ms);
    expect(hanging).toBeGreaterThanOrEqual(bad / 2); // otherwise nothing was put to the test
  },
);
