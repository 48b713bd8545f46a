/** A timer that was set, and can be called off. */
export type Timer = { cancel(): void };

/**
 * Calls `then` once, `ms` milliseconds from now. The timer alone never keeps the process alive: whoever waits for it
 * has something else open (a socket, a listener), or does not mind that the process ends first.
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
