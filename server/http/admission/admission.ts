import { Refusal } from '../../base/errors.ts';
import type { Page } from '../../base/page.ts';
import { rateLimitOf } from '../../resources/accounts/account.ts';
import type { KeyWithAccount } from '../../resources/api_keys/api_key.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { allows } from '../../resources/scope.ts';
import { refusal } from '../errors.ts';
import { type Exchange, headerOf, type KeyCaller } from '../exchange.ts';
import type { AddressLimiter } from './address_limit.ts';
import { refuseAddress } from './addresses.ts';
import { refuseAmbiguous } from './ambiguous.ts';
import { type Authenticator, unknownKey } from './authenticate.ts';
import { type Granted, type RateLimiter, rateRefusal } from './rate_limit.ts';
import type { Routes } from './routes.ts';
import { checkVersion } from './versions.ts';

export type AdmissionParts = { keys: Authenticator; rates: RateLimiter; addresses: AddressLimiter };

/** The caller and the operation of a request that may be read. */
export type Admitted = { caller: KeyCaller; operation: AnyOperation };

/** All checks before the body is read, in the order in which a caller may learn their outcome. */
export async function admit(
  exchange: Exchange,
  { keys, rates, addresses }: AdmissionParts,
  routes: Routes,
): Promise<Admitted> {
  const { request, operation } = exchange;
  const key = await authenticate(exchange, keys, addresses);
  const caller = { kind: 'key', tenant: key.tenant, mode: key.mode, key } as const;
  exchange.caller = caller;
  applyGrant(exchange, await rates.take(key.tenant, rateLimitOf(key), operation?.name));
  checkVersion(exchange.version, request.headers.accept, headerOf(exchange, 'x-service-version'));
  if (operation === undefined) throw routes.unrecognized(exchange);
  if (key.account_status === 'suspended') throw refusal('account_suspended', {});
  refuseAddress(key.allowed_ips, exchange.address);
  if (!allows(key.scopes, operation.scope)) throw refusal('scope_missing', { scope: operation.scope });
  if (operation.operatorInLive !== undefined && key.mode === 'live')
    throw refusal('role_missing', { command: operation.operatorInLive });
  if (operation.method === 'GET') refuseBody(exchange);
  return { caller, operation };
}

/** Counts a request without a valid key against its address, so that guessing keys ends in 429. */
async function authenticate(
  exchange: Exchange,
  keys: Authenticator,
  addresses: AddressLimiter,
): Promise<KeyWithAccount> {
  const { request, address } = exchange;
  const found = await countingRefusals(exchange, addresses, async () => {
    refuseAmbiguous(exchange);
    return keys.authenticate(request.headers.authorization, request.socket, address);
  });
  if ('key' in found) return found.key;
  applyGrant(exchange, found.counted);
  throw unknownKey();
}

async function countingRefusals<T>(exchange: Exchange, addresses: AddressLimiter, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) applyGrant(exchange, addresses.take(exchange.address));
    throw error;
  }
}

/** Admits a request to a page, which needs no key. The page declares which requests count against their address. */
export function admitToPage(exchange: Exchange, addresses: AddressLimiter, counted: Page['counted']): void {
  refuseAmbiguous(exchange);
  if (counted === true) return void applyGrant(exchange, addresses.take(exchange.address));
  exchange.rate = addresses.peek(exchange.address);
  // Where only refused requests count, an address whose refused requests have used up its window is not served.
  if (counted === 'refused' && exchange.rate.remaining === 0) throw rateRefusal(exchange.rate);
}

function applyGrant(exchange: Exchange, { admitted, state }: Granted): void {
  exchange.rate = state;
  if (!admitted) throw rateRefusal(state);
}

function refuseBody({ request }: Exchange): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && Number(length) > 0))
    throw refusal('body_invalid', { reason: 'A GET request takes its parameters in the query, not in a body.' });
}
