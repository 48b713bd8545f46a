import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { Secret } from '../../base/secret.ts';
import type { HttpResult } from '../../connectors/http.ts';
import { type ApiCall, ApiClient, ApiFailure } from '../api/client.ts';
import { exitCodes } from '../usage.ts';
import { GatewayApi } from './gateway_api.ts';
import { StripeAccount } from './stripe_account.ts';

/** How requests wait, and how often they are sent. */

const empty: HttpResult = {
  kind: 'answered',
  status: 200,
  headers: {},
  body: '{"object":"list","data":[],"has_more":false}',
};
const refusal = (status: number, code: string, headers = {}): HttpResult => {
  const body = JSON.stringify({ error: { type: 'invalid_request_error', code } });
  return { kind: 'answered', status, headers, body };
};

function stripeThat(answers: HttpResult[], requestsPerSecond?: number) {
  const times: number[] = [];
  const send = async () => {
    times.push(performance.now());
    return answers.shift() ?? empty;
  };
  const rules = { allowedHosts: [], isDevelopment: true };
  const tools = { send, clock: systemClock, rules, ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }) };
  const stripe = new StripeAccount(tools, { key: new Secret('sk_test_1'), base: 'https://api.stripe.com' });
  return { stripe, times };
}

test('Stripe is asked less often than its limit of 25 requests a second', async () => {
  const { stripe, times } = stripeThat([]);
  await Promise.all(Array.from({ length: 11 }, () => stripe.coupons()));
  expect(times).toHaveLength(11);
  expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(10 * (1_000 / 25));
});

test('a request that Stripe turns away, or does not answer, is sent again', async () => {
  const lost: HttpResult = { kind: 'lost', reason: 'ECONNRESET' };
  const { stripe, times } = stripeThat([refusal(429, 'rate_limit', { 'retry-after': '1' }), lost], 1_000);
  expect(await stripe.coupons()).toEqual([]);
  expect(times).toHaveLength(3);
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990);
});

test.each([
  [refusal(401, 'api_key_expired'), '--stripe-key: Stripe does not accept the key'],
  [refusal(404, 'resource_missing'), 'resource_missing'],
])('a refusal is not repeated: %j', async (answer, message) => {
  const { stripe, times } = stripeThat([answer], 1_000);
  await expect(stripe.coupons()).rejects.toThrow(message);
  expect(times).toHaveLength(1);
});

test("Stripe's time is that of its answers", async () => {
  const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
  const { stripe } = stripeThat([{ ...empty, headers: { date } } as HttpResult], 1_000);
  await stripe.coupons();
  expect(stripe.now - Date.parse(date) / 1_000).toBeLessThan(60);
  expect(stripe.now).toBeGreaterThanOrEqual(Date.parse(date) / 1_000);
});

/** Gives these answers in their order, and keeps the calls. */
class ScriptedClient extends ApiClient {
  readonly calls: ApiCall[] = [];
  readonly #answers: unknown[];

  constructor(answers: unknown[]) {
    super({ base: 'https://localhost', key: 'sk_test_tg_1', ca: undefined });
    this.#answers = answers;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the API answers with every shape
  override async json(call: ApiCall): Promise<any> {
    this.calls.push(call);
    const answer = this.#answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

const failure = (code: string, exitCode: number, retryAfter?: number) =>
  new ApiFailure(code, exitCode, { error: { code, message: code, type: 'x' }, retryAfter });

test('the gateway is asked again when its limit allows, with the same idempotency key', async () => {
  const limited = failure('rate_limited', exitCodes.unavailable, 1);
  const client = new ScriptedClient([limited, failure('unavailable', exitCodes.unavailable), { id: 'cus_1' }]);
  expect(await new GatewayApi(client).post('/customers', {})).toEqual({ id: 'cus_1' });
  expect(client.calls).toHaveLength(3);
  expect(new Set(client.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('what another run has created meanwhile is found by its external_id', async () => {
  const found = { id: 'cus_1', external_id: 'cus_x' };
  const client = new ScriptedClient([failure('external_id_in_use', exitCodes.refused), { data: [found] }]);
  const made = await new GatewayApi(client).create('customers', { external_id: 'cus_x' });
  expect(made).toEqual({ object: found, isNew: false });
  expect(client.calls[1]).toMatchObject({ path: '/customers', pairs: [{ name: 'external_id', value: 'cus_x' }] });
});

test('a key that stands for another request is not used again', async () => {
  const client = new ScriptedClient([failure('idempotency_key_reused', exitCodes.refused), { id: 'coupon_1' }]);
  expect(await new GatewayApi(client).createMarked('/coupons', {}, 'import/1')).toEqual({ id: 'coupon_1' });
  expect(client.calls[1]!.idempotencyKey).not.toBe('import/1');
});
