import type { Mode } from '../../base/reads.ts';
import type { MemberAccount, SignedIn } from '../../operations/caller.ts';
import { installation, type PersonCaller, refuseWithout } from '../../operations/caller.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { permits, type Right } from '../../operations/role.ts';
import { apiError } from '../errors.ts';
import { type Exchange, headerOf } from '../exchange.ts';
import { preferredMedia } from '../media.ts';
import type { AddressLimiter } from './address_limit.ts';
import { refuseAmbiguous } from './ambiguous.ts';
import type { FoundOrCounted } from './guesses.ts';
import { refuseForeignSite, refuseForgery } from './own_site.ts';
import type { RateLimiter } from './rate_limit.ts';
import type { Routes } from './routes.ts';
import { type FoundSession, type SessionLookup, tokenIn } from './session_lookup.ts';
import { applyGrant, refuseVersion } from './steps.ts';

export type PersonParts = {
  sessions: SessionLookup;
  rates: RateLimiter;
  addresses: AddressLimiter;
  /** Where browsers reach this gateway. */
  publicUrl: () => string;
};

/** A request with the cookie of a session, checked in the order of one with a key. */
export async function admitPerson(
  exchange: Exchange,
  token: string,
  parts: PersonParts,
  routes: Routes,
): Promise<PersonCaller> {
  const { operation } = exchange;
  const person = await authenticate(exchange, token, parts);
  exchange.caller = alone(person, exchange);
  applyGrant(exchange, await parts.rates.takeForPerson(person.user));
  refuseVersion(exchange);
  if (!operation?.callers.includes('person')) throw routes.unrecognized(exchange);
  if (operation.method !== 'GET') {
    refuseForeignSite(exchange, parts.publicUrl());
    refuseForgery(exchange, person.csrfToken);
  }
  if (operation.isPersonal) return exchange.caller as PersonCaller;
  const caller = inAccount(person, exchange);
  exchange.caller = caller;
  await takeEndpointLimit(exchange, caller, parts.rates);
  refuseRole(operation, caller, exchange);
  return caller;
}

/** A token that nobody has is counted by address, as a wrong key is. */
async function authenticate(
  exchange: Exchange,
  token: string,
  { sessions, addresses }: PersonParts,
): Promise<SignedIn> {
  refuseAmbiguous(exchange);
  const looked = await sessions.find(token, exchange.address);
  const person = personOf(looked);
  if (person !== undefined) return person;
  if ('found' in looked) exchange.endedSession = looked.found;
  applyGrant(exchange, 'found' in looked ? addresses.take(exchange.address) : looked.counted);
  throw apiError('session_invalid', { param: 'Cookie' });
}

/** Whose session it is, if it lasts. */
export function personOf(looked: FoundOrCounted<FoundSession>): SignedIn | undefined {
  return 'found' in looked && !looked.found.over ? looked.found : undefined;
}

/**
 * Whether a person whose request was admitted a while ago may still have what it asked for. With another role it has to ask again, because
 * what it gets may depend on the role.
 */
export async function isStillAdmitted(
  { request }: Exchange,
  { right }: AnyOperation,
  { account, mode, role }: PersonCaller,
  sessions: SessionLookup,
): Promise<boolean> {
  const found = await sessions.check(tokenIn(request.headers.cookie) ?? '');
  const member = found?.accounts.find(({ id }) => id === account);
  if (found === undefined || member === undefined || member.role !== role) return false;
  return member.status !== 'suspended' && !lacksAuthenticator(found, member) && permits(member.role, mode, right);
}

function alone(person: SignedIn, { address }: Exchange): PersonCaller {
  return { kind: 'person', tenant: installation, mode: 'test', person, account: null, role: null, address };
}

function inAccount(person: SignedIn, exchange: Exchange): PersonCaller {
  const id = requiredHeader(exchange, 'X-Tollgate-Account');
  const mode = requiredHeader(exchange, 'X-Tollgate-Mode');
  if (mode !== 'test' && mode !== 'live')
    throw apiError('parameter_invalid', { param: 'X-Tollgate-Mode', reason: 'it must be test or live' });
  const member = person.accounts.find((account) => account.id === id);
  // Whether the account exists is not told to somebody who does not work in it.
  if (member === undefined) throw apiError('role_missing', { reason: 'You have no role in this account.' });
  if (member.status === 'suspended') throw apiError('account_suspended', {});
  if (lacksAuthenticator(person, member)) throw apiError('role_missing', { reason: authenticatorNeeded });
  return callerIn(person, member, mode, exchange.address);
}

const authenticatorNeeded =
  'This account requires an authenticator. Set one up in your profile (POST /v1/me/totp), then try again.';

function lacksAuthenticator({ totpEnabled }: SignedIn, { totp_required }: MemberAccount): boolean {
  return totp_required && !totpEnabled;
}

function callerIn(person: SignedIn, { id, role, tenants }: MemberAccount, mode: Mode, address: string): PersonCaller {
  return { kind: 'person', tenant: tenants[mode], mode, person, account: id, role, address };
}

function requiredHeader(exchange: Exchange, name: string): string {
  const value = headerOf(exchange, name.toLowerCase());
  if (value === undefined || value === '') throw apiError('parameter_missing', { param: name });
  return value;
}

/** Endpoints that are limited on their own, against card testing, are so for people too. */
async function takeEndpointLimit(exchange: Exchange, caller: PersonCaller, rates: RateLimiter): Promise<void> {
  const granted = await rates.takeForEndpoint(caller.tenant, exchange.operation!.name);
  if (granted !== undefined) applyGrant(exchange, granted);
}

/** Where some parameters need a lesser right, the parameters decide, once they are read. */
function refuseRole({ right, lesser, offers }: AnyOperation, caller: PersonCaller, { request }: Exchange): void {
  refuseWithout(
    caller,
    lesser !== undefined && permits(caller.role!, caller.mode, lesser.right) ? lesser.right : right,
  );
  if (preferredMedia(request.headers.accept, offers) !== undefined) refuseWithout(caller, exporting);
}

/** A file of a whole list is more than reading page by page. */
const exporting: Right = 'read_money';
