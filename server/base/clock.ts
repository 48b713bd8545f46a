/** Time is passed in everywhere, so that a test can go through three days in a millisecond. */
export type Clock = {
  /** Wall time in epoch milliseconds. It may jump: never use it to measure durations. */
  now(): number;
  /** Monotonic time in milliseconds, for durations, caches and deadlines. */
  monotonic(): number;
  /** How far a virtual clock is ahead of the database's clock, in milliseconds. */
  ahead(): number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  ahead: () => 0,
};
