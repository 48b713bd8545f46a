import { Type } from 'typebox';
import { Parameters, Timestamp } from '../shapes.ts';

export const ResendInput = Parameters({
  webhook_endpoint: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only to this one; else to all that are enabled and subscribed' }),
  ),
});

export const EventOutput = (eventTypes: readonly string[]) =>
  Type.Object(
    {
      id: Type.String(),
      object: Type.Literal('event'),
      api_version: Type.String(),
      created: Timestamp,
      data: Type.Object({
        object: Type.Object({}, { additionalProperties: true }),
        previous_attributes: Type.Optional(Type.Object({}, { additionalProperties: true })),
      }),
      type: Type.String({ enum: [...eventTypes] }),
    },
    { title: 'Event' },
  );
