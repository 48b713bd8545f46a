import { Secret } from '../../base/secret.ts';

type NamedValues = Record<string, unknown>;
type ConfidentialSchema = { properties?: Record<string, ConfidentialSchema>; confidential?: 'compared' | 'ignored' };

/** Whether anything below this schema is confidential. Worked out once a schema: most have nothing. */
const confidentialSchemas = new WeakMap<object, boolean>();

export function hasConfidential(schema: object): boolean {
  let found = confidentialSchemas.get(schema);
  if (found === undefined) {
    const { confidential, properties = {} } = schema as ConfidentialSchema;
    found = confidential !== undefined || Object.values(properties).some(hasConfidential);
    confidentialSchemas.set(schema, found);
  }
  return found;
}

/** Wraps what is confidential, as soon as it is known to be text: from here on it cannot be printed. */
export function wrapConfidential(values: NamedValues, schema: object): NamedValues {
  return mapConfidential(values, schema, (value) => (typeof value === 'string' ? new Secret(value) : value));
}

/** What two requests are compared by. Only for what is hashed with a key at once. */
export function comparable(values: NamedValues, schema: object): NamedValues {
  return mapConfidential(values, schema, (value, rule) =>
    rule === 'ignored' || !(value instanceof Secret) ? undefined : value.open(),
  );
}

function mapConfidential(
  values: NamedValues,
  schema: object,
  map: (value: unknown, rule: 'compared' | 'ignored') => unknown,
): NamedValues {
  if (!hasConfidential(schema)) return values;
  const { properties = {} } = schema as ConfidentialSchema;
  const mapped: NamedValues = {};
  for (const [name, value] of Object.entries(values)) {
    const property = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
    if (property.confidential !== undefined) mapped[name] = map(value, property.confidential);
    else mapped[name] = isObject(value) ? mapConfidential(value, property, map) : value;
  }
  return mapped;
}

function isObject(value: unknown): value is NamedValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
