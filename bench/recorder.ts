import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const commitConnection = Buffer.from('tollgate commit\0');

/** A proxy before PostgreSQL that keeps what the commit connection of a gateway sends. */
export class Recorder {
  readonly #server: Server;
  readonly #recordings: Buffer[][] = [];

  private constructor(socketPath: string) {
    this.#server = createServer((client) => this.#serve(client, connect(socketPath)));
  }

  static async open(socketPath: string): Promise<Recorder> {
    const recorder = new Recorder(socketPath);
    recorder.#server.listen(0, '127.0.0.1');
    await once(recorder.#server, 'listening');
    return recorder;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #serve(client: Socket, database: Socket): void {
    // The first message names the connection.
    client.once('data', (first) => {
      if (!first.includes(commitConnection)) return;
      const chunks = [first];
      this.#recordings.push(chunks);
      client.on('data', (chunk) => chunks.push(chunk));
    });
    client.pipe(database).pipe(client);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const)
      one.on('error', () => other.destroy());
  }

  /** Everything that was sent, in steps that PostgreSQL answers one after the other. */
  steps(): Buffer[] {
    return this.#recordings.flatMap((chunks) => stepsIn(Buffer.concat(chunks)));
  }

  close(): void {
    this.#server.close();
  }
}

const typeBytes = 1;
const [sync, query, password, terminate] = ['S', 'Q', 'p', 'X'].map((letter) => letter.charCodeAt(0));

/** Messages of the protocol, up to the one that PostgreSQL answers with "ready". How the client has signed in is left out. */
function stepsIn(bytes: Buffer): Buffer[] {
  const steps: Buffer[] = [];
  let start = bytes.readInt32BE(0); // the first message has no type
  for (let at = start; at < bytes.length; ) {
    const end = at + typeBytes + bytes.readInt32BE(at + typeBytes);
    const type = bytes[at];
    if (type === sync || type === query) steps.push(bytes.subarray(start, end));
    if (type === sync || type === query || type === password || type === terminate) start = end;
    at = end;
  }
  return steps;
}
