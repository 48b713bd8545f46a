import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../base/clock.ts';
import { type IpAddress, type IpRange, isInsideAny, readAddress } from '../base/ip_range.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import type { Lookup } from './resolve.ts';

/** Where webhooks may be sent. Merchants choose the URLs: without these rules they could send requests into the operator's network. */
export type TargetRules = {
  httpAllowed: boolean;
  /** In addition to all public addresses, on every port. */
  allowed: readonly IpRange[];
  /** This gateway, which is no target unless its address is among those that are allowed. */
  own?: OwnAddresses | undefined;
};

/** The addresses of this machine in their common notation, and where clients reach the gateway. */
export type OwnAddresses = { addresses: ReadonlySet<string>; publicUrl: string };

/** The host and the port of a URL. */
export type TargetHost = { hostname: string; port: number };

const urlCharsMax = 2_048;
const lookupMs = 5_000; // the request that creates or changes an endpoint waits for the lookup

/** The only IPv6 range with public unicast addresses: unlike a list of exceptions, it cannot be incomplete. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a connection to this address is allowed. Any text that is not an address is refused. */
export function isAllowedAddress(address: string, rules: TargetRules): boolean {
  return isInRange(address, rules) || isForeign(address, rules);
}

function isInRange(address: string, { allowed }: TargetRules): boolean {
  const parsed = readAddress(address);
  return parsed !== undefined && isInsideAny(parsed, allowed);
}

/** Public, and of another machine: here, a firewall would not be in the way. */
function isForeign(address: string, { own }: TargetRules): boolean {
  const parsed = readAddress(address);
  return parsed !== undefined && isPublic(parsed) && !own?.addresses.has(parsed.toString());
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

const notPublic = 'it does not lead to a public address';
const ownAddress = 'it leads to this gateway itself';
const unusualPort = 'its port must be 80, 443 or above 1023';
const usualPorts = [80, 443];
const unusualPortMax = 1_023; // where mail servers, shells and the like listen
const withUser = 'it must not contain a user or a password';
const notUrl = 'it is not a URL';
const wrongPort = 'its port must be a number from 1 to 65535';
/** The text before the port, and the port, whatever characters it has. */
const portSyntax = /^(\w+:\/\/[^/?#]+):[^:/?#@\]]*(?=[/?#]|$)/;

/** The reason why the text of a URL alone is refused; it completes "The address of the endpoint is not allowed: …". */
export function refuseUrl(url: string, rules: TargetRules): string | undefined {
  if (url.length > urlCharsMax) return `it is longer than ${urlCharsMax} characters`;
  // The parser removes tabs and line ends and replaces backslashes: the URL that people read would not be the one that is used.
  if (/[\s\\\x00-\x1f\x7f]/.test(url)) return notUrl;
  if (!URL.canParse(url)) return URL.canParse(url.replace(portSyntax, '$1')) ? wrongPort : notUrl;
  const scheme = rules.httpAllowed ? /^https?:\/\//i : /^https:\/\//i;
  if (!scheme.test(url)) return `it must begin with https://${rules.httpAllowed ? ' or http://' : ''}`;
  if (/^\w+:\/\/[^/?#]*@/.test(url)) return withUser;
  if (url.includes('#')) return 'it must not have a fragment';
  const { port, username, password } = new URL(url);
  // As the parser reads it too, which ignores further slashes: https:///user@example.com/
  if (username !== '' || password !== '') return withUser;
  if (port === '0') return wrongPort;
  return refuseHost(targetHostOf(url), rules);
}

/** For a host as the URL parser gives it, which writes every notation of an address in the common one. */
export function refuseHost(target: TargetHost, rules: TargetRules): string | undefined {
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return refuseAddresses([host], target, rules);
  if (/(^|\.)localhost$/i.test(host)) return isAllowedAddress('127.0.0.1', rules) ? undefined : notPublic;
  // Such names exist only inside a network, so they are allowed only when the operator allows a range.
  if (/\.(local|internal)$/i.test(host) && rules.allowed.length === 0) return notPublic;
  return undefined;
}

/** One refused address refuses the name, because any of its addresses may be used. */
export function refuseAddresses(
  addresses: readonly string[],
  target: TargetHost,
  rules: TargetRules,
): string | undefined {
  const others = addresses.filter((address) => !isInRange(address, rules));
  if (others.length === 0) return undefined;
  if (isOwnHost(target, rules)) return ownAddress;
  if (!others.every((address) => isForeign(address, rules)))
    return others.every((address) => isForeign(address, { ...rules, own: undefined })) ? ownAddress : notPublic;
  return usualPorts.includes(target.port) || target.port > unusualPortMax ? undefined : unusualPort;
}

function isOwnHost({ hostname, port }: TargetHost, { own }: TargetRules): boolean {
  if (own === undefined || !URL.canParse(own.publicUrl)) return false;
  const there = targetHostOf(own.publicUrl);
  return hostname.replace(/\.$/, '') === there.hostname && port === there.port;
}

function targetHostOf(url: string): TargetHost {
  const { hostname, port, protocol } = new URL(url);
  return { hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Like `refuseUrl`, but also resolves the name. Each send checks the addresses again. */
export async function checkTarget(url: string, rules: TargetRules, lookup: Lookup): Promise<string | undefined> {
  const refused = refuseUrl(url, rules);
  if (refused !== undefined) return refused;
  const target = targetHostOf(url);
  const { hostname } = target;
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return undefined;
  const found = lookup(hostname).catch(() => []);
  const addresses = (await settlesWithin(found, lookupMs)) ? await found : [];
  if (addresses.length === 0) return 'its name could not be resolved';
  return refuseAddresses(addresses, target, rules);
}

const ownAddressesMs = 10_000; // an address may move to this machine when another one fails

/** The addresses of this machine, in their common notation. */
export function ownAddresses(clock: Pick<Clock, 'monotonic'>): () => ReadonlySet<string> {
  let addresses: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() - readAt < ownAddressesMs) return addresses;
    readAt = clock.monotonic();
    const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    addresses = new Set(all.map(({ address }) => String(readAddress(address))));
    return addresses;
  };
}
