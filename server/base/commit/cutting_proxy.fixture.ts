import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import type { DatabaseAddress } from '../sql.ts';

/** What to do, once, when a client sends a message that contains these bytes. */
type Plan = { when: string; then: 'cut before' | 'cut after' | 'keep the reply' };

/**
 * A proxy between a client and PostgreSQL that breaks the connection exactly where a test wants it: before a message is forwarded (the
 * statement never ran), or after PostgreSQL has run it and before the reply is forwarded (the statement ran, and the reply is lost).
 */
export class CuttingProxy {
  #target: NetConnectOpts;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #plan: Plan | undefined;
  #done = Promise.withResolvers<void>();
  #refusing = false;
  #silent = false;
  /** Connections that no longer forward anything. */
  readonly #forgotten = new WeakSet<Socket>();
  /** The number of refused connections. */
  refused = 0;

  constructor(database: DatabaseAddress) {
    this.#target = targetOf(database);
  }

  /** New connections go to another server. */
  moveTo(database: DatabaseAddress): void {
    this.#target = targetOf(database);
  }

  async listen(): Promise<void> {
    this.#server = createServer((client) => this.#serve(client));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** The number of connections that clients have not closed. */
  get open(): number {
    return this.#clients.size;
  }

  /** The same database, through this proxy. */
  through(database: DatabaseAddress): DatabaseAddress {
    return { ...(database as Extract<DatabaseAddress, { host: string }>), host: '127.0.0.1', port: this.#port };
  }

  /** Sets the trap; resolves when it has sprung. For the last two plans, PostgreSQL has answered by then. */
  plan(then: Plan['then'], when: string): Promise<void> {
    this.#plan = { when, then };
    this.#done = Promise.withResolvers<void>();
    return this.#done.promise;
  }

  /** As if the database were down: connections break, and new ones are closed immediately. */
  goDown(): void {
    this.#refusing = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** As if the host had vanished: nothing is forwarded, nothing is closed, and new connections get no reply. */
  goSilent(): void {
    this.#silent = true;
    for (const socket of this.#sockets) this.#forgotten.add(socket);
  }

  /** New connections are served. Those that a silence has caught stay silent: nobody on the way remembers them. */
  comeBack(): void {
    this.#refusing = false;
    this.#silent = false;
  }

  async close(): Promise<void> {
    this.goDown();
    this.#server?.close();
  }

  #serve(client: Socket): void {
    client.on('error', () => {});
    if (this.#refusing) {
      this.refused++;
      client.destroy();
      return;
    }
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    const upstream = connect(this.#target);
    upstream.on('error', () => {});
    let silent: Plan['then'] | undefined;
    this.#pair(client, upstream);
    if (this.#silent) this.#forgotten.add(client).add(upstream);
    client.on('data', (bytes) => {
      if (this.#forgotten.has(client)) return;
      const sprung = this.#spring(bytes);
      if (sprung === 'cut before') {
        client.destroy();
        upstream.destroy();
        this.#done.resolve();
        return;
      }
      silent ??= sprung;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (this.#forgotten.has(upstream)) return;
      if (silent === undefined) {
        client.write(bytes);
      } else if (isReady(bytes)) {
        if (silent === 'cut after') client.destroy();
        this.#done.resolve();
      }
    });
  }

  #pair(client: Socket, upstream: Socket): void {
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      this.#sockets.add(socket);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (!this.#forgotten.has(socket)) other.destroy(); // a vanished host does not hear of it
      });
    }
  }

  #spring(bytes: Buffer): Plan['then'] | undefined {
    if (this.#plan === undefined || !bytes.includes(this.#plan.when)) return undefined;
    const { then } = this.#plan;
    this.#plan = undefined;
    return then;
  }
}

function targetOf(database: DatabaseAddress): NetConnectOpts {
  const { host, port } = database as { host: string; port: number };
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}

/** PostgreSQL ends every reply with ReadyForQuery, which it sends after the commit. */
function isReady(bytes: Buffer): boolean {
  return bytes.length >= 6 && bytes.subarray(-6, -1).equals(Buffer.of(0x5a, 0, 0, 0, 5));
}
