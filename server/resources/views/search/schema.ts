import { Type } from '../../../base/schema.ts';
import { Created, Flag, MaybeText, ObjectKind, Parameters, Personal, Text } from '../../../operations/schemas.ts';

export const SearchInput = Parameters({
  q: Personal({
    maxLength: 255,
    description:
      'An id, the email of a customer, the last four digits of a payment method and an amount (`4242 2000`), the number of an invoice, or the reference of a processor.',
  }),
});

const Result = Type.Object(
  {
    id: Text('The id of the object.'),
    object: Text('The kind of object.'),
    title: Text('What identifies it for people: an amount, a name, a number.'),
    subtitle: MaybeText('More about it, such as its status; absent if there is nothing to say.'),
    created: Created,
  },
  { title: 'SearchResult', description: 'An object that was found.' },
);

export const SearchOutput = Type.Object(
  {
    object: ObjectKind('search_results'),
    is_complete: Flag('False if more than the 20 that are shown were found.'),
    data: Type.Array(Result, { description: 'What was found, newest first, up to 20.' }),
  },
  { title: 'SearchResults', description: 'Objects that match a search.' },
);
