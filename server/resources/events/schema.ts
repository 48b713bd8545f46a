import { Type } from '../../base/schema.ts';
import { OptionalId, Parameters, Shown, Timestamp } from '../shapes.ts';

export const ResendInput = Parameters({
  webhook_endpoint: OptionalId('Only to this one; else to all that are enabled and subscribed'),
});

export const EventOutput = (eventTypes: readonly string[]) =>
  Shown('Event', 'event', {
    api_version: Type.String(),
    created: Timestamp,
    data: Type.Object({
      object: Type.Object({}, { additionalProperties: true }),
      previous_attributes: Type.Optional(Type.Object({}, { additionalProperties: true })),
    }),
    type: Type.String({ enum: [...eventTypes] }),
  });
