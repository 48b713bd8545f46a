import { Secret } from '../../base/secret.ts';
import { isPlainObject, mapMarked, type Values } from './schema.ts';

/** Wraps confidential texts and objects in a `Secret`: from here on they cannot be printed. */
export function wrapConfidential(values: Values, schema: object): Values {
  return mapMarked(values, schema, 'confidential', (value) =>
    typeof value === 'string' || isPlainObject(value) ? new Secret(value) : value,
  );
}

/** The values that two requests are compared by, with secrets in the clear. For a keyed hash only. */
export function comparable(values: Values, schema: object): Values {
  return mapMarked(values, schema, 'confidential', (value, { confidential }) =>
    confidential === 'ignored' || !(value instanceof Secret) ? undefined : value.open(),
  );
}
