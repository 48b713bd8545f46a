import style from './chart.module.css';
import { type Bar, barsOf, type Line, linesOf, type Series, scaleOf } from './series.ts';

/** What is drawn. */
export type Plotted = {
  series: readonly Series[];
  /** Beside the scale. */
  scale(value: number): string;
  /** Below a part. */
  below(part: number): string;
};

export type Size = { width: number; height: number };

/** Where things are, in pixels. */
export type Geometry = {
  left: number;
  right: number;
  bottom: number;
  /** How wide a part is. */
  slot: number;
  x(part: number): number;
  y(value: number): number;
};

const [top, below] = [8, 24];
const letterWidth = 7.25;
const labelWidth = 64;
const barMax = 56;

export function geometryOf({ series, scale }: Plotted, { width, height }: Size): Geometry {
  const { range, lines } = scaleOf(series);
  const count = series[0]!.values.length;
  const left = Math.max(...lines.map((line) => scale(line).length)) * letterWidth + 12;
  // A third of the last label may stand beyond the middle of its part.
  const right = width - Math.max(0, labelWidth / 3 - (width - left) / count / 2);
  const [bottom, slot] = [height - below, (right - left) / count];
  const [low, high] = range;
  return {
    left,
    right,
    bottom,
    slot,
    x: (part) => left + (part + 0.5) * slot,
    y: (value) => top + ((high - value) / (high - low)) * (bottom - top),
  };
}

/** The drawing alone: what it says stands in the table behind it. */
export function Plot({ plotted, size, pointed }: { plotted: Plotted; size: Size; pointed: number | undefined }) {
  const { series, scale, below: nameOf } = plotted;
  const geometry = geometryOf(plotted, size);
  const { left, right, bottom, slot, x, y } = geometry;
  const isFlat =
    barsOf(series).length === 0 && linesOf(series).every(({ points }) => points.every(({ value }) => value === 0));
  return (
    <svg width={size.width} height={size.height} aria-hidden>
      {pointed !== undefined && (
        <rect className={style.pointed} x={x(pointed) - slot / 2} y={0} width={slot} height={bottom} />
      )}
      {scaleOf(series).lines.map((line) => (
        <g key={line}>
          <line className={line === 0 ? style.zero : style.line} x1={left} x2={right} y1={y(line)} y2={y(line)} />
          <text x={left - 8} y={y(line)} dominantBaseline="central" textAnchor="end">
            {line === 0 || !isFlat ? scale(line) : ''}
          </text>
        </g>
      ))}
      {labelled(series[0]!.values.length, right - left).map((part) => (
        <text key={part} x={x(part)} y={bottom + 16} textAnchor="middle">
          {nameOf(part)}
        </text>
      ))}
      {barsOf(series).map((bar) => (
        <path key={`${bar.tone} ${bar.part}`} data-tone={bar.tone} d={barPath(bar, geometry)} />
      ))}
      {linesOf(series).map((line) => (
        <LinePath key={line.tone} line={line} geometry={geometry} />
      ))}
    </svg>
  );
}

/** A line across bars has an edge, to be seen on them. One of amounts has its area. */
function LinePath({ line: { tone, points }, geometry: { x, y } }: { line: Line; geometry: Geometry }) {
  const drawn = points.map(({ part, value }) => `${round(x(part))},${round(y(value))}`).join(' ');
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      {tone === 'before' && <polyline className={style.edge} points={drawn} />}
      {tone === 'recurring' && (
        <path
          className={style.area}
          data-tone={tone}
          d={`M${x(first.part)},${y(0)} L${drawn} L${x(last.part)},${y(0)} Z`}
        />
      )}
      <polyline className={style[tone]} data-tone={tone} points={drawn} />
      {points.length === 1 && <circle data-tone={tone} cx={x(first.part)} cy={y(first.value)} r={3} />}
    </>
  );
}

/** From one value to another, with two round corners at its end. */
function barPath({ tone, part, from, to }: Bar, { x, y, slot }: Geometry): string {
  const half = Math.max(0.5, Math.min(slot * 0.68, barMax) / 2);
  const [start, end] = [y(from), y(to)];
  const radius = tone === 'refunds' ? 0 : Math.min(half * 0.25, 5, Math.abs(end - start));
  const inward = end < start ? radius : -radius;
  const [left, right] = [x(part) - half, x(part) + half].map(round) as [number, number];
  return [
    `M${left},${round(start)} V${round(end + inward)} Q${left},${round(end)} ${round(left + radius)},${round(end)}`,
    `H${round(right - radius)} Q${right},${round(end)} ${right},${round(end + inward)} V${round(start)} Z`,
  ].join(' ');
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** The parts that have a label: as many as there is room for, up to the last one. */
function labelled(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, labelWidth)));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => count - 1 - n * step).reverse();
}
