import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Contract } from './contract/contract.ts';

export type Answer = {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
  /** The body as JSON; reading it fails when it is not. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
};

function isStream({ headers }: http.IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false;
}

export type RequestOptions = {
  headers?: http.OutgoingHttpHeaders;
  /** An object is sent as JSON, a string or bytes as they are. */
  body?: object | string | Buffer;
};

let turn = 0;

/**
 * A plain HTTPS client: it sends the request as given and returns the whole answer. An answer that the contract of the server does not
 * allow fails the request. Several servers take its requests in turns, all under the name of the first, as behind a load balancer.
 */
export class Client {
  readonly #servers: readonly string[];
  readonly #key: string | undefined;
  readonly #headers: http.OutgoingHttpHeaders;
  readonly #agent: http.Agent | https.Agent;
  readonly #contract: Contract | undefined;

  constructor(
    servers: string | readonly string[],
    ca: string,
    key?: string,
    contract?: Contract,
    agent = agentFor([servers].flat()[0]!, ca),
    headers: http.OutgoingHttpHeaders = {},
  ) {
    this.#servers = [servers].flat();
    this.#key = key;
    this.#headers = headers;
    this.#contract = contract;
    this.#agent = agent;
  }

  /** A client with another key on the same connections: a new connection takes more processor time than a request. */
  as(key?: string): Client {
    return new Client(this.#servers, '', key, this.#contract, this.#agent);
  }

  /** The same client for the first server alone: for what each has by itself, as the limits of addresses. */
  get first(): Client {
    return new Client(this.#servers[0]!, '', this.#key, this.#contract, this.#agent, this.#headers);
  }

  /** A client that sends these headers with each request, on the same connections. A header that is undefined is not sent. */
  with(headers: http.OutgoingHttpHeaders): Client {
    const all = { ...this.#headers, ...headers };
    return new Client(this.#servers, '', this.#key, this.#contract, this.#agent, all);
  }

  /** Those that it sends with each request, for the same person at another server. */
  get headers(): http.OutgoingHttpHeaders {
    return this.#headers;
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.request('GET', path, options);
  }

  post(path: string, body?: object | string | Buffer, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.request('POST', path, { headers, ...(body === undefined ? {} : { body }) });
  }

  form(path: string, body: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.post(path, body, { 'Content-Type': 'application/x-www-form-urlencoded', ...headers });
  }

  delete(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.request('DELETE', path, { headers });
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body } = options;
    const plain = typeof body === 'object' && !Buffer.isBuffer(body);
    const bytes = body === undefined ? undefined : Buffer.from(plain ? JSON.stringify(body) : (body as string));
    const headers: http.OutgoingHttpHeaders = {
      ...(this.#servers.length > 1 ? { Host: new URL(this.#servers[0]!).host } : {}),
      ...(this.#key === undefined ? {} : { Authorization: `Bearer ${this.#key}` }),
      ...(plain ? { 'Content-Type': 'application/json' } : {}),
      ...(bytes === undefined ? {} : { 'Content-Length': bytes.length }),
      ...this.#headers,
      ...options.headers,
    };
    for (const name of Object.keys(headers)) if (headers[name] === undefined) delete headers[name];
    const baseUrl = this.#servers[turn++ % this.#servers.length]!;
    const module = baseUrl.startsWith('https:') ? https : http;
    return new Promise((resolve, reject) => {
      const request = module.request(baseUrl + path, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        const finish = () => {
          const received = Buffer.concat(chunks);
          const text = received.toString();
          const [status, answered] = [response.statusCode!, response.headers];
          try {
            this.#contract?.check({ method, path, status, headers: answered, text });
          } catch (error) {
            return reject(error);
          }
          resolve({
            status,
            headers: answered,
            text,
            bytes: received,
            get json() {
              return JSON.parse(text);
            },
          });
        };
        response.on('end', finish);
        // A stream does not end: its beginning is the answer.
        if (isStream(response)) response.once('data', () => finish()).once('data', () => response.destroy());
      });
      request.on('error', reject);
      request.end(bytes);
    });
  }

  /** An answer as it comes, for one that does not end. On a separate connection. */
  async open(path: string, more: http.OutgoingHttpHeaders = {}): Promise<http.IncomingMessage> {
    const authorization = this.#key === undefined ? {} : { Authorization: `Bearer ${this.#key}` };
    const headers = { ...authorization, ...this.#headers, ...more };
    const agent = new https.Agent({ ...(this.#agent as https.Agent).options, keepAlive: false });
    const [response] = await once(https.get(this.#servers[0] + path, { headers, agent }), 'response');
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function agentFor(baseUrl: string, ca: string): http.Agent | https.Agent {
  // Requests at the same moment are many enough with these. A connection takes 4 ms of processor time, for both ends; a request takes less than 1.
  const options = { keepAlive: true, maxSockets: 30 };
  return baseUrl.startsWith('https:') ? new https.Agent({ ...options, ca }) : new http.Agent(options);
}
