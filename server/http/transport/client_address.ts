import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The networks of the proxies that are believed about the client's address and scheme. */
export type TrustedProxies = readonly (readonly [network: IpAddress, bits: number])[];

/** Stands for an address that cannot be known any more, because the connection is gone. */
export const unspecified = '0.0.0.0';

/** Reads addresses (`10.0.0.1`, `fd00::1`) and networks (`10.0.0.0/8`). Throws on anything else: it is configuration. */
export function parseTrustedProxies(list: readonly string[]): TrustedProxies {
  return list.map((entry) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
    const network = readAddress(address);
    const width = network?.kind() === 'ipv4' ? 32 : 128;
    // ::ffff:10.0.0.0/104 is 10.0.0.0/8 in the longer notation.
    const isMapped = width === 32 && isIP(address) === 6;
    const length = bits === undefined ? width : Number(bits) - (isMapped ? 96 : 0);
    if (!network || length < 0 || length > width)
      throw new Error(`not an IP address or network of a trusted proxy: ${JSON.stringify(entry)}`);
    return [network, length];
  });
}

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

function readAddress(text: string): IpAddress | undefined {
  // The library also accepts 127.1, 0x7f.1 and 2130706433, which no socket and no proxy writes.
  const [address = ''] = text.split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

function isInsideAny(address: IpAddress, networks: TrustedProxies): boolean {
  return networks.some(([network, bits]) => isInside(address, network, bits));
}

export function isInside(address: IpAddress, network: IpAddress, bits: number): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
