/** What can go wrong with a request, and when: before or after its effect. */
export const fakeFaultKinds = [
  'reset_before',
  'reset_after',
  /** No answer, and then the connection is closed. `before`: the request is never executed. */
  'hold_before',
  'hold_after',
  /** `before`: executed late, even when the client has gone. `after`: executed immediately, and answered late. */
  'late_before',
  'late_after',
  'conflict_409',
  'rate_limit_429',
  'error_500_before',
  'error_500_after',
  'html',
  'cut_json',
  'other_object',
  /** The answer says the opposite of what has happened. */
  'contradiction',
] as const;
export type FakeFaultKind = (typeof fakeFaultKinds)[number];

export type FakeFault = {
  kind: FakeFaultKind;
  /** Which requests: the method, and a part of the path. Default: all. */
  method?: string;
  path?: string;
  /** So many requests are spared first. */
  skip?: number;
  /** How often. Default: once, or without end where there is a probability. */
  times?: number;
  /** From 0 to 1, for each request. */
  probability?: number;
  /** How long it holds, or is late. */
  ms?: number;
};

type PlannedFault = FakeFault & { skip: number; times: number };

/** The faults that are planned. With a probability, chance follows from the seed. */
export class FakeFaults {
  readonly seed: number;
  #planned: PlannedFault[] = [];
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed;
  }

  add(fault: FakeFault): void {
    const times = fault.times ?? (fault.probability === undefined ? 1 : Number.POSITIVE_INFINITY);
    this.#planned.push({ ...fault, skip: fault.skip ?? 0, times });
  }

  clear(): void {
    this.#planned = [];
  }

  /** The fault of this request. The first that was planned wins. */
  next(method: string, path: string): FakeFault | undefined {
    const found = this.#planned.find((fault) => this.#strikes(fault, method, path));
    if (found === undefined) return undefined;
    found.times -= 1;
    if (found.times <= 0) this.#planned = this.#planned.filter((fault) => fault !== found);
    return found;
  }

  #strikes(fault: PlannedFault, method: string, path: string): boolean {
    if (fault.method !== undefined && fault.method !== method) return false;
    if (fault.path !== undefined && !path.includes(fault.path)) return false;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return false;
    }
    return fault.probability === undefined || this.#chance() < fault.probability;
  }

  /** From 0 to 1 (mulberry32): the same numbers for the same seed. */
  #chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
