import { Type } from '../../base/schema.ts';
import {
  epochSeconds,
  listParameters,
  MetadataParameter,
  MetadataShape,
  OptionalChoice,
  Parameters,
  Personal,
  Shown,
  Timestamp,
} from '../shapes.ts';
import { deliveryStates } from './deliveries/delivery.ts';
import { endpointStatuses } from './webhook_endpoint.ts';

const overlapHoursMax = 168; // a week

const url = Type.String({ maxLength: 2_048, description: 'Where events are sent to' });
const enabledEvents = Type.Array(Type.String(), {
  normalize: (names: string[]) => [...names].sort(), // a set: equal sets are stored, and compared, alike
  description: 'Event types and families such as payment.*, or * alone for all; at least one',
});
const details = {
  description: Type.Optional(Personal({ maxLength: 1_000, description: 'What the endpoint is for' })),
  metadata: Type.Optional(MetadataParameter),
};

export const NewEndpointInput = Parameters({ url, enabled_events: enabledEvents, ...details });

export const EndpointInput = Parameters({
  url: Type.Optional(url),
  enabled_events: Type.Optional(enabledEvents),
  status: OptionalChoice(endpointStatuses, 'A disabled endpoint gets no new deliveries'),
  ...details,
});

export const RotateInput = Parameters({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapHoursMax,
      description: 'How long the old secret is used beside the new one; 24 when not given',
    }),
  ),
});

export const RecoverInput = Parameters({
  since: Type.Integer({
    format: epochSeconds,
    description: 'UTC epoch seconds, 30 days ago at most: events that are older stay as they are',
  }),
});

export const DeliveriesInput = Parameters({
  ...listParameters,
  status: OptionalChoice(deliveryStates, 'Only deliveries in this status.'),
});

const endpoint = {
  url: Type.String(),
  enabled_events: Type.Array(Type.String()),
  status: Type.String({ enum: [...endpointStatuses] }),
  description: Type.Optional(Type.String()),
  metadata: MetadataShape,
  created: Timestamp,
};

export const EndpointOutput = Shown('WebhookEndpoint', 'webhook_endpoint', endpoint);

export const EndpointWithSecretOutput = Shown('WebhookEndpointWithSecret', 'webhook_endpoint', {
  ...endpoint,
  secret: Type.String({ description: 'What deliveries are signed with. It is not shown again.' }),
});

export const DeletedEndpointOutput = Shown('DeletedWebhookEndpoint', 'webhook_endpoint', {
  deleted: Type.Literal(true),
});

export const DeliveryOutput = Shown('WebhookDelivery', 'webhook_delivery', {
  event: Type.String(),
  webhook_endpoint: Type.String(),
  status: Type.String({ enum: [...deliveryStates] }),
  attempts: Type.Array(
    Type.Object({
      at: Timestamp,
      duration_ms: Type.Integer(),
      status: Type.Optional(Type.Integer({ description: 'Of the answer; missing when there was none' })),
      error: Type.Optional(Type.String()),
      response: Type.Optional(
        Type.String({ description: 'The beginning of the answer: 4 KiB for the latest, 256 bytes for earlier ones' }),
      ),
    }),
    { description: 'The latest 10, oldest first' },
  ),
  next_attempt_at: Type.Optional(Timestamp),
  created: Type.Integer({ description: 'When the event happened, UTC epoch seconds' }),
});

export const RecoveryOutput = Type.Object(
  {
    object: Type.Literal('webhook_recovery'),
    webhook_endpoint: Type.String(),
    since: Timestamp,
  },
  { title: 'WebhookRecovery' },
);
