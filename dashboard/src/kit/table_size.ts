import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of a table’s box, in rem, and whether the table is wider than it. Known before the first paint. */
export function useTableSize() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    const [outer, table] = [box.current!, box.current!.firstElementChild as HTMLElement];
    const measure = () => {
      setWidth(outer.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
      setOver(table.offsetWidth > outer.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { box, width, isOver };
}

/** How many columns give way because others need more than their room. It begins anew with other rows, columns or another width. */
export function useGivingWay(...begins: readonly unknown[]) {
  const [state, setState] = useState({ begins, count: 0 });
  const isNew = begins.some((value, at) => value !== state.begins[at]);
  if (isNew) setState({ begins, count: 0 });
  return { count: isNew ? 0 : state.count, giveWay: () => setState({ begins, count: state.count + 1 }) };
}

/** Before the first paint: while the table is wider than its box, the next column gives way. */
export function useFitted(box: RefObject<HTMLDivElement | null>, canGive: boolean, giveWay: () => void): void {
  useLayoutEffect(() => {
    const [outer, table] = [box.current!, box.current!.firstElementChild as HTMLElement];
    if (canGive && table.offsetWidth > outer.clientWidth) giveWay();
  });
}
