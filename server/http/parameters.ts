import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { refusal } from '../base/errors.ts';
import { checkMetadata } from '../base/metadata.ts';
import { paramOf, withheld } from '../base/param_name.ts';
import type { AnyOperation } from '../resources/operation.ts';
import { closest } from './closest.ts';

type Values = Record<string, unknown>;
type ObjectSchema = { properties?: Record<string, ObjectSchema>; type?: string };

const emailPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+\.[^\s@<>()[\],;:"\\]+$/;

// Nothing is coerced, filled in or removed: what the caller sent is what is checked.
const ajv = new Ajv({ strict: true, allErrors: false, keywords: ['personal'], formats: { email: emailPattern } });

const validators = new Map<string, ValidateFunction>();

function validatorOf(operation: AnyOperation): ValidateFunction {
  let validator = validators.get(operation.name);
  if (validator === undefined) {
    validator = ajv.compile(operation.input);
    validators.set(operation.name, validator);
  }
  return validator;
}

/** Checks parameters against the operation's schema, as far as that goes without a database; returns what the operation gets. */
export function checkParameters(operation: AnyOperation, values: Values): Values {
  const schema = operation.input as ObjectSchema;
  const present = withoutNulls(values, schema);
  const validate = validatorOf(operation);
  if (!validate(present)) throw refusalOf(validate.errors![0]!, schema);
  const { metadata } = present;
  if (metadata !== undefined) checkMetadata(metadata as Values);
  return operation.nulls === 'clear' ? withNulls(values, schema) : present;
}

/** An empty string stands for null wherever a text or an object is optional: a form cannot say null in another way. */
function isNull(value: unknown, schema: ObjectSchema): boolean {
  return value === null || (value === '' && (schema.type === 'string' || schema.type === 'object'));
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

function isPlainObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusalOf(error: ErrorObject, schema: ObjectSchema) {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (error.keyword === 'required')
    return refusal('parameter_missing', { param: below(error.params.missingProperty as string) });
  if (error.keyword === 'additionalProperties') {
    const name = error.params.additionalProperty as string;
    const known = Object.keys(schemaAt(schema, error.instancePath)?.properties ?? {});
    const near = closest(name, known);
    return refusal('parameter_unknown', {
      // A name that may be a card number in the wrong place is not repeated.
      param: paramOf([...path.split('.').filter(Boolean), name]) ?? withheld,
      hint: near === undefined ? '' : ` Did you mean ${below(near)}?`,
    });
  }
  return refusal('parameter_invalid', { param: path, reason: reasonOf(error) });
}

function schemaAt(schema: ObjectSchema, path: string): ObjectSchema | undefined {
  let at: ObjectSchema | undefined = schema;
  for (const part of path.split('/').slice(1)) at = at?.properties?.[part];
  return at;
}

function reasonOf(error: ErrorObject): string {
  const { params } = error;
  switch (error.keyword) {
    case 'type':
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
      return `it must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'format':
      return `it must look like ${params.format === 'email' ? 'an email address, such as ada@example.com' : params.format}`;
    default:
      return error.message ?? 'it does not have the form that this parameter has';
  }
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
