import type { WebhookSettings } from '../../../../operations/services.ts';
import type { Delivery } from './delivery.ts';
import type { LeasedDelivery } from './due.ts';

type LaneLimits = WebhookSettings['limits'];

const queuedPerEndpoint = 128; // leased ahead for a receiver that answers quickly
const perUnproven = 2; // for all others once an instance is half full, so that receivers that hang leave capacity for the rest
const quickMs = 100;
const stalledMs = 250;
const rememberedMax = 10_000;
const bytesInFlightMax = 64 * 1_024 * 1_024;

/** The deliveries of one endpoint that this instance has leased. */
export type Lane = {
  readonly name: string;
  /** Not sent yet. */
  waiting: LeasedDelivery[];
  /** How many were sent and are not answered, and the bytes of their large payloads. */
  sending: number;
  bytes: number;
  /** How many were leased and are not settled: waiting, being sent, or with an outcome that is being committed. */
  held: number;
  /** Whether more was due at the last lease. */
  hasMore: boolean;
  /** When the receiver last answered, or was sent its first delivery. */
  movedAt: number;
};

/**
 * Shares the capacity of an instance among endpoints. Each endpoint has its own lane, so that a receiver that hangs delays no
 * other. Only leased deliveries are in memory, however many are pending.
 */
export class Lanes {
  readonly #limits: LaneLimits;
  readonly #now: () => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #held = new Map<string, LeasedDelivery>();
  readonly #quick = new Set<string>();
  /** Whether an endpoint with due deliveries got no capacity at the last lease. */
  #isShort = false;
  /** The bytes of large payloads in flight, and the lanes that wait for others to end, the longest wait first. */
  #bytes = 0;
  readonly #outOfBytes = new Set<Lane>();

  constructor(limits: LaneLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get held(): LeasedDelivery[] {
    return [...this.#held.values()];
  }

  /** How many deliveries may be leased for each of these endpoints; endpoints without capacity are left out. */
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
    // An endpoint that holds nothing gets a little even when the instance is full: it may be one that answers.
    return Math.max(fair, Math.min(perUnproven, 2 * this.#limits.perInstance - total), 0);
  }

  #most(name: string, total: number): number {
    if (this.#quick.has(name)) return Math.max(queuedPerEndpoint, this.#limits.perEndpoint);
    return total < this.#limits.perInstance / 2 ? this.#limits.perEndpoint : perUnproven;
  }

  /** Adds leased deliveries to a lane. */
  accept(name: string, leased: readonly LeasedDelivery[], room: number): Lane {
    const fresh: Lane = { name, waiting: [], sending: 0, bytes: 0, held: 0, hasMore: false, movedAt: this.#now() };
    const lane = this.#lanes.get(name) ?? fresh;
    lane.hasMore = leased.length >= room;
    lane.held += leased.length;
    lane.waiting.push(...leased);
    for (const delivery of leased) this.#held.set(nameOf(delivery), delivery);
    if (lane.held > 0) this.#lanes.set(name, lane);
    return lane;
  }

  /** The next delivery to send, unless the receiver has its maximum in flight, or too many bytes are in flight. */
  next(lane: Lane): LeasedDelivery | undefined {
    const [delivery] = lane.waiting;
    const isFree = delivery !== undefined && lane.sending < this.#limits.perEndpoint;
    const bytes = isFree ? largeBytesOf(delivery) : 0;
    if (isFree && !this.#hasBytes(lane, bytes)) {
      this.#outOfBytes.add(lane); // where it stands already, if it does
      return undefined;
    }
    this.#outOfBytes.delete(lane);
    if (!isFree) return undefined;
    lane.waiting.shift();
    if (lane.sending === 0) lane.movedAt = this.#now();
    lane.sending++;
    this.#count(lane, bytes);
    return delivery;
  }

  /** As with deliveries: receivers that hang leave half of the bytes to the others, and one that is sent nothing gets some even then. */
  #hasBytes(lane: Lane, bytes: number): boolean {
    const most = this.#limits.bytesInFlight ?? bytesInFlightMax;
    if (bytes === 0) return true;
    if (lane.bytes === 0) return this.#bytes + bytes <= 2 * most;
    return this.#bytes + bytes <= (this.#quick.has(lane.name) ? most : most / 2);
  }

  #count(lane: Lane, bytes: number): void {
    lane.bytes += bytes;
    this.#bytes += bytes;
  }

  /** The lanes that can go on now that bytes are free. */
  withoutBytes(): Lane[] {
    return [...this.#outOfBytes];
  }

  /** The request for a delivery has ended. `tookMs` is undefined when there was no complete response. */
  answered(lane: Lane, tookMs: number | undefined, delivery?: LeasedDelivery): void {
    lane.sending--;
    if (delivery !== undefined) this.#count(lane, -largeBytesOf(delivery));
    if (this.#quick.size >= rememberedMax) this.#quick.clear();
    if (tookMs === undefined || tookMs >= quickMs) this.#quick.delete(lane.name);
    else this.#quick.add(lane.name);
    if (tookMs !== undefined) lane.movedAt = this.#now();
  }

  /** Whether to lease more: when half of the lane is free, so that a run is worth its statements and the receiver never waits. */
  settled(lane: Lane, delivery: LeasedDelivery): boolean {
    this.#forget(lane, delivery);
    return this.#isShort || (lane.hasMore && lane.held <= this.#most(lane.name, this.#held.size) / 2);
  }

  /** Takes the waiting deliveries of receivers that have stopped answering, so that others get the capacity. */
  takeStalled(): LeasedDelivery[] {
    const now = this.#now();
    const stalled = [...this.#lanes.values()].filter((lane) => lane.sending > 0 && now - lane.movedAt > stalledMs);
    for (const lane of stalled) this.#quick.delete(lane.name);
    return stalled.flatMap((lane) => this.#takeWaiting(lane, () => true));
  }

  takeAllWaiting(): LeasedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#takeWaiting(lane, () => true));
  }

  /** Removes waiting deliveries that another instance has leased. Those already sent cannot be called back. */
  dropLost(isLost: (delivery: LeasedDelivery) => boolean): void {
    for (const lane of this.#lanes.values()) this.#takeWaiting(lane, isLost);
  }

  #takeWaiting(lane: Lane, isMeant: (delivery: LeasedDelivery) => boolean): LeasedDelivery[] {
    const taken = lane.waiting.filter(isMeant);
    lane.waiting = lane.waiting.filter((delivery) => !isMeant(delivery));
    if (lane.waiting.length === 0) this.#outOfBytes.delete(lane);
    for (const delivery of taken) this.#forget(lane, delivery);
    return taken;
  }

  #forget(lane: Lane, delivery: LeasedDelivery): void {
    lane.held--;
    if (lane.held === 0) this.#lanes.delete(lane.name);
    // A delivery that was resent and leased again meanwhile stays.
    if (this.#held.get(nameOf(delivery)) === delivery) this.#held.delete(nameOf(delivery));
  }
}

/** Small payloads came with the lease: they are bounded by the number of deliveries. */
function largeBytesOf({ payload, bytes }: LeasedDelivery): number {
  return payload === null ? (bytes ?? 0) : 0;
}

export function laneName({ tenant, endpoint }: { tenant: number; endpoint: string }): string {
  return `${tenant}/${endpoint}`;
}

function nameOf({ tenant, id }: Delivery): string {
  return `${tenant}/${id}`;
}
