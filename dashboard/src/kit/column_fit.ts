/** What decides whether a column is shown. */
export type ColumnRoom = {
  /** Left out where there is no room for it: of several, the last one first. On a narrow screen there is none. */
  isWideOnly?: boolean;
  /** On a narrow screen it stands below the first column; `titled`: behind its title, because it does not speak for itself. */
  isBelow?: boolean | 'titled';
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

/** The columns that a table of this width shows. `more`: how many others give way, because the rest need more than their room. */
export function columnsThatFit<Column extends ColumnRoom>(columns: readonly Column[], widthRem: number, more = 0) {
  const isNarrow = widthRem < narrowRem;
  if (isNarrow)
    return {
      isNarrow,
      shown: columns.filter(({ isWideOnly, isBelow }) => !isWideOnly && !isBelow),
      below: columns.filter(({ isBelow }) => isBelow),
      canGive: false,
    };
  const giveWay = columns.filter(({ isWideOnly, isHidden }) => isWideOnly && !isHidden);
  let needed = columns.reduce((sum, column) => sum + roomOf(column), 0);
  let left = more;
  const gone = new Set<Column>();
  for (const column of giveWay.toReversed()) {
    if (needed <= widthRem && left-- <= 0) break;
    gone.add(column);
    needed -= roomOf(column);
  }
  const shown = columns.filter((column) => !gone.has(column));
  return { isNarrow, shown, below: [] as Column[], canGive: gone.size < giveWay.length };
}
