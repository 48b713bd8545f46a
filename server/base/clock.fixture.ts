import type { Clock } from './clock.ts';

export type VirtualClock = Clock & { advance(milliseconds: number): void };

export function virtualClock(start: number): VirtualClock {
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    ahead: () => start + elapsed - Date.now(),
    advance(milliseconds) {
      elapsed += milliseconds;
    },
  };
}
