import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessorAccountId } from '../../connectors/contract.ts';
import { isPublic } from '../../connectors/stripe/endpoints.ts';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

/** What `verify` registers at Stripe, and what deleting an account takes back. */

const publicUrl = 'https://pay.example.com';
let shop: StripeShop;
let fake: FakeStripe;

beforeAll(async () => {
  shop = await openStripeShop({ environment: { PUBLIC_URL: publicUrl } });
  fake = await shop.stripe();
});
afterAll(() => shop.stop());
afterEach(() => fake.faults.clear());

/** A processor account without a webhook secret. */
async function account(more: object = {}): Promise<ProcessorAccountId> {
  const credentials = { secret_key: fake.secretKey, webhook_secret: undefined, ...more };
  return (await shop.processor(fake, { credentials })) as ProcessorAccountId;
}

async function verify(id: string): Promise<string> {
  const { status, json } = await shop.account.test.post(`/v1/processor_accounts/${id}/verify`);
  expect([status, json.ok]).toEqual([200, true]);
  return json.message;
}

const endpointsOf = (id: string) => fake.webhooks.all().filter(({ url }) => url === `${publicUrl}/processors/${id}`);
const update = (id: string, body: object) => shop.account.test.post(`/v1/processor_accounts/${id}`, body);

/** Whether a notice that this endpoint signs is accepted. */
async function isHeard(id: string, endpoint = endpointsOf(id)[0]!): Promise<boolean> {
  const body = JSON.stringify({ id: `evt_${Math.random().toString(36).slice(2)}`, object: 'event' });
  const { status } = await shop.server.anonymous.post(
    `/processors/${id}`,
    body,
    fake.webhooks.signature(endpoint.id, body),
  );
  return status === 200;
}

test('an account without a webhook secret gets an endpoint, once, and its notices are accepted', async () => {
  const id = await account();
  expect(await verify(id)).toContain(`Stripe sends its notices to ${publicUrl}/processors/${id} from now on.`);
  const [endpoint] = endpointsOf(id);
  expect(endpoint).toMatchObject({
    ...{ api_version: '2026-10-28.endive', metadata: { tollgate_account: id }, status: 'enabled' },
    enabled_events: expect.arrayContaining(['payment_intent.succeeded', 'charge.dispute.created']),
  });
  expect(await isHeard(id)).toBe(true);
  expect(await verify(id)).toBe('Stripe accepts the key of acct_fake.');
  expect(endpointsOf(id)).toEqual([endpoint]);
  expect(fake.world.all('payment_method_domain')).toMatchObject([{ domain_name: 'pay.example.com' }]);
  const { json } = await shop.account.test.get(`/v1/processor_accounts/${id}`);
  expect(JSON.stringify(json)).not.toMatch(/whsec_|we_/);

  const deleted = await shop.account.test.delete(`/v1/processor_accounts/${id}`);
  expect(deleted.status).toBe(200);
  expect(endpointsOf(id)).toEqual([]);
});

test('two that verify at the same moment make one endpoint', async () => {
  const id = await account();
  await Promise.all([verify(id), verify(id), verify(id)]);
  expect(endpointsOf(id)).toHaveLength(1);
  expect(await isHeard(id)).toBe(true);
});

test('an answer that was lost is given again: the endpoint is not doubled, and its secret is known', async () => {
  const id = await account();
  fake.faults.add({ kind: 'reset_after', method: 'POST', path: '/v1/webhook_endpoints', times: 9 });
  expect(await verify(id)).toContain('Stripe did not register the webhook endpoint. Verify again');
  expect(endpointsOf(id)).toHaveLength(1);
  fake.faults.clear();
  await verify(id);
  expect(endpointsOf(id)).toHaveLength(1);
  expect(await isHeard(id)).toBe(true);
});

test('one that was deleted at Stripe is made again, also when Stripe repeats its old answer', async () => {
  const id = await account();
  await verify(id);
  const [before] = endpointsOf(id);
  fake.webhooks.remove(before!.id);
  await verify(id);
  const [after, ...others] = endpointsOf(id);
  expect(others).toEqual([]);
  expect(after!.id).not.toBe(before!.id);
  expect(await isHeard(id)).toBe(true);
});

test('a secret that a person has entered is left alone, and so is one that they enter later', async () => {
  const id = await account({ webhook_secret: fake.webhookSecret });
  expect(await verify(id)).toBe('Stripe accepts the key of acct_fake.');
  expect(endpointsOf(id)).toEqual([]);

  const other = await account();
  await verify(other);
  await update(other, { credentials: { webhook_secret: 'whsec_entered_by_hand' } });
  expect(await verify(other)).toBe('Stripe accepts the key of acct_fake.');
  expect(endpointsOf(other)).toHaveLength(1);
  await update(other, { credentials: { webhook_secret: null } });
  await verify(other);
  expect(endpointsOf(other)).toHaveLength(1);
  expect(await isHeard(other)).toBe(true);
});

test('an endpoint that a person has made for the same address is not doubled', async () => {
  const id = await account();
  const url = `${publicUrl}/processors/${id}`;
  const { id: made } = fake.webhooks.add({ url, enabled_events: ['*'] }, 'whsec_of_a_person');
  expect(await verify(id)).toContain(`Stripe has the webhook endpoint ${made} already: enter its signing secret`);
  expect(endpointsOf(id)).toHaveLength(1);
  await shop.account.test.delete(`/v1/processor_accounts/${id}`);
  expect(endpointsOf(id)).toHaveLength(1);
});

test('a key without the permission, and a limit that is reached, are said with what to do', async () => {
  const id = await account();
  fake.faults.add({ kind: 'reset_before', method: 'GET', path: '/v1/webhook_endpoints', times: 9 });
  expect(await verify(id)).toContain('the key needs the permission to write them');
  fake.faults.clear();
  fake.faults.add({ kind: 'reset_before', method: 'GET', path: '/v1/payment_method_domains', times: 9 });
  expect(await verify(id)).toContain('register it there');
  const many = Array.from({ length: 16 }, () =>
    fake.webhooks.add({ url: 'https://other.example/', enabled_events: ['*'] }, 'whsec_x'),
  );
  const other = await account();
  expect(await verify(other)).toContain(`Register ${publicUrl}/processors/${other} as a webhook endpoint at Stripe`);
  for (const one of many) fake.webhooks.remove(one.id);
});

test('deleting goes on when Stripe does not answer, and says what it has left', async () => {
  const id = await account();
  await verify(id);
  fake.faults.add({ kind: 'reset_before', method: 'GET', path: '/v1/webhook_endpoints', times: 9 });
  const { client } = await shop.person();
  expect((await client.delete(`/v1/processor_accounts/${id}`)).status).toBe(200);
  const [audited] = await shop.rows(`select details from audit where subject = $1 order by id desc limit 1`, [id]);
  expect(audited.details.left).toBe(`${publicUrl}/processors/${id}`);
});

describe('a gateway that the internet does not reach', () => {
  test('registers nothing, and says what to enter where', async () => {
    const local = await openStripeShop();
    const stripe = await local.stripe();
    const credentials = { secret_key: stripe.secretKey };
    const id = await local.processor(stripe, { credentials });
    const { json } = await local.account.test.post(`/v1/processor_accounts/${id}/verify`);
    expect(json.message).toMatch(
      /PUBLIC_URL is no public https address.*enter its signing secret as credentials\.webhook/,
    );
    expect(stripe.webhooks.all()).toEqual([]);
    await local.stop();
  });

  test.each([
    ['https://pay.example.com/x', true],
    ['https://pay.example.com:8443/x', true],
    ['http://pay.example.com/x', false],
    ['https://localhost:8443/x', false],
    ['https://127.0.0.1/x', false],
    ['https://10.1.2.3/x', false],
    ['https://203.0.113.7/x', false],
    ['https://[2001:db8::1]/x', false],
    ['https://gateway/x', false],
    ['https://gateway.local/x', false],
    ['https://gateway.internal/x', false],
  ])('%s is public: %s', (url, isReached) => {
    expect(isPublic(url)).toBe(isReached);
  });
});
