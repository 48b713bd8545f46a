import type { TSchema } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { Moment, OneOf, OptionalId, Parameters, Shown, Text } from '../../../operations/schemas.ts';

export const ResendInput = Parameters({
  webhook_endpoint: OptionalId(
    'The id of the only webhook endpoint to send it to. Without it, the event goes to all that are enabled and subscribed.',
  ),
});

/** Members that events of all types share. */
export const eventMembers = {
  api_version: Text('The date of the version of the API that defines the shape of the event.'),
  created: Moment('When it happened, by the test clock of the customer if there is one.'),
};

export const eventData = (object: TSchema) =>
  Type.Object(
    {
      object,
      previous_attributes: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'In an update: the members that have changed, with their previous values. Null: it was not there.',
          },
        ),
      ),
    },
    { description: 'What the event is about.' },
  );

export const EventOutput = (eventTypes: readonly string[]) =>
  Shown('Event', 'event', 'A record of a change.', {
    ...eventMembers,
    data: eventData(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The object as it was after the change. Its shape follows from `type`.',
        },
      ),
    ),
    type: OneOf(eventTypes, 'What has happened.'),
  });
