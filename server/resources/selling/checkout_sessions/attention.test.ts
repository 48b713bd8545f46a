import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout } from './checkout.fixture.ts';

let server: TestServer;
let shop: TestAccount;
let checkout: Checkout;
let owner: Client;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  checkout = new Checkout(server, shop);
  owner = (await server.person(shop.id, 'owner')).client;
});
afterAll(() => server.stop());

/** late.test.ts has payments that come after the expiry. */
async function paidLate(parameters: object = {}): Promise<string> {
  const made = await checkout.create(parameters);
  await checkout.pay(made);
  await server.sql.query('update checkout_sessions set late = true where id = $1', [made.id]);
  return made.id;
}

const kind = 'late_checkout_session';
const waiting = async (client: Client = owner) =>
  (await client.get(`/v1/needs_attention?kind=${kind}`)).json.data.map(({ id }: { id: string }) => id);
const review = (id: string, client: Client = shop.test) => client.post(`/v1/checkout_sessions/${id}/review`, {});

test('what was paid after its expiry needs attention until it is reviewed, the oldest first', async () => {
  const [first, second] = [await paidLate(), await paidLate()];
  const setup = await paidLate({ amount: null, currency: null, mode: 'setup' });
  await checkout.pay(await checkout.create());
  const { data } = (await owner.get(`/v1/needs_attention?kind=${kind}`)).json;
  const { completed_at, payment } = await checkout.get(first);
  expect(data.map(({ id }: { id: string }) => id)).toEqual([first, second, setup]);
  expect(data[0]).toEqual({
    ...{ id: first, object: 'checkout_session', kind, since: completed_at, amount: 2_000, currency: 'eur' },
    reason: 'A checkout session was paid after it had expired.',
    action: 'Deliver what was paid for, or refund the payment. Then mark the session as reviewed.',
    operation: 'checkout_sessions.review',
  });
  expect(data[2]).not.toHaveProperty('amount');
  expect(data[2].reason).toBe('A payment method was saved after the checkout session had expired.');

  // A refund does not say that everything is settled: a person does.
  await shop.test.post('/v1/refunds', { payment });
  expect(await waiting()).toContain(first);
  const { status, json } = await review(first);
  expect([status, json.late, json.reviewed_at >= completed_at]).toEqual([200, true, true]);
  expect(await waiting()).toEqual([second, setup]);
  expect((await review(first)).json).toEqual(json);
  expect(await checkout.get(first)).toEqual(json);
  expect(await checkout.events(first)).toEqual(['created', 'completed']);
});

test('is seen and reviewed by those whose role handles payments, and by keys that may write sessions', async () => {
  const id = await paidLate();
  for (const role of ['finance', 'viewer'] as const) {
    const { client } = await server.person(shop.id, role);
    expect(await waiting(client)).toEqual([]);
    expect((await review(id, client)).json.error.code).toBe('role_missing');
  }
  const support = (await server.person(shop.id, 'support')).client;
  expect(await waiting(support)).toContain(id);
  const reader = (await server.key(shop.id, { scopes: ['checkout_sessions:read'] })).client;
  expect((await review(id, reader)).json.error.code).toBe('scope_missing');
  expect((await review(id, support)).json.reviewed_at).toBeTypeOf('number');
  expect(await waiting(support)).not.toContain(id);
  const actions = (await owner.get('/v1/audit_log?limit=10')).json.data;
  expect(JSON.stringify(actions)).toContain(id);
});

test.each(['open', 'paid in time', 'expired'])('a session that is %s cannot be reviewed', async (how) => {
  const made = await checkout.create();
  if (how === 'paid in time') await checkout.pay(made);
  if (how === 'expired') await shop.test.post(`/v1/checkout_sessions/${made.id}/expire`, {});
  const { status, json } = await review(made.id);
  expect([status, json.error.code, json.error.param]).toEqual([400, 'parameter_invalid', 'id']);
});

test('a session of another account is not found', async () => {
  const stranger = await server.account();
  expect((await review(await paidLate(), stranger.test)).json.error.code).toBe('resource_missing');
});
