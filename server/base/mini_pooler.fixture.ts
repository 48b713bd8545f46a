import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import type { DatabaseAddress } from './sql.ts';

type Options = {
  mode: 'transaction' | 'session';
  /** How many server connections all clients share. */
  backends: number;
  /** Which of the free ones is used: the one that was released last, as pgbouncer does, or the one that has been free for longest. */
  order: 'last' | 'first';
};

/** A server connection. The pooler has introduced itself; what the server said is repeated to each client. */
type Backend = { socket: Socket; greeting: Buffer; client: Client | undefined };
type Client = { socket: Socket; backend: Backend | undefined; waiting: Buffer[] };

const keyData = 0x4b; // 'K'
const readyForQuery = 0x5a; // 'Z'
const idle = 0x49; // 'I': in no transaction

/** A small pooler in the way of pgbouncer, for one user and one database of a server that asks for no password. */
export class MiniPooler {
  readonly #target: NetConnectOpts;
  readonly #options: Options;
  readonly #sockets = new Set<Socket>();
  readonly #queue: Client[] = [];
  #free: Backend[] = [];
  #opened: Promise<Backend>[] = [];
  #server: Server | undefined;
  #clients = 0;

  constructor(database: DatabaseAddress, options: Options) {
    const { host, port } = database as { host: string; port: number };
    this.#target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    this.#options = options;
  }

  async listen(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#keep(socket);
      socket.once('data', (startup) => void this.#admit(socket, startup));
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  through(database: DatabaseAddress): DatabaseAddress {
    const { port } = this.#server!.address() as AddressInfo;
    return { ...(database as Extract<DatabaseAddress, { host: string }>), host: '127.0.0.1', port };
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server?.close();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket)));
  }

  /** The first client's startup message opens all server connections. Each client gets a process id that the pooler made up. */
  async #admit(socket: Socket, startup: Buffer): Promise<void> {
    if (this.#opened.length === 0)
      this.#opened = Array.from({ length: this.#options.backends }, () => this.#open(startup));
    const [{ greeting }] = (await Promise.all(this.#opened)) as [Backend];
    const client: Client = { socket, backend: undefined, waiting: [] };
    const own = Buffer.from(greeting);
    for (const { at, kind } of messagesIn(own)) if (kind === keyData) own.writeInt32BE(++this.#clients, at + 5);
    socket.write(own);
    socket.on('data', (bytes) => this.#forward(client, bytes));
    socket.on('close', () => {
      if (client.backend !== undefined) this.#release(client.backend);
    });
  }

  #open(startup: Buffer): Promise<Backend> {
    const socket = connect(this.#target);
    this.#keep(socket);
    socket.write(startup);
    const opened = Promise.withResolvers<Backend>();
    let greeting: Buffer | undefined = Buffer.alloc(0);
    const backend: Backend = { socket, greeting, client: undefined };
    socket.on('data', (bytes) => {
      if (greeting !== undefined) {
        greeting = backend.greeting = Buffer.concat([greeting, bytes]);
        if (!endsIdle(greeting)) return;
        greeting = undefined;
        this.#free.push(backend);
        opened.resolve(backend);
        return;
      }
      backend.client?.socket.write(bytes);
      if (this.#options.mode === 'transaction' && endsIdle(bytes)) this.#release(backend);
    });
    return opened.promise;
  }

  #forward(client: Client, bytes: Buffer): void {
    client.waiting.push(bytes);
    if (client.backend === undefined && !this.#queue.includes(client)) this.#queue.push(client);
    this.#serve();
    if (client.backend !== undefined) for (const one of client.waiting.splice(0)) client.backend.socket.write(one);
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#free.length > 0) {
      const client = this.#queue.shift()!;
      const backend = (this.#options.order === 'last' ? this.#free.pop() : this.#free.shift())!;
      backend.client = client;
      client.backend = backend;
      for (const one of client.waiting.splice(0)) backend.socket.write(one);
    }
  }

  #release(backend: Backend): void {
    if (backend.client === undefined) return;
    backend.client.backend = undefined;
    backend.client = undefined;
    this.#free.push(backend);
    this.#serve();
  }
}

function* messagesIn(bytes: Buffer): Generator<{ at: number; kind: number }> {
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) yield { at, kind: bytes[at]! };
}

/** Whether the server has said everything, and is in no transaction. */
function endsIdle(bytes: Buffer): boolean {
  return (
    bytes.length >= 6 &&
    bytes.at(-6) === readyForQuery &&
    bytes.readInt32BE(bytes.length - 5) === 5 &&
    bytes.at(-1) === idle
  );
}
