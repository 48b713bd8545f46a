import { ApiError } from '../../base/errors.ts';
import { isInsideAny, readAddress, readRange } from '../../base/ip_range.ts';
import type { Page } from '../../base/page.ts';
import { installation, type KeyWithAccount, type VisitorCaller } from '../../operations/caller.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { allows, scopeOfAny } from '../../operations/scope.ts';
import { rateLimitOf } from '../../resources/people/accounts/account.ts';
import { apiError } from '../errors.ts';
import type { Exchange, RequestCaller } from '../exchange.ts';
import type { AddressLimiter } from './address_limit.ts';
import { refuseAmbiguous } from './ambiguous.ts';
import { type Authenticator, unknownKey } from './authenticate.ts';
import { refuseForeignSite } from './own_site.ts';
import { admitPerson, type PersonParts, personOf } from './persons.ts';
import { accountPolicy, type Granted, type RateLimiter, rateRefusal } from './rate_limit.ts';
import type { Routes } from './routes.ts';
import { tokenIn } from './session_lookup.ts';
import { applyGrant, refuseVersion } from './steps.ts';

/** Refuses an address outside the list that a key is restricted to; null allows every address. */
function refuseAddress(allowed: readonly string[] | null, address: string): void {
  if (allowed === null) return;
  const client = readAddress(address);
  // Ranges were checked when the key was made. One that cannot be read permits nothing.
  const ranges = allowed.map(readRange).filter((range) => range !== undefined);
  if (client === undefined || !isInsideAny(client, ranges)) throw apiError('ip_not_allowed', { address });
}

export type AdmissionParts = PersonParts & {
  keys: Authenticator;
  rates: RateLimiter;
  addresses: AddressLimiter;
  /** Says how to raise the limit of an account, where the developer of a program is its operator too. */
  limitHint?: (account: string) => string;
  /** The error of every request while the database is silent; undefined while it is not. */
  database: { refusal(): Error | undefined };
};

/** The caller and the operation of a request that may be read. */
export type Admitted = { caller: RequestCaller; operation: AnyOperation };

/** All checks before the body is read, in the order in which a caller may learn their outcome. */
export async function admit(exchange: Exchange, parts: AdmissionParts, routes: Routes): Promise<Admitted> {
  // Before anything is looked up: lookups are shared, so this one could wait for another that began before the silence.
  const silent = parts.database.refusal();
  if (silent !== undefined) throw silent;
  const caller = await admitCaller(exchange, parts, routes);
  const operation = exchange.operation!;
  if (operation.method === 'GET') refuseBody(exchange);
  return { caller, operation };
}

/** With `Authorization` a cookie is ignored, even if the key is bad: a request has one caller. */
function admitCaller(
  exchange: Exchange,
  parts: AdmissionParts,
  routes: Routes,
): Promise<RequestCaller> | RequestCaller {
  const { request, operation } = exchange;
  if (request.headers.authorization !== undefined) return admitKey(exchange, parts, routes);
  const { callers = [] } = operation ?? {};
  const token = tokenIn(request.headers.cookie);
  if (token !== undefined && callers.includes('person') && callers.includes('visitor'))
    return admitEither(exchange, token, parts, routes);
  if (token !== undefined && (callers.includes('person') || !callers.includes('visitor')))
    return admitPerson(exchange, token, parts, routes);
  return callers.includes('visitor') ? admitVisitor(exchange, parts) : admitKey(exchange, parts, routes);
}

/** A browser may still have the cookie of a session that is over. */
async function admitEither(
  exchange: Exchange,
  token: string,
  parts: AdmissionParts,
  routes: Routes,
): Promise<RequestCaller> {
  refuseAmbiguous(exchange);
  const looked = await parts.sessions.find(token, exchange.address);
  if (personOf(looked) !== undefined) return admitPerson(exchange, token, parts, routes);
  return admitVisitor(exchange, parts, 'counted' in looked ? looked.counted : undefined);
}

async function admitKey(exchange: Exchange, parts: AdmissionParts, routes: Routes): Promise<RequestCaller> {
  const { keys, rates, addresses } = parts;
  const { operation } = exchange;
  const key = await authenticate(exchange, keys, addresses);
  const caller = { kind: 'key', tenant: key.tenant, mode: key.mode, key } as const;
  exchange.caller = caller;
  const granted = await rates.take(key.tenant, rateLimitOf(key), operation?.name);
  applyGrant(exchange, granted, granted.state.policy === accountPolicy ? parts.limitHint?.(key.account) : undefined);
  refuseVersion(exchange);
  // What only people may do is nothing that a key could find.
  if (!operation?.callers.includes('key')) throw routes.unrecognized(exchange);
  refuseKey(key, operation, exchange.address);
  if (operation.operatorInLive !== undefined && key.mode === 'live')
    throw apiError('role_missing', { reason: keyInLive(operation.operatorInLive) });
  if (operation.scope !== scopeOfAny) keys.noteScope(key, operation.scope);
  return caller;
}

/** What a key, or its account, can lose while a request of it runs. */
function refuseKey(key: KeyWithAccount, { scope }: AnyOperation, address: string): void {
  if (key.account_status === 'suspended') throw apiError('account_suspended', {});
  refuseAddress(key.allowed_ips, address);
  if (!allows(key.scopes, scope)) throw apiError('scope_missing', { scope });
}

/** Whether a key whose request was admitted a while ago may still have what it asked for. */
export async function isKeyStillAdmitted(
  { request, address }: Exchange,
  operation: AnyOperation,
  keys: Authenticator,
): Promise<boolean> {
  const key = await keys.check(request.headers.authorization, request.socket);
  if (key === undefined) return false;
  try {
    refuseKey(key, operation, address);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

function keyInLive(command: string): string {
  return `An API key cannot do this in live mode. The operator of this gateway does it: ${command}.`;
}

/** Somebody who signs in, or accepts an invitation. Counted by address, once. */
function admitVisitor(exchange: Exchange, { addresses, publicUrl }: AdmissionParts, counted?: Granted): VisitorCaller {
  refuseAmbiguous(exchange);
  applyGrant(exchange, counted ?? addresses.take(exchange.address));
  refuseVersion(exchange);
  refuseForeignSite(exchange, publicUrl());
  const browser = exchange.request.headers['user-agent'] ?? null;
  const caller: VisitorCaller = {
    kind: 'visitor',
    tenant: installation,
    mode: 'test',
    address: exchange.address,
    browser,
  };
  exchange.caller = caller;
  return caller;
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
    if (error instanceof ApiError) applyGrant(exchange, addresses.take(exchange.address));
    throw error;
  }
}

/** Admits a request to a page, which needs no key. The page declares which requests count against their address. */
export function admitToPage(exchange: Exchange, addresses: AddressLimiter, counted: Page['counted']): void {
  refuseAmbiguous(exchange);
  if (counted === true) return void applyGrant(exchange, addresses.take(exchange.address));
  if (counted === 'page' || counted === 'customer')
    return void applyGrant(exchange, addresses.take(exchange.address, counted));
  exchange.rate = addresses.peek(exchange.address);
  // Where only refused requests count, an address whose refused requests have used up its window is not served.
  if (counted === 'refused' && exchange.rate.remaining === 0) throw rateRefusal(exchange.rate);
}

function refuseBody({ request }: Exchange): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && Number(length) > 0))
    throw apiError('body_invalid', { reason: 'A GET request takes its parameters in the query, not in a body.' });
}
