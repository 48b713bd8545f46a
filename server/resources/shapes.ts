import type { Static, TProperties, TSchema } from 'typebox';
import { currencyOf } from '../base/currency.ts';
import { createdSeconds } from '../base/id.ts';
import { Type } from '../base/schema.ts';
import type { Secret } from '../base/secret.ts';
import { type MetadataPatch, removalsAsNull } from './metadata.ts';

/** An object without further members: a misspelt parameter is refused, never ignored. */
export function Parameters<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** An object as the API shows it. `title` names it in the OpenAPI document. */
export function Shown<Properties extends TProperties>(title: string, object: string, properties: Properties) {
  return Type.Object({ id: Type.String(), object: Type.Literal(object), ...properties }, { title });
}

/** Text about a person. The request log keeps a keyed digest of it in place of the text. */
export function Personal(options: { maxLength: number; description: string; format?: string }) {
  return Type.String({ ...options, personal: true });
}

/**
 * Text that only the vault may see: an operation gets it as a `Secret`. `compared` says whether it is part of the fingerprint of a
 * request that an idempotency key is compared by. A security code is not: not even a keyed hash of it may be kept.
 */
export function Confidential(options: {
  maxLength: number;
  description: string;
  compared: boolean;
  normalize?: (text: string) => string;
}) {
  const { compared, ...rest } = options;
  return Type.Unsafe<Secret>(Type.String({ ...rest, confidential: compared ? 'compared' : 'ignored' }));
}

/** An object whose members only the vault may see, such as credentials: an operation gets the whole as a `Secret`. */
export function ConfidentialObject(description: string) {
  const schema = Type.Object({}, { additionalProperties: true, confidential: 'compared', description });
  return Type.Unsafe<Secret<Record<string, unknown>>>(schema);
}

/** In either case; an operation gets lower case. Whether the currency exists is for the operation to check. */
export const CurrencyParameter = Type.String({
  description: 'Three-letter ISO currency code, in either case',
  normalize: (text: string) => currencyOf(text) ?? text,
});

/** Checked by `metadata.ts`, whose refusals are more precise than those of a schema. */
export const MetadataParameter = Type.Unsafe<MetadataPatch>(
  Type.Object(
    {},
    {
      personal: true,
      normalize: removalsAsNull,
      description:
        'Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty string removes a key.',
      additionalProperties: true,
    },
  ),
);

export const MetadataShape = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  title: 'Metadata',
});

export const Timestamp = Type.Integer({ description: 'UTC epoch seconds' });
export const timestampOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

/** When an object was created: by its test clock, or else at the time in its id. */
export function createdOf({ id, created_at }: { id: string; created_at: Date | null }): number {
  return created_at === null ? createdSeconds(id) : timestampOf(created_at);
}

export function ListOf(item: TSchema) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      object: Type.Literal('list'),
      url: Type.String(),
      has_more: Type.Boolean(),
      data: Type.Array(item),
    },
    title === undefined ? {} : { title: `${title}List` },
  );
}

/** The format of a moment as a parameter. A caller who sends a date instead is told that epoch seconds are wanted. */
export const epochSeconds = 'epoch-seconds';

const secondsMax = 99_999_999_999; // the year 5138: ids up to then sort by time
const moment = Type.Optional(Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax }));

export const listParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'How many to return; 10 when not given.' }),
  ),
  starting_after: Type.Optional(Type.String({ description: 'An id: the page begins with the next older object.' })),
  ending_before: Type.Optional(Type.String({ description: 'An id: the page ends with the next newer object.' })),
  created: Type.Optional(Parameters({ gt: moment, gte: moment, lt: moment, lte: moment })),
};

const ListInput = Parameters(listParameters);
export type ListInput = Static<typeof ListInput>;

/** The id of another object. */
export const IdParameter = (description: string) => Type.String({ maxLength: 64, description });
export const OptionalId = (description: string) => Type.Optional(IdParameter(description));

export const OptionalChoice = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Optional(Type.Unsafe<Value>(Type.String({ enum: [...values], description })));
