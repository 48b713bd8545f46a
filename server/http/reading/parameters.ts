import { Ajv, type ErrorObject } from 'ajv';
import { closest } from '../../base/closest.ts';
import { type ApiError, assert } from '../../base/errors.ts';
import { isSpeakable, withheld } from '../../base/param_name.ts';
import type { Mode } from '../../base/reads.ts';
import { ownParameters } from '../../operations/expand.ts';
import { checkMetadata } from '../../operations/metadata.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { epochSeconds } from '../../operations/schemas.ts';
import { apiError } from '../errors.ts';
import { isExact } from './body/number.ts';
import { wrapConfidential } from './confidential.ts';
import { isPlainObject, mapMarked, type ParameterSchema, propertyOf, type Values } from './schema.ts';

const emailPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\]+$/;

// Ajv coerces, fills in and removes nothing: the values that the caller sent are the values that are checked.
const ajv = new Ajv({
  strict: true,
  allErrors: false,
  verbose: true, // errors then carry the data and the schema that they are about
  keywords: ['personal', 'confidential', 'normalize'],
  formats: { email: emailPattern, [epochSeconds]: true },
});

/** Makes every check that needs no database, and returns the parameters for the operation. */
export function checkParameters(operation: AnyOperation, values: Values, facts: { now: number; mode: Mode }): Values {
  const schema: ParameterSchema = operation.input;
  // A query has no null: an empty filter is a mistake, and must not mean "all".
  const present = operation.method === 'GET' ? values : replaceNulls(values, schema, undefined);
  const validate = ajv.compile(schema); // compiled once: Ajv keeps it by the schema object
  if (!validate(present)) throw firstRefusal(validate.errors ?? []);
  const { metadata } = present;
  if (metadata !== undefined) checkMetadata(metadata as Values);
  const given = operation.nulls === 'clear' ? replaceNulls(values, schema, null) : present;
  const parameters = wrapConfidential(normalized(given, schema), schema);
  operation.check?.(ownParameters(parameters) as never, facts);
  return parameters;
}

/** Null is no spelling of a value: it clears the parameter. */
function normalized(values: Values, schema: ParameterSchema): Values {
  return mapMarked(values, schema, 'normalize', (value, { normalize }) =>
    value === null ? null : normalize!(value as never),
  );
}

/** An empty string means null where `mayBeEmpty` says so: a form has no other way to send null. */
function isNull(value: unknown, schema: ParameterSchema): boolean {
  return value === null || (value === '' && mayBeEmpty(schema));
}

/** Texts and objects. An empty choice is an error: taken for null, an empty `capture_method` would capture a payment immediately. */
export function mayBeEmpty({ type, enum: choices }: ParameterSchema): boolean {
  return (type === 'string' && choices === undefined) || type === 'object';
}

/** A copy in which every null parameter is `replacement`, and undefined removes it; the same object when none is null. */
function replaceNulls(values: Values, schema: ParameterSchema, replacement: null | undefined): Values {
  let changed: Values | undefined;
  for (const [name, value] of Object.entries(values)) {
    const property = propertyOf(schema, name);
    if (property === undefined) continue;
    let replaced = value;
    // Metadata has its own rules for empty values.
    if (name !== 'metadata' && property.properties !== undefined && isPlainObject(value))
      replaced = replaceNulls(value, property, replacement);
    else if (isNull(value, property)) replaced = replacement;
    if (replaced === value) continue;
    changed ??= { ...values };
    if (replaced === undefined) delete changed[name];
    else changed[name] = replaced;
  }
  return changed ?? values;
}

function firstRefusal(errors: ErrorObject[]): ApiError {
  const error = mostSpecific(errors);
  assert(error, 'a validator that refuses says why');
  const path = error.instancePath.split('/').slice(1);
  const known = Object.keys((error.parentSchema as ParameterSchema).properties ?? {});
  if (error.keyword === 'additionalProperties' || error.keyword === 'required') {
    const choice = wrongChoice(path, error.data as Values, error.parentSchema as ParameterSchema);
    if (choice !== undefined) return choice;
  }
  if (error.keyword === 'additionalProperties') return unknown(path, error.params.additionalProperty as string, known);
  if (error.keyword === 'required') {
    const missing = error.params.missingProperty as string;
    // The missing parameter was perhaps sent under a misspelt name: naming that one helps more.
    const stranger = Object.keys(error.data as Values).find((name) => !known.includes(name));
    if (stranger !== undefined) return unknown(path, stranger, known);
    return apiError('parameter_missing', { param: [...path, missing].join('.') });
  }
  return apiError('parameter_invalid', { param: path.join('.'), reason: reasonOf(error) });
}

/** Of several alternatives, the one that fits best is meant: it reads furthest into the value, and has its type. */
function mostSpecific(errors: ErrorObject[]): ErrorObject | undefined {
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split('/').length;
  const rankOf = ({ keyword }: ErrorObject) => ['type', 'anyOf'].indexOf(keyword);
  return errors.toSorted((a, b) => depthOf(b) - depthOf(a) || rankOf(a) - rankOf(b))[0];
}

/** A required choice, such as a type, decides which other parameters there are: a wrong one is the cause, and they are the consequence. */
function wrongChoice(path: readonly string[], values: Values, schema: ParameterSchema): ApiError | undefined {
  const isWrong = (name: string) => {
    const choices = propertyOf(schema, name)?.enum;
    return Object.hasOwn(values, name) && choices !== undefined && !choices.includes(values[name]);
  };
  const name = schema.required?.find(isWrong);
  if (name === undefined) return undefined;
  const reason = choiceReason(values[name], propertyOf(schema, name)?.enum ?? []);
  return apiError('parameter_invalid', { param: [...path, name].join('.'), reason });
}

function choiceReason(value: unknown, choices: readonly unknown[]): string {
  return value === '' || value === null ? 'it must not be empty' : `it must be one of ${choices.join(', ')}`;
}

function unknown(path: readonly string[], name: string, known: readonly string[]): ApiError {
  const near = closest(name, known);
  return apiError('parameter_unknown', {
    // A name that may be a card number is not repeated.
    param: isSpeakable(name) ? [...path, name].join('.') : [...path, withheld].join('.'),
    hint: near === undefined ? '' : ` Did you mean ${[...path, near].join('.')}?`,
  });
}

function reasonOf(error: ErrorObject): string {
  const { params } = error;
  switch (error.keyword) {
    case 'type':
      return typeReason(error);
    case 'minimum':
      return `it must be at least ${params.limit}`;
    case 'maximum':
      return `it must be at most ${params.limit}`;
    case 'maxLength':
      return `it must have at most ${params.limit} characters`;
    case 'minLength':
      return `it must have at least ${params.limit} characters`;
    case 'minItems':
      return `it must have at least ${counted(params.limit)}`;
    case 'maxItems':
      return `it must have at most ${counted(params.limit)}`;
    case 'enum':
      return choiceReason(error.data, params.allowedValues);
    case 'pattern':
      return `it must be a ${(error.parentSchema as { description: string }).description.toLowerCase()}`;
    case 'format':
      return `it must look like ${params.format === 'email' ? 'an email address, such as ada@example.com' : params.format}`;
    default:
      return error.message ?? 'it does not have the required form';
  }
}

function counted(elements: number): string {
  return elements === 1 ? '1 element' : `${elements} elements`;
}

type Expected = { type?: string; format?: string; minimum?: number; maximum?: number };

function typeReason({ data, instancePath, parentSchema }: ErrorObject): string {
  const { type = '', format, minimum, maximum } = parentSchema as Expected;
  // An empty value in a query was read as null.
  if (data === '' || data === null) return 'it must not be empty';
  // A form is text: digits that are still text are an integer that is not exact as a number.
  if (type === 'integer' && typeof data === 'string' && /^-?\d+$/.test(data) && !isExact(data))
    return data.startsWith('-')
      ? `it must be at least ${minimum ?? Number.MIN_SAFE_INTEGER}`
      : `it must be at most ${maximum ?? Number.MAX_SAFE_INTEGER}`;
  if (format === epochSeconds) return 'it must be an integer: the seconds since 1970 (UTC), such as 1794724203';
  const expected = `it must be ${article(type)}`;
  if (type !== 'array' && type !== 'object') return expected;
  const [first, ...inner] = instancePath.split('/').slice(1);
  const name = [first, ...inner.map((step) => `[${step}]`)].join('');
  const [mark, part] = type === 'array' ? ['[]', 'element'] : ['[…]', 'member'];
  return `${expected}; in a form, write ${name}${mark}=… for each ${part}`;
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
