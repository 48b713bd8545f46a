import type { Clock } from '../../../base/clock.ts';
import { isAfter, positionOf, type TailPosition, writePosition } from '../../../base/position.ts';
import { pause } from '../../../base/timers.ts';
import type { Feed, FeedReader } from '../../../operations/feed.ts';
import {
  type ChangeMessage,
  type FeedStart,
  type Follower,
  isEvent,
  type LoadPayloads,
  messageOf,
  reload,
  restAfter,
  type Source,
} from './feed.ts';
import type { Change } from './read.ts';

/** Payloads are read for this many events at a time: a payload has up to 256 KiB. */
const loadedMax = 50;

/**
 * A feed whose messages have the events themselves. They can be large, so that it reads the next ones when the client has taken those
 * before: the tail only says that there is something to read. Nothing is queued, however far a client is behind.
 */
export class PayloadFeed implements Feed, Follower {
  readonly #source: Source;
  readonly #start: FeedStart;
  readonly #load: LoadPayloads;
  readonly #clock: Clock;
  /** After what the client has been sent. */
  #position: TailPosition;
  #tail: ReturnType<Source['join']>;
  /** The tail has reported something after the position since the last read. */
  #hasNews = false;
  /** Set while it waits for news. */
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(source: Source, start: FeedStart, load: LoadPayloads, clock: Clock) {
    this.#source = source;
    this.#start = start;
    this.#position = start.position;
    this.#load = load;
    this.#clock = clock;
  }

  get position(): string {
    return writePosition(this.#position);
  }

  async follow(reader: FeedReader): Promise<void> {
    if (this.#start.mustReload) reader.take([{ id: this.position, data: reload }]);
    while (!this.#isOver) {
      this.#hasNews = false;
      const began = this.#clock.monotonic();
      const { changes, position, isFull } = await this.#source.read(this.#position);
      const readMs = this.#clock.monotonic() - began;
      await this.#send(changes, reader);
      if (this.#isOver) return;
      this.#position = position;
      if (isFull) continue;
      this.#tail ??= this.#source.join(this, position);
      if (this.#tail === undefined) continue;
      await this.#news();
      await pause(restAfter(readMs));
    }
  }

  notify(messages: readonly ChangeMessage[], position: TailPosition): void {
    const hasNews = messages.some((one) => isAfter(one.at, this.#position) && this.#isWanted(one.change));
    if (hasNews) {
      this.#hasNews = true;
      this.#wake?.();
      // Where nothing happens for an hour, the position must not become too old to continue from.
    } else if (this.#wake !== undefined && isAfter(position, this.#position)) this.#position = position;
  }

  leave(): void {
    this.#isOver = true;
    this.#tail?.leave(this);
    this.#wake?.();
  }

  async #send(changes: readonly Change[], reader: FeedReader): Promise<void> {
    const wanted = changes.filter((change) => this.#isWanted(change));
    for (let at = 0; at < wanted.length && !this.#isOver; at += loadedMax) {
      const some = wanted.slice(at, at + loadedMax);
      const payloads = await this.#load(some.filter(isEvent).map(({ event }) => event));
      for (const change of some) {
        if (this.#isOver) return;
        reader.take([messageOf(change, payloads.get(change.id)).message]);
        this.#position = positionOf(change);
        await reader.drained();
      }
    }
  }

  #isWanted(change: Change): boolean {
    return isEvent(change) || !this.#start.eventsOnly;
  }

  async #news(): Promise<void> {
    if (this.#hasNews || this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
  }
}
