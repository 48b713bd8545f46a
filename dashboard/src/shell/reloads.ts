const storedAs = 'tollgate.reloaded';
/** A reload that did not help would not help again soon. */
const pauseMs = 10 * 60_000;

/** Whether a tab may reload by itself now. Answers yes once in ten minutes, and remembers it, so that there is never a loop. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(storedAs) ?? Number.NEGATIVE_INFINITY);
  if (now - last < pauseMs) return false;
  storage.setItem(storedAs, String(now));
  return true;
}
