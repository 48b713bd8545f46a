import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { refusal } from '../errors.ts';
import { clientAddress, parseTrustedProxies, type TransportOptions, type TrustedProxies } from '../transport/index.ts';

/** Tells which address a request comes from. */
export class ClientAddresses {
  readonly #trusted: TrustedProxies | undefined;
  /** Without a proxy a connection has one client, so its address is parsed once. */
  readonly #known = new WeakMap<Socket, string>();

  constructor(tls: TransportOptions['tls']) {
    this.#trusted = tls.kind === 'proxy' ? parseTrustedProxies(tls.trustedProxies) : undefined;
  }

  of(request: IncomingMessage): string {
    if (this.#trusted !== undefined) return clientAddress(request, this.#trusted);
    const known = this.#known.get(request.socket);
    if (known !== undefined) return known;
    const address = clientAddress(request, undefined);
    this.#known.set(request.socket, address);
    return address;
  }
}

/** Refuses an address outside the list that a key is restricted to; null allows every address. */
export function refuseAddress(allowed: readonly string[] | null, address: string): void {
  if (allowed === null) return;
  const client = ipaddr.process(address);
  if (!allowed.some((range) => contains(range, client))) throw refusal('ip_not_allowed', { address });
}

/** `range` is a network (`10.0.0.0/8`) or a single address. */
function contains(range: string, client: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const single = range.includes(':') ? `${range}/128` : `${range}/32`;
  const [network, bits] = ipaddr.parseCIDR(range.includes('/') ? range : single);
  if (client instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && client.match(network, bits);
  return network instanceof ipaddr.IPv6 && client.match(network, bits);
}
