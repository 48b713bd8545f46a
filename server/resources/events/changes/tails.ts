import type { Clock } from '../../../base/clock.ts';
import type { Unit } from '../../../base/commit/index.ts';
import { getOrMake } from '../../../base/get_or_make.ts';
import { isAfter, positionOf, readPosition, type TailPosition, writePosition } from '../../../base/position.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { after, type Timer } from '../../../base/timers.ts';
import { apiError } from '../../../operations/errors.ts';
import type { Feed, FeedMessage, FeedReader } from '../../../operations/feed.ts';
import { eventsTable } from '../../../outbox/event.ts';
import { deliveryAttemptsTable } from '../webhook_endpoints/deliveries/delivery.ts';
import { type Change, type ChangesPage, readChanges, readNow } from './read.ts';

/** What other instances commit is found within this time. */
const pollMs = 500;
/** Commits of this instance that follow each other closely are read together. */
const gatherMs = 50;
/** A tail rests for this many times as long as its read took, so that it never costs more than a tenth of a connection. */
const restTimes = 9;
const restMaxMs = 500;
/** A client that was away for longer has to load everything again. */
const resumableMs = 3_600_000;

const watched = new Set([eventsTable.name, deliveryAttemptsTable.name]);

type TailParts = { reads: Reads; clock: Clock };

/** What happens in each account that somebody looks at: one tail per tenant, shared by all its streams; none while nobody looks. */
export class Changes {
  readonly #parts: TailParts;
  readonly #tails = new Map<Tenant, Tail>();

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** A feed that continues after a position, or begins now. */
  async open(tenant: Tenant, lastEventId: string | undefined): Promise<Feed> {
    const from = lastEventId === undefined ? undefined : readPosition(lastEventId);
    if (lastEventId !== undefined && from === undefined)
      throw apiError('parameter_invalid', { param: 'Last-Event-ID', reason: 'it must be the id of a message' });
    const { reads, clock } = this.#parts;
    const now = clock.now();
    const fresh = await readNow(reads.of(tenant), tenant, now);
    const isKnown = from !== undefined && from.since > now - resumableMs && from.xact < fresh.top;
    const start = isKnown ? from : fresh.position;
    const source: Source = {
      read: (position) => readChanges(reads.of(tenant), tenant, position, clock.now()),
      join: (feed, position) => this.#join(tenant, feed, position),
    };
    return new TenantFeed(source, start, from !== undefined && !isKnown);
  }

  /** Called after each commit of this instance. */
  committed({ writes }: Unit): void {
    if (this.#tails.size === 0) return;
    for (const { table, row } of writes) if (watched.has(table.name)) this.#tails.get(row.tenant as Tenant)?.wake();
  }

  /** How many tenants are read. */
  get size(): number {
    return this.#tails.size;
  }

  #join(tenant: Tenant, feed: TenantFeed, position: TailPosition): Tail | undefined {
    const { reads, clock } = this.#parts;
    const make = () => {
      const read = (from: TailPosition) => readChanges(reads.of(tenant), tenant, from, clock.now());
      return new Tail(clock, position, read, () => this.#tails.delete(tenant));
    };
    const tail = getOrMake(this.#tails, tenant, make);
    return tail.join(feed, position) ? tail : undefined;
  }
}

type Source = {
  read(from: TailPosition): Promise<ChangesPage>;
  /** Undefined when the tail is further than this position already. */
  join(feed: TenantFeed, position: TailPosition): Tail | undefined;
};

/** Reads what happens in one tenant for as long as there is somebody to tell. */
class Tail {
  readonly #clock: Clock;
  readonly #read: Source['read'];
  readonly #onEmpty: () => void;
  readonly #feeds = new Set<TenantFeed>();
  #position: TailPosition;
  #timer: Timer | undefined;
  #isReading = false;
  /** A commit of this instance was not read yet, and will be soon. */
  #isHurried = false;
  /** Monotonic: it rests until then. */
  #restsUntil = 0;

  constructor(clock: Clock, position: TailPosition, read: Source['read'], onEmpty: () => void) {
    this.#clock = clock;
    this.#position = position;
    this.#read = read;
    this.#onEmpty = onEmpty;
  }

  join(feed: TenantFeed, position: TailPosition): boolean {
    if (isAfter(this.#position, position)) return false;
    this.#feeds.add(feed);
    if (this.#feeds.size === 1) this.#schedule(gatherMs);
    return true;
  }

  leave(feed: TenantFeed): void {
    if (!this.#feeds.delete(feed) || this.#feeds.size > 0) return;
    this.#timer?.cancel();
    this.#onEmpty();
  }

  wake(): void {
    if (this.#isHurried) return;
    this.#isHurried = true;
    if (!this.#isReading) this.#schedule(gatherMs);
  }

  #schedule(ms: number): void {
    this.#timer?.cancel();
    const restMs = this.#restsUntil - this.#clock.monotonic();
    this.#timer = after(Math.max(ms, restMs), () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#isReading = true;
    this.#isHurried = false;
    const began = this.#clock.monotonic();
    // A database that does not answer ends the streams, whose sessions can no longer be checked.
    const isFull = await this.#readOn().catch(() => false);
    const ended = this.#clock.monotonic();
    this.#isReading = false;
    this.#restsUntil = isFull ? ended : ended + Math.min((ended - began) * restTimes, restMaxMs);
    if (this.#feeds.size > 0) this.#schedule(isFull ? 0 : this.#isHurried ? gatherMs : pollMs);
  }

  async #readOn(): Promise<boolean> {
    const { changes, position, isFull } = await this.#read(this.#position);
    this.#position = position;
    const told = changes.map(toldOf);
    for (const feed of [...this.#feeds]) feed.tell(told, position);
    return isFull;
  }
}

type Told = { at: TailPosition; message: FeedMessage };

/** What one stream has been told of its tenant. */
class TenantFeed implements Feed {
  readonly #source: Source;
  readonly #mustReload: boolean;
  #tail: Tail | undefined;
  #position: TailPosition;
  #reader: FeedReader | undefined;
  #isOver = false;

  constructor(source: Source, position: TailPosition, mustReload: boolean) {
    this.#source = source;
    this.#position = position;
    this.#mustReload = mustReload;
  }

  get position(): string {
    return writePosition(this.#position);
  }

  async follow(reader: FeedReader): Promise<void> {
    this.#reader = reader;
    if (this.#mustReload) reader.take([{ id: this.position, data: reload }]);
    while (!this.#isOver && this.#tail === undefined) {
      const { changes, position, isFull } = await this.#source.read(this.#position);
      if (this.#isOver) return;
      this.tell(changes.map(toldOf), position);
      if (!isFull) this.#tail = this.#source.join(this, this.#position);
      if (isFull) await reader.drained();
    }
  }

  /** On another instance the client may have been told of more than the tail of this one has come to. */
  tell(told: readonly Told[], position: TailPosition): void {
    const fresh = told.filter(({ at }) => isAfter(at, this.#position)).map(({ message }) => message);
    if (isAfter(position, this.#position)) this.#position = position;
    if (fresh.length > 0) this.#reader!.take(fresh);
  }

  leave(): void {
    this.#isOver = true;
    this.#tail?.leave(this);
  }
}

const reload = JSON.stringify({ object: 'change', type: 'reload' });

function toldOf(change: Change): Told {
  const { type, subject, event, webhook_endpoint, status } = change;
  const data = {
    object: 'change',
    type,
    subject,
    event,
    ...(webhook_endpoint !== null && { webhook_endpoint }),
    ...(status !== null && { status }),
  };
  const at = positionOf(change);
  return { at, message: { id: writePosition(at), data: JSON.stringify(data) } };
}
