import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../base/any_character.fixture.ts';
import { ApiError } from '../../../base/errors.ts';
import { shareOf } from '../../../test/torture.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';

const Metadata = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
const schema = Type.Object(
  {
    amount: Type.Integer({ minimum: 1 }),
    currency: Type.Optional(Type.String()),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
    rate: Type.Optional(Type.Number()),
    live: Type.Optional(Type.Boolean()),
    trial_end: Type.Optional(Type.Union([Type.Literal('now'), Type.Integer()])),
    capture_method: Type.Optional(Type.Union([Type.Literal('automatic'), Type.Literal('manual')])),
    level: Type.Optional(Type.Enum([1, 2, 3])),
    unset: Type.Optional(Type.Enum(['', 'all'])),
    card: Type.Optional(
      Type.Object({ number: Type.String(), exp_month: Type.Integer(), cvc: Type.Optional(Type.String()) }),
    ),
    metadata: Type.Optional(Type.Union([Metadata, Type.Null()])),
    enabled_events: Type.Optional(Type.Array(Type.String())),
    days: Type.Optional(Type.Array(Type.Integer())),
    items: Type.Optional(
      Type.Array(
        Type.Object({
          price: Type.String(),
          quantity: Type.Optional(Type.Integer()),
          metadata: Type.Optional(Metadata),
        }),
      ),
    ),
    created: Type.Optional(
      Type.Union([Type.Integer(), Type.Object({ gte: Type.Integer(), lt: Type.Optional(Type.Integer()) })]),
    ),
    both: Type.Optional(Type.Intersect([Type.Object({ x: Type.Integer() }), Type.Object({ y: Type.Boolean() })])),
    nullable: Type.Optional(Type.Unsafe({ type: ['integer', 'null'] })),
    toString: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);

const read = (text: string) => readForm(text, schema);

describe('a form is read as the JSON it stands for', () => {
  const accepted: [string, string, unknown][] = [
    ['nothing', '', {}],
    ['an integer', 'amount=2000', { amount: 2000 }],
    ['a negative integer', 'amount=-5', { amount: -5 }],
    ['leading zeros, as in a month', 'card[exp_month]=05', { card: { exp_month: 5 } }],
    ['minus zero as zero', 'amount=-0&rate=-0.0', { amount: 0, rate: 0 }],
    ['the largest safe integer', 'amount=9007199254740991', { amount: 9007199254740991 }],
    ['a number', 'rate=1.50', { rate: 1.5 }],
    ['an integer where a number is asked for', 'rate=7', { rate: 7 }],
    ['true', 'live=true', { live: true }],
    ['false', 'live=false', { live: false }],
    ['digits where a string is asked for', 'currency=123', { currency: '123' }],
    ['true where a string is asked for', 'currency=true', { currency: 'true' }],
    ['a named value beside an integer', 'trial_end=now', { trial_end: 'now' }],
    ['an integer beside a named value', 'trial_end=1700000000', { trial_end: 1700000000 }],
    ['one of several names', 'capture_method=manual', { capture_method: 'manual' }],
    ['one of several numbers', 'level=2', { level: 2 }],
    ['a type given as a list', 'nullable=3', { nullable: 3 }],
    ['both parts of an intersection', 'both[x]=1&both[y]=true', { both: { x: 1, y: true } }],
    ['a plus as a space', 'description=a+b', { description: 'a b' }],
    ['an encoded plus as a plus', 'description=a%2Bb', { description: 'a+b' }],
    ['percent-encoded UTF-8', 'description=%F0%9F%98%80%c3%a9', { description: '😀é' }],
    ['plain UTF-8', 'description=😀é', { description: '😀é' }],
    ['an equals sign in a value', 'description=a=b', { description: 'a=b' }],
    ['an encoded ampersand', 'description=a%26b', { description: 'a&b' }],
    ['a line break', 'description=a%0D%0Ab', { description: 'a\r\nb' }],
    ['ampersands that hold nothing', '&amount=1&&live=true&', { amount: 1, live: true }],
    ['members of an object', 'card[number]=4242&card[exp_month]=12', { card: { number: '4242', exp_month: 12 } }],
    ['encoded brackets', 'card%5Bnumber%5D=4242&card%5bexp_month%5d=12', { card: { number: '4242', exp_month: 12 } }],
    [
      'metadata, whose values stay strings',
      'metadata[order]=7&metadata[gift]=true',
      { metadata: { order: '7', gift: 'true' } },
    ],
    ['numbered keys of metadata', 'metadata[0]=a&metadata[7]=b', { metadata: { '0': 'a', '7': 'b' } }],
    [
      'names that every object has',
      'metadata[hasOwnProperty]=1&metadata[constructor]=2',
      { metadata: JSON.parse('{"hasOwnProperty":"1","constructor":"2"}') },
    ],
    ['spaces and dots in a metadata key', 'metadata[a+b.c]=1', { metadata: { 'a b.c': '1' } }],
    ['a list', 'enabled_events[]=a&enabled_events[]=b', { enabled_events: ['a', 'b'] }],
    ['a list of one', 'enabled_events[]=a', { enabled_events: ['a'] }],
    ['a list with the same value twice', 'enabled_events[]=a&enabled_events[]=a', { enabled_events: ['a', 'a'] }],
    ['a list of integers', 'days[]=1&days[]=02', { days: [1, 2] }],
    ['a numbered list', 'enabled_events[0]=a&enabled_events[1]=b', { enabled_events: ['a', 'b'] }],
    [
      'a list of objects',
      'items[0][price]=p&items[0][quantity]=2&items[1][price]=q',
      { items: [{ price: 'p', quantity: 2 }, { price: 'q' }] },
    ],
    [
      'numbers in any order',
      'items[1][price]=b&items[0][price]=a&items[2][price]=c',
      { items: [{ price: 'a' }, { price: 'b' }, { price: 'c' }] },
    ],
    ['metadata inside a list', 'items[0][metadata][k]=5', { items: [{ metadata: { k: '5' } }] }],
    [
      'a query with a range',
      'created[gte]=1700000000&created[lt]=1800000000',
      { created: { gte: 1700000000, lt: 1800000000 } },
    ],
    ['a query with a value in place of the range', 'created=1700000000', { created: 1700000000 }],
    ['a property named toString', 'toString=5', JSON.parse('{"toString":5}')],
  ];
  test.each(accepted)('%s', (_name, text, value) => {
    expect(read(text)).toStrictEqual(value);
  });
});

describe('an empty value', () => {
  const empty: [string, string, unknown][] = [
    ['clears a string', 'description=', { description: null }],
    ['clears without an equals sign', 'description', { description: null }],
    ['clears an integer', 'amount=', { amount: null }],
    ['clears an object', 'card=', { card: null }],
    ['clears a list', 'enabled_events=', { enabled_events: null }],
    ['clears a member', 'card[cvc]=', { card: { cvc: null } }],
    ['clears metadata as a whole', 'metadata=', { metadata: null }],
    ['stays in metadata, where it removes a key', 'metadata[order]=', { metadata: { order: '' } }],
    ['stays in metadata far inside', 'items[0][metadata][k]=', { items: [{ metadata: { k: '' } }] }],
    ['stays in a list', 'enabled_events[]=', { enabled_events: [''] }],
    ['stays where the schema names it', 'unset=', { unset: '' }],
    ['stays for an unknown parameter', 'amuont=', { amuont: '' }],
  ];
  test.each(empty)('%s', (_name, text, value) => {
    expect(read(text)).toStrictEqual(value);
  });

  test('stays in metadata, whatever its schema looks like', () => {
    for (const metadata of [{ type: 'object' }, { type: 'object', additionalProperties: { type: 'string' } }, {}]) {
      expect(readForm('metadata[a]=', { type: 'object', properties: { metadata } })).toEqual({ metadata: { a: '' } });
    }
  });
});

describe('text that does not fit the schema stays text for the validator', () => {
  const kept: [string, string, unknown][] = [
    ['an exponent', 'amount=2e3', { amount: '2e3' }],
    ['an exponent for a number', 'rate=2e3', { rate: '2e3' }],
    ['a space before', 'amount=+5', { amount: ' 5' }],
    ['a space after', 'amount=5%20', { amount: '5 ' }],
    ['a plus sign', 'amount=%2B5', { amount: '+5' }],
    ['hexadecimal', 'amount=0x10', { amount: '0x10' }],
    ['a fraction for an integer', 'amount=5.0', { amount: '5.0' }],
    ['a point without digits', 'rate=5.', { rate: '5.' }],
    ['a thousands separator', 'amount=2,000', { amount: '2,000' }],
    ['digits of another script', 'amount=%D9%A5', { amount: '٥' }],
    ['a line break after the digits', 'amount=5%0A', { amount: '5\n' }],
    ['a minus only', 'amount=-', { amount: '-' }],
    ['2^53+1', 'amount=9007199254740993', { amount: '9007199254740993' }],
    ['400 digits', `amount=${'9'.repeat(400)}`, { amount: '9'.repeat(400) }],
    ['NaN and Infinity', 'amount=NaN&rate=Infinity', { amount: 'NaN', rate: 'Infinity' }],
    ['True', 'live=True', { live: 'True' }],
    ['1 for a boolean', 'live=1', { live: '1' }],
    ['true for an integer', 'amount=true', { amount: 'true' }],
    ['null', 'amount=null', { amount: 'null' }],
    ['a name that is not one of several', 'capture_method=later', { capture_method: 'later' }],
    ['a value for an object', 'card=x', { card: 'x' }],
    ['a value for a list', 'enabled_events=a', { enabled_events: 'a' }],
    ['members of a value', 'amount[x]=1', { amount: { x: '1' } }],
    ['a list for an object', 'metadata[]=x', { metadata: ['x'] }],
    ['a list for a value', 'amount[]=1', { amount: ['1'] }],
    ['an object in metadata', 'metadata[a][b]=1', { metadata: { a: { b: '1' } } }],
    ['an unknown parameter', 'amuont=2000', { amuont: '2000' }],
    ['an unknown member', 'card[nubmer]=1', { card: { nubmer: '1' } }],
    ['an unknown object', 'foo[bar][baz]=true', { foo: { bar: { baz: 'true' } } }],
    ['an unknown list', 'foo[0]=1&foo[1]=2', { foo: ['1', '2'] }],
    ['a name with a dot', 'card.number=1', { 'card.number': '1' }],
    ['a name with a space', '+amount=1', { ' amount': '1' }],
  ];
  test.each(kept)('%s', (_name, text, value) => {
    expect(read(text)).toStrictEqual(value);
  });
});

describe('a form is refused when reading it would change or lose something', () => {
  const deep = (levels: number) => `a${'[b]'.repeat(levels - 1)}=1`;
  const many = (pairs: number) => Array.from({ length: pairs }, (_, index) => `k${index}=1`).join('&');
  const refused: [string, string, 'body_invalid' | 'parameter_invalid', string | undefined, RegExp][] = [
    ['a percent sign alone', 'description=100%', 'parameter_invalid', 'description', /percent-encoded.*%25/],
    ['a percent sign with one digit', 'card[number]=%4', 'parameter_invalid', 'card.number', /percent-encoded/],
    [
      'a percent sign with other letters',
      'items[0][price]=%zz',
      'parameter_invalid',
      'items.0.price',
      /percent-encoded/,
    ],
    ['the %u escape', 'description=%u00e9', 'parameter_invalid', 'description', /percent-encoded/],
    ['bytes that are not UTF-8', 'description=%E9', 'parameter_invalid', 'description', /UTF-8/],
    ['an overlong form', 'description=%C0%AF', 'parameter_invalid', 'description', /UTF-8/],
    ['a surrogate', 'description=%ED%A0%80', 'parameter_invalid', 'description', /UTF-8/],
    ['a lone surrogate in the text', 'description=\ud83d', 'parameter_invalid', 'description', /UTF-8/],
    ['a bad name', 'amount=1&%E9=1', 'parameter_invalid', undefined, /name of form parameter 2/],
    ['an encoded NUL', 'metadata[k]=a%00', 'parameter_invalid', 'metadata.k', /NUL/],
    ['a raw NUL', 'description=\u0000', 'parameter_invalid', 'description', /NUL/],
    ['a NUL in a name', 'a%00=1', 'parameter_invalid', undefined, /name of form parameter 1 holds a NUL/],
    ['a bad value in a list', 'enabled_events[]=%', 'parameter_invalid', 'enabled_events', /percent-encoded/],
    ['a value without a name', '=5', 'parameter_invalid', undefined, /empty/],
    ['brackets without a name', '[a]=5', 'parameter_invalid', undefined, /brackets/],
    ['a bracket that does not close', 'card[number=5', 'parameter_invalid', 'card', /brackets/],
    ['a bracket that does not open', 'card]=5', 'parameter_invalid', 'card', /brackets/],
    ['text after a bracket', 'card[number]x=5', 'parameter_invalid', 'card', /brackets/],
    ['brackets in brackets', 'metadata[a[b]]=5', 'parameter_invalid', 'metadata', /brackets/],
    ['a value twice', 'amount=1&amount=2', 'parameter_invalid', 'amount', /more than once/],
    ['a value twice, once encoded', 'amount=1&%61mount=1', 'parameter_invalid', 'amount', /more than once/],
    ['a member twice', 'card[number]=1&card[number]=1', 'parameter_invalid', 'card.number', /more than once/],
    ['an element twice', 'days[0]=1&days[0]=2', 'parameter_invalid', 'days.0', /more than once/],
    ['a list without brackets', 'enabled_events=a&enabled_events=b', 'parameter_invalid', 'enabled_events', /name\[\]/],
    ['an empty value twice', 'description=&description=', 'parameter_invalid', 'description', /more than once/],
    ['a value, then members', 'card=1&card[number]=2', 'parameter_invalid', 'card', /two shapes/],
    ['members, then a value', 'card[number]=2&card=1', 'parameter_invalid', 'card', /two shapes/],
    ['a value, then a list', 'days=1&days[]=2', 'parameter_invalid', 'days', /two shapes/],
    ['a list, then a value', 'days[]=2&days=1', 'parameter_invalid', 'days', /two shapes/],
    ['a list, then members', 'days[]=2&days[0]=1', 'parameter_invalid', 'days', /two shapes/],
    ['members, then a list', 'days[0]=2&days[]=1', 'parameter_invalid', 'days', /two shapes/],
    ['two shapes far inside', 'a[b][c]=1&a[b][c][d]=2', 'parameter_invalid', 'a.b.c', /two shapes/],
    ['a list with a gap', 'items[0][price]=a&items[2][price]=c', 'parameter_invalid', 'items', /element 1 is missing/],
    ['a list that starts at 1', 'items[1][price]=a', 'parameter_invalid', 'items', /element 0 is missing/],
    ['a list with a huge number', 'days[4294967296]=1', 'parameter_invalid', 'days', /element 0 is missing/],
    ['a list with an element 1000', `days[1000]=1`, 'parameter_invalid', 'days', /at most 1000/],
    ['a list with a named element', 'days[0]=1&days[x]=2', 'parameter_invalid', 'days.x', /proper number/],
    ['a list with a leading zero', 'days[00]=1', 'parameter_invalid', 'days.00', /proper number/],
    ['a list with a negative number', 'days[-1]=1', 'parameter_invalid', 'days.-1', /proper number/],
    ['empty brackets inside a name', 'items[][price]=a', 'parameter_invalid', 'items', /belongs together/],
    ['empty brackets twice', 'items[][]=a', 'parameter_invalid', 'items', /belongs together/],
    ['__proto__', '__proto__=1', 'parameter_invalid', '__proto__', /__proto__/],
    ['__proto__ with members', '__proto__[x]=1', 'parameter_invalid', '__proto__', /__proto__/],
    ['__proto__ in metadata', 'metadata[__proto__]=1', 'parameter_invalid', 'metadata.__proto__', /__proto__/],
    ['__proto__ encoded', 'metadata[%5f_proto_%5F]=1', 'parameter_invalid', 'metadata.__proto__', /__proto__/],
    ['33 levels', deep(33), 'body_invalid', undefined, /32 levels/],
    ['10,000 levels', deep(10_000), 'body_invalid', undefined, /32 levels/],
    ['1,001 pairs', many(1_001), 'body_invalid', undefined, /more than 1000/],
    ['JSON', '{"amount":2000}', 'body_invalid', undefined, /Content-Type: application\/json/],
    ['JSON with an equals sign', ' {"description":"a=b"}', 'body_invalid', undefined, /looks like JSON/],
  ];
  test.each(refused)('%s', (_name, text, code, param, message) => {
    let error: unknown;
    try {
      read(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, param });
    expect((error as Error).message).toMatch(message);
  });

  test('but not 32 levels, 1,000 pairs or 1,000 elements', () => {
    expect(JSON.stringify(read(deep(32)))).toContain('"1"');
    expect(Object.keys(read(many(1_000)))).toHaveLength(1_000);
    expect(read(`&&&${many(1_000)}&&&`)).toEqual(read(many(1_000)));
    const elements = Array.from({ length: 1_000 }, (_, index) => `days[${999 - index}]=${999 - index}`).join('&');
    expect(read(elements)).toEqual({ days: Array.from({ length: 1_000 }, (_, index) => index) });
  });
});

test('names that look like card numbers and values are never repeated', () => {
  for (const text of [
    '4242424242424242=%',
    'card[4242424242424242]=1&card[4242424242424242]=1',
    'amount=4242&amount=4242',
  ]) {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('4242') }));
  }
});

describe('for any input', () => {
  type Sample = { readonly schema: object; readonly value: unknown };

  const text = fc.string({ unit: anyCharacter, minLength: 1 }).filter((each) => !each.includes('\u0000'));
  const key = fc
    .oneof(fc.constantFrom('constructor', 'hasOwnProperty', '0', '1', 'a', 'b'), text)
    .filter((each) => each !== '__proto__' && !/[[\]]/.test(each));
  const leaf: fc.Arbitrary<Sample> = fc.oneof(
    text.map((value) => ({ schema: { type: 'string' }, value })),
    fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer' }, value: value + 0 })),
    fc.integer().map((value) => ({ schema: { type: 'number' }, value: value / 128 + 0 })),
    fc
      .array(fc.nat(), { minLength: 1 })
      .map((value) => ({ schema: { type: 'array', items: { type: 'integer' } }, value })),
    fc.boolean().map((value) => ({ schema: { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, value })),
    fc.dictionary(key, fc.oneof(text, fc.constant('')), { minKeys: 1, noNullPrototype: true }).map((value) => ({
      schema: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      value,
    })),
  );
  const { object } = fc.letrec<{ object: Sample; list: Sample; any: Sample }>((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), tie('list')),
    list: fc.tuple(tie('any'), fc.integer({ min: 1, max: 3 })).map(([{ schema, value }, length]) => ({
      schema: { type: 'array', items: schema },
      value: Array(length).fill(value),
    })),
    object: fc.dictionary(key, tie('any'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }).map((members) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
      },
      value: Object.fromEntries(Object.entries(members).map(([name, { value }]) => [name, value])),
    })),
  }));

  /** All the pairs of a value: [the steps of the name, the value]. */
  function flatten(value: unknown, steps: string[] = []): [string[], string][] {
    if (typeof value !== 'object' || value === null) return [[steps, String(value)]];
    return Object.entries(value).flatMap(([step, inner]) => flatten(inner, [...steps, step]));
  }

  const plainly = (each: string) => encodeURIComponent(each);
  const likeBrowsers = (each: string) => new URLSearchParams([['', each]]).toString().slice(1);

  test('an object written as a form, in any order, is read like the same object in JSON', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(plainly, likeBrowsers), fc.nat(), ({ schema, value }, encode, first) => {
        const pairs = flatten(value).map(([[head = '', ...rest], each]) => {
          const name = [encode(head), ...rest.map((step) => `[${encode(step)}]`)].join('');
          return `${name}=${encode(each)}`;
        });
        fc.pre(pairs.length <= 1_000);
        const start = first % pairs.length;
        const form = [...pairs.slice(start), ...pairs.slice(0, start).toReversed()].join('&');
        expect(isDeepStrictEqual(readForm(form, schema), readJson(Buffer.from(JSON.stringify(value))))).toBe(true);
      }),
    );
  });

  test('text is either read or refused with an ApiError', () => {
    const near = fc.array(
      fc.constantFrom(
        '&',
        '=',
        '[',
        ']',
        '[]',
        '[0]',
        '[1]',
        '%',
        '%00',
        '%41',
        '+',
        'days',
        'card',
        'items',
        'metadata',
        '__proto__',
        '7',
        '\ud83d',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          near.map((parts) => parts.join('')),
        ),
        (each) => {
          try {
            expect(Object.getPrototypeOf(read(each))).toBe(Object.prototype);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
          }
        },
      ),
      { numRuns: shareOf(30_000, 1_000) },
    );
  });
});
