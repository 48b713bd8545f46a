import { type DirectoryWrite, insert, remove, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads } from '../../../base/reads.ts';
import { orderOf, type Range } from '../../../operations/range.ts';
import type { SavedView } from './saved_view.ts';

const savedViewsTable: Table<SavedView, 'directory'> = table('saved_views', {
  home: 'directory',
  text: 'account user_id id name page query',
  int4: 'version',
  key: ['account', 'user_id', 'id'],
});

const columns = savedViewsTable.columns.join(', ');

/** Whose views they are. */
export type Viewer = Pick<SavedView, 'account' | 'user_id'>;

export const addView = (view: SavedView): DirectoryWrite => insert(savedViewsTable, view);
export const replaceView = (view: SavedView): DirectoryWrite => update(savedViewsTable, view);
export const removeView = (view: SavedView): DirectoryWrite => remove(savedViewsTable, view);

export async function findView(reads: Reads, { account, user_id }: Viewer, id: string): Promise<SavedView | undefined> {
  const [view] = await reads.directory.rows<SavedView>(
    `select ${columns} from saved_views where account = $1 and user_id = $2 and id = $3`,
    [account, user_id, id],
  );
  return view;
}

/** There are few, so a page of the dashboard is found among all of them. */
export function findViews(reads: Reads, { account, user_id }: Viewer, page: string | null, range: Range) {
  const bounds = range.bounds.map(([comparison], at) => `and id ${comparison} $${at + 4}`).join(' ');
  return reads.directory.rows<SavedView>(
    `select ${columns} from saved_views
      where account = $1 and user_id = $2 and ($3::text is null or page = $3) ${bounds} ${orderOf(range)}`,
    [account, user_id, page, ...range.bounds.map(([, id]) => id)],
  );
}

/** Whether there are this many already. */
export async function hasViews(reads: Reads, { account, user_id }: Viewer, count: number): Promise<boolean> {
  const text = 'select from saved_views where account = $1 and user_id = $2 limit $3';
  return (await reads.directory.rows(text, [account, user_id, count])).length === count;
}
