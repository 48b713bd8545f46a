import { Type } from 'typebox';
import { eventTypes } from '../../outbox/event.ts';
import { Timestamp } from '../shapes.ts';

export const EventOutput = Type.Object(
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
