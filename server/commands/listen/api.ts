import { firstIdAt, type Id, idTime } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import type { TailedEvent } from '../../outbox/tail.ts';
import type { ApiAnswer, ApiClient } from '../api/client.ts';
import { withClient } from '../api/run.ts';
import { followed, ServerPatience } from '../api/stream.ts';
import { type EventSink, type ListenOptions, startOf } from './options.ts';
import { keptSecret } from './secret.ts';

const pageRows = 100;
/** Events may commit out of the order of their ids, by seconds at most. */
const overlapMs = 60_000;
/** So many ids are remembered, so that an event that was listed does not come again by the stream. */
const seenMax = 100_000;

/** Events of the account that the key belongs to, from a server anywhere. */
export async function followApi(
  options: ListenOptions,
  { wanted, secret }: { wanted: ReadonlySet<string>; secret: Secret | undefined },
  sink: EventSink,
): Promise<void> {
  startOf(options.since, Number.POSITIVE_INFINITY); // refuses what is no moment, before the server is asked
  await withClient(options, async (client) => {
    let events: EventsOnce | undefined;
    for await (const { data } of followed(client, '/changes', [{ name: 'payload', value: 'true' }])) {
      if (events === undefined) {
        // The stream has begun: what happens from now on comes by it, and everything before is listed.
        const start = startOf(options.since, client.receivedAt);
        events = new EventsOnce(client, wanted, sink, start);
        sink.begin(secret ?? keptSecret(), `${client.mode} events of ${client.base}`);
        if (options.since !== undefined) await events.list(start);
      } else if (data?.type === 'reload') await events.list(events.newest - overlapMs);
      else if (data?.payload !== undefined)
        await events.pass({ id: data.event, type: data.type, payload: Buffer.from(data.payload) });
    }
  });
}

/** Passes each event on once, whether it was listed or streamed. */
class EventsOnce {
  readonly #client: ApiClient;
  readonly #wanted: ReadonlySet<string>;
  readonly #sink: EventSink;
  readonly #patience: ServerPatience;
  readonly #seen = new Set<string>();
  /** The time of the newest event that was passed on, or the start, in epoch milliseconds. */
  newest: number;

  constructor(client: ApiClient, wanted: ReadonlySet<string>, sink: EventSink, start: number) {
    this.#client = client;
    this.#wanted = wanted;
    this.#sink = sink;
    this.#patience = new ServerPatience(client);
    this.newest = start;
  }

  async pass(event: TailedEvent): Promise<void> {
    if (this.#seen.has(event.id)) return;
    if (this.#wanted.has(event.type)) await this.#sink.event(event);
    this.#seen.add(event.id);
    this.newest = Math.max(this.newest, idTime(event.id));
    if (this.#seen.size <= seenMax) return;
    const [oldest = ''] = this.#seen;
    this.#seen.delete(oldest);
  }

  /** All events since a moment, the oldest first: at the start, and when the stream was away for too long to be continued. */
  async list(since: number): Promise<void> {
    let after: string = firstIdAt('evt', Math.max(0, since));
    for (let hasMore = true; hasMore; ) {
      const query = { limit: String(pageRows), ending_before: after };
      const page = await this.#patience.until(() => this.#client.get('/events', query));
      const events: ApiAnswer[] = page.data.toReversed();
      // The API shows the stored bytes, which writing them again does not change.
      for (const event of events)
        await this.pass({ id: event.id as Id<'evt'>, type: event.type, payload: Buffer.from(JSON.stringify(event)) });
      after = events.at(-1)?.id ?? after;
      hasMore = page.has_more;
    }
  }
}
