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

/** An object among the parameters, without further members either. */
export function ParameterObject<Properties extends TProperties>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** An object as the API shows it. `title` names it in the OpenAPI document. */
export function Shown<Properties extends TProperties>(
  title: string,
  object: string,
  description: string,
  properties: Properties,
) {
  return Type.Object(
    {
      id: Text('An opaque text that begins with a prefix for the kind of object.'),
      object: ObjectKind(object),
      ...properties,
    },
    { title, description },
  );
}

/** What a deletion answers with, and its event has. */
export const ShownDeleted = (title: string, object: string) =>
  Shown(title, object, 'What is left of a deleted object.', {
    deleted: Type.Literal(true, { description: 'The object is gone.' }),
  });

/** The member by which a caller tells kinds of objects apart. */
export const ObjectKind = (object: string) => Type.Literal(object, { description: 'The kind of object.' });

/** Members of objects that are shown. Each says what it means. */
export const Text = (description: string) => Type.String({ description });
export const Whole = (description: string) => Type.Integer({ description });
export const Flag = (description: string) => Type.Boolean({ description });
export const OneOf = (values: readonly string[], description: string) =>
  Type.String({ enum: [...values], description });
export const Moment = (description: string) => Type.Integer({ description: `${description} In UTC epoch seconds.` });
export const Created = Moment('When it was created.');
export const Currency = Text('A three-letter ISO currency code in lower case.');
export const MaybeText = (description: string) => Type.Optional(Text(description));
export const MaybeWhole = (description: string) => Type.Optional(Whole(description));
export const MaybeFlag = (description: string) => Type.Optional(Flag(description));
export const MaybeMoment = (description: string) => Type.Optional(Moment(description));

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

/** Text that an answer shows once, such as a new key. Nothing keeps it in clear: a saved answer is sealed, and the request log leaves it out. */
export const ShownOnce = (description: string) => Type.String({ description, confidential: 'shown' });

/** An object whose members only the vault may see, such as credentials: an operation gets the whole as a `Secret`. */
export function ConfidentialObject(description: string) {
  const schema = Type.Object({}, { additionalProperties: true, confidential: 'compared', description });
  return Type.Unsafe<Secret<Record<string, unknown>>>(schema);
}

/** Of an array that is a set: the order in which it is given has no meaning, so equal sets are stored, and compared, alike. */
export const inAnyOrder = { normalize: (names: string[]) => [...names].sort() };

/** In either case; an operation gets lower case. Whether the currency exists is for the operation to check. */
const inLowerCase = { normalize: (text: string) => currencyOf(text) ?? text };
export const CurrencyParameter = Type.String({
  description: 'A three-letter ISO 4217 currency code that is in use, in either case.',
  ...inLowerCase,
});

export const OptionalCurrency = Type.Optional(
  Type.String({
    description: 'Only those in this currency: its three-letter ISO 4217 code, in either case.',
    ...inLowerCase,
  }),
);

/** Checked by `metadata.ts`, whose refusals are more precise than those of a schema. */
export const MetadataParameter = Type.Unsafe<MetadataPatch>(
  Type.Object(
    {},
    {
      personal: true,
      normalize: removalsAsNull,
      description:
        'Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An update is merged key by key: null or an empty string removes a key.',
      additionalProperties: true,
    },
  ),
);

export const MetadataShape = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  title: 'Metadata',
  description: 'Keys and values of your own.',
});

export const timestampOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

/** When an object was created: by its test clock, or else at the time in its id. */
export function createdOf({ id, created_at }: { id: string; created_at: Date | null }): number {
  return created_at === null ? createdSeconds(id) : timestampOf(created_at);
}

export function ListOf(item: TSchema) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      object: ObjectKind('list'),
      url: Text('The path of the list.'),
      has_more: Flag(
        'Whether the list goes on after this page: with older objects, or with newer ones if the request has `ending_before`.',
      ),
      data: Type.Array(item, { description: 'The objects of this page.' }),
    },
    title === undefined ? {} : { title: `${title}List`, description: 'A page of a list.' },
  );
}

/** The format of a moment as a parameter. The error for a date says that epoch seconds are wanted. */
export const epochSeconds = 'epoch-seconds';

export const secondsMax = 99_999_999_999; // the year 5138: ids up to then sort by time
const moment = (description: string) =>
  Type.Optional(Type.Integer({ format: epochSeconds, minimum: 0, maximum: secondsMax, description }));

export const listParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'How many objects to return; 10 when not given.' }),
  ),
  starting_after: Type.Optional(
    Type.String({
      description: 'An id: the page begins with the next older object. Excludes `ending_before`.',
    }),
  ),
  ending_before: Type.Optional(
    Type.String({ description: 'An id: the page ends with the next newer object. Excludes `starting_after`.' }),
  ),
  created: Type.Optional(
    Type.Object(
      {
        gt: moment('After this time, in UTC epoch seconds.'),
        gte: moment('At this time or after it, in UTC epoch seconds.'),
        lt: moment('Before this time, in UTC epoch seconds.'),
        lte: moment('At this time or before it, in UTC epoch seconds.'),
      },
      {
        additionalProperties: false,
        description: 'Only objects that were created within these bounds, in real time: test clocks do not count.',
      },
    ),
  ),
};

const ListInput = Parameters(listParameters);
export type ListInput = Static<typeof ListInput>;

/** The id of another object. */
export const IdParameter = (description: string) => Type.String({ maxLength: 64, description });
export const OptionalId = (description: string) => Type.Optional(IdParameter(description));

/** One of the values, or several. */
export function OptionalChoices<Value extends string>(values: readonly Value[], description: string) {
  return OptionalList(Type.Unsafe<Value>(Type.String({ enum: [...values] })), values.length, description);
}

/** The id of another object, or of several. */
export const OptionalIds = (idsMax: number, description: string) =>
  OptionalList(Type.String({ maxLength: 64 }), idsMax, description);

/** The media type in which lists are exported. */
export const csvMedia = 'text/csv';

export const pdfMedia = 'application/pdf';

/** An answer that is a file. */
export const FileOutput = (description: string) => Type.Unsafe<string>(Type.String({ format: 'binary', description }));

/** By which a caller of an export names its columns. */
export const ColumnsParameter = OptionalList(
  Type.String({ maxLength: 100 }),
  60,
  'Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`; the key needs the scope to read those. At most 60.',
);

/** By which a client gets objects that it knows the ids of, such as the results of a search, in one page. */
export const IdsFilter = OptionalIds(100, 'Only the one with this id, or those with these: at most 100.');

/** A filter that takes one value, `status=failed`, or a list: `status[]=failed&status[]=canceled`. */
function OptionalList<Item extends TSchema>(item: Item, itemsMax: number, description: string) {
  const list = Type.Array(item, { minItems: 1, maxItems: itemsMax });
  const either = { anyOf: [item, list], description } as unknown as TSchema;
  return Type.Optional(Type.Unsafe<Static<Item> | Static<Item>[]>(either));
}

export const OptionalChoice = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Optional(Type.Unsafe<Value>(Type.String({ enum: [...values], description })));
