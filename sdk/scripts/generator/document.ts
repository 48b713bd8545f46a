/** The parts of an OpenAPI document that the client is generated from. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
};

export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};

export type Media = Record<string, { schema: Schema }>;

export type Described = {
  operationId: string;
  summary: string;
  description?: string;
  /** Not there for what only people may do. */
  'x-scope'?: string;
  parameters: Parameter[];
  requestBody?: { required?: boolean; content: Media };
  responses: Record<string, { content?: Media; 'x-content'?: Media }>;
};

export type ApiDocument = {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { requestBody: { content: Media } } }>;
  components: { schemas: Record<string, Schema> };
  /** The codes of each type of error. */
  'x-error-codes': Record<string, string[]>;
};

/** An operation, with what its client needs to know. */
export type Operation = Described & { tag: string; verb: string; method: string; path: string };

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [tag, verb] = described.operationId.split('.') as [string, string];
      return { ...described, tag, verb, method: method.toUpperCase(), path };
    }),
  );
}

const json = 'application/json';
const eventStream = 'text/event-stream';

export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content[json]?.schema;
}

/** Of a stream of server-sent events: the data of one message. */
export function resultOf(operation: Operation): Schema {
  return operation.responses['200']!.content![fileOf(operation) ?? (isLive(operation) ? eventStream : json)]!.schema;
}

/** The media type of a result that is a file. */
export function fileOf({ responses }: Operation): string | undefined {
  const [media = json] = Object.keys(responses['200']!.content!);
  return media === json || media === eventStream ? undefined : media;
}

/** Whether the result is a stream of server-sent events that does not end. */
export function isLive({ responses }: Operation): boolean {
  return eventStream in responses['200']!.content!;
}

/** Other forms that the result can have, such as `text/csv`. */
export function otherMediaOf({ responses }: Operation): string[] {
  return Object.keys(responses['200']!['x-content'] ?? {});
}

export function queryOf({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** The name of a schema that is referred to. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** What the entries of a list are; undefined when the schema is no list. */
export function entryOf(name: string | undefined, { components }: ApiDocument): Schema | undefined {
  const { object, data } = (name && components.schemas[name]?.properties) || {};
  return object?.const === 'list' ? data!.items : undefined;
}

const expandedSuffix = 'Expanded';

/** The type that `PaymentExpanded` belongs to; undefined for others. */
export function expandedOf(name: string): string | undefined {
  return name.endsWith(expandedSuffix) ? name.slice(0, -expandedSuffix.length) : undefined;
}

/** Whether a call can ask for more than ids with its answer. */
export function canExpand(operation: Operation, { components }: ApiDocument): boolean {
  const body = bodyOf(operation);
  const members = body === undefined ? {} : components.schemas[nameOf(body)!]!.properties;
  return 'expand' in (members ?? {}) || queryOf(operation).some(({ name }) => name === 'expand');
}

/** Every name that a value refers to, in it or through others; those of `expanded` only if `withExpanded`. */
export function namesIn(
  value: unknown,
  document: ApiDocument,
  found = new Set<string>(),
  withExpanded = false,
): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  const name = nameOf(value as Schema);
  const isKnown = typeof name === 'string' && name in document.components.schemas;
  if (isKnown && expandedOf(name) !== undefined && !withExpanded) return found;
  if (isKnown && !found.has(name)) namesIn(document.components.schemas[name], document, found.add(name), withExpanded);
  for (const inner of Object.values(value)) namesIn(inner, document, found, withExpanded);
  return found;
}

/** `payment_methods` becomes `PaymentMethods`. */
export function pascal(name: string): string {
  return name
    .split(/[._]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}

/** `list_payment_methods` becomes `listPaymentMethods`. */
export function camel(name: string): string {
  const joined = pascal(name);
  return joined[0]!.toLowerCase() + joined.slice(1);
}
