import type { Delivery } from '../outbox/delivery.ts';
import type { Taken } from '../outbox/due.ts';

export type Limits = {
  /** How many one receiver has to answer at a time. */
  perEndpoint: number;
  /** How many an instance holds. */
  perInstance: number;
};

const queuedPerEndpoint = 128; // taken together, for a receiver that answers quickly
const perStranger = 2; // for the others once an instance is half full, so that many that hang leave room for one that does not
const quickMs = 100;
const stalledMs = 250;
const rememberedMax = 10_000;

/** What this instance has to do with one endpoint. */
export type Lane = {
  readonly name: string;
  waiting: Taken[];
  /** How many the receiver has not answered yet. */
  sending: number;
  /** How many were taken and are not settled: those that wait, those that are sent, and those whose outcome is being written. */
  held: number;
  /** Whether more was due when it was last looked for. */
  hasMore: boolean;
  /** When the receiver last answered, or got its first. */
  movedAt: number;
};

/**
 * Who gets how much. Each endpoint has a lane of its own, so that one that hangs holds up nobody else; memory holds only what was
 * taken, however much waits.
 */
export class Lanes {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #held = new Map<string, Taken>();
  readonly #quick = new Set<string>();
  #isShort = false;

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get held(): Taken[] {
    return [...this.#held.values()];
  }

  /** Shares what room there is among those that something is due for. */
  share<T extends { tenant: number; endpoint: string }>(due: readonly T[]): (T & { room: number })[] {
    const shares = [];
    let promised = 0;
    for (const one of due) {
      const room = this.#room(laneName(one), promised);
      if (room > 0) shares.push({ ...one, room });
      promised += room;
    }
    this.#isShort = shares.length < due.length;
    return shares;
  }

  #room(name: string, promised: number): number {
    const total = this.#held.size + promised;
    const held = this.#lanes.get(name)?.held ?? 0;
    const fair = Math.min(this.#most(name, total) - held, this.#limits.perInstance - total);
    if (held > 0) return Math.max(fair, 0);
    // Who has nothing gets a little even when all is taken: it may be the one that answers.
    return Math.max(fair, Math.min(perStranger, 2 * this.#limits.perInstance - total), 0);
  }

  #most(name: string, total: number): number {
    if (this.#quick.has(name)) return Math.max(queuedPerEndpoint, this.#limits.perEndpoint);
    return total < this.#limits.perInstance / 2 ? this.#limits.perEndpoint : perStranger;
  }

  /** Gives the lane that now holds what was taken. */
  accept(name: string, taken: readonly Taken[], room: number): Lane {
    const lane = this.#lanes.get(name) ?? newLane(name, this.#now());
    lane.hasMore = taken.length >= room;
    lane.held += taken.length;
    lane.waiting.push(...taken);
    for (const delivery of taken) this.#held.set(nameOf(delivery), delivery);
    if (lane.held > 0) this.#lanes.set(name, lane);
    return lane;
  }

  /** The next one to send, if the receiver has a place free. */
  next(lane: Lane): Taken | undefined {
    if (lane.sending >= this.#limits.perEndpoint) return undefined;
    const delivery = lane.waiting.shift();
    if (delivery === undefined) return undefined;
    if (lane.sending === 0) lane.movedAt = this.#now();
    lane.sending++;
    return delivery;
  }

  /** The receiver has a place free again. `tookMs` says how long it took to answer; undefined when it did not, or not to the end. */
  answered(lane: Lane, tookMs: number | undefined): void {
    lane.sending--;
    if (this.#quick.size >= rememberedMax) this.#quick.clear();
    if (tookMs === undefined || tookMs >= quickMs) this.#quick.delete(lane.name);
    else this.#quick.add(lane.name);
    if (tookMs !== undefined) lane.movedAt = this.#now();
  }

  /** Says whether it is time to look for more: half at a time, so that a look is worth its statements and the receiver never waits. */
  settled(lane: Lane, delivery: Taken): boolean {
    this.#forget(lane, delivery);
    return this.#isShort || (lane.hasMore && lane.held <= this.#most(lane.name, this.#held.size) / 2);
  }

  /** What waits for receivers that were quick and answer no more: somebody else shall have the room. */
  takeStalled(): Taken[] {
    const now = this.#now();
    const stalled = [...this.#lanes.values()].filter((lane) => lane.sending > 0 && now - lane.movedAt > stalledMs);
    for (const lane of stalled) this.#quick.delete(lane.name);
    return stalled.flatMap((lane) => this.#takeWaiting(lane, () => true));
  }

  takeAllWaiting(): Taken[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#takeWaiting(lane, () => true));
  }

  /** Another instance has these by now. What is on its way cannot be called back. */
  dropLost(isKept: (delivery: Taken) => boolean): void {
    for (const lane of this.#lanes.values()) this.#takeWaiting(lane, (delivery) => !isKept(delivery));
  }

  #takeWaiting(lane: Lane, isMeant: (delivery: Taken) => boolean): Taken[] {
    const taken = lane.waiting.filter(isMeant);
    lane.waiting = lane.waiting.filter((delivery) => !isMeant(delivery));
    for (const delivery of taken) this.#forget(lane, delivery);
    return taken;
  }

  #forget(lane: Lane, delivery: Taken): void {
    lane.held--;
    if (lane.held === 0) this.#lanes.delete(lane.name);
    // It may have been resent and taken once more in the meantime: that one stays.
    if (this.#held.get(nameOf(delivery)) === delivery) this.#held.delete(nameOf(delivery));
  }
}

function newLane(name: string, now: number): Lane {
  return { name, waiting: [], sending: 0, held: 0, hasMore: false, movedAt: now };
}

export function laneName({ tenant, endpoint }: { tenant: number; endpoint: string }): string {
  return `${tenant}/${endpoint}`;
}

function nameOf({ tenant, id }: Delivery): string {
  return `${tenant}/${id}`;
}
