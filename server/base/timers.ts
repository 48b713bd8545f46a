/** A timer that can be canceled. */
export type Timer = { cancel(): void };

/**
 * Calls `then` once, `ms` milliseconds from now. The timer alone does not keep the process alive: a caller that needs it has something
 * else open, such as a socket or a listener.
 */
export function after(ms: number, then: () => void): Timer {
  const timer = setTimeout(then, ms).unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Calls `then` every `ms` milliseconds, likewise without keeping the process alive. */
export function every(ms: number, then: () => void): Timer {
  const timer = setInterval(then, ms).unref();
  return { cancel: () => clearInterval(timer) };
}

/** Resolves after `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => after(ms, resolve));
}

const longMs = 86_400_000;

/** Keeps the process alive until it is cancelled, even if nothing is open. */
export function keepAlive(): Timer {
  const timer = setInterval(() => {}, longMs);
  return { cancel: () => clearInterval(timer) };
}

/** Rejects after `ms` milliseconds, unless it is cancelled. Unlike `after`, it keeps the process alive until then. */
export function deadline(ms: number): Timer & { passed: Promise<never> } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {}); // there may be no waiter
  const timer = setTimeout(() => reject(new Error(`not within ${ms / 1_000} s`)), ms);
  return { passed: promise, cancel: () => clearTimeout(timer) };
}
