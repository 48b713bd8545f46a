// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedSavedView = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'saved_view';
  /** The object is gone. */
  deleted: true;
};

/** A list with filters to come back to. */
export type SavedView = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'saved_view';
  /** What the person calls it. */
  name: string;
  /** The page of the dashboard. */
  page: string;
  /** The filters, as they stand in the address of the page after the question mark. */
  query: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
};

export type SavedViewsCreateParameters = {
  /** What the person calls it, up to 100 characters. */
  name: string;
  /** the path of a page of the dashboard, such as payments: lower-case letters, digits, _, - and / */
  page: string;
  /** The filters, as they stand in the address of the page after the question mark, up to 2,000 characters. */
  query?: string | undefined;
};

export type SavedViewsUpdateParameters = {
  /** What the person calls it, up to 100 characters. */
  name?: string | null | undefined;
  /** The filters, as they stand in the address of the page after the question mark, up to 2,000 characters. */
  query?: string | null | undefined;
};

export type SavedViewsListParameters = ListParameters & {
  /** the path of a page of the dashboard, such as payments: lower-case letters, digits, _, - and / */
  page?: string | undefined;
};
