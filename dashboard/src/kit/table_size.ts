import { useLayoutEffect, useRef, useState } from 'react';

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
