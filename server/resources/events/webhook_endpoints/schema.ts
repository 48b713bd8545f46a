import { Type } from '../../../base/schema.ts';
import {
  Created,
  epochSeconds,
  inAnyOrder,
  listParameters,
  MaybeMoment,
  MaybeText,
  MaybeWhole,
  MetadataParameter,
  MetadataShape,
  Moment,
  ObjectKind,
  OneOf,
  OptionalChoice,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  ShownDeleted,
  ShownOnce,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { deliveryStates } from './deliveries/delivery.ts';
import { disabledReasons, type EndpointEvent, endpointStatuses, type WebhookEndpoint } from './webhook_endpoint.ts';

const overlapHoursMax = 168; // a week

const url = Type.String({
  maxLength: 2_048,
  description:
    'Where events are sent to, up to 2,048 characters: an https address that leads to a public host. In test mode also http.',
});
const enabledEvents = Type.Array(Type.String(), {
  ...inAnyOrder,
  description: '1 to 100 event types and families such as `payment.*`, or `*` alone for all.',
});
const details = {
  description: Type.Optional(
    Personal({ maxLength: 1_000, description: 'What the endpoint is for, up to 1,000 characters.' }),
  ),
  metadata: Type.Optional(MetadataParameter),
};

export const NewEndpointInput = Parameters({ url, enabled_events: enabledEvents, ...details });

export const EndpointInput = Parameters({
  url: Type.Optional(url),
  enabled_events: Type.Optional(enabledEvents),
  status: OptionalChoice(
    endpointStatuses,
    'A `disabled` endpoint gets no new deliveries. Enabling it restarts the five days after which failures disable it.',
  ),
  ...details,
});

export const RotateInput = Parameters({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: overlapHoursMax,
      description: 'How many hours the old secret is used beside the new one, from 0 to 168; 24 when not given.',
    }),
  ),
});

export const RecoverInput = Parameters({
  since: Type.Integer({
    format: epochSeconds,
    description: 'From when on events are sent, in UTC epoch seconds: 30 days ago at most, and not in the future.',
  }),
});

export const DeliveriesInput = Parameters({
  ...listParameters,
  status: OptionalChoice(deliveryStates, 'Only deliveries in this status.'),
});

export const AllDeliveriesInput = Parameters({
  ...listParameters,
  object_id: OptionalId('The id of an object: only those of the newest 100 events about it.'),
});

const endpoint = {
  url: Text('Where events are sent to.'),
  enabled_events: Type.Array(Type.String(), {
    description: 'The types and families of events that it gets, or `*` for all.',
  }),
  status: OneOf(endpointStatuses, '`enabled`, or `disabled`: by you, or because of failures.'),
  disabled_at: MaybeMoment('When it was disabled because of failures.'),
  disabled_reason: Type.Optional(
    OneOf(disabledReasons, 'Why: `gone`, the receiver has answered 410; `failing`, five days without a success.'),
  ),
  description: MaybeText('What it is for; present when supplied.'),
  metadata: MetadataShape,
  created: Created,
};

export const EndpointOutput = Shown('WebhookEndpoint', 'webhook_endpoint', 'A receiver of events.', endpoint);

export const EndpointWithSecretOutput = Shown(
  'WebhookEndpointWithSecret',
  'webhook_endpoint',
  'A receiver of events, with its secret.',
  {
    ...endpoint,
    secret: ShownOnce('What deliveries are signed with. It is not shown again.'),
  },
);

export const DeletedEndpointOutput = ShownDeleted('DeletedWebhookEndpoint', 'webhook_endpoint');

export const AttemptOutput = Type.Object(
  {
    at: Moment('When it was made.'),
    duration_ms: Whole('How long it took, in milliseconds.'),
    status: MaybeWhole('The HTTP status of the answer; absent when there was none.'),
    error: MaybeText('What went wrong; present when there was no complete answer.'),
    response: MaybeText('The beginning of the answer: 4 KiB for the latest attempt, 256 bytes for earlier ones.'),
  },
  { title: 'WebhookAttempt' },
);

export const DeliveryOutput = Shown('WebhookDelivery', 'webhook_delivery', 'One event for one webhook endpoint.', {
  event: Text('The id of the event.'),
  event_type: MaybeText('The type of the event; absent once the event was deleted.'),
  webhook_endpoint: Text('The id of the webhook endpoint.'),
  status: OneOf(
    deliveryStates,
    '`pending`: it is tried, or tried again. `delivered`: the receiver has answered with success. `exhausted`: all attempts have failed. `canceled`: the endpoint was disabled or deleted.',
  ),
  attempts: Type.Array(AttemptOutput, { description: 'The latest 10 attempts, oldest first.' }),
  next_attempt_at: MaybeMoment('When it is tried next; present while it is `pending`.'),
  created: Moment('When the event happened.'),
});

export const RecoveryOutput = Type.Object(
  {
    object: ObjectKind('webhook_recovery'),
    webhook_endpoint: Text('The id of the webhook endpoint.'),
    since: Moment('From when on events are sent.'),
  },
  { title: 'WebhookRecovery' },
);

export const serializeEndpoint = serializer<WebhookEndpoint, typeof EndpointOutput>(EndpointOutput, {
  created: timeInId,
});

export const endpointEvent = eventsAbout<EndpointEvent, WebhookEndpoint>(serializeEndpoint);
