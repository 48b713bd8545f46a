import { isAfter, positionOf, type TailPosition, writePosition } from '../../../base/position.ts';
import type { Feed, FeedMessage, FeedReader } from '../../../operations/feed.ts';
import type { Change, ChangesPage } from './read.ts';

/** A change as a message, and its place in the order of commits. */
export type ChangeMessage = { at: TailPosition; change: Change; message: FeedMessage };

/** Receives from a tail what happens after the position at which it joined. */
export type Follower = { notify(messages: readonly ChangeMessage[], position: TailPosition): void };

/** What a feed reads from: pages after a position, and the tail that reads for all. */
export type Source = {
  read(from: TailPosition): Promise<ChangesPage>;
  /** Undefined when the tail is further than this position already. */
  join(follower: Follower, position: TailPosition): { leave(follower: Follower): void } | undefined;
};

/** Where a feed begins, and what it contains. */
export type FeedStart = {
  position: TailPosition;
  mustReload: boolean;
  /** Without attempts to deliver events. */
  eventsOnly: boolean;
  /** Only which object has changed, for those who may read the object and not its events. */
  hintsOnly: boolean;
};

/** Finds payloads by the ids of events. */
export type LoadPayloads = (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;

/** A reader rests for this many times as long as its read took, so that it never costs more than a tenth of a connection. */
const restTimes = 9;
const restMaxMs = 500;

export function restAfter(readMs: number): number {
  return Math.min(readMs * restTimes, restMaxMs);
}

/** The changes of a tenant for one stream. */
export class TenantFeed implements Feed, Follower {
  readonly #source: Source;
  readonly #start: FeedStart;
  #tail: ReturnType<Source['join']>;
  #position: TailPosition;
  #reader: FeedReader | undefined;
  #isOver = false;

  constructor(source: Source, start: FeedStart) {
    this.#source = source;
    this.#start = start;
    this.#position = start.position;
  }

  get position(): string {
    return writePosition(this.#position);
  }

  async follow(reader: FeedReader): Promise<void> {
    this.#reader = reader;
    if (this.#start.mustReload) reader.take([{ id: this.position, data: reload }]);
    while (!this.#isOver && this.#tail === undefined) {
      const { changes, position, isFull } = await this.#source.read(this.#position);
      if (this.#isOver) return;
      this.notify(
        changes.map((change) => messageOf(change)),
        position,
      );
      if (!isFull) this.#tail = this.#source.join(this, this.#position);
      if (isFull) await reader.drained();
    }
  }

  /** On another instance the client may have received more than the tail of this one has read. */
  notify(messages: readonly ChangeMessage[], position: TailPosition): void {
    const fresh = messages.filter(({ at, change }) => isAfter(at, this.#position) && this.#isWanted(change));
    if (isAfter(position, this.#position)) this.#position = position;
    if (fresh.length > 0) this.#reader!.take(fresh.map((one) => (this.#start.hintsOnly ? hintOf(one) : one.message)));
  }

  #isWanted(change: Change): boolean {
    if (this.#start.hintsOnly) return isHint(change);
    return isEvent(change) || !this.#start.eventsOnly;
  }

  leave(): void {
    this.#isOver = true;
    this.#tail?.leave(this);
  }
}

export const reload = JSON.stringify({ object: 'change', type: 'reload' });

export function messageOf(change: Change, payload?: Buffer): ChangeMessage {
  const { type, subject, event, webhook_endpoint, status } = change;
  const data = {
    object: 'change',
    type,
    subject,
    event,
    ...(webhook_endpoint !== null && { webhook_endpoint }),
    ...(status !== null && { status }),
    // The bytes are JSON that this program wrote, in UTF-8: as a text they are the same.
    ...(payload !== undefined && { payload: payload.toString() }),
  };
  const at = positionOf(change);
  return { at, change, message: { id: writePosition(at), data: JSON.stringify(data) } };
}

export function isEvent({ webhook_endpoint }: Pick<Change, 'webhook_endpoint'>): boolean {
  return webhook_endpoint === null;
}

/** Those who may not read events may not read webhook endpoints either. */
function isHint(change: Change): boolean {
  return isEvent(change) && !change.type.startsWith('webhook_endpoint.');
}

function hintOf({ at, change: { type, subject } }: ChangeMessage): FeedMessage {
  return { id: writePosition(at), data: JSON.stringify({ object: 'change', type, subject }) };
}
