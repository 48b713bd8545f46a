import fc from 'fast-check';
import type { Json } from '../../http/pages/openapi/components.ts';
import type { Document } from '../../http/pages/openapi/document.ts';
import { hints, namesId, ofKind } from './hints.ts';

/** A request before the ids of its objects are known: a text such as `@cus:3` stands for the id of a customer. */
export type Sketch = {
  operation: string;
  method: string;
  path: string;
  /** Query parameters of a GET, the body of a POST. Undefined where the body is raw. */
  parameters?: Json;
  raw?: string;
  headers: Record<string, string>;
  isForm: boolean;
  isAnonymous: boolean;
};

type Described = Json & { operationId: string; parameters: Json[]; requestBody?: { content: Record<string, Json> } };
type Values = fc.Arbitrary<unknown>;

/** Requests to the operations of a document: a third valid, a third at the limits, a third invalid. */
export function requestsOf(document: Document): fc.Arbitrary<Sketch> {
  const generator = new Generator(document);
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>).map(([method, operation]) =>
      generator.request(method.toUpperCase(), path, operation),
    ),
  );
  return fc.oneof(...all);
}

/** A valid request to one operation, with no more parameters than it needs. */
export function plainRequestTo(document: Document, operation: string): fc.Arbitrary<Sketch> {
  const generator = new Generator(document);
  const [found] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>)
      .filter(([, { operationId }]) => operationId === operation)
      .map(([method, described]) => generator.plainRequest(method.toUpperCase(), path, described)),
  );
  return found!;
}

class Generator {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  request(method: string, path: string, operation: Described): fc.Arbitrary<Sketch> {
    const schema = this.#parametersOf(operation);
    const valid = this.#value(schema, operation.operationId, false) as fc.Arbitrary<Json>;
    const boundary = this.#value(schema, operation.operationId, true) as fc.Arbitrary<Json>;
    const facts = { operation: operation.operationId, method };
    const usual = fc.record({
      // What ends an object takes one of the older: the latest are for the others.
      path: fc.constant(path.replace('{id}', `@${ofKind(path)}:${ends(method, path) ? 9 : 0}`)),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: goodHeaders },
      ) as fc.Arbitrary<Record<string, string>>,
      isForm: fc.nat(3).map((one) => one === 0),
      isAnonymous: fc.constant(false),
    });
    const sent = (parameters: fc.Arbitrary<Json>) =>
      fc
        .tuple(usual, parameters)
        .map(([rest, values]): Sketch => ({ ...facts, ...rest, parameters: ofOwnKind(values, path) }));
    return fc.oneof(sent(valid), sent(boundary), fc.oneof(sent(broken(valid)), broke(sent(valid), method === 'POST')));
  }

  plainRequest(method: string, path: string, operation: Described): fc.Arbitrary<Sketch> {
    const needed = this.#needed(this.#parametersOf(operation));
    const facts = { operation: operation.operationId, method, path: path.replace('{id}', `@${ofKind(path)}:0`) };
    return (this.#value(needed, operation.operationId, false) as fc.Arbitrary<Json>).map((parameters) => {
      return { ...facts, parameters, headers: {}, isForm: false, isAnonymous: false };
    });
  }

  /** The schema without what is optional. */
  #needed(given: Json): Json {
    const { $ref } = given as { $ref?: string };
    const schema = $ref === undefined ? given : this.#document.components.schemas![$ref.split('/').at(-1)!]!;
    const {
      properties = {},
      required = [],
      items,
    } = schema as { properties?: Json; required?: string[]; items?: Json };
    if (schema.type === 'array' && items !== undefined) return { ...schema, items: this.#needed(items) };
    if (schema.type !== 'object') return schema;
    const members = Object.entries(properties).filter(([name]) => required.includes(name));
    return {
      ...schema,
      properties: Object.fromEntries(members.map(([name, member]) => [name, this.#needed(member as Json)])),
    };
  }

  /** Those of a query as one object, like those of a body. */
  #parametersOf({ parameters, requestBody }: Described): Json {
    if (requestBody !== undefined) return requestBody.content['application/json']!.schema as Json;
    const inQuery = parameters.filter((one) => one.in === 'query');
    const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]));
    return { type: 'object', properties, required: inQuery.filter((one) => one.required).map(({ name }) => name) };
  }

  /** A value that a schema allows; with `isEdge`, one at its limits. `name` is that of the member. */
  #value(given: Json, name: string, isEdge: boolean): Values {
    const { $ref } = given as { $ref?: string };
    const schema = $ref === undefined ? given : this.#document.components.schemas![$ref.split('/').at(-1)!]!;
    const hint = hints[name];
    if (hint !== undefined && !isEdge) return hint;
    if ('const' in schema) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map((one) => this.#value(one, name, isEdge)));
    const types = [schema.type].flat() as string[];
    return fc.oneof(...types.map((type) => this.#typed(type, schema, name, isEdge)));
  }

  #typed(type: string, schema: Json, name: string, isEdge: boolean): Values {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return isEdge ? edgesOf(schema) : integerOf(schema);
      case 'number':
        return isEdge ? edgesOf(schema) : fc.integer({ min: 1, max: 100 });
      case 'array':
        return this.#list(schema, name, isEdge);
      case 'object':
        return this.#object(schema, isEdge);
      default:
        return isEdge ? edgeText(schema, hints[name]) : fc.string({ minLength: 1, maxLength: 20 });
    }
  }

  #list({ items, minItems, maxItems }: Json, name: string, isEdge: boolean): Values {
    const [least, most] = [Number(minItems ?? 0), Math.min(Number(maxItems ?? 3), 25)];
    const lengths = isEdge ? fc.constantFrom(least, most) : fc.integer({ min: Math.max(least, 1), max: 2 });
    const one = this.#value(items as Json, name, isEdge);
    return lengths.chain((length) => fc.array(one, { minLength: length, maxLength: length }));
  }

  #object({ properties = {}, required = [], additionalProperties }: Json, isEdge: boolean): Values {
    const members = Object.entries(properties as Record<string, Json>).map(
      ([name, schema]) => [name, this.#value(schema, name, isEdge && !namesId(name))] as const,
    );
    if (members.length === 0)
      return additionalProperties
        ? fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), plain, { maxKeys: 3 })
        : fc.constant({});
    return fc.record(Object.fromEntries(members), { requiredKeys: required as string[] });
  }
}

function ofOwnKind(values: Json, path: string): Json {
  return JSON.parse(JSON.stringify(values).replaceAll('@self:', `@${ofKind(path)}:`));
}

const ends = (method: string, path: string) => method === 'DELETE' || /detach$|void$|cancel$|pause$/.test(path);

const plain = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.boolean());

function integerOf({ minimum = 1, maximum = 100_000 }: Json): Values {
  return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), Number(minimum) + 100_000) });
}

function edgesOf({ minimum, maximum, type }: Json): Values {
  const limits = [minimum, maximum].filter((limit) => limit !== undefined).map(Number);
  const around = limits.flatMap((limit) => [limit - 1, limit, limit + 1]);
  return fc.constantFrom(...around, 0, 1, -1, ...([type].flat().includes('number') ? [0.01, 99.99, 0.5] : []));
}

function edgeText({ minLength = 0, maxLength = 100 }: Json, hint: Values | undefined): Values {
  const [least, most] = [Number(minLength), Math.min(Number(maxLength), 6_000)];
  const lengths = fc.constantFrom(least, Math.max(least, 1), most, most + 1);
  const filled = fc.tuple(lengths, fc.constantFrom('a', ' ', 'é', '💳', '"')).map(([length, of]) => of.repeat(length));
  return hint === undefined ? filled : fc.oneof(filled, hint);
}

const junk: Values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>('', ' ', 'x'.repeat(10_000), '\0', '\ud800', '@none:0', -1, 0.5, 2 ** 53 - 1, [], {}, null),
  fc.constantFrom<unknown>([[[[[]]]]], { a: { b: {} } }, true, '__proto__', "'; drop table payments", '../..', '%00'),
);

/** Valid parameters with a mistake: a member that is replaced, missing or unknown, or anything else in place of all. */
function broken(valid: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const replaced = fc.tuple(valid, fc.nat(), junk).map(([values, at, value]) => {
    const names = Object.keys(values);
    const name = names[at % Math.max(names.length, 1)];
    if (name === undefined) return { limit: value };
    const within = values[name];
    const isDeep = typeof within === 'object' && within !== null && !Array.isArray(within) && at % 2 === 0;
    const [inner] = isDeep ? Object.keys(within) : [];
    return { ...values, [name]: inner === undefined ? value : { ...(within as Json), [inner]: value } };
  });
  const without = fc.tuple(valid, fc.nat()).map(([values, at]) => {
    const names = Object.keys(values);
    return Object.fromEntries(Object.entries(values).filter(([name]) => name !== names[at % names.length]));
  });
  const further = fc
    .tuple(valid, fc.oneof(fc.string(), fc.constantFrom('amout', 'metadata[', 'constructor', 'a.b')), junk)
    .map(([values, name, value]) => ({ ...values, [name]: value }));
  return fc.oneof(replaced, replaced, without, further);
}

/** A mistake in the request around the parameters. */
function broke(valid: fc.Arbitrary<Sketch>, hasBody: boolean): fc.Arbitrary<Sketch> {
  const changes: fc.Arbitrary<Partial<Sketch>>[] = [
    badHeaders.map((headers) => ({ headers })),
    fc.constant({ isAnonymous: true }),
    fc
      .oneof(fc.string({ minLength: 1, maxLength: 80 }), fc.constantFrom('cus_', '@py:0', '@cus:0', '.', '%'))
      .map((id) => ({ path: id })),
  ];
  if (hasBody) changes.push(rawBodies.map((raw) => ({ raw })));
  return fc.tuple(valid, fc.oneof(...changes)).map(([sketch, change]) => {
    const path = change.path && withId(sketch.path, change.path);
    return { ...sketch, ...change, path: path ?? sketch.path };
  });
}

function withId(path: string, id: string): string {
  // A client takes dots out of a path before it sends it, in either spelling.
  const text = id.startsWith('@') ? id : encodeURIComponent(id).replace(/^\.+$/, 'dots');
  return path.replace(/@\w+:\d/, text);
}

const idempotencyKey = fc.nat(400).map((number) => ({ 'Idempotency-Key': `key ${number}` }));
const goodHeaders = fc.oneof(
  idempotencyKey,
  fc.constantFrom({ 'X-Service-Version': '1' }, { Accept: 'application/json; version=1' }, { Accept: 'text/csv' }),
);
const badHeaders = fc.constantFrom<Record<string, string>>(
  ...[{ 'Idempotency-Key': 'x'.repeat(256) }, { 'Idempotency-Key': '' }, { 'X-Service-Version': '7' }],
  ...[{ 'X-Service-Version': '' }, { Accept: 'application/json; version=0' }, { 'X-Service-Timestamp': '1' }],
  ...[{ 'X-Service-Signature': 'sha256=00' }, { 'Content-Encoding': 'gzip' }, { 'Content-Type': 'text/xml' }],
  ...[{ 'Content-Type': 'application/json; charset=latin1' }, { Authorization: 'Bearer sk_test_tg_wrong' }],
);
const rawBodies = fc.oneof(
  fc.constantFrom(
    '{',
    '[]',
    'null',
    '"text"',
    '{"a":1,"a":2}',
    '{"__proto__":{}}',
    '{"amount":1e400}',
    '{"a":"\\ud800"}',
  ),
  fc.constantFrom('['.repeat(40), `{"a":"${'x'.repeat(300_000)}"}`, '{"amount":9007199254740993}', '{}x', ' '),
  fc.string(),
);
