import { isExact } from './number.ts';

/** A JSON Schema, such as TypeBox makes. Only the keywords below are read. */
export type CoercionSchema = object;

type Keywords = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly CoercionSchema[];
  readonly oneOf?: readonly CoercionSchema[];
  readonly allOf?: readonly CoercionSchema[];
  readonly properties?: Readonly<Record<string, CoercionSchema>>;
  readonly patternProperties?: Readonly<Record<string, CoercionSchema>>;
  readonly additionalProperties?: CoercionSchema | boolean;
  readonly items?: CoercionSchema | boolean;
};

/**
 * Everything that the alternatives of a schema allow at one place of a form, taken together. Text that does not fit stays
 * text, and the validator reports it.
 */
export type Shape = {
  readonly types: ReadonlySet<string>;
  /** Any text is allowed. */
  readonly anyString: boolean;
  /** The values that the schema lists. */
  readonly names: ReadonlySet<unknown>;
  readonly properties: ReadonlyMap<string, Shape>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly shape: Shape }[];
  readonly others: Shape | undefined;
  readonly element: Shape | undefined;
};

const shapes = new WeakMap<CoercionSchema, Shape>();

/** The shape of a schema, computed once. */
export function shapeOf(schema: CoercionSchema): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = combine([schema]);
  shapes.set(schema, shape);
  return shape;
}

function combine(schemas: readonly CoercionSchema[]): Shape {
  const alternatives = schemas.flatMap(alternativesOf);
  const properties = new Map<string, CoercionSchema[]>();
  for (const [key, schema] of alternatives.flatMap((each) => Object.entries(each.properties ?? {}))) {
    properties.set(key, [...(properties.get(key) ?? []), schema]);
  }
  return {
    types: new Set(alternatives.flatMap(typesOf)),
    anyString: alternatives.some((each) => namesOf(each).length === 0 && typesOf(each).includes('string')),
    names: new Set(alternatives.flatMap(namesOf)),
    properties: new Map([...properties].map(([key, parts]) => [key, combine(parts)])),
    patterns: alternatives
      .flatMap((each) => Object.entries(each.patternProperties ?? {}))
      .map(([pattern, schema]) => ({ pattern: new RegExp(pattern, 'u'), shape: shapeOf(schema) })),
    others: combineIfAny(alternatives.map((each) => each.additionalProperties)),
    element: combineIfAny(alternatives.map((each) => each.items)),
  };
}

function combineIfAny(schemas: readonly (CoercionSchema | boolean | undefined)[]): Shape | undefined {
  const real = schemas.filter((schema) => typeof schema === 'object');
  return real.length === 0 ? undefined : combine(real);
}

/** Flattens unions and intersections. The parts of an intersection may be read side by side. */
function alternativesOf(schema: CoercionSchema): Keywords[] {
  const keywords: Keywords = schema;
  const parts = [...(keywords.anyOf ?? []), ...(keywords.oneOf ?? []), ...(keywords.allOf ?? [])];
  return [keywords, ...parts.flatMap(alternativesOf)];
}

function typesOf({ type }: Keywords): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? []);
}

function namesOf(keywords: Keywords): readonly unknown[] {
  return keywords.enum ?? ('const' in keywords ? [keywords.const] : []);
}

/** The shape of a property that the schema does not list by name, such as every key of metadata. */
export function openPropertyOf(shape: Shape | undefined, key: string): Shape | undefined {
  return shape?.patterns.find(({ pattern }) => pattern.test(key))?.shape ?? shape?.others;
}

// Leading zeros are decimal like the rest: a card's month is printed 05.
const integerSyntax = /^-?[0-9]+$/;
const numberSyntax = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Converts text to the type that the schema asks for. It stays text if the schema allows any string, or if it does not fit. */
export function coerce(text: string, shape: Shape | undefined): unknown {
  if (shape === undefined || shape.anyString || shape.names.has(text)) return text;
  const asks = (type: string) => shape.types.has(type) || shape.names.values().some((name) => typeof name === type);

  const syntax = asks('number') ? numberSyntax : asks('integer') ? integerSyntax : undefined;
  // Adding 0 turns -0 into 0, as in JSON bodies.
  if (syntax?.test(text)) return isExact(text) ? Number(text) + 0 : text;
  if ((text === 'true' || text === 'false') && asks('boolean')) return text === 'true';
  return text;
}
