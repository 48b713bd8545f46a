import { Unavailable } from './errors.ts';
import { getOrMake } from './get_or_make.ts';
import { after } from './timers.ts';

/** Work that waits for a place. */
type WaitingWork = { admit: () => void; refuse: () => void };

type Owner = { running: number; waiting: WaitingWork[] };

export type FairShareOptions = {
  /** How much work can run concurrently. */
  places: number;
  /** How much of it can be of one owner, whether or not others want the rest: a place that is taken is not given back until the end. */
  each: number;
  /** How long work waits for a place before it is refused. */
  patienceMs?: number;
  /** How much work can wait: of one owner, and of all together. More is refused immediately. By default there is no limit. */
  waitingMax?: { each: number; all: number };
  /** The error of refused work. */
  refuse?: () => Error;
};

const defaults = {
  patienceMs: 20_000,
  waitingMax: { each: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY },
  refuse: () => new Unavailable('too much work is waiting for a place'),
};

/** Shares places among owners. A place that becomes free goes to the owner that has the fewest; of several, to each in turn. */
export class FairShare<Name> {
  readonly #options: Required<FairShareOptions>;
  readonly #owners = new Map<Name, Owner>();
  #running = 0;
  #waiting = 0;

  constructor(options: FairShareOptions) {
    this.#options = { ...defaults, ...options };
  }

  async run<T>(name: Name, work: () => Promise<T>): Promise<T> {
    const owner = getOrMake(this.#owners, name, (): Owner => ({ running: 0, waiting: [] }));
    if (this.#hasRoomFor(owner)) this.#take(owner);
    else await this.#wait(owner).finally(() => this.#forgetIdle(name, owner));
    try {
      return await work();
    } finally {
      owner.running--;
      this.#running--;
      this.#forgetIdle(name, owner);
      this.#admitNext();
    }
  }

  #forgetIdle(name: Name, owner: Owner): void {
    if (owner.running + owner.waiting.length === 0) this.#owners.delete(name);
  }

  #hasRoomFor(owner: Owner): boolean {
    return this.#running < this.#options.places && owner.running < this.#options.each;
  }

  #take(owner: Owner): void {
    owner.running++;
    this.#running++;
  }

  #wait(owner: Owner): Promise<void> {
    const { patienceMs, waitingMax, refuse } = this.#options;
    const isFull = () => owner.waiting.length >= waitingMax.each || this.#waiting >= waitingMax.all;
    if (isFull()) this.#makeRoomFor(owner);
    if (isFull()) return Promise.reject(refuse());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = after(patienceMs, () => this.#refuse(owner, waiting));
    const waiting: WaitingWork = {
      admit() {
        timer.cancel();
        resolve();
      },
      refuse() {
        timer.cancel();
        reject(refuse());
      },
    };
    owner.waiting.push(waiting);
    this.#waiting++;
    return promise;
  }

  /** In a full queue, the newest work of the owner that has the most waiting goes, unless the newcomer would then have as many. */
  #makeRoomFor(newcomer: Owner): void {
    if (newcomer.waiting.length >= this.#options.waitingMax.each) return;
    let most = newcomer;
    for (const owner of this.#owners.values()) if (owner.waiting.length > most.waiting.length) most = owner;
    if (most.waiting.length > newcomer.waiting.length + 1) this.#refuse(most, most.waiting.at(-1)!);
  }

  #refuse(owner: Owner, waiting: WaitingWork): void {
    owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
    this.#waiting--;
    waiting.refuse();
  }

  #admitNext(): void {
    let next: [Name, Owner] | undefined;
    for (const [name, owner] of this.#owners)
      if (owner.waiting.length > 0 && this.#hasRoomFor(owner) && owner.running < (next?.[1].running ?? Infinity))
        next = [name, owner];
    if (next === undefined) return;
    const [name, owner] = next;
    this.#owners.delete(name); // and last again, for the others' turn
    this.#owners.set(name, owner);
    this.#take(owner);
    this.#waiting--;
    owner.waiting.shift()!.admit();
  }
}
