import type { IncomingMessage } from 'node:http';
import type { Client } from '../../../test/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Message = { id: string; data: any };

/** A stream of changes as a browser reads it: the id of the last block is remembered, whether or not it had data. */
export class TestStream {
  readonly response: IncomingMessage;
  readonly messages: Message[] = [];
  lastEventId: string | undefined;
  isOver = false;
  #text = '';

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8').on('data', (chunk) => this.#read(chunk));
    response.on('close', () => {
      this.isOver = true;
    });
    response.on('error', () => {});
  }

  static async open(client: Client, lastEventId?: string, query = ''): Promise<TestStream> {
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    return new TestStream(await client.open(`/v1/changes${query}`, headers));
  }

  get status(): number {
    return this.response.statusCode!;
  }

  close(): void {
    this.response.destroy();
  }

  #read(chunk: string): void {
    const blocks = (this.#text + chunk).split('\n\n');
    this.#text = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ([^\n]*)`, 'm').exec(block)?.[1];
      this.lastEventId = field('id') ?? this.lastEventId;
      const data = field('data');
      if (data !== undefined) this.messages.push({ id: field('id')!, data: JSON.parse(data) });
    }
  }
}
