import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';

export type NoteId = Id<'note'>;

/** What somebody has written down about an object, for those who work in the account. */
export type ObjectNote = {
  tenant: Tenant;
  id: NoteId;
  version: number;
  /** The id of the object. */
  subject: string;
  /** The customer whom the object is about, with whom the note is deleted; null: none. */
  customer: string | null;
  text: string;
  /** The user or the API key that has written it: one of the two. */
  author_user: string | null;
  author_key: string | null;
  /** The email of the person, or the name of the key, when it was written. */
  author_name: string;
};
