import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { closest } from '../../base/closest.ts';
import { assert, type Refusal } from '../../base/errors.ts';
import { isSpeakable, withheld } from '../../base/param_name.ts';
import type { Mode } from '../../base/reads.ts';
import { checkMetadata } from '../../resources/metadata.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { epochSeconds } from '../../resources/shapes.ts';
import { refusal } from '../errors.ts';
import { wrapConfidential } from './confidential.ts';

export type Values = Record<string, unknown>;
export type ObjectSchema = {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
  type?: string;
  enum?: unknown[];
};

const emailPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\]+$/;

// Nothing is coerced, filled in or removed: what the caller sent is what is checked.
const ajv = new Ajv({
  strict: true,
  allErrors: false,
  verbose: true, // errors then know the schema that they come from
  keywords: ['personal', 'confidential'],
  formats: { email: emailPattern, [epochSeconds]: true },
});

const validators = new Map<string, ValidateFunction>();

function validatorOf(operation: AnyOperation): ValidateFunction {
  let validator = validators.get(operation.name);
  if (validator === undefined) {
    validator = ajv.compile(operation.input);
    validators.set(operation.name, validator);
  }
  return validator;
}

/** Checks parameters as far as that goes without a database; returns what the operation gets. */
export function checkParameters(operation: AnyOperation, values: Values, facts: { now: number; mode: Mode }): Values {
  const schema = operation.input as ObjectSchema;
  // A query has no null: an empty filter is a mistake, and must not mean "all".
  const present = operation.method === 'GET' ? values : withoutNulls(values, schema);
  const validate = validatorOf(operation);
  if (!validate(present)) throw firstRefusal(validate.errors, schema, present);
  const { metadata } = present;
  if (metadata !== undefined) checkMetadata(metadata as Values);
  const given = wrapConfidential(operation.nulls === 'clear' ? withNulls(values, schema) : present, operation.input);
  operation.check?.(given as never, facts);
  return given;
}

/** An empty string stands for null wherever a text or an object is optional: a form cannot say null in another way. */
function isNull(value: unknown, schema: ObjectSchema): boolean {
  return value === null || (value === '' && mayBeEmpty(schema));
}

/** A choice is none of its values when it is empty: without its `manual`, a payment would be captured at once. */
export function mayBeEmpty({ type, enum: choices }: ObjectSchema): boolean {
  return (type === 'string' && choices === undefined) || type === 'object';
}

/** A copy without the parameters that are null; the same object when there is none. Metadata has rules of its own. */
function withoutNulls(values: Values, schema: ObjectSchema): Values {
  return mapKnown(values, schema, (value, property) => (isNull(value, property) ? undefined : value), withoutNulls);
}

function withNulls(values: Values, schema: ObjectSchema): Values {
  return mapKnown(values, schema, (value, property) => (isNull(value, property) ? null : value), withNulls);
}

function mapKnown(
  values: Values,
  schema: ObjectSchema,
  map: (value: unknown, property: ObjectSchema) => unknown,
  descend: (values: Values, schema: ObjectSchema) => Values,
): Values {
  let changed: Values | undefined;
  for (const [name, value] of Object.entries(values)) {
    const property =
      schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) continue;
    const mapped =
      name !== 'metadata' && property.properties !== undefined && isPlainObject(value)
        ? descend(value, property)
        : map(value, property);
    if (mapped === value) continue;
    changed ??= { ...values };
    if (mapped === undefined) delete changed[name];
    else changed[name] = mapped;
  }
  return changed ?? values;
}

export function isPlainObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstRefusal(errors: ValidateFunction['errors'], schema: ObjectSchema, values: Values): Refusal {
  const [error] = errors ?? [];
  assert(error, 'a validator that refuses says why');
  const path = error.instancePath.split('/').slice(1);
  const known = Object.keys(at(schema, path, (part, name) => part.properties?.[name])?.properties ?? {});
  if (error.keyword === 'additionalProperties') return unknown(path, error.params.additionalProperty as string, known);
  if (error.keyword === 'required') {
    const missing = error.params.missingProperty as string;
    // What is missing was perhaps sent under a misspelt name: that it is unknown says more than that it is missing.
    const sent = Object.keys(at(values, path, (part, name) => part[name] as Values | undefined) ?? {});
    const stranger = sent.find((name) => !known.includes(name));
    if (stranger !== undefined) return unknown(path, stranger, known);
    return refusal('parameter_missing', { param: [...path, missing].join('.') });
  }
  return refusal('parameter_invalid', { param: path.join('.'), reason: reasonOf(error) });
}

function unknown(path: readonly string[], name: string, known: readonly string[]): Refusal {
  const near = closest(name, known);
  return refusal('parameter_unknown', {
    // A name that may be a card number in the wrong place is not repeated.
    param: isSpeakable(name) ? [...path, name].join('.') : [...path, withheld].join('.'),
    hint: near === undefined ? '' : ` Did you mean ${[...path, near].join('.')}?`,
  });
}

/** What a path leads to, step by step. */
function at<T>(whole: T, path: readonly string[], step: (part: T, name: string) => T | undefined): T | undefined {
  let part: T | undefined = whole;
  for (const name of path) part = part === undefined ? undefined : step(part, name);
  return part;
}

function reasonOf(error: ErrorObject): string {
  const { params } = error;
  switch (error.keyword) {
    case 'type':
      // An empty value of a query was read as null.
      if (error.data === '' || error.data === null) return 'it must not be empty';
      if ((error.parentSchema as { format?: string }).format === epochSeconds)
        return 'it must be an integer: the seconds since 1970 (UTC), such as 1794724203';
      return `it must be ${article(params.type as string)}`;
    case 'minimum':
    case 'exclusiveMinimum':
      return `it must be at least ${params.limit}`;
    case 'maximum':
    case 'exclusiveMaximum':
      return `it must be at most ${params.limit}`;
    case 'maxLength':
      return `it must have at most ${params.limit} characters`;
    case 'minLength':
      return `it must have at least ${params.limit} characters`;
    case 'enum':
      if (error.data === '') return 'it must not be empty';
      return `it must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'pattern':
      return `it must be a ${(error.parentSchema as { description: string }).description.toLowerCase()}`;
    case 'format':
      return `it must look like ${params.format === 'email' ? 'an email address, such as ada@example.com' : params.format}`;
    default:
      return error.message ?? 'it does not have the form that this parameter has';
  }
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
