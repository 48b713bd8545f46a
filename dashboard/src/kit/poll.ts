import { useEffect } from 'react';

/** Reads again and again while something is under way. */
export function usePolling(isUnderWay: boolean, read: () => unknown, everyMs = 500): void {
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void read(), everyMs);
    return () => clearInterval(timer);
  }, [isUnderWay, read, everyMs]);
}
