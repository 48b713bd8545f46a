import { Type } from '../../../base/schema.ts';
import type { EventShapes } from '../../../resources/resource.ts';
import { type Components, type Json, shapeName } from './components.ts';

const signatureHeaders = [
  ['X-Service-Signature', 'HMAC-SHA256 of the body in lowercase hexadecimal, keyed with the secret of the endpoint.'],
  ['webhook-id', 'The id of the event, the same in every try.'],
  ['webhook-timestamp', 'When this try was made, in UTC epoch seconds.'],
  ['webhook-signature', 'A signature by the Standard Webhooks specification; several, while a secret is rotated.'],
] as const;

/** What the gateway sends to webhook endpoints, by the type of the event. */
export function describeWebhooks(events: EventShapes, components: Components): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(events).map(([type, shape]) => {
      const event = {
        type: 'object',
        required: ['id', 'object', 'api_version', 'created', 'data', 'type'],
        properties: {
          id: { type: 'string' },
          object: Type.Literal('event'),
          api_version: { type: 'string' },
          created: { type: 'integer', description: 'UTC epoch seconds' },
          data: {
            type: 'object',
            required: ['object'],
            properties: {
              object: components.schema(shape),
              previous_attributes: {
                type: 'object',
                additionalProperties: true,
                description:
                  'In an update: the members that have changed, with their previous values. Null: it was not there.',
              },
            },
          },
          type: Type.Literal(type),
        },
      };
      const schema = components.named(`${shapeName(type)}Event`, event);
      return [type, { post: received(type, schema) }];
    }),
  );
}

function received(type: string, schema: Json): Json {
  return {
    operationId: `webhook.${type}`,
    summary: type,
    tags: ['webhook_endpoints'],
    parameters: signatureHeaders.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. Any other answer, or none within 10 seconds, is tried again.' },
    },
  };
}
