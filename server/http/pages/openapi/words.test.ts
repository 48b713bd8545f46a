import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../../catalog.ts';
import { pdfMedia } from '../../../operations/schemas.ts';
import type { Json } from './components.ts';
import { openApi } from './document.ts';

const described = describedBy(catalog);
const document = openApi(described);
const { schemas } = document.components as { schemas: Record<string, Json> };
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Json[]);

/** A schema, or what it refers to. */
function resolved(schema: Json): Json {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  return name === undefined ? schema : { ...schemas[name]!, ...schema };
}

/** The members of a schema without a sentence, at any depth. What it refers to is looked at by its own name. */
function* unexplained(schema: Json, at: string): Generator<string> {
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
    if (!isSentence(resolved(member).description, member)) yield `${at}.${name}`;
    yield* unexplained(member, `${at}.${name}`);
  }
  if (schema.items !== undefined) yield* unexplained(schema.items as Json, `${at}[]`);
  for (const one of (schema.anyOf ?? []) as Json[]) yield* unexplained(one, at);
}

/** The description of a pattern is part of the message of a refusal, and so not a sentence. */
const isSentence = (text: unknown, { pattern }: Json) => pattern !== undefined || /^[A-Z0-9`].*\.$/.test(String(text));

test('every operation says more than its summary', () => {
  const silent = operations.filter(({ description }) => !isSentence(description, {}));
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  const wordy = operations.filter(({ description }) => String(description).split(/[.!?](?= |$)/).length - 1 > 4);
  expect(wordy.map(({ operationId }) => operationId)).toEqual([]);
});

test('every resource says what it is', () => {
  const tags = document.tags as Json[];
  expect(tags.filter(({ description }) => !isSentence(description, {}))).toEqual([]);
});

test('every type of event says when it happens', () => {
  const sentences = Object.values(described.events).map(({ when }) => when);
  expect(sentences).not.toEqual([]);
  expect(sentences.filter((when) => !isSentence(when, {}))).toEqual([]);
});

test('every parameter is explained', () => {
  const silent = operations.flatMap(({ operationId, parameters }) =>
    (parameters as Json[])
      .filter(({ $ref, description, schema }) => $ref === undefined && !isSentence(description, schema as Json))
      .map(({ name }) => `${operationId} ${name}`),
  );
  expect(silent).toEqual([]);
});

test('every member of every shape is explained', () => {
  const silent = Object.entries(schemas).flatMap(([name, schema]) => [...unexplained(schema, name)]);
  expect(silent).toEqual([]);
});

test('every shown object with members has a name', () => {
  const nameless = operations.flatMap(({ operationId, responses }) => {
    const { content } = (responses as Record<number, Json>)[200] as { content: Record<string, { schema: Json }> };
    const shown = content['application/json'] ?? content['text/event-stream'];
    // A file is no object.
    return shown === undefined
      ? Object.keys(content).filter((media) => media !== pdfMedia)
      : shown.schema.$ref === undefined
        ? [operationId]
        : [];
  });
  expect(nameless).toEqual([]);
});
