import type { Transport } from './transport.ts';

/** The operations of one resource. */
export class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}
