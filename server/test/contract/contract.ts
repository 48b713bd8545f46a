import { Ajv2020 } from 'ajv/dist/2020.js';
import { catalog, describedBy } from '../../catalog.ts';
import type { Json } from '../../http/pages/openapi/components.ts';
import { type Document, openApi } from '../../http/pages/openapi/document.ts';
import { collect, type Resource } from '../../operations/resource.ts';

/** What came back for a request. */
export type Exchanged = {
  method: string;
  /** The request target: path and query. */
  path: string;
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
};

/** Headers that belong to HTTP and not to the API. */
const plainHeaders = new Set([
  ...['content-type', 'content-length', 'transfer-encoding', 'date', 'connection', 'keep-alive', 'vary'],
  ...['strict-transport-security', 'x-content-type-options', 'cache-control', 'content-disposition'],
]);

type DocumentedOperation = { id: string; method: string; path: RegExp; responses: Record<string, Json>; at: string };
type DocumentedResponse = {
  headers: Record<string, Json>;
  content: Record<string, Json>;
  'x-content': Record<string, Json>;
  at: string;
};

const looseOptions = { strict: false, validateFormats: false, validateSchema: false };
/** Many schemas check few answers each: this takes half the processor time to compile them. */
const quickToCompile = { inlineRefs: false, code: { optimize: false } };

/** The OpenAPI document as a check of answers. Schemas are compiled when an answer first needs them. */
export class Contract {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ ...looseOptions, ...quickToCompile, allErrors: true });
  readonly #operations: DocumentedOperation[];

  constructor(document: Document) {
    this.#document = closed(document) as Document;
    this.#ajv.addSchema(this.#document, 'document');
    this.#operations = operationsOf(this.#document);
  }

  /** The operation of a route; undefined for a page, and for what is no route. */
  operationOf(method: string, target: string): string | undefined {
    return this.#operation(method, target)?.id;
  }

  /** Whether an operation takes these parameters in a body, by its schema. */
  takes(id: string, parameters: Json): boolean {
    const { at } = this.#operations.find((one) => one.id === id)!;
    return this.#ajv.getSchema(`document#${at}/requestBody/content/application~1json/schema`)!(parameters) as boolean;
  }

  /** Fails where an answer differs from the document. */
  check(exchanged: Exchanged): void {
    const differences = this.differences(exchanged);
    if (differences.length === 0) return;
    const { method, path, text } = exchanged;
    throw new Error(
      `The answer to ${method} ${path} is not as documented: ${differences.join('; ')}\n${text.slice(0, 2_000)}`,
    );
  }

  /** What differs from the document, in words; empty if nothing does. An answer of anything else than an operation is not checked. */
  differences(exchanged: Exchanged): string[] {
    const operation = this.#operation(exchanged.method, exchanged.path);
    if (operation === undefined) return [];
    const response = this.#response(operation, exchanged.status);
    if (response === undefined) return [`${operation.id} does not document the status ${exchanged.status}`];
    const found = [...this.#headerDifferences(response, exchanged), ...this.#bodyDifferences(response, exchanged)];
    return found.map((one) => `${operation.id} ${exchanged.status}: ${one}`);
  }

  #operation(method: string, target: string): DocumentedOperation | undefined {
    const path = target.split('?', 1)[0]!;
    return this.#operations.find((one) => one.method === method && one.path.test(path));
  }

  #response({ responses, at }: DocumentedOperation, status: number): DocumentedResponse | undefined {
    const documented = responses[status];
    if (documented === undefined) return undefined;
    const { $ref } = documented as { $ref?: string };
    const resolved = $ref === undefined ? documented : this.#document.components.responses![$ref.split('/').at(-1)!]!;
    return {
      headers: {},
      content: {},
      'x-content': {},
      ...resolved,
      at: $ref?.slice(1) ?? `${at}/responses/${status}`,
    };
  }

  #headerDifferences({ headers }: DocumentedResponse, exchanged: Exchanged): string[] {
    const documented = new Map(
      Object.keys(headers).map((name) => [name.toLowerCase(), this.#document.components.headers![name]!]),
    );
    const missing = [...documented].filter(([name, { required }]) => required && exchanged.headers[name] === undefined);
    const present = Object.entries(exchanged.headers).filter(([name]) => !plainHeaders.has(name));
    return [
      ...missing.map(([name]) => `the header ${name} is missing`),
      ...present.flatMap(([name, value]) => {
        const header = documented.get(name);
        if (header === undefined) return [`the header ${name} is not documented`];
        return fits(String(value), header.schema as Json) ? [] : [`the header ${name} is ${value}`];
      }),
    ];
  }

  #bodyDifferences({ content, 'x-content': others, at }: DocumentedResponse, { headers, text }: Exchanged): string[] {
    const media = String(headers['content-type']).split(';', 1)[0]!;
    if ((content[media] ?? others[media]) === undefined) return [`the media type ${media} is not documented`];
    if (media !== 'application/json') return [];
    const body = JSON.parse(text);
    const found = this.#invalid(`${at}/content/application~1json/schema`, body);
    return found.length > 0 ? found : eventsIn(body).flatMap((event) => this.#eventDifferences(event));
  }

  /** An event has the shape that its webhook has. */
  #eventDifferences(event: { type: string }): string[] {
    const at = `/webhooks/${event.type}/post`;
    if (this.#document.webhooks[event.type] === undefined) return [`the event ${event.type} is not documented`];
    const found = this.#invalid(`${at}/requestBody/content/application~1json/schema`, event);
    return found.map((one) => `${event.type} ${one}`);
  }

  #invalid(at: string, value: unknown): string[] {
    const validate = this.#ajv.getSchema(`document#${at}`)!;
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, message, params }) => {
      const { additionalProperty = '', allowedValues = '' } = params as Record<string, string | string[] | undefined>;
      return `${instancePath || 'the body'} ${message} ${additionalProperty}${allowedValues}`.trim();
    });
  }
}

const contracts = new WeakMap<readonly Resource[], Contract>();

/** The contract of these resources. It is made once in a process: test files share one. */
export function contractOf(resources: readonly Resource[] = catalog.resources): Contract {
  const made = contracts.get(resources) ?? new Contract(openApi(describedBy(collect(resources))));
  contracts.set(resources, made);
  return made;
}

function operationsOf({ paths }: Document): DocumentedOperation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string; responses: Record<string, Json> }>).map(
      ([method, { operationId, responses }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        responses,
        at: `/paths/${path.replaceAll('/', '~1')}/${method}`,
      }),
    ),
  );
  // `/invoices/preview` before `/invoices/{id}`.
  return all.sort((one, other) => Number(one.path.source.includes('[')) - Number(other.path.source.includes('[')));
}

function eventsIn(body: { object?: string; type?: string; data?: unknown }): { type: string }[] {
  if (body.object === 'event') return [body as { type: string }];
  return body.object === 'list' ? (body.data as (typeof body)[]).flatMap(eventsIn) : [];
}

function fits(value: string, { type, const: only }: Json): boolean {
  return only === undefined ? type !== 'integer' || /^\d+$/.test(value) : value === only;
}

/**
 * The document with objects that have no further members than it names. In the document itself they stay open, because clients must accept
 * new members. The first part of `allOf` is a shape; the others only narrow it.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { allOf, ...rest } = value as Json;
  const copy: Json = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, closed(member)]));
  if (Array.isArray(allOf)) copy.allOf = [closed(allOf[0]), ...allOf.slice(1)];
  const isOpenObject =
    copy.type === 'object' && typeof copy.properties === 'object' && !('additionalProperties' in copy);
  return isOpenObject ? { ...copy, additionalProperties: false } : copy;
}
