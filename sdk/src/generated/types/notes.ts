// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** What is left of a deleted object. */
export type DeletedNote = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'note';
  /** The object is gone. */
  deleted: true;
};

/** Something that was written down about an object, for your own people. */
export type Note = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'note';
  /** The id of the object that it is about. */
  subject: string;
  /** The note. */
  text: string;
  author: NoteAuthor;
  /** When it was written. In UTC epoch seconds. */
  created: number;
};

/** Who has written it: a person or an API key. */
export type NoteAuthor = {
  /** The id of the person; absent for an API key. */
  user?: string;
  /** The id of the API key; absent for a person. */
  api_key?: string;
  /** The email of the person, or the name of the key, at that time. */
  name: string;
};

export type NotesCreateParameters = {
  /** The id of the object that it is about: a customer, payment, dispute or subscription. */
  object: string;
  /** The note, up to 5,000 characters. It must not be blank. */
  text: string;
};

export type NotesListParameters = ListParameters & {
  /** Only those on this object: a customer, payment, dispute or subscription. */
  object?: string | undefined;
};
