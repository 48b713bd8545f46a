import type { Keyring } from '../../base/keyring.ts';
import { Secret } from '../../base/secret.ts';
import { canonicalJson } from './canonical.ts';
import type { ParameterSchema, Values } from './schema.ts';

/**
 * The copy of the parameters for the request log. Personal data is replaced by a short keyed digest: it shows whether two requests sent
 * the same value, and nothing else.
 */
export function redactParameters(keyring: Keyring, values: Values, schema: object): Values {
  const { properties = {} }: ParameterSchema = schema;
  const redacted: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const property = properties[name];
    if (value === null || value === undefined) redacted[name] = null;
    else if (value instanceof Secret)
      redacted[name] = property?.confidential === 'compared' ? digest(keyring, textOf(value.open())) : String(value);
    else if (property?.personal) redacted[name] = digest(keyring, textOf(value));
    else if (property?.properties !== undefined && typeof value === 'object')
      redacted[name] = redactParameters(keyring, value as Values, property);
    else redacted[name] = Array.isArray(value) ? value.map((one) => plain(keyring, one)) : plain(keyring, value);
  }
  return redacted;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function plain(keyring: Keyring, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return digest(keyring, canonicalJson(value));
  return typeof value === 'string' && !isHarmless(value) ? digest(keyring, value) : value;
}

/** A word, a code, or an id of this gateway. Anything else may be a card number or a name in the wrong parameter. */
function isHarmless(text: string): boolean {
  return /^(?:[a-z_.*]{1,40}|[A-Za-z]{1,3}|[a-z]{2,6}_[0-9A-Za-z]{22})$/.test(text);
}

export function digest(keyring: Keyring, text: string): string {
  return `digest:${keyring.shortDigest('redaction', text)}`;
}

/** The names of the parameters that differ between two redacted copies. */
export function differingParameters(first: Values, second: Values): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => JSON.stringify(first[name]) !== JSON.stringify(second[name])).sort();
}
