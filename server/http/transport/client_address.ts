import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type IpRange, isInsideAny, readAddress } from '../../base/ip_range.ts';

/** The proxies that are believed about the client's address and scheme. */
export type TrustedProxies = readonly IpRange[];

/** Stands for an address that is no longer known, because the connection is gone. */
export const unspecified = '0.0.0.0';

/** Whether the address is that of a trusted proxy. */
export function isTrusted(address: string | undefined, trusted: TrustedProxies): boolean {
  const parsed = address === undefined ? undefined : readAddress(address);
  return parsed !== undefined && isInsideAny(parsed, trusted);
}

/**
 * The client's address, IPv4 in IPv4 notation. It is the peer's, unless the peer is a trusted proxy: every client can send
 * `X-Forwarded-For`. Behind a proxy it is the rightmost entry that is not a trusted proxy, because each proxy appends the
 * address that it saw, and entries further left may be made up. An entry that is not an address ends the search: the proxy
 * that passed it on is then the nearest known to the client.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedProxies | undefined): string {
  const peer = readAddress(req.socket.remoteAddress ?? unspecified);
  if (!peer) return unspecified;
  let nearest = peer;
  if (trusted && isInsideAny(peer, trusted)) {
    for (const entry of forwardedFor(req).reverse()) {
      const hop = readAddress(withoutPort(entry.trim()));
      if (!hop) break;
      nearest = hop;
      if (!isInsideAny(hop, trusted)) break;
    }
  }
  return nearest.toString();
}

/** The other end of the connection, IPv4 in IPv4 notation; undefined when the connection is gone. */
export function peerAddress({ remoteAddress }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : readAddress(remoteAddress)?.toString();
}

/** The entries in the order in which they were sent. Several header lines are one list. */
function forwardedFor(req: IncomingMessage): string[] {
  const lines = req.headersDistinct['x-forwarded-for'];
  return lines ? lines.join(',').split(',') : [];
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}
