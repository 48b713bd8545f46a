import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../../catalog.ts';
import { pdfMedia } from '../../../operations/schemas.ts';
import type { Json } from './components.ts';
import { openApi } from './document.ts';
import { readExamples } from './examples.ts';

const described = describedBy(catalog);
const document = openApi(described);
const examples = readExamples();
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Json[]);
const webhooks = Object.values(document.webhooks).map(({ post }) => post as Json);

/** The document with every shape closed: a member that it does not name fails. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in inner && !('additionalProperties' in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
for (const [name, schema] of Object.entries(document.components.schemas!))
  ajv.addSchema(closed(schema) as Json, `#/components/schemas/${name}`);

type Content = Record<string, { schema: Json; example?: unknown }>;
const contentIn = (holder: unknown) => {
  const { content } = holder as { content: Content };
  return (content['application/json'] ?? content['text/event-stream'] ?? content[pdfMedia])!;
};

function violations({ schema, example }: Content[string]): unknown[] {
  if (example === undefined) return [];
  // By its name, so that a shape is compiled once.
  const validate = ajv.getSchema(String(schema.$ref)) ?? ajv.compile(closed(schema) as Json);
  return validate(example)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('every operation has an example, and every example an operation', () => {
  // A file is no text that could be shown.
  const told = described.operations.filter(({ file }) => file === undefined).map(({ name }) => name);
  const names = operations.map(({ operationId }) => operationId as string).filter((name) => told.includes(name));
  expect(operations.length - names.length).toBe(2);
  expect(Object.keys(examples.operations)).toEqual(told);
  expect(names.toSorted()).toEqual(Object.keys(examples.operations).toSorted());
  const silent = operations.filter(
    ({ operationId, responses, requestBody }) =>
      names.includes(operationId as string) &&
      (contentIn((responses as Json)[200]).example === undefined ||
        ((requestBody as Json | undefined)?.required === true && contentIn(requestBody).example === undefined)),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test('every type of event has an example, and every example a type', () => {
  expect(Object.keys(examples.events)).toEqual(catalog.eventTypes);
  expect(webhooks.filter(({ requestBody }) => contentIn(requestBody).example === undefined)).toEqual([]);
});

test('the answers, the requests and the events are of the shapes that the document describes', () => {
  const found = [
    ...operations.map(({ operationId, responses }) => [operationId, violations(contentIn((responses as Json)[200]))]),
    ...[...operations, ...webhooks]
      .filter(({ requestBody }) => requestBody !== undefined)
      .map(({ operationId, requestBody }) => [operationId, violations(contentIn(requestBody))]),
  ];
  expect(found.filter(([, wrong]) => (wrong as unknown[]).length > 0)).toEqual([]);
});

test('a member that is not described would be found', () => {
  const { schema, example } = contentIn(
    (operations.find(({ operationId }) => operationId === 'payments.retrieve')!.responses as Json)[200],
  );
  expect(violations({ schema, example: { ...(example as Json), surprise: 1 } })).toEqual([
    ' must NOT have additional properties',
  ]);
});

test('no example has a secret that could be one', () => {
  const text = JSON.stringify(examples);
  expect(text).not.toMatch(/(sk|rk)_(test|live)_/);
  for (const [secret] of text.matchAll(/whsec_[^"]+/g)) expect(secret).toMatch(/^whsec_(EXAMPLE|example)+$/);
});
