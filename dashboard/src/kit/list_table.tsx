import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ColumnRoom, columnsThatFit, roomOf } from './column_fit.ts';
import { useDensity } from './density.ts';
import style from './list_page.module.css';
import { pageOfId } from './paths.ts';
import { useRowOpening } from './row_opening.ts';
import { useFitted, useGivingWay, useTableSize } from './table_size.ts';

export type Column<Item> = ColumnRoom & {
  id: string;
  title: string;
  /** `isBelow`: it stands below the first column. */
  cell(item: Item, isBelow?: boolean): ReactNode;
  align?: 'right';
  /** For screen readers only: the cells have buttons that say what they do. */
  hideTitle?: boolean;
};

type TableProps<Item> = {
  columns: readonly Column<Item>[];
  hidden?: readonly string[];
  /** Undefined while they are loaded: then rows of the same height stand in. */
  items: readonly Item[] | undefined;
  isStale?: boolean;
};

const none: readonly string[] = [];
const rowsWhileLoading = 8;

/** Shows the columns that there is room for. It scrolls sideways only if those that never give way are too wide. */
export function ListTable<Item extends { id: string }>({
  columns,
  hidden = none,
  items,
  isStale = false,
}: TableProps<Item>) {
  const [density] = useDensity();
  const { box, width, isOver } = useTableSize();
  const chosen = columns.filter(({ id }) => !hidden.includes(id));
  const { count, giveWay } = useGivingWay(items, width, chosen.map(({ id }) => id).join());
  const { shown, below, isNarrow, canGive } = columnsThatFit(chosen, width, count);
  useFitted(box, canGive, giveWay);
  // Rows without a page may have nothing to focus, and the keyboard scrolls what has the focus.
  const needsFocus = isOver && items?.some(({ id }) => pageOfId(id) === undefined);
  return (
    <div ref={box} className={style.box} data-over={isOver || undefined} tabIndex={needsFocus ? 0 : undefined}>
      <table
        className={style.table}
        data-density={density}
        data-narrow={isNarrow || undefined}
        data-gives={(canGive && !isNarrow) || undefined}
        data-stale={isStale || undefined}
        aria-busy={items === undefined}
      >
        <Head columns={shown} />
        {items === undefined ? <Waiting columns={shown} /> : <Rows columns={shown} below={below} items={items} />}
      </table>
    </div>
  );
}

type RowsProps<Item> = { columns: readonly Column<Item>[]; below: readonly Column<Item>[]; items: readonly Item[] };

function Rows<Item extends { id: string }>({ columns, below, items }: RowsProps<Item>) {
  const opening = useRowOpening();
  return (
    <tbody>
      {items.map((item) => (
        <tr key={item.id} {...opening(pageOfId(item.id))}>
          {columns.map((column, index) => (
            <td key={column.id} className={classOf(column)}>
              {column.cell(item)}
              {index === 0 &&
                below.map(({ id, title, isBelow, cell: cellBelow }) => (
                  <Below key={id}>
                    {isBelow === 'titled' && `${title}: `}
                    {cellBelow(item, true)}
                  </Below>
                ))}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** Nothing takes no line. */
function Below({ children }: { children: ReactNode }) {
  return <div className={style.below}>{children}</div>;
}

function Head<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  const sharing = columns.filter(({ isText }) => isText).reduce((sum, column) => sum + roomOf(column), 0);
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={classOf(column)}
            style={column.isText ? { width: `${(100 * roomOf(column)) / sharing}%` } : {}}
          >
            {column.hideTitle ? <span className="visually-hidden">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Waiting<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return (
    <tbody>
      {Array.from({ length: rowsWhileLoading }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that stand in for others
        <tr key={row}>
          {columns.map((column) => (
            <td key={column.id} className={classOf(column)}>
              <Skeleton height={12} width="70%" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function classOf<Item>({ align, isText }: Column<Item>): string {
  return [align === 'right' ? style.right : '', isText ? style.text : ''].join(' ').trim();
}
