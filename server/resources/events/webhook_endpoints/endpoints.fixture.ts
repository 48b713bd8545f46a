import { expect } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { type ServerOptions, startServer, type TestServer } from '../../../test/harness.ts';

export const path = '/v1/webhook_endpoints';
const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };

/** A server that may send to this machine, where nothing listens at port 9: every attempt fails immediately. */
export function startWebhookServer(options: ServerOptions = {}): Promise<TestServer> {
  return startServer({ ...options, environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8', ...options.environment } });
}

let made = 0;
export const newUrl = () => `http://127.0.0.1:9/${++made}`;

export async function makeEndpoint(client: Client, body: object = {}): Promise<string> {
  const answer = await client.post(path, { url: newUrl(), enabled_events: ['*'], ...body });
  expect(answer.json.error).toBeUndefined();
  return answer.json.id;
}

/** A customer, and the event that tells of it. */
export async function makeCustomer(server: TestServer, client: Client): Promise<{ id: string; event: string }> {
  const { id } = (await client.post('/v1/customers', { name: 'Ada' })).json;
  const { rows } = await server.sql.query('select id from events where object_id = $1', [id]);
  return { id, event: rows[0].id };
}

export async function makePayment(client: Client): Promise<string> {
  const method = await client.post('/v1/payment_methods', { type: 'card', card });
  const body = { amount: 2_000, currency: 'usd', payment_method: method.json.id };
  const payment = await client.post('/v1/payments', body);
  expect(payment.json.status).toBe('succeeded');
  return payment.json.id;
}

export function expectRefused(answer: Answer, code: string, param: string): void {
  expect(answer.json.error).toMatchObject({ code, param, type: 'invalid_request_error' });
  expect(answer.status).toBe(code === 'resource_missing' ? 404 : 400);
}
