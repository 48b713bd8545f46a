import { Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import style from './list_page.module.css';
import { pageOfId } from './paths.ts';

export type Column<Item> = {
  id: string;
  title: string;
  cell(item: Item): ReactNode;
  align?: 'right';
  /** For screen readers only: the cells have buttons that say what they do. */
  hideTitle?: boolean;
  /** Left out below 768 px, where there is room for two or three. */
  isWideOnly?: boolean;
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

export function ListTable<Item extends { id: string }>({
  columns,
  hidden = none,
  items,
  isStale = false,
}: TableProps<Item>) {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  return (
    <div className={style.box}>
      <table className={style.table} data-stale={isStale || undefined} aria-busy={items === undefined}>
        <Head columns={shown} />
        {items === undefined ? <Waiting columns={shown} /> : <Rows columns={shown} items={items} />}
      </table>
    </div>
  );
}

type RowsProps<Item> = { columns: readonly Column<Item>[]; items: readonly Item[] };

function Rows<Item extends { id: string }>({ columns, items }: RowsProps<Item>) {
  const navigate = useNavigate();
  const open = (path: string, event: MouseEvent) => {
    // A link or a button in the row does what it says; selected text stays selected.
    if ((event.target as Element).closest('a, button') || String(getSelection()) !== '') return;
    void navigate({ to: path });
  };
  return (
    <tbody>
      {items.map((item) => {
        const path = pageOfId(item.id);
        const link = path === undefined ? {} : { 'data-link': true, onClick: (event: MouseEvent) => open(path, event) };
        return (
          <tr key={item.id} {...link}>
            {columns.map((column) => (
              <td key={column.id} className={classOf(column)}>
                {column.cell(item)}
              </td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
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

function classOf<Item>({ align, isWideOnly }: Column<Item>): string {
  return [align === 'right' ? style.right : '', isWideOnly ? style.wideOnly : ''].join(' ').trim();
}
