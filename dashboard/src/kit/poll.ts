import { useEffect } from 'react';

const everyMs = 500;

/** Reads again and again while something is under way. */
export function usePolling(isUnderWay: boolean, read: () => unknown): void {
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void read(), everyMs);
    return () => clearInterval(timer);
  }, [isUnderWay, read]);
}
