/** Time comes in as an argument everywhere, so that a test can walk through three days in a millisecond. */
export type Clock = {
  /** Wall time in epoch milliseconds. It may jump; use it for what people read, never for measuring. */
  now(): number;
  /** Milliseconds that only ever grow. Use it for durations, caches and deadlines. */
  monotonic(): number;
  /** How far a virtual clock is ahead of real time, in milliseconds; what the database calls now is that much earlier. */
  ahead(): number;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  ahead: () => 0,
};
