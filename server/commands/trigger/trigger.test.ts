import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { catalog } from '../../catalog.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { ApiClient } from '../api/client.ts';
import { connectCommands, say } from '../cli.fixture.ts';
import { cause } from './index.ts';
import { recipes } from './recipes.ts';

let server: TestServer;
let account: TestAccount;
let client: ApiClient;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  client = new ApiClient({ base: server.baseUrl, key: account.testKey, ca: server.ca });
  connectCommands(server, account);
});
afterAll(async () => {
  client.close();
  vi.unstubAllEnvs();
  await server.stop();
});

const types = [...catalog.eventTypes].sort();

test('there is a recipe for every type of event', () => {
  expect(Object.keys(recipes).sort()).toEqual(types);
});

test('each causes its event, by requests that it tells', async () => {
  const one = async (type: string) => {
    const told: string[] = [];
    const event = await cause(type, client, (line) => told.push(line));
    expect(event).toMatchObject({ object: 'event', type });
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toMatch(/^(POST|DELETE) \/(v1\/\S+|pay\/…)( {2}[\w.]+){1,2}$/);
  };
  const waiting = Object.keys(recipes);
  const worker = async () => {
    for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) await one(type);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  // Endpoints would get every later event of the account.
  expect((await account.test.get('/v1/webhook_endpoints')).json.data).toEqual([]);
});

test('the command prints what it did, and the event', async () => {
  const { code, stdout } = await say('trigger', 'payment.failed');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^ {2}POST \/v1\/payment_methods {2}pm_\w{22}$/),
    expect.stringMatching(/^ {2}POST \/v1\/payments {2}py_\w{22} {2}card_declined$/),
    expect.stringMatching(/^payment\.failed {2}evt_\w{22}$/),
    '',
  ]);
  expect((await say('trigger')).stdout.trim().split('\n').sort()).toEqual(types);
  expect(await say('trigger', 'payment.faild')).toMatchObject({
    code: 2,
    stderr: 'There is no such type of event (is payment.failed meant?); "tollgate trigger" lists them all.\n',
  });
});
