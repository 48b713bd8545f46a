import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { Unavailable } from '../../base/errors.ts';
import type { Tenant } from '../../base/reads.ts';
import { every, type Timer } from '../../base/timers.ts';
import type { Feed, FeedMessage, FeedReader } from '../../operations/feed.ts';
import { apiError } from '../errors.ts';
import { isGone, taken } from './streams.ts';

/** Tabs of one person, or streams with the keys of one account and mode; and all streams of the account and mode. On one instance. */
const perHolderMax = 10;
const perTenantMax = 100;
/** Lookups of keys and sessions are kept for 800 ms: together, a stream ends within a second. */
const checkEveryMs = 150;
const heartbeatMs = 15_000;
/** A client that is this far behind is disconnected. It continues from where it was. */
const unreadBytesMax = 262_144;
const reconnectMs = 1_000;

/** Who a stream is for, and whether they may still have it. */
export type LiveOwner = {
  tenant: Tenant;
  /** A person, or all keys of the tenant. */
  holder: string;
  /** The streams of this holder, in words. */
  streams: string;
  isStillAdmitted(): Promise<boolean>;
};

/** A stream that has its place. Either `send` or `abandon` must be called. */
export type PreparedLive = { send(response: ServerResponse): void; abandon(): void };

/** Answers that do not end: server-sent events, until the client leaves, its session or key ends or the server stops. */
export class LiveStreams {
  readonly #clock: Clock;
  readonly #open = new Set<LiveStream>();
  readonly #places = new Map<string, number>();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Finds the position, so that an error until then is answered like any other. */
  async begin(owner: LiveOwner, open: () => Promise<Feed>): Promise<PreparedLive> {
    if (this.#isClosed) throw new Unavailable('the server is stopping');
    const leave = this.#enter(owner);
    try {
      const feed = await open();
      return {
        send: (response) => this.#send(new LiveStream(owner, feed, response, this.#clock), leave),
        abandon: leave,
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams; the clients come back, to another instance or to the next one. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  get size(): number {
    return this.#open.size;
  }

  #send(stream: LiveStream, leave: () => void): void {
    this.#open.add(stream);
    this.#timer ??= every(checkEveryMs, () => this.#check());
    stream.start(() => {
      leave();
      this.#open.delete(stream);
      if (this.#open.size > 0) return;
      this.#timer?.cancel();
      this.#timer = undefined;
    });
    if (this.#isClosed) stream.end();
  }

  #check(): void {
    for (const stream of this.#open) void stream.check();
  }

  #enter({ tenant, holder, streams }: LiveOwner): () => void {
    const names = [`holder ${holder}`, `tenant ${tenant}`] as const;
    const [own, all] = names.map((name) => this.#places.get(name) ?? 0) as [number, number];
    const limit = own >= perHolderMax ? perHolderMax : all >= perTenantMax ? perTenantMax : undefined;
    if (limit !== undefined)
      throw apiError('too_many_exports', {
        limit,
        what: limit === perHolderMax ? streams : 'streams of this account',
        headers: { 'Retry-After': '10' },
      });
    for (const name of names) this.#places.set(name, (this.#places.get(name) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const name of names) this.#release(name);
    };
  }

  #release(name: string): void {
    const left = (this.#places.get(name) ?? 0) - 1;
    if (left > 0) this.#places.set(name, left);
    else this.#places.delete(name);
  }
}

/** One client that follows the changes. */
class LiveStream implements FeedReader {
  readonly #owner: LiveOwner;
  readonly #feed: Feed;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #toldAt: number;
  #isChecking = false;

  constructor(owner: LiveOwner, feed: Feed, response: ServerResponse, clock: Clock) {
    this.#owner = owner;
    this.#feed = feed;
    this.#response = response;
    this.#clock = clock;
    this.#toldAt = clock.monotonic();
  }

  start(onEnd: () => void): void {
    const { socket } = this.#response.req;
    // A client that closes its half of the connection has left. Without this it would be noticed with the next heartbeat.
    const left = () => this.#response.destroy();
    this.#response
      .on('error', () => {})
      .once('close', () => {
        socket.off('end', left).off('close', left);
        this.#feed.leave();
        onEnd();
      });
    socket.once('end', left).once('close', left);
    this.#write(`retry: ${reconnectMs}\n${framed({ id: this.#feed.position })}`);
    this.#feed.follow(this).catch(() => this.end()); // the client reconnects, and is answered with the error
  }

  take(messages: readonly FeedMessage[]): void {
    this.#write(messages.map(framed).join(''));
  }

  async drained(): Promise<void> {
    if (this.#response.writableNeedDrain) await taken(this.#response);
  }

  /** Ends the stream if its person has signed out or lost the role, or if its key has ended; otherwise keeps it alive. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    // Without the check nothing more is sent.
    const isAdmitted = await this.#owner.isStillAdmitted().catch(() => false);
    this.#isChecking = false;
    if (!isAdmitted) return this.end();
    if (this.#clock.monotonic() - this.#toldAt >= heartbeatMs)
      this.#write(`: \n${framed({ id: this.#feed.position })}`);
  }

  end(): void {
    if (!isGone(this.#response)) this.#response.end();
  }

  #write(text: string): void {
    const response = this.#response;
    if (isGone(response) || response.writableEnded) return;
    // Before the text is added: a single message may be larger than all that a client may leave unread.
    if (response.writableLength > unreadBytesMax) return void response.destroy();
    response.write(text);
    this.#toldAt = this.#clock.monotonic();
  }
}

/** Ids and JSON have no line ends. */
function framed({ id, data }: FeedMessage): string {
  return data === undefined ? `id: ${id}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}
