import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The proxies whose word on the client's address and scheme we take. */
export type TrustedProxies = readonly { network: IpAddress; bits: number }[];

/** Where an address cannot be known, because the connection is already gone. */
const unspecified = '0.0.0.0';

/** Reads addresses (`10.0.0.1`, `fd00::1`) and networks (`10.0.0.0/8`). Throws on anything else: it is configuration. */
export function parseTrustedProxies(list: readonly string[]): TrustedProxies {
  return list.map((entry) => {
    const [address = '', bits, ...rest] = entry.trim().split('/');
    const parsed = rest.length === 0 ? readAddress(address) : undefined;
    if (!parsed || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new Error(notAnAddress(entry));
    const width = parsed.kind() === 'ipv4' ? 32 : 128;
    // ::ffff:10.0.0.0/104 is 10.0.0.0/8 in the longer notation.
    const mapped = parsed.kind() === 'ipv4' && isIP(address) === 6;
    const length = bits === undefined ? width : Number(bits) - (mapped ? 96 : 0);
    if (length < 0 || length > width) throw new Error(notAnAddress(entry));
    return { network: parsed, bits: length };
  });
}

function notAnAddress(entry: string): string {
  return `not an IP address or network of a trusted proxy: ${JSON.stringify(entry)}`;
}

/** Whether the address is one of the proxies. */
export function isTrusted(address: string | undefined, trusted: TrustedProxies): boolean {
  const parsed = address === undefined ? undefined : readAddress(address);
  return parsed !== undefined && isInside(parsed, trusted);
}

/**
 * The client's address, IPv4 written as IPv4. Without trusted proxies, or for a peer that is none of them, it is the
 * peer's: everybody can send `X-Forwarded-For`. Otherwise the rightmost entry that is not a trusted proxy, because each
 * proxy appends the address that it saw and everything further left may be made up. When an entry is no address, the
 * proxy that passed it on is as near to the client as we can tell.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedProxies | undefined): string {
  const peer = readAddress(req.socket.remoteAddress ?? unspecified);
  if (!peer) return unspecified;
  let nearest = peer;
  if (trusted && isInside(peer, trusted)) {
    for (const entry of forwardedFor(req).reverse()) {
      const hop = readAddress(withoutPort(entry.trim()));
      if (!hop) break;
      nearest = hop;
      if (!isInside(hop, trusted)) break;
    }
  }
  return nearest.toString();
}

/** The other end of the connection, IPv4 written as IPv4; nothing when it is gone and nobody asked before. */
export function peerAddress(socket: Socket): string | undefined {
  return socket.remoteAddress === undefined ? undefined : readAddress(socket.remoteAddress)?.toString();
}

/** The entries in the order they were sent; several header lines count as one list. */
function forwardedFor(req: IncomingMessage): string[] {
  const lines = req.headersDistinct['x-forwarded-for'];
  return lines ? lines.join(',').split(',') : [];
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

function readAddress(text: string): IpAddress | undefined {
  // The library also takes 127.1, 0x7f.1 and 2130706433; what a socket or a proxy writes is never that.
  const [address = ''] = text.split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

function isInside(address: IpAddress, trusted: TrustedProxies): boolean {
  return trusted.some(({ network, bits }) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
    return network instanceof ipaddr.IPv6 && address.match(network, bits);
  });
}
