import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../server/catalog.ts';
import { openApi } from '../../server/http/pages/openapi/document.ts';
import { generateClient, generatedFolder, readFiles } from '../scripts/generate.ts';
import { type ApiDocument, camel, isLive, operationsOf, queryOf } from '../scripts/generator/document.ts';
import { comment, typeOf } from '../scripts/generator/typescript.ts';
import { fakeGateway, ok } from './fakes.fixture.ts';

test('the generated part is what `npm run generate` makes', () => {
  const [there, made] = [readFiles(generatedFolder), generateClient()];
  const stale = [...new Set([...there.keys(), ...made.keys()])].filter((path) => there.get(path) !== made.get(path));
  expect(stale, 'Run: npm run generate').toEqual([]);
});

/** Without streams that do not end, which following.test.ts is about. */
const operations = operationsOf(openApi(describedBy(catalog)) as unknown as ApiDocument).filter((one) => !isLive(one));

test('every operation has a method, which makes its request', async () => {
  expect(operations.length).toBeGreaterThan(80);
  const { tollgate, sent } = fakeGateway([ok({ object: 'list', data: [], has_more: false })]);
  const resources = tollgate as unknown as Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>>;
  for (const operation of operations) {
    const { tag, verb, method, path } = operation;
    const ids = path.match(/\{\w+\}/g)?.map(() => 'id_1') ?? [];
    const parameters = queryOf(operation).map(({ name }) => name);
    // Paths are among the options of a call that has no other parameters.
    const isExpanding = parameters.join() === 'expand';
    const hasParams = method === 'POST' || (parameters.length > 0 && !isExpanding);
    const options = { idempotencyKey: 'key', ...(isExpanding && { expand: ['b'] }) };
    await resources[camel(tag)]![camel(verb)]!(...ids, ...(hasParams ? [{ a: 7 }] : []), options);
    const request = sent.at(-1)!;
    const query = method === 'GET' && hasParams ? '?a=7' : isExpanding ? '?expand%5B0%5D=b' : '';
    expect(`${request.method} ${request.url}`).toBe(
      `${method} https://gateway.example${path.replaceAll(/\{\w+\}/g, 'id_1')}${query}`,
    );
    expect(request.body, operation.operationId).toBe(method === 'POST' ? '{"a":7}' : undefined);
    expect(request.headers['Idempotency-Key']).toBe(method === 'GET' ? undefined : 'key');
  }
  expect(sent).toHaveLength(operations.length);
});

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: ['string', 'null'], enum: ['a', "b'c", null] }, "'a' | 'b\\'c' | null"],
  [{ type: 'string', const: 'a' }, "'a'"],
  [{ $ref: '#/components/schemas/Payment' }, 'Payment'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }, 'Array<string | number>'],
  [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string | boolean'],
  [{ allOf: [{ $ref: '#/components/schemas/Payment' }], description: 'Why' }, 'Payment'],
  [{ description: 'Anything' }, 'unknown'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  [{ type: 'object', properties: {}, additionalProperties: true }, 'Record<string, unknown>'],
  [{ type: 'object', properties: {}, additionalProperties: false }, 'Record<string, never>'],
  [{ type: ['object', 'null'], properties: { a: { type: 'string' } } }, '{\na?: string | undefined;\n} | null'],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'string', description: 'Why' } } },
    '{\n/** Why */\na: string;\n}',
  ],
])('%o is a type', (schema, type) => {
  expect(typeOf(schema, 'in')).toBe(type);
});

test('a schema that the generator does not know is an error, not `unknown`', () => {
  expect(() => typeOf({ type: 'tuple' }, 'out')).toThrow('no type');
});

test('a comment is wrapped, and cannot end early', () => {
  const [first, ...rest] = comment('word '.repeat(60), 'and */ more').split('\n');
  expect(first).toBe('/**');
  expect(Math.max(...rest.map((line) => line.length))).toBeLessThan(115);
  expect(rest.join('\n').match(/\*\//g)).toHaveLength(1);
});
