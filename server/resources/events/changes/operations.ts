import { Type } from '../../../base/schema.ts';
import { operation } from '../../../operations/operation.ts';
import { MaybeText, MaybeWhole, ObjectKind, Text } from '../../../operations/schemas.ts';

const ChangeOutput = Type.Object(
  {
    object: ObjectKind('change'),
    type: Text(
      'The type of an event, or `webhook_delivery.attempted`. `reload`: the position is too old, so load anew what you show.',
    ),
    subject: MaybeText('The id of the object that it is about, such as a payment; absent in `reload`.'),
    event: MaybeText('The id of the event; absent in `reload`.'),
    webhook_endpoint: MaybeText('Of an attempt: the id of the webhook endpoint.'),
    status: MaybeWhole('Of an attempt: the HTTP status of the answer; absent when there was none.'),
  },
  { title: 'Change', description: 'Something that happened in an account, as a message of `GET /v1/changes`.' },
);

const follow = operation({
  callers: ['person'],
  name: 'changes.follow',
  summary: 'Follow what happens',
  description:
    'Server-sent events: one message for each event, and for each attempt to deliver one. With `Last-Event-ID` it continues after that message, without a gap and without a repetition, for an hour. The stream ends when the session does.',
  route: 'GET /changes',
  isLive: true,
  output: ChangeOutput,
  async run({ changes, tenant }) {
    return { live: (lastEventId) => changes.open(tenant, lastEventId) };
  },
});

export const changeOperations = [follow];
