import { assert } from '../../../base/errors.ts';
import type { Json } from '../openapi/components.ts';
import type { Document, TagGroup } from '../openapi/document.ts';

/** A JSON schema, as far as the reference shows it. */
export type SchemaModel = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, SchemaModel>;
  required?: string[];
  items?: SchemaModel;
  anyOf?: SchemaModel[];
  additionalProperties?: boolean | SchemaModel;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  'x-format'?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  pattern?: string;
};

export type ParameterModel = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: SchemaModel;
  example?: unknown;
};

type Content = Record<string, { schema: SchemaModel; example?: unknown }>;

/** An operation of the document, with its references resolved as far as its own section needs it. */
export type OperationModel = {
  /** `payments.create`: the name of the operation, and the id of its section. */
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  /** Undefined where no key can call it. */
  scope: string | undefined;
  parameters: ParameterModel[];
  body: { schema: SchemaModel; example: unknown } | undefined;
  /** `file`: the media type of an answer that is a file. */
  answer: { schema: SchemaModel; example: unknown; otherMedia: string[]; file: string | undefined };
  /** The codes of its refusals, by status. */
  refusals: Map<number, string[]>;
};

export type EventType = { type: string; object: SchemaModel; description: string | undefined; example: unknown };

export type ResourceModel = {
  tag: string;
  title: string;
  /** The group of the reference that it belongs to. */
  group: string;
  about: string | undefined;
  operations: OperationModel[];
};

/** The OpenAPI document in the form in which the pages show it. */
export type ApiModel = {
  document: Document;
  resources: ResourceModel[];
  events: EventType[];
};

export function apiModel(document: Document): ApiModel {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => described(document, path, method, operation as Json)),
  );
  const tags = document.tags as { name: string; description?: string }[];
  const groups = document['x-tagGroups'] as TagGroup[];
  const resources = tags.map(({ name, description }) => ({
    tag: name,
    title: titleOf(name),
    group: groups.find((group) => group.tags.includes(name))!.name,
    about: description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
  return { document, resources, events: eventTypes(document) };
}

/** `payment_methods` becomes `Payment methods`, and `api_keys` becomes `API keys`. */
export function titleOf(tag: string): string {
  return tag[0]!.toUpperCase() + tag.slice(1).replaceAll('_', ' ').replace(/^pi\b/, 'PI');
}

/** The value itself, or that to which its reference leads. */
export function resolved<Value extends object>(document: Document, value: Value): Value {
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined) return value;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? [];
  const found = document.components[kind]?.[name];
  assert(found, `${$ref} is in the document`);
  return found as Value;
}

/** The name of a shape that is referred to. */
export function nameOf({ $ref }: SchemaModel): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

function described(document: Document, path: string, method: string, operation: Json): OperationModel {
  const responses = operation.responses as Record<string, { content: Content; 'x-content'?: Content }>;
  const { content, 'x-content': others = {} } = responses[200]!;
  const [media = '', shown] = Object.entries(content)[0]!;
  const isText = media === 'application/json' || media === 'text/event-stream';
  const body = (operation.requestBody as { content: Content } | undefined)?.content['application/json'];
  return {
    id: operation.operationId as string,
    tag: (operation.tags as string[])[0]!,
    method: method.toUpperCase(),
    path,
    summary: operation.summary as string,
    description: operation.description as string | undefined,
    scope: operation['x-scope'] as string | undefined,
    parameters: (operation.parameters as ParameterModel[]).map((one) => resolved(document, one)),
    body: body && { schema: resolved(document, body.schema), example: body.example },
    answer: {
      schema: shown.schema,
      example: shown.example,
      otherMedia: Object.keys(others),
      file: isText ? undefined : media,
    },
    refusals: errorCodesOf(document, responses),
  };
}

function errorCodesOf(document: Document, responses: Record<string, { content: Content }>): Map<number, string[]> {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return new Map(
    refused.map(([status, response]) => {
      const { content } = resolved(document, response);
      const [, narrowed] = (content['application/json']!.schema as { allOf?: SchemaModel[] }).allOf ?? [];
      const codes = narrowed?.properties?.error?.properties?.code?.enum as string[] | undefined;
      return [Number(status), codes ?? []];
    }),
  );
}

function eventTypes(document: Document): EventType[] {
  return Object.entries(document.webhooks).map(([type, { post }]) => {
    const { description, requestBody } = post as { description?: string; requestBody: { content: Content } };
    const { schema, example } = requestBody.content['application/json']!;
    const data = resolved(document, schema).properties!.data!;
    return { type, object: resolved(document, data).properties!.object!, description, example };
  });
}
