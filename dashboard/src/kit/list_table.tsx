import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import style from './list_page.module.css';
import { pageOfId } from './paths.ts';
import { useRowOpening } from './row_opening.ts';

export type Column<Item> = {
  id: string;
  title: string;
  cell(item: Item): ReactNode;
  align?: 'right';
  /** For screen readers only: the cells have buttons that say what they do. */
  hideTitle?: boolean;
  /** Left out below 768 px, where there is room for two or three. */
  isWideOnly?: boolean;
  /** There, it stands below the first column instead of being left out. */
  isBelow?: boolean;
  /** Shown only when somebody chooses it. */
  isHidden?: boolean;
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
/** As the style sheet has it. */
const narrow = '(width < 48em)';

export function ListTable<Item extends { id: string }>({
  columns,
  hidden = none,
  items,
  isStale = false,
}: TableProps<Item>) {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  // Rows without a page may have nothing to focus, and the keyboard scrolls what has the focus.
  const needsFocus = items?.some(({ id }) => pageOfId(id) === undefined);
  return (
    <div className={style.box} tabIndex={needsFocus ? 0 : undefined}>
      <table className={style.table} data-stale={isStale || undefined} aria-busy={items === undefined}>
        <Head columns={shown} />
        {items === undefined ? <Waiting columns={shown} /> : <Rows columns={shown} items={items} />}
      </table>
    </div>
  );
}

type RowsProps<Item> = { columns: readonly Column<Item>[]; items: readonly Item[] };

function Rows<Item extends { id: string }>({ columns, items }: RowsProps<Item>) {
  const opening = useRowOpening();
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  const below = isNarrow ? columns.filter(({ isBelow }) => isBelow) : [];
  return (
    <tbody>
      {items.map((item) => {
        return (
          <tr key={item.id} {...opening(pageOfId(item.id))}>
            {columns.map((column, index) => (
              <td key={column.id} className={classOf(column)}>
                {!(isNarrow && column.isBelow) && column.cell(item)}
                {index === 0 && below.map(({ id, cell }) => <Below key={id}>{cell(item)}</Below>)}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}

/** Nothing takes no line. */
function Below({ children }: { children: ReactNode }) {
  return <div className={style.below}>{children}</div>;
}

function Head<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.id} scope="col" className={classOf(column)}>
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

function classOf<Item>({ align, isWideOnly, isBelow }: Column<Item>): string {
  return [align === 'right' ? style.right : '', isWideOnly || isBelow ? style.wideOnly : ''].join(' ').trim();
}
