/** How a figure differs from that of the period before. */
export type Change = { way: 'up' | 'down' | 'same'; by: string };

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
/** Above ten times as much, a percentage says less than the two figures. */
const changeMax = 10;

/** `4.2%`; undefined where there was nothing, or less, so that no percentage says it. */
export function changeOf(now: number, before: number): Change | undefined {
  if (now !== before && before <= 0) return undefined;
  const change = now === before ? 0 : (now - before) / before;
  const shown = percent.format(Math.min(Math.abs(change), changeMax));
  if (shown === percent.format(0)) return { way: 'same', by: shown };
  return { way: change > 0 ? 'up' : 'down', by: change > changeMax ? `>${shown}` : shown };
}

/** Of two rates, in percentage points: `1.5 points`. */
export function rateChangeOf(now: number | undefined, before: number | undefined): Change | undefined {
  if (now === undefined || before === undefined) return undefined;
  const change = (now - before) * 100;
  const shown = points.format(Math.abs(change));
  const by = `${shown} ${shown === '1' ? 'point' : 'points'}`;
  if (shown === '0') return { way: 'same', by };
  return { way: change > 0 ? 'up' : 'down', by };
}
