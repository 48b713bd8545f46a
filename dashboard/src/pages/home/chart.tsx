import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import style from './chart.module.css';
import { type Geometry, geometryOf, Plot, type Plotted, type Size } from './plot.tsx';
import type { Tone } from './series.ts';

/** What is known of a part: its name, and its values by name. */
export type PartWords = { name: string; values: readonly { name: string; value: string; tone?: Tone }[] };

type ChartProps = Plotted & {
  /** What is drawn, such as `Gross volume in EUR`. */
  label: string;
  /** It is higher where there is room. */
  minHeight: number;
  words(part: number): PartWords;
  /** Goes to the list behind a part. */
  onOpen(part: number): void;
  /** Beside the legend. */
  note?: ReactNode;
  /** Over the chart, where it has nothing to show. */
  empty?: ReactNode;
};

/**
 * Values over time. Those of a part are shown on hover, with the arrow keys, and by a tap; a click or Enter leads to the list behind it.
 * Screen readers have a table.
 */
export function Chart(props: ChartProps) {
  const { label, series, minHeight, words, onOpen, note, empty } = props;
  const holder = useRef<HTMLDivElement>(null);
  const size = useSize(holder);
  const [pointed, setPart] = useState<number>();
  const last = series[0]!.values.length - 1;
  const part = pointed !== undefined && pointed <= last ? pointed : undefined;
  const geometry = size && geometryOf(props, size);
  const press = (event: KeyboardEvent) => {
    const now = part ?? last;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) return onOpen(now);
    setPart(Math.min(Math.max(next, 0), last));
  };
  const point = ({ clientX }: PointerEvent) => {
    if (geometry === undefined) return;
    const from = holder.current!.getBoundingClientRect().left + geometry.left;
    setPart(Math.min(Math.max(Math.floor((clientX - from) / geometry.slot), 0), last));
  };
  const { name, values } = words(part ?? last);
  return (
    <figure className={style.figure}>
      <Legend series={series} note={note} />
      <div
        className={style.chart}
        ref={holder}
        style={{ minHeight }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={part ?? last}
        aria-valuetext={[name, ...values.map((one) => `${one.name} ${one.value}`)].join(', ')}
        onKeyDown={press}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPart(undefined)}
        onPointerUp={({ pointerType }) => pointerType === 'mouse' && part !== undefined && onOpen(part)}
        onFocus={(event) => event.target.matches(':focus-visible') && setPart(part ?? last)}
        onBlur={() => setPart(undefined)}
      >
        {size !== undefined && <Plot plotted={props} size={size} pointed={part} />}
        {part !== undefined && geometry !== undefined && (
          <Tip side={sideOf(part, last, geometry)} name={name} values={values} />
        )}
        {empty !== undefined && <div className={style.empty}>{empty}</div>}
      </div>
      <Table label={label} count={last + 1} words={words} />
    </figure>
  );
}

function Legend({ series, note }: Pick<ChartProps, 'series' | 'note'>) {
  return (
    <figcaption className={style.legend}>
      {series.map(({ tone, name }) => (
        <span key={tone}>
          <i data-tone={tone} />
          {name}
        </span>
      ))}
      <span>{note}</span>
    </figcaption>
  );
}

/** Beside a part, where there is more room. */
function sideOf(part: number, last: number, { x, slot }: Geometry): CSSProperties {
  const away = slot / 2 + 8;
  return part <= last / 2 ? { left: x(part) + away } : { right: `calc(100% - ${x(part) - away}px)` };
}

function Tip({ side, name, values }: PartWords & { side: CSSProperties }) {
  return (
    <div className={style.tip} style={side} aria-hidden>
      <div className={style.name}>{name}</div>
      <dl>
        {values.map((one) => (
          <div key={one.name}>
            <dt>
              {one.tone !== undefined && <i data-tone={one.tone} />}
              {one.name}
            </dt>
            <dd>{one.value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The same while something else is pointed at: a year of days is a long table. */
const Table = memo(function Table({ label, count, words }: Pick<ChartProps, 'label' | 'words'> & { count: number }) {
  const rows = Array.from({ length: count }, (_, part) => words(part));
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <td />
            {rows[0]?.values.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((one) => (
                <td key={one.name}>{one.value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** The size of an element, as it is now. */
function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const measured = element.current!;
    const measure = () => setSize({ width: measured.clientWidth, height: measured.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
