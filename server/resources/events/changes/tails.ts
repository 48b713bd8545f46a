import type { Clock } from '../../../base/clock.ts';
import type { AnyUnit } from '../../../base/commit/index.ts';
import { getOrMake } from '../../../base/get_or_make.ts';
import { isAfter, readPosition, type TailPosition } from '../../../base/position.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { after, type Timer } from '../../../base/timers.ts';
import { apiError } from '../../../operations/errors.ts';
import type { Feed } from '../../../operations/feed.ts';
import { eventsTable, findPayloads } from '../../../outbox/event.ts';
import { deliveryAttemptsTable } from '../webhook_endpoints/deliveries/delivery.ts';
import {
  type ChangeMessage,
  type FeedStart,
  type Follower,
  type LoadPayloads,
  messageOf,
  restAfter,
  type Source,
  TenantFeed,
} from './feed.ts';
import { PayloadFeed } from './payload_feed.ts';
import { readChanges, readNow } from './read.ts';

/** What other instances commit is found within this time. */
const pollMs = 500;
/** Commits of this instance that follow each other closely are read together. */
const gatherMs = 50;
/** A client that was away for longer has to load everything again. */
const resumableMs = 3_600_000;

const watched = new Set([eventsTable.name, deliveryAttemptsTable.name]);

type TailParts = { reads: Reads; clock: Clock };

/** What a stream contains, and whether with the events themselves. */
type WantedChanges = Pick<FeedStart, 'eventsOnly' | 'hintsOnly'> & { withPayload: boolean };

/** What happens in each account that somebody looks at: one tail per tenant, shared by all its streams; none while nobody looks. */
export class Changes {
  readonly #parts: TailParts;
  readonly #tails = new Map<Tenant, Tail>();

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** A feed that continues after a position, or begins now. */
  async open(tenant: Tenant, lastEventId: string | undefined, wanted: WantedChanges): Promise<Feed> {
    const from = lastEventId === undefined ? undefined : readPosition(lastEventId);
    if (lastEventId !== undefined && from === undefined)
      throw apiError('parameter_invalid', { param: 'Last-Event-ID', reason: 'it must be the id of a message' });
    const { reads, clock } = this.#parts;
    const now = clock.now();
    const fresh = await readNow(reads.of(tenant), tenant, now);
    const isKnown = from !== undefined && from.since > now - resumableMs && from.xact < fresh.top;
    const start = {
      position: isKnown ? from : fresh.position,
      mustReload: from !== undefined && !isKnown,
      eventsOnly: wanted.eventsOnly,
      hintsOnly: wanted.hintsOnly,
    };
    const source = this.#sourceOf(tenant);
    if (!wanted.withPayload) return new TenantFeed(source, start);
    const load: LoadPayloads = (ids) => findPayloads(reads.of(tenant), tenant, ids);
    return new PayloadFeed(source, start, load, clock);
  }

  /** Called after each commit of this instance. */
  committed({ writes }: AnyUnit): void {
    if (this.#tails.size === 0) return;
    for (const { table, row } of writes) if (watched.has(table.name)) this.#tails.get(row.tenant as Tenant)?.wake();
  }

  /** How many tenants are read. */
  get size(): number {
    return this.#tails.size;
  }

  #sourceOf(tenant: Tenant): Source {
    const { reads, clock } = this.#parts;
    return {
      read: (position) => readChanges(reads.of(tenant), tenant, position, clock.now()),
      join: (follower, position) => this.#join(tenant, follower, position),
    };
  }

  #join(tenant: Tenant, follower: Follower, position: TailPosition): Tail | undefined {
    const { clock } = this.#parts;
    const make = () => new Tail(clock, position, this.#sourceOf(tenant).read, () => this.#tails.delete(tenant));
    const tail = getOrMake(this.#tails, tenant, make);
    return tail.join(follower, position) ? tail : undefined;
  }
}

/** Reads what happens in one tenant for as long as it has followers. */
class Tail {
  readonly #clock: Clock;
  readonly #read: Source['read'];
  readonly #onEmpty: () => void;
  readonly #followers = new Set<Follower>();
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

  join(follower: Follower, position: TailPosition): boolean {
    if (isAfter(this.#position, position)) return false;
    this.#followers.add(follower);
    if (this.#followers.size === 1) this.#schedule(gatherMs);
    return true;
  }

  leave(follower: Follower): void {
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
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
    this.#restsUntil = isFull ? ended : ended + restAfter(ended - began);
    if (this.#followers.size > 0) this.#schedule(isFull ? 0 : this.#isHurried ? gatherMs : pollMs);
  }

  async #readOn(): Promise<boolean> {
    const { changes, position, isFull } = await this.#read(this.#position);
    this.#position = position;
    const messages: ChangeMessage[] = changes.map((change) => messageOf(change));
    for (const follower of [...this.#followers]) follower.notify(messages, position);
    return isFull;
  }
}
