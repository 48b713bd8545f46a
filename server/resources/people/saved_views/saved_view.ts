import type { Id } from '../../../base/id.ts';

export type SavedViewId = Id<'view'>;

/** A list with filters that a person wants to come back to. It belongs to one person in one account, for both modes. */
export type SavedView = {
  account: string;
  user_id: string;
  id: SavedViewId;
  version: number;
  name: string;
  /** The page of the dashboard. */
  page: string;
  /** Its filters, as they stand in its address after the question mark. */
  query: string;
};
