import uPlot from 'uplot';
import { roundAbove } from './scale.ts';

export const chartHeight = 132;

/** What is drawn, of part after part. */
export type Plotted = {
  kind: 'bars' | 'line';
  /** Null where there is none. */
  values: readonly (number | null)[];
  /** Where the scale ends; undefined: a round number above all values. */
  top?: number;
  /** Beside the scale. */
  scale(value: number): string;
  /** Below a part. */
  below(part: number): string;
};

const font = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const labelWidth = 64;
const scaleWidth = 56;
/** Room for the half of the last label that stands beyond its part. */
const endWidth = 26;

/** Of a chart whose content is read whenever it is drawn. Its colours are the `color`, the `stroke` and the `fill` of its element. */
export function optionsOf(
  kind: Plotted['kind'],
  shown: () => Plotted,
  onPart: (part: number | undefined) => void,
): Omit<uPlot.Options, 'width'> {
  return {
    height: chartHeight,
    padding: [8, endWidth, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'line', size: 8 }, move: middleOf },
    scales: {
      x: { time: false, range: () => [-0.5, shown().values.length - 0.5] },
      y: { range: () => [0, topOf(shown())] },
    },
    axes: [
      {
        font,
        stroke: colour('fill'),
        size: 24,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        splits: (plot) => labelled(shown().values.length, plot.width - scaleWidth - endWidth),
        values: (_plot, parts) => parts.map((part) => shown().below(part)),
      },
      {
        font,
        stroke: colour('fill'),
        size: scaleWidth,
        gap: 6,
        grid: { stroke: colour('stroke'), width: 1 },
        ticks: { show: false },
        splits: (_plot, _axis, _min, max) => [0, max / 2, max],
        values: (_plot, splits) => splits.map((value) => (value > 0 && isFlat(shown()) ? '' : shown().scale(value))),
      },
    ],
    series: [{}, seriesOf(kind)],
    hooks: { setCursor: [({ cursor }) => onPart(cursor.idx ?? undefined)] },
  };
}

/** The line of the cursor stands in the middle of the part that is pointed at. */
function middleOf(plot: uPlot, left: number, top: number): [number, number] {
  return left < 0 ? [left, top] : [plot.valToPos(plot.posToIdx(left), 'x'), top];
}

function seriesOf(kind: Plotted['kind']): uPlot.Series {
  const own = { stroke: colour('color'), points: { show: false } };
  if (kind === 'bars')
    return { ...own, width: 0, fill: colour('color'), paths: uPlot.paths.bars!({ size: [0.72, 36], radius: 0.12 }) };
  // A part alone between others without a value would not be seen.
  return { ...own, width: 1.75, points: { show: true, size: 5, fill: colour('color') } };
}

function colour(property: 'color' | 'stroke' | 'fill'): (plot: uPlot) => string {
  return (plot) => getComputedStyle(plot.root.parentElement!)[property];
}

/** The parts that have a label: as many as there is room for, up to the last one. */
function labelled(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, labelWidth)));
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => count - 1 - n * step).reverse();
}

const isFlat = ({ values, top }: Plotted) => top === undefined && values.every((value) => !value);

function topOf({ values, top }: Plotted): number {
  return top ?? roundAbove(Math.max(0, ...values.map((value) => value ?? 0)));
}
