import { Type } from '../../../base/schema.ts';
import { searchedFields } from '../../../operations/extension_points/search.ts';
import {
  Created,
  Flag,
  MaybeText,
  ObjectKind,
  OneOf,
  Parameters,
  Personal,
  Text,
} from '../../../operations/schemas.ts';

export const shownMax = 100;
export const shownUsually = 10;

/** `kinds`: the names of what can be found. */
export const searchInput = (kinds: readonly string[]) =>
  Parameters({
    q: Personal({
      maxLength: 255,
      description:
        'Words, each of which begins a word of the object: of names, emails, phone numbers, descriptions, products, references, external ids and codes of coupons; the last four digits of a card, an amount (`129`, `129.00`, `€129`), the number of an invoice, or the beginning of an id. Further `status:failed`, `amount:>100`, `amount:100..200`, `card:4242`, `customer:ada`, `created:2026-03`, and words in quotes that follow each other.',
    }),
    kind: Type.Optional(OneOf(kinds, 'Only objects of this kind. Without it, of every kind that the key may read.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: shownMax,
        description: `How many objects of each kind are shown at most, 1 to ${shownMax}; ${shownUsually} by default.`,
      }),
    ),
  });

const Result = Type.Object(
  {
    object: Text('The kind of object.'),
    id: Text('The id of the object.'),
    title: Text('What identifies it for people: an amount, a name, a number.'),
    subtitle: MaybeText('More about it, such as whose it is and its status; absent if there is nothing to say.'),
    created: Created,
    matched: Type.Array(OneOf(searchedFields, 'A part of the object.'), {
      description: 'What it was found by. Empty if only operators, such as `status:failed`, were searched for.',
    }),
  },
  { title: 'SearchResult', description: 'An object that was found.' },
);

export const SearchOutput = Type.Object(
  {
    object: ObjectKind('search_results'),
    data: Type.Array(Result, { description: 'What was found, kind by kind, newest first in each.' }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'How many were found, by kind. It has every kind that was searched.',
    }),
    is_complete: Flag(
      'False if a word is so frequent that not all objects with it were looked at: more may match than were counted.',
    ),
  },
  { title: 'SearchResults', description: 'Objects that match a search.' },
);
