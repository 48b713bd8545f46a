import { Type } from '../../../base/schema.ts';
import type { EventDeclarations } from '../../../operations/resource.ts';
import { Shown } from '../../../operations/schemas.ts';
import { eventData, eventMembers } from '../../../resources/events/events/schema.ts';
import { type Components, type Json, shapeName } from './components.ts';
import type { Examples } from './examples.ts';

const signatureHeaders = [
  ['X-Service-Signature', 'HMAC-SHA256 of the body in lowercase hexadecimal, keyed with the secret of the endpoint.'],
  ['webhook-id', 'The id of the event, the same in every try.'],
  ['webhook-timestamp', 'When this try was made, in UTC epoch seconds.'],
  ['webhook-signature', 'A signature by the Standard Webhooks specification; several, while a secret is rotated.'],
] as const;

/** What the gateway sends to webhook endpoints for events of a type. */
export function describeWebhook(
  type: string,
  { when, schema: objectSchema }: EventDeclarations[string],
  components: Components,
  example: Examples['events'][string] | undefined,
): Json {
  const members = {
    ...eventMembers,
    data: eventData(objectSchema),
    type: Type.Literal(type, { description: 'What has happened.' }),
  };
  const schema = components.schema(Shown(`${shapeName(type)}Event`, 'event', when, members));
  return { post: received(type, when, { schema, ...(example && { example }) }) };
}

function received(type: string, when: string, content: Json): Json {
  return {
    operationId: `webhook.${type}`,
    summary: type,
    description: when,
    tags: ['webhook_endpoints'],
    parameters: signatureHeaders.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': content } },
    responses: {
      '2XX': { description: 'Received. Any other answer, or none within 15 seconds, is tried again.' },
    },
  };
}
