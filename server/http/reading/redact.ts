import { hideKeys } from '../../base/hidden_keys.ts';
import type { Keyring } from '../../base/keyring.ts';
import { isSpeakable, withheld } from '../../base/param_name.ts';
import type { Mode } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { canonicalJson } from './canonical.ts';
import { isPlainObject, type ParameterSchema, propertyOf, type Values } from './schema.ts';

/** For whose log a copy is made: texts of test mode may be shown if they look harmless. */
type Redaction = { keyring: Keyring; mode: Mode };

/**
 * The copy of the parameters for the request log. Personal data is replaced by a short keyed digest: it shows whether two requests sent
 * the same value, and nothing else. The values may be unchecked: of parameters that do not exist only the names are shown.
 */
export function redactParameters(redaction: Redaction, values: Values, schema: object): Values {
  const redacted: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) redacted[name] = redactValue(redaction, value, property);
    else redacted[isSpeakable(name) ? name : withheld] = digest(redaction.keyring, textOf(value));
  }
  return redacted;
}

function redactValue(redaction: Redaction, value: unknown, property: ParameterSchema): unknown {
  const { keyring } = redaction;
  if (value === null || value === undefined) return null;
  if (property.confidential === 'compared')
    return digest(keyring, textOf(value instanceof Secret ? value.open() : value));
  // A value that was refused is not wrapped yet.
  if (property.confidential !== undefined || value instanceof Secret) return String(new Secret(value));
  if (property.personal) return digest(keyring, textOf(value));
  if (Array.isArray(value)) return value.map((one) => redactValue(redaction, one, property.items ?? {}));
  if (isPlainObject(value))
    return property.properties === undefined
      ? digest(keyring, canonicalJson(value))
      : redactParameters(redaction, value, property);
  return isShown(redaction, value) ? value : digest(keyring, textOf(value));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

export const numberMax = 999_999_999_999; // the largest amount: card numbers have more digits

function isShown({ mode }: Redaction, value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= numberMax;
  return typeof value !== 'string' || isHarmless(value) || (mode === 'test' && isPlainText(value));
}

/** A word, a code, or an id of this gateway. Anything else may be a card number or a name in the wrong parameter. */
function isHarmless(text: string): boolean {
  return /^(?:[a-z_.*]{1,40}|[A-Za-z]{1,3}|[a-z]{2,6}_[0-9A-Za-z]{22})$/.test(text);
}

/** A short text without an email address, a key, an address that may hold a secret, or the digits of a number that belongs to a person. */
function isPlainText(text: string): boolean {
  return isSpeakable(text) && !/@|:\/\//.test(text) && hideKeys(text) === text;
}

export function digest(keyring: Keyring, text: string): string {
  return `digest:${keyring.shortDigest('redaction', text)}`;
}

/** The names of the parameters that differ between two redacted copies. */
export function differingParameters(first: Values, second: Values): string[] {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].filter((name) => JSON.stringify(first[name]) !== JSON.stringify(second[name])).sort();
}
