import { hostname } from 'node:os';

/** Every leaf is valid for these. */
export const loopbackNames = ['localhost'] as const;
export const loopbackAddresses = ['127.0.0.1', '::1'] as const;

/** The limit of RFC 1035 for a whole name. */
const nameCharactersMax = 253;
const namePattern = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;

/** The machine's own name, if a certificate can hold it: machines are also named `my_box`, `10.0.0.7` or nothing. */
export function machineName(name: string = hostname()): string | undefined {
  const lower = name.toLowerCase();
  const usable = lower.length <= nameCharactersMax && namePattern.test(lower) && !/^[\d.]+$/.test(lower);
  return usable && lower !== 'localhost' ? lower : undefined;
}

const tag = { sequence: 0x30, permittedSubtrees: 0xa0, dnsName: 0x82, ipAddress: 0x87 };

/** One DER element. */
function element(identifier: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.of(identifier, body.length), body]);
  if (body.length <= 0xff) return Buffer.concat([Buffer.of(identifier, 0x81, body.length), body]);
  return Buffer.concat([Buffer.of(identifier, 0x82, body.length >> 8, body.length & 0xff), body]);
}

/**
 * The value of the name constraints extension: the authority can sign for these names and for loopback only. If its key is stolen, a
 * machine that trusts it can still not be deceived about any other name.
 */
export function nameConstraints(names: readonly string[]): Buffer {
  const loopback4 = Buffer.of(127, 0, 0, 0, 255, 0, 0, 0);
  const loopback6 = Buffer.concat([Buffer.alloc(15), Buffer.of(1), Buffer.alloc(16, 0xff)]);
  const subtrees = [
    ...names.map((name) => element(tag.dnsName, Buffer.from(name, 'latin1'))),
    element(tag.ipAddress, loopback4),
    element(tag.ipAddress, loopback6),
  ];
  return element(tag.sequence, element(tag.permittedSubtrees, ...subtrees.map((name) => element(tag.sequence, name))));
}
