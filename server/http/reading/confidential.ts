import { Secret } from '../../base/secret.ts';
import { isPlainObject, type ParameterSchema, propertyOf, type Values } from './schema.ts';

const confidentialSchemas = new WeakMap<object, boolean>();

/** Whether a schema, or a schema inside it, is confidential. Most are not, so the result is kept. */
export function hasConfidential(schema: object): boolean {
  let found = confidentialSchemas.get(schema);
  if (found === undefined) {
    const { confidential, properties = {} }: ParameterSchema = schema;
    found = confidential !== undefined || Object.values(properties).some(hasConfidential);
    confidentialSchemas.set(schema, found);
  }
  return found;
}

/** Wraps confidential text in a `Secret`: from here on it cannot be printed. */
export function wrapConfidential(values: Values, schema: object): Values {
  return mapConfidential(values, schema, (value) => (typeof value === 'string' ? new Secret(value) : value));
}

/** The values that two requests are compared by, with secrets in the clear. For a keyed hash only. */
export function comparable(values: Values, schema: object): Values {
  return mapConfidential(values, schema, (value, rule) =>
    rule === 'ignored' || !(value instanceof Secret) ? undefined : value.open(),
  );
}

function mapConfidential(
  values: Values,
  schema: ParameterSchema,
  map: (value: unknown, rule: 'compared' | 'ignored') => unknown,
): Values {
  if (!hasConfidential(schema)) return values;
  const mapped: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(schema, name) ?? {};
    if (property.confidential !== undefined) mapped[name] = map(value, property.confidential);
    else mapped[name] = isPlainObject(value) ? mapConfidential(value, property, map) : value;
  }
  return mapped;
}
