import { Secret } from '../../base/secret.ts';
import { mapMarked, type Values } from './schema.ts';

/** Wraps confidential text in a `Secret`: from here on it cannot be printed. */
export function wrapConfidential(values: Values, schema: object): Values {
  return mapMarked(values, schema, 'confidential', (value) => (typeof value === 'string' ? new Secret(value) : value));
}

/** The values that two requests are compared by, with secrets in the clear. For a keyed hash only. */
export function comparable(values: Values, schema: object): Values {
  return mapMarked(values, schema, 'confidential', (value, { confidential }) =>
    confidential === 'ignored' || !(value instanceof Secret) ? undefined : value.open(),
  );
}
