import { isDeepStrictEqual } from 'node:util';

/** The parts of an OpenAPI document that this module reads. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  [limit: string]: unknown;
};
type Content = Record<string, { schema: Schema }>;
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Response = { $ref?: string; headers?: Record<string, unknown>; content?: Content; 'x-content'?: Content };
type Verb = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Response>;
  'x-scope'?: string;
};
export type ComparedDocument = {
  paths: Record<string, object>;
  webhooks?: Record<string, object>;
  components?: object;
};

/** Parameters must stay as wide as they were; answers must stay as narrow. */
type Direction = 'parameter' | 'answer';

/**
 * What a program that works with one document can no longer rely on with another, in sentences. `docs/versions.md` has the rules.
 * Descriptions, examples and codes of errors are not compared.
 */
export function breakingChanges(before: ComparedDocument, after: ComparedDocument): string[] {
  const comparison = new Comparison(before, after);
  comparison.verbs(before.paths, after.paths, (path, method) => `${method.toUpperCase()} ${path}`);
  comparison.events(before.webhooks ?? {}, after.webhooks ?? {});
  return comparison.found;
}

/** The breaking changes that a text lists below the heading `Breaking changes`. */
export function acceptedIn(markdown: string): string[] {
  const [, section = ''] = markdown.split(/^## Breaking changes\n/m);
  const [own = ''] = section.split(/^## /m);
  return [...own.matchAll(/^- (.+)$/gm)].map(([, change]) => change!);
}

/** Whether a listed line names this change. `…` in a line stands for any text: a shape is in many answers. */
export function isAccepted(change: string, accepted: readonly string[]): boolean {
  return accepted.some((line) => {
    const [first = '', ...rest] = line.split('…');
    if (rest.length === 0) return change === line;
    const last = rest.pop()!;
    let at = first.length;
    for (const part of rest) {
      const found = change.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return change.startsWith(first) && change.endsWith(last) && change.length - last.length >= at;
  });
}

class Comparison {
  readonly found: string[] = [];
  readonly #before: ComparedDocument;
  readonly #after: ComparedDocument;
  /** Pairs of named shapes that are being compared: a shape may contain itself. */
  readonly #open = new Set<string>();

  constructor(before: ComparedDocument, after: ComparedDocument) {
    this.#before = before;
    this.#after = after;
  }

  verbs(before: object, after: object, nameOf: (path: string, method: string) => string): void {
    for (const [path, methods] of entries<Record<string, Verb>>(before))
      for (const [method, verb] of entries<Verb>(methods)) {
        const other = (after as Record<string, Record<string, Verb>>)[path]?.[method];
        const name = nameOf(path, method);
        if (other === undefined) this.found.push(`${name}: the operation was removed`);
        else this.#verb(name, verb, other);
      }
  }

  events(before: object, after: object): void {
    for (const [type, { post }] of entries<{ post: Verb }>(before)) {
      const other = (after as Record<string, { post: Verb }>)[type];
      if (other === undefined) this.found.push(`${type}: the event was removed`);
      // A payload is received, as an answer is.
      else this.#contents(type, post.requestBody!.content, other.post.requestBody!.content, 'answer');
    }
  }

  #verb(name: string, before: Verb, after: Verb): void {
    const [scope, other] = [before['x-scope'], after['x-scope']];
    if (scope !== other) this.found.push(`${name}: it needs the scope ${other}, not ${scope}`);
    this.#parameters(name, this.#parametersOf(before, this.#before), this.#parametersOf(after, this.#after));
    if (before.requestBody !== undefined && after.requestBody === undefined)
      this.found.push(`${name}: the body was removed`);
    else if (after.requestBody !== undefined) this.#body(name, before.requestBody, after.requestBody);
    this.#answers(name, before.responses ?? {}, after.responses ?? {});
  }

  #parametersOf({ parameters = [] }: Verb, document: ComparedDocument): Map<string, Parameter> {
    const all = parameters.map((one) => resolved<Parameter>(one, document));
    return new Map(all.map((one) => [`${one.in} ${one.name}`, one]));
  }

  #parameters(name: string, before: Map<string, Parameter>, after: Map<string, Parameter>): void {
    for (const [key, parameter] of before) {
      const place = `${name}: the parameter ${parameter.name}`;
      const other = after.get(key);
      if (other === undefined) this.found.push(`${place} was removed`);
      else {
        if (other.required && !parameter.required) this.found.push(`${place} became required`);
        this.#schemas(place, parameter.schema, other.schema, 'parameter');
      }
    }
    for (const [key, { name: added, required }] of after)
      if (required && !before.has(key)) this.found.push(`${name}: the parameter ${added} is new and required`);
  }

  #body(name: string, before: Verb['requestBody'], after: NonNullable<Verb['requestBody']>): void {
    if (after.required && !before?.required) this.found.push(`${name}: the body became required`);
    if (before !== undefined) this.#contents(name, before.content, after.content, 'parameter');
  }

  /** Only those of success: the shape of errors is the same for all operations, and their codes are not compared. */
  #answers(name: string, before: Record<string, Response>, after: Record<string, Response>): void {
    for (const [status, response] of Object.entries(before).filter(([key]) => key.startsWith('2'))) {
      if (after[status] === undefined) {
        this.found.push(`${name}: the status ${status} was removed`);
        continue;
      }
      const answer = resolved<Response>(response, this.#before);
      const other = resolved<Response>(after[status], this.#after);
      for (const header of Object.keys(answer.headers ?? {}))
        if (other.headers?.[header] === undefined) this.found.push(`${name}: the header ${header} was removed`);
      this.#contents(name, allContent(answer), allContent(other), 'answer');
    }
  }

  #contents(name: string, before: Content, after: Content, direction: Direction): void {
    const gone = Object.keys(before).filter((media) => after[media] === undefined);
    for (const media of gone) this.found.push(`${name}: the media type ${media} was removed`);
    // The same schema in several media types is compared once.
    const shared = Object.keys(before).filter((media) => !gone.includes(media));
    const distinct = shared.filter(
      (media, at) => shared.findIndex((other) => isDeepStrictEqual(before[other], before[media])) === at,
    );
    const noun = direction === 'parameter' ? 'the parameters' : 'the answer';
    for (const media of distinct)
      this.#schemas(`${name}: ${noun}`, before[media]!.schema, after[media]!.schema, direction);
  }

  #schemas(place: string, one: Schema, other: Schema, direction: Direction): void {
    const pair = `${direction} ${one.$ref} ${other.$ref}`;
    const isNamed = one.$ref !== undefined && other.$ref !== undefined;
    if (isNamed && this.#open.has(pair)) return;
    this.#open.add(pair);
    const before = resolved<Schema>(one, this.#before);
    const after = resolved<Schema>(other, this.#after);
    if (before.anyOf !== undefined || after.anyOf !== undefined) this.#variants(place, before, after, direction);
    else {
      this.#types(place, before, after, direction);
      this.#values(place, before, after, direction);
      if (direction === 'parameter') this.#limits(place, before, after);
      this.#members(place, before, after, direction);
    }
    this.#open.delete(pair);
  }

  /** Each variant that there must be has to be covered by one that there is. */
  #variants(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [old, fresh] = [before.anyOf ?? [before], after.anyOf ?? [after]];
    const covers = (variant: Schema, candidates: Schema[], isOld: boolean) =>
      candidates.some((candidate) => {
        const attempt = new Comparison(this.#before, this.#after);
        for (const pair of this.#open) attempt.#open.add(pair);
        const [from, to] = isOld ? [variant, candidate] : [candidate, variant];
        attempt.#schemas(place, from, to, direction);
        return attempt.found.length === 0;
      });
    if (direction === 'parameter' && !old.every((variant) => covers(variant, fresh, true)))
      this.found.push(`${place} takes less than before`);
    if (direction === 'answer' && !fresh.every((variant) => covers(variant, old, false)))
      this.found.push(`${place} can be something else than before`);
  }

  #types(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [from, to] = [typesOf(before), typesOf(after)];
    const isWithin = direction === 'parameter' ? includes(to, from) : includes(from, to);
    if (!isWithin) this.found.push(`${place} went from ${named(from)} to ${named(to)}`);
  }

  /** New values of an answer are no break: clients must expect them. */
  #values(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [from, to] = [valuesOf(before), valuesOf(after)];
    if (direction === 'answer') {
      const isOther = from?.length === 1 && to !== undefined && !to.includes(from[0]);
      if (isOther) this.found.push(`${place} went from ${from[0]} to ${to.join(', ')}`);
      return;
    }
    if (to === undefined) return;
    if (from === undefined) this.found.push(`${place} takes only ${to.join(', ')}`);
    else
      for (const value of from.filter((one) => !to.includes(one))) this.found.push(`${place} no longer takes ${value}`);
  }

  #limits(place: string, before: Schema, after: Schema): void {
    for (const limit of ['minimum', 'minLength', 'minItems', 'exclusiveMinimum'] as const)
      if (Number(after[limit] ?? -Infinity) > Number(before[limit] ?? -Infinity))
        this.found.push(`${place} has the ${limit} ${after[limit]}${previously(before[limit])}`);
    for (const limit of ['maximum', 'maxLength', 'maxItems', 'exclusiveMaximum'] as const)
      if (Number(after[limit] ?? Infinity) < Number(before[limit] ?? Infinity))
        this.found.push(`${place} has the ${limit} ${after[limit]}${previously(before[limit])}`);
    for (const rule of ['pattern', 'format', 'multipleOf', 'uniqueItems'] as const)
      if (after[rule] !== undefined && after[rule] !== before[rule])
        this.found.push(`${place} has the ${rule} ${after[rule]}${previously(before[rule])}`);
  }

  #members(place: string, before: Schema, after: Schema, direction: Direction): void {
    if (before.items !== undefined && after.items !== undefined)
      this.#schemas(`${place}[]`, before.items, after.items, direction);
    const [others, further] = [before.additionalProperties, after.additionalProperties];
    if (typeof others === 'object' && typeof further === 'object')
      this.#schemas(`${place}.*`, others, further, direction);
    const takesAny = direction === 'parameter' && others !== false && before.type !== undefined;
    if (takesAny && further === false && others !== undefined) this.found.push(`${place} takes no further members`);
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const other = after.properties?.[name];
      if (other === undefined) this.found.push(`${place}.${name} was removed`);
      else this.#schemas(`${place}.${name}`, schema, other, direction);
    }
    this.#required(place, before, after, direction);
  }

  #required(place: string, before: Schema, after: Schema, direction: Direction): void {
    const [from, to] = [before.required ?? [], after.required ?? []];
    if (direction === 'parameter')
      for (const name of to.filter((one) => !from.includes(one)))
        this.found.push(`${place}.${name} ${before.properties?.[name] ? 'became required' : 'is new and required'}`);
    else
      for (const name of from.filter((one) => !to.includes(one) && after.properties?.[one] !== undefined))
        this.found.push(`${place}.${name} may be absent`);
  }
}

/** Every form that an answer can have. */
const allContent = ({ content, 'x-content': others }: Response): Content => ({ ...content, ...others });

const previously = (value: unknown) => (value === undefined ? '' : ` instead of ${value}`);

function entries<T>(value: object): [string, T][] {
  return Object.entries(value);
}

/** What a reference names, as often as needed. */
function resolved<T extends { $ref?: string }>(value: T, document: ComparedDocument): T {
  if (value.$ref === undefined) return value;
  const steps = value.$ref.slice(2).split('/');
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) as T;
  return resolved(found, document);
}

/** Undefined where any type is allowed. */
function typesOf({ type, const: only, enum: values }: Schema): string[] | undefined {
  if (type !== undefined) return [type].flat();
  const listed = only === undefined ? values : [only];
  return listed === undefined ? undefined : [...new Set(listed.map((one) => (one === null ? 'null' : typeof one)))];
}

function includes(wide: string[] | undefined, narrow: string[] | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return false;
  return narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number')));
}

function valuesOf({ const: only, enum: values }: Schema): unknown[] | undefined {
  return only === undefined ? values : [only];
}

const named = (types: string[] | undefined) => types?.join(' or ') ?? 'any type';
