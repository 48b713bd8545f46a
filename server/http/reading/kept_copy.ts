import { holdsKey, redacted } from '../../base/hidden_keys.ts';
import { isSpeakable, withheld } from '../../base/param_name.ts';
import { mayContainCardNumber } from '../../vault/index.ts';
import { numberMax } from './redact.ts';
import { hasMarker, isPlainObject, type ParameterSchema, propertyOf, type Values } from './schema.ts';

/**
 * The copy of parameters that test mode keeps: everything but what the schema marks as confidential. The values may be unchecked: what may
 * be a card number or a key in the wrong place is left out, and of parameters that do not exist only the names are there.
 */
export function keptParameters(values: Values, schema: ParameterSchema): Values {
  const kept: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) kept[name] = keptValue(value, property);
    else kept[isSpeakable(name) ? name : withheld] = redacted;
  }
  return kept;
}

function keptValue(value: unknown, property: ParameterSchema): unknown {
  const { confidential, personal = false, properties, items } = property;
  if (value === null || value === undefined) return null;
  if (confidential !== undefined) return redacted;
  if (isPlainObject(value) && describesMembers(properties)) return keptParameters(value, property);
  if (Array.isArray(value) && items !== undefined) return value.map((one) => keptValue(one, items));
  // A value of another form than its confidential members have: it may hold one of them.
  return hasMarker(property, 'confidential') ? redacted : keptFreely(value, personal ? isPersonal : isHarmless);
}

function describesMembers(properties: ParameterSchema['properties'] = {}): boolean {
  return Object.keys(properties).length > 0;
}

const confidentialName = /cvc|cvv|security.?code|secret|passw|token|api.?key/i;

/** Of what no schema describes, such as metadata. */
function keptFreely(value: unknown, mayKeep: (value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => keptFreely(one, mayKeep));
  if (!isPlainObject(value)) return mayKeep(value) ? value : redacted;
  const entries = Object.entries(value).map(([name, one]) => [
    isSpeakable(name) ? name : withheld,
    confidentialName.test(name) ? redacted : keptFreely(one, mayKeep),
  ]);
  return Object.fromEntries(entries);
}

/** Digits with anything but letters between them, as many as the shortest card number has. */
const manyDigits = /\d(?:[^A-Za-z\d]*\d){11}/;

function isHarmless(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= numberMax;
  return typeof value !== 'string' || !(manyDigits.test(value) || holdsKey(value));
}

/** A phone number has as many digits as a card number. */
function isPersonal(value: unknown): boolean {
  return isHarmless(value) || (typeof value === 'string' && !holdsKey(value) && !mayContainCardNumber(value));
}

/** The copy of an answer: its body, less the members that are shown once. */
export function keptAnswer(body: string, output: object): string {
  return hasMarker(output, 'confidential') ? JSON.stringify(withoutMarked(JSON.parse(body), output)) : body;
}

function withoutMarked(value: unknown, schema: ParameterSchema): unknown {
  if (isMarked(schema)) return redacted;
  if (Array.isArray(value)) return value.map((one) => withoutMarked(one, schema.items ?? {}));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    withoutMarked(one, propertyOf(schema, name) ?? {}),
  ]);
  return Object.fromEntries(entries);
}

/** Of a value with several forms it is not known which one it has: it is marked as soon as one of them has a member that is. */
function isMarked({ confidential, anyOf = [] }: ParameterSchema): boolean {
  return confidential !== undefined || anyOf.some((form) => hasMarker(form, 'confidential'));
}

/** Whether an answer shows a member that is marked as confidential. */
export function showsConfidential(value: unknown, schema: ParameterSchema): boolean {
  if (!hasMarker(schema, 'confidential') || value === undefined || value === null) return false;
  if (isMarked(schema)) return true;
  if (Array.isArray(value)) return value.some((one) => showsConfidential(one, schema.items ?? {}));
  return (
    isPlainObject(value) &&
    Object.entries(value).some(([name, one]) => showsConfidential(one, propertyOf(schema, name) ?? {}))
  );
}
