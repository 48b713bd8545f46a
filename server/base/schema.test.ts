import { Type as Typebox } from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './schema.ts';

const cases: Record<string, (make: typeof Type) => object> = {
  'a text': (make) => make.String({ maxLength: 5, personal: true }),
  'an integer': (make) => make.Integer({ minimum: 0 }),
  'a number': (make) => make.Number(),
  'a boolean': (make) => make.Boolean({ description: 'yes or no' }),
  'a literal text': (make) => make.Literal('list'),
  'a literal boolean': (make) => make.Literal(true),
  'an array': (make) => make.Array(make.String(), { maxItems: 2 }),
  'a union': (make) => make.Union([make.String(), make.Boolean()]),
  'a record': (make) => make.Record(make.String(), make.Integer(), { maxProperties: 3 }),
  'an object': (make) => make.Object({ a: make.String(), b: make.Optional(make.Integer()) }, { title: 'A' }),
  'an object without required members': (make) => make.Object({ a: make.Optional(make.String()) }),
  'an optional schema that is used twice': (make) => {
    const name = make.String();
    return make.Object({ a: name, b: make.Optional(name), c: name });
  },
  'a schema with another type': (make) => make.Unsafe<'a'>(make.String({ enum: ['a'] })),
};

test.each(Object.entries(cases))('%s has the JSON that typebox gives it', (_, schema) => {
  expect(JSON.stringify(schema(Type))).toBe(JSON.stringify(schema(Typebox)));
});
