import { TollgateError } from './errors.ts';
import { pause, retryDelayMs } from './retries.ts';

/** Opens the stream, with a header that names the last message, if there was one. */
type Open = (position: Record<string, string>) => Promise<ReadableStream<Uint8Array>>;

const reopenMs = 1_000;
/** The gateway sends something every 15 seconds: a connection that is silent for longer is dead. */
const silentMaxMs = 40_000;

/**
 * The data of each message. When the connection ends it is opened again, after the last message: nothing is missed, and nothing comes
 * twice. It ends by an error that another try would not resolve, such as a session that has ended, or by the signal.
 */
export async function* followed<Message>(
  open: Open,
  signal: AbortSignal | undefined,
  silentMs = silentMaxMs,
): AsyncGenerator<Message, never> {
  let position: Record<string, string> = {};
  for (let failures = 0; ; ) {
    try {
      for await (const block of blocksOf(await open(position), silentMs)) {
        failures = 0;
        const [id, data] = [fieldOf(block, 'id'), fieldOf(block, 'data')];
        if (id !== undefined) position = { 'Last-Event-ID': id };
        if (data !== undefined) yield JSON.parse(data);
      }
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = retryDelayMs(error, failures++);
      // All others are of a connection that broke in the middle: `fetch` throws errors of its own then.
      if (delayMs === undefined && error instanceof TollgateError) throw error;
      await pause(delayMs ?? reopenMs, signal);
      continue;
    }
    await pause(reopenMs, signal);
  }
}

/** Texts that end with an empty line. A part that has not arrived whole is dropped. */
async function* blocksOf(stream: ReadableStream<Uint8Array>, silentMs: number): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await heard(reader.read(), silentMs);
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      yield* blocks;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function heard<T>(reading: Promise<T>, silentMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The connection is silent.')), silentMs);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
