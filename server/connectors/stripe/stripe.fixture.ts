import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../base/clock.ts';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { problemsOfRequest } from '../../fakes/stripe/description.fixture.ts';
import { parseForm } from '../../fakes/stripe/form.ts';
import type { AuthorizeRequest, Connector } from '../contract.ts';
import { createHttp, type SendHttp, type WrittenRequest } from '../http.ts';
import type { OpenAccount } from '../registration.ts';
import { accountForm } from './index.ts';

export const secretKey = 'sk_test_canary8f3b1c2d';
export const webhookSecret = 'whsec_canary77aa31c0';
export const cardNumber = '4242424242424242';
export const cvc = '73918264550';
export const token = 'pm_canaryToken1';

export type SeenRequest = {
  method: string;
  path: string;
  form: Record<string, unknown>;
  key: string | undefined;
  headers: IncomingMessage['headers'];
};

/** What the server does with a request: an answer, or a fault. */
export type Scripted =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | 'reset' // before an answer
  | 'hang'
  | 'garbage'
  | 'half'; // of an answer

export type Script = (request: SeenRequest, seen: readonly SeenRequest[]) => Scripted;

export type ScriptedStripe = {
  url: string;
  seen: SeenRequest[];
  /** What breaks Stripe's own description of its API. */
  violations: string[];
  behave(script: Script): void;
  /** Called when the client gives up a request that hangs. */
  onEnd(then: () => void): void;
  close(): Promise<void>;
};

/** Plays Stripe by a script, over a real socket. Every request is checked against the description that Stripe publishes. */
export async function startScriptedStripe(): Promise<ScriptedStripe> {
  const seen: SeenRequest[] = [];
  const violations: string[] = [];
  let onEnd = () => {};
  let script: Script = () => ({ status: 500, body: 'there is no script' });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [path = '', query = ''] = request.url!.split('?');
    const method = request.method!;
    violations.push(...problemsOfRequest(method, path, query, body));
    const key = request.headers['idempotency-key'] as string | undefined;
    const one = { method, path, form: parseForm(method === 'GET' ? query : body), key, headers: request.headers };
    seen.push(one);
    const scripted = script(one, seen);
    if (scripted === 'hang') response.once('close', onEnd);
    else act(scripted, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    violations,
    behave(next) {
      seen.length = 0;
      script = next;
    },
    onEnd(then) {
      onEnd = then;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function act(scripted: Exclude<Scripted, 'hang'>, response: ServerResponse): void {
  if (scripted === 'reset') return void response.socket!.resetAndDestroy();
  const head = { 'Content-Type': 'application/json', 'Request-Id': 'req_1' };
  if (scripted === 'garbage') return void response.writeHead(200, head).end('<html>{"id": ');
  if (scripted === 'half') {
    response.writeHead(200, { ...head, 'Content-Length': 1_000 }).write('{"id":');
    return void setImmediate(() => response.socket!.resetAndDestroy());
  }
  response.writeHead(scripted.status, { ...head, ...scripted.headers }).end(JSON.stringify(scripted.body));
}

/** Sends each request, records it, and adds what is wrong with it by the description that Stripe publishes. */
export function checking(send: SendHttp, violations: string[], sent: WrittenRequest[] = []): SendHttp {
  return (request) => {
    sent.push(request);
    const [path = '', query = ''] = request.path.split('?');
    violations.push(...problemsOfRequest(request.method, path, query, request.body ?? ''));
    return send(request);
  };
}

export const tenant = 1 as Tenant;

type ScriptedAccount = {
  rawCards?: boolean;
  key?: string;
  webhooks?: Record<string, Secret>;
  send?: SendHttp;
  settings?: OpenAccount['settings'];
};

/** The connector of an account at the scripted Stripe, or at another. */
export function openScripted(
  url: string,
  { rawCards = true, key = secretKey, webhooks = {}, send = createHttp(), settings = {} }: ScriptedAccount = {},
): Connector {
  const rules = { allowedHosts: [], isDevelopment: true };
  return accountForm({ send, clock: systemClock, rules }).open({
    id: newId('pa', Date.now()),
    tenant,
    mode: 'test',
    credentials: { secret_key: new Secret(key), ...webhooks },
    settings: { api_base: url, raw_cards: rawCards, ...settings },
  });
}

export const euros = { amount: 1_000, currency: 'eur' };
export const aNumber = {
  kind: 'card',
  number: new Secret(cardNumber),
  cvc: new Secret(cvc),
  expMonth: 12,
  expYear: 2040,
  holder: { name: 'Ada Lovelace', email: 'ada@example.com', address: { line1: 'Main 1', country: 'GB' } },
} as const;
export const aToken = { kind: 'token', token: new Secret(token), customer: undefined, holder: {} } as const;

export function authorization(more: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    ...{ tenant, attempt: newId('att', Date.now()), now: Date.now(), payment: 'py_1', money: euros, capture: true },
    ...{ instrument: aToken, initiator: 'cardholder', storedCredential: 'none' },
    ...{ networkTransactionId: undefined, returnUrl: 'https://gateway.test/return/1' },
    ...more,
  };
}

/** A PaymentIntent as Stripe shows it. */
export function intentLike(attempt: string, more: object = {}): object {
  return {
    ...{ id: 'pi_1', object: 'payment_intent', amount: 1_000, amount_received: 0, currency: 'eur' },
    ...{ status: 'requires_payment_method', client_secret: 'pi_1_secret_canary', last_payment_error: null },
    metadata: { tollgate_attempt: attempt, tollgate_payment: 'py_1' },
    ...more,
  };
}

export const ok = (body: unknown): Scripted => ({ status: 200, body });
export const failure = (status: number, error: object, headers = {}): Scripted => ({
  status,
  body: { error },
  headers,
});

export const badKey = failure(401, { type: 'invalid_request_error' });
export const forbidden = failure(403, { type: 'invalid_request_error', code: 'more_permissions_required' });
export const rateLimit = failure(429, { type: 'invalid_request_error', code: 'rate_limit' });
export const locked = failure(429, { type: 'invalid_request_error', code: 'lock_timeout' });
export const conflict = failure(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
export const broken = failure(500, { type: 'api_error' });
