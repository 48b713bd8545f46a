import type { TSchema } from 'typebox';
import type { ErrorRows } from '../../base/errors.ts';
import type { AnyOperation } from '../../resources/operation.ts';

type Json = Record<string, unknown>;

/** The API as OpenAPI 3.1, generated from the operations: no second description can differ from it. */
export function openApi(operations: readonly AnyOperation[], errors: ErrorRows, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = `/v1${operation.route.replaceAll(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'A secret or restricted API key.' } },
      schemas: { Error: errorSchema(errors) },
    },
  };
}

function describe(operation: AnyOperation): Json {
  const [resource] = operation.name.split('.');
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [resource],
    'x-scope': operation.scope,
    parameters: [
      ...pathParameters(operation),
      ...(operation.method === 'GET' ? queryParameters(operation) : idempotency),
    ],
    ...(operation.method === 'POST' ? { requestBody: requestBody(operation) } : {}),
    responses: {
      200: { description: 'Success', content: contentOf(operation) },
      default: {
        description: 'A refusal; see /docs/errors',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function contentOf({ output, offers = [] }: AnyOperation): Json {
  const texts = offers.map((media) => [media, { schema: { type: 'string' } }]);
  return { 'application/json': { schema: plain(output) }, ...Object.fromEntries(texts) };
}

function pathParameters(operation: AnyOperation): Json[] {
  return [...operation.route.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

const idempotency: Json[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Makes a retry safe: the same key with the same request gets the first answer again, for 24 hours.',
  },
];

function queryParameters(operation: AnyOperation): Json[] {
  return Object.entries(operation.input.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...((schema as { type?: string }).type === 'object' ? { style: 'deepObject' } : {}),
    schema: plain(schema),
  }));
}

function requestBody(operation: AnyOperation): Json {
  const content = { schema: plain(operation.input) };
  return { content: { 'application/json': content, 'application/x-www-form-urlencoded': content } };
}

function errorSchema(errors: ErrorRows): Json {
  const types = [...new Set(Object.values(errors).map((row) => row.type))];
  const properties = {
    code: { type: 'string', enum: Object.keys(errors) },
    message: { type: 'string' },
    param: { type: 'string' },
    type: { type: 'string', enum: types },
  };
  return {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'object', required: ['code', 'message', 'type'], properties } },
  };
}

const markers = new Set(['personal', 'confidential', 'normalize']);

/** A JSON Schema without the markers that only this server reads. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema, (name, value) => (markers.has(name) ? undefined : value)));
}
