import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { assert } from '../../../base/errors.ts';
import type { Expansions } from '../../../operations/expand.ts';
import { referencesIn } from '../../../operations/references.ts';

export type Json = Record<string, unknown>;

/** Members that only this server reads. */
const markers = new Set(['personal', 'confidential', 'normalize', 'refersTo']);

/** The named shapes of the document. A schema with a title is written once, under its title, and referred to everywhere else. */
export class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #expansions: Expansions;

  /** `expansions`: what the references of objects lead to. */
  constructor(expansions: Expansions) {
    this.#expansions = expansions;
  }

  /** A schema as the document has it. */
  schema(schema: TSchema | Json): Json {
    const { title, ...rest } = schema as Json & { title?: string };
    const plain = this.#plain(rest);
    if (title === undefined) return plain;
    const expanded = this.#expanded(title, schema as TSchema);
    return this.named(title, expanded === undefined ? plain : withMember(plain, { expanded }));
  }

  /** The objects that a request can ask for with an object; undefined where it refers to none. */
  #expanded(title: string, schema: TSchema): Json | undefined {
    const paths = 'data' in (((schema as Json).properties as Json) ?? {}) ? [] : referencesIn(schema);
    if (paths.length === 0) return undefined;
    const members = paths.map((path) => [path.path, this.#oneOf(this.#expansions.targetsOf(path))]);
    return this.named(`${title}Expanded`, {
      type: 'object',
      properties: Object.fromEntries(members),
      description:
        'The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is left out.',
    });
  }

  #oneOf(resources: readonly string[]): Json {
    const titles = resources.map((resource) => String((this.#expansions.kindOf(resource).output as Json).title));
    const references = titles.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    if (references.length === 1) return references[0]!;
    return { anyOf: references, description: `One of ${titles.join(', ')}.` };
  }

  /** Adds a shape, and returns the reference to it. */
  named(title: string, schema: Json): Json {
    const known = this.#schemas.get(title);
    assert(known === undefined || isDeepStrictEqual(known, schema), `two shapes have the name ${title}`);
    this.#schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** In the order of their names, so that a change of one moves no other. */
  schemas(): Record<string, Json> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #plain(schema: Json): Json {
    const plain: Json = {};
    for (const [name, value] of Object.entries(schema)) {
      if (markers.has(name)) continue;
      if (name === 'properties') plain.properties = this.#each(value as Record<string, Json>);
      // A map, whose values have one shape.
      else if (name === 'patternProperties') plain.additionalProperties = this.schema((value as Json)['^.*$'] as Json);
      else if (name === 'items') plain.items = this.schema(value as Json);
      else if (name === 'anyOf') plain.anyOf = (value as Json[]).map((one) => this.schema(one));
      else plain[name] = value;
    }
    return sized(plain);
  }

  #each(properties: Record<string, Json>): Record<string, Json> {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, this.schema(schema)]));
  }
}

function withMember(schema: Json, member: Json): Json {
  return { ...schema, properties: { ...(schema.properties as Json), ...member } };
}

const int32Max = 2 ** 31 - 1;

/**
 * The schema of a number with its width. Without one, generated Java and Go take 32 bits, which end at 21 million euros and in the year
 * 2038. A format of this server alone is kept under another name.
 */
export function sized(schema: Json): Json {
  const { type, format, minimum, maximum } = schema as { type?: string | string[]; format?: string } & NumberLimits;
  const types = [type].flat();
  const own = format === undefined ? {} : { 'x-format': format };
  if (types.includes('number')) return { ...schema, format: 'double', ...own };
  if (!types.includes('integer')) return schema;
  const isShort = maximum !== undefined && maximum <= int32Max && minimum !== undefined && minimum >= -int32Max;
  return { ...schema, format: isShort ? 'int32' : 'int64', ...own };
}
type NumberLimits = { minimum?: number; maximum?: number };

/** The name of a shape that is made for an operation or an event: `payments.create` becomes `PaymentsCreate`. */
export function shapeName(name: string): string {
  return name
    .split(/[._]/)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}
