import { Type } from '../../../base/schema.ts';
import {
  Created,
  Flag,
  inAnyOrder,
  Moment,
  OneOf,
  OptionalChoice,
  Parameters,
  Shown,
  ShownDeleted,
  ShownOnce,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { type InboxRequest, inboxAnswers, inboxUrl, type WebhookInbox } from './webhook_inbox.ts';

const answerMeaning =
  '`200`: a success. `500`: a failure, which is tried again. `410`: the endpoint is disabled. `timeout`: no answer within 15 seconds, which is tried again.';

export const NewInboxInput = Parameters({
  enabled_events: Type.Optional(
    Type.Array(Type.String(), {
      ...inAnyOrder,
      description: 'The events that it receives, as for a webhook endpoint; `*` when not given.',
    }),
  ),
  answer: OptionalChoice(inboxAnswers, `How it answers, \`200\` when not given. ${answerMeaning}`),
});

export const InboxInput = Parameters({
  answer: OptionalChoice(inboxAnswers, `How it answers from now on. ${answerMeaning}`),
});

const inbox = {
  webhook_endpoint: Text('The id of the webhook endpoint whose deliveries it receives.'),
  url: Text('The URL of that endpoint, which leads here and nowhere else.'),
  answer: OneOf(inboxAnswers, `How it answers. ${answerMeaning}`),
  created: Created,
};

export const InboxOutput = Shown('Inbox', 'inbox', 'A built-in receiver of webhooks, in test mode.', inbox);

export const InboxWithSecretOutput = Shown(
  'InboxWithSecret',
  'inbox',
  'A built-in receiver, with the secret of its endpoint.',
  {
    ...inbox,
    secret: ShownOnce('What deliveries are signed with. It is not shown again.'),
  },
);

export const DeletedInboxOutput = ShownDeleted('DeletedInbox', 'inbox');

export const InboxRequestOutput = Shown('InboxRequest', 'inbox_request', 'A webhook that an inbox has received.', {
  inbox: Text('The id of the inbox.'),
  event: Text('The id of the event.'),
  headers: Type.Record(Type.String(), Type.String(), {
    title: 'InboxRequestHeaders',
    description: 'The headers, as every receiver gets them.',
  }),
  body: Text('The bytes that were signed, up to 64 KiB.'),
  bytes: Whole('The size of the whole body in bytes.'),
  verified: Flag('Whether the signatures were right, by the secret of the endpoint at that moment.'),
  answer: OneOf(inboxAnswers, 'How it was answered.'),
  created: Moment('When it was received.'),
});

export const serializeInbox = serializer<WebhookInbox, typeof InboxOutput>(InboxOutput, {
  webhook_endpoint: 'endpoint',
  url: from(['id'], ({ id }) => inboxUrl(id)),
  created: timeInId,
});

export const serializeRequest = serializer<InboxRequest, typeof InboxRequestOutput>(InboxRequestOutput, {
  body: from(['body'], ({ body }) => body.toString()),
  created: timeInId,
});
