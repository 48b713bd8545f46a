import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useEffect } from 'react';
import style from './workbench.module.css';

const heightMin = 160;
const step = 32;
const heightMax = () => Math.max(heightMin, Math.round(window.innerHeight * 0.8));
const within = (height: number) => Math.min(Math.max(Math.round(height), heightMin), heightMax());

/** The height of the panel, which is remembered. The page gets as much room below, so that its end can be seen. */
export function usePanelHeight(): { height: number; resize(height: number): void } {
  const [remembered, setHeight] = useLocalStorage<number>({
    key: 'tollgate.workbench.height',
    defaultValue: 320,
    getInitialValueInEffect: false,
  });
  const height = within(Number(remembered) || 320);
  useEffect(() => {
    document.body.style.paddingBottom = `${height}px`;
    return () => {
      document.body.style.paddingBottom = '';
    };
  }, [height]);
  return { height, resize: (wanted) => setHeight(within(wanted)) };
}

/** Its upper edge: dragged, or moved by the arrows. */
export function Handle({ height, onResize }: { height: number; onResize(height: number): void }) {
  const press = (event: KeyboardEvent) => {
    const heights: Record<string, number> = {
      ArrowUp: height + step,
      ArrowDown: height - step,
      Home: heightMin,
      End: heightMax(),
    };
    const wanted = heights[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    onResize(wanted);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const { bottom } = event.currentTarget.parentElement!.getBoundingClientRect();
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onResize(bottom - event.clientY);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is moved, which an hr is not
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the workbench"
      aria-valuenow={height}
      aria-valuemin={heightMin}
      aria-valuemax={heightMax()}
      tabIndex={0}
      className={style.handle}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
