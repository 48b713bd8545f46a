import { expect, test } from 'vitest';
import { unacceptedBreaks } from '../../../scripts/generate.ts';
import { acceptedIn, breakingChanges, type ComparedDocument, isAccepted } from './breaking_changes.ts';

type Json = Record<string, unknown>;
const text = { type: 'string' };
const object = (properties: Json, required: string[] = [], further: Json = {}) => ({
  ...{ type: 'object', properties, required },
  ...further,
});

/** A document with one operation: its query, its body, its answer, and an event with the same shape as the answer. */
function document(given: {
  query?: Json;
  body?: Json;
  answer?: Json;
  media?: string[];
  verb?: Json;
}): ComparedDocument {
  const { query = text, body = object({}), answer = object({}), media = ['application/json'], verb = {} } = given;
  const contentOf = (schema: Json) => Object.fromEntries(media.map((one) => [one, { schema }]));
  const post = {
    'x-scope': 'things:write',
    parameters: [{ name: 'q', in: 'query', schema: query }],
    requestBody: { content: contentOf(body) },
    responses: { 200: { headers: { 'Request-Id': {} }, content: contentOf({ $ref: '#/components/schemas/Thing' }) } },
    ...verb,
  };
  const event = {
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
  };
  return {
    paths: { '/v1/things': { post } },
    webhooks: { 'thing.created': { post: event } },
    components: { schemas: { Thing: answer } },
  };
}

const plain = document({});
const name = 'POST /v1/things';
const without = (part: 'paths' | 'webhooks') => ({ ...plain, [part]: {} });
const body = (schema: Json, required: string[] = []) => document({ body: object({ a: schema }, required) });
const answer = (schema: Json, required: string[] = []) => document({ answer: object({ a: schema }, required) });
const both = (change: string) => [`${name}: the answer${change}`, `thing.created: the answer${change}`];
const limited = (limits: Json) => body({ type: 'integer', ...limits });

test.each<[string, ComparedDocument, ComparedDocument, string[]]>([
  ['a removed operation', plain, without('paths'), [`${name}: the operation was removed`]],
  ['a removed event', plain, without('webhooks'), ['thing.created: the event was removed']],
  [
    ...(['another scope', plain, document({ verb: { 'x-scope': 'all:write' } })] as const),
    [`${name}: it needs the scope all:write, not things:write`],
  ],
  [
    'a removed query parameter',
    plain,
    document({ verb: { parameters: [] } }),
    [`${name}: the parameter q was removed`],
  ],
  [
    ...(['a new required one', document({ verb: { parameters: [] } })] as const),
    document({ verb: { parameters: [{ name: 'q', in: 'query', required: true, schema: text }] } }),
    [`${name}: the parameter q is new and required`],
  ],
  [
    ...(['one that became required', plain] as const),
    document({ verb: { parameters: [{ name: 'q', in: 'query', required: true, schema: text }] } }),
    [`${name}: the parameter q became required`],
  ],
  [
    ...(['a narrower query parameter', plain, document({ query: { ...text, maxLength: 5 } })] as const),
    [`${name}: the parameter q has the maxLength 5`],
  ],
  ['a removed parameter', body(text), plain, [`${name}: the parameters.a was removed`]],
  ['a new required parameter', plain, body(text, ['a']), [`${name}: the parameters.a is new and required`]],
  ['a parameter that became required', body(text), body(text, ['a']), [`${name}: the parameters.a became required`]],
  ['another type', body(text), limited({}), [`${name}: the parameters.a went from string to integer`]],
  [
    ...(['no null', body({ type: ['string', 'null'] }), body(text)] as const),
    [`${name}: the parameters.a went from string or null to string`],
  ],
  [
    ...(['a removed choice', body({ ...text, enum: ['x', 'y'] }), body({ ...text, enum: ['x'] })] as const),
    [`${name}: the parameters.a no longer takes y`],
  ],
  ['a new choice of few', body(text), body({ ...text, enum: ['x'] }), [`${name}: the parameters.a takes only x`]],
  [
    ...(['a lower maximum', limited({ maximum: 9 }), limited({ maximum: 5 })] as const),
    [`${name}: the parameters.a has the maximum 5 instead of 9`],
  ],
  ['a new minimum', limited({}), limited({ minimum: 1 }), [`${name}: the parameters.a has the minimum 1`]],
  ['a new pattern', body(text), body({ ...text, pattern: '^a' }), [`${name}: the parameters.a has the pattern ^a`]],
  [
    ...(['fewer variants', body({ anyOf: [text, { type: 'integer' }] }), body(text)] as const),
    [`${name}: the parameters.a takes less than before`],
  ],
  [
    ...([
      'another list',
      body({ type: 'array', items: text }),
      body({ type: 'array', items: { type: 'integer' } }),
    ] as const),
    [`${name}: the parameters.a[] went from string to integer`],
  ],
  [
    ...(['a closed object', body(object({}, [], { additionalProperties: true }))] as const),
    body(object({}, [], { additionalProperties: false })),
    [`${name}: the parameters.a takes no further members`],
  ],
  [
    ...(['a removed media type', document({ media: ['application/json', 'text/csv'] }), plain] as const),
    [`${name}: the media type text/csv was removed`, `${name}: the media type text/csv was removed`],
  ],
  ['a removed member of an answer', answer(text), plain, both('.a was removed')],
  ['a member that may be absent', answer(text, ['a']), answer(text), both('.a may be absent')],
  [
    'a wider type of an answer',
    answer({ type: 'integer' }),
    answer({ type: 'number' }),
    both('.a went from integer to number'),
  ],
  [
    'a null in an answer',
    answer(text),
    answer({ type: ['string', 'null'] }),
    both('.a went from string to string or null'),
  ],
  [...(['another constant', answer({ const: 'x' }), answer({ const: 'y' })] as const), both('.a went from x to y')],
  [
    ...(['a further variant of an answer', answer(text), answer({ anyOf: [text, object({})] })] as const),
    both('.a can be something else than before'),
  ],
  [
    ...(['a removed header', plain] as const),
    document({ verb: { responses: { 200: { content: { 'application/json': { schema: {} } } } } } }),
    [`${name}: the header Request-Id was removed`, `${name}: the answer went from object to any type`],
  ],
])('%s is breaking', (_kind, before, after, expected) => {
  expect(breakingChanges(before, after)).toEqual(expected);
});

test.each<[string, ComparedDocument, ComparedDocument]>([
  ['nothing', plain, plain],
  ['a new operation', without('paths'), plain],
  ['a new event', without('webhooks'), plain],
  ['a new optional parameter', plain, body(text)],
  ['a parameter that became optional', body(text, ['a']), body(text)],
  ['a wider parameter', limited({ maximum: 5 }), body({ type: ['number', 'null'], maximum: 9 })],
  ['a new choice', body({ ...text, enum: ['x'] }), body({ ...text, enum: ['x', 'y'] })],
  ['a choice that became free', body({ ...text, enum: ['x'] }), body(text)],
  ['a further variant of a parameter', body(text), body({ anyOf: [{ type: 'integer' }, text] })],
  ['a new member of an answer', plain, answer(text, ['a'])],
  ['a new value of an answer', answer({ ...text, enum: ['x'] }), answer({ ...text, enum: ['x', 'y'] })],
  ['a removed value of an answer', answer({ ...text, enum: ['x', 'y'] }), answer({ ...text, enum: ['x'] })],
  ['a narrower type of an answer', answer({ type: ['integer', 'null'] }), answer({ type: 'integer' })],
  ['fewer variants of an answer', answer({ anyOf: [text, object({})] }), answer(text)],
  ['a new description', body(text), body({ ...text, description: 'A' })],
  ['a new code of an error', plain, document({ verb: { ...verbOf(plain), responses: withRefusal() } })],
])('%s is not breaking', (_kind, before, after) => {
  expect(breakingChanges(before, after)).toEqual([]);
});

function verbOf({ paths }: ComparedDocument): Json {
  return (paths['/v1/things'] as { post: Json }).post;
}

function withRefusal(): Json {
  return { ...(verbOf(plain).responses as Json), 400: { content: { 'application/json': { schema: {} } } } };
}

test('a shape that contains itself is compared', () => {
  const list = (further: Json) =>
    document({ answer: object({ next: { $ref: '#/components/schemas/Thing' }, ...further }) });
  expect(breakingChanges(list({ a: text }), list({}))).toEqual(both('.a was removed'));
});

test('accepted breaks are a list below their heading', () => {
  expect(acceptedIn('- no\n\n## Breaking changes\n\nWords.\n\n- one: a\n- two: b\n\n## More\n\n- no\n')).toEqual([
    ...['one: a', 'two: b'],
  ]);
  expect(acceptedIn('# Versions\n')).toEqual([]);
});

test.each([
  ['one: .a was removed', ['one: .a was removed'], true],
  ['one: .a was removed', ['one: .a'], false],
  ['one: .b.a may be absent', ['…: ….a may be absent'], true],
  ['one: .b.a may be absent', ['…: ….c may be absent'], false],
  ['one: .b.a may be absent', ['two…a may be absent'], false],
  ['aba', ['ab…ba'], false],
])('%s, where %j is listed: %s', (change, listed, isListed) => {
  expect(isAccepted(change, listed)).toBe(isListed);
});

test('nothing is broken that docs/openapi.json promises, except what docs/versions.md lists', () => {
  expect(unacceptedBreaks()).toEqual([]);
});
