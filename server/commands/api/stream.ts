import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../usage.ts';
import { type ApiAnswer, type ApiClient, ApiFailure } from './client.ts';
import type { Pair } from './flags.ts';

const retryMs = 1_000;

/** A message of a stream. One without data only says how far the stream has come. */
export type StreamMessage = { data?: ApiAnswer };

/**
 * The messages of a stream, for as long as the caller takes them. When the connection ends, it is opened again after the last message that
 * the caller has done with: nothing is missed, and nothing comes twice. It ends by a refusal, such as that of a key that was revoked.
 */
export async function* followed(
  client: ApiClient,
  path: string,
  pairs: readonly Pair[],
): AsyncGenerator<StreamMessage, never> {
  const patience = new ServerPatience(client);
  let lastEventId: string | undefined;
  for (;;) {
    const call = { method: 'GET', path, pairs, accept: 'text/event-stream', lastEventId };
    const response = await patience.until(() => client.stream(call));
    try {
      for await (const block of blocksOf(response)) {
        const data = fieldOf(block, 'data');
        yield data === undefined ? {} : { data: JSON.parse(data) };
        lastEventId = fieldOf(block, 'id') ?? lastEventId;
      }
    } catch {
      // The connection broke. Why is of no interest: the next one says whether there still is a server.
    } finally {
      response.destroy();
    }
    await patience.wait(`The connection to ${client.base} was lost`);
  }
}

/** Tries again while a server is away or asks to wait, and says so: each reason once. */
export class ServerPatience {
  readonly #client: ApiClient;
  #trouble = '';
  #hasSucceeded = false;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async until<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await ask();
        if (this.#trouble !== '') console.error(`Connected to ${this.#client.base} again.`);
        [this.#trouble, this.#hasSucceeded] = ['', true];
        return answer;
      } catch (error) {
        if (!this.#mayPass(error)) throw error;
        await this.wait(error.message.replace(/\.$/, ''), error.retryAfter);
      }
    }
  }

  async wait(happened: string, seconds?: number): Promise<void> {
    if (happened !== this.#trouble) console.error(`${happened}. Trying again.`);
    this.#trouble = happened;
    await sleep(seconds === undefined ? retryMs : seconds * 1_000);
  }

  /** Before the first answer, all but a server that is not running yet is more likely a mistake in the command line. */
  #mayPass(error: unknown): error is ApiFailure {
    if (!(error instanceof ApiFailure)) return false;
    return error.isRefusedConnection || (this.#hasSucceeded && error.exitCode === exitCodes.unavailable);
  }
}

/** Texts that end with an empty line. A part that has not arrived whole is dropped. */
async function* blocksOf(response: IncomingMessage): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop()!;
    yield* blocks;
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
