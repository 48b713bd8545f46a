import { Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { columnVisibilityFeature, createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { type MouseEvent, type ReactNode, useMemo } from 'react';
import style from './list_page.module.css';
import { pageOfId } from './paths.ts';

export type Column<Item> = {
  id: string;
  title: string;
  cell(item: Item): ReactNode;
  align?: 'right';
  /** The title is for those who hear the page: the cells have buttons that say what they do. */
  isTitleHeard?: boolean;
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

const features = tableFeatures({ columnVisibilityFeature });
const none: readonly string[] = [];
const rowsWhileLoading = 8;

export function ListTable<Item extends { id: string }>({
  columns,
  hidden = none,
  items,
  isStale = false,
}: TableProps<Item>) {
  const shown = useMemo(() => columns.filter(({ id }) => !hidden.includes(id)), [columns, hidden]);
  return (
    <div className={style.box}>
      <table className={style.table} data-stale={isStale || undefined} aria-busy={items === undefined}>
        {items === undefined ? <Waiting columns={shown} /> : <Rows columns={columns} hidden={hidden} items={items} />}
      </table>
    </div>
  );
}

function Rows<Item extends { id: string }>({
  columns,
  hidden,
  items,
}: {
  columns: readonly Column<Item>[];
  hidden: readonly string[];
  items: readonly Item[];
}) {
  const navigate = useNavigate();
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const defined = useMemo(() => {
    const helper = createColumnHelper<typeof features, Item>();
    return columns.map(({ id, title, cell }) =>
      helper.display({ id, header: title, cell: ({ row }) => cell(row.original) }),
    );
  }, [columns]);
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden]);
  const table = useTable({
    features,
    columns: defined,
    data: items as Item[],
    getRowId: ({ id }) => id,
    state: { columnVisibility },
  });
  const open = (id: string, event: MouseEvent) => {
    const path = pageOfId(id);
    // A link or a button in the row does what it says; selected text stays selected.
    if (path === undefined || (event.target as Element).closest('a, button') || String(getSelection()) !== '') return;
    void navigate({ to: path as string });
  };
  return (
    <>
      <Head columns={table.getVisibleLeafColumns().map(({ id }) => byId.get(id)!)} />
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            data-link={pageOfId(row.id) !== undefined || undefined}
            onClick={(event) => open(row.id, event)}
          >
            {row.getVisibleCells().map((cell) => (
              <td key={cell.id} className={classOf(byId.get(cell.column.id)!)}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function Head<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.id} scope="col" className={classOf(column)}>
            {column.isTitleHeard ? <span className="heard">{column.title}</span> : column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Waiting<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return (
    <>
      <Head columns={columns} />
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
    </>
  );
}

function classOf<Item>({ align, isWideOnly }: Column<Item>): string {
  return [align === 'right' ? style.right : '', isWideOnly ? style.wideOnly : ''].join(' ').trim();
}
