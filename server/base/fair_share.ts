import { Unavailable } from './errors.ts';
import { getOrMake } from './get_or_make.ts';
import { after } from './timers.ts';

type Owner = { running: number; waiting: (() => void)[] };

type FairShareOptions = {
  /** How much work can run at once. */
  places: number;
  /** How much of it can be of one owner, whether or not others want the rest: a place that is taken is not given back until the end. */
  each: number;
  /** How long work waits for a place before it is refused. */
  patienceMs?: number;
};

/** Shares places among owners. A place that becomes free goes to the owner that has the fewest; of several, to each in turn. */
export class FairShare<Name> {
  readonly #options: Required<FairShareOptions>;
  readonly #owners = new Map<Name, Owner>();
  #running = 0;

  constructor(options: FairShareOptions) {
    this.#options = { patienceMs: 20_000, ...options };
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
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = after(this.#options.patienceMs, () => {
      owner.waiting.splice(owner.waiting.indexOf(admit), 1);
      reject(new Unavailable('too many reads of this account are waiting'));
    });
    const admit = () => {
      timer.cancel();
      resolve();
    };
    owner.waiting.push(admit);
    return promise;
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
    owner.waiting.shift()!();
  }
}
