import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { problemsOfAnswer } from './description.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';

/** What the fake sends, read by Stripe's own package. */

let receiver: Server;
let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let url: string;
const received: { path: string; signature: string; body: string }[] = [];
/** The next answers of the receiver; 200 once they are used up. */
let answers: number[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = (await request.toArray()).map(String).join('');
    received.push({ path: request.url ?? '', signature: String(request.headers['stripe-signature']), body });
    response.writeHead(answers.shift() ?? 200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  fake = await startFakeStripe({ port: 0, webhookUrl: `${url}/hook` });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(async () => {
  await fake.close();
  receiver.close();
});
beforeEach(async () => {
  await fake.webhooks.settled();
  received.splice(0);
});

function pay() {
  const confirmed = { payment_method: 'pm_card_visa', confirm: true, allowed_payment_method_types: ['card'] };
  return stripe.paymentIntents.create({ amount: 1_000, currency: 'usd', ...confirmed });
}

function types(): string[] {
  return received.map(({ body }) => (JSON.parse(body) as Stripe.Event).type);
}

const made = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];

test("Stripe's package accepts the signature, and the event is one of Stripe's", async () => {
  const { id } = await pay();
  await fake.webhooks.settled();
  expect(types().sort()).toEqual([...made].sort());
  for (const { signature, body } of received) {
    const event = stripe.webhooks.constructEvent(body, signature, fake.webhookSecret);
    expect(problemsOfAnswer('GET', `/v1/events/${event.id}`, 200, event)).toEqual([]);
    const object = event.data.object as { id: string; object: string };
    expect(problemsOfAnswer('GET', `/v1/${object.object}s/${object.id}`, 200, object)).toEqual([]);
    expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    expect((await stripe.events.retrieve(event.id)).pending_webhooks).toBe(0);
  }
  expect(received.some(({ body }) => body.includes(id))).toBe(true);
});

test('what is not accepted is sent again, the same event', async () => {
  answers = [500, 404];
  await stripe.paymentIntents.create({ amount: 1_000, currency: 'usd' });
  await fake.webhooks.settled();
  expect(received).toHaveLength(3);
  expect(new Set(received.map(({ body }) => (JSON.parse(body) as Stripe.Event).id)).size).toBe(1);
});

test('on command: twice, held and in the reverse order, dropped, late', async () => {
  fake.webhooks.deliver({ isHeld: true, copies: 2 });
  await pay();
  expect(received).toEqual([]);
  fake.webhooks.deliver({ isHeld: false, order: 'reversed' });
  await fake.webhooks.settled();
  expect(types()).toEqual([...made].reverse().flatMap((type) => [type, type]));

  received.splice(0);
  fake.webhooks.deliver({ isDropped: true, copies: 1, order: 'as_made' });
  const { id } = await pay();
  fake.webhooks.deliver({ isDropped: false, delayMs: 20 });
  const other = await pay();
  await fake.webhooks.settled();
  fake.webhooks.deliver({ delayMs: 0 });
  expect(received.filter(({ body }) => body.includes(id))).toEqual([]);
  expect(received.filter(({ body }) => body.includes(other.id))).toHaveLength(3);
  const { data } = await stripe.events.list({ type: 'payment_intent.succeeded', limit: 2 });
  expect(data.map(({ data }) => (data.object as Stripe.PaymentIntent).id)).toEqual([other.id, id]);
});

test('an endpoint that is registered as at Stripe has its own secret, and gets the events that it wants', async () => {
  const wanted = { url: `${url}/refunds`, enabled_events: ['refund.created' as const] };
  const { secret, id } = await stripe.webhookEndpoints.create(wanted);
  expect(id).toMatch(/^we_/);
  const { id: payment_intent } = await pay();
  await stripe.refunds.create({ payment_intent });
  await fake.webhooks.settled();
  const [one, ...others] = received.filter(({ path }) => path === '/refunds');
  expect(others).toEqual([]);
  expect(Stripe.webhooks.constructEvent(one!.body, one!.signature, secret!).type).toBe('refund.created');
});

test('endpoints are listed and deleted as at Stripe, without their secret; those elsewhere get nothing', async () => {
  const wanted = { enabled_events: ['*' as const], description: 'ours', metadata: { mark: 'pa_1' } };
  const far = await stripe.webhookEndpoints.create({ ...wanted, url: 'https://example.com/hook' });
  expect(far.secret).toMatch(/^whsec_/);
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const { secret: _, ...listed } = far;
  expect(data).toContainEqual(expect.objectContaining({ ...listed, metadata: { mark: 'pa_1' } }));
  expect(JSON.stringify(data)).not.toContain('whsec_');
  await pay();
  await fake.webhooks.settled();
  expect((await stripe.events.list({ limit: 1 })).data[0]?.pending_webhooks).toBe(0);
  expect(await stripe.webhookEndpoints.del(far.id)).toEqual(expect.objectContaining({ id: far.id, deleted: true }));
  await expect(stripe.webhookEndpoints.del(far.id)).rejects.toThrow('No such webhook_endpoint');
  const plain = stripe.webhookEndpoints.create({ ...wanted, url: 'http://example.com/hook' });
  await expect(plain).rejects.toThrow('must begin with https');
  const unknown = stripe.webhookEndpoints.create({ ...wanted, url: 'https://example.com/', connect: true });
  await expect(unknown).rejects.toThrow('unknown parameter: connect');
  expect(client.problems).toEqual([]);
});

test('a gateway is reached over TLS, whatever its certificate; nothing but loopback is reached', async () => {
  const certificates = inject('certificateDir');
  const [cert, key] = ['server.pem', 'server-key.pem'].map((name) => readFileSync(join(certificates, name)));
  const secure = createSecureServer({ cert, key }, (_, response) => response.writeHead(200).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(secure, 'listening');
  const requested = once(secure, 'request');
  fake.webhooks.register(`https://localhost:${(secure.address() as AddressInfo).port}/hook`);
  await pay();
  expect((await requested)[0]).toMatchObject({ url: '/hook', method: 'POST' });
  secure.close();
  secure.closeAllConnections();
  for (const host of ['127.0.0.1.example.com', 'localhost.example.com', '0.0.0.0', '10.0.0.1'])
    expect(() => fake.webhooks.register(`https://${host}/hook`)).toThrow('loopback');
});
