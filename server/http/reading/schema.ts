export type Values = Record<string, unknown>;

/** The parts of an operation's input schema that are read here. `body/coerce.ts` reads further ones. */
export type ParameterSchema = {
  properties?: Record<string, ParameterSchema>;
  required?: string[];
  /** Of an array. */
  items?: ParameterSchema;
  /** Of one that has several forms. */
  anyOf?: ParameterSchema[];
  type?: string;
  enum?: unknown[];
  personal?: boolean;
  /** Of a parameter: whether it is part of the fingerprint of its request. `shown`: an answer shows it, once. */
  confidential?: 'compared' | 'ignored' | 'shown';
  /** Gives the one spelling, of several with the same meaning, that operations get and that requests are compared by. */
  normalize?: (value: never) => unknown;
};

type Marker = 'confidential' | 'normalize';
const marked: Record<Marker, WeakMap<object, boolean>> = { confidential: new WeakMap(), normalize: new WeakMap() };

/** Whether a schema, or a schema inside it, has the marker. Most have not, so the result is kept. */
export function hasMarker(schema: object, marker: Marker): boolean {
  let found = marked[marker].get(schema);
  if (found === undefined) {
    const { properties = {}, items, anyOf = [], [marker]: own }: ParameterSchema = schema;
    const parts = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
    found = own !== undefined || parts.some((part) => hasMarker(part, marker));
    marked[marker].set(schema, found);
  }
  return found;
}

/** A copy in which the parameters whose schema has the marker are mapped; the same object when no value changes. */
export function mapMarked(
  values: Values,
  schema: ParameterSchema,
  marker: Marker,
  map: (value: unknown, schema: ParameterSchema) => unknown,
): Values {
  if (!hasMarker(schema, marker)) return values;
  let changed: Values | undefined;
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(schema, name) ?? {};
    let mapped = value;
    if (property[marker] !== undefined) mapped = map(value, property);
    else if (isPlainObject(value)) mapped = mapMarked(value, property, marker, map);
    if (mapped === value) continue;
    changed ??= { ...values };
    changed[name] = mapped;
  }
  return changed ?? values;
}

/** The schema of a property. Own properties only: a caller may send a parameter named `constructor`. */
export function propertyOf({ properties }: ParameterSchema, name: string): ParameterSchema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function isPlainObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
