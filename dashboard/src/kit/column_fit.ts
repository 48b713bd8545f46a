/** What decides whether a column is shown. */
export type ColumnRoom = {
  /** Left out where there is no room for it: of several, the last one first. On a narrow screen there is none. */
  isWideOnly?: boolean;
  /** On a narrow screen it stands below the first column; `titled`: behind its title, because it does not speak for itself. */
  isBelow?: boolean | 'titled';
  /** It stands there only where the others fill a narrow table: a long amount and a long status take the whole row. */
  isLastBelow?: boolean;
  /** Shown only when somebody chooses it; then others give way. */
  isHidden?: boolean;
  /** Texts of any length share what the other columns leave, by their `room`, and are cut there. */
  isText?: boolean;
  /** What it needs, in rem, with its padding. */
  room?: number;
};

/** Below, a table has room for two or three columns: a telephone, or one of two columns of a small window. */
const narrowRem = 30;
const textRem = 9;
const otherRem = 7.5;

export const roomOf = ({ room, isText }: ColumnRoom) => room ?? (isText ? textRem : otherRem);

/**
 * The columns that a table of this width shows. `more`: how many steps it gives way beyond that, because the others need more than their room.
 * A column is a step; where none is left, it becomes narrow, unless somebody has chosen columns that it would not show then.
 */
export function columnsThatFit<Column extends ColumnRoom>(columns: readonly Column[], widthRem: number, more = 0) {
  if (widthRem < narrowRem) return narrow(columns, more);
  const giveWay = columns.filter(({ isWideOnly, isHidden }) => isWideOnly && !isHidden);
  let needed = columns.reduce((sum, column) => sum + roomOf(column), 0);
  let left = more;
  const gone = new Set<Column>();
  for (const column of giveWay.toReversed()) {
    if (needed <= widthRem && left-- <= 0) break;
    gone.add(column);
    needed -= roomOf(column);
  }
  const canBeNarrow = !columns.some(({ isHidden }) => isHidden);
  if (left > 0 && canBeNarrow && gone.size === giveWay.length) return narrow(columns, left - 1);
  const shown = columns.filter((column) => !gone.has(column));
  return { isNarrow: false, shown, below: [] as Column[], canGive: canBeNarrow || gone.size < giveWay.length };
}

function narrow<Column extends ColumnRoom>(columns: readonly Column[], more: number) {
  const shown = columns.filter(({ isWideOnly, isBelow }) => !isWideOnly && !isBelow);
  const last = shown.length > 1 ? shown.filter(({ isLastBelow }) => isLastBelow) : [];
  const lower = more > 0 ? last : [];
  return {
    isNarrow: true,
    shown: shown.filter((column) => !lower.includes(column)),
    below: [...columns.filter(({ isBelow }) => isBelow), ...lower],
    canGive: lower.length < last.length,
  };
}
