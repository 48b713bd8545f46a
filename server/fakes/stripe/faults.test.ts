import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { FakeFaults } from '../faults.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';

/** What goes wrong on the way, and what Stripe's idempotency keys make of it. */

let fake: FakeStripe;
let clock: VirtualClock;
let made = 0;

beforeAll(async () => {
  clock = virtualClock(Date.UTC(2026, 10, 16));
  fake = await startFakeStripe({ port: 0, clock, seed: 1 });
});
afterAll(() => fake.close());
beforeEach(() => fake.faults.clear());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Seen = { status: number; replayed: boolean; text: string; json: any };
type Sent = { key?: string; bearer?: string; signal?: AbortSignal };

async function post(path: string, params: Record<string, string>, sent: Sent = {}): Promise<Seen> {
  const { key, bearer = fake.secretKey, signal } = sent;
  const headers = { authorization: `Bearer ${bearer}`, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const body = new URLSearchParams(params);
  return seen(await fetch(`${fake.url}${path}`, { method: 'POST', headers, body, ...(signal && { signal }) }));
}

async function get(path: string): Promise<Seen> {
  return seen(await fetch(`${fake.url}${path}`, { headers: { authorization: `Bearer ${fake.secretKey}` } }));
}

async function seen(answer: Response): Promise<Seen> {
  const text = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  let json: unknown;
  try {
    json = isJson ? JSON.parse(text) : undefined;
  } catch {
    json = undefined;
  }
  return { status: answer.status, replayed: answer.headers.get('idempotent-replayed') === 'true', text, json };
}

/** A payment with its own attempt. */
function payment(more: Record<string, string> = {}): { attempt: string; params: Record<string, string> } {
  made += 1;
  const attempt = `att_${made}`;
  const facts = { amount: '1000', currency: 'usd', payment_method: 'pm_card_visa', confirm: 'true' };
  return { attempt, params: { ...facts, 'metadata[tollgate_attempt]': attempt, ...more } };
}

function effectsOf(attempt: string): string[] {
  return fake.books().flatMap(({ kind, metadata }) => (metadata.tollgate_attempt === attempt ? [kind] : []));
}

async function command(path: string, body: object, method = 'POST'): Promise<Seen> {
  return seen(await fetch(`${fake.url}/_fake/${path}`, { method, body: JSON.stringify(body) }));
}

const intents = '/v1/payment_intents';

describe('idempotency', () => {
  test.each([
    ['pm_card_visa', 200, ['charge']],
    ['pm_card_visa_chargeDeclined', 402, ['decline']],
  ])(
    '%s: the same request is answered again with %s, and takes effect once',
    async (payment_method, status, effects) => {
      const { attempt, params } = payment({ payment_method });
      const [first, second] = [
        await post(intents, params, { key: attempt }),
        await post(intents, params, { key: attempt }),
      ];
      expect([first.status, first.replayed, second.status, second.replayed]).toEqual([status, false, status, true]);
      expect(second.text).toBe(first.text);
      expect(effectsOf(attempt)).toEqual(effects);
    },
  );

  test.each([
    ['error_500_before', []],
    ['error_500_after', ['charge']],
  ] as const)('%s is stored as well', async (kind, effects) => {
    const { attempt, params } = payment();
    fake.faults.add({ kind });
    const [first, second] = [
      await post(intents, params, { key: attempt }),
      await post(intents, params, { key: attempt }),
    ];
    expect([first.status, second.status, second.replayed]).toEqual([500, 500, true]);
    expect(effectsOf(attempt)).toEqual(effects);
  });

  test('other parameters or another endpoint with the same key are refused', async () => {
    const { attempt, params } = payment();
    await post(intents, params, { key: attempt });
    const other = await post(intents, { ...params, amount: '1001' }, { key: attempt });
    expect([other.status, other.json.error.type]).toEqual([400, 'idempotency_error']);
    const elsewhere = await post('/v1/customers', {}, { key: attempt });
    expect(elsewhere.json.error.message).toContain("for the same endpoint they were first used for ('/v1/customers'");
    expect(effectsOf(attempt)).toEqual(['charge']);
  });

  test('what had not begun is not stored', async () => {
    const { attempt, params } = payment();
    const statuses = [(await post(intents, { ...params, amount: 'x' }, { key: attempt })).status];
    statuses.push((await post(intents, params, { key: attempt, bearer: 'sk_test_wrong' })).status);
    const codes: string[] = [];
    for (const kind of ['rate_limit_429', 'conflict_409'] as const) {
      fake.faults.add({ kind });
      const { status, json } = await post(intents, params, { key: attempt });
      statuses.push(status);
      codes.push(json.error.code);
    }
    expect(effectsOf(attempt)).toEqual([]);
    const done = await post(intents, params, { key: attempt });
    expect([...statuses, done.status, done.replayed]).toEqual([400, 401, 429, 409, 200, false]);
    expect(codes).toEqual(['rate_limit', 'idempotency_key_in_use']);
  });

  test('while the first is running, the second is refused with 409', async () => {
    const { attempt, params } = payment();
    fake.faults.add({ kind: 'late_before', ms: 200 });
    const first = post(intents, params, { key: attempt });
    await expect.poll(async () => (await post(intents, params, { key: attempt })).status).toBe(409);
    const { text } = await first;
    expect(await post(intents, params, { key: attempt })).toMatchObject({ replayed: true, text });
    expect(effectsOf(attempt)).toEqual(['charge']);
  });

  test('a key is forgotten after 24 hours', async () => {
    const { attempt, params } = payment();
    await post(intents, params, { key: attempt });
    clock.advance(24 * 3_600_000 - 1);
    expect((await post(intents, params, { key: attempt })).replayed).toBe(true);
    clock.advance(1);
    expect((await post(intents, params, { key: attempt })).replayed).toBe(false);
    expect(effectsOf(attempt)).toEqual(['charge', 'charge']);
  });
});

test.each([
  ['no key', '', '/v1/account', 401],
  ['a wrong key', 'sk_test_no', '/v1/account', 401],
  ['an unknown path', undefined, '/v1/nothing', 404],
  ['an unknown version', undefined, '/v1/account', 400, 'latest'],
])('%s is refused', async (_, bearer, path, status, version = '2024-06-20') => {
  const headers = { authorization: `Bearer ${bearer ?? fake.secretKey}`, 'stripe-version': version };
  expect((await fetch(`${fake.url}${path}`, { headers })).status).toBe(status);
});

describe('faults', () => {
  test.each([
    ['reset_before', 'no answer', []],
    ['reset_after', 'no answer', ['charge']],
    ['hold_before', 'no answer', []],
    ['hold_after', 'no answer', ['charge']],
    ['late_before', 'succeeded', ['charge']],
    ['late_after', 'succeeded', ['charge']],
    ['conflict_409', 409, []],
    ['rate_limit_429', 429, []],
    ['error_500_before', 500, []],
    ['error_500_after', 500, ['charge']],
    ['html', 'no JSON', ['charge']],
    ['cut_json', 'no JSON', ['charge']],
    ['contradiction', 'requires_payment_method', ['charge']],
    ['other_object', 'another', ['charge']],
  ])('%s: the client sees %s', async (kind, expected, effects) => {
    const { attempt, params } = payment();
    expect((await command('faults', { kind, method: 'POST', path: intents, ms: 20 })).json).toEqual({ seed: 1 });
    const outcome = await post(intents, params).then(
      ({ status, json }) => {
        if (json === undefined) return 'no JSON';
        if (status !== 200) return status;
        return json.metadata.tollgate_attempt === attempt ? json.status : 'another';
      },
      () => 'no answer',
    );
    expect(outcome).toBe(expected);
    expect(effectsOf(attempt)).toEqual(effects);
    // The fault struck once, and the truth can be asked for.
    const { data } = (await get(`${intents}?limit=1`)).json;
    expect(data[0].metadata.tollgate_attempt === attempt ? data[0].status : undefined).toBe(
      effects.length > 0 ? 'succeeded' : undefined,
    );
  });

  test('a late effect comes even when the client has gone', async () => {
    const { attempt, params } = payment();
    fake.faults.add({ kind: 'late_before', ms: 100 });
    await expect(post(intents, params, { signal: AbortSignal.timeout(30) })).rejects.toThrow();
    expect(effectsOf(attempt)).toEqual([]);
    await expect.poll(() => effectsOf(attempt)).toEqual(['charge']);
  });

  test('later answers contradict the first', async () => {
    const { json } = await post(intents, payment().params);
    const refund = (await post('/v1/refunds', { payment_intent: json.id })).json;
    for (const [path, told] of [
      [`${intents}/${json.id}`, 'requires_payment_method'],
      [`/v1/refunds/${refund.id}`, 'failed'],
    ]) {
      fake.faults.add({ kind: 'contradiction', method: 'GET' });
      expect((await get(path!)).json.status).toBe(told);
      expect((await get(path!)).json.status).toBe('succeeded');
    }
  });

  test('connections are refused for a while', async () => {
    await command('faults', { kind: 'refuse', ms: 150 });
    const isRefused = () =>
      get('/v1/account').then(
        () => false,
        (error) => error.cause?.code === 'ECONNREFUSED',
      );
    await expect.poll(isRefused, { interval: 5 }).toBe(true);
    await expect.poll(async () => (await get('/v1/account').catch(() => undefined))?.status).toBe(200);
  });

  test('a fault strikes the requests that it names, so many times, after so many', () => {
    const faults = new FakeFaults(1);
    faults.add({ kind: 'html', method: 'POST', path: '/confirm', skip: 1, times: 2 });
    const paths = ['/a', '/a/confirm', '/b/confirm', '/a', '/c/confirm', '/d/confirm'];
    expect(paths.map((path) => faults.next('POST', path)?.kind)).toEqual([
      ...[undefined, undefined, 'html', undefined, 'html', undefined],
    ]);
    expect(faults.next('GET', '/a/confirm')).toBeUndefined();
  });

  test('the same seed lets the same requests fail', () => {
    const strikes = (seed: number) => {
      const faults = new FakeFaults(seed);
      faults.add({ kind: 'reset_after', probability: 0.3 });
      return Array.from({ length: 1_000 }, () => (faults.next('POST', '/') === undefined ? 0 : 1));
    };
    expect(strikes(7)).toEqual(strikes(7));
    expect(strikes(7)).not.toEqual(strikes(8));
    const share = strikes(7).reduce((sum: number, one) => sum + one, 0);
    expect(share).toBeGreaterThan(250);
    expect(share).toBeLessThan(350);
  });
});

describe('control', () => {
  test.each([
    ['faults', { kind: 'nonsense' }, 'kind must be one of reset_before'],
    ['faults', { kind: 'html', sort: 1 }, 'has no sort'],
    ['cards', { token: 'pm_card_visa' }, 'a new name that begins with pm_card_'],
    ['clock', { advance_seconds: -1 }, 'must be a number that is not negative'],
    ['disputes', { payment_intent: 'pi_no' }, "No such payment_intent: 'pi_no'"],
    ['webhooks', { url: 'http://example.com/' }, 'loopback addresses alone'],
    ['nonsense', {}, 'There is no POST /nonsense. There are: GET /books'],
  ])('%s %j is refused', async (path, body, reason) => {
    const { status, json } = await command(path, body);
    expect(status).toBe(path === 'nonsense' ? 404 : 400);
    expect(json.error.message).toContain(reason);
  });

  test('time, disputes, verdicts, cards and books by command', async () => {
    const { attempt, params } = payment();
    const { id } = (await post(intents, params)).json;
    const { id: dispute } = (await command('disputes', { payment_intent: id, reason: 'duplicate', amount: 400 })).json;
    expect((await get(`/v1/disputes/${dispute}`)).json).toMatchObject({ reason: 'duplicate', amount: 400 });
    expect((await post('/v1/refunds', { payment_intent: id })).json.error.code).toBe('charge_disputed');
    await command('verdicts', { dispute, result: 'won' });
    expect((await get(`/v1/disputes/${dispute}`)).json.status).toBe('won');
    const { payment_method } = (await get(`${intents}/${id}`)).json;
    await command('cards', { token: payment_method, refund: 'pending' });
    expect((await post('/v1/refunds', { payment_intent: id })).json.status).toBe('pending');
    const before = (await command('clock', { advance_seconds: 0 })).json.now;
    expect((await command('clock', { advance_seconds: 60 })).json.now).toBe(before + 60);
    const { effects } = (await seen(await fetch(`${fake.url}/_fake/books`))).json;
    expect(
      effects.filter((one: { metadata: object }) => JSON.stringify(one.metadata).includes(`"${attempt}"`)),
    ).toEqual([expect.objectContaining({ kind: 'charge', amount: 1_000, currency: 'usd', payment_intent: id })]);
    await command('faults', { kind: 'html' });
    await command('faults', {}, 'DELETE');
    expect((await get('/v1/account')).status).toBe(200);
  });
});
