import { Type } from '../../../base/schema.ts';
import type { TimelineSource } from '../../../operations/extension_points/timeline.ts';
import { ListOf, listParameters, Moment, OneOf, Parameters, Shown, Text, Whole } from '../../../operations/schemas.ts';

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
      ...Object.fromEntries(sources.map(({ type, schema }) => [type, Type.Optional(schema)])),
    }),
  );
}
