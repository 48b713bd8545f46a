import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type IpRange = readonly [network: IpAddress, bits: number];

/** An address in its common notation; undefined for any other text. An IPv4 address that is mapped into IPv6 becomes IPv4. */
export function readAddress(text: string): IpAddress | undefined {
  // The library also accepts 127.1, 0x7f.1 and 2130706433, which no socket writes and people rarely mean.
  const [address = ''] = text.split('%', 1);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

/** A range (`10.0.0.0/8`, `fd00::/8`) or a single address; undefined for any other text. */
export function readRange(text: string): IpRange | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const network = readAddress(address);
  if (network === undefined) return undefined;
  const width = network.kind() === 'ipv4' ? 32 : 128;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8 in the longer notation.
  const isMapped = width === 32 && isIP(address) === 6;
  const length = bits === undefined ? width : Number(bits) - (isMapped ? 96 : 0);
  return length < 0 || length > width ? undefined : [network, length];
}

/** Reads an operator's list. Throws on an entry that is not a range or an address. */
export function parseRanges(texts: readonly string[]): IpRange[] {
  return texts.map((text) => {
    const range = readRange(text.trim());
    if (range !== undefined) return range;
    throw new Error(`"${text}" is not a range of addresses: write it like 10.0.0.0/8, fd00::/8 or 192.168.1.7`);
  });
}

export function isInsideAny(address: IpAddress, ranges: readonly IpRange[]): boolean {
  // The library throws when an address and a range are of different families.
  return ranges.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

/** Internet providers assign each customer a /64 of IPv6 or more, so a /64 counts as one address. */
export function networkOf(address: string): string {
  return networksOf(address)[0];
}

/**
 * The first and the last network, in the order of their texts, that people would call the same one: an IPv4 address and the others of its
 * /24, which a provider gives to the same customer day by day; the /64 of an IPv6 address stands alone.
 */
export function nearbyNetworks(network: string): readonly [first: string, last: string] {
  if (network.includes(':')) return [network, network];
  const site = network.slice(0, network.lastIndexOf('.') + 1);
  return [site, `${site}~`];
}

/** The /64 of an IPv6 address, and its /48, which is all that an organisation usually gets. An IPv4 address stands alone. */
export function networksOf(address: string): readonly [network: string, site?: string] {
  if (!address.includes(':')) return [address]; // parsing it would cost more than the rest of the rate limit
  const parsed = readAddress(address);
  if (!(parsed instanceof ipaddr.IPv6)) return [address];
  return [parsed.parts.slice(0, 4).join(':'), parsed.parts.slice(0, 3).join(':')];
}
