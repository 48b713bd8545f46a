import type { TSchema } from 'typebox';
import type { ErrorRows } from '../../../base/errors.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { type Components, type Json, shapeName, sized } from './components.ts';
import type { Example } from './examples.ts';
import { headersOf } from './headers.ts';
import { refusalResponses } from './refusals.ts';

/** Headers that a request may have, by the names under which operations refer to them. */
export const headerParameters: Record<string, Json> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    description: 'Makes a retry safe: the same key with the same request gets the first answer again, for 24 hours.',
  },
  Version: {
    name: 'X-Service-Version',
    in: 'header',
    schema: { type: 'string', const: '1' },
    description: 'The version of the API. The path selects it already, so it may be left out.',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    schema: { type: 'string', maxLength: 64 },
    description: 'The id of the last message that has arrived: the stream continues after it.',
  },
  Timestamp: {
    name: 'X-Service-Timestamp',
    in: 'header',
    schema: sized({ type: 'integer', minimum: 0, maximum: 999_999_999_999 }),
    description: 'Of a signed request: when it was signed, in UTC epoch seconds.',
  },
};

/** In a document that describes one, a stream of server-sent events has the schema of the data of one message. */
const eventStream = 'text/event-stream';

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** An operation without an example, such as that of a new resource, is described without one. */
export function describeOperation(
  operation: AnyOperation,
  errors: ErrorRows,
  components: Components,
  example?: Example,
): Json {
  const isRead = operation.method === 'GET';
  const headers = isRead || operation.ignoresKey ? [] : [parameter('IdempotencyKey')];
  const signed = operation.callers.includes('key') ? [parameter('Timestamp')] : [];
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    tags: [operation.name.split('.', 1)[0]],
    ...securityOf(operation),
    parameters: [
      ...pathParameters(operation, example),
      ...(isRead ? queryParameters(operation, components, example) : []),
      ...headers,
      ...(operation.isLive ? [parameter('LastEventId')] : []),
      parameter('Version'),
      ...signed,
    ],
    ...(operation.method === 'POST' ? { requestBody: requestBody(operation, components, example) } : {}),
    responses: {
      200: {
        description: 'Success',
        headers: headersOf(...successHeaders(operation)),
        content: contentOf(operation, components, example),
        ...otherContentOf(operation),
      },
      ...refusalResponses(operation, errors),
    },
  };
}

function successHeaders({ method, ignoresKey, isLive }: AnyOperation): string[] {
  if (isLive) return ['X-Accel-Buffering'];
  if (method === 'GET') return [];
  return [ignoresKey ? 'Set-Cookie' : 'Idempotent-Replayed'];
}

/** An operation that keys may call has a scope. What only people may do needs a session, and signing in needs nothing. */
function securityOf({ callers, scope }: AnyOperation): Json {
  if (callers.includes('key')) return { 'x-scope': scope };
  return { security: callers.includes('visitor') ? [] : [{ session: [] }] };
}

function contentOf({ output, isLive, file }: AnyOperation, components: Components, example?: Example): Json {
  if (file !== undefined) return { [file]: { schema: components.schema(output) } };
  const json = { schema: components.schema(output), ...(example && { example: example.answer }) };
  return { [isLive ? eventStream : 'application/json']: json };
}

/**
 * What an answer can be when the caller asks for it by `Accept`, in the form of `content`. Beside JSON in `content` it would give every
 * generated client an answer that is an object or a text.
 */
function otherContentOf({ offers = [] }: AnyOperation): Json {
  if (offers.length === 0) return {};
  return { 'x-content': Object.fromEntries(offers.map((media) => [media, { schema: { type: 'string' } }])) };
}

function pathParameters(operation: AnyOperation, example?: Example): Json[] {
  return [...operation.route.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
    description: `The id of the ${nounBefore(operation.route)}.`,
    ...(example && { example: example.id }),
  }));
}

/** What the id in a route is of: the word before it, without its plural. The timeline is one of an object of any kind. */
function nounBefore(route: string): string {
  const [, word = ''] = /(\w+?)s?\/:/.exec(route) ?? [];
  return word === 'timeline' ? 'object' : word.replaceAll('_', ' ');
}

function queryParameters({ input }: AnyOperation, components: Components, example?: Example): Json[] {
  return Object.entries(input.properties).map(([name, schema]) => {
    const { description, ...rest } = components.schema(schema);
    return {
      name,
      in: 'query',
      ...(input.required?.includes(name as never) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(rest.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema: rest,
      ...(example?.query?.[name] === undefined ? {} : { example: example.query[name] }),
    };
  });
}

/** JSON or a form. In an update, null removes what is there. */
function requestBody(operation: AnyOperation, components: Components, example?: Example): Json {
  const { name, input, nulls } = operation;
  const shape = components.schema(nulls === 'clear' ? clearable(input) : input);
  const content = { schema: components.named(`${shapeName(name)}Parameters`, shape) };
  const isRequired = (input.required ?? []).length > 0;
  return {
    ...(isRequired ? { required: true } : {}),
    content: {
      'application/json': { ...content, ...(example?.request && { example: example.request }) },
      'application/x-www-form-urlencoded': content,
    },
  };
}

/** The schema of an object whose optional members may be null, also in objects within it. */
function clearable(schema: TSchema): Json {
  const {
    properties,
    required = [],
    ...rest
  } = schema as unknown as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  const entries = Object.entries(properties).map(([name, member]) => {
    const within = 'properties' in member && !('confidential' in member) ? clearable(member) : (member as Json);
    // What an answer shows is no member that there could be something to clear of.
    return [name, required.includes(name) || name === 'expand' ? within : nullable(within)];
  });
  return { ...rest, ...(required.length > 0 ? { required } : {}), properties: Object.fromEntries(entries) };
}

function nullable({ type, enum: values, ...rest }: Json): Json {
  return {
    ...(type === undefined ? {} : { type: [type, 'null'] }),
    ...(values === undefined ? {} : { enum: [...(values as unknown[]), null] }),
    ...rest,
  };
}
