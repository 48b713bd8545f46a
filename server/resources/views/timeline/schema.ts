import { Type } from '../../../base/schema.ts';
import type { TimelineSource } from '../../../operations/extension_points/timeline.ts';
import {
  ListOf,
  listParameters,
  MaybeText,
  Moment,
  OneOf,
  Parameters,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';

export const TimelineInput = Parameters({
  limit: listParameters.limit,
  starting_after: Type.Optional(
    Type.String({ maxLength: 64, description: 'The id of an entry: the page begins with the next older one.' }),
  ),
});

/** Each type of entry has a member of its name, with the details. */
export function timelineOutput(sources: readonly TimelineSource[]) {
  return ListOf(
    Shown('TimelineEntry', 'timeline_entry', 'Something that happened to an object.', {
      type: OneOf(
        sources.map(({ type }) => type),
        'What kind of entry it is. The member of this name has the details.',
      ),
      summary: Text('What happened, in words.'),
      created: Moment('When it happened, in real time.'),
      created_ms: Whole('The same in milliseconds.'),
      group: Text(
        'Entries of one cause have the same: a request with its attempts, postings, events and deliveries. It is the id of the request, or another text for what happened without one.',
      ),
      by: Type.Optional(
        Type.Object(
          {
            user: MaybeText('The id of a person.'),
            api_key: MaybeText('The id of an API key.'),
            name: MaybeText(
              'The email of the person, the name of an operator, or `the customer`, who did it in the portal; for people.',
            ),
          },
          {
            title: 'TimelineActor',
            description: 'Who has caused it; absent for what happened without a request, or is no longer known.',
          },
        ),
      ),
      ...Object.fromEntries(sources.map(({ type, schema }) => [type, Type.Optional(schema)])),
    }),
  );
}
