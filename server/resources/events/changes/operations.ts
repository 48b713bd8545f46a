import { Type } from '../../../base/schema.ts';
import { hasRight, refuseWithout } from '../../../operations/caller.ts';
import { operation } from '../../../operations/operation.ts';
import { rightToRead } from '../../../operations/role.ts';
import { MaybeText, MaybeWhole, ObjectKind, Parameters, Text } from '../../../operations/schemas.ts';

const ChangeOutput = Type.Object(
  {
    object: ObjectKind('change'),
    type: Text(
      'The type of an event, or `webhook_delivery.attempted`. `reload`: the position is too old, so load anew what you show.',
    ),
    subject: MaybeText('The id of the object that it is about, such as a payment; absent in `reload`.'),
    event: MaybeText('The id of the event; absent in `reload`, and for people whose role may not read events.'),
    webhook_endpoint: MaybeText('Of an attempt: the id of the webhook endpoint.'),
    status: MaybeWhole('Of an attempt: the HTTP status of the answer; absent when there was none.'),
    payload: MaybeText(
      'Of an event, if `payload` was asked for: the event as JSON, exactly the bytes that webhooks are signed and sent with.',
    ),
  },
  { title: 'Change', description: 'Something that happened in an account, as a message of `GET /v1/changes`.' },
);

const FollowInput = Parameters({
  payload: Type.Optional(
    Type.Boolean({
      description: 'Whether messages about events have the event itself, in `payload`. False by default.',
    }),
  ),
});

const readingEvents = rightToRead('events:read');

const follow = operation({
  name: 'changes.follow',
  summary: 'Follow what happens',
  description:
    'Server-sent events: one message for each event, and for people one for each attempt to deliver an event; people whose role may not read events get only the object that has changed. With `Last-Event-ID` it continues after that message, without a gap, for an hour; and without a repetition, except where the account has moved to another server of a cluster meanwhile: then what happened in the minute before can come again. The stream counts as one request, and ends when the session or the key does. The keys of an account have ten at a time in each mode, on each instance of the server.',
  route: 'GET /changes',
  scope: 'events:read',
  // Everybody who may read follows what to read again. What else a message has is for those who may read events.
  right: 'read',
  isLive: true,
  input: FollowInput,
  output: ChangeOutput,
  async run({ changes, tenant, caller }, { payload: withPayload = false }) {
    if (withPayload) refuseWithout(caller, readingEvents);
    const wanted = {
      eventsOnly: caller.kind === 'key',
      hintsOnly: !hasRight(caller, readingEvents),
      withPayload,
    };
    return { live: (lastEventId) => changes.open(tenant, lastEventId, wanted) };
  },
});

export const changeOperations = [follow];
