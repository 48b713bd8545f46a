import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import style from './chart.module.css';
import { chartHeight, optionsOf, type Plotted } from './chart_options.ts';

type ChartProps = Plotted & {
  /** What is drawn, such as `Volume in EUR`. */
  label: string;
  /** The name of a part, its value, and what else is known of it. */
  words(part: number): { name: string; value: string; more?: string | undefined };
  /** Goes to the list behind a part. */
  onOpen(part: number): void;
};

/**
 * Values over time. The value of a part is shown on hover and with the arrow keys; a click or Enter leads to the list behind it. Screen
 * readers have a table.
 */
export function Chart(props: ChartProps) {
  const { label, values, words, onOpen } = props;
  const holder = useRef<HTMLDivElement>(null);
  const [pointed, setPart] = useState<number>();
  const part = pointed !== undefined && pointed < values.length ? pointed : undefined;
  const plot = usePlot(holder, props, setPart);
  const last = values.length - 1;
  const press = (event: KeyboardEvent) => {
    const now = part ?? last;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) return onOpen(now);
    point(plot.current, Math.min(Math.max(next, 0), last));
  };
  const { name, value, more } = words(part ?? last);
  return (
    <>
      <div
        className={style.chart}
        ref={holder}
        style={{ height: chartHeight }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={part ?? last}
        aria-valuetext={[name, value, more].filter(Boolean).join(', ')}
        onKeyDown={press}
        onClick={() => part !== undefined && onOpen(part)}
        onFocus={(event) => event.target.matches(':focus-visible') && point(plot.current, part ?? last)}
        onBlur={() => point(plot.current, undefined)}
      >
        {part !== undefined && <Tip at={leftOf(plot.current, part)} name={name} value={value} more={more} />}
      </div>
      <Table label={label} count={values.length} words={words} />
    </>
  );
}

function Tip({ at, name, value, more }: { at: number; name: string; value: string; more?: string | undefined }) {
  return (
    <div className={style.tip} style={{ left: `clamp(5.5rem, ${at}px, calc(100% - 5.5rem))` }} aria-hidden>
      <div className={style.name}>{name}</div>
      <strong>{value}</strong>
      {more !== undefined && <div>{more}</div>}
    </div>
  );
}

function Table({ label, count, words }: Pick<ChartProps, 'label' | 'words'> & { count: number }) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <tbody>
          {Array.from({ length: count }, (_, part) => words(part)).map(({ name, value, more }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{more}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** As if somebody pointed at a part with the mouse; at none where it is undefined. */
function point(plot: uPlot | undefined, part: number | undefined): void {
  if (plot === undefined) return;
  plot.setCursor(part === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(part, 'x'), top: 10 });
}

/** Where a part is, from the left of the chart. */
function leftOf(plot: uPlot | undefined, part: number): number {
  return plot === undefined ? 0 : plot.over.offsetLeft + plot.valToPos(part, 'x');
}

/** One canvas for as long as the chart is there: other values, another width and other colours are drawn into it. */
function usePlot(holder: RefObject<HTMLDivElement | null>, props: Plotted, onPart: (part: number | undefined) => void) {
  const plot = useRef<uPlot>(undefined);
  const shown = useRef<Plotted>(props);
  const scheme = useComputedColorScheme();
  const { kind, values } = props;
  useLayoutEffect(() => {
    shown.current = props;
  });
  useLayoutEffect(() => {
    const element = holder.current!;
    const options = optionsOf(kind, () => shown.current, onPart);
    const made = new uPlot({ ...options, width: element.clientWidth }, dataOf(shown.current.values), element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: chartHeight }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [holder, kind, onPart]);
  useEffect(() => plot.current?.setData(dataOf(values)), [values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read when it is drawn
  useEffect(() => plot.current?.redraw(false, true), [scheme]);
  return plot;
}

function dataOf(values: readonly (number | null)[]): uPlot.AlignedData {
  return [values.map((_, part) => part), [...values]];
}
