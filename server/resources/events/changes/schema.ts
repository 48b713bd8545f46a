import { Type } from '../../../base/schema.ts';
import { MaybeText, MaybeWhole, ObjectKind, Text } from '../../../operations/schemas.ts';

export const ChangeOutput = Type.Object(
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
