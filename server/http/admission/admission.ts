import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../../base/errors.ts';
import { rateLimitOf } from '../../resources/accounts/account.ts';
import type { KeyWithAccount } from '../../resources/api_keys/api_key.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { allows } from '../../resources/scope.ts';
import { refusal } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { KeyGate } from './authenticate.ts';
import { type AddressLimiter, type RateLimiter, rateRefusal } from './rate_limit.ts';
import { selectVersion } from './versions.ts';

export type Gates = { keys: KeyGate; rates: RateLimiter; addresses: AddressLimiter };

/** Everything that is decided before the body is read, in the order in which a caller may learn of it. */
export async function admit(
  raw: IncomingMessage,
  exchange: Exchange,
  gates: Gates,
  unrecognized: () => Refusal,
): Promise<void> {
  const key = await authenticate(raw, exchange, gates);
  exchange.caller = { kind: 'key', tenant: key.tenant, mode: key.mode, key };
  const grant = await gates.rates.take(key.tenant, rateLimitOf(key), exchange.operation?.name);
  exchange.rate = grant.state;
  if (!grant.admitted) throw rateRefusal(grant.state);
  selectVersion(exchange.version, raw.headers.accept, single(raw.headers['x-service-version']));
  const { operation } = exchange;
  if (operation === undefined) throw unrecognized();
  if (key.account_status === 'suspended') throw refusal('account_suspended', {});
  refuseAddress(key, exchange.address);
  if (!allows(key.scopes, operation.scope)) throw refusal('scope_missing', { scope: operation.scope });
  refuseBodyOfGet(raw, operation);
}

/** A page needs no key, but its readers are counted like all who have none. */
export function admitToPage(raw: IncomingMessage, exchange: Exchange, gates: Gates, counted: boolean): void {
  refuseUnreadable(raw, exchange);
  if (!counted) {
    exchange.rate = gates.addresses.peek(exchange.address);
    return;
  }
  const grant = gates.addresses.take(exchange.address);
  exchange.rate = grant.state;
  if (!grant.admitted) throw rateRefusal(grant.state);
}

/** Whoever has no valid key is counted by address, so that guessing ends in 429. */
async function authenticate(raw: IncomingMessage, exchange: Exchange, gates: Gates): Promise<KeyWithAccount> {
  try {
    refuseUnreadable(raw, exchange);
    return await gates.keys.authenticate(raw.headers.authorization, raw.socket);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const grant = gates.addresses.take(exchange.address);
    exchange.rate = grant.state;
    throw grant.admitted ? error : rateRefusal(grant.state);
  }
}

/** What Node lets through although two readers could understand it differently. */
function refuseUnreadable(raw: IncomingMessage, exchange: Exchange): void {
  refuseRepeatedHeaders(raw.rawHeaders);
  // Raw bytes above ASCII would come out of the parser as other characters than were sent.
  if (!/^[\x21-\x7e]*$/.test(exchange.target))
    throw refusal('request_malformed', { reason: 'the request target has characters that must be percent-encoded' });
}

const once = new Map(
  [
    'Host',
    'Authorization',
    'Idempotency-Key',
    'Content-Length',
    'Content-Type',
    'X-Service-Version',
    'X-Service-Signature',
    'X-Service-Timestamp',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Node keeps the first of some repeated headers and joins others with a comma: either way somebody would be misread. */
function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  let seen: string[] | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!once.has(name)) continue;
    seen ??= [];
    if (seen.includes(name)) throw refusal('header_repeated', { param: once.get(name)! });
    seen.push(name);
  }
}

function refuseAddress(key: KeyWithAccount, address: string): void {
  if (key.allowed_ips === null) return;
  const client = ipaddr.process(address);
  const inside = key.allowed_ips.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === client.kind() && client.match(network as never, bits);
  });
  if (!inside) throw refusal('ip_not_allowed', { address });
}

function refuseBodyOfGet(raw: IncomingMessage, operation: AnyOperation): void {
  if (operation.method !== 'GET') return;
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
  if (encoding !== undefined || (length !== undefined && Number(length) > 0))
    throw refusal('body_invalid', { reason: 'A GET request takes its parameters in the query, not in a body.' });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
