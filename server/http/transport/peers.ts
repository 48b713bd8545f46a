import type { Socket } from 'node:net';
import { networkOf } from '../../base/ip_range.ts';
import type { Log } from '../../base/log.ts';
import { after } from '../../base/timers.ts';
import { isTrusted, peerAddress, type TrustedProxies } from './client_address.ts';
import type { Limits } from './limits.ts';

/** Counts open connections by the address of the other end, so that one address cannot take them all. */
export class Peers {
  readonly #limits: Limits;
  readonly #trusted: TrustedProxies;
  readonly #log: Log;
  readonly #open = new Map<string, number>();
  readonly #noted = new Set<string>();

  constructor(limits: Limits, trusted: TrustedProxies, log: Log) {
    this.#limits = limits;
    this.#trusted = trusted;
    this.#log = log;
  }

  /** Counts a new connection until it is closed; false when its address has too many. */
  admit(socket: Socket): boolean {
    const address = peerAddress(socket);
    // A connection that is already gone needs no place. A proxy has the connections of all its clients.
    if (address === undefined || isTrusted(address, this.#trusted)) return true;
    const network = networkOf(address);
    const open = this.#open.get(network) ?? 0;
    if (open >= this.#limits.connectionsPerAddressMax) {
      this.#note(network, address);
      return false;
    }
    this.#open.set(network, open + 1);
    socket.once('close', () => this.#leave(network));
    return true;
  }

  #leave(network: string): void {
    const left = (this.#open.get(network) ?? 0) - 1;
    if (left > 0) this.#open.set(network, left);
    else this.#open.delete(network);
  }

  #note(network: string, address: string): void {
    if (this.#noted.has(network)) return;
    this.#noted.add(network);
    after(this.#limits.addressNoteMs, () => this.#noted.delete(network));
    const { connectionsPerAddressMax } = this.#limits;
    this.#log.warn({ address, connectionsPerAddressMax }, 'an address has too many connections, closing new ones');
  }
}
