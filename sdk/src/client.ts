import { Resources } from './generated/resources.ts';
import type { RequestOptions, TollgateOptions } from './options.ts';
import { type Method, Transport } from './transport.ts';

/** A client of the API: `tollgate.payments.create({ … })`. */
export class Tollgate extends Resources {
  readonly #transport: Transport;

  constructor(options: TollgateOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
  }

  /** Any request, for operations that this version does not know yet: `tollgate.request('POST', '/v1/payments', { … })`. */
  request<Result = unknown>(method: Method, path: string, params?: object, options?: RequestOptions): Promise<Result> {
    return this.#transport.send(method, path, params, options);
  }
}
