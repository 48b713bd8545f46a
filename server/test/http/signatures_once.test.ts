import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { operations } from '../../catalog.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import type { Answer } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import {
  bodyFor,
  connectorsWithAccounts,
  customerOf,
  makeFor,
  makers,
  methodOf,
  paymentOf,
  resourceOf,
} from './objects.ts';
import { expectRefusal, unusedId } from './support.ts';

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({
    connectors: connectorsWithAccounts,
    clock,
    environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' },
  });
  account = await server.account();
});
afterAll(() => server.stop());

/** A request that is signed once, with a timestamp that no other has, and can be sent any number of times. */
function signed(method: string, target: string, body: object = {}): () => Promise<Answer> {
  clock.advance(1_000);
  const timestamp = Math.floor(clock.now() / 1_000);
  const text = method === 'DELETE' ? '' : JSON.stringify(body);
  const digest = createHash('sha256').update(text).digest('hex');
  const lines = [timestamp, method, target, '', digest].join('\n');
  const headers = {
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': `sha256=${createHmac('sha256', account.testKey).update(lines).digest('hex')}`,
    ...(text === '' ? {} : { 'Content-Type': 'application/json' }),
  };
  return () => account.test.request(method, target, { headers, ...(text === '' ? {} : { body: text }) });
}

/** Sends a signed request, and again: whatever the first was answered, the second is refused. */
async function sendTwice(send: () => Promise<Answer>): Promise<Answer> {
  const first = await send();
  expectRefusal(await send(), 'signature_replayed', 'X-Service-Signature');
  return first;
}

const serves = ({ callers = ['key'] }: AnyOperation) => callers.includes('key');
const changes = operations.filter((operation) => operation.method !== 'GET' && serves(operation));

describe.each(changes.map((operation) => [operation.name, operation] as const))(
  'a signature of %s',
  (name, operation) => {
    const { method, route } = operation;
    test('is used up by the first request, and by a second one that finds nothing left to do', async () => {
      const id = route.includes(':id') ? await makeFor(operation, account.test, server) : '';
      const target = `/v1${route.replace(':id', id)}`;
      const body = await bodyFor(name, account.test);
      const first = await sendTwice(signed(method, target, body));
      expect(first.json.error?.code).toBeUndefined();
      await sendTwice(signed(method, target, body));
    });

    test.runIf(route.includes(':id'))('is used up when the object does not exist', async () => {
      const target = `/v1${route.replace(':id', unusedId(makers[resourceOf(route)]!.prefix))}`;
      const first = await sendTwice(signed(method, target, await bodyFor(name, account.test)));
      expectRefusal(first, 'resource_missing', 'id');
    });
  },
);

describe('a copy of a signed request that had nothing to do', () => {
  test('does not undo a later change', async () => {
    const target = `/v1/customers/${await customerOf(account.test)}`;
    await account.test.post(target, { name: 'a' });
    const send = signed('POST', target, { name: 'a' });
    expect((await send()).status).toBe(200);
    await account.test.post(target, { name: 'b' });
    expectRefusal(await send(), 'signature_replayed', 'X-Service-Signature');
    expect((await account.test.get(target)).json.name).toBe('b');
  });

  test('does not refund a payment that has been captured since it was refused', async () => {
    const payment = await paymentOf(account.test);
    const send = signed('POST', '/v1/refunds', { payment });
    expectRefusal(await send(), 'payment_not_refundable', 'payment');
    await account.test.post(`/v1/payments/${payment}/capture`);
    expectRefusal(await send(), 'signature_replayed', 'X-Service-Signature');
    expect((await account.test.get(`/v1/refunds?payment=${payment}`)).json.data).toEqual([]);
  });

  test('has no effect when many copies arrive together', async () => {
    const customer = await customerOf(account.test);
    const target = `/v1/payment_methods/${await methodOf(account.test, { customer })}/attach`;
    const send = signed('POST', target, { customer });
    const statuses = (await Promise.all(Array.from({ length: 10 }, send))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(401)]);
  });
});
