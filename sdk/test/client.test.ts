import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  CardError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ResponseError,
  type Retry,
  TimeoutError,
  Tollgate,
  TollgateError,
  UnexpectedResponseError,
} from '../src/index.ts';
import { retryDelayMs } from '../src/retries.ts';
import { fakeGateway, hangs, ok, type Reaction, refused, reset } from './fakes.fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The outcome of a call, with all pauses skipped. */
async function outcome<Result>(call: PromiseLike<Result>): Promise<{ result?: Result; error?: unknown }> {
  const settled = Promise.resolve(call).then(
    (result) => ({ result }),
    (error) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return settled;
}

const limited = refused(429, 'rate_limited', 'rate_limit_error', { 'Retry-After': '7' });
const inUse = refused(429, 'idempotency_key_in_use', 'rate_limit_error', { 'Retry-After': '1' });
const locked = refused(429, 'lock_timeout', 'rate_limit_error');
const fault = refused(500, 'unavailable', 'api_error', { 'Retry-After': '1' });
const badGateway: Reaction = () => new Response('<html>Bad gateway</html>', { status: 502 });
const cut: Reaction = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":'));
        controller.error(new Error('terminated'));
      },
    }),
  );

describe('a call is tried again', () => {
  test.each<[string, Reaction]>([
    ['a reset', reset],
    ['a response that is cut off', cut],
    ['a time limit', hangs],
    ['429 rate_limited', limited],
    ['429 idempotency_key_in_use', inUse],
    ['429 lock_timeout', locked],
    ['500', fault],
    ['502 of a proxy', badGateway],
  ])('after %s, with the same idempotency key', async (_, reaction) => {
    const { tollgate, sent } = fakeGateway([reaction, reaction, ok()]);
    expect((await outcome(tollgate.customers.create({ name: 'Ada' }))).result).toMatchObject({ id: 'cus_1' });
    const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set(['{"name":"Ada"}']));
  });

  test.each<[string, Reaction]>([
    ['400', refused(400, 'parameter_invalid', 'invalid_request_error')],
    ['402', refused(402, 'card_declined', 'card_error')],
    ['404', refused(404, 'resource_missing', 'invalid_request_error')],
    ['a Retry-After of more than a minute', refused(429, 'rate_limited', 'rate_limit_error', { 'Retry-After': '61' })],
    ['a redirect', () => new Response('', { status: 307, headers: { Location: 'https://elsewhere.example' } })],
    ['200 without JSON', () => new Response('<html>')],
  ])('but not after %s', async (_, reaction) => {
    const { tollgate, sent } = fakeGateway([reaction]);
    expect((await outcome(tollgate.customers.delete('cus_1'))).error).toBeInstanceOf(TollgateError);
    expect(sent).toHaveLength(1);
  });

  test('as often as maxRetries says, of the client or of the call', async () => {
    const { tollgate, sent } = fakeGateway([reset], { maxRetries: 1 });
    await outcome(tollgate.balance.retrieve());
    expect(sent).toHaveLength(2);
    await outcome(tollgate.balance.retrieve({ maxRetries: 0 }));
    expect(sent).toHaveLength(3);
  });

  test('a GET has no idempotency key, a DELETE has one, and two calls have two', async () => {
    const { tollgate, sent } = fakeGateway([ok()]);
    await tollgate.customers.retrieve('cus_1');
    await tollgate.customers.delete('cus_1');
    await tollgate.customers.delete('cus_1', { idempotencyKey: 'mine' });
    await tollgate.customers.delete('cus_1');
    const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(keys).toEqual([undefined, expect.any(String), 'mine', expect.any(String)]);
    expect(keys[1]).not.toBe(keys[3]);
  });
});

test('pauses grow, are spread, and are as long as the gateway asks', () => {
  const connection = new ConnectionError('reset');
  const delays = [0, 1, 2, 3, 4, 5, 9].map((retries) => retryDelayMs(connection, retries, () => 1));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(retryDelayMs(connection, 0, () => 0)).toBe(250);
  const error = (seconds: string) =>
    new RateLimitError(
      new Response('', { status: 429, headers: { 'Retry-After': seconds } }),
      {
        code: 'rate_limited',
        type: 'rate_limit_error',
        message: '',
      },
      'https://gateway.example',
    );
  expect(retryDelayMs(error('7'), 0, () => 0)).toBe(7_000);
  expect(retryDelayMs(error('7'), 0, () => 1)).toBe(7_250);
  expect(retryDelayMs(error('61'), 0)).toBeUndefined();
  expect(retryDelayMs(error(new Date(Date.now() + 3_000).toUTCString()), 0, () => 0)).toBeGreaterThan(1_900);
  expect(retryDelayMs(error('soon'), 0, () => 1)).toBe(500);
});

test('Retry-After is waited for, and no longer', async () => {
  const { tollgate, sent } = fakeGateway([limited, ok()]);
  const call = tollgate.balance.retrieve();
  await vi.advanceTimersByTimeAsync(6_999);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(251);
  expect(sent).toHaveLength(2);
  await call;
});

describe('onRetry', () => {
  test('is called before each pause, with the reason, the pause and the request', async () => {
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => void retries.push(retry);
    const refusal = refused(429, 'rate_limited', 'rate_limit_error', { 'Retry-After': '7', 'Request-Id': 'req_1' });
    const { tollgate } = fakeGateway([refusal, reset, hangs, badGateway, ok()], { maxRetries: 4, onRetry });
    const began = Date.now();
    await outcome(tollgate.payments.retrieve('py_1'));
    expect(retries.map(({ attempt, reason, requestId }) => [attempt, reason, requestId])).toEqual([
      [1, 'rate_limited', 'req_1'],
      [2, 'connection', undefined],
      [3, 'timeout', undefined],
      [4, 'unexpected_response', undefined],
    ]);
    expect(retries[0]).toMatchObject({ maxRetries: 4, method: 'GET', path: '/v1/payments/py_1' });
    expect(retries[0]!.error).toBeInstanceOf(RateLimitError);
    expect(retries[0]!.waitMs).toBeGreaterThanOrEqual(7_000);
    const waited = retries.reduce((sum, { waitMs }) => sum + waitMs, 0);
    expect(Date.now() - began).toBe(waited + 30_000); // and the time limit of the third try
  });

  test('of a call takes the place of that of the client; what is not tried again is not reported', async () => {
    const [ofClient, ofCall] = [vi.fn(), vi.fn()];
    const { tollgate } = fakeGateway([fault, ok(), refused(404, 'resource_missing', 'invalid_request_error')], {
      onRetry: ofClient,
    });
    await outcome(tollgate.balance.retrieve({ onRetry: ofCall }));
    await outcome(tollgate.balance.retrieve());
    expect([ofClient.mock.calls.length, ofCall.mock.calls.length]).toEqual([0, 1]);
    const last = fakeGateway([fault], { maxRetries: 1, onRetry: ofClient });
    await outcome(last.tollgate.balance.retrieve());
    expect(ofClient).toHaveBeenCalledTimes(1); // the last failure is thrown, not waited for
  });
});

describe('a call ends', () => {
  test('by its time limit, with the key to repeat it', async () => {
    const { tollgate } = fakeGateway([hangs], { maxRetries: 0, timeoutMs: 5_000 });
    const call = outcome(tollgate.customers.create({}, { timeoutMs: 70, idempotencyKey: 'mine' }));
    const { error } = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      idempotencyKey: 'mine',
      message: 'POST /v1/customers: no response within 70 ms',
    });
  });

  test('by its signal: before it, during a try, and during a pause', async () => {
    for (const reaction of [hangs, reset]) {
      const { tollgate, sent } = fakeGateway([reaction]);
      const controller = new AbortController();
      const call = tollgate.balance.retrieve({ signal: controller.signal }).catch((error) => error);
      await vi.advanceTimersByTimeAsync(1);
      controller.abort(new Error('enough'));
      expect(await call).toEqual(new Error('enough'));
      const again = tollgate.balance.retrieve({ signal: controller.signal });
      await expect(again).rejects.toEqual(new Error('enough'));
      expect(sent).toHaveLength(1);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test('without a timer or a listener left behind', async () => {
    const { tollgate } = fakeGateway([ok()]);
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await tollgate.balance.retrieve({ signal });
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an error', () => {
  test.each([
    [InvalidRequestError, 400, 'parameter_missing', 'invalid_request_error'],
    [IdempotencyError, 400, 'idempotency_key_reused', 'idempotency_error'],
    [AuthenticationError, 401, 'api_key_invalid', 'authentication_error'],
    [CardError, 402, 'card_declined', 'card_error'],
    [PermissionError, 403, 'scope_missing', 'permission_error'],
    [RateLimitError, 429, 'rate_limited', 'rate_limit_error'],
    [ApiError, 500, 'internal_error', 'api_error'],
    [ResponseError, 400, 'of_the_future', 'future_error'],
  ])('%o stands for status %i', async (kind, status, code, type) => {
    const headers = { 'Request-Id': 'req_1', Link: `<https://gateway.example/docs/errors#${code}>; rel="help"` };
    const { tollgate } = fakeGateway([refused(status, code, type, headers)], { maxRetries: 0 });
    const { error } = await outcome(tollgate.balance.retrieve());
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      ...{ name: kind.name, message: 'No.', status, code, type, param: 'id', requestId: 'req_1' },
      helpUrl: `https://gateway.example/docs/errors#${code}`,
    });
  });

  test('has the address of its explanation, where the gateway is below a path too', async () => {
    const headers = { Link: '</docs/errors#rate_limited>; rel="help"' };
    const reaction = refused(400, 'parameter_missing', 'invalid_request_error', headers);
    for (const baseUrl of ['https://gateway.example', 'https://shop.example/pay/']) {
      const { tollgate } = fakeGateway([reaction], { baseUrl });
      const { error } = await outcome(tollgate.balance.retrieve());
      expect(error).toMatchObject({ helpUrl: `${baseUrl.replace(/\/$/, '')}/docs/errors#rate_limited` });
    }
  });

  test.each([
    ['of Node', new Error('unable to verify the first certificate'), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['of Node, with a chain', new Error('self-signed certificate in certificate chain'), 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['of Deno', new Error('invalid peer certificate: UnknownIssuer'), undefined],
  ])('about a certificate that is not trusted, in the words %s, says what to do', async (_, cause, code) => {
    const reaction: Reaction = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(cause, { code }) });
    };
    const { tollgate } = fakeGateway([reaction], { maxRetries: 0 });
    const { error } = await outcome(tollgate.balance.retrieve());
    expect((error as Error).message).toBe(
      `GET /v1/balance: ${cause.message}. The certificate of https://gateway.example is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS (Deno: DENO_CERT) before the program starts. That of "tollgate dev" is .tollgate/tls/ca.pem.`,
    );
  });

  test('names what happened on the network, or what answered in place of the gateway', async () => {
    const { tollgate } = fakeGateway([reset, badGateway], { maxRetries: 0 });
    const { error } = await outcome(tollgate.balance.retrieve());
    expect(error).toMatchObject({ name: 'ConnectionError', message: 'GET /v1/balance: read ECONNRESET' });
    const { error: next } = await outcome(tollgate.balance.retrieve());
    expect(next).toBeInstanceOf(UnexpectedResponseError);
    expect(next).toMatchObject({ status: 502, message: expect.stringContaining('<html>Bad gateway') });
  });
});

describe('what cannot be right is refused before anything is sent', () => {
  const options = { baseUrl: 'https://gateway.example', apiKey: 'sk_test_tg_1' };
  test.each([
    [{ ...options, baseUrl: 'http://gateway.example' }, 'https://'],
    [{ ...options, baseUrl: 'gateway' }, 'the address of the gateway'],
    [{ ...options, baseUrl: 'https://gateway.example?x=1' }, 'without a query'],
    [{ ...options, baseUrl: 'https://user@gateway.example' }, 'user name'],
    [{ ...options, apiKey: '' }, 'apiKey'],
    [{ ...options, apiKey: 'sk_1\nX-Other: 1' }, 'apiKey'],
    [{ ...options, maxRetries: -1 }, 'maxRetries'],
    [{ ...options, timeoutMs: 0 }, 'timeoutMs'],
    [{ ...options, timeoutMs: 2 ** 31 }, 'timeoutMs'],
  ])('%o', (wrong, message) => {
    expect(() => new Tollgate(wrong)).toThrow(message);
  });

  test('plain http is for this machine, and a path before the version is kept', async () => {
    for (const host of ['localhost:8443', '127.0.0.1', '[::1]:1']) {
      const { tollgate, sent } = fakeGateway([ok()], { baseUrl: `http://${host}/gateway/` });
      await tollgate.balance.retrieve();
      expect(sent[0]!.url).toBe(`http://${host}/gateway/v1/balance`);
    }
  });

  test.each(['', '.', '..', undefined as unknown as string])('the id %o', (id) => {
    const { tollgate, sent } = fakeGateway([ok()]);
    expect(() => tollgate.customers.delete(id)).toThrow('An id must be a string');
    expect(sent).toEqual([]);
  });

  test.each(['', ' a', 'a ', 'ключ', 'a\nb', 'x'.repeat(256)])('the idempotency key %o', async (idempotencyKey) => {
    const { tollgate, sent } = fakeGateway([ok()]);
    await expect(tollgate.customers.delete('cus_1', { idempotencyKey })).rejects.toThrow('idempotencyKey must have');
    expect(sent).toEqual([]);
  });

  test('other characters of an id cannot leave their place', async () => {
    const { tollgate, sent } = fakeGateway([ok()]);
    await tollgate.customers.retrieve('../x?y=1#z');
    expect(sent[0]!.url).toBe('https://gateway.example/v1/customers/..%2Fx%3Fy%3D1%23z');
    await expect(tollgate.request('GET', '@elsewhere.example')).rejects.toThrow('begins with a slash');
  });
});

test('onResponse is given each response; an error in it is its own, and is not tried again', async () => {
  const { tollgate, sent } = fakeGateway([fault, ok()]);
  const statuses: number[] = [];
  await outcome(tollgate.balance.retrieve({ onResponse: ({ status }) => void statuses.push(status) }));
  expect(statuses).toEqual([500, 200]);
  const mine = new Error('in my code');
  const thrown = tollgate.balance.retrieve({
    onResponse: () => {
      throw mine;
    },
  });
  expect(await outcome(thrown)).toEqual({ error: mine });
  expect(sent).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('the key is not shown where a client is printed', () => {
  const { tollgate } = fakeGateway([ok()]);
  const shown = [String(tollgate), JSON.stringify(tollgate), inspect(tollgate, { depth: 9, showHidden: true })];
  expect(shown.join()).not.toContain('sk_test');
});

test('a search that stops before a page is full goes on where it has stopped', async () => {
  const stopped = { object: 'list', url: '/v1/request_logs', has_more: true, data: [], searched_to: 'req_1' };
  const last = { object: 'list', url: '/v1/request_logs', has_more: false, data: [{ id: 'req_0' }] };
  const { tollgate, sent } = fakeGateway([ok(stopped), ok(last)]);
  const found = await Array.fromAsync(tollgate.requestLogs.list({ method: 'DELETE' }));
  expect(found).toEqual([{ id: 'req_0' }]);
  expect(sent[1]!.url).toContain('method=DELETE&starting_after=req_1');
});

describe('in a session', () => {
  const session = { account: 'acct_1', mode: 'test', csrfToken: 'token' };

  test('the browser sends the cookie, and the headers name account, mode and token; there is no key', async () => {
    const { tollgate, sent } = fakeGateway([ok()], { apiKey: undefined, session });
    await tollgate.customers.create({ name: 'Ada' });
    expect(sent[0]).toMatchObject({ credentials: 'same-origin' });
    const { 'Idempotency-Key': key, ...headers } = sent[0]!.headers;
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).toEqual({
      'X-Tollgate-Account': 'acct_1',
      'X-Tollgate-Mode': 'test',
      'X-Tollgate-CSRF': 'token',
      Accept: 'application/json',
      'Content-Type': 'application/json',
    });
  });

  test('nothing is named before somebody has signed in', async () => {
    const { tollgate, sent } = fakeGateway([ok({ object: 'session' })], { apiKey: undefined, session: {} });
    await tollgate.sessions.current();
    expect(sent[0]!.headers).toEqual({ Accept: 'application/json' });
  });

  test('with a key no cookie is sent; both together are refused', async () => {
    const { tollgate, sent } = fakeGateway([ok()]);
    await tollgate.customers.retrieve('cus_1');
    expect(sent[0]).toMatchObject({ credentials: undefined, headers: { Authorization: 'Bearer sk_test_tg_1' } });
    expect(() => fakeGateway([ok()], { session })).toThrow('Give apiKey or session');
  });
});
