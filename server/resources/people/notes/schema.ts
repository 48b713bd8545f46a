import { Type } from '../../../base/schema.ts';
import {
  IdParameter,
  listParameters,
  MaybeText,
  Moment,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  ShownDeleted,
  Text,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import type { Notable } from './notables.ts';
import type { ObjectNote } from './note.ts';

const textMax = 5_000;

/** The kinds of objects are those that resources contribute. */
export function noteInputs(kinds: readonly Notable[]) {
  const nouns = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(kinds.map(({ noun }) => noun));
  return {
    create: Parameters({
      object: IdParameter(`The id of the object that it is about: a ${nouns}.`),
      text: Personal({ maxLength: textMax, description: 'The note, up to 5,000 characters. It must not be blank.' }),
    }),
    list: Parameters({ ...listParameters, object: OptionalId(`Only those on this object: a ${nouns}.`) }),
  };
}

const Author = Type.Object(
  {
    user: MaybeText('The id of the person; absent for an API key.'),
    api_key: MaybeText('The id of the API key; absent for a person.'),
    name: Text('The email of the person, or the name of the key, at that time.'),
  },
  { title: 'NoteAuthor', description: 'Who has written it: a person or an API key.' },
);

export const NoteOutput = Shown(
  'Note',
  'note',
  'Something that was written down about an object, for your own people.',
  {
    subject: Text('The id of the object that it is about.'),
    text: Text('The note.'),
    author: Author,
    created: Moment('When it was written.'),
  },
);

export const DeletedNoteOutput = ShownDeleted('DeletedNote', 'note');

export const serializeNote = serializer<ObjectNote, typeof NoteOutput>(NoteOutput, {
  author: from(['author_user', 'author_key', 'author_name'], ({ author_user, author_key, author_name }) => ({
    ...(author_user !== null && { user: author_user }),
    ...(author_key !== null && { api_key: author_key }),
    name: author_name,
  })),
  created: timeInId,
});
