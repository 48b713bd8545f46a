import type { Type as Typebox } from 'typebox';

/**
 * Makes JSON Schemas that know the TypeScript type of what they describe. The types are typebox's. Its code is not loaded: reading
 * its 373 modules took a third of the time in which a command starts, and of what they do only this is needed.
 */
type Schema = Record<string, unknown>;

const isOptional = Symbol('optional');

const typed =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

const makers = {
  String: typed('string'),
  Integer: typed('integer'),
  Number: typed('number'),
  Boolean: typed('boolean'),
  Literal: (value: unknown, options: Schema = {}): Schema => ({ type: typeof value, const: value, ...options }),
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: 'array', items, ...options }),
  Union: (anyOf: Schema[]): Schema => ({ anyOf }),
  Record: (_key: Schema, value: Schema, options: Schema = {}): Schema => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object(properties: Record<string, Schema>, options: Schema = {}): Schema {
    const required = Object.keys(properties).filter((name) => !(isOptional in properties[name]!));
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
  },
  // Not enumerable, so that it is no part of the JSON.
  Optional: (schema: Schema): Schema => Object.defineProperty({ ...schema }, isOptional, {}),
  Unsafe: (schema: Schema): Schema => schema,
};

export const Type = makers as unknown as Pick<typeof Typebox, keyof typeof makers>;
