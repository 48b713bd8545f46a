import { type RefObject, useLayoutEffect, useRef } from 'react';

const loading = '[aria-busy="true"]:not([data-stale])';
const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy', 'data-stale'] };

/**
 * For a box whose parts follow each other: what stands below one that is loading is shown after it, so that nothing moves. Chromium does
 * not notice where a style that says so by `:has()` no longer matches, and everything below stayed hidden.
 */
export function useInOrder(isOn = true): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || !isOn) return;
    const mark = () => {
      let waits = false;
      for (const part of current.children) {
        part.toggleAttribute('data-waits', waits);
        waits ||= part.querySelector(loading) !== null;
      }
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(current, watched);
    return () => observer.disconnect();
  }, [isOn]);
  return box;
}
